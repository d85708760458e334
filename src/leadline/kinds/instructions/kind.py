"""Instructions: whether a ranking follows an instruction about documents, and its reverse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from leadline.benchmark import Benchmark
from leadline.kinds.cases import Failure, passage, rank_in
from leadline.kinds.kind import Kind, Probe
from leadline.metrics.compliance import (
    MODES,
    SICR,
    WISE,
    GoldRank,
    IdealWISE,
    PairwiseMRR,
    Robustness,
    SICRMode,
    WISEMode,
    judged_changes,
)
from leadline.metrics.ranking import MRR, NDCG
from leadline.metrics.topics import by_topic
from leadline.report import Report
from leadline.report.figures import bars_by_facet, radar_by_facet
from leadline.report.shapes import Case, Figure
from leadline.report.wording import ByMetric, following_sentences
from leadline.types import Metric, Query

DEPTH = 100
"""To which rank the three modes are compared."""


def metrics_of(mode: WISEMode = "paper", depth: int = DEPTH) -> tuple[Metric, ...]:
    """Return what instructions are measured by.

    mode   formulas of the paper, or of a release of its code
    depth  to which all modes are compared; 0 takes every ranking as long as it is
    """
    sicr: SICRMode = "paper" if mode == "paper" else "code_head"
    return (
        WISE(mode, depth=depth),
        IdealWISE(mode, depth=depth),
        SICR(sicr, depth=depth),
        PairwiseMRR(depth=depth),
        *(Robustness(10, each) for each in ("instructed", "original", "reversed")),
        NDCG(10),
        MRR(1),
        *(GoldRank(each, depth=depth) for each in MODES),
    )


def is_instructed(queries: Iterable[Query]) -> bool:
    """Tell whether queries are variants of the kind: some topic is asked in every mode."""
    return any(
        {query.facets.get("mode") for query in variants} >= set(MODES)
        for variants in by_topic(queries).values()
    )


def _unfollowed(benchmark: Benchmark, report: Report) -> Iterator[Failure]:
    """Find topics whose gold document does not rise when asked for, or not fall when refused."""
    for topic, variants in by_topic(benchmark.queries).items():
        asked = {query.facets.get("mode", ""): query for query in variants}
        if not set(MODES) <= asked.keys():
            continue
        runs = [report.run.get(asked[mode].id, {}) for mode in MODES]
        grades = [benchmark.qrels.get(asked[mode].id, {}) for mode in MODES[:2]]
        gold, _ = judged_changes(*grades)
        if not gold or not all(runs):
            continue
        original, instructed, reverse = (rank_in(gold[0], run) for run in runs)
        for mode, run, badness, headline in (
            ("instructed", runs[1], 1 - 1 / instructed,
             f"Asked for, the document stands at rank {instructed} (without instruction "
             f"{original})."),
            ("reversed", runs[2], float(reverse <= original),
             f"Refused, the document stays at rank {reverse} (without instruction {original})."),
        ):  # fmt: skip
            if badness <= 0:
                continue
            facets = asked[mode].facets
            first = next((id for id in run if id != gold[0]), gold[0])
            case = Case(
                system=report.system,
                probe=benchmark.name,
                headline=headline,
                query=asked[mode].content,
                expected=passage(benchmark, gold[0], run),
                retrieved=passage(benchmark, first, run),
                expected_label="Refused" if mode == "reversed" else "Asked for",
                retrieved_label="Best of the others",
                facts={"query": asked[mode].id}
                | {name: facets[name] for name in ("dimension", "condition") if facets.get(name)},
            )
            yield Failure(badness, topic, f"{facets.get('dimension', '')} {mode}", case)


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    radar = radar_by_facet("WISE", "dimension", benchmark, reports)
    conditions = bars_by_facet("WISE", "condition", benchmark, reports)
    modes = bars_by_facet("nDCG@10", "mode", benchmark, reports)
    return [figure for figure in (radar, conditions, modes) if figure is not None]


def _sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    best, sentences = following_sentences(by_system, metric)
    means = {
        name: by_system[best][name].mean
        for name in ("WISE", "IdealWISE", "GoldRank", "GoldRank[mode=instructed]",
                     "GoldRank[mode=reversed]")
        if name in by_system[best]
    }  # fmt: skip
    if means.get("IdealWISE") and "WISE" in means:
        gap = (means["IdealWISE"] - means["WISE"]) / means["IdealWISE"]
        sentences.append(
            f"From where {best} ranks without instructions WISE could be "
            f"{means['IdealWISE']:.3f}; it falls short by {gap:.0%} of that."
        )
    if len(means) == 5:
        ranks = [means[name] for name in means if name.startswith("GoldRank")]
        sentences.append(
            f"With {best}, the document asked for stands at rank {ranks[0]:.1f} on average without "
            f"an instruction, {ranks[1]:.1f} when asked for and {ranks[2]:.1f} when refused."
        )
    return sentences


KIND = Kind(
    name="instructions",
    question="Does the ranking follow what an instruction asks of documents, and its reverse?",
    metrics=metrics_of(),
    main=("WISE", "SICR", "p-MRR", "Robustness@10"),
    breakdowns=(
        "WISE[dimension]",
        "WISE[condition]",
        "IdealWISE[dimension]",
        "SICR[dimension]",
        "p-MRR[dimension]",
        "nDCG@10[mode]",
        "MRR@1[mode]",
    ),
    failures=_unfollowed,
    figures=_figures,
    sentences=_sentences,
    recognises=is_instructed,
    probe=Probe(
        builder="leadline.kinds.instructions.by_rules:build",
        about="a version of a document with the length or the words that an instruction asks for "
        "must rise, and fall when the instruction refuses them.",
        by_default=False,
        counts=("pairs",),
    ),
)
