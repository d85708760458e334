"""Write and read the output folder: runs and scores, as soon as each system finishes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from leadline import __version__
from leadline.benchmark import Benchmark
from leadline.data.digests import fingerprint
from leadline.data.jsonl import write_records
from leadline.data.lines import checked_file
from leadline.data.trec import write_run
from leadline.data.writing import atomic_file, file_name, remove_file
from leadline.errors import InputError
from leadline.report import REFERENCE, NotMeasured, Report
from leadline.report.shapes import Case, Passage
from leadline.types import StageRun

_MOST_BYTES = 2 << 30
LONGEST_TRACE = 6000
"""A case shows this many characters of a trace. The file of traces has all of it."""


@dataclass(frozen=True)
class _Scores:
    """The content of `scores/<system>.json`: a report without its run, and its worst cases.

    asked  digest of the benchmark (`digest_of`)
    why    why the system could not be measured, if so; then there is nothing else
    """

    system: str
    benchmark: str
    leadline: str = __version__
    kind: str = "ranking"
    built_by: str = "published"
    asked: str = ""
    seed: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    query_seconds: dict[str, float] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    asked_models: dict[str, int] = field(default_factory=dict)
    scores: dict[str, dict[str, float]] | None = None
    left_out: dict[str, int] = field(default_factory=dict)
    clusters: dict[str, str] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)
    examined: dict[str, Any] = field(default_factory=dict)
    why: str | None = None

    @property
    def report(self) -> Report:
        """The report, without its run."""
        return Report(
            self.system, self.benchmark, self.scores or {}, self.left_out, self.kind, self.built_by,
            self.settings, {}, self.failures, self.asked_models, clusters=self.clusters,
            seed=self.seed, examined=self.examined, notes=self.notes,
            query_seconds=self.query_seconds,
        )  # fmt: skip


def benchmark_folder(out: Path, name: str) -> Path:
    """Return the folder of a benchmark. `implicit-facts/arithmetic-unispeaker` is nested."""
    return out.joinpath(*(file_name(part) for part in name.split("/")))


def write_scores(
    out: Path,
    report: Report,
    asked: str = "",
    cases: Sequence[Case] = (),
    *,
    compress_runs: bool = False,
) -> None:
    """Write one system's run and scores on one benchmark.

    asked  digest of the benchmark (`digest_of`)
    cases  its worst failures, so that a later run can show them again
    compress_runs  write `.trec.gz`, about a quarter of the size
    """
    folder, name = benchmark_folder(out, report.benchmark), file_name(report.system)
    if report.run:
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        plain, packed = (folder / "runs" / f"{name}{end}" for end in (".trec", ".trec.gz"))
        write_run(packed if compress_runs else plain, report.run, tag=name)
        remove_file(plain if compress_runs else packed)  # of an earlier run
    if "reasoning" in report.examined and report.stages:
        path = folder / "traces" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_records(path, _traces(report.stages))
    record = _Scores(
        report.system, report.benchmark, kind=report.kind, built_by=report.built_by, asked=asked,
        seed=report.seed, settings=dict(report.settings), notes=list(report.notes),
        failures=dict(report.failures), asked_models=dict(report.asked),
        scores={name: dict(values) for name, values in report.scores.items()},
        left_out=dict(report.left_out), clusters=dict(report.clusters), cases=list(cases),
        examined=dict(report.examined),
        query_seconds={id: round(value, 6) for id, value in report.query_seconds.items()},
    )  # fmt: skip
    content = {**vars(record), "cases": [asdict(case) for case in cases]}
    given = {name: value for name, value in content.items() if value is not None}
    _write(folder / "scores" / f"{name}.json", given)


def write_not_measured(out: Path, pair: NotMeasured) -> None:
    """Write why there are no scores, and replace the file of an earlier run."""
    folder, name = benchmark_folder(out, pair.benchmark), file_name(pair.system)
    for stale in (f"runs/{name}.trec", f"runs/{name}.trec.gz", f"traces/{name}.jsonl"):
        remove_file(folder / stale)
    _write(folder / "scores" / f"{name}.json", {"leadline": __version__, **asdict(pair)})


def _write(path: Path, record: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path) as file:
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.write("\n")


def digest_of(benchmark: Benchmark) -> str:
    """Return 32 hex digits that change with any content or metric of a benchmark."""
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


def read_folder(out: str | Path) -> tuple[list[Report], list[NotMeasured]]:
    """Return the reports in an output folder, without runs, and which systems have none, and why.

    References are left out, because nothing is compared with them. Raises InputError if there is no
    report, or a file is damaged.
    """
    if not Path(out).is_dir():
        raise InputError(f"There is no output folder {out}.")
    read = [_scores_at(path) for path in _files(Path(out))]
    records = [each for each in read if not each.system.endswith(REFERENCE)]
    missing = [NotMeasured(each.system, each.benchmark, each.why) for each in records if each.why]
    found = [each.report for each in records if not each.why]
    if not found and missing:
        raise InputError(f"{out} has no scores: {missing[0].why}")
    if not found:
        raise InputError(
            f"{out} has no scores. Give the --out folder of `leadline check` or `leadline "
            "evaluate`."
        )
    return found, missing


def kept_beside(
    out: Path, systems: Sequence[str], asked: Mapping[str, str]
) -> list[tuple[Report, list[Case]]]:
    """Return the results of other systems from earlier runs, on unchanged benchmarks.

    systems  the systems of this run
    asked    name of each benchmark -> its digest
    """
    kept = []
    for path in _files(out):
        try:
            record = _scores_at(path)
        except InputError:
            continue
        same = asked.get(record.benchmark, "") == record.asked != "" and not record.why
        if same and record.system not in systems:
            kept.append((record.report, record.cases))
    return kept


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("**/scores/*.json"))


def _scores_at(path: Path) -> _Scores:
    try:
        if checked_file(path).st_size > _MOST_BYTES:
            raise InputError(f"{path} is too large to be a scores file.")
        found = TypeAdapter(_Scores).validate_json(path.read_bytes())
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise InputError(
            f"{path} is not a scores file of Leadline: {place or 'the file'}: {fault['msg']}."
        ) from error
    except OSError as error:
        raise InputError(
            f"{path} is not a scores file of Leadline ({type(error).__name__})."
        ) from error
    if found.scores is None and not found.why:
        raise InputError(f"{path} has no scores in it.")
    return found


def with_traces(cases: Sequence[Case], report: Report) -> list[Case]:
    """Return cases whose passages have their rank before the reasoning, and the trace."""
    found = _reasoned(report.stages)
    if found is None:
        return list(cases)
    before, stage = found

    def told(passage: Passage, query_id: str) -> Passage:
        if (query_id, passage.id) not in stage.traces:
            return passage
        trace = stage.traces[query_id, passage.id]
        place = _ranks(before.run.get(query_id, {})).get(passage.id)
        said = f"[{trace.ending}: {trace.said or 'nothing'}; {trace.tokens:,} tokens] "
        return replace(passage, before=place, trace=said + trace.text[:LONGEST_TRACE])

    return [
        replace(
            case,
            expected=told(case.expected, case.facts.get("query", "")),
            retrieved=told(case.retrieved, case.facts.get("query", "")),
        )
        for case in cases
    ]


def _reasoned(stages: Sequence[StageRun]) -> tuple[StageRun, StageRun] | None:
    """Return the last stage that reasoned, after the one before it."""
    places = [place for place, stage in enumerate(stages) if place and stage.traces]
    return (stages[places[-1] - 1], stages[places[-1]]) if places else None


def _ranks(scores: Mapping[str, float]) -> dict[str, int]:
    return {id: rank for rank, id in enumerate(scores, start=1)}


def _traces(stages: Sequence[StageRun]) -> Iterator[dict[str, Any]]:
    """Yield a line for every pair with a trace, by query and rank."""
    found = _reasoned(stages)
    if found is None:
        return
    before, stage = found
    for query_id, scores in stage.run.items():
        places = _ranks(before.run.get(query_id, {}))
        for rank, (document_id, score) in enumerate(scores.items(), start=1):
            if (query_id, document_id) not in stage.traces:
                continue
            trace = stage.traces[query_id, document_id]
            yield {
                "query-id": query_id,
                "corpus-id": document_id,
                "before": places.get(document_id),
                "rank": rank,
                "score": score,
                "said": trace.said,
                "ending": trace.ending,
                "tokens": trace.tokens,
                "prompt-tokens": trace.prompt_tokens,
                "trace": trace.text,
            }
