"""The six invented pools, written by a language model and checked by a second one.

Source: ImpliRet, section 2.3 and appendix A.4; the prompts are our own.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from leadline import __version__
from leadline.data import sheets
from leadline.data.jsonl import write_records
from leadline.data.locks import holding
from leadline.data.writing import atomic_file, output_folder, remove_file
from leadline.errors import InputError
from leadline.kinds.implicit_facts.pools import (
    CHAT_UTTERANCES,
    POOLS,
    POST_SENTENCES,
    Binder,
    Order,
    Plan,
    Stock,
    fill,
    words,
)
from leadline.kinds.implicit_facts.wording import (
    hours,
    in_words,
    price_pattern,
    relative_day,
    repeated_days,
    spoken_day,
)
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import (
    VERIFIER,
    Asks,
    Fault,
    Models,
    Question,
    Refusal,
    RejectedError,
    Verify,
    question_after,
    quoted,
)
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.sentences import split_sentences
from leadline.text.tokens import content_tokens, tokens
from leadline.types import LLM, Document, Query, Retriever

ALIKE = 0.5
"""Share of the words of a thing by which it is recognised: writers inflect and shorten."""

_SETTINGS = "benchmark.json"

Utterances = list[tuple[str, str]]
"""Speaker and text of each message, in order: ten of a chat, one of five sentences of a post."""

_SPARE = 1.2  # starting phrases asked for, as a multiple of those needed: some repeat each other
_PHRASE_WORDS = range(2, 13)
_STAMP = re.compile(r"[\[(]?\d{4}-\d\d-\d\d|[\[(]?\d{1,2}:\d\d\b")
_NAME_IN_FRONT = re.compile(r"[^\s:][^:]{0,40}:\s")


class Phrases(BaseModel):
    """Starting phrases of the documents of one tuple set."""

    phrases: list[str]


class Utterance(BaseModel):
    """A message of a chat."""

    speaker: str
    text: str


def _exactly(count: int) -> Any:
    """Say a length in the schema; `first_fault` checks it, so that the model is told."""
    return Field(json_schema_extra={"minItems": count, "maxItems": count})


class Chat(BaseModel):
    """A chat."""

    utterances: list[Utterance] = _exactly(CHAT_UTTERANCES)


class Post(BaseModel):
    """A forum post."""

    sentences: list[str] = _exactly(POST_SENTENCES)


class _Purchase(BaseModel):
    working: str
    bought: str
    paid: float
    other: str
    other_price: float


class _Schedule(BaseModel):
    working: str
    activity: str
    days: list[str]
    start: int
    end: int


class _Day(BaseModel):
    working: str
    member: str
    activity: str
    date: str


class _Visit(BaseModel):
    landmark: str
    purpose: str
    elsewhere: list[str]


@dataclass(frozen=True)
class Telling:
    """What the documents of a pool tell, and what a reader has to recover.

    facts     name of the prompt that says what to tell
    fields    what that prompt is filled with
    read      name of the reader's prompt
    usual     a usual answer of the reader
    expected  what the reader should answer, by field
    reason    why a document is refused whose reader answers otherwise, for counts
    """

    facts: str
    fields: Callable[[Plan, random.Random], Mapping[str, str]]
    read: str
    usual: BaseModel
    expected: Callable[[Plan], Mapping[str, Any]]
    reason: str

    def fault(self, read: BaseModel, plan: Plan, document: str) -> Fault | None:
        """Return what is wrong with a document from which this was read."""
        for name, wanted in self.expected(plan).items():
            if not _is_as_expected(getattr(read, name), wanted):
                told = quoted(json.dumps(read.model_dump(exclude={"working"}), ensure_ascii=False))
                return Fault(
                    self.reason,
                    f"A careful reader understood this, which is not what the facts say: {told} "
                    "Tell the facts so that they cannot be misread.",
                )
        own = set(tokens(" ".join((*plan.slots.values(), plan.thread, plan.speaker, plan.partner))))
        for place in read.elsewhere if isinstance(read, _Visit) else ():
            named = set(tokens(place))
            if named and not named <= own and place.casefold() in document.casefold():
                problem = f"It says this, which tells where it is: {quoted(place)}"
                return Fault(self.reason, problem)
        return None


def _is_as_expected(read: Any, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return holds(read, wanted) or alike(wanted, read) >= ALIKE
    if isinstance(wanted, list):
        return {each.strip() for each in read} == set(wanted)
    return bool(abs(read - wanted) < 0.005)


def _purchase(plan: Plan, rng: random.Random) -> Mapping[str, str]:
    named = _products(plan)
    return {
        "buyer": plan.speaker,
        "base": named[plan.slots["base"]],
        "got": named[plan.slots["got"]],
        "price": f"${plan.values['base']:,}",
        "ratio": f"{plan.values['ratio']:g}",
        "dear": named["high"],
        "cheap": named["low"],
    }


def _schedule(plan: Plan, rng: random.Random) -> Mapping[str, str]:
    when = repeated_days(plan.values["differences"], plan.opened.date(), rng)
    told = {"speaker": plan.speaker, "doing": plan.slots["doing"], "when": when}
    start, end = plan.values["hours"]
    return {**told, "hours": hours(start, end, rng)}


def _day(plan: Plan, rng: random.Random) -> Mapping[str, str]:
    when = relative_day(-plan.values["offset"], plan.opened.date(), rng)
    return {"did": plan.slots["did"], "when": when}


_PURCHASE = Telling(
    "facts_purchase",
    _purchase,
    "recover_purchase",
    _Purchase(
        working="450 dollars times 1.6 is 720 dollars.", bought="Loryne 2024 model", paid=720,
        other="Loryne 2023 model", other_price=450,
    ),
    lambda plan: {
        "bought": plan.slots[plan.slots["got"]], "paid": plan.values["target"],
        "other": plan.slots[plan.slots["base"]], "other_price": plan.values["base"],
    },
    "the prices were not recovered",
)  # fmt: skip
_VISIT = Telling(
    "facts_visit",
    lambda plan, rng: {"speaker": plan.speaker, "landmark": plan.slots["landmark"],
                       "reason": plan.slots["reason"]},
    "recover_visit",
    _Visit(landmark="Amphitheatre of El Jem", purpose="a board meeting", elsewhere=[]),
    lambda plan: {"landmark": plan.values["landmark"], "purpose": plan.slots.get("reason", "")},
    "place or purpose were not recovered, or told otherwise",
)  # fmt: skip
TELLINGS: Mapping[str, Telling] = {
    "arithmetic_unispeaker": _PURCHASE,
    "arithmetic_multispeaker": _PURCHASE,
    "temporal_unispeaker": Telling(
        "facts_schedule",
        _schedule,
        "recover_schedule",
        _Schedule(
            working="The chat is of 2020-03-13, a Friday; eleven days later is 2020-03-24.",
            activity="rehearse with the brass band", days=["2020-03-24"], start=7, end=10,
        ),
        lambda plan: {
            "days": plan.values["days"], "start": plan.values["hours"][0],
            "end": plan.values["hours"][1], "activity": plan.slots["do"],
        },
        "days or hours were not recovered",
    ),
    "temporal_multispeaker": Telling(
        "facts_day",
        _day,
        "recover_day",
        _Day(
            working="The reply is of 2024-07-15; six days before is 2024-07-09.",
            member="Ignacio Amsel", activity="drew a profile portrait of a nurse",
            date="2024-07-09",
        ),
        lambda plan: {
            "member": plan.speaker, "date": plan.values["target"], "activity": plan.slots["did"],
        },
        "the day was not recovered",
    ),
    "wknow_unispeaker": _VISIT,
    "wknow_multispeaker": replace(
        _VISIT,
        facts="facts_outing",
        fields=lambda plan, rng: {key: plan.slots[key] for key in ("landmark", "did_it")},
    ),
}  # fmt: skip
"""By pool. The country of a landmark is known from the table, not from the document."""

_LINES = [
    "Sorry for going quiet, this month has been one long list of small repairs.",
    "Don't worry about it, mine is no different, only the list is in somebody else's hand.",
    "Tell me one thing, did you get anywhere with what we talked about the other day?",
    "I did in the end, after I had gone back and forth between two of them all afternoon.",
    "That sounds like you, and I mean it kindly. What tipped the scales for you then?",
]
USUAL: Mapping[bool, Chat | Post] = {
    True: Chat(utterances=[Utterance(speaker="Yosef", text=each) for each in 2 * _LINES]),
    False: Post(sentences=_LINES),
}
"""A chat (True) and a post of usual length, with which a dry run goes on."""


@dataclass
class Pool:
    """The rows of one pool, and how many drafts or documents were given up, by reason."""

    name: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)

    def counts(self) -> dict[str, Any]:
        """Return how many were considered, kept and dropped."""
        kept, dropped = len(self.rows), dict(sorted(self.dropped.items()))
        return {"considered": kept + self.dropped.total(), "kept": kept, "dropped": dropped}

    def __str__(self) -> str:
        """Return what became of the pool, for the user."""
        kept = f"{self.name}: {len(self.rows):,} documents and questions"
        return f"{kept}; left out: {_counted(self.dropped)}" if self.dropped else kept


def _counted(reasons: Counter[str]) -> str:
    """Return counts in words, the highest first."""
    return ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())


def _settings_of(order: Order) -> dict[str, Any]:
    """Return what of an order is recorded."""
    return {name: getattr(order, name) for name in ("seed", "sets", "tuples")}


@holding()
def write(
    out: str | Path,
    models: Models,
    order: Order,
    pools: Sequence[str] = POOLS,
    *,
    facts: Mapping[str, Any],
) -> list[Pool]:
    """Write the pools in their published layout, `benchmark.json`, and `run.json`.

    facts  what else the record should hold, such as where the places come from

    Raises InputError as `build` does, and if no document could be used; IncompleteError if calls
    got no answer.
    """
    writer, verifier = models.writer, models.verifier
    how = {
        "writer": _place(writer), "verifier": _place(verifier), "attempts": models.attempts,
        "max_tokens": models.max_tokens, "temperature": models.temperature,
    }  # fmt: skip
    folder = output_folder(out)
    into = RunRecord("implicit facts", {"pools": list(pools), **_settings_of(order), **how})
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        built = build(models, order, into, pools, log)
        if not any(pool.rows for pool in built):
            told = _counted(sum((pool.dropped for pool in built), Counter()))
            raise InputError(
                f"No document of {writer.name} passed the checks ({told}). Use another model, or "
                "more --attempts."
            )
        source = f"written by {writer.name}, verified by {verifier.name}"
        _save(folder, order, built, source, {**how, **facts})
    return built


def _save(
    folder: Path,
    order: Order,
    built: Sequence[Pool],
    source: str,
    facts: Mapping[str, Any],
) -> None:
    """Write rows in the published layout, and the record; remove pools that have no rows.

    source  how the pools were made, in words

    Raises InputError if a file cannot be written.
    """
    remove_file(folder / _SETTINGS)
    rows = {pool.name: pool.rows for pool in built}
    for name in POOLS:
        if rows.get(name):
            write_records(folder / f"{name}.jsonl", rows[name])
        else:
            remove_file(folder / f"{name}.jsonl")
    settings = {
        "name": "implicit-facts",
        "kind": "implicit-facts",
        "built_by": "llm",
        "source": f"made by leadline synthesize implicit-facts, {source}",
        "builder": "leadline.kinds.implicit_facts",
        "leadline": __version__,
        **_settings_of(order),
        **facts,
        "pools": {pool.name: pool.counts() for pool in built},
    }
    with atomic_file(folder / _SETTINGS) as handle:
        json.dump(settings, handle, ensure_ascii=False, indent=2)
        handle.write("\n")


def _row(plan: Plan, document: str, id: int) -> dict[str, Any]:
    """Return a question with its document in the published layout."""
    who = {"main_speaker": plan.speaker} if plan.is_chat else {"forum_question": plan.thread}
    return {
        "id": id,
        "tuple_set_id": plan.tuple_set,
        "pool": plan.pool,
        "question": plan.question,
        "answer": plan.answer,
        "pos_document": document,
        **who,
        "explicit_hint": plan.hint,
        "tuple": dict(plan.values),
    }


def _stamped(plan: Plan, utterances: Utterances, rng: random.Random) -> str:
    """Return the document: a message a line, stamped from `plan.opened` on, on one day."""
    minutes = 0
    written = []
    for speaker, text in utterances:
        hour, minute = divmod(plan.opened.minute + minutes, 60)
        moment = plan.opened.replace(hour=plan.opened.hour + hour, minute=minute)
        written.append(f"{moment:%Y-%m-%d %H:%M}, {speaker}: {text}")
        minutes += rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 11, 14])
    return "\n".join(written)


def write_review(
    path: str | Path,
    pools: Mapping[str, Sequence[Mapping[str, Any]]],
    retriever: Retriever,
    *,
    seed: int = 0,
) -> int:
    """Write a stratified sample of documents as `.csv`, with columns to fill in; return its size.

    Two questions are drawn from each pool; for each, three documents from the top 20 and three
    from the bottom 20 of the retriever's ranking: 72 rows for six pools. A document is shown
    with its own question and answer, and without its rank, so that readers are not led.

    Raises InputError if the file cannot be written.
    Source: ImpliRet, appendix A.5.
    """
    shown = ("pool", "id", "question", "answer", "pos_document")
    to_fill = ("fluent (y/n)", "implies the answer (y/n)", "states it outright (y/n)", "remarks")
    sample = (row for name in pools for row in _sampled(name, pools[name], retriever, seed))
    rows = ([*(row[key] for key in shown), *[""] * len(to_fill)] for row in sample)
    return sheets.write_sheet(path, [*shown[:-1], "document", *to_fill], rows)


def _sampled(
    name: str, rows: Sequence[Mapping[str, Any]], retriever: Retriever, seed: int
) -> list[Mapping[str, Any]]:
    rng = random.Random(f"{seed} {name} review")
    by_id = {str(row["id"]): row for row in rows}
    asked = rng.sample(list(rows), min(2, len(rows)))
    queries = [Query(str(row["id"]), row["question"], str(row["id"])) for row in asked]
    index = retriever.index({id: Document(id, row["pos_document"]) for id, row in by_id.items()})
    run = index.score(queries, {query.id: list(by_id) for query in queries})
    drawn: dict[str, Mapping[str, Any]] = {}
    for query in queries:
        ranking = list(run[query.id])
        for end in (ranking[:20], ranking[-20:]):
            fresh = [id for id in end if id not in drawn]
            drawn |= {id: by_id[id] for id in rng.sample(fresh, min(3, len(fresh)))}
    return list(drawn.values())


def build(
    models: Models,
    order: Order,
    into: RunRecord,
    pools: Sequence[str] = POOLS,
    log: LogFile | None = None,
) -> list[Pool]:
    """Return the pools asked for; each is the same whichever others are asked for.

    A draft is checked by code, then read by the verifier, who must recover the tuple from the
    document alone. One that fails is asked for again with what was wrong, then dropped with its
    question. A dry run assumes that a share of drafts and readings that are not in the cache fail.

    Raises InputError if the lists of names and topics do not suffice, and IncompleteError if calls
    got no answer.
    """
    makers = [_Maker(name, models, order) for name in pools]

    async def make(record: Record, source: tuple[_Maker, Sequence[Plan]]) -> _Rows:
        return await source[0].documents(record, source[1])

    pipeline = Pipeline("", tuple(step for each in makers for step in each.steps), make)
    sources = [
        (f"{each.name} {n}", (each, plans)) for each in makers for n, plans in enumerate(each.sets)
    ]
    built = {name: Pool(name) for name in pools}
    for outcome in finish(pipeline, sources, models, into, seed=order.seed, log=log):
        pool = built[outcome.source[0].name]
        into.became.pop(outcome.id)  # its documents are the records
        for number, each in enumerate(outcome.value or ()):
            into.note(f"{outcome.id}/{number}", each.reason if isinstance(each, Fault) else "")
            if isinstance(each, Fault):
                pool.dropped[each.reason] += 1
            else:
                pool.rows.append(each)
    return list(built.values())


_Rows = list[dict[str, Any] | Fault]
"""The rows of a tuple set, or what is wrong with the last draft of one."""


class _Maker:
    """Makes the documents of one pool."""

    def __init__(self, name: str, models: Models, order: Order) -> None:
        self.name, self._attempts, self._order = name, models.attempts, order
        binder, telling = Binder(name, order), TELLINGS[name]
        self._telling = telling
        self.sets = [binder.plans(number) for number in range(order.sets)]
        is_chat = self.sets[0][0].is_chat
        kind, usual = "chat" if is_chat else "post", USUAL[is_chat]
        things = words("shopping_items")[: 2 * order.tuples]
        phrases = Phrases(phrases=[f"The {each} again, would you" for each in things])

        def asks(step: str, prompt: str, usual: BaseModel, **how: Any) -> Asks[Any]:
            return Asks(
                f"{name}: {step}", _prompt(prompt), type(usual), usual, models.max_tokens, **how
            )

        heat = {"temperature": models.temperature}
        self.steps = self._phrases, self._write, self._verify = (
            asks("phrases", f"openings_{kind}", phrases, **heat),
            asks("write", f"write_{kind}", usual, **heat),
            asks("verify", telling.read, telling.usual, model=VERIFIER),
        )

    async def documents(self, record: Record, plans: Sequence[Plan]) -> _Rows:
        """Make the documents of one tuple set."""
        seed, telling = self._order.seed, self._telling

        def stamped(plan: Plan, draft: Chat | Post) -> str:
            rng = random.Random(f"{seed} {plan.pool} {plan.tuple_set} {plan.number} stamps")
            return _stamped(plan, messages(draft, plan), rng)

        async def row(part: Record, brief: Brief) -> dict[str, Any]:
            plan = brief.plan
            speaker = {} if isinstance(telling.usual, _Day) else {"speaker": plan.speaker}
            made = await part.make(
                self._write, brief.question,
                verify=Verify[Any, Any](
                    self._verify,
                    lambda draft: Question(speaker, {"document": stamped(plan, draft)}),
                    lambda read, draft: telling.fault(read, plan, stamped(plan, draft)),
                ),
                check=lambda draft: first_fault(draft, brief, plans) or draft,
            )  # fmt: skip
            number = plan.tuple_set * self._order.tuples + plan.number
            written = _row(plan, stamped(plan, made.value), number)
            return {**written, "made": made.provenance.as_json()}

        openings = await self._openings(record, plans)
        return list(await record.each(briefs(plans, openings, seed), row))

    async def _openings(self, record: Record, plans: Sequence[Plan]) -> list[str]:
        """Ask for starting phrases until there are enough, or no attempt is left."""
        plan, found = plans[0], list[str]()
        subject = {"speaker": plan.speaker} if plan.is_chat else {"thread": plan.thread}
        for attempt in range(self._attempts):
            lacking = len(plans) - len(found)
            if lacking <= 0:
                break
            question = Question({"count": str(round(lacking * _SPARE)), **subject})
            try:
                said = await record.ask(self._phrases, question, attempts=1, first=attempt)
            except RejectedError:
                continue
            found += usable(said.phrases, plans, found)
        return found


@dataclass(frozen=True)
class Brief:
    """All that a document is written from.

    first    who writes the first message
    opening  the words that it begins with; no other document of the set begins with them
    facts    what the document has to imply, and what it must not say
    """

    plan: Plan
    first: str
    opening: str
    facts: str

    def question(self, refusal: Refusal | None = None) -> Question:
        """Return what the prompt for a document is filled with."""
        plan = self.plan
        own = {"speaker": plan.speaker, "facts": self.facts}
        if plan.is_chat:
            own |= {"partner": plan.partner, "first": self.first}
        else:
            own |= {"thread": plan.thread}
        return question_after(refusal, own, {"opening": self.opening})


def briefs(plans: Sequence[Plan], phrases: Sequence[str], seed: int) -> list[Brief]:
    """Return a brief for every plan of a tuple set; our own phrases fill in for missing ones.

    Raises InputError if there are not enough of either.
    """
    rng = random.Random(f"{seed} {plans[0].pool} {plans[0].tuple_set} beginnings")
    openings = list(phrases[: len(plans)])
    openings += _own_phrases(plans, openings, rng)
    rng.shuffle(openings)
    made = []
    for plan, opening in zip(plans, openings, strict=True):
        own = random.Random(f"{seed} {plan.pool} {plan.tuple_set} {plan.number} brief")
        first = own.choice([plan.speaker, plan.partner]) if plan.is_chat else plan.speaker
        telling = TELLINGS[plan.pool]
        facts = _prompt(telling.facts).fill(**telling.fields(plan, own))
        made.append(Brief(plan, first, opening, facts))
    return made


def _own_phrases(plans: Sequence[Plan], taken: Sequence[str], rng: random.Random) -> list[str]:
    missing = len(plans) - len(taken)
    if missing <= 0:
        return []
    stock = Stock(rng)
    file = "small_talk" if plans[0].is_chat else "forum_replies"
    drawn = (stock.frame(file, "open").partition(" // ")[0] for _ in range(10 * len(plans)))
    plain = (fill(re.sub(r",? ?\{[AB]\},?", "", each), {}, rng) for each in drawn)
    found = list(usable(plain, plans, taken))[:missing]
    if len(found) < missing:
        raise InputError(
            f"The model wrote starting phrases for {len(taken) + len(found)} of {len(plans)} "
            f"documents of set {plans[0].tuple_set} of {plans[0].pool}. Use fewer --tuples or "
            "another model."
        )
    return found


def usable(phrases: Iterable[str], plans: Sequence[Plan], taken: Sequence[str]) -> Iterator[str]:
    """Yield the phrases that a document can begin with, none the beginning of another.

    Phrases with figures, with a name of the set or with what a document must not say are left out.
    """
    names = {word for plan in plans for who in (plan.speaker, plan.partner) for word in tokens(who)}
    banned = [r"\d", *(secret for plan in plans for secret in plan.secrets)]
    seen = [tokens(phrase) for phrase in taken]
    for each in phrases:
        phrase = " ".join(each.split()).strip(" \"'“”.…")
        said = tokens(phrase)
        if (
            len(said) in _PHRASE_WORDS
            and phrase.isprintable()
            and not names.intersection(said)
            and not any(re.search(pattern, phrase) for pattern in banned)
            and not any(_begins(said, other) or _begins(other, said) for other in seen)
        ):
            seen.append(said)
            yield phrase


def messages(draft: Chat | Post, plan: Plan) -> Utterances:
    """Return speakers and texts, with single spaces and without names before the texts."""
    if isinstance(draft, Post):
        return [(plan.speaker, " ".join(map(_spaced, draft.sentences)))]
    said = [(_spaced(each.speaker), _spaced(each.text)) for each in draft.utterances]
    return [(speaker, text.removeprefix(f"{speaker}: ")) for speaker, text in said]


def first_fault(draft: Chat | Post, brief: Brief, others: Sequence[Plan]) -> Fault | None:
    """Return what is wrong with a draft, as far as code can tell.

    others  all plans of the tuple set: what one document implies no other may state
    """
    plan, said = brief.plan, messages(draft, brief.plan)
    texts = [text for _, text in said]
    if fault := _shape_fault(draft, said, plan):
        return fault
    if found := stated(plan, texts):
        return Fault("states the fact", f"It says what must not be said: {quoted(found)}")
    if not _begins(tokens(texts[0]), tokens(brief.opening)):
        problem = f"It does not begin with these words, as it has to: {quoted(brief.opening)}"
        return Fault("begins otherwise", problem)
    for what, is_there in _needed(plan, " ".join(texts)):
        if not is_there:
            return Fault("leaves out what it needs", f"It does not say this: {what}.")
    own = " ".join((brief.facts, plan.thread, brief.opening))
    secrets = {each for other in others if other is not plan for each in other.secrets}
    new = (each for each in sorted(secrets) if not _first([each], plan, own))
    if found := _first(new, plan, "\n".join(texts)):
        problem = f"Leave this out, which has nothing to do with its facts: {quoted(found)}"
        return Fault("states what another implies", problem)
    return None


def stated(plan: Plan, texts: Sequence[str]) -> str:
    """Return the words in which texts state the fact that they should imply; nothing if none do.

    Beyond the patterns of the plan it knows prices with cents, with spaces, in thousands and as
    spoken ("four fifty"), and dates in words or by the day of the month alone.
    """
    return _first([*plan.secrets, *_spoken(plan)], plan, "\n".join(texts))


def _first(patterns: Iterable[str], plan: Plan, text: str) -> str:
    """Return the first words of a text that one of the patterns finds."""
    flags = re.NOFLAG if plan.category == "wknow" else re.IGNORECASE
    found = (re.search(pattern, _plain(text), flags) for pattern in patterns)
    return next((match[0] for match in found if match), "")


def alike(wanted: str, text: str) -> float:
    """Return the share of the content words of a thing that stand in a text in some form."""
    words, there = content_tokens(wanted), set(tokens(text))
    if not words:
        return 1.0
    return sum(any(_is_same_word(word, other) for other in there) for word in words) / len(words)


def holds(text: str, name: str) -> bool:
    """Tell whether a text holds every word of a name, "the" aside."""
    return set(tokens(name)) - {"the"} <= set(tokens(text))


def _shape_fault(draft: Chat | Post, said: Utterances, plan: Plan) -> Fault | None:
    """Return what is wrong with the number of messages, their writers, or what stands in front."""
    if isinstance(draft, Post):
        counts = [len(split_sentences(each)) for each in draft.sentences]
        if counts != [1] * POST_SENTENCES:
            problem = f"It must have {POST_SENTENCES} sentences, given one by one."
            return Fault("not five sentences", problem)
        texts, names = draft.sentences, set[str]()
    else:
        texts, names = [text for _, text in said], {plan.speaker, plan.partner}
        if len(said) != CHAT_UTTERANCES:
            problem = f"It has {len(said)} messages, not {CHAT_UTTERANCES}."
            return Fault("not ten utterances", problem)
        speakers = {speaker for speaker, _ in said}
        if speakers != names:
            told = quoted(", ".join(sorted(speakers)))
            problem = f"The two friends write, both, by these names, and nobody else. It has {told}"
            return Fault("other speakers", problem)
        if not all(texts):
            return Fault("an empty message", "A message has no text.")
    for text in texts:
        label = _NAME_IN_FRONT.match(text)
        if _STAMP.match(text) or (label and label[0].strip(": ") in names):
            told = "Dates, times and names in front are added later. This has one:"
            return Fault("labels of its own", f"{told} {quoted(text[:40])}")
    return None


def _needed(plan: Plan, text: str) -> list[tuple[str, bool]]:
    """Return what must stand in a document for its question to be answered, and whether it does."""
    if plan.category == "arithmetic":
        base = re.search(price_pattern(plan.values["base"]), _plain(text)) is not None
        return [
            *((name, holds(text, plan.slots[side])) for side, name in _products(plan).items()),
            (f"what it compares with costs ${plan.values['base']:,}", base),
        ]
    if plan.category == "temporal":
        what = plan.slots["did" if "did" in plan.slots else "do"]
        return [(what, alike(what, text) >= ALIKE)]
    landmark, reason = plan.values["landmark"], plan.slots.get("reason", "")
    return [(landmark, holds(text, landmark)), (reason, alike(reason, text) >= ALIKE)]


def _products(plan: Plan) -> dict[str, str]:
    """Return the names of the dearer ("high") and the cheaper ("low") product of a purchase."""
    slots = plan.slots
    shape = "the {of} {item}" if plan.is_chat else "the {of} model of {brand}"
    return {side: shape.format(of=slots[side], **slots) for side in ("high", "low")}


def _spoken(plan: Plan) -> list[str]:
    """Return patterns for what people say that the patterns of a plan do not hold."""
    if plan.category == "arithmetic":
        price: int = plan.values["target"]
        hundreds, rest = divmod(price, 100)
        thousands = [f"{price / 1000:g}"] + ([in_words(price // 1000)] * (price % 1000 == 0))
        numbers = "|".join(map(re.escape, thousands))
        patterns = [rf"(?<![\w.,])(?:{numbers}) ?-?(?:k|grand|thousand)\b(?! and)"]
        if hundreds and rest >= 10:
            spoken = re.sub("[- ]", "[- ]", f"{in_words(hundreds)} {in_words(rest)}")
            patterns.append(rf"(?<![\w-]){spoken}(?![\w-])")
        return patterns
    days = plan.values.get("days", [plan.values.get("target")])
    return [spoken_day(date.fromisoformat(day)) for day in days if day]


def _is_same_word(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    common = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    return one == other or common >= max(3, shorter - 2)


def _plain(text: str) -> str:
    """Write figures and hyphens in one way, so that a price is found however it is set."""
    text = re.sub("[\u2010\u2011\u2212]", "-", unicodedata.normalize("NFKC", text))
    text = re.sub(r"(?<=\d)[.,]00(?!\d)", "", text)
    return re.sub(r"(?<![\d.,])(\d{1,3})[ \u00a0\u2009\u202f'’](\d{3})(?!\d)", r"\1\2", text)


def _begins(said: Sequence[str], other: Sequence[str]) -> bool:
    return list(said[: len(other)]) == list(other)


def _spaced(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _prompt(name: str) -> Prompt:
    return Prompt.load(__package__, name)


def _place(llm: LLM) -> dict[str, Any]:
    return dict(getattr(llm, "settings", {"model": llm.name}))
