"""Documents by a language model: what is kept, asked for again and dropped, and what is said."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from document_models import Models, document, kind_of, order, phrases, recovered
from leadline.errors import InputError
from leadline.kinds.implicit_facts import pools_by_model as by_model
from leadline.kinds.implicit_facts import published as implicit_facts
from leadline.kinds.implicit_facts.pools import POOLS, Binder, Order, Plan
from leadline.kinds.implicit_facts.pools_by_model import (
    TELLINGS,
    Post,
    briefs,
    first_fault,
    stated,
    usable,
)
from leadline.kinds.implicit_facts.wording import date_pattern, price_pattern
from leadline.llm.cached import CachedLLM
from leadline.llm.pipeline.running import IncompleteError
from leadline.llm.pipeline.steps import Models as Asked
from leadline.llm.requests import Failure
from leadline.llm.run_record import RunRecord
from scripted import ScriptedLLM
from tables import each_row

CHATS, POSTS = "arithmetic_unispeaker", "temporal_multispeaker"


def built(
    play, *pools: str, attempts: int = 3, verifier=None, into: RunRecord | None = None, **changes
) -> dict[str, by_model.Pool]:
    writer = ScriptedLLM(play)
    reader = ScriptedLLM(verifier or play, name="reader")
    asked = Asked(writer, reader, attempts)
    made = by_model.build(asked, order(**changes), into or RunRecord("run"), pools or POOLS)
    return {pool.name: pool for pool in made}


def test_questions_and_answers_are_those_of_the_plans() -> None:
    for name, pool in built(Models(order())).items():
        binder = Binder(name, order())
        plans = [plan for n in range(order().sets) for plan in binder.plans(n)]
        assert [(row["question"], row["answer"], row["explicit_hint"]) for row in pool.rows] == [
            (plan.question, plan.answer, plan.hint) for plan in plans
        ]


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


def refused_once(bad, into: RunRecord) -> tuple[dict[str, by_model.Pool], list[str]]:
    """Play a model whose first draft of a document is bad: `bad(prompt)`."""
    good, prompts = Models(order()), []

    def play(prompt: str) -> str:
        if kind_of(prompt) in ("chat", "post"):
            prompts.append(prompt)
            if "An earlier answer" not in prompt:
                return bad(prompt)
        return good(prompt)

    return built(play, CHATS, POSTS, into=into), prompts


def nine(prompt: str) -> str:
    made = document(prompt)
    return json.dumps({key: said[:-1] for key, said in made.items()})


def spoilt(place: int, chat: dict[str, str], post: str) -> Callable[[str], str]:
    """Change a turn of a chat, or write a sentence of a post otherwise; `{}` is what it was."""

    def bad(prompt: str) -> str:
        made = document(prompt)
        if "utterances" in made:
            made["utterances"][place] |= chat
        else:
            made["sentences"][place] = post.replace("{}", made["sentences"][place])
        return json.dumps(made)

    return bad


by_a_stranger = spoilt(3, {"speaker": "Nobody"}, "{} And one more.")
labelled = spoilt(0, {"text": "2024-05-05 10:00, hello."}, "[2024-05-05] {}")
hesitant = spoilt(0, {"text": "Um, hello."}, "Um, hello.")


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
    into = RunRecord("run")
    pools, prompts = refused_once(bad, into)
    for name, reason in ((CHATS, chats), (POSTS, posts)):
        step = into.step_named(f"{name}: write")
        assert (step.dropped, step.came_in) == ({reason: 6}, 12)
        assert (len(pools[name].rows), pools[name].dropped) == (6, {})
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

    into = RunRecord("run")
    assert len(built(play, CHATS, into=into)[CHATS].rows) == 6
    assert into.step_named(f"{CHATS}: write").dropped == {"states the fact": 6}
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

    into = RunRecord("run")
    assert len(built(good, CHATS, verifier=verifier, into=into)[CHATS].rows) == 6
    assert into.step_named(f"{CHATS}: verify").dropped == {"the prices were not recovered": 6}
    assert into.step_named(f"{CHATS}: write").came_in == 12


def test_a_document_whose_reading_makes_no_sense_is_read_again_not_written_again() -> None:
    good = Models(order())
    nonsense = ["Sorry?"] * 12  # each is asked for once more in the same attempt
    verifier = ScriptedLLM(lambda prompt: nonsense.pop() if nonsense else good(prompt))
    asked = Asked(ScriptedLLM(good), verifier)
    into = RunRecord("run")
    [pool] = by_model.build(asked, order(), into, [CHATS])
    assert into.step_named(f"{CHATS}: verify").dropped == {"the answer is no JSON": 6}
    assert (into.step_named(f"{CHATS}: write").came_in, len(pool.rows)) == (6, 6)


def test_an_outage_makes_the_run_incomplete_and_the_next_one_goes_on(tmp_path: Path) -> None:
    good = Models(order())
    failures = [Failure("timeout", transient=True)] * 2
    reader = ScriptedLLM(lambda prompt: failures.pop() if failures else good(prompt), name="r")
    models = Asked(
        CachedLLM(ScriptedLLM(good), tmp_path / "kept.sqlite"),
        CachedLLM(reader, tmp_path / "kept.sqlite"),
    )
    with pytest.raises(IncompleteError, match=r"records got no answer \(1 timeout\).*again"):
        by_model.write(tmp_path / "facts", models, order(), [CHATS], facts={})
    assert RunRecord.read(tmp_path / "facts").stopped
    assert not (tmp_path / "facts" / f"{CHATS}.jsonl").exists()
    by_model.write(tmp_path / "facts", models, order(), [CHATS], facts={})
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
    assert (counts["considered"], counts["kept"]) == (6, 5)
    assert counts["dropped"] == {"leaves out what it needs": 1}
    assert [row["id"] for row in pool.rows] == [0, 2, 3, 4, 5]
    assert lost.question not in {row["question"] for row in pool.rows}
    assert str(pool).endswith("5 documents and questions; left out: 1 leaves out what it needs")


def test_a_folder_is_read_as_a_benchmark_made_by_its_models(tmp_path: Path) -> None:
    good = Models(order())
    models = Asked(ScriptedLLM(good, name="w1"), ScriptedLLM(good, name="v1"))
    by_model.write(tmp_path, models, order(), facts={"places": {"table": "built in"}})
    for pool in implicit_facts.build(data=tmp_path):
        assert pool.built_by == "llm"
        assert "written by w1, verified by v1" in pool.source
        assert (len(pool.queries), pool.built["kept"], pool.quoted) == (6, 6, ())
    record = json.loads((tmp_path / "benchmark.json").read_text())
    assert record["writer"] == {"model": "w1"}
    row = json.loads((tmp_path / f"{CHATS}.jsonl").read_text().partition("\n")[0])
    assert (row["made"]["model"], row["made"]["verified_by"]) == ("w1", "v1")
    steps = [step.name for step in RunRecord.read(tmp_path).steps]
    assert steps[:3] == [f"{CHATS}: {each}" for each in ("phrases", "write", "verify")]


def test_a_model_that_gives_nothing_usable_is_told(tmp_path: Path) -> None:
    def play(prompt: str) -> str:
        return phrases(prompt) if kind_of(prompt) == "phrases" else "No."

    models = Asked(ScriptedLLM(play), ScriptedLLM(play), attempts=1)
    with pytest.raises(
        InputError, match=r"No document of scripted .* \(12 the answer is no JSON\)"
    ):
        by_model.write(tmp_path, models, order(), [CHATS, POSTS], facts={})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "run.json"]


def plans(pool: str, **changes) -> list[Plan]:
    return Binder(pool, order(**changes)).plans(0)


def priced(target: int) -> Plan:
    """A purchase at a price."""
    [plan, *_] = plans("arithmetic_unispeaker")
    values = {**plan.values, "target": target}
    return replace(plan, values=values, secrets=(price_pattern(target),))


@each_row
def test_a_price_is_found_however_it_is_said(target: int, text: str) -> None:
    assert stated(priced(target), ["How odd.", text])


@each_row
def test_a_part_of_another_number_is_no_price(target: int, text: str) -> None:
    assert not stated(priced(target), [text])


def test_a_date_is_found_in_words_and_by_its_day_alone() -> None:
    [plan, *_] = plans("temporal_multispeaker")
    secrets = (date_pattern(date(2024, 5, 9)),)
    plan = replace(plan, values={**plan.values, "target": "2024-05-09"}, secrets=secrets)
    for text in ("On the ninth of May I did.", "I did on May 9th.", "I did it on the 9th."):
        assert stated(plan, [text])
    for text in ("I may do it in 9 days.", "At nine on the market.", "My 9th attempt."):
        assert not stated(plan, [text])


def test_a_document_must_not_state_what_another_of_its_set_implies() -> None:
    group = plans("wknow_multispeaker")
    [brief, *_] = briefs(group, [], seed=0)
    plan, other = group[0], group[1]
    lines = [
        f"{brief.opening}.",
        f"It was at {plan.slots['landmark']}.",
        f"I have never been to {other.values['country']}.",
        "I liked it.",
        "Go there.",
    ]
    found = first_fault(Post(sentences=lines), brief, group)
    assert found is not None
    assert (found.reason, other.values["country"] in found.problem) == (
        "states what another implies",
        True,
    )
    lines[2] = "I have never been abroad."
    assert first_fault(Post(sentences=lines), brief, group) is None


def test_starting_phrases_do_not_begin_each_other_nor_name_anybody() -> None:
    group = plans("temporal_unispeaker")
    phrases = [
        "So, how have you been?",
        "so how have you",  # the beginning of the first
        "Well",  # one word
        "In 3 days I will",
        f"Dear {group[0].partner} my friend",
        '"I meant to write"',
    ]
    assert list(usable(phrases, group, [])) == ["So, how have you been?", "I meant to write"]


def found_by_reader(pool: str, ordered: Order, **changes) -> str:
    """Return why a document goes when a reader finds something else than its plan."""
    plan = Binder(pool, ordered).plans(0)[0]
    telling = TELLINGS[pool]
    answer = type(telling.usual).model_validate({**recovered(plan), **changes})
    fault = telling.fault(answer, plan, "2024-01-01 10:00, Ann: We were in old Vienna.")
    return fault.problem if fault else ""


@each_row
def test_what_a_reader_finds_must_be_what_was_to_be_told(pool: str, changes: dict) -> None:
    assert found_by_reader(pool, order(), **changes)
