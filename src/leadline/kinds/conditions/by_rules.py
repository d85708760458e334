"""Build queries with several conditions, and documents that miss exactly one, by rules.

A condition is a whole sentence, a row of a table or a field of a record. Another value, an opposite
or a "not" breaks it. There is no model and no parser. Source: MultiConIR, sections 3.2
and 3.3, with rules in place of a language model.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Container, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from leadline.benchmark import Benchmark
from leadline.kinds.conditions.controls import Spot, controls_of, may_control, overlap
from leadline.kinds.conditions.edits import (
    MOST_READ,
    Edit,
    Fields,
    Stock,
    apply_edits,
    edits_of,
    fields_of,
    stock_of,
)
from leadline.kinds.conditions.ladders import Rungs
from leadline.kinds.conditions.metrics import CONTROL
from leadline.text.sentences import Sentences
from leadline.text.statements import Shape, Statement, pieces_of
from leadline.text.tokens import content_tokens, stretch_of, tokens
from leadline.text.words import table, words_of
from leadline.types import Corpus, Document, Query

if TYPE_CHECKING:
    from leadline.llm.pipeline.steps import Models
    from leadline.llm.run_record import LogFile, RunRecord

_FRAMES: dict[str, Any] = table("leadline.kinds.conditions", "wording")
_MOST_TITLE, _LONGEST_TITLE = 20, 400
"""Words of a topic, and characters of a title that are looked at."""
_END = re.compile(r"\s*(?:[:;(\[–—\n]|,(?!\d)|\.\s|\s-+\s|'\s|\.?$)")
"""Where the topic of a title ends and a subtitle, a series or a source begins."""
_START = re.compile(r"^(?:[\d.]+\s+)?(?:(?:on|about|towards?)\s)?", re.IGNORECASE)
"""What stands before it: the number of a section, "on"."""
_ODD = re.compile(r"[?!\"“”{}<>|=*#@\\_]|\d[.)]|[^\x00-\x7f\u2013-\u2019]")
_PARTS = words_of(_FRAMES["parts of documents"])


def topic_of(document: Document, small: Set[str]) -> str:
    """Return what a document is about as its title says it, or nothing.

    The new library building was opened in 1977 leaves open which library: a query with conditions
    says what its text is about. `small` are words that the corpus writes in small letters: a title
    that begins with one does so, too.
    """
    title = " ".join(document.title[:_LONGEST_TITLE].split())
    heading = _END.split(_START.sub("", title), maxsplit=1)[0]
    first, *others = heading.split() or [""]
    if not 0 < len(others) < _MOST_TITLE or _ODD.search(heading):
        return ""
    if set(content_tokens(heading)) <= _PARTS:
        return ""
    plain = first.lower() in small and not any(word[0].isupper() for word in others)
    return heading[0].lower() + heading[1:] if plain else heading


MOST_TOGETHER = 110
"""Words of all conditions of a document together."""
_FEWEST_CONTENT = 3
_SAME, _SAME_VALUE = 0.6, 0.34
"""Share of the words of a statement that another sentence holds which says the same; less will do
where it holds the value, too."""
_READ = 80  # statements of a document that are looked at
_PIECES = 200  # sentences and lines of a document that are looked at for controls
_LAST = {"antonym": 0.5, "negation": 1.0}
"""Kinds of edit that are asked for last: of a document that states figures, these are asked for."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a query asks for, stated by document.text[start:end].

    text      the wording in a query, without a full stop
    shape     of the statement
    edit      makes it untrue; lies inside the span
    controls  one or two changes of the same kind elsewhere, after which every condition holds
    in_sentence  the wording in the middle of a sentence
    also      the edit again, wherever else the document states the same
    """

    start: int
    end: int
    text: str
    shape: Shape
    edit: Edit
    controls: tuple[Edit, ...] = ()
    in_sentence: str = ""
    also: tuple[Edit, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All that makes the condition untrue in the document."""
        return (self.edit, *self.also)

    @property
    def is_stated(self) -> bool:
        """Whether it is a sentence, and no row of a table or line `key: value`."""
        return self.shape in ("sentence", "record")


C = TypeVar("C", Condition, Statement)


def find_conditions(
    title: str,
    text: str,
    statements: Sequence[Statement],
    stock: Stock,
    dropped: Counter[str],
    *,
    held: frozenset[str] = frozenset(),
    most: int,
    rng: random.Random,
) -> list[Condition]:
    """Return conditions of a text in a random order, kinds of edit mixed.

    For every kind of edit one statement stays that no condition asks for: there its control is
    made. The order is not that of the text, so that the k-th condition may stand anywhere in it.
    Values in `held` are not exchanged for. Why others are left out is counted in `dropped`.
    """

    def spots(places: Sequence[Statement], most: int, held: frozenset[str]) -> list[Spot]:
        drawn = rng.sample(places, min(len(places), most))
        found = ((each, tuple(edits_of(text, each, stock, rng, held))) for each in drawn)
        return [spot for spot in found if spot[1]]

    @cache
    def pieces() -> list[Spot]:
        return spots(list(pieces_of(text)), _PIECES, frozenset())

    def spare(asked: Sequence[tuple[Spot, Edit]], *, in_pieces: bool) -> list[Spot]:
        """Return statements that are not asked for, or pieces beside those that are."""
        taken = [spot[0] for spot, _ in asked]
        if in_pieces:
            return [spot for spot in pieces() if not any(overlap(spot[0], each) for each in taken)]
        return [spot for spot in found if not any(spot[0] is each for each in taken)]

    def have_controls(asked: Sequence[tuple[Spot, Edit]], *, in_pieces: bool) -> bool:
        left = [edit for spot in spare(asked, in_pieces=False) for edit in spot[1]]
        if in_pieces:
            left += [edit for spot in spare(asked, in_pieces=True) for edit in spot[1]]
        return all(any(may_control(other, *each) for other in left) for each in asked)

    found = spots(statements, _READ, held)
    if statements and not found:
        dropped["no statement that an edit could make untrue"] += 1
    sentences = Sentences(title, text)
    asked: list[tuple[Spot, Edit]] = []
    keys: set[str] = set()
    room = MOST_TOGETHER
    for spot, edit in _in_turn(found):
        statement, more = spot[0], [*asked, (spot, edit)]
        words = len(statement.text.split())
        if len(asked) == most or words > room or statement.key in keys:
            continue
        if reason := _reason_against(statement, edit, sentences):
            dropped[reason] += 1
        elif not (have_controls(more, in_pieces=False) or have_controls(more, in_pieces=True)):
            dropped["nothing else of its kind could be changed as a control"] += 1
        else:
            asked = more
            keys |= {statement.key} - {""}
            room -= words
    others = spare(asked, in_pieces=False) + (spare(asked, in_pieces=True) if asked else [])
    return [
        Condition(
            spot[0].start,
            spot[0].end,
            spot[0].text.rstrip(".! "),
            spot[0].shape,
            edit,
            controls_of(spot, edit, others),
            _in_sentence(spot[0], stock),
        )
        for spot, edit in asked
    ]


def _in_turn(found: Sequence[Spot]) -> list[tuple[Spot, Edit]]:
    """Return each statement with one of its edits, so that kinds of edit take turns."""
    used: Counter[str] = Counter()
    turns: list[tuple[float, Spot, Edit]] = []
    for spot in found:
        edit = min(spot[1], key=lambda edit: used[edit.kind] + _LAST.get(edit.kind, 0.0))
        turns.append((used[edit.kind] + _LAST.get(edit.kind, 0.0), spot, edit))
        used[edit.kind] += 1
    turns.sort(key=lambda turn: turn[0])
    return [(spot, edit) for _, spot, edit in turns]


def _in_sentence(statement: Statement, stock: Stock) -> str:
    """Return a statement as it stands after "says that": with a small letter, or in quotes."""
    text = statement.text.rstrip(".! ")
    if statement.shape in ("row", "field"):
        return f"“{text}”"
    first = text.split(maxsplit=1)[0].rstrip(",")
    return text[0].lower() + text[1:] if first.lower() in stock.small else text


def _reason_against(statement: Statement, edit: Edit, sentences: Sentences) -> str:
    """Return why a statement is not asked for, or nothing."""
    words = set(content_tokens(statement.text)) - set(tokens(edit.before))
    if len(words) < _FEWEST_CONTENT and not statement.key:
        return "too few words that mean something"
    span = statement.start, statement.end
    value = set() if edit.kind == "negation" else set(tokens(edit.before))
    if sentences.say_elsewhere(*span, words, _SAME) or (
        value and sentences.say_elsewhere(*span, words, _SAME_VALUE, value)
    ):
        return "said more than once in the document"
    return ""


def as_list(
    conditions: Sequence[Condition | Statement], rng: random.Random, about: str = ""
) -> list[str]:
    """Return the list-style queries of the first 1, 2, ... conditions, in one frame."""
    opening, item = rng.choice(_FRAMES["lists"])
    opening = opening.format(about=_about(about))
    items = [
        _ended(item.format(k=k, c=_begun(each.text) if each.is_stated else each.text))
        for k, each in enumerate(conditions, 1)
    ]
    return [opening + " ".join(items[:k]) for k in range(1, len(items) + 1)]


def _begun(text: str) -> str:
    """Return a sentence with a capital, unless it begins with a name such as isEnabled."""
    first = text.split(maxsplit=1)[0]
    return f"{text[0].upper()}{text[1:]}" if first.isalpha() and first.islower() else text


def as_prose(conditions: Sequence[Condition], rng: random.Random, about: str = "") -> list[str]:
    """Return the prose queries of the first 1, 2, ... conditions, each an extension of the last.

    One or two conditions a sentence, with varied links.
    """
    queries: list[str] = []
    sentences: list[str] = []
    previous = ""
    open_to_more = False
    for place, condition in enumerate(conditions):
        said = condition.in_sentence
        if open_to_more and condition.is_stated:
            sentences[-1] += f", and that {said}"
            open_to_more = False
        else:
            frames = _FRAMES["links" if place else "openings"]
            usable = frames["stated" if condition.is_stated else "quoted"]
            previous = rng.choice([each for each in usable if each != previous])
            sentences.append(previous.format(c=said, about=_about(about)))
            open_to_more = " that {c}" in previous and rng.random() < 0.5
        queries.append(" ".join(_ended(sentence) for sentence in sentences))
    return queries


def _about(topic: str) -> str:
    return f" about {topic}" if topic else ""


def _ended(sentence: str) -> str:
    return sentence if sentence.rstrip("\"'”’)")[-1:] in {".", "!", "?"} else f"{sentence}."


POSITIONS = (64, 128, 256, 512)
"""Bounds, in words of a document, of the stretches in which an edit may stand."""


def _add_ladder(
    rungs: Rungs, made: Source, taken: Container[str], rng: random.Random
) -> list[Document]:
    """Add the queries of one document with n conditions, and return the documents made for them.

    d_j meets the first j conditions, d_n is the source itself; `~not<k>` misses condition k only
    (for k = n that is d_(n-1)). A query of the first k conditions ranks d_n (grade k) against
    the one that misses k (grade k - 1); the query of all n ranks the whole ladder. Its twin of
    the style `control` has the same words, and `~same<k>`, which meets all n conditions after a
    change of the same size, in the place of the document that misses k.
    """
    source, conditions = made.document, made.conditions
    n = len(conditions)
    names = [f"d{j}" for j in range(n)]
    names += [f"{name}{k}" for name in ("not", "same") for k in range(1, n + 1)]
    mark = f"{source.id}~"
    while any(f"{mark}{name}" in taken for name in names):
        mark += "~"

    def variant(name: str, edits: Sequence[Edit]) -> Document:
        record = json.dumps([[e.start, e.end, e.kind, e.before, e.after] for e in edits],
                            ensure_ascii=False)  # fmt: skip
        facets = {**source.facets, "source": source.id, "variant": name, "edits": record}
        return Document(f"{mark}{name}", apply_edits(source.text, edits), source.title, facets)

    def word_of(edit: Edit) -> int:
        return len(f"{source.title} {source.text[: edit.start]}".split()) + 1

    edits = [condition.edits for condition in conditions]
    steps = [variant(f"d{j}", [*chain(*edits[j:])]) for j in range(n)]
    singles = [variant(f"not{k}", edits[k - 1]) for k in range(1, n)]
    same = [variant(f"same{k}", each.controls[:1]) for k, each in enumerate(conditions, 1)]
    missing_one = [*(document.id for document in singles), steps[-1].id]

    def ask(style: str, k: int, text: str, grades: dict[str, int], ids: list[str]) -> None:
        condition = conditions[k - 1]
        changed = condition.controls[0] if style == CONTROL else condition.edit
        facets = {
            "style": style, "k": str(k), "n": str(n), "edit": condition.edit.kind,
            "at": str(word_of(changed)),
            "position": stretch_of(word_of(condition.edit), POSITIONS),
            "document": source.id, "span": f"{condition.start}-{condition.end}",
            "condition": condition.text, "before": changed.before, "after": changed.after,
        }  # fmt: skip
        query = Query(f"{mark}{style}~{k}", text, topic=source.id, facets=facets)
        rungs.queries.append(query)
        rungs.qrels[query.id], rungs.candidates[query.id] = grades, ids

    listed = as_list(conditions, rng, made.topic)
    for style, texts in (("list", listed), ("prose", as_prose(conditions, rng, made.topic))):
        for k, text in enumerate(texts, 1):
            broken, control = missing_one[k - 1], same[k - 1].id
            grades = {source.id: k, broken: k - 1}
            if k == n:
                grades = {source.id: n, **{step.id: j for j, step in enumerate(steps)}}
            ids = rng.sample(sorted(grades), len(grades))
            ask(style, k, text, grades, ids)
            if style == "list":
                in_place = {broken: control}
                twins = {in_place.get(id, id): grade for id, grade in grades.items()}
                twins[control] = k
                ask(CONTROL, k, text, twins, [in_place.get(id, id) for id in ids])
    return [source, *steps, *singles, *same]


MOST_CONDITIONS = 10
BACKGROUND = 1_000
_AT_ONCE = 200
_MOST_TRIES, _FEWEST_READ = 10, 400  # documents that are read for one topic, and at least


@dataclass
class Source:
    """A document with its conditions, and what it is about, or nothing."""

    document: Document
    conditions: list[Condition]
    topic: str = ""


@dataclass
class Found:
    """What was found in a corpus.

    considered  documents that were read
    documents, statements
                how many were dropped, by reason
    """

    records: Fields
    kept: list[Source]
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
    fields: Sequence[str] = (),
    models: Models | None = None,
    into: RunRecord | None = None,
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "conditions" made from a corpus by rules.

    Documents with several conditions go first, those with several kinds of edit before others;
    documents with one fill up what is missing to the limit. `built` counts what was dropped and
    why. The corpus of the benchmark is the variants, their sources and up to 1,000 others.

    Args:
        corpus: The documents.
        seed: Of every random choice.
        limit: Most source documents; each gives up to 10 conditions, a query for every count of
            them in list and in prose style, a document for every condition broken, and one for
            every control.
        source: What the corpus is, for the record.
        fields: Fields of the records to ask for; without any those that differ between documents.
        models: Whose reader leaves out conditions that it does not find stated where they should
            be; None for no reader.
        into: Record of its work.
        log: Log of its answers.
    """
    found = _find(corpus, seed, limit, fields)
    built: dict[str, Any] = {"builder": __name__, "seed": seed, "limit": limit}
    if models is not None and into is not None and models.reads:
        from leadline.kinds.conditions.by_model import read_all  # pydantic

        read_all(found, models, into, seed=seed, log=log)
        built |= {"reader": models.verifier.name, "read": True}
    return benchmark_of(corpus, found, built_by="rules", seed=seed, source=source, built=built)


def _find(corpus: Corpus, seed: int, limit: int, fields: Sequence[str]) -> Found:
    """Return documents in random order with their conditions, reading as few as that takes."""
    rng = random.Random(f"{seed} conditions")
    documents, dropped = Counter[str](), Counter[str]()
    records = fields_of(corpus, fields)
    ids = rng.sample(list(corpus), min(len(corpus), limit * _MOST_TRIES + _FEWEST_READ))
    several: list[Source] = []
    single: list[Source] = []
    stock, considered, at_once = Stock(), 0, max(_AT_ONCE, limit)
    for start in range(0, len(ids), at_once):
        batch = [corpus[id] for id in ids[start : start + at_once]]
        read = [(records.shown(each), records.statements(each)) for each in batch]
        if not start:
            stock = stock_of((each for _, found in read for each in found), seed, records.values)
        considered += len(batch)
        for document, (shown, found) in zip(batch, read, strict=True):
            conditions = find_conditions(
                shown.title, shown.text[:MOST_READ], found, stock, dropped,
                held=records.held(document), most=MOST_CONDITIONS, rng=rng,
            )  # fmt: skip
            if not found:
                documents["no sentence, table row or field that stands by itself"] += 1
            elif not conditions:
                documents["no statement that could be changed, beside a control"] += 1
            else:
                (several if len(conditions) > 1 else single).append(Source(shown, conditions))
        if len(several) >= 2 * limit:
            break
    several.sort(key=lambda made: -len({each.edit.kind for each in made.conditions}))
    kept = [*several, *single][:limit]
    documents["not needed: the limit was reached"] += len(several) + len(single) - len(kept)
    for made in kept:
        made.topic = topic_of(made.document, stock.small)
        made.conditions = with_room(made.conditions, made.topic)
    return Found(records, kept, considered, documents, dropped, rng)


def benchmark_of(
    corpus: Corpus, found: Found, *, built_by: str, seed: int, source: str, built: dict[str, Any]
) -> Benchmark:
    """Return the benchmark of documents with conditions, whoever found these."""
    rungs = Rungs()
    variants = [
        _add_ladder(rungs, made, corpus, random.Random(f"{seed} {made.document.id}"))
        for made in found.kept
    ]
    for documents in variants:
        rungs.corpus.update((each.id, each) for each in found.rng.sample(documents, len(documents)))
    rest = [id for id in corpus if id not in rungs.corpus]
    chosen = set(found.rng.sample(rest, min(len(rest), BACKGROUND)))
    rungs.corpus.update((id, found.records.shown(corpus[id])) for id in rest if id in chosen)
    edits = Counter(each.edit.kind for made in found.kept for each in made.conditions)
    return rungs.benchmark(
        source=source, built_by=built_by,
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
    )  # fmt: skip


def with_room(conditions: list[C], topic: str) -> list[C]:
    """Return the first conditions that fit into a query with its topic."""
    room = MOST_TOGETHER - len(topic.split())
    for count, condition in enumerate(conditions):
        room -= len(condition.text.split())
        if room < 0 and count:
            return conditions[:count]
    return conditions
