"""How a stage that reasons came to its scores: in a file of its own, and beside failing cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from leadline.data.jsonl import write_records
from leadline.evidence import Case, Passage
from leadline.metrics.reasoned import LONGEST_TRACE, ranks_of
from leadline.report import Report
from leadline.types import StageRun


def write_traces(path: Path, stages: Sequence[StageRun]) -> None:
    """Write a line for every pair that was reasoned about, by query and rank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_records(path, _lines(stages))


def with_traces(cases: Sequence[Case], report: Report) -> list[Case]:
    """Return cases whose passages say where they stood before, and how they were judged."""
    found = _reasoned(report.stages)
    if found is None:
        return list(cases)
    before, stage = found

    def told(passage: Passage, query_id: str) -> Passage:
        if (query_id, passage.id) not in stage.traces:
            return passage
        trace = stage.traces[query_id, passage.id]
        place = ranks_of(before.run.get(query_id, {})).get(passage.id)
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
    """Return the last stage that reasoned, behind the one before it."""
    places = [place for place, stage in enumerate(stages) if place and stage.traces]
    return (stages[places[-1] - 1], stages[places[-1]]) if places else None


def _lines(stages: Sequence[StageRun]) -> Iterator[dict[str, Any]]:
    found = _reasoned(stages)
    if found is None:
        return
    before, stage = found
    for query_id, scores in stage.run.items():
        places = ranks_of(before.run.get(query_id, {}))
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
