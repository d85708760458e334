"""Choose failing cases, and describe them for the report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.benchmark import Benchmark
from leadline.report import Report
from leadline.report.shapes import Case, Passage
from leadline.types import Document, Query

WORST = 5
UNSEEN = 2
_SNIPPET = 60


@dataclass(frozen=True)
class Failure:
    """A case with how bad it is, and two labels that keep the choice varied.

    topic   of its query: at most one case of each is shown
    family  kind of edit, form, ...: none is shown twice before every other was shown once
    unseen  why the system could not see what is compared; empty where it could
    """

    badness: float
    topic: str
    family: str
    case: Case
    unseen: str = ""


def worst(failures: Iterable[Failure], count: int = WORST) -> list[Case]:
    """Return the worst cases that the system could see, worst first, then some that it could not.

    At most one for each topic, and no family twice before every family was shown once. Fewer
    than `count` where fewer failed. Of cases that could not be seen, one for each of the `UNSEEN`
    most frequent reasons.
    """
    ordered = sorted(failures, key=lambda each: (-each.badness, each.topic, each.case.query))
    chosen = _varied([each for each in ordered if not each.unseen], count)
    by_reason: dict[str, list[Failure]] = defaultdict(list)
    for each in ordered:
        if each.unseen:
            by_reason[each.unseen.partition(":")[0]].append(each)
    most = sorted(by_reason.values(), key=lambda some: -len(some))[:UNSEEN]
    chosen += [some[0] for some in most]
    return [replace(each.case, badness=each.badness) for each in chosen]


def _varied(failures: Sequence[Failure], count: int) -> list[Failure]:
    chosen: list[Failure] = []
    topics: set[str] = set()
    shown: Counter[str] = Counter()
    for allowed in range(1, count + 1):
        for failure in failures:
            if len(chosen) == count:
                return chosen
            if failure.topic not in topics and shown[failure.family] < allowed:
                chosen.append(failure)
                topics.add(failure.topic)
                shown[failure.family] += 1
    return chosen


def missed(benchmark: Benchmark, report: Report) -> Iterator[Failure]:
    """Find queries whose best document is not the first."""
    for query in benchmark.queries:
        grades = benchmark.qrels.get(query.id, {})
        run = report.run.get(query.id, {})
        if not grades or not run or max(grades.values()) <= 0:
            continue
        best = max(grades.values())
        wanted = [id for id, grade in grades.items() if grade == best]
        expected = min(wanted, key=lambda id: (rank_in(id, run), id))
        rank, first = rank_in(expected, run), next(iter(run))
        if rank == 1:
            continue
        found = f"at rank {rank}" if expected in run else f"not among the first {len(run)}"
        yield Failure(
            badness=1 - 1 / rank,
            topic=query.topic,
            family=query.facets.get("tuple_set", query.id),
            case=Case(
                system=report.system,
                probe=benchmark.name,
                headline=f"The relevant document is {found}.",
                query=query.content,
                expected=passage(benchmark, expected, run),
                retrieved=passage(benchmark, first, run),
                expected_label="Relevant",
                retrieved_label="Retrieved first",
                facts={"query": query.id} | ({"answer": query.answer} if query.answer else {}),
            ),
        )


def rank_in(document_id: str, run: Mapping[str, float]) -> int:
    """Return the rank of a document, after the last one where it was not retrieved."""
    for rank, id in enumerate(run, start=1):
        if id == document_id:
            return rank
    return len(run) + 1


MISSING = "(not in the corpus)"


def passage(benchmark: Benchmark, document_id: str, run: Mapping[str, float]) -> Passage:
    """Return a document as evidence, with its place in a run."""
    document = benchmark.corpus.get(document_id) or Document(document_id, MISSING)
    return Passage(
        id=document_id,
        title=document.title,
        text=document.text,
        rank=rank_in(document_id, run) if document_id in run else None,
        score=run.get(document_id),
    )


def provenance(query: Query) -> dict[str, str]:
    """Return where a query came from: its id and those of its facets that tell."""
    names = ("document", "span", "edit", "before", "after", "style", "k", "kind")
    facts = {name: query.facets[name] for name in names if query.facets.get(name)}
    return {"query": query.id} | {
        name: value if len(value) <= _SNIPPET else value[:_SNIPPET] + "…"
        for name, value in facts.items()
    }
