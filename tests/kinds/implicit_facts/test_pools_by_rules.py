"""The six pools: what is unique where, exactly one positive, nothing stated outright."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.kinds.implicit_facts import pools_by_rules as by_rules
from leadline.kinds.implicit_facts import published as implicit_facts
from leadline.kinds.implicit_facts.places import read_places
from leadline.kinds.implicit_facts.pools import POOLS, Order
from leadline.retrievers import bm25

SETS, TUPLES = 3, 30
CHATS = [name for name in POOLS if name.endswith("unispeaker")]
FORUMS = [name for name in POOLS if name.endswith("multispeaker")]
_MESSAGE = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d), ([^:]+): (.*)")


def order(**changes) -> Order:
    places = read_places().places
    return Order(**({"seed": 5, "sets": SETS, "tuples": TUPLES, "places": places} | changes))


@pytest.fixture(scope="module")
def pools() -> dict[str, by_rules.Pool]:
    return {pool.name: pool for pool in by_rules.build(order(seed=11))}


def sets_of(pool: by_rules.Pool) -> list[list[dict]]:
    return [[row for row in pool.rows if row["tuple_set_id"] == i] for i in range(SETS)]


def messages(row: dict) -> list[tuple[str, str, str, str]]:
    found = [_MESSAGE.fullmatch(line) for line in row["pos_document"].split("\n")]
    assert all(found), row["pos_document"]
    return [match.groups() for match in found if match]


def speakers(row: dict) -> set[str]:
    return {speaker for _, _, speaker, _ in messages(row)}


def test_every_pool_has_its_sets_documents_and_questions(pools) -> None:
    for pool in pools.values():
        assert [row["id"] for row in pool.rows] == list(range(SETS * TUPLES))
        assert len({row["pos_document"] for row in pool.rows}) == SETS * TUPLES
        assert all(len(rows) == TUPLES for rows in sets_of(pool))


def test_questions_of_a_set_ask_for_different_values(pools) -> None:
    for name, pool in pools.items():
        for rows in sets_of(pool):
            key = {"arithmetic": "target", "wknow": "country"}.get(name.split("_")[0])
            if key is None:
                key = "asked" if name in CHATS else "target"
            assert len({row["tuple"][key] for row in rows}) == TUPLES
            assert len({row["answer"] for row in rows}) == TUPLES


@pytest.mark.parametrize("name", CHATS)
def test_a_chat_has_ten_utterances_by_two_speakers_on_one_day(pools, name: str) -> None:
    for row in pools[name].rows:
        said = messages(row)
        assert len(said) == 10
        assert len(speakers(row)) == 2
        assert row["main_speaker"] in speakers(row)
        assert len({day for day, *_ in said}) == 1
        assert [time for _, time, *_ in said] == sorted(time for _, time, *_ in said)


@pytest.mark.parametrize("name", ["arithmetic_multispeaker", "temporal_multispeaker"])
def test_a_post_has_five_sentences(pools, name: str) -> None:
    # World knowledge is left out: "St." in the name of a place ends no sentence.
    for row in pools[name].rows:
        [(*_, text)] = messages(row)
        assert len(re.findall(r"[.!?](?=\s|$)", text)) == 5, text


def test_a_main_speaker_belongs_to_one_set_of_one_pool(pools) -> None:
    mains = {(name, row["tuple_set_id"], row["main_speaker"])
             for name in CHATS for row in pools[name].rows}  # fmt: skip
    assert len(mains) == len({main for *_, main in mains}) == len(CHATS) * SETS
    names = {main for *_, main in mains}
    others = Counter(
        other
        for pool in pools.values()
        for row in pool.rows
        for other in speakers(row) - {row.get("main_speaker")}
    )
    assert not names & {other.split()[0] for other in others}


def test_members_and_brands_of_arithmetic_forums_occur_once(pools) -> None:
    rows = pools["arithmetic_multispeaker"].rows
    members = [speaker for row in rows for speaker in speakers(row)]
    brands = [row["answer"].rsplit(" ", 2)[0] for row in rows]
    assert len(set(members)) == len(set(brands)) == len(rows)
    elsewhere = {s for name in POOLS if name != "arithmetic_multispeaker"
                 for row in pools[name].rows for s in speakers(row)}  # fmt: skip
    assert not elsewhere & set(members)


def test_the_older_model_is_the_cheaper_one(pools) -> None:
    hint = re.compile(r"price_1: .* (\d{4}) model, (\d+) .* bought: .* (\d{4}) model, (\d+)")
    pairs: Counter[tuple[int, frozenset[str]]] = Counter()
    for row in pools["arithmetic_multispeaker"].rows:
        base_year, base, year, target = hint.fullmatch(row["explicit_hint"]).groups()
        assert (int(base_year) < int(year)) == (int(base) < int(target))
        assert 2013 <= min(int(base_year), int(year)) < max(int(base_year), int(year)) <= 2024
        pairs[row["tuple_set_id"], frozenset((base_year, year))] += 1
    assert max(pairs.values()) == 1


def test_no_document_states_its_fact(pools) -> None:
    for row in pools["arithmetic_unispeaker"].rows + pools["arithmetic_multispeaker"].rows:
        text = " ".join(text for *_, text in messages(row))
        assert not re.search(rf"(?<![\d,]){row['tuple']['target']}(?!\d)", text.replace(",", ""))
    for row in pools["temporal_multispeaker"].rows:
        assert row["tuple"]["target"] not in row["pos_document"]
    for row in pools["wknow_unispeaker"].rows + pools["wknow_multispeaker"].rows:
        assert row["tuple"]["country"] not in row["pos_document"]
    for row in pools["temporal_unispeaker"].rows:
        assert row["tuple"]["asked"][:10] not in row["pos_document"]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        by_rules.write(tmp_path / name, order(sets=1), facts={})
    by_rules.write(tmp_path / "other", order(sets=1, seed=6), facts={})
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted([*(f"{name}.jsonl" for name in POOLS), "benchmark.json"])
    for file in files:
        one, two, other = ((tmp_path / n / file).read_bytes() for n in ("one", "two", "other"))
        assert one == two != other


def test_a_folder_is_read_as_a_benchmark_built_by_rules(tmp_path: Path) -> None:
    by_rules.write(tmp_path, order(sets=2, tuples=5), facts={"places": {"table": "built in"}})
    for pool in implicit_facts.build(data=tmp_path):
        assert pool.built_by == "rules"
        assert "ImpliRet" not in pool.source
        assert len(pool.queries) == len(pool.corpus) == 10
        assert pool.built["kept"] == 10
    record = json.loads((tmp_path / "benchmark.json").read_text())
    assert (record["built_by"], record["seed"], record["sets"]) == ("rules", 5, 2)


def test_a_draft_that_states_the_fact_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = Counter[int]()
    draft = by_rules._Writer._draft

    def revealing(self, plan):
        drafts[plan.number] += 1
        said = draft(self, plan)
        if drafts[plan.number] == 1:
            said = [(speaker, f"{text} In {plan.values['country']}!") for speaker, text in said]
        return said

    monkeypatch.setattr(by_rules._Writer, "_draft", revealing)
    [pool] = by_rules.build(order(sets=1, tuples=4), ["wknow_multispeaker"])
    assert pool.counts() == {"considered": 8, "kept": 4, "dropped": {"states the fact": 4}}


def test_a_document_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = lambda self, plan: [(plan.speaker, "Always the same.")]  # noqa: E731
    monkeypatch.setattr(by_rules._Writer, "_draft", said)
    with pytest.raises(InputError, match=r"document 1 in set 0 .* \(begins like another\)"):
        by_rules.build(order(sets=1), ["temporal_multispeaker"])


@pytest.mark.parametrize(
    ("changes", "pool", "message"),
    [
        ({"sets": 60}, "temporal_multispeaker", "topics for 56 sets"),
        ({"tuples": 31}, "temporal_unispeaker", "30 activities"),
        ({"tuples": 110}, "wknow_unispeaker", "too few for sets of 110"),
    ],
)
def test_more_than_the_lists_hold_is_refused(changes, pool: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        by_rules.build(order(**changes), [pool])


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
    assert by_rules.write_review(tmp_path / "review.csv", pools, bm25.build()) == 24
    with (tmp_path / "review.csv").open(newline="") as handle:
        read = list(csv.DictReader(handle))
    assert Counter(row["pool"] for row in read) == {"one": 12, "two": 12}
    assert len({(row["pool"], row["id"]) for row in read}) == 24
    assert all(row["fluent (y/n)"] == "" for row in read)
    assert read[0]["answer"] == f"member {read[0]['id']}"
