"""The output folder: runs and scores as each system finishes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.trec import write_run
from leadline.data.writing import atomic_file, file_name, remove_file
from leadline.evidence import Case
from leadline.report import NotMeasured, Report
from leadline.results.kept import as_record
from leadline.results.traces import write_traces


def write_scores(
    out: Path,
    report: Report,
    asked: str = "",
    cases: Sequence[Case] = (),
    *,
    compress_runs: bool = False,
) -> None:
    """Write one system's run and scores on one benchmark, as soon as it is finished.

    asked  digest of the benchmark (`kept.digest_of`)
    cases  its worst failures, so that a later run can show them again
    compress_runs  write `runs/<system>.trec.gz`, about a quarter as large, for `.trec`
    """
    folder = benchmark_folder(out, report.benchmark)
    name = file_name(report.system)
    (folder / "scores").mkdir(parents=True, exist_ok=True)
    if report.run:
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        plain, packed = (folder / "runs" / f"{name}{end}" for end in (".trec", ".trec.gz"))
        write_run(packed if compress_runs else plain, report.run, tag=name)
        remove_file(plain if compress_runs else packed)  # of an earlier run
    if report.reasoning is not None and report.stages:
        write_traces(folder / "traces" / f"{name}.jsonl", report.stages)
    _write(folder / "scores" / f"{name}.json", as_record(report, asked, cases))


def write_not_measured(out: Path, pair: NotMeasured) -> None:
    """Write why there are no scores, in the place of what an earlier run left there."""
    folder, name = benchmark_folder(out, pair.benchmark), file_name(pair.system)
    for stale in (f"runs/{name}.trec", f"runs/{name}.trec.gz", f"traces/{name}.jsonl"):
        remove_file(folder / stale)
    (folder / "scores").mkdir(parents=True, exist_ok=True)
    _write(folder / "scores" / f"{name}.json", {"leadline": __version__, **asdict(pair)})


def _write(path: Path, record: Any) -> None:
    with atomic_file(path) as file:
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.write("\n")


def benchmark_folder(out: Path, name: str) -> Path:
    """Return the folder of a benchmark; `implicit-facts/arithmetic-unispeaker` is nested."""
    return out.joinpath(*(file_name(part) for part in name.split("/")))
