"""Position: whether queries about the middle and the end of a document find it.

Queries come from the start, the middle and the end of long documents.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.kind import Kind, Probe
from leadline.kinds.uniqueness import ask_documents, benchmark_of
from leadline.kinds.word_rarity import Harvested, Pools, harvest
from leadline.metrics.names import read_name
from leadline.metrics.ranking import MRR, NDCG, Recall
from leadline.metrics.significance import FEWEST
from leadline.report import Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Figure
from leadline.report.wording import ByMetric, following_sentences, overlap, percent
from leadline.text.sentences import Sentences
from leadline.text.statements import headings_of, statements_of
from leadline.text.tokens import content_tokens, stretch_of
from leadline.types import Corpus, Document, Query

DEPTHS = (64, 128, 256, 512, 1024)
"""Bounds, in tokens of a document, of the stretches in which a query's words may stand."""

_NOTE = (
    "How often the document is among the first ten when the query asks for what stands at that "
    "depth, counted in words and punctuation marks from the start of its title."
)


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("Recall@10", "depth", benchmark, reports, note=_NOTE)
    return [] if bars is None else [bars]


def _sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    _, sentences = following_sentences(by_system, metric)
    return [*sentences, *filter(None, (_along(name, by_system[name]) for name in by_system))]


def _along(system: str, metrics: ByMetric) -> str:
    """Say how much less is surely found by the end of documents than by their start."""
    parts = {
        parts.value: entry
        for name, entry in metrics.items()
        if (parts := read_name(name)).plain == "Recall@10" and parts.facet == "part"
    }
    start, end = parts.get("start"), parts.get("end")
    if start is None or end is None or min(start.n, end.n) < FEWEST:
        return ""
    shares = f"{percent(start.mean)} by what stands in the first third of a document"
    other = f"{percent(end.mean)} by what stands in the last"
    if overlap(start, end):
        return ""
    return f"{system} finds {shares}, but {other}."


KIND = Kind(
    name="position",
    question="Is a document found by what stands in its middle and at its end?",
    metrics=(Recall(10), MRR(10), NDCG(10)),
    main=("Recall@10", "MRR@10", "nDCG@10"),
    decides=(Recall(10),),
    breakdowns=("Recall@10[part]", "Recall@10[depth]", "Recall@10[form]"),
    figures=_figures,
    sentences=_sentences,
    probe=Probe(
        "leadline.kinds.position:build",
        "a document must be found by a heading or a sentence from its middle and its end.",
    ),
)

PARTS = ("start", "middle", "end")
_FEWEST_WORDS = 100  # words of a document that has a middle and an end
_FEWEST_CONTENT = {"heading": 2, "sentence": 5}
_SAME = 0.6  # share of a query's words that no sentence of another part may hold
_TRIES = 4
_RARE = 0.8  # rarity of a word that stands in at most 4 of 100 documents
_LONGEST = 200_000  # characters of a document that are read
_TOKEN = re.compile(r"\w+|[^\w\s]")

WORDS_COPIED = (
    "Queries are headings and sentences of the documents, so word match (bm25) is favoured. "
    "Compare depths of one system rather than systems."
)


def build(
    corpus: Corpus,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "position" made from a corpus by rules.

    limit  most documents; each is asked for by what stands in its first, second and last third,
           as far as something there stands by itself and nowhere else in the document

    Documents of fewer than 100 words are not asked for. Other documents that hold (nearly) all
    words of a query are relevant, too, up to four; a query with more is dropped. `built` counts
    what was dropped and why. The corpus is the one given, so any search can be asked.
    """
    dropped: Counter[str] = Counter()
    pools = (harvested or partial(harvest, corpus, seed=seed))()
    rng = random.Random(f"{seed} position")
    kept, considered = ask_documents(
        corpus, lambda each: _asked(each, pools, dropped, rng), pools.frequency, dropped,
        limit=limit, rng=rng,
    )  # fmt: skip
    made = benchmark_of(
        KIND, corpus, kept, dropped, source=source, notes=(WORDS_COPIED,),
        builder=__name__, seed=seed, limit=limit, considered=considered,
    )  # fmt: skip
    forms = dict(sorted(Counter(query.facets["form"] for query, _ in kept).items()))
    return replace(made, built={**made.built, "forms": forms})


def _asked(
    document: Document, pools: Pools, dropped: Counter[str], rng: random.Random
) -> list[Query]:
    """Return a query for each third of a document that has one: the most telling of a few."""
    text = document.text[:_LONGEST]
    if len(text.split()) < _FEWEST_WORDS:
        dropped[f"fewer than {_FEWEST_WORDS} words"] += 1
        return []
    sentences = Sentences(document.title, text)
    found = [("heading", said, start, start + len(said)) for start, said in headings_of(text)]
    found += [
        ("sentence", each.text.rstrip(".! "), each.start, each.end)
        for each in statements_of(text)
        if each.shape == "sentence" and not each.text.startswith("(")
    ]
    queries = []
    for third, part in enumerate(PARTS):
        low, high = len(text) * third // 3, len(text) * (third + 1) // 3
        usable = [
            each for each in found
            if min(2, 3 * each[2] // len(text)) == third
            and len(content_tokens(each[1])) >= _FEWEST_CONTENT[each[0]]
        ]  # fmt: skip
        drawn = rng.sample(usable, min(len(usable), _TRIES))
        for form, said, start, end in sorted(
            drawn, key=lambda each: not _is_telling(each[1], pools)
        ):
            words = set(content_tokens(said))
            if any(
                len(words & held) >= _SAME * len(words)
                for begin, _, held in sentences.known
                if not low <= begin < high
            ):
                continue
            at = len(_TOKEN.findall(f"{document.title} {text[:start]}")) + 1
            facets = {
                "part": part, "depth": stretch_of(at, DEPTHS), "form": form, "at": str(at),
                "document": document.id, "span": f"{start}-{end}",
            }  # fmt: skip
            queries.append(Query(f"{document.id}~{part}", said, document.id, facets=facets))
            break
    if not queries:
        dropped["no heading or sentence that stands by itself and is said once"] += 1
    return queries


def _is_telling(text: str, pools: Pools) -> bool:
    """Return whether two words of a text stand in few documents."""
    rarest = sorted(pools.rarity(word) for word in content_tokens(text))[-2:]
    return min(rarest) >= _RARE
