"""Why single cases failed, as far as stages, reading and the words compared tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline.benchmark import Benchmark
from leadline.diagnosis.cases import NOT_SEEN, QUERY_CUT, TEXT_CUT
from leadline.diagnosis.retrieval import GIVEN, judge_overlap, judge_stages
from leadline.diagnosis.sight import Read, judge_sight
from leadline.evidence import Case
from leadline.metrics.sight import YES
from leadline.report import Report
from leadline.types import Query


def with_causes(
    cases: Sequence[Case], benchmark: Benchmark, report: Report, read: Read
) -> list[Case]:
    """Return the cases with the causes that were found for each.

    First the stage that lost the expected document, what the system did not read of it, or words
    of the query that only the other one has, under the names of `leadline diagnose`; then what
    `Report.causes` says of edits like this one. What takes statistics of the corpus is left to
    `diagnose`. A document that is not wanted (of a refused one) has no cause.

    read  what the system takes in, see `System.read`
    """
    queries = {query.id: query for query in benchmark.queries}
    found = []
    for case in cases:
        query = queries.get(case.facts.get("query", ""))
        causes = {} if query is None else dict(_causes(case, query, benchmark, report, read))
        found.append(replace(case, causes=causes))
    return found


def _causes(
    case: Case, query: Query, benchmark: Benchmark, report: Report, read: Read
) -> Iterator[tuple[str, str]]:
    grades = benchmark.qrels.get(query.id, {})
    best = max(grades.values(), default=0)
    if best <= 0 or grades.get(case.expected.id, 0) < best:
        return
    unseen = report.seen.get(query.id, YES)
    if unseen != YES:
        yield _named(unseen), unseen
        return
    stages = [stage for stage in report.stages if stage.stage != GIVEN]
    runs = [stage.run.get(query.id) for stage in stages]
    names, seen = [stage.stage for stage in stages], report.settings.get("reranked")
    found = judge_stages(case.expected.id, runs, names, seen)
    texts = case.expected.id in benchmark.corpus
    if found is None and texts and case.retrieved.id not in ("", case.expected.id):
        first, positive = (
            benchmark.corpus[each.id].content for each in (case.retrieved, case.expected)
        )
        found = judge_sight(query.content, first, positive, read)
        found = found or judge_overlap(query.content, first, positive)
    if found is not None:
        yield found.category, found.why
    edit, digits = query.facets.get("edit", ""), _has_digits(query)
    for cause in report.causes:
        if cause.explains(edit, digits=digits):
            yield cause.name, cause.text


def _named(unseen: str) -> str:
    """Return the name that `leadline diagnose` gives to a reason why a case was not seen."""
    if unseen.startswith("query"):
        return QUERY_CUT
    return TEXT_CUT if unseen.startswith("cut") else NOT_SEEN


def _has_digits(query: Query) -> bool:
    return any(letter.isdigit() for letter in query.facets.get("before", ""))
