"""Queries for facts that documents of a corpus only imply, found by an enricher."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.implicit_facts import KIND
from leadline.kinds.implicit_facts.fitness import LEAST_CONFIDENCE, SAME, unfit
from leadline.kinds.implicit_facts.subjects import words_about
from leadline.kinds.implicit_facts.value_queries import pattern_of, query_for, written
from leadline.kinds.pools import Harvested, Pools, harvest
from leadline.progress import track
from leadline.text.fact_values import agreement, canonical
from leadline.text.sentences import split_sentences
from leadline.text.tokens import tokens
from leadline.types import Constraint, Corpus, Document, Enricher, Fact, Query

MOST_OF_ONE = 2
"""Cases of one document."""

SHARE = 1 / 2
"""A document may be a second answer when it holds this share of a query's words."""

LONGEST = 50_000
"""Characters of a document that may give a case."""

_MOST_TRIES = 8
_SPARE = 1.5


@dataclass(frozen=True, slots=True)
class _Case:
    """A derived fact of a document with the words that say of what."""

    document: str
    fact: Fact
    words: tuple[str, ...]
    tokens: frozenset[str]

    @property
    def constraint(self) -> Constraint:
        return Constraint(self.fact.kind, self.fact.value)

    @property
    def pattern(self) -> re.Pattern[str]:
        return pattern_of(self.fact.kind, self.fact.value)


@dataclass
class _Counts:
    """How many documents and facts were looked at, and why some were dropped."""

    considered: int = 0
    derived: int = 0
    documents: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)


def build(
    corpus: Corpus,
    enricher: Enricher,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "implicit-facts" made from a corpus by rules.

    enricher  what derives the facts; a query is as right as its reading of the document
    limit     most queries
    source    what the corpus is, for the record
    harvested counts words of the corpus, also as written, where other probes need them too

    A query asks for a derived date, time, amount or place of one document with two or three words
    that say of what. A fact is dropped when its document or another one that holds half of those
    words states it, writes it out, or lets it be derived. `built` counts what was dropped
    and why; where more are found than wanted, those come first whose words alone would also bring
    another document. The corpus is the one given; there are no queries when nothing is derived.
    A system that derives facts with the same enricher is measured by its own readings: where they
    err, query and system err alike. There is no rank within the tuple set, for a corpus that was
    found has no tuple sets.
    """
    rng = random.Random(f"{seed} implicit-facts")
    pools = (harvested or partial(harvest, corpus, seed=seed, written=True))()
    counts = _Counts()
    found = _candidates(corpus, enricher, pools, counts, limit, rng)
    matched, rivals = _second_answers(found, corpus, enricher, pools)
    alone = [(case, rivals[i]) for i, case in enumerate(found) if i not in matched]
    kept = sorted(alone, key=lambda each: each[1] == 0)[:limit]
    counts.facts["another document gives it"] += len(found) - len(alone)
    counts.facts["not needed: the limit was reached"] += len(alone) - len(kept)
    queries = _queries(kept, seed)
    return Benchmark(
        name="implicit-facts",
        corpus=corpus,
        queries=queries,
        qrels={query.id: {query.facets["document"]: 1} for query in queries},
        source=source,
        built_by="rules",
        **KIND.measured(each.name for each in KIND.metrics if each.name != "SetRank"),
        built=_record(enricher, seed, limit, counts, queries),
    )


def _candidates(
    corpus: Corpus,
    enricher: Enricher,
    pools: Pools,
    counts: _Counts,
    limit: int,
    rng: random.Random,
) -> list[_Case]:
    """Return cases of documents in random order, some more than wanted."""
    ids = list(corpus)
    wanted = int(limit * _SPARE) + 5
    chosen = rng.sample(ids, min(len(ids), wanted * _MOST_TRIES))
    found: list[_Case] = []
    waiting: deque[Document] = deque()
    for _, facts in enricher.facts(_readable(corpus, chosen, counts, waiting)):
        document = waiting.popleft()
        counts.considered += 1
        cases = _cases(document, facts, pools, counts)
        if cases:
            found += rng.sample(cases, min(len(cases), MOST_OF_ONE))
            counts.facts["enough of one document"] += max(0, len(cases) - MOST_OF_ONE)
        else:
            counts.documents["nothing derived that can be asked for"] += 1
        if len(found) >= wanted:
            break
    return found


def _readable(
    corpus: Corpus, ids: Sequence[str], counts: _Counts, waiting: deque[Document]
) -> Iterator[Document]:
    for document_id in track(ids, "deriving facts"):
        document = corpus[document_id]
        if not document.text.strip():
            counts.considered += 1
            counts.documents["no text"] += 1
        elif len(document.content) > LONGEST:
            counts.considered += 1
            counts.documents[f"more than {LONGEST:,} characters"] += 1
        else:
            waiting.append(document)
            yield document


def _cases(document: Document, facts: Sequence[Fact], pools: Pools, counts: _Counts) -> list[_Case]:
    """Return the derived facts of a document that can be asked for, each value once."""
    cases: list[_Case] = []
    values = set()
    sentences = None
    for fact in facts:
        if fact.role != "derived" or fact.kind not in LEAST_CONFIDENCE or not fact.spans:
            continue
        counts.derived += 1
        sentences = sentences or split_sentences(document.content)
        reason = unfit(fact, facts, document.content, sentences)
        key = canonical(fact.kind, fact.value)
        if not reason and key in values:
            reason = "the same value again"
        if not reason:
            words = words_about(fact, document.content, sentences, pools)
            reason = "" if words else "too few words say of what"
        if reason:
            counts.facts[reason] += 1
            continue
        values.add(key)
        held = frozenset(token for word in words for token in tokens(word))
        cases.append(_Case(document.id, fact, words, held))
    return cases


def _second_answers(
    cases: Sequence[_Case], corpus: Corpus, enricher: Enricher, pools: Pools
) -> tuple[set[int], Counter[int]]:
    """Return the places of the cases that another document gives, and rivals by place.

    A rival is another document with all words of a query, but not the value. Every document is
    read once; facts are derived of those only that hold half of the words of some case.
    """
    matched: set[int] = set()
    rivals: Counter[int] = Counter()
    waiting: deque[list[int]] = deque()
    alike = _with_the_words(cases, corpus, pools, matched, rivals, waiting)
    for _, facts in enricher.facts(alike):
        for place in waiting.popleft():
            if any(agreement(cases[place].constraint, fact) >= SAME for fact in facts):
                matched.add(place)
    return matched, rivals


def _with_the_words(
    cases: Sequence[_Case],
    corpus: Corpus,
    pools: Pools,
    matched: set[int],
    rivals: Counter[int],
    waiting: deque[list[int]],
) -> Iterator[Document]:
    """Yield the documents with most words of some case, noting which they may match."""
    by_token = _by_rarest(cases, pools)
    patterns = [case.pattern for case in cases]
    for document in track(corpus.values(), "looking for second answers", total=len(corpus)):
        held = set(tokens(document.content))
        places = {place for token in held & by_token.keys() for place in by_token[token]}
        open_places = []
        for place in sorted(places):
            case = cases[place]
            shared = len(case.tokens & held)
            if case.document == document.id or shared < _needed(case):
                continue
            rivals[place] += shared == len(case.tokens)
            if patterns[place].search(document.content):
                matched.add(place)
            elif place not in matched:
                open_places.append(place)
        if open_places:
            waiting.append(open_places)
            yield document


def _by_rarest(cases: Sequence[_Case], pools: Pools) -> dict[str, list[int]]:
    """Index cases by so many of their rarest tokens that a match must hold one of them."""
    by_token: dict[str, list[int]] = {}
    for place, case in enumerate(cases):
        rarest = sorted(case.tokens, key=lambda token: (pools.frequency[token], token))
        for token in rarest[: len(case.tokens) - _needed(case) + 1]:
            by_token.setdefault(token, []).append(place)
    return by_token


def _needed(case: _Case) -> int:
    return math.ceil(SHARE * len(case.tokens))


def _queries(kept: Iterable[tuple[_Case, int]], seed: int) -> list[Query]:
    queries: dict[str, Query] = {}
    for case, rivals in kept:
        fact = case.fact
        number = sum(each.facets["document"] == case.document for each in queries.values()) + 1
        query_id = f"{case.document}~{number}"
        while query_id in queries:
            query_id += "~"
        rng = random.Random(f"{seed} {query_id}")
        value = written(fact.kind, fact.value, rng)
        queries[query_id] = Query(
            query_id,
            query_for(fact.kind, value, " ".join(case.words), rng),
            query_id,
            facets={
                "fact": fact.kind,
                "document": case.document,
                "span": " ".join(f"{start}-{end}" for start, end in fact.spans),
                "value": json.dumps(fact.value, ensure_ascii=False, sort_keys=True),
                "derivation": fact.derivation,
                "rivals": str(rivals),
            },
        )
    return list(queries.values())


def _record(
    enricher: Enricher,
    seed: int,
    limit: int,
    counts: _Counts,
    queries: Sequence[Query],
) -> dict[str, object]:
    return {
        "builder": "leadline.kinds.implicit_facts.found",
        "enricher": enricher.name,
        "seed": seed,
        "limit": limit,
        "considered": counts.considered,
        "kept": len(queries),
        "dropped": dict(sorted(counts.documents.items())),
        "facts": {
            "derived": counts.derived,
            "kept": dict(sorted(Counter(query.facets["fact"] for query in queries).items())),
            "with rivals that hold all words": sum(
                query.facets["rivals"] != "0" for query in queries
            ),
            "dropped": dict(sorted((+counts.facts).items())),
        },
    }
