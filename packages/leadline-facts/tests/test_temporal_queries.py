"""Constraints on time in queries."""

from __future__ import annotations

from typing import Any

import pytest

from leadline_facts.temporal_queries import temporal_constraints


@pytest.mark.parametrize(
    ("query", "kind", "value", "relation"),
    [
        ("who called on February 27, 2024?", "date", "2024-02-27", "equal"),
        ("meetings at 16:00 on April 26, 2021", "datetime", "2021-04-26T16:00", "equal"),
        ("on 26 April 2021 at 4 pm", "datetime", "2021-04-26T16:00", "equal"),
        ("storms in March 2024", "month", "2024-03", "equal"),
        ("reports before 5 May 2023", "date", "2023-05-05", "before"),
        ("reports since 5 May 2023", "date", "2023-05-05", "after"),
        ("laws passed in 1998?", "year", "1998", "equal"),
        ("laws passed after 1998", "year", "1998", "after"),
        (
            "trips between 3 May 2021 and 7 June 2021",
            "date_range",
            ["2021-05-03", "2021-06-07"],
            "within",
        ),
        ("floods from 1950 to 1960", "date_range", ["1950-01-01", "1960-12-31"], "within"),
        ("who opens at noon", "time", "12:00", "equal"),
        ("parade on Thanksgiving 2021", "date", "2021-11-25", "equal"),
    ],
)
def test_a_constraint_has_kind_value_and_relation(
    query: str, kind: str, value: Any, relation: str
) -> None:
    (found,) = temporal_constraints(query)
    assert (found.kind, found.value, found.relation) == (kind, value, relation)


@pytest.mark.parametrize(
    "query",
    [
        "2 and 3 dimensional flow",
        "boundary layer at mach 2.5",
        "effect of vitamin B12 in 1500 patients",
        "what happened yesterday",
        "may the force be with you",
    ],
)
def test_numbers_and_words_that_fix_no_time_give_none(query: str) -> None:
    assert temporal_constraints(query) == ()


def test_the_span_covers_the_words_read() -> None:
    query = "meetings at 16:00 on April 26, 2021?"
    (found,) = temporal_constraints(query)
    assert query[slice(*found.span)] == "16:00 on April 26, 2021"
