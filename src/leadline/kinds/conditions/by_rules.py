"""Queries of several conditions, with documents that miss exactly one, made of exact facts.

No model and no parser: a condition is a whole sentence, a row of a table or a field of a record,
and what breaks it is another value, an opposite or a "not". Source: MultiConIR, sections 3.2
and 3.3, with rules in place of a language model.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from leadline.benchmark import Benchmark
from leadline.kinds.conditions import KIND
from leadline.kinds.conditions.about import topic_of
from leadline.kinds.conditions.choosing import MOST_TOGETHER, Condition, find_conditions
from leadline.kinds.conditions.edits import Stock, stock_of
from leadline.kinds.conditions.fields import Fields, fields_of
from leadline.kinds.conditions.ladder import Ladder, build_ladder
from leadline.text.statements import Statement, statements_of
from leadline.types import Corpus, Document

if TYPE_CHECKING:
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.pipeline.models import Models
    from leadline.llm.run_record import RunRecord

MOST_CONDITIONS = 10
BACKGROUND = 1_000
_AT_ONCE = 200
_MOST_TRIES, _FEWEST_READ = 10, 400
"""Documents that are read for one topic, and at least."""
_LONGEST = 100_000
"""Characters of a document that are read: its first ones."""

Made: TypeAlias = tuple[Document, list[Condition]]
"""A document with its conditions."""


@dataclasses.dataclass
class Found:
    """What the rules found in a corpus.

    topics      what each document is about, or nothing
    considered  documents that were read
    documents, statements
                how many were dropped, by reason
    """

    records: Fields
    kept: list[Made]
    topics: list[str]
    considered: int
    documents: Counter[str]
    statements: Counter[str]
    rng: random.Random


def build(
    corpus: Corpus,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    controls_only: bool = False,
    fields: Sequence[str] = (),
    models: Models | None = None,
    into: RunRecord | None = None,
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "conditions" made from a corpus by rules.

    limit          most source documents; each gives up to 10 conditions, a query for every count
                   of them in list and in prose style, a document for every condition broken, and
                   one for every control
    source         what the corpus is, for the record
    controls_only  put a second control in place of every edit, so that there is nothing to
                   notice: what a system then scores is chance
    fields         fields of the records to ask for; without any those that differ between documents
    models, into, log
                   the reader of what the rules made, and the record of its work: a condition that
                   it does not find stated where it should be is left out and counted

    Documents with several conditions go first, those with several kinds of edit before others;
    documents with one fill up what is missing to the limit. `built` counts what was dropped and
    why. The corpus of the benchmark is the variants, their sources and up to 1,000 others.
    """
    found = find(corpus, seed=seed, limit=limit, fields=fields, controls_only=controls_only)
    read = {}
    if models is not None and into is not None and models.reads:
        from leadline.kinds.conditions.reading import read_all  # pydantic

        made = list(zip(found.kept, found.topics, strict=True))
        good = read_all(found.kept, models, into, found.statements, seed=seed, log=log)
        found.documents["no condition that its reader finds sound"] += good.count([])
        found.kept = [
            (document, kept) for ((document, _), _), kept in zip(made, good, strict=True) if kept
        ]
        found.topics = [topic for (_, topic), kept in zip(made, good, strict=True) if kept]
        read = {"reader": models.verifier.name, "read": True}
    return benchmark_of(
        corpus, found, built_by="rules", seed=seed, source=source,
        built={"builder": __name__, "seed": seed, "limit": limit, **read},
    )  # fmt: skip


def find(
    corpus: Corpus,
    *,
    seed: int,
    limit: int,
    fields: Sequence[str] = (),
    controls_only: bool = False,
) -> Found:
    """Return documents with their conditions; options as for `build`."""
    rng = random.Random(f"{seed} conditions")
    documents, statements = Counter[str](), Counter[str]()
    records = fields_of(corpus, fields)
    kept, considered, stock = _chosen(corpus, records, documents, statements, limit, seed, rng)
    if controls_only:
        kept = [
            (document, two)
            for document, held in kept
            if (two := [_unbroken(each, rng) for each in held if len(each.controls) > 1])
        ]
    topics = [topic_of(document, stock.small) for document, _ in kept]
    kept = [
        (document, with_room(conditions, topic))
        for (document, conditions), topic in zip(kept, topics, strict=True)
    ]
    return Found(records, kept, topics, considered, documents, statements, rng)


def benchmark_of(
    corpus: Corpus, found: Found, *, built_by: str, seed: int, source: str, built: dict[str, Any]
) -> Benchmark:
    """Return the benchmark of documents with conditions, whoever found these.

    built  how, beside the counts
    """
    ladders = [
        build_ladder(document, conditions, about=topic, taken=corpus,
                     rng=random.Random(f"{seed} {document.id}"))
        for (document, conditions), topic in zip(found.kept, found.topics, strict=True)
    ]  # fmt: skip
    edits = Counter(each.edit.kind for _, conditions in found.kept for each in conditions)
    return Benchmark(
        name="conditions",
        corpus=_probe_corpus(corpus, found.records, ladders, found.rng),
        queries=[query for ladder in ladders for query in ladder.queries],
        qrels={key: grades for ladder in ladders for key, grades in ladder.qrels.items()},
        candidates={key: ids for ladder in ladders for key, ids in ladder.candidates.items()},
        source=source,
        built_by=built_by,
        **KIND.measured(),
        built={
            **built,
            "considered": found.considered,
            "kept": len(found.kept),
            "dropped": {why: n for why, n in sorted(found.documents.items()) if n},
            "fields": list(found.records.names),
            "conditions": {
                "kept": sum(edits.values()),
                "edits": dict(sorted(edits.items())),
                "dropped": {why: n for why, n in sorted(found.statements.items()) if n},
            },
        },
    )


def _chosen(
    corpus: Corpus,
    records: Fields,
    documents: Counter[str],
    dropped: Counter[str],
    limit: int,
    seed: int,
    rng: random.Random,
) -> tuple[list[Made], int, Stock]:
    """Return documents in random order with their conditions, reading as few as that takes."""
    ids = rng.sample(list(corpus), min(len(corpus), limit * _MOST_TRIES + _FEWEST_READ))
    several: list[Made] = []
    single: list[Made] = []
    stock, considered = Stock.empty(), 0
    for start in range(0, len(ids), max(_AT_ONCE, limit)):
        batch = [records.shown(corpus[id]) for id in ids[start : start + max(_AT_ONCE, limit)]]
        read = [_statements(records, corpus[each.id], each) for each in batch]
        if not start:
            stock = stock_of((each for found in read for each in found), seed, records.values)
        considered += len(batch)
        for document, found in zip(batch, read, strict=True):
            conditions = find_conditions(
                document.title, document.text[:_LONGEST], found, stock, dropped,
                held=frozenset(records.held(document)), most=MOST_CONDITIONS, rng=rng,
            )  # fmt: skip
            if not found:
                documents["no sentence, table row or field that stands by itself"] += 1
            elif not conditions:
                documents["no statement that could be changed, beside a control"] += 1
            else:
                (several if len(conditions) > 1 else single).append((document, conditions))
        if len(several) >= 2 * limit:
            break
    several.sort(key=lambda made: -len({each.edit.kind for each in made[1]}))
    kept = [*several, *single][:limit]
    documents["not needed: the limit was reached"] += len(several) + len(single) - len(kept)
    return kept, considered, stock


def _statements(records: Fields, document: Document, shown: Document) -> list[Statement]:
    """Return the statements of a document as it is shown: its fields, then those of its text."""
    shift = len(shown.text) - len(document.text)
    return [
        *records.statements(document),
        *(
            dataclasses.replace(each, start=each.start + shift, end=each.end + shift)
            for each in statements_of(document.text[:_LONGEST])
        ),
    ]


def with_room(conditions: list[Condition], topic: str) -> list[Condition]:
    """Return the first conditions that fit into a query with its topic."""
    room = MOST_TOGETHER - len(topic.split())
    for count, condition in enumerate(conditions):
        room -= len(condition.text.split())
        if room < 0 and count:
            return conditions[:count]
    return conditions


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
