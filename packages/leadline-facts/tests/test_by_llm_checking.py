"""Claims of a language model: what holds becomes a fact, and what does not is counted."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.types import Fact
from leadline_facts.llm_facts import checking
from leadline_facts.llm_facts.answers import KINDS
from leadline_facts.llm_facts.checking import Checking
from leadline_facts.llm_facts.derivation import (
    MISREAD,
    NO_OPERATION,
    NOT_FITTING,
    NOT_QUOTED,
    OPERATIONS,
)
from leadline_facts.llm_facts.words import Words

TEXT = """[2024-03-05 09:00] Ana: the plumber came two days ago. He wants $40 an hour and says it \
takes three. Next visit on Friday week at half past two in the afternoon. I was under the Eiffel \
Tower!
[2024-03-06 10:15] Bob: I paid €84 plus 20% tip, split three ways. The film lasts an hour and fifty
minutes. Back on the 25th. She will be 34 on Sunday. Nine of the twelve jurors agreed."""


def step(operation: str, *operands: tuple[str | int, str]) -> dict[str, Any]:
    return {
        "operation": operation,
        "operands": [
            {"quote": "", "value": "", "step": words}
            if isinstance(words, int)
            else {"quote": words, "value": value, "step": 0}
            for words, value in operands
        ],
    }


def claim(kind: str, value: Any, *steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "value": value, "evidence": ["Ana"], "steps": list(steps), **fields}


def checked(*claims: Any, text: str = TEXT) -> tuple[list[Fact], Counter[str]]:
    dropped: Counter[str] = Counter()
    facts = Checking(text, "by_llm/test").facts(claims, (0, len(text)), dropped)
    return list(facts), dropped


def the_fact(*claims: Any, text: str = TEXT) -> Fact:
    facts, dropped = checked(*claims, text=text)
    assert not dropped
    (fact,) = facts
    return fact


STAMP = ("2024-03-05", "2024-03-05")
BOBS = ("2024-03-06", "2024-03-06")
# 5 March 2024 is a Tuesday: the Friday after it is the 8th, a week later the 15th.
FRIDAY_WEEK = (
    step("weekday_after", STAMP, ("Friday", "Friday")),
    step("after", (1, ""), ("week", "1 week")),
)


def test_a_date_that_follows_keeps_its_evidence_subject_and_derivation() -> None:
    steps = step("before", STAMP, ("two days", "2 day"))
    evidence = ["came two days ago"]
    fact = the_fact(claim("date", "2024-03-03", steps, evidence=evidence, about="plumber"))
    assert (fact.kind, fact.value, fact.role) == ("date", "2024-03-03", "derived")
    assert (fact.about, fact.provider) == ("plumber", "by_llm/test")
    assert [TEXT[a:b] for a, b in fact.spans] == ["came two days ago", "2024-03-05"]
    assert fact.derivation == "before: 2024-03-05, two days"


@pytest.mark.parametrize(
    ("kind", "value", "unit", "steps"),
    [
        ("money", "120", "USD", [step("product", ("$40", "40"), ("three", "3"))]),
        # 84 * 1.2 / 3 = 33.60
        (
            "money",
            "33.60",
            "EUR",
            [
                step("plus", ("€84", "84"), ("20%", "20")),
                step("quotient", (1, ""), ("three ways", "3")),
            ],
        ),
        ("percent", "75", "", [step("percent_of", ("Nine", "9"), ("twelve", "12"))]),
        ("percent", "75", "", [step("quotient", ("Nine", "9"), ("twelve", "12"))]),
        ("percent", "80", "", [step("rest_percent", ("20%", "20"))]),
        ("number", "3", "", [step("difference", ("Nine", "9"), ("twelve", "12"))]),
        # 12 jurors at tables of nine: two tables, three at the second
        (
            "number",
            "2",
            "",
            [step("quotient", ("twelve", "12"), ("Nine", "9")), step("round_up", (1, ""))],
        ),
        ("number", "3", "", [step("remainder", ("twelve", "12"), ("Nine", "9"))]),
        ("number", "10.5", "", [step("average", ("Nine", "9"), ("twelve", "12"))]),
        ("duration", "1.8333", "hour", [step("amount", ("an hour and fifty\nminutes", "110"))]),
        ("date", "2024-03-15", "", FRIDAY_WEEK),
        ("time", "14:30", "", [step("time", ("half past two in the afternoon", "14:30"))]),
        (
            "datetime",
            "2024-03-15T14:30",
            "",
            [
                *FRIDAY_WEEK,
                step("at", (2, ""), ("half past two in the afternoon", "14:30")),
            ],
        ),
        ("date", "2024-03-25", "", [step("date", BOBS, ("the 25th", "2024-03-25"))]),
        ("date_range", "2024-03-11/2024-03-17", "", [*FRIDAY_WEEK, step("week_of", (2, ""))]),
        ("month", "2024-03", "", [*FRIDAY_WEEK, step("month_of", (2, ""))]),
        ("date", "2024-03-31", "", [step("month_of", STAMP), step("last_day", (1, ""))]),
        # 10 March 2024 is the Sunday after the 6th; 34 years before it she was born.
        (
            "date",
            "1990-03-10",
            "",
            [
                step("weekday_after", BOBS, ("Sunday", "Sunday")),
                step("before", (1, ""), ("34", "34 year")),
            ],
        ),
        ("duration", "1", "day", [step("between", STAMP, BOBS)]),
        (
            "interval",
            "2024-03-06T10:15/2024-03-06T12:05",
            "",
            [
                step(
                    "lasting",
                    ("2024-03-06 10:15", "2024-03-06T10:15"),
                    ("an hour and fifty\nminutes", "110 minute"),
                )
            ],
        ),
    ],
)
def test_values_are_reckoned_from_the_words(
    kind: str, value: str, unit: str, steps: list[dict[str, Any]]
) -> None:
    fact = the_fact(claim(kind, value, *steps, unit=unit))
    assert fact.kind == kind


def test_the_form_of_our_own_records_is_read_too() -> None:
    # $40 for each of three hours
    derivation = {
        "operation": "product",
        "operands": [{"quote": "$40", "value": 40}, {"quote": "three", "value": 3}],
    }
    value = {"amount": 120, "currency": "USD"}
    record = {"kind": "money", "value": value, "evidence": ["$40"], "derivation": derivation}
    assert the_fact(record).value == value


def test_holidays_fall_near_the_anchor() -> None:
    text = "Minutes, 29 March 2018. The office is closed on Easter Monday."
    steps = step("holiday", ("29 March 2018", "2018-03-29"), ("Easter Monday", "2018-04-02"))
    fact = the_fact(claim("date", "2018-04-02", steps, evidence=["Easter Monday"]), text=text)
    assert fact.value == "2018-04-02"


def test_a_stated_value_needs_no_steps() -> None:
    fact = the_fact(claim("money", "84", unit="EUR", evidence=["I paid €84"], role="stated"))
    assert (fact.value, fact.role) == ({"amount": 84, "currency": "EUR"}, "stated")


def test_what_is_reckoned_or_named_otherwise_is_derived_whatever_the_model_says() -> None:
    steps = step("before", STAMP, ("two days", "2 day"))
    assert the_fact(claim("date", "2024-03-03", steps, role="stated")).role == "derived"
    place = claim("city", "Paris", evidence=["the Eiffel Tower"], role="stated")
    assert the_fact(place).role == "derived"
    named = claim("city", "Paris", evidence=["in Paris"], role="stated")
    assert the_fact(named, text="We met in Paris.").role == "stated"


def test_bare_numbers_are_money_where_the_document_has_one_currency() -> None:
    text = "Wire, 35.00 each or 3 for 90.00 AUD."
    # 3 * 35 - 90 = 15
    steps = [
        step("product", ("35.00", "35"), ("3", "3")),
        step("difference", (1, ""), ("90.00 AUD", "90")),
    ]
    fact = the_fact(claim("money", "15", *steps, unit="AUD", evidence=["3 for 90.00"]), text=text)
    assert fact.value == {"amount": 15, "currency": "AUD"}


def test_a_place_is_taken_with_its_evidence_and_a_code_of_iso_3166() -> None:
    evidence = ["under the Eiffel Tower"]
    facts, dropped = checked(
        claim("country", "France", unit="fr", evidence=evidence),
        claim("city", "Paris", evidence=evidence),
        claim("country", "France", unit="ZZ", evidence=evidence),
        claim("country", "Atlantis", unit="AT", evidence=evidence),
        claim("city", "<script>", evidence=evidence),
    )
    assert [fact.value for fact in facts] == [
        {"code": "FR", "name": "France"},
        {"name": "Paris"},
    ]
    assert dropped == {checking.NO_COUNTRY: 2, checking.NO_NAME: 1}


def test_a_subject_that_the_document_does_not_name_is_the_speaker() -> None:
    told = claim("city", "Paris", evidence=["the Eiffel Tower"], about="the Queen of Sheba")
    assert the_fact(told).about == "Ana"


TWO_DAYS = step("before", STAMP, ("two days", "2 day"))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (claim("date", "2024-03-03", TWO_DAYS, evidence=["came three days ago"]), NOT_QUOTED),
        (claim("date", "2024-03-03", step("before", STAMP, ("ten days", "2 day"))), NOT_QUOTED),
        (claim("money", "4", step("amount", ("$4", "4")), unit="USD"), NOT_QUOTED),
        (claim("date", "2024-03-02", step("before", STAMP, ("two days", "3 day"))), MISREAD),
        (claim("money", "150", step("amount", ("$40", "50")), unit="USD"), MISREAD),
        (claim("number", "21", step("sum", ("Nine of the twelve", ""), ("three", "3"))), MISREAD),
        (claim("date", "2024-03-04", TWO_DAYS), checking.WRONG_VALUE),
        (
            claim("money", "130", step("product", ("$40", "40"), ("three", "3")), unit="USD"),
            checking.WRONG_VALUE,
        ),
        (
            claim("money", "120", step("product", ("$40", "40"), ("three", "3")), unit="EUR"),
            checking.WRONG_VALUE,
        ),
        (claim("date", "2024-03-03", step("eval", STAMP)), NO_OPERATION),
        (claim("date", "2024-03-03", step("before", STAMP)), NOT_FITTING),
        (claim("date", "2024-03-03", step("before", STAMP, (2, ""))), NOT_FITTING),
        (claim("number", "1", step("sum", ("€84", "84"), ("$40", "40"))), "its amounts cannot be"),
        (claim("money", "3", step("amount", ("20%", "20")), unit="USD"), checking.WRONG_KIND),
        (claim("date", "2024-03-03", evidence=[]), checking.NO_EVIDENCE),
        (claim("city", "Paris", evidence=[]), checking.NO_EVIDENCE),
        (claim("mood", "sad"), "it has no known kind"),
        ("a fact", "it does not have the form"),
        ({"kind": "date"}, "it does not have the form"),
        (claim("date", None, TWO_DAYS), checking.WRONG_VALUE),
        (claim("date", "2024-03-03", {"operation": "before"}), "it does not have the form"),
        (claim("number", "1", step("quotient", ("$40", "1e999"), ("three", "3"))), MISREAD),
    ],
)
def test_what_does_not_hold_is_dropped_and_counted(record: Any, reason: str) -> None:
    facts, dropped = checked(record)
    assert not facts
    ((counted, count),) = dropped.items()
    assert counted.startswith(reason)
    assert count == 1


def test_a_quote_may_differ_in_space_and_typography_but_not_in_words() -> None:
    text = "2024-03-05: It’s done —\ntwo days ago."
    steps = step("before", STAMP, ("two days", "2 day"))
    told = claim("date", "2024-03-03", steps, evidence=["It's done - two days ago"])
    fact = the_fact(told, text=text)
    start, end = fact.spans[0]
    assert text[start:end] == "It’s done —\ntwo days ago"


WORDS = st.sampled_from([*TEXT.split(), "", "3", "2 day", "2024-03-05", "9" * 40, "half", "∞"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS
OPERANDS = st.fixed_dictionaries({"quote": WORDS, "value": SCALARS, "step": st.integers(-1, 3)})
STEPS = st.fixed_dictionaries(
    {
        "operation": st.sampled_from(sorted(OPERATIONS)),
        "operands": st.lists(OPERANDS | SCALARS, max_size=3) | SCALARS,
    }
)
CLAIMS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "value": SCALARS,
        "unit": SCALARS,
        "evidence": st.lists(SCALARS, max_size=2) | SCALARS,
        "steps": st.lists(STEPS | SCALARS, max_size=3) | SCALARS,
    }
)


@settings(max_examples=300, deadline=None)
@given(CLAIMS | SCALARS | st.lists(SCALARS))
def test_whatever_a_model_writes_is_a_fact_with_evidence_or_counted(record: Any) -> None:
    facts, dropped = checked(record)
    assert len(facts) + dropped.total() == 1
    for fact in facts:
        assert fact.spans
        assert all(0 <= start < end <= len(TEXT) for start, end in fact.spans)
        json.dumps(fact.value, allow_nan=False)


def test_a_year_that_no_calendar_has_is_dropped() -> None:
    _, dropped = checked(claim("year", "9" * 14, step("year_of", STAMP)))
    assert dropped == {checking.WRONG_VALUE: 1}


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("It ends at midnight.", [0]), ("It ends at noon.", [720]), ("It ends at 4:30.", [270, 990])],
)
def test_only_a_time_in_digits_may_be_in_the_afternoon(text: str, minutes: list[int]) -> None:
    span = (text.rindex(" ") + 1, len(text) - 1)
    assert [each.minute for each in Words(text).clocks(span)] == minutes
