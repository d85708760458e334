"""Tables on a terminal: every figure and every name is whole, however narrow it is."""

import dataclasses
import random
import re

import pytest

from leadline.cli.compare_and_gate import _show
from leadline.cli.tables import print_groups, print_reports, print_rows, print_shares
from leadline.comparison.verdict import Change, Comparison, Verdict
from leadline.diagnosis.causes import Shares
from leadline.metrics.significance import compare
from leadline.report import Report

LONG = [
    "bm25",
    "./movies_lend.yaml",
    "hybrid+by_attribute:scorer=minilm",
    "listwise:llama:warning:",
]
METRICS = {
    "conditions": ["Noticed[unseen=missed]", "Unseen", "WinRate", "Adjacent", "FlipRate"],
    "instructions": ["WISE", "SICR", "p-MRR", "Robustness@10"],
}
SIGNED = ("Noticed[unseen=missed]", "WISE", "p-MRR")


def report(system: str, kind: str, units: int = 40, **others: object) -> Report:
    rng = random.Random(f"{system} {kind}")
    scores = {
        name: {f"u{n}": rng.uniform(-1 if name in SIGNED else 0, 1) for n in range(units)}
        for name in METRICS[kind]
    }
    return Report(system=system, benchmark=kind, kind=kind, scores=scores, **others)


def figures(text: str) -> list[str]:
    """Return the numbers of a text as they stand between spaces, n apart."""
    return re.findall(r"(?<!\S)[-+]?\d*\.\d+(?:–-?\d*\.\d+)?(?!\S)", text)


def short(value: float) -> str:
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}")


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("kind", list(METRICS))
def test_every_figure_and_name_of_check_is_whole(
    kind: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    reports = [report(system, kind) for system in LONG]
    print_reports(reports)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= width
    expected = [
        text
        for each in reports
        for mean in each.means().values()
        for text in (f"{mean.mean:.3f}", f"{short(mean.low)}–{short(mean.high)}")
    ]
    assert sorted(figures(shown)) == sorted(expected)
    assert shown.count("n\u00a040") == len(expected) / 2  # an n for every mean
    for system in LONG:
        assert system in shown


def test_means_of_too_few_units_stand_without_an_interval(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    few = report("bm25", "conditions", units=4)
    print_reports([few])
    shown = capsys.readouterr().out
    assert shown.count("n 4, too few") == 5
    assert figures(shown) == [f"{mean.mean:.3f}" for mean in few.means().values()]
    assert "conditions: only 4 topics could be built and scored" in shown
    assert "p95" not in shown
    print_reports([few, dataclasses.replace(few, query_seconds={"a": 0.0123, "b": 2.0})])
    assert "12.3 ms / 2.00 s" in capsys.readouterr().out


@pytest.mark.parametrize("width", [60, 80])
def test_every_figure_of_compare_and_gate_is_whole(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    rng = random.Random(0)
    changes = []
    for benchmark, metric in (("conditions", METRICS["conditions"][0]), ("rephrasings", "RBO@5")):
        one, other = ({f"u{n}": rng.random() for n in range(40)} for _ in range(2))
        for system in LONG:
            changes.append(Change(benchmark, system, compare(metric, ("new", "base"), one, other)))
    found = Comparison("a", "b", tuple(changes))
    _show(found, Verdict(found, (changes[0],), 0.01, 0.05))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= width
    expected = [
        text
        for each in changes
        for it in [each.change]
        for text in (
            f"{it.mean_b:.3f}", f"{it.mean_a:.3f}", f"{it.difference:+.3f}", f"{it.low:+.3f}",
            f"{it.high:+.3f}", f"{it.p_holm:.3f}",
        )
    ]  # fmt: skip
    assert sorted(figures(shown)) == sorted(expected)
    assert len(re.findall(r"(?<!\S)40(?!\S)", shown)) == len(changes)
    words = ("conditions", "rephrasings", "RBO@5", "Noticed,", "worse", *LONG)
    assert all(re.search(rf"(?<!\S){re.escape(word)}(?![^\s,])", shown) for word in words[:3])
    assert all(word in shown for word in words)


@pytest.mark.parametrize("width", [60, 80])
def test_no_word_of_diagnose_is_broken(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    print_shares([Shares("retrieval", system, "rephrasings/long-name", {"word overlap": 4}, 2)
                  for system in LONG])  # fmt: skip
    row = ("rephrasings", "words of the document: 154 to 202", "30", "43%", "30% to 57%")
    print_rows(
        ["system", "benchmark", "slice", "n", "failed", "95 % interval"],
        [(system, *row) for system in LONG],
        headings=2,
    )
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= width
    for word in (*LONG, "rephrasings", "document:", "overlap", "long-name", "(100%)"):
        assert shown.count(word) >= 1, word


@pytest.mark.parametrize("width", [60, 80])
def test_no_name_of_a_list_is_broken(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    long = "e5-mistral-7b-instruct@released-code-instructions"
    print_groups([("family", long, "what it is", "terms"), ("family", "bm25", "words", "")])
    shown = capsys.readouterr().out
    assert long in shown and "what it is" in shown and "bm25" in shown


def test_nothing_in_a_name_becomes_an_emoji_or_markup(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    name = "listwise:llama:+x[bold]:fire:"
    failures = {"listwise: :boom: [red]": 3}
    print_reports([report(name, "conditions", failures=failures, asked={"listwise": 4})])
    print_rows([":fire: [b]head[/b]"], [(name,)])
    shown = capsys.readouterr().out
    assert shown.count(name) >= 4  # table, failing, count of failures, row
    assert ":boom: [red]" in shown and ":fire: [b]head[/b]" in shown
    assert "🦙" not in shown and "🔥" not in shown
