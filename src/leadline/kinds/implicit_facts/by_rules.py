"""Documents that only imply a fact, written by rules: the six pools, without a language model."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.holding import holding
from leadline.data.jsonl import write_records
from leadline.data.writing import atomic_file, output_folder, remove_file
from leadline.errors import InputError, unknown
from leadline.kinds.implicit_facts.binding import POOLS, Binder, Order
from leadline.kinds.implicit_facts.frames import Stock
from leadline.kinds.implicit_facts.plans import (
    CHAT_UTTERANCES,
    Plan,
    Utterances,
    Writer,
    leaks,
    stamped,
    starting_phrase,
)
from leadline.kinds.implicit_facts.purchases import write_purchase_chat, write_purchase_post
from leadline.kinds.implicit_facts.schedules import write_day_post, write_schedule_chat
from leadline.kinds.implicit_facts.visits import write_visit_chat, write_visit_post
from leadline.llm.run_record import LOG_FILE, RUN_FILE
from leadline.progress import track

MOST_TRIES = 100
SETTINGS = "benchmark.json"

_WRITERS: dict[str, Writer] = {
    "arithmetic_unispeaker": write_purchase_chat,
    "arithmetic_multispeaker": write_purchase_post,
    "temporal_unispeaker": write_schedule_chat,
    "temporal_multispeaker": write_day_post,
    "wknow_unispeaker": write_visit_chat,
    "wknow_multispeaker": write_visit_post,
}


@dataclass
class Pool:
    """The rows of one pool, and how many drafts were rejected, by reason."""

    name: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)

    def counts(self) -> dict[str, Any]:
        """Return how many documents were written, kept and rejected."""
        kept = len(self.rows)
        return {
            "considered": kept + self.rejected.total(),
            "kept": kept,
            "dropped": dict(sorted(self.rejected.items())),
        }


def build(order: Order, pools: Sequence[str] = POOLS) -> Iterator[Pool]:
    """Yield the pools asked for; each is the same whichever others are asked for.

    A draft that states the fact outright, begins like another of its set, or is not of the
    right length is rejected and written again; `Pool.rejected` counts that.

    Raises InputError when the lists of names and topics do not suffice, and when no draft of a
    document is good.
    """
    for name in pools:
        if name not in POOLS:
            raise unknown("pool", name, POOLS)
    for name in pools:
        yield _pool(name, order)


@holding()
def write(
    out: str | Path, order: Order, pools: Sequence[str] = POOLS, *, facts: Mapping[str, Any]
) -> dict[str, Pool]:
    """Write the pools in their published layout, and `benchmark.json`; return them.

    Pools of an earlier run that are not asked for are removed, so that a folder is one make.

    facts  what else the record should hold, such as where the places come from

    Raises InputError as `build` does, and when a file cannot be written.
    """
    built = {pool.name: pool for pool in build(order, pools)}
    folder = output_folder(out)
    remove_file(folder / RUN_FILE)
    remove_file(folder / LOG_FILE)
    save(folder, {name: pool.rows for name, pool in built.items()}, _settings(order, built, facts))
    return built


def save(
    folder: Path, rows: Mapping[str, Sequence[Mapping[str, Any]]], settings: Mapping[str, Any]
) -> None:
    """Write rows and settings in the published layout, and remove pools that have no rows.

    rows  by the name of their pool

    Raises InputError when a file cannot be written.
    """
    remove_file(folder / SETTINGS)
    for name in POOLS:
        if rows.get(name):
            write_records(folder / f"{name}.jsonl", rows[name])
        else:
            remove_file(folder / f"{name}.jsonl")
    with atomic_file(folder / SETTINGS) as handle:
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


def _pool(name: str, order: Order) -> Pool:
    binder, pool = Binder(name, order), Pool(name)
    for tuple_set in track(range(order.sets), name.replace("_", " ")):
        rng = random.Random(f"{order.seed} {name} {tuple_set} texts")
        stock, openings = Stock(rng), set[str]()
        for plan in binder.plans(tuple_set):
            utterances = _written(plan, stock, openings, pool.rejected, rng)
            pool.rows.append(row(plan, stamped(plan, utterances, rng), len(pool.rows)))
    return pool


def _written(
    plan: Plan, stock: Stock, openings: set[str], rejected: Counter[str], rng: random.Random
) -> Utterances:
    for _ in range(MOST_TRIES):
        utterances = _WRITERS[plan.pool](plan, stock, rng)
        texts = [text for _, text in utterances]
        opening = starting_phrase(texts[0].replace(plan.partner or "\0", "").strip())
        if leaks(plan, texts):
            rejected["states the fact"] += 1
        elif opening in openings:
            rejected["begins like another"] += 1
        elif len(texts) != (CHAT_UTTERANCES if plan.is_chat else 1):
            rejected["of the wrong length"] += 1
        else:
            openings.add(opening)
            return utterances
    raise InputError(
        f"No draft of document {plan.number} in set {plan.tuple_set} of {plan.pool} was good "
        f"({', '.join(rejected)}). Ask for fewer --tuples or take another --seed."
    )


def _settings(order: Order, pools: Mapping[str, Pool], facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": "implicit-facts",
        "kind": "implicit-facts",
        "built_by": "rules",
        "source": "made by leadline synthesize implicit-facts, by rules",
        "builder": "leadline.kinds.implicit_facts.by_rules",
        "leadline": __version__,
        "seed": order.seed,
        "sets": order.sets,
        "tuples": order.tuples,
        "algorithm": order.algorithm,
        **facts,
        "pools": {name: pool.counts() for name, pool in pools.items()},
    }
