"""Neighbours: whether the document that meets all conditions ranks above similar real ones.

It replaces conditions for a search that cannot index edited documents.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.conditions.by_rules import as_list, topic_of, with_room
from leadline.kinds.conditions.edits import Fields, fields_of
from leadline.kinds.kind import Kind, Probe
from leadline.kinds.uniqueness import ask_documents, benchmark_of
from leadline.kinds.word_rarity import Harvested, harvest
from leadline.metrics.ranking import MRR, NDCG, Precision, Recall
from leadline.report import Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Figure
from leadline.text.tokens import content_tokens
from leadline.types import Corpus, Document, Query


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("MRR@10", "k", benchmark, reports)
    return [] if bars is None else [bars]


KIND = Kind(
    name="neighbours",
    question="Do all conditions together bring their document before the real ones near it?",
    metrics=(Precision(1), MRR(10), NDCG(10), Recall(100)),
    main=("P@1", "MRR@10", "nDCG@10"),
    breakdowns=("P@1[k]", "MRR@10[k]"),
    strict=True,
    figures=_figures,
    probe=Probe(
        "leadline.kinds.neighbours:build",
        "the document that meets all conditions must come before the real ones near it. Asked in "
        "place of conditions where a search cannot be given edited documents.",
        by_default=False,
        caution="only the document that a query was made of counts as right. Others may meet all "
        "conditions in other words, so figures are lower bounds. Whether a broken condition is "
        "noticed is not measured",
    ),
)

_MOST_CONDITIONS = 5
_FEWEST_CONTENT = {"sentence": 5, "row": 3}


@dataclass(frozen=True, slots=True)
class _Asked:
    """The first k statements of a document; `text` is what another must hold to be right, too."""

    text: str
    query: Query

    @property
    def topic(self) -> str:
        """The document."""
        return self.query.topic


def in_place_of(conditions: Benchmark, corpus: Corpus) -> Benchmark:
    """Return the probe that stands in for one of conditions."""
    seed, limit = (
        conditions.built.get(name, usual) for name, usual in (("seed", 0), ("limit", 200))
    )
    return build(corpus, seed=seed, limit=limit, source=conditions.source)


def build(
    corpus: Corpus,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return queries of what documents state, to be searched among the corpus itself.

    A query of the first k statements of a document, at most five, has that document as the right
    one, with those that hold (nearly) all words of all k; with more than four such it is dropped.
    """
    dropped: Counter[str] = Counter()
    pools = (harvested or partial(harvest, corpus, seed=seed))()
    rng = random.Random(f"{seed} neighbours")
    asked = partial(_asked, records=fields_of(corpus), dropped=dropped, rng=rng)
    kept, considered = ask_documents(corpus, asked, pools.frequency, dropped, limit=limit, rng=rng)
    return benchmark_of(
        KIND, corpus, [(each.query, others) for each, others in kept], dropped, source=source,
        builder=__name__, seed=seed, limit=limit, considered=considered,
    )  # fmt: skip


def _asked(
    document: Document, records: Fields, dropped: Counter[str], rng: random.Random
) -> list[_Asked]:
    """Return the queries of a document's first 1, 2, ... statements, in a random order."""
    said = {
        each.text: each
        for each in records.statements(document)
        if len(set(content_tokens(each.text))) >= _FEWEST_CONTENT.get(each.shape, 0)
    }
    if not said:
        dropped["no sentence, table row or field that stands by itself"] += 1
        return []
    topic = topic_of(document, frozenset())
    drawn = rng.sample(list(said.values()), min(len(said), _MOST_CONDITIONS))
    stated = with_room(drawn, topic)
    return [
        _Asked(
            " ".join((topic, *(each.text for each in stated[:k]))),
            Query(
                f"{document.id}~{k}",
                text,
                topic=document.id,
                facets={"style": "list", "k": str(k), "n": str(len(stated)),
                        "document": document.id, "condition": stated[k - 1].text},
            ),
        )
        for k, text in enumerate(as_list(stated, rng, topic), 1)
    ]  # fmt: skip
