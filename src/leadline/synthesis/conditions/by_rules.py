"""Multi-condition queries with documents that miss exactly one condition, made by rules."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from leadline.benchmark import Benchmark
from leadline.kinds.conditions import KIND
from leadline.synthesis.conditions.about import topics_of
from leadline.synthesis.conditions.choice import MOST_TOGETHER, Condition, find_conditions
from leadline.synthesis.conditions.fields import Fields, fields_of
from leadline.synthesis.conditions.ladder import Ladder, build_ladder
from leadline.synthesis.conditions.passages import Parsed, parsed
from leadline.synthesis.conditions.stock import Stock, stock_of
from leadline.synthesis.pools import Pools
from leadline.synthesis.tokens import content_tokens, normalised
from leadline.synthesis.uniqueness import Case, find_matches
from leadline.types import LLM, Corpus, Document

MOST_CONDITIONS = 10
BACKGROUND = 1_000
_MOST_TRIES = 10
_AT_ONCE = 100
_FEWEST_READ = 400
_WORTH_READING = 200
"""Reading ends where fewer than one in so many documents gives conditions."""
_ENOUGH_STOCK = 400
_ENOUGH, _WORDS_A_TOPIC = 60, 150
"""Topics with which reading may end before `limit` is reached, where it takes too many words."""
_COMMON = 2
_SHORT = 60
"""Words of a record that is short enough to be asked for by one condition."""


_Made: TypeAlias = tuple[Document, list[Condition]]


@dataclass
class _Counts:
    """How many documents and conditions were looked at, and why some were dropped."""

    considered: int = 0
    documents: Counter[str] = field(default_factory=Counter)
    conditions: Counter[str] = field(default_factory=Counter)


def build(
    corpus: Corpus,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    controls_only: bool = False,
    fields: Sequence[str] = (),
    reader: LLM | None = None,
) -> Benchmark:
    """Return a benchmark of kind "conditions" made from a corpus by rules.

    limit          most source documents; each gives up to 10 conditions, a query for every count
                   of them in list and in prose style, a document for every condition broken, and
                   one for every control
    source         what the corpus is, for the record
    controls_only  put a second control in place of every edit, so that there is nothing to
                   notice: what a system then scores is chance
    fields         fields of the records (director, genre): they stand as lines before the text,
                   and each gives a condition where the corpus has other values for it
    reader         a language model that reads what the rules made; what it does not find good is
                   left out and counted; see `vetting`

    A query names the topic of its document where the title tells it. Documents with two conditions
    or more, and short records with one, go first; others with one fill up what is missing to the
    limit. A condition is dropped when no short clause states it, when the document says it again,
    when other documents that were read say the same, or when nothing beside it could be changed as
    a control. `built` counts what was dropped and why. The corpus of the benchmark is the variants,
    their sources and up to 1,000 other documents. It has no queries when no document gives
    conditions: English texts of whole sentences do.
    Source: MultiConIR, sections 3.2 and 3.3, with a parser in place of a language model.
    """
    rng = random.Random(f"{seed} conditions")
    counts = _Counts()
    records = fields_of(corpus, fields)
    kept = _chosen(corpus, records, counts, limit, seed, rng)
    if controls_only:
        kept = [
            (document, two)
            for document, held in kept
            if (two := [_unbroken(each, rng) for each in held if len(each.controls) > 1])
        ]
    topics = topics_of([document for document, _ in kept])
    if reader is not None:
        kept, topics = _read(kept, topics, reader, counts)
    ladders = [
        build_ladder(document, _with_room(conditions, topic), about=topic, taken=corpus,
                     rng=random.Random(f"{seed} {document.id}"))
        for (document, conditions), topic in zip(kept, topics, strict=True)
    ]  # fmt: skip
    return Benchmark(
        name="conditions",
        corpus=_probe_corpus(corpus, records, ladders, rng),
        queries=[query for ladder in ladders for query in ladder.queries],
        qrels={key: grades for ladder in ladders for key, grades in ladder.qrels.items()},
        candidates={key: ids for ladder in ladders for key, ids in ladder.candidates.items()},
        source=source,
        built_by="rules",
        **KIND.measured(),
        built=_record(seed, limit, counts, kept) | ({"reader": reader.name} if reader else {}),
    )


def _read(
    kept: Sequence[_Made], topics: Sequence[str], reader: LLM, counts: _Counts
) -> tuple[list[_Made], list[str]]:
    """Return the documents of which a model finds conditions good, with these and their topics."""
    from leadline.synthesis.conditions.vetting import vetted  # pydantic and clients of models

    offered = [
        (document, _with_room(conditions, topic))
        for (document, conditions), topic in zip(kept, topics, strict=True)
    ]
    good = vetted(offered, topics, reader, counts.conditions)
    pairs = [
        ((document, conditions), topic)
        for (document, _), conditions, topic in zip(offered, good, topics, strict=True)
        if conditions
    ]
    if missing := len(offered) - len(pairs):
        counts.documents[f"no condition that {reader.name} finds good"] += missing
    return [made for made, _ in pairs], [topic for _, topic in pairs]


def _chosen(
    corpus: Corpus,
    records: Fields,
    counts: _Counts,
    limit: int,
    seed: int,
    rng: random.Random,
) -> list[_Made]:
    """Return documents in random order with their conditions, reading as few as that takes."""
    ids = rng.sample(list(corpus), min(len(corpus), limit * _MOST_TRIES + _FEWEST_READ))
    read: list[Parsed] = []
    kept: list[_Made] = []
    single: list[_Made] = []
    stock, words = Stock(Pools()), 0
    for start in range(0, len(ids), max(_AT_ONCE, limit)):
        batch = [corpus[id] for id in ids[start : start + max(_AT_ONCE, limit)]]
        texts = [document for document in batch if document.text.strip()]
        counts.documents["no text"] += len(batch) - len(texts)
        fresh = parsed(texts, rng, len(corpus))
        read += fresh
        counts.considered += len(batch)
        if len(read) <= _ENOUGH_STOCK:
            stock = stock_of([doc for each in read for _, doc in each.passages], seed)
        for each in _with_conditions(fresh, read, stock, records, counts, rng):
            short = len(each[0].text.split()) <= _SHORT
            (kept if short or len(each[1]) > 1 else single).append(each)
        words += sum(len(doc) for each in fresh for _, doc in each.passages)
        found = len(kept) + len(single)
        if counts.considered >= _FEWEST_READ and found * _WORTH_READING < counts.considered:
            counts.documents["not read: hardly any gives conditions"] += (
                len(ids) - start - len(batch)
            )
            break
        if len(kept) >= limit or (len(kept) >= _ENOUGH and words > _WORDS_A_TOPIC * limit):
            break
    if len(kept) > limit:
        counts.documents["not needed: the limit was reached"] += len(kept) - limit
    unused = single[max(0, limit - len(kept)) :]
    counts.documents["one condition, where others have more"] += len(unused)
    return [*kept, *single][:limit]


def _with_conditions(
    fresh: Sequence[Parsed],
    read: Sequence[Parsed],
    stock: Stock,
    records: Fields,
    counts: _Counts,
    rng: random.Random,
) -> list[_Made]:
    """Return the documents just read that have conditions which only they meet."""
    found = [
        (each.document,
         find_conditions(each, stock, counts.conditions, most=MOST_CONDITIONS, rng=rng))
        for each in fresh
    ]  # fmt: skip
    cases = [
        Case(tuple(content_tokens(condition.text)), document.id)
        for document, conditions in found
        for condition in conditions
    ]
    same = Counter(normalised(each.document.text) for each in read)
    known = {each.document.id: each.document for each in read}
    matches = find_matches(cases, known, stock.counts)
    kept, place = [], 0
    for document, conditions in found:
        alone = [
            condition
            for number, condition in enumerate(conditions, place)
            if len(matches.get(number, ())) < _COMMON
        ]
        place += len(conditions)
        counts.conditions["other documents say the same"] += len(conditions) - len(alone)
        if same[normalised(document.text)] > 1:
            counts.documents["duplicate document"] += 1
            continue
        if records.names:
            alone = records.conditions(document, alone, most=MOST_CONDITIONS, rng=rng)
        if not alone:
            counts.documents["no condition"] += 1
            continue
        kept.append((records.shown(document), alone))
    return kept


def _with_room(conditions: Sequence[Condition], topic: str) -> Sequence[Condition]:
    """Return the first conditions that fit into a query beside its topic."""
    room = MOST_TOGETHER - len(topic.split())
    lengths = accumulate(len(condition.text.split()) for condition in conditions)
    return conditions[: max(1, sum(length <= room for length in lengths))]


def _unbroken(condition: Condition, rng: random.Random) -> Condition:
    """Return the condition with one of its controls for its edit, whichever the coin says."""
    first, second = rng.sample(condition.controls, 2)
    other = dataclasses.replace(first, kind=condition.edit.kind)
    return dataclasses.replace(condition, edit=other, controls=(second,))


def _probe_corpus(
    corpus: Corpus, records: Fields, ladders: Sequence[Ladder], rng: random.Random
) -> dict[str, Document]:
    """Return the ladders' documents and a sample of others, in an order that favours none."""
    documents: dict[str, Document] = {}
    for ladder in ladders:
        for document in rng.sample(ladder.documents, len(ladder.documents)):
            documents[document.id] = document
    rest = [document_id for document_id in corpus if document_id not in documents]
    chosen = set(rng.sample(rest, min(len(rest), BACKGROUND)))
    for document_id in rest:
        if document_id in chosen:
            documents[document_id] = records.shown(corpus[document_id])
    return documents


def _record(seed: int, limit: int, counts: _Counts, kept: Sequence[_Made]) -> dict[str, object]:
    edits = Counter(condition.edit.kind for _, conditions in kept for condition in conditions)
    return {
        "builder": "leadline.synthesis.conditions.by_rules",
        "seed": seed,
        "limit": limit,
        "considered": counts.considered,
        "kept": len(kept),
        "dropped": {why: n for why, n in sorted(counts.documents.items()) if n},
        "conditions": {
            "kept": sum(edits.values()),
            "edits": dict(sorted(edits.items())),
            "dropped": {why: n for why, n in sorted(counts.conditions.items()) if n},
        },
    }
