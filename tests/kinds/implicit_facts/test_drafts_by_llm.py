"""What code finds wrong with a draft, and what a second model must have read in it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from document_models import order, recovered
from leadline.kinds.implicit_facts import by_rules
from leadline.kinds.implicit_facts.amounts import price_pattern
from leadline.kinds.implicit_facts.binding import POOLS, Binder, Order
from leadline.kinds.implicit_facts.by_llm_briefs import (
    Brief,
    begins_with,
    briefs,
    usable,
)
from leadline.kinds.implicit_facts.by_llm_drafts import (
    Chat,
    Post,
    Utterance,
    alike,
    first_fault,
    stated,
    tidied,
)
from leadline.kinds.implicit_facts.by_llm_recovery import RECOVERIES
from leadline.kinds.implicit_facts.plans import Plan
from leadline.text.sentences import split_sentences


def plans(pool: str, **changes) -> list[Plan]:
    return Binder(pool, order(**changes)).plans(0)


def priced(target: int) -> Plan:
    """A purchase at a price."""
    [plan, *_] = plans("arithmetic_unispeaker")
    values = {**plan.values, "target": target}
    return replace(plan, values=values, secrets=(price_pattern(target),))


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (450, "It was $450 in the end."),
        (450, "It was 450.00 dollars."),
        (450, "Four hundred and fifty, would you believe it."),
        (450, "I paid four fifty for it."),
        (1450, "It cost 1,450 dollars."),
        (1450, "It cost 1\u202f450 dollars."),
        (1450, "It cost ４ cents and 1450 dollars."),
        (1450, "Fourteen hundred and fifty dollars gone."),
        (1450, "Fourteen\u2011fifty, all in."),
        (1450, "About 1.45k."),
        (2000, "Two grand for a rug."),
    ],
)
def test_a_price_is_found_however_it_is_said(target: int, text: str) -> None:
    assert stated(priced(target), ["How odd.", text])


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (450, "It was $1,450."),
        (450, "450% more than that."),
        (50, "Four hundred and fifty dollars."),
        (1450, "The 1.45 times dearer one."),
        (2000, "Two grandchildren came by."),
    ],
)
def test_a_part_of_another_number_is_no_price(target: int, text: str) -> None:
    assert not stated(priced(target), [text])


def test_a_date_is_found_in_words_and_by_its_day_alone() -> None:
    [plan, *_] = plans("temporal_multispeaker")
    plan = replace(plan, values={**plan.values, "target": "2024-05-09"}, secrets=())
    for text in ("On the ninth of May I did.", "I did on May 9th.", "I did it on the 9th."):
        assert stated(plan, [text])
    for text in ("I may do it in 9 days.", "At nine on the market.", "My 9th attempt."):
        assert not stated(plan, [text])


def test_documents_by_rules_have_no_fault() -> None:
    """Six pools of other documents that state nothing: none of them is refused."""
    ordered = order(seed=1, tuples=30)
    for pool in by_rules.build(ordered):
        binder = Binder(pool.name, ordered)
        sets = [binder.plans(number) for number in range(ordered.sets)]
        for row in pool.rows:
            group = sets[row["tuple_set_id"]]
            plan = group[row["id"] % ordered.tuples]
            said = [
                re.fullmatch(r"[^,]*, ([^:]+): (.*)", line).groups()
                for line in row["pos_document"].split("\n")
            ]
            brief = Brief(plan, plan.speaker, " ".join(said[0][1].split()[:3]), "")
            assert first_fault(as_answer(plan, said), brief, [plan]) is None, row["pos_document"]


def as_answer(plan: Plan, said: list[tuple[str, str]]) -> Chat | Post:
    if plan.is_chat:
        return Chat(utterances=[Utterance(speaker=who, text=text) for who, text in said])
    return Post(sentences=[each.text for each in split_sentences(said[0][1])])


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


def test_names_that_a_model_puts_before_messages_are_taken_off() -> None:
    chat = Chat(utterances=[Utterance(speaker="Ann ", text="Ann: so\n it\u2028goes")])
    assert tidied(chat) == Chat(utterances=[Utterance(speaker="Ann", text="so it goes")])


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
    assert begins_with("I meant to write: sorry!", "I meant, to write")
    assert not begins_with("I mean to write", "I meant to write")


def test_a_thing_is_recognised_in_other_forms_of_its_words() -> None:
    assert alike("rehearse with the brass band", "rehearsing in a brass band") == 1.0
    assert alike("bake for the school fair", "fixing the bicycle") == 0.0


def found_by_reader(pool: str, ordered: Order, **changes) -> str:
    """Return why a document goes when a reader finds something else than its plan."""
    plan = Binder(pool, ordered).plans(0)[0]
    recovery = RECOVERIES[pool]
    answer = recovery.shape.model_validate({**recovered(plan), **changes})
    fault = recovery.fault(answer, plan, "2024-01-01 10:00, Ann: We were in old Vienna.")
    return fault.problem if fault else ""


@pytest.mark.parametrize("pool", POOLS)
def test_what_a_good_reader_finds_passes(pool: str) -> None:
    assert not found_by_reader(pool, order())


@pytest.mark.parametrize(
    ("pool", "changes"),
    [
        ("arithmetic_unispeaker", {"paid": -1}),
        ("arithmetic_unispeaker", {"other_price": 1}),
        ("arithmetic_multispeaker", {"bought": "the older one"}),
        ("temporal_unispeaker", {"days": []}),
        ("temporal_unispeaker", {"end": 24}),
        ("temporal_unispeaker", {"activity": "sleep"}),
        ("temporal_multispeaker", {"date": "2024-01-01"}),
        ("temporal_multispeaker", {"member": "Nobody"}),
        ("wknow_unispeaker", {"purpose": ""}),
        ("wknow_multispeaker", {"landmark": "a museum"}),
        ("wknow_multispeaker", {"elsewhere": ["old Vienna"]}),
    ],
)
def test_what_a_reader_finds_must_be_what_was_to_be_told(pool: str, changes: dict) -> None:
    assert found_by_reader(pool, order(), **changes)


def test_a_place_that_is_not_in_the_document_gives_nothing_away() -> None:
    assert not found_by_reader("wknow_multispeaker", order(), elsewhere=["Rome", ""])


def test_briefs_are_the_same_for_the_same_seed() -> None:
    group = plans("temporal_unispeaker")
    phrases = ["one thing first", "two things first", "three things first"]
    assert briefs(group, phrases, seed=4) == briefs(group, phrases, seed=4)
    assert {brief.opening for brief in briefs(group, phrases, seed=4)} == set(phrases)
