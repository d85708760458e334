"""What earlier runs left in an output folder: reports with the value of every unit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.benchmark import Benchmark
from leadline.data.fingerprint import fingerprint
from leadline.data.lines import checked_file
from leadline.errors import InputError
from leadline.evidence import Case, Listed, Passage
from leadline.metrics.reasoned import reasoning_from
from leadline.report import NotMeasured, Report

_MOST_BYTES = 2 << 30


def digest_of(benchmark: Benchmark) -> str:
    """Return 32 hex digits that change with anything that a benchmark asks, or measures."""
    digest = hashlib.blake2b(fingerprint(benchmark.corpus).encode(), digest_size=16)
    asked = [
        [each.id, each.text, each.topic, each.instruction, each.answer, dict(each.facets)]
        for each in benchmark.queries
    ]
    candidates = {id: list(ids) for id, ids in (benchmark.candidates or {}).items()}
    order = [candidates, benchmark.ranked] if candidates else candidates
    excluded = {id: sorted(ids) for id, ids in benchmark.excluded.items()}
    measured = [benchmark.kind, benchmark.depth, [each.name for each in benchmark.metrics]]
    parts: list[Any] = [
        asked, {id: dict(grades) for id, grades in benchmark.qrels.items()}, order, excluded,
        measured,
    ]  # fmt: skip
    digest.update(json.dumps(parts, sort_keys=True).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def as_record(report: Report, asked: str = "", cases: Sequence[Case] = ()) -> dict[str, Any]:
    """Return a report as the content of `scores/<system>.json`, the run apart.

    asked  digest of the benchmark
    """
    return {
        "leadline": __version__,
        "system": report.system,
        "benchmark": report.benchmark,
        "kind": report.kind,
        "built_by": report.built_by,
        "asked": asked,
        "seed": report.seed,
        "settings": report.settings,
        **({"notes": list(report.notes)} if report.notes else {}),
        "failures": report.failures,
        "asked_models": report.asked,
        "scores": report.scores,
        "left_out": report.left_out,
        "clusters": report.clusters,
        "cases": [asdict(case) for case in cases],
        **({"reasoning": report.reasoning.as_json()} if report.reasoning else {}),
    }


def read_reports(out: str | Path) -> list[Report]:
    """Return the report of every system on every benchmark in an output folder, in their order.

    The runs are not read. Raises InputError when there is none, or one is not as it was written.
    """
    folder = Path(out)
    if not folder.is_dir():
        raise InputError(f"There is no output folder {out}.")
    records = map(_record_at, _files(folder))
    found = [_report_of(record) for record in records if "why" not in record]
    if not found and (missing := read_not_measured(folder)):
        raise InputError(f"{out} holds no scores: {missing[0].why}")
    if not found:
        raise InputError(
            f"{out} holds no scores: it is the --out folder of `leadline check` or "
            "`leadline evaluate` that is compared."
        )
    return found


def read_not_measured(out: str | Path) -> list[NotMeasured]:
    """Return which systems have no scores in an output folder, and why."""
    records = map(_record_at, _files(Path(out)))
    return [
        NotMeasured(str(each.get("system")), str(each.get("benchmark")), str(each["why"]))
        for each in records
        if "why" in each
    ]


def kept_beside(
    out: Path, systems: Sequence[str], asked: Mapping[str, str]
) -> list[tuple[Report, list[Case]]]:
    """Return what earlier runs left of other systems, on benchmarks that have not changed since.

    systems  those that are not other ones
    asked    name of each benchmark -> its digest
    """
    kept = []
    for path in _files(out):
        try:
            record = _record_at(path)
            report = _report_of(record)
        except InputError:
            continue
        same = asked.get(report.benchmark, "") == record.get("asked") != ""
        if same and report.system not in systems:
            kept.append((report, [_case_of(each) for each in record.get("cases", ())]))
    return kept


def report_at(path: Path) -> Report:
    """Return the report in a file of scores.

    Raises InputError, with the file, when it holds none.
    """
    return _report_of(_record_at(path))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("**/scores/*.json"))


def _record_at(path: Path) -> dict[str, Any]:
    try:
        if checked_file(path).st_size > _MOST_BYTES:
            raise InputError(f"{path} is too large for a file of scores.")
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: no file of scores ({type(error).__name__}).") from error
    if not isinstance(record, dict):
        raise InputError(f"{path}: no file of scores, it holds a {type(record).__name__}.")
    return record | {"_path": str(path)}


def _report_of(record: Mapping[str, Any]) -> Report:
    try:
        return Report(
            system=str(record["system"]),
            benchmark=str(record["benchmark"]),
            scores={
                str(metric): {str(unit): float(value) for unit, value in values.items()}
                for metric, values in record["scores"].items()
            },
            left_out={str(name): int(n) for name, n in record.get("left_out", {}).items()},
            kind=str(record.get("kind", "ranking")),
            built_by=str(record.get("built_by", "published")),
            settings=dict(record.get("settings", {})),
            notes=[str(each) for each in record.get("notes", ())],
            seconds={str(name): float(n) for name, n in record.get("seconds", {}).items()},
            failures={str(name): int(n) for name, n in record.get("failures", {}).items()},
            asked={str(name): int(n) for name, n in record.get("asked_models", {}).items()},
            clusters={str(k): str(v) for k, v in record.get("clusters", {}).items()},
            seed=int(record.get("seed", 0)),
            reasoning=reasoning_from(record["reasoning"]) if "reasoning" in record else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(f"{record['_path']}: no scores as Leadline writes them: {error!r}.") from (
            error
        )


def _case_of(record: Mapping[str, Any]) -> Case:
    passages = {name: Passage(**record[name]) for name in ("expected", "retrieved")}
    rankings = {
        label: tuple(Listed(**each) for each in listed)
        for label, listed in record.get("rankings", {}).items()
    }
    return Case(**{**record, **passages, "rankings": rankings})
