"""Rephrasings: whether equivalent forms of a query find the same documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline.benchmark import Benchmark
from leadline.kinds.cases import Failure, passage, provenance, rank_in
from leadline.kinds.kind import Kind, Probe
from leadline.metrics.coherence import RBO, Spearman, rbo
from leadline.metrics.names import read_name
from leadline.metrics.ranking import MRR, NDCG
from leadline.metrics.topics import Where, is_original
from leadline.report import Report
from leadline.report.figures import bars_by_facet, scatter_of
from leadline.report.shapes import Case, Figure, Listed, Passage
from leadline.report.wording import ByMetric, figures_of, following_sentences, settled
from leadline.types import Query

_ORIGINALS: Where = (("kind", "original"),)
_BEGINNING = 120


def _incoherent(benchmark: Benchmark, report: Report) -> Iterator[Failure]:
    """Find variants that bring other documents than their original."""
    originals = {query.topic: query for query in benchmark.queries if is_original(query)}
    for query in benchmark.queries:
        original = originals.get(query.topic)
        if original is None or query.id == original.id:
            continue
        here, there = report.run.get(query.id, {}), report.run.get(original.id, {})
        first, second = list(there)[:5], list(here)[:5]
        agreement = rbo(first, second)
        if agreement >= 1.0 or not first:
            continue
        gold = next(iter(benchmark.qrels.get(original.id, {})), None)
        expected = gold if gold is not None and gold in there else first[0]
        yield Failure(
            badness=1 - agreement + _fall(expected, there, here),
            topic=query.topic,
            family=query.facets.get("kind", ""),
            case=Case(
                system=report.system,
                probe=benchmark.name,
                headline=_incoherent_headline(query, expected, there, here),
                query=query.content,
                compared=original.content,
                compared_label="Original",
                expected=passage(benchmark, expected, here),
                retrieved=passage(benchmark, second[0], here)
                if second
                else Passage(id="", text="(nothing was retrieved)"),
                expected_label="Source document" if expected == gold else "First for the original",
                retrieved_label="First for this form",
                facts={**provenance(query), "RBO@5": f"{agreement:.2f}"},
                rankings=_side_by_side(benchmark, first, second)
                if second and second[0] in (first[0], expected)
                else {},
            ),
        )


def _side_by_side(
    benchmark: Benchmark, first: Sequence[str], second: Sequence[str]
) -> dict[str, tuple[Listed, ...]]:
    """Return the first documents of both forms, each with what became of it."""

    def listed(
        ids: Sequence[str], other: Sequence[str], word: str, missing: str
    ) -> tuple[Listed, ...]:
        found = []
        for place, id in enumerate(ids):
            there = other.index(id) if id in other else -1
            moved = "stays" if there == place else f"{word} {there + 1}" if there >= 0 else missing
            document = benchmark.corpus[id]
            found.append(Listed(id, document.title or document.text[:_BEGINNING], moved))
        return tuple(found)

    return {
        "First for the original": listed(first, second, "to", "gone"),
        "First for this form": listed(second, first, "from", "new"),
    }


def _fall(document_id: str, before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Say how much of its reciprocal rank a document loses, from 0 to 1."""
    return max(0.0, 1 / rank_in(document_id, before) - 1 / rank_in(document_id, after))


def _incoherent_headline(
    query: Query, document_id: str, before: Mapping[str, float], after: Mapping[str, float]
) -> str:
    shared = len(set(list(before)[:5]) & set(list(after)[:5]))
    kind = query.facets.get("kind", "rephrased")
    was, now = rank_in(document_id, before), rank_in(document_id, after)
    to = f"to {now}" if document_id in after else f"out of the first {len(after)}"
    fate = f"stays at rank {was}" if was == now else f"falls from rank {was} {to}"
    return (
        f"In its form “{kind}” the query shares {shared} of its first 5 documents with the "
        f"original; the expected document {fate}."
    )


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("RBO@5", "kind", benchmark, reports)
    scatter = scatter_of(
        "nDCG@10", "RBO@5", benchmark, reports,
        title="Coherence and quality",
        note="Up: rephrasings bring the same documents. To the right: they are the relevant ones. "
        "A system that answers everything alike can stand high and far to the left.",
    )  # fmt: skip
    return [figure for figure in (bars, scatter) if figure is not None]


def _sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    best, sentences = following_sentences(by_system, metric)
    if read_name(metric).stem == "RBO":
        most = settled(by_system, metric)
        sentences[0] = (
            f"When a query is rephrased, the first {read_name(metric).k} documents of {best} "
            f"{'stay most alike' if most else 'overlap'}: {metric} "
            f"{figures_of(by_system[best][metric])}, where 1 means unchanged."
        )
    return sentences


KIND = Kind(
    name="rephrasings",
    question="Do equivalent forms of a query bring the same documents?",
    metrics=(
        RBO(5),
        Spearman(5),
        NDCG(10, where=_ORIGINALS),
        MRR(10, where=_ORIGINALS),
    ),
    main=("RBO@5", "nDCG@10", "MRR@10"),
    breakdowns=("RBO@5[kind]", "nDCG@10[kind]"),
    where=_ORIGINALS,
    failures=_incoherent,
    figures=_figures,
    sentences=_sentences,
    probe=Probe(
        "leadline.kinds.rephrasings.by_rules:build",
        "equivalent forms of a query must bring the same documents.",
    ),
)
