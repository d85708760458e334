"""A small page for the tests of this folder, with any text in the places of a corpus."""

from typing import Any

from leadline.kinds.registry import by_name
from leadline.report import Mean, Report
from leadline.report.page import Page, ProbeNote
from leadline.report.results import Results
from leadline.report.shapes import Case, Curve, Listed, Passage

KINDS = by_name()


def entry(mean: float, low: float | None = None, high: float | None = None, n: int = 200) -> Mean:
    return Mean(
        mean, mean - 0.05 if low is None else low, mean + 0.05 if high is None else high, n, 0
    )


def result(
    system: str, metrics: dict[str, Mean], benchmark: str = "conditions", **more: Any
) -> Report:
    kind = benchmark if benchmark in ("conditions", "rephrasings") else "ranking"
    return Report(
        system, benchmark, {}, known=metrics,
        **{"kind": kind, "built_by": "rules", "settings": {"k1": 1.5},
           "seconds": {"search": 1.25}, **more},
    )  # fmt: skip


def results(*reports: Report) -> Results:
    return Results(reports, KINDS)


def page(text: str = "plain words", systems: int = 2, cases: int = 1) -> Page:
    """Return a page that has `text` in every place that holds text from outside."""
    names = [f"system {number} {text}" for number in range(systems)]
    probe = f"conditions {text}"
    metrics = {
        "WinRate": entry(0.6),
        "WinRate@1": entry(0.7),
        "WinRate@2": entry(0.5),
        f"WinRate[{text}]": entry(0.4),
        f"WinRate[edit={text}]": entry(0.4),
        "WinRate[edit=number]": entry(0.3),
        text: entry(0.2),
    }
    reports = [
        result(name, metrics, probe, kind="conditions", settings={text: text}) for name in names
    ]
    line = (Mean(0.7, 0.6, 0.8, 9), Mean(0.5, 0.4, 0.6, 8))
    return Page(
        title=text,
        created=text,
        version=text,
        command=text,
        reports=reports,
        kinds=KINDS,
        facts={text: text},
        figures=[
            Curve(
                title=text,
                x_label=text,
                y_label=text,
                x=(1, 2),
                note=text,
                chance=0.5,
                lines=dict.fromkeys(names, line),
                probe=probe,
            )
        ],
        cases=[_case(name, probe, text, n) for name in names for n in range(cases)],
        probes=[ProbeNote(probe, "conditions", "rules", text, 10, 8, {text: 2})],
        links={(probe, text): text, (probe, f"{text} 2"): "../notes/a%20note.txt"},
    )


def _case(system: str, probe: str, text: str, number: int = 0) -> Case:
    return Case(
        system=system,
        probe=probe,
        headline=f"{text} {number}",
        query=text,
        expected=Passage(text, f"{text} 4.7 cm", text, 2 + number, 1.0),
        retrieved=Passage(f"{text} 2", f"{text} 5.2 cm", text, 1, 1.5),
        compared=f"{text} again",
        compared_label=text,
        expected_label=text,
        retrieved_label=text,
        facts={text: text},
        rankings={text: (Listed(text, text, text), Listed("d2", "two", "stays"))},
        badness=number / 10,
        causes={text: text} if number else {},
    )
