"""The six invented pools, written by rules: chats and forum posts that only imply a fact."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data import sheets
from leadline.data.jsonl import write_records
from leadline.data.locks import holding
from leadline.data.writing import atomic_file, output_folder, remove_file
from leadline.errors import InputError
from leadline.kinds.implicit_facts.pools import (
    CHAT_UTTERANCES,
    POOLS,
    Binder,
    Order,
    Plan,
    Stock,
    fill,
)
from leadline.kinds.implicit_facts.wording import (
    hours,
    percent,
    price,
    relative_day,
    repeated_days,
    times,
)
from leadline.llm.run_record import LOG_FILE, RUN_FILE
from leadline.progress import track
from leadline.types import Document, Query, Retriever

_MOST_TRIES = 100
_SETTINGS = "benchmark.json"

Utterances = list[tuple[str, str]]
"""Speaker and text of each message, in order: ten of a chat, one of five sentences of a post."""

_CHATS = {
    "arithmetic": "chat_purchases", "temporal": "chat_schedules", "wknow": "chat_visits",
}  # fmt: skip
_POSTS = {"arithmetic": "product", "temporal": "day", "wknow": "visit"}
_CHAT_ORDERS = (
    ("open", "fact", "after", "talk", "close"),
    ("open", "talk", "fact", "after", "close"),
    ("open", "talk", "talk", "fact", "close"),
    ("open", "fact", "talk", "talk", "close"),
    ("open", "fact", "after", "after", "close"),
)
_POST_ORDERS = {
    1: (
        ("open", "fact", "detail", "detail", "close"),
        ("open", "context", "fact", "detail", "close"),
        ("open", "context", "fact", "detail", "detail"),
        ("open", "fact", "detail", "detail", "detail"),
    ),
    3: (
        ("open", "context", "fact", "fact", "fact"),
        ("open", "fact", "fact", "fact", "verdict"),
        ("open", "fact", "fact", "fact", "close"),
    ),
}
"""By the number of facts."""
_PRODUCTS = {
    True: (
        ("{of} {item}", "{item} from {of}", "{item} by {of}"),
        ("{of} one", "one from {of}", "{of} {item}"),
    ),
    False: (
        ("{of} {brand}", "{brand} from {of}", "{brand} {of} model", "{of} model from {brand}",
         "{of} version by {brand}"),
        ("{of} model", "{of} version", "{of} {brand}", "one from {of}", "{brand} {of} model"),
    ),
}  # fmt: skip
"""What products are called in full and in short, in a chat and in a post."""


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
        return f"{kept}; left out: {counted(self.dropped)}" if self.dropped else kept


def counted(reasons: Counter[str]) -> str:
    """Return counts in words, the highest first."""
    return ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())


def build(order: Order, pools: Sequence[str] = POOLS) -> list[Pool]:
    """Return the pools asked for; each is the same whichever others are asked for.

    A draft that states the fact outright, begins like another of its set, or is not of the
    right length is dropped and written again.

    Raises InputError if the lists of names and topics do not suffice, and if no draft of a
    document is good.
    """
    binders = [Binder(name, order) for name in pools]
    return [_pool(binder, order) for binder in binders]


@holding()
def write(
    out: str | Path, order: Order, pools: Sequence[str] = POOLS, *, facts: Mapping[str, Any]
) -> list[Pool]:
    """Write the pools in their published layout, and `benchmark.json`; return them.

    facts  what else the record should hold, such as where the places come from

    Raises InputError as `build` does, and if a file cannot be written.
    """
    built = build(order, pools)
    folder = output_folder(out)
    remove_file(folder / RUN_FILE)
    remove_file(folder / LOG_FILE)
    save(folder, order, built, "rules", "by rules", facts)
    return built


def settings_of(order: Order) -> dict[str, Any]:
    """Return what of an order is recorded."""
    return {name: getattr(order, name) for name in ("seed", "sets", "tuples", "algorithm")}


def save(
    folder: Path,
    order: Order,
    built: Sequence[Pool],
    built_by: str,
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
        "built_by": built_by,
        "source": f"made by leadline synthesize implicit-facts, {source}",
        "builder": "leadline.kinds.implicit_facts",
        "leadline": __version__,
        **settings_of(order),
        **facts,
        "pools": {pool.name: pool.counts() for pool in built},
    }
    with atomic_file(folder / _SETTINGS) as handle:
        json.dump(settings, handle, ensure_ascii=False, indent=2)
        handle.write("\n")


def row(plan: Plan, document: str, id: int) -> dict[str, Any]:
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


def stamped(plan: Plan, utterances: Utterances, rng: random.Random) -> str:
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


def _pool(binder: Binder, order: Order) -> Pool:
    pool = Pool(binder.pool)
    for tuple_set in track(range(order.sets), pool.name.replace("_", " ")):
        rng = random.Random(f"{order.seed} {pool.name} {tuple_set} texts")
        writer = _Writer(Stock(rng), rng, pool.dropped)
        for plan in binder.plans(tuple_set):
            document = stamped(plan, writer.accepted(plan), rng)
            pool.rows.append(row(plan, document, len(pool.rows)))
    return pool


class _Writer:
    """Writes the documents of one tuple set, of which no two begin alike."""

    def __init__(self, stock: Stock, rng: random.Random, rejected: Counter[str]) -> None:
        self._stock, self._rng, self._rejected = stock, rng, rejected
        self._openings: set[str] = set()

    def accepted(self, plan: Plan) -> Utterances:
        """Return the first good draft."""
        for _ in range(_MOST_TRIES):
            utterances = self._draft(plan)
            texts = [text for _, text in utterances]
            start = texts[0].replace(plan.partner or "\0", "").strip().casefold()
            opening = re.split(r"(?<=[.!?:])\s", start, maxsplit=1)[0]
            if any(re.search(secret, text) for secret in plan.secrets for text in texts):
                self._rejected["states the fact"] += 1
            elif opening in self._openings:
                self._rejected["begins like another"] += 1
            elif len(texts) != (CHAT_UTTERANCES if plan.is_chat else 1):
                self._rejected["of the wrong length"] += 1
            else:
                self._openings.add(opening)
                return utterances
        raise InputError(
            f"No draft of document {plan.number} in set {plan.tuple_set} of {plan.pool} was good "
            f"({', '.join(self._rejected)}). Ask for fewer --tuples or take another --seed."
        )

    def _draft(self, plan: Plan) -> Utterances:
        slots = dict(plan.slots)
        facts: list[str] = []
        if plan.category == "arithmetic":
            facts = self._purchase(plan)
        elif plan.category == "temporal" and plan.is_chat:
            facts = [self._schedule(plan)]
        elif not plan.is_chat:
            what = _POSTS[plan.category]
            if what == "day":
                anchor = plan.opened.date()
                slots["when"] = relative_day(-plan.values["offset"], anchor, self._rng)
            facts = [self._stock.draw("forum_replies", f"fact.{what}", slots)]
        return self._chat(plan, " ".join(facts)) if plan.is_chat else self._post(plan, facts)

    def _schedule(self, plan: Plan) -> str:
        """Return a sentence that says what somebody does on which days, as seen from one."""
        differences = plan.values["differences"]
        when = repeated_days(differences, plan.opened.date(), self._rng)
        start, end = plan.values["hours"]
        slots = {**plan.slots, "when": when, "hours": hours(start, end, self._rng)}
        number = "one" if len(differences) == 1 else "many"
        tense = "future" if differences[0] > 0 else "past" if differences[-1] < 0 else "spanning"
        return self._stock.draw("chat_schedules", f"{tense}.{number}", slots)

    def _purchase(self, plan: Plan) -> list[str]:
        """Return three sentences: the base price, how the prices compare, what was bought."""
        base, got, rng = plan.slots["base"], plan.slots["got"], self._rng
        full, brief = (
            {side: shape.format(of=plan.slots[side], **plan.slots) for side in ("low", "high")}
            for shape in map(rng.choice, _PRODUCTS[plan.is_chat])
        )
        ratio = Fraction(str(plan.values["ratio"]))
        slots = {
            **plan.slots,
            "base": full[base],
            "price": price(plan.values["base"], rng),
            got: full[got],
            base: brief[base],
            "got": rng.choice([full, brief])[got],
            "other": brief[base],
        }
        sections = ["base", rng.choice(_ways_to_say(ratio)), "bought"]
        slots |= {"times": times(ratio, rng), "more": percent(ratio - 1, rng)}
        slots |= {"less": percent(1 - 1 / ratio, rng)}
        return [self._stock.draw("money_statements", section, slots) for section in sections]

    def _post(self, plan: Plan, facts: Sequence[str]) -> Utterances:
        """Return the one message of a reply, five sentences in one of the orders."""
        left, what = list(facts), _POSTS[plan.category]
        sentences = []
        for part in self._rng.choice(_POST_ORDERS[len(facts)]):
            if part == "fact":
                sentences.append(left.pop(0))
                continue
            section = part if part in ("open", "close") else f"{part}.{what}"
            sentences.append(self._stock.draw("forum_replies", section, plan.slots))
        return [(plan.speaker, " ".join(sentences))]

    def _chat(self, plan: Plan, fact: str) -> Utterances:
        """Return ten utterances in turns, beginning with either speaker.

        The speakers of a frame are M and S, or A and B: who is first, and second.
        """
        first = self._rng.choice("MS")
        names = {"M": plan.speaker, "S": plan.partner}
        names |= {"A": names[first], "B": names["S" if first == "M" else "M"]}
        slots = {**plan.slots, "fact": fact, "A": names["A"], "B": names["B"]}
        utterances: Utterances = []
        for part in self._rng.choice(_CHAT_ORDERS):
            own = {"fact": f"tell.{first}", "after": f"after.{first}"}.get(part)
            frame = self._stock.frame(*(
                (_CHATS[plan.category], own) if own else ("small_talk", part)
            ))  # fmt: skip
            for turn, speaker in zip(frame.split(" // "), "AB", strict=False):
                who, _, text = turn.partition(": ")
                if who not in names:
                    who, text = speaker, turn
                utterances.append((names[who], fill(text, slots, self._rng)))
        return utterances


def _ways_to_say(ratio: Fraction) -> list[str]:
    """Return the sections that can state a ratio exactly."""
    ways = ["times", "times", "more"]
    if (100 / ratio).denominator == 1:
        ways.append("less")
    special = {2: ["double"] * 2, Fraction(3, 2): ["half again"], Fraction(5, 4): ["quarter"] * 2}
    return ways + special.get(ratio, [])
