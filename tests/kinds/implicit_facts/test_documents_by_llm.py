"""Documents by a language model: what is kept, asked for again and dropped, and what is said."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from document_models import Models, document, kind_of, order, phrases
from leadline.errors import InputError
from leadline.kinds.implicit_facts import by_llm, by_rules
from leadline.kinds.implicit_facts import published as implicit_facts
from leadline.kinds.implicit_facts.binding import POOLS
from leadline.kinds.implicit_facts.by_llm_making import Pool
from leadline.llm.cached import CachedLLM
from leadline.llm.pipeline.models import Models as Asked
from leadline.llm.pipeline.running import IncompleteError
from leadline.llm.requests import Failure
from leadline.llm.run_record import RunRecord
from leadline.llm.scripted import ScriptedLLM

CHATS, POSTS = "arithmetic_unispeaker", "temporal_multispeaker"


def built(play, *pools: str, attempts: int = 3, verifier=None, **changes) -> dict[str, Pool]:
    writer = ScriptedLLM(play)
    reader = ScriptedLLM(verifier or play, name="reader")
    asked = Asked(writer, reader, attempts)
    made = by_llm.build(asked, order(**changes), RunRecord("run"), pools or POOLS)
    return {pool.name: pool for pool in made}


def texts(row: dict) -> list[tuple[str, str]]:
    lines = row["pos_document"].split("\n")
    found = [re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d, ([^:]+): (.+)", line) for line in lines]
    assert all(found), lines
    return [match.groups() for match in found if match]


def test_questions_and_answers_are_those_of_the_same_seed_by_rules() -> None:
    rules = {pool.name: pool.rows for pool in by_rules.build(order())}
    same = ("id", "tuple_set_id", "question", "answer", "explicit_hint", "tuple")
    for name, pool in built(Models(order())).items():
        assert [[row[key] for key in same] for row in pool.rows] == [
            [row[key] for key in same] for row in rules[name]
        ]


def test_chats_have_ten_messages_of_two_and_replies_five_sentences_of_one() -> None:
    for name, pool in built(Models(order())).items():
        for row in pool.rows:
            said = texts(row)
            if name.endswith("unispeaker"):
                assert len(said) == 10
                assert len({speaker for speaker, _ in said}) == 2
                assert row["main_speaker"] in {speaker for speaker, _ in said}
            else:
                [(_, text)] = said
                assert len(re.findall(r"[.!?](?=\s|$)", text)) == 5


def test_documents_of_a_set_begin_with_different_phrases() -> None:
    rows = built(Models(order()), CHATS)[CHATS].rows
    begun = Counter((row["tuple_set_id"], texts(row)[0][1]) for row in rows)
    assert max(begun.values()) == 1


def test_our_own_phrases_fill_in_for_those_a_model_does_not_give() -> None:
    good = Models(order())

    def play(prompt: str) -> str:
        if kind_of(prompt) == "phrases":
            return json.dumps(
                {"phrases": ["Oh dear me", "Oh dear me", "3 things", "Oh dear me again"]}
            )
        return good(prompt)

    for name, pool in built(play, CHATS, POSTS).items():
        assert len(pool.rows) == 6, name
        assert pool.own == 4  # two of three, in each of two sets


def refused_once(bad) -> tuple[dict[str, Pool], list[str]]:
    """Play a model whose first draft of a document is bad: `bad(prompt)`."""
    good, prompts = Models(order()), []

    def play(prompt: str) -> str:
        if kind_of(prompt) in ("chat", "post"):
            prompts.append(prompt)
            if "An earlier answer" not in prompt:
                return bad(prompt)
        return good(prompt)

    return built(play, CHATS, POSTS), prompts


def nine(prompt: str) -> str:
    made = document(prompt)
    return json.dumps({key: said[:-1] for key, said in made.items()})


def by_a_stranger(prompt: str) -> str:
    made = document(prompt)
    if "utterances" in made:
        made["utterances"][3]["speaker"] = "Nobody"
    else:
        made["sentences"][3] += " And one more."
    return json.dumps(made)


def labelled(prompt: str) -> str:
    made = document(prompt)
    if "utterances" in made:
        made["utterances"][4]["text"] = "2024-05-05 10:00, hello."
    else:
        made["sentences"][0] = f"[2024-05-05] {made['sentences'][0]}"
    return json.dumps(made)


def hesitant(prompt: str) -> str:
    made = document(prompt)
    if "utterances" in made:
        made["utterances"][0]["text"] = "Um, hello."
    else:
        made["sentences"][0] = "Um, hello."
    return json.dumps(made)


@pytest.mark.parametrize(
    ("bad", "chats", "posts"),
    [
        (nine, "not ten utterances", "not five sentences"),
        (by_a_stranger, "other speakers", "not five sentences"),
        (labelled, "labels of its own", "labels of its own"),
        (
            lambda prompt: json.dumps(document(prompt, "I have nothing to tell.")),
            "leaves out what it needs",
            "leaves out what it needs",
        ),
        (hesitant, "begins otherwise", "begins otherwise"),
        (lambda prompt: "I would rather not.", "the answer is no JSON", "the answer is no JSON"),
    ],
)  # fmt: skip
def test_a_bad_draft_is_asked_for_again_with_what_was_wrong(bad, chats: str, posts: str) -> None:
    pools, prompts = refused_once(bad)
    for name, reason in ((CHATS, chats), (POSTS, posts)):
        counts = pools[name].counts()
        assert counts["refused"] == {reason: 6}
        assert (counts["kept"], counts["kept_first_time"], counts["regenerated"]) == (6, 0, 6)
        assert (counts["drafts"], counts["dropped"]) == (12, {})
    again = [prompt for prompt in prompts if "What was wrong with it" in prompt]
    assert len(again) == 12


def test_a_draft_that_states_the_fact_is_told_which_words_do() -> None:
    good, prompts = Models(order()), []

    def play(prompt: str) -> str:
        if kind_of(prompt) == "chat":
            prompts.append(prompt)
            if "An earlier answer" not in prompt:
                plan = good.plan_of(prompt)
                price = plan.values["target"]
                fact = document(prompt)["utterances"]
                told = next(each for each in fact if "costs" in each["text"])
                told["text"] += f" That made {price:,} dollars."
                return json.dumps({"utterances": fact})
        return good(prompt)

    counts = built(play, CHATS)[CHATS].counts()
    assert counts["refused"] == {"states the fact": 6}
    assert counts["kept"] == 6
    assert re.search(r"It says what must not be said: <quoted>\n[\d,]+\n</quoted>", prompts[-1])


def test_a_document_that_cannot_be_read_back_is_written_again() -> None:
    good, reads = Models(order()), Counter()

    def verifier(prompt: str) -> str:
        plan = good.plan_in(prompt)
        reads[plan.tuple_set, plan.number] += 1
        answer = json.loads(good(prompt))
        if reads[plan.tuple_set, plan.number] == 1:
            answer["paid"] += 10
        return json.dumps(answer)

    counts = built(good, CHATS, verifier=verifier)[CHATS].counts()
    assert counts["refused"] == {"the prices were not recovered": 6}
    assert (counts["kept"], counts["regenerated"]) == (6, 6)


def test_a_document_whose_reading_makes_no_sense_is_read_again_not_written_again() -> None:
    good = Models(order())
    nonsense = ["Sorry?"] * 12  # each is asked for once more in the same attempt
    verifier = ScriptedLLM(lambda prompt: nonsense.pop() if nonsense else good(prompt))
    asked = Asked(ScriptedLLM(good), verifier)
    [pool] = by_llm.build(asked, order(), RunRecord("run"), [CHATS])
    counts = pool.counts()
    assert counts["unread"] == {"the answer is no JSON": 6}
    assert (counts["drafts"], counts["kept"], counts["kept_first_time"]) == (6, 6, 6)


def test_an_outage_makes_the_run_incomplete_and_the_next_one_goes_on(tmp_path: Path) -> None:
    good = Models(order())
    failures = [Failure("timeout", transient=True)] * 2
    reader = ScriptedLLM(lambda prompt: failures.pop() if failures else good(prompt), name="r")
    models = Asked(
        CachedLLM(ScriptedLLM(good), tmp_path / "kept.sqlite"),
        CachedLLM(reader, tmp_path / "kept.sqlite"),
    )
    with pytest.raises(IncompleteError, match=r"tuple sets got no answer \(1 timeout\).*again"):
        by_llm.write(tmp_path / "facts", models, order(), [CHATS], facts={})
    assert RunRecord.read(tmp_path / "facts").stopped
    assert not (tmp_path / "facts" / f"{CHATS}.jsonl").exists()
    by_llm.write(tmp_path / "facts", models, order(), [CHATS], facts={})
    assert models.writer.llm.asked  # once each: what was answered is not asked for again
    assert max(Counter(models.writer.llm.asked).values()) == 1
    assert max(Counter(reader.asked).values()) == 2


def test_what_is_never_good_is_dropped_and_its_set_is_said_to_be_short() -> None:
    good = Models(order())
    lost = good.plans[1]  # of set 0 of the first pool, the chats of purchases

    def play(prompt: str) -> str:
        if kind_of(prompt) == "chat" and good.plan_of(prompt) is lost:
            return json.dumps(document(prompt, "Let us talk of something else."))
        return good(prompt)

    pool = built(play, CHATS, attempts=2)[CHATS]
    counts = pool.counts()
    assert (counts["considered"], counts["kept"], counts["drafts"]) == (6, 5, 7)
    assert counts["dropped"] == {"leaves out what it needs": 1}
    assert counts["short_sets"] == {"0": 2}
    assert [row["id"] for row in pool.rows] == [0, 2, 3, 4, 5]
    assert lost.question not in {row["question"] for row in pool.rows}
    assert "5 of 6 documents" in str(pool)
    assert "sets with fewer documents: 0 (2)" in str(pool)


def test_a_folder_is_read_as_a_benchmark_made_by_its_models(tmp_path: Path) -> None:
    good = Models(order())
    models = Asked(ScriptedLLM(good, name="w1"), ScriptedLLM(good, name="v1"))
    by_llm.write(tmp_path, models, order(), facts={"places": {"table": "built in"}})
    for pool in implicit_facts.build(data=tmp_path):
        assert pool.built_by == "llm"
        assert "written by w1, verified by v1" in pool.source
        assert (len(pool.queries), pool.built["kept"], pool.quoted) == (6, 6, ())
    record = json.loads((tmp_path / "benchmark.json").read_text())
    assert record["writer"] == {"model": "w1"}
    assert re.fullmatch("[0-9a-f]{12}", record["prompts"]["write_chat"])
    row = json.loads((tmp_path / f"{CHATS}.jsonl").read_text().partition("\n")[0])
    assert (row["made"]["model"], row["made"]["verified_by"]) == ("w1", "v1")
    steps = [step.name for step in RunRecord.read(tmp_path).steps]
    assert steps[:3] == [f"{CHATS}: {each}" for each in ("phrases", "write", "verify")]


def test_pools_by_rules_in_the_same_folder_leave_no_record_of_models(tmp_path: Path) -> None:
    good = Models(order())
    models = Asked(ScriptedLLM(good), ScriptedLLM(good))
    by_llm.write(tmp_path, models, order(), [POSTS], facts={})
    by_rules.write(tmp_path, order(), [CHATS], facts={})
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{CHATS}.jsonl", "benchmark.json"]


def test_the_same_answers_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        llm = ScriptedLLM(Models(order()))
        by_llm.write(tmp_path / name, Asked(llm, llm), order(), facts={})
    for file in [*(f"{name}.jsonl" for name in POOLS), "benchmark.json"]:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_model_that_gives_nothing_usable_is_told(tmp_path: Path) -> None:
    def play(prompt: str) -> str:
        return phrases(prompt) if kind_of(prompt) == "phrases" else "No."

    models = Asked(ScriptedLLM(play), ScriptedLLM(play), attempts=1)
    with pytest.raises(
        InputError, match=r"No document of scripted .* \(12 the answer is no JSON\)"
    ):
        by_llm.write(tmp_path, models, order(), [CHATS, POSTS], facts={})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "run.json"]


def test_an_unknown_pool_brings_the_nearest_names() -> None:
    with pytest.raises(InputError, match="'temporal_unispeaker'"):
        built(Models(order()), "temporal_unispeakers")
