"""Count the documents and queries of a benchmark, and their lengths.

Source of the counts: table 1 of Lu et al., MultiConIR (words), of Zhou et al., InfoSearch
(words, by mode), and of Taghavi et al., ImpliRet (tokens of GPT-2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from leadline.benchmark import Benchmark
from leadline.types import Query

_DIVIDE = ("mode", "style", "kind")
"""Facets by which the kinds divide their queries."""


@dataclass(frozen=True)
class Size:
    """One group of texts, of which each counts once.

    words   mean, as white space divides them
    tokens  of all together; None without a tokenizer
    """

    benchmark: str
    what: str
    texts: int
    words: float
    tokens: int | None


def sizes_of(benchmark: Benchmark, count: Callable[[str], int] | None = None) -> Iterator[Size]:
    """Yield the sizes of relevant documents, of the others, and of queries by mode or style.

    count  returns the tokens of a text
    """
    best = {query: max(grades.values(), default=0) for query, grades in benchmark.qrels.items()}
    relevant = {
        id
        for query, grades in benchmark.qrels.items()
        for id, grade in grades.items()
        if grade == best[query] > 0
    }
    groups: dict[str, dict[str, None]] = {}
    for id, document in benchmark.corpus.items():
        what = "relevant documents" if id in relevant else "other documents"
        groups.setdefault(what, {})[document.content] = None
    for query in benchmark.queries:
        groups.setdefault(_group(query), {})[query.content] = None
    for what, texts in groups.items():
        yield _size(benchmark.name, what, texts, count)


def _group(query: Query) -> str:
    by = next((name for name in _DIVIDE if query.facets.get(name)), "")
    return f"queries, {by} {query.facets[by]}" if by else "queries"


def _size(name: str, what: str, texts: Iterable[str], count: Callable[[str], int] | None) -> Size:
    words = [len(text.split()) for text in texts]
    tokens = None if count is None else sum(map(count, texts))
    return Size(name, what, len(words), round(fmean(words), 2), tokens)
