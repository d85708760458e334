"""Facts about time that follow from a text. 13 March 2024 is a Wednesday."""

from __future__ import annotations

import json

import pytest

from derived import SAID, derived_times
from leadline.types import Document, Fact, Query
from leadline_facts.temporal import build, temporal_facts


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("I sold the boat nine days ago.", "2024-03-04"),
        ("We paint the shed the day after tomorrow.", "2024-03-15"),
        ("It snowed last night.", "2024-03-12"),
        ("The boiler broke on Saturday.", "2024-03-09"),
        ("The choir sings on Saturday.", "2024-03-16"),
        ("The fair opens a week on Saturday.", "2024-03-23"),
        ("Sports day is Thursday week.", "2024-03-21"),
        ("They wed ten years ago today.", "2014-03-13"),
        ("Results are out in three weeks' time.", "2024-04-03"),
        ("Rent is due on the first of next month.", "2024-04-01"),
        ("We signed on the 28th.", "2024-02-28"),
        ("We picnic on Whit Monday.", "2024-05-20"),
        ("He quit at the end of last month.", "2024-02-29"),
        ("The dam is four weeks away from us, the fair is nine days off.", "2024-03-22"),
        ("The pool opens on the Friday before Memorial Day.", "2024-05-24"),
    ],
)
def test_a_day_is_counted_from_the_message(sentence: str, day: str) -> None:
    assert ("date", day) in derived_times(SAID + sentence)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Fire at the mill on 2 June 2019. Three days later the roof fell in.", "2019-06-05"),
        ("Admitted 28.12.2020. She was discharged after nine days.", "2021-01-06"),
        ("The launch was on 3 May 2021, and the review came a fortnight after that.", "2021-05-17"),
        ("He landed on 30 April 2022 and left the following morning.", "2022-05-01"),
        ("We met on Ash Wednesday, 2022, and again the day after.", "2022-03-03"),
    ],
)
def test_a_day_is_counted_from_an_event_told_before(text: str, day: str) -> None:
    assert ("date", day) in derived_times(text)


def test_parallel_counts_share_their_anchor() -> None:
    text = SAID + "I have to teach 2 days later and then again 6 days later."
    # 13 + 2 = 15, 13 + 6 = 19
    assert derived_times(text) == [("date", "2024-03-15"), ("date", "2024-03-19")]


def test_the_event_named_is_the_anchor() -> None:
    told = "Surgery was on 1 May 2020. Physiotherapy began on 9 May 2020."
    text = f"{told} Two weeks after surgery he ran."
    # 1 May + 14 days, not 9 May + 14 days
    assert ("date", "2020-05-15") in derived_times(text)


@pytest.mark.parametrize(
    ("sentence", "first", "last"),
    [
        ("We are away from 3 to 14 June.", "2024-06-03", "2024-06-14"),
        ("I was in Bonn from Monday to Wednesday last week.", "2024-03-04", "2024-03-06"),
        ("The course lasts for three days, starting tomorrow.", "2024-03-14", "2024-03-16"),
        ("The lease began on 1 May 2022 and runs for two years.", "2022-05-01", "2024-04-30"),
        ("Sales in the last quarter of 2023 fell.", "2023-10-01", "2023-12-31"),
    ],
)
def test_a_stretch_of_days_has_both_its_ends(sentence: str, first: str, last: str) -> None:
    assert ("date_range", [first, last]) in derived_times(SAID + sentence)


@pytest.mark.parametrize(("word", "time"), [("noon", "12:00"), ("midnight", "00:00")])
def test_noon_and_midnight_stand_in_the_text(word: str, time: str) -> None:
    text = f"{SAID}Payment is due by {word}."
    [fact] = [each for each in temporal_facts(text) if each.kind == "time"]
    assert (fact.value, fact.role, fact.confidence) == (time, "stated", 1.0)


@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("Dinner is at half past seven in the evening.", "19:30"),
        ("Lunch is half an hour before noon.", "11:30"),
        ("The coach leaves at 22:35 and the journey takes seven hours fifty minutes.", "06:25"),
        ("It starts at 3 p.m. and the prizes come ninety minutes later.", "16:30"),
        ("The train goes in 25 minutes.", "10:25"),
    ],
)
def test_a_time_is_worked_out(sentence: str, time: str) -> None:
    assert ("time", time) in derived_times(SAID + sentence)


def test_a_shift_over_midnight_ends_on_the_next_day() -> None:
    text = "Alarm at 22:45 on 14 March 2022. The crew stood down three hours later."
    assert ("time", "01:45") in derived_times(text)
    assert ("date", "2022-03-15") in derived_times(text)


def test_hours_are_tied_to_each_day_of_an_activity() -> None:
    text = (
        SAID + "I taught yesterday and I will teach tomorrow, both times"
        " from three to six in the afternoon."
    )
    assert [value for kind, value in derived_times(text) if kind == "interval"] == [
        ["2024-03-12T15:00", "2024-03-12T18:00"],
        ["2024-03-14T15:00", "2024-03-14T18:00"],
    ]


def test_an_hour_in_the_next_sentence_belongs_to_the_day_before_it() -> None:
    text = SAID + "I painted the hall two days ago. I was at it from 8 a.m. for three hours."
    assert ("interval", ["2024-03-11T08:00", "2024-03-11T11:00"]) in derived_times(text)


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("My son turns 18 next month.", ("month", "2006-04")),
        ("Her 30th birthday was on Saturday.", ("date", "1994-03-09")),
        ("The club marks its centenary next year.", ("year", "1925")),
        ("He'll be 88 on the 30th.", ("date", "1936-03-30")),
    ],
)
def test_an_age_tells_when_it_began(sentence: str, fact: tuple[str, str]) -> None:
    assert fact in derived_times(SAID + sentence)


def test_age_at_an_event_counts_birthdays_passed() -> None:
    text = "Born 12 August 1989, she won on 3 July 2016 and on 20 August 2022."
    # before the birthday in 2016, after it in 2022
    assert [value for kind, value in derived_times(text) if kind == "age"] == [26, 33]


@pytest.mark.parametrize(
    "sentence",
    [
        "If it rains tomorrow, we cancel.",
        "We do not meet on Friday.",
        "I never swim on a Monday.",
        "We are open Monday to Friday.",
        "He said “see you next Tuesday” and laughed.",
        "We close within three weeks.",
        "It took a couple of days.",
        "Happy Thanksgiving to all!",
        "He denied that talks began two weeks ago.",
        "Let it rest overnight, then turn it the following morning.",
        "Every Tuesday she bakes.",
        "The book has a second edition.",
    ],
)
def test_what_is_not_asserted_or_not_fixed_gives_nothing(sentence: str) -> None:
    assert derived_times(SAID + sentence) == []


def test_without_a_date_anywhere_nothing_is_derived() -> None:
    assert derived_times("Left yesterday, back in a fortnight.") == []


def test_a_written_date_is_stated_not_derived() -> None:
    (fact,) = temporal_facts("The bridge opened on 4 May 2018.")
    assert (fact.role, fact.value) == ("stated", "2018-05-04")


def test_evidence_names_the_expression_and_the_stamp() -> None:
    text = SAID + "I sold it nine days ago."
    (fact,) = temporal_facts(text)
    assert [text[start:end] for start, end in fact.spans] == ["nine days ago", "2024-03-13 10:00"]
    assert fact.about == "Ann"


def test_facts_are_json_and_named_by_provider_and_version() -> None:
    enricher = build()
    document = Document("a", SAID + "Back in two days, from three to six in the afternoon.")
    ((id, facts),) = enricher.facts([document])
    assert id == "a"
    assert {fact.provider for fact in facts} == {enricher.name}
    for fact in facts:
        assert isinstance(fact, Fact)
        assert json.loads(json.dumps(fact.value)) == fact.value


def test_each_query_gets_its_own_constraints() -> None:
    queries = [Query("a", "open on 3 May 2024"), Query("b", "open late")]
    first, second = build().constraints(queries)
    assert [(each.kind, each.value) for each in first] == [("date", "2024-05-03")]
    assert second == ()


def test_a_sentence_without_end_is_read_in_bounded_depth() -> None:
    # each expression counts from the next one: unbounded, this would exhaust the stack
    facts = temporal_facts("On 1 May 2024 " + "the Friday before " * 600 + "Easter.")
    assert "2024-05-01" in {fact.value for fact in facts}
