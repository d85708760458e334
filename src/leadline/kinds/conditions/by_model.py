"""Queries with several conditions, written by a language model in two calls for each document.

A writer names facts by their sentence number, writes each in two wordings, and exchanges a few
words to break it. Code checks everything and makes the exchange. A reader says which sentences
state which fact. A weak writer is not used, because facts from rules read better. Each reader first
gets a trial on statements with known answers.
Source of the ladders: MultiConIR, sections 3.2 and 3.3.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from itertools import accumulate
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.kinds.conditions import by_rules
from leadline.kinds.conditions.by_rules import Condition, topic_of, with_room
from leadline.kinds.conditions.controls import growth
from leadline.kinds.conditions.edits import (
    Edit,
    apply_edits,
    edits_of,
    fields_of,
    stock_of,
)
from leadline.kinds.conditions.metrics import CONTROL
from leadline.kinds.questions.by_model import lost_names
from leadline.kinds.uniqueness import draw_documents
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import Asks, Fault, Models, Question, Refusal, RejectedError
from leadline.llm.pipeline.trial import Sheet, Stated, Trial, reading_step, which_state
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.statements import Statement, every_piece, is_code, statements_of
from leadline.text.tokens import content_tokens, normalised, tokens
from leadline.types import Corpus, Document

MOST_FACTS = 10
_PASSAGE = 1_000  # words of a document that a writer is shown
_FEWEST_WORDS = 4
_LONGEST = 400  # characters of a sentence or line that are shown
_SHORT, _LONG, _MOST_EXCHANGED = (2, 18), (4, 32), 8
_COPIED = 10  # words of a query from which on it may be no copy
_SAME, _FEWEST_SAME = 0.75, 3
"""Share of the words of a sentence that another one holds which says the same, and how many."""
_GROWTH = 2  # words by which a control may grow a text more or less than its edit
_VALUES = ("number", "date", "name")
_LINK = re.compile(r"\]\([^)\s]*\)")
_CELLS = re.compile(r" {2,}|\t")
_ARTICLE = re.compile(r"\b([Aa]n?)\s$")
_MOST_ABOUT = 10
_STOP = re.compile(r"(?<!\.[A-Za-z])\.+$")


_Words: TypeAlias = Annotated[str, Field(min_length=1, max_length=100)]


class Draft(BaseModel):
    """One fact, with an exchange that breaks it and one that does not."""

    n: int = Field(ge=1)
    short: str = Field(min_length=1, max_length=200)
    long: str = Field(min_length=1, max_length=400)
    old: _Words
    new: _Words
    kind: Literal["number", "date", "name", "opposite", "negation", "other"]
    control_n: int = Field(ge=1)
    control_old: _Words
    control_new: _Words

    @property
    def edit_kind(self) -> str:
        """The kind as edits name it."""
        return "antonym" if self.kind == "opposite" else self.kind


class Drafts(BaseModel):
    """What a writer makes of a document.

    about  what it is about, as it follows "documents about"
    """

    about: str = Field(default="", max_length=120)
    facts: list[Draft] = Field(max_length=MOST_FACTS)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Words of a sentence with others in their place."""

    unit: int
    edit: Edit


@dataclass(frozen=True)
class Passage:
    """What a writer is shown of a document: its sentences and lines, numbered from 1."""

    document: Document
    units: Sequence[Statement]

    @cached_property
    def sentences(self) -> int:
        """How many of them have a few words."""
        return sum(len(unit.text.split()) >= _FEWEST_WORDS for unit in self.units)

    @property
    def most_facts(self) -> int:
        """How many facts are asked for: some sentences are left for controls."""
        return min(MOST_FACTS, 2 * self.sentences // 3)

    @property
    def numbered(self) -> str:
        """The text with a number before each sentence or line."""
        return "\n".join(f"[{n}] {shown(unit.text)}" for n, unit in enumerate(self.units, 1))

    def about(self, said: str) -> str:
        """Return what a writer says that the document is about; empty where that will not do."""
        said = " ".join(said.split()).strip(' ."“”')
        fits = 0 < len(said.split()) <= _MOST_ABOUT and not lost_names(said, self.document.content)
        return said if fits else ""

    def places(self, unit: int, words: str) -> list[tuple[int, int]]:
        """Return where words stand in a sentence, white space of no account."""
        pattern = r"\s+".join(map(re.escape, words.replace(" | ", " ").split()))
        before, after = (r"\b" if each.isalnum() else "" for each in (words[:1], words[-1:]))
        start, text = self.units[unit].start, self.units[unit].text
        unseen = [each.span() for each in _LINK.finditer(text)]
        return [
            (start + found.start(), start + found.end())
            for found in re.finditer(f"{before}{pattern}{after}", text)
            if not any(first <= found.start() < end for first, end in unseen)
        ]

    def unit_with(self, n: int, words: str) -> int | None:
        """Return the sentence that was meant: number n, or the only other one with the words."""
        if n <= len(self.units) and self.places(n - 1, words):
            return n - 1
        having = [k for k in range(len(self.units)) if self.places(k, words)]
        return having[0] if len(having) == 1 else None

    def exchange(self, unit: int, kind: str, span: tuple[int, int], new: str) -> Exchange:
        """Return other words in the place of those that stand there."""
        start, end = span
        text, new = self.document.text, " ".join(new.split())
        article = _ARTICLE.search(text, max(0, start - 4), start)
        if article and (new[:1].lower() in "aeiou") != (text[start : start + 1].lower() in "aeiou"):
            start = article.start()
            new = f"{article[0][0]}{'n' * (len(article[1]) == 1)} {new}"
        return Exchange(unit, Edit(kind, start, end, text[start:end], new))


def passage_of(document: Document, rng: random.Random) -> Passage:
    """Return a document of at most some 1,000 words, or as much of a longer one, drawn.

    Lines of code are left out.
    """
    units = [each for each in every_piece(document.text) if not is_code(each.text)]
    until = [0, *accumulate(len(unit.text.split()) for unit in units)]
    starts = [k for k in range(len(units)) if until[-1] - until[k] >= _PASSAGE]
    first = rng.choice(starts) if starts else 0
    last = bisect_left(until, until[first] + _PASSAGE)
    return Passage(document, units[first:last])


@dataclass(frozen=True)
class Found:
    """A fact that was looked up: it stands in one sentence, and may be said again in others."""

    draft: Draft
    exchange: Exchange
    also: tuple[Exchange, ...]
    control: Exchange | None

    @property
    def units(self) -> set[int]:
        """The sentences that state it."""
        return {self.exchange.unit, *(each.unit for each in self.also)}


def looked_up(passage: Passage, draft: Draft) -> Found | Fault:
    """Return a fact with its places in the document, or what is wrong with it."""
    unit = passage.unit_with(draft.n, draft.old)
    if unit is None:
        return Fault("words that its sentence does not have", f"`old` is not in [{draft.n}].")
    text, spans = passage.units[unit].text, passage.places(unit, draft.old)
    if len(spans) > 1:
        return Fault("words that its sentence has twice", "`old` stands in the sentence twice.")
    if normalised(draft.old) == normalised(draft.new):
        return Fault("an exchange that changes nothing", "`new` says the same as `old`.")
    if max(len(draft.old.split()), len(draft.new.split())) > _MOST_EXCHANGED:
        return Fault("an exchange of too many words", f"`old` and `new`: {_MOST_EXCHANGED} words.")
    if fault := _wording_fault(passage, draft, text):
        return fault
    also = _said_again(passage, unit, draft)
    if also is None:
        return Fault("said again in other words", "Another sentence says it, too.")
    own = passage.exchange(unit, draft.edit_kind, spans[0], draft.new)
    return Found(draft, own, tuple(also), _control(passage, draft))


def _said_again(passage: Passage, unit: int, draft: Draft) -> list[Exchange] | None:
    """Return the exchange for every other sentence that says the same; None where it has no place.

    A sentence that lacks the number, date or name says something else.
    """
    words = set(content_tokens(passage.units[unit].text)) - set(tokens(draft.old))
    also: list[Exchange] = []
    for other in range(len(passage.units)):
        held = words & set(tokens(passage.units[other].text))
        if other == unit or len(held) < max(_FEWEST_SAME, _SAME * len(words)):
            continue
        again = passage.places(other, draft.old)
        if not again and draft.kind not in _VALUES:
            return None
        also += [passage.exchange(other, draft.edit_kind, span, draft.new) for span in again]
    return also


def conditions_of(passage: Passage, found: Sequence[Found]) -> tuple[list[Condition], Counter[str]]:
    """Return facts as conditions, and why others are none.

    Each needs a control in a sentence that states no fact: its own, or else that of another fact
    or the exchange of one that is not used.
    """
    left_out: Counter[str] = Counter()
    kept: list[Found] = []
    taken: set[int] = set()
    for each in found:
        if each.units & taken:
            left_out["a second fact of one sentence"] += 1
        else:
            kept.append(each)
            taken |= each.units
    pool = [each.control for each in found if each.control is not None]
    pool += [each.exchange for each in found if each not in kept]
    conditions = []
    for each in kept:
        own, unit = each.exchange.edit, passage.units[each.exchange.unit]
        usable = [
            other for other in pool
            if other.unit not in taken and abs(growth(other.edit) - growth(own)) <= _GROWTH
        ]  # fmt: skip
        usable.sort(key=lambda other: (other is not each.control, other.edit.kind != own.kind))
        if not usable:
            left_out["no control"] += 1
            continue
        conditions.append(
            Condition(
                unit.start, unit.end, _open(each.draft.short), "sentence", own,
                (replace(usable[0].edit, kind=CONTROL),), _open(each.draft.long),
                tuple(other.edit for other in each.also),
            )
        )  # fmt: skip
    return conditions, left_out


def _control(passage: Passage, draft: Draft) -> Exchange | None:
    unit = passage.unit_with(draft.control_n, draft.control_old)
    if unit is None or normalised(draft.control_old) == normalised(draft.control_new):
        return None
    span = passage.places(unit, draft.control_old)[0]
    return passage.exchange(unit, draft.edit_kind, span, draft.control_new)


def _wording_fault(passage: Passage, draft: Draft, sentence: str) -> Fault | None:
    for name, text, (low, high) in (
        ("short", draft.short, _SHORT), ("long", draft.long, _LONG),
    ):  # fmt: skip
        count = len(text.split())
        if not low <= count <= high:
            return Fault(
                f"{name}: too short or too long",
                f"`{name}` has {count} words; {low} to {high} are allowed.",
            )
        gone = lost_names(f"- {draft.old}", text) if draft.kind in _VALUES else []
        if gone:
            return Fault(
                f"{name}: the value is not in it", f"`{name}` does not state {', '.join(gone)}."
            )
        if new := lost_names(text, passage.document.content):
            return Fault(
                f"{name}: names or numbers that the document does not have",
                f"`{name}` has {', '.join(new)}, which the document does not have.",
            )
    copied = len(draft.short.split()) >= _COPIED and normalised(draft.short) in normalised(sentence)
    return Fault("short: a copy", "`short` copies the sentence.") if copied else None


def _open(text: str) -> str:
    """Return a query without its full stop; that of "9 a.m." stays."""
    return _STOP.sub("", text.strip())


def shown(text: str) -> str:
    """Return a sentence on one line, cells of a table apart, without addresses of links."""
    cells = [" ".join(each.split()) for each in _CELLS.split(_LINK.sub("]", text))]
    return " | ".join(filter(None, cells))[:_LONGEST]


NO_ANSWER = "the reader gave no usable answer"


async def read_back(
    record: Record,
    step: Asks[Stated],
    document: Document,
    conditions: Sequence[Condition],
    left_out: Counter[str],
    seed: int,
) -> list[Condition]:
    """Return the conditions that a reader finds stated where they should be, and nowhere else.

    It sees the statement of every condition as it is and with its edit, shuffled, and both
    wordings of every condition. Why others are left out is counted in `left_out`.
    """
    if not conditions:
        return []
    rng = random.Random(f"{seed} {document.id} read")
    pairs = [_as_it_is_and_edited(document.text, each) for each in conditions]
    places = rng.sample(range(2 * len(pairs)), 2 * len(pairs))
    statements = [text for pair in pairs for text in pair]
    wordings = [dict.fromkeys((each.text, each.in_sentence)) for each in conditions]
    asked = [(k, text) for k, each in enumerate(wordings) for text in each]
    rng.shuffle(asked)
    sheet = Sheet(
        [statements[place] for place in places], [text for _, text in asked],
        document.title, (document.id,),
    )  # fmt: skip
    try:
        read = await which_state(record, step, sheet)
    except RejectedError:
        left_out[NO_ANSWER] += len(conditions)
        return []
    faults: dict[int, str] = {}
    for (k, _), stated_by in zip(asked, read or (), strict=read is not None):
        fault = _fault({places[place] for place in stated_by}, 2 * k)
        if fault:
            faults.setdefault(k, fault)
    left_out.update(faults.values())
    return [each for k, each in enumerate(conditions) if k not in faults]


def read_all(
    found: by_rules.Found, models: Models, into: RunRecord, *, seed: int, log: LogFile | None
) -> None:
    """Keep the conditions of each document that a reader finds sound, a call a document."""
    step = reading_step(models)

    async def make(record: Record, made: by_rules.Source) -> list[Condition]:
        return await read_back(record, step, made.document, made.conditions, found.statements, seed)

    sources = ((each.document.id, each) for each in found.kept)
    outcomes = finish(Pipeline("", (step,), make), sources, models, into, seed=seed, log=log)
    for outcome in outcomes:
        outcome.source.conditions = outcome.value or []
    kept = [each for each in found.kept if each.conditions]
    found.documents["no condition that its reader finds sound"] += len(found.kept) - len(kept)
    found.kept = kept


def _fault(stated_by: set[int], own: int) -> str:
    """Return what is wrong with what states a condition; its edited statement is the next one."""
    if own not in stated_by:
        return "read: its own sentence does not state it"
    if own + 1 in stated_by:
        return "read: the edited sentence states it still"
    return "read: another sentence states it, too" if len(stated_by) > 1 else ""


def _as_it_is_and_edited(text: str, condition: Condition) -> tuple[str, str]:
    start, end = condition.start, condition.end
    if condition.shape in ("field", "record"):  # the value alone: its line says what it is of
        start = text.rfind("\n", 0, start) + 1
        end = text.find("\n", end) % (len(text) + 1)
    edit = condition.edit
    moved = replace(edit, start=edit.start - start, end=edit.end - start)
    said = text[start:end]
    return shown(said), shown(apply_edits(said, [moved]))


FACTS, SHEETS = 10, 2
"""Statements that are asked for, and the calls that they are spread over."""
_TRIED, _READ = 200, 20_000  # documents that are looked at, and characters of each


def trials_of(corpus: Corpus, seed: int) -> list[Trial]:
    """Return sheets of true statements, the same with a value exchanged or denied, and strangers.

    Each sheet asks for five statements, four of them with an edited twin beside them, and for one
    that is not there. A query is the statement itself, so that no wording is to blame. Where the
    documents have too few statements that an edit makes untrue, ours are taken.
    """
    rng = random.Random(f"{seed} trial of the reader")
    drawn = rng.sample(list(corpus), min(len(corpus), _TRIED))
    pairs, others = _pairs([corpus[id].text for id in drawn], seed, rng)
    if len(pairs) < FACTS:
        own = files(_PACKAGE).joinpath("trial.txt").read_text("utf-8")
        pairs, others = _pairs([own], seed, rng)
    share = FACTS // SHEETS
    return [
        _trial_of(pairs[number * share : (number + 1) * share], stranger, rng)
        for number, stranger in enumerate(others)
    ]


def _pairs(
    texts: Sequence[str], seed: int, rng: random.Random
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return statements with their edited twins, kinds of edit in turn, and other statements."""
    found = {
        normalised(each.text): (text, each)
        for text in texts
        for each in statements_of(text[:_READ])
        if each.shape == "sentence"
    }  # each once: of two alike a good reader names both
    drawn = rng.sample(list(found.values()), len(found))
    stock = stock_of((each for _, each in drawn), seed)
    by_kind: dict[str, list[tuple[str, str]]] = {}
    others: list[str] = []
    for text, each in drawn:
        edits = list(edits_of(text, each, stock, rng))
        if edits:
            twin = apply_edits(text[: each.end], edits[:1])[each.start :]
            by_kind.setdefault(edits[0].kind, []).append((each.text, twin))
        elif len(others) < SHEETS:
            others.append(each.text)
    pairs: list[tuple[str, str]] = []
    while len(pairs) < FACTS + SHEETS and any(by_kind.values()):
        pairs += [held.pop() for held in by_kind.values() if held]
    while len(others) < SHEETS and pairs:  # where every statement could be edited
        others.append(pairs.pop()[0])
    return pairs[:FACTS], others


def _trial_of(pairs: list[tuple[str, str]], stranger: str, rng: random.Random) -> Trial:
    twins = [twin for _, twin in pairs[1:]]
    statements = [said for said, _ in pairs] + twins
    rng.shuffle(statements)
    queries = [*(said for said, _ in pairs), stranger]
    rng.shuffle(queries)
    right = [statements.index(each) if each in statements else None for each in queries]
    return Trial(Sheet(statements, queries), right, [each != pairs[0][0] for each in queries])


_ENOUGH = 5  # facts that pass, below which faulty ones are asked for again
_FEWEST_SENTENCES = 5
_PACKAGE = "leadline.kinds.conditions"
_USUAL = Drafts(
    about="the mills of a river town",
    facts=[
        Draft(
            n=3, short="mill at northern bridge rebuilt in stone 1873",
            long="the mill by the northern bridge got its stone walls back in 1873",
            old="1873", new="1891", kind="date",
            control_n=8, control_old="1902", control_new="1911",
        )
    ] * 8
)  # fmt: skip


@dataclass(frozen=True)
class _Work:
    """What was made of one document, and why other facts were left out."""

    document: Document
    conditions: list[Condition]
    left_out: Counter[str] = field(default_factory=Counter)
    about: str = ""


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "conditions" that a language model wrote of a corpus.

    A fault drops its fact, never the document. What became of every document stands in the run's
    record. Of a weak model at most its reading is used: the rules build.

    Raises IncompleteError when calls got no answer.
    """
    if models.effort == "low":
        made = by_rules.build(
            corpus, seed=seed, limit=limit, source=source, models=models, into=into, log=log
        )
        return replace(made, built={**made.built, "read": models.reads, "effort": "low"})
    records, dropped = fields_of(corpus), Counter[str]()

    def passage(document: Document) -> Passage:
        return passage_of(records.shown(document), random.Random(f"{seed} {document.id}"))

    def why_not(document: Document) -> str:
        few = passage(document).sentences < _FEWEST_SENTENCES
        return "not asked: fewer than five sentences" if few else ""

    drawn = draw_documents(corpus, limit, f"{seed} conditions by model", dropped, why_not)
    write: Asks[Drafts] = Asks(
        "write", Prompt.load(_PACKAGE, "write_conditions"), Drafts, _USUAL, models.max_tokens,
    )  # fmt: skip
    read = reading_step(models)

    async def make(record: Record, passage: Passage) -> _Work:
        left_out = Counter[str]()
        conditions, about = await _written(record, write, passage, left_out)
        if models.reads:
            conditions = await read_back(record, read, passage.document, conditions, left_out, seed)
        return _Work(passage.document, conditions, left_out, about)

    steps = (write, read) if models.reads else (write,)
    named = ((each.id, passage(each)) for each in drawn)
    outcomes = finish(Pipeline("", steps, make), named, models, into, seed=seed, log=log)
    works = [
        each.value
        or _Work(each.source.document, [], Counter({each.fault.reason if each.fault else "": 1}))
        for each in outcomes
    ]
    small = {word for each in works for word in each.document.text.split() if word.islower()}
    found = by_rules.Found(records, [], len(works), dropped, Counter(),
                           random.Random(f"{seed} conditions by a model"))  # fmt: skip
    told = {}
    for each in works:
        topic = each.about or topic_of(each.document, small)
        order = found.rng.sample(each.conditions, len(each.conditions))
        found.statements.update(each.left_out)
        if conditions := with_room(order, topic):
            found.kept.append(by_rules.Source(each.document, conditions, topic))
        else:
            dropped["no fact that passed"] += 1
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(each.left_out.items()))
        told[each.document.id] = f"{len(conditions)} conditions; left out: {reasons or 'nothing'}"
    into.measured = {**into.measured, "documents": told}
    return by_rules.benchmark_of(
        corpus, found, built_by="llm", seed=seed, source=source,
        built={
            "builder": __name__, "seed": seed, "limit": limit, "writer": models.writer.name,
            "reader": models.verifier.name, "read": models.reads, "effort": models.effort,
        },
    )  # fmt: skip


async def _written(
    record: Record, write: Asks[Drafts], passage: Passage, left_out: Counter[str]
) -> tuple[list[Condition], str]:
    """Return what a writer makes of a passage, and what it is about.

    Where little passes, faults are asked for again.
    """
    passed: list[Found] = []
    about: list[str] = []
    faults: list[tuple[Draft, Fault]] = []

    def check(drafts: Drafts) -> Drafts | Fault:
        faults.clear()
        about.append(passage.about(drafts.about))
        for draft in drafts.facts:
            found = looked_up(passage, draft)
            if isinstance(found, Fault):
                faults.append((draft, found))
                left_out[found.reason] += 1
            else:
                passed.append(found)
        few = len(conditions_of(passage, passed)[0]) < min(_ENOUGH, passage.most_facts)
        return Fault("facts to be repaired") if few and faults else drafts

    def question(refusal: Refusal | None) -> Question:
        values = {"count": str(passage.most_facts), "refused": "", "draft": ""}
        title = passage.document.title or "(none)"
        texts = {"title": title, "document": passage.numbered}
        if refusal is not None and faults:
            used = ", ".join(f"[{each.exchange.unit + 1}]" for each in passed)
            problems = [f"- fact {k}: {fault.problem}" for k, (_, fault) in enumerate(faults, 1)]
            used_up = [f"These sentences are used already: {used}."] if used else []
            values["refused"] = "\n".join(["", _REPAIR, *problems, *used_up, ""])
            values["count"] = str(max(1, passage.most_facts - len(passed)))
            del values["draft"]
            texts["draft"] = Drafts(facts=[draft for draft, _ in faults]).model_dump_json()
        return Question(values, texts, (passage.document.id,))

    try:
        drafts = await record.ask(write, question, check=check, attempts=2)
    except RejectedError:
        if not passed and not faults:
            raise
        drafts = None
    if drafts is _USUAL:
        return _planned(passage), ""
    conditions, others = conditions_of(passage, passed)
    left_out.update(others)
    return conditions, next(filter(None, about), "")


_REPAIR = (
    "You have answered once. The facts of that answer which stand below cannot be used, for the "
    "reasons given. Give others in their place, or the same without the fault."
)


def _planned(passage: Passage) -> list[Condition]:
    """Return what a dry run goes on with: sentences of the passage, as long as facts are."""
    found = []
    for unit in passage.units[: min(8, passage.most_facts)]:
        words, edit = unit.text.split(), Edit("number", unit.start, unit.start, "", "x")
        found.append(
            Condition(
                unit.start, unit.end, " ".join(words[:9]), "sentence", edit, (edit,),
                " ".join(words[:15]),
            )
        )  # fmt: skip
    return found
