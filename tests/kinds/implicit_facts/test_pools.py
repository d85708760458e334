"""The six pools before a word is written: what is unique where."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.kinds.implicit_facts.places import read_places
from leadline.kinds.implicit_facts.pools import POOLS, Binder, Order, Plan
from leadline.kinds.implicit_facts.pools_by_model import write_review
from leadline.retrievers import bm25
from tables import each_row

SETS, TUPLES = 3, 30
CHATS = [name for name in POOLS if name.endswith("unispeaker")]


def order(**changes) -> Order:
    places = read_places().places
    return Order(**({"seed": 5, "sets": SETS, "tuples": TUPLES, "places": places} | changes))


@pytest.fixture(scope="module")
def pools() -> dict[str, list[list[Plan]]]:
    binders = {name: Binder(name, order(seed=11)) for name in POOLS}
    return {name: [each.plans(n) for n in range(SETS)] for name, each in binders.items()}


def test_questions_of_a_set_ask_for_different_values(pools) -> None:
    for name, sets in pools.items():
        for plans in sets:
            key = {"arithmetic": "target", "wknow": "country"}.get(name.split("_")[0])
            if key is None:
                key = "asked" if name in CHATS else "target"
            assert len({plan.values[key] for plan in plans}) == TUPLES
            assert len({plan.answer for plan in plans}) == TUPLES


def test_a_main_speaker_belongs_to_one_set_of_one_pool(pools) -> None:
    mains = {(name, plan.tuple_set, plan.speaker)
             for name in CHATS for plans in pools[name] for plan in plans}  # fmt: skip
    assert len(mains) == len({main for *_, main in mains}) == len(CHATS) * SETS
    every = [plan for sets in pools.values() for plans in sets for plan in plans]
    others = [plan.partner if plan.is_chat else plan.speaker for plan in every]
    assert not {main for *_, main in mains} & {other.split()[0] for other in others}


def test_members_and_brands_of_arithmetic_forums_occur_once(pools) -> None:
    plans = [plan for plans in pools["arithmetic_multispeaker"] for plan in plans]
    members = {plan.speaker for plan in plans}
    brands = {plan.answer.rsplit(" ", 2)[0] for plan in plans}
    assert len(members) == len(brands) == len(plans)
    elsewhere = {who for name in POOLS if name != "arithmetic_multispeaker"
                 for some in pools[name] for plan in some
                 for who in (plan.speaker, plan.partner)}  # fmt: skip
    assert not elsewhere & members


def test_the_older_model_is_the_cheaper_one(pools) -> None:
    hint = re.compile(r"price_1: .* (\d{4}) model, (\d+) .* bought: .* (\d{4}) model, (\d+)")
    pairs: Counter[tuple[int, frozenset[str]]] = Counter()
    for plan in (plan for plans in pools["arithmetic_multispeaker"] for plan in plans):
        base_year, base, year, target = hint.fullmatch(plan.hint).groups()
        assert (int(base_year) < int(year)) == (int(base) < int(target))
        assert 2013 <= min(int(base_year), int(year)) < max(int(base_year), int(year)) <= 2024
        pairs[plan.tuple_set, frozenset((base_year, year))] += 1
    assert max(pairs.values()) == 1


@each_row
def test_more_than_the_lists_hold_is_refused(changes, pool: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Binder(pool, order(**changes)).plans(0)


def birds(pool: str) -> list[dict[str, object]]:
    return [
        {
            "pool": pool,
            "id": i,
            "question": f"Who saw bird number {i}?",
            "answer": f"member {i}",
            "pos_document": f"A member saw bird number {i}, {'and a heron ' * (i % 7)}at dawn.",
        }
        for i in range(60)
    ]


def test_a_sheet_has_twelve_documents_of_each_pool_and_columns_to_fill(tmp_path: Path) -> None:
    pools = {name: birds(name) for name in ("one", "two")}
    assert write_review(tmp_path / "review.csv", pools, bm25.build()) == 24
    with (tmp_path / "review.csv").open(newline="") as handle:
        read = list(csv.DictReader(handle))
    assert Counter(row["pool"] for row in read) == {"one": 12, "two": 12}
    assert len({(row["pool"], row["id"]) for row in read}) == 24
    assert all(row["fluent (y/n)"] == "" for row in read)
    assert read[0]["answer"] == f"member {read[0]['id']}"
