"""How large the report of many systems on many cases is, and how fast a browser opens it.

Run: python studies/speed/report_size.py [--systems 15] [--cases 2000] [--out report.html]

Every probe that rules build from examples/harbour_town, and the queries of that folder, are run on
settings of BM25. Queries and what was scored for them are then repeated under other ids until each
probe has as many cases as asked for. The browser is Chromium without a window, if there is one;
seconds go from the start of the navigation to the `load` event, the median of five.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.checking.probes import build_probes
from leadline.data.documents import read_corpus
from leadline.evaluation import evaluate, limited
from leadline.kinds import benchmark_folder as folder
from leadline.kinds.cases import worst
from leadline.kinds.registry import kind_or_ranking, kinds
from leadline.report import Report
from leadline.report.outcome import Outcome, now
from leadline.report.page import page_of, render
from leadline.systems.chains import load_system

TOWN = Path(__file__).resolve().parents[2] / "examples" / "harbour_town"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ROUNDS = 5
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
_TIMED = (
    "<script>addEventListener('load', () => document.documentElement.setAttribute("
    "'data-opened', performance.now()))</script></body>"
)


def outcome_of(systems: int, cases: int, limit: int = 20) -> Outcome:
    """Return what `systems` settings of BM25 score on every probe, repeated up to `cases`.

    limit  topics that are really run; the others are copies of these
    """
    probes = [kind.name for kind in kinds() if kind.probe]
    built = build_probes(read_corpus(TOWN), probes, limit=limit)
    built.append(limited(folder.build(TOWN).validated(), limit))
    chains = [f"bm25:k1={0.5 + n / 10:g}" for n in range(systems)]
    benchmarks, reports, shown = [], [], []
    for probe in (each for each in built if each.queries):
        copies = -(-cases // len(probe.queries))
        many = repeated(probe, copies)
        benchmarks.append(many)
        for chain in chains:
            report = repeated_report(evaluate(load_system(chain), probe), copies)
            reports.append(report)
            shown += worst(kind_or_ranking(many.kind).failures(many, report))
    return Outcome(benchmarks, reports, shown, now())


def repeated(probe: Benchmark, copies: int) -> Benchmark:
    """Return the benchmark with every query so many times, each time another topic."""
    return dataclasses.replace(
        probe,
        queries=[
            dataclasses.replace(query, id=f"{query.id}~{n}", topic=f"{query.topic or query.id}~{n}")
            for n in range(copies)
            for query in probe.queries
        ],
        qrels=_keyed(probe.qrels, copies),
        candidates=None if probe.candidates is None else _keyed(probe.candidates, copies),
        excluded=_keyed(probe.excluded, copies),
    )


def repeated_report(report: Report, copies: int) -> Report:
    """Return the report with the values of every unit so many times."""
    return dataclasses.replace(
        report,
        scores={name: _keyed(values, copies) for name, values in report.scores.items()},
        left_out={name: count * copies for name, count in report.left_out.items()},
        run=_keyed(report.run, copies),
        clusters={
            f"{unit}~{n}": f"{source}~{n}"
            for n in range(copies)
            for unit, source in report.clusters.items()
        },
        seen=_keyed(report.seen, copies),
    )


def _keyed(values: Mapping[str, Any], copies: int) -> dict[str, Any]:
    return {f"{key}~{n}": value for n in range(copies) for key, value in values.items()}


def seconds_to_open(html: str, browser: str) -> list[float]:
    """Return the seconds from navigation to `load` of every round."""
    timed = _POLICY.sub("", html).replace("</body>", _TIMED)
    seconds = []
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "report.html"
        path.write_text(timed, encoding="utf-8")
        for _ in range(ROUNDS):
            done = subprocess.run(
                [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                 f"--user-data-dir={place}/profile", "--dump-dom", path.as_uri()],
                capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            found = re.search(r'data-opened="([0-9.]+)"', done.stdout)
            if found is None:
                raise SystemExit(f"{browser} gave no page: {done.stderr[-200:]}")
            seconds.append(float(found[1]) / 1000)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=15)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    outcome = outcome_of(given.systems, given.cases)
    sizes = ", ".join(f"{each.name} {len(each.queries):,}" for each in outcome.benchmarks)
    html = render(page_of(outcome, "Size", "python studies/speed/report_size.py", {}))
    if given.out:
        given.out.write_text(html, encoding="utf-8")
    print(f"{given.systems} systems; queries: {sizes}; failing cases shown: {len(outcome.cases)}")
    print(f"report.html: {len(html.encode()) / 1e6:.2f} MB")
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        print(f"no browser here: none of {', '.join(BROWSERS)} is installed")
        return
    seconds = seconds_to_open(html, browser)
    print(
        f"opened in {statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})"
    )


if __name__ == "__main__":
    main()
