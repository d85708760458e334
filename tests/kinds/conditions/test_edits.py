"""Edits that make a statement untrue, and statements that none is made of."""

from __future__ import annotations

import random

import pytest

from leadline.kinds.conditions.edits import Edit, apply_edits, edits_of, stock_of
from leadline.text.statements import Statement

_POOL = [
    Statement(0, 0, each)
    for each in (
        "useRouter is a hook.", "useParams is a hook.", "The limit was 40 requests in 1962.",
        "The limit was 55 requests in 1971.",
    )
]  # fmt: skip
STOCK = stock_of(_POOL, 0)


def edits(sentence: str, shape: str = "sentence") -> dict[str, tuple[str, str]]:
    """Return kind -> what becomes what, for each kind of edit of a sentence."""
    statement = Statement(0, len(sentence), sentence, shape)
    found = edits_of(sentence, statement, STOCK, random.Random(0))
    return {each.kind: (each.before, each.after) for each in found}


@pytest.mark.parametrize(
    ("sentence", "kind", "before", "after"),
    [
        ("The option is enabled for all routes.", "negation", None, None),  # "all": unclear
        ("The option can be set for a route.", "negation", "", " not"),
        ("The option is not read by the router.", "negation", " not", ""),
        ("The parser cannot read a stream.", "negation", None, None),  # one word, one change
        ("The cache is not only read but written.", "negation", None, None),
        ("If the cache is full, the server can wait.", "negation", None, None),  # two verbs
        ("The mean rate increases with the load.", "antonym", "increases", "decreases"),
        ("The library collects books on paper before printing.", "antonym", "before", "after"),
        ("A second step is required to remove it.", "antonym", None, None),
        ("A second step is required.", "antonym", "required", "optional"),
        ("Static and dynamic routes share a cache.", "antonym", None, None),  # both are said
        ("The left lung was clear on Monday.", "antonym", "left", "right"),
        ("The men left town on a ship.", "antonym", None, None),  # another "left"
        ("It does not increase the rate.", "antonym", None, None),  # under a denial
    ],
)
def test_opposites_and_negations(sentence, kind, before, after) -> None:
    assert edits(sentence).get(kind) == (None if before is None else (before, after))


@pytest.mark.parametrize(
    "sentence",
    [
        "Queues hold about 40 requests each.",  # not meant exactly
        "Queues hold at least 40 requests each.",  # a bound
        "Queues hold 40 (28 in base sixteen) requests.",  # said again in brackets
        "Files prior to version 4.2.1 are read.",  # 4.1 is prior to 4.2.1, too
    ],
)
def test_a_value_that_another_would_not_contradict_stays(sentence: str) -> None:
    assert "number" not in edits(sentence)


def test_a_near_value_takes_the_place_of_a_number_a_version_and_a_date() -> None:
    before, after = edits("Queues hold 40 requests each.")["number"]
    assert before == "40" and after != "40" and 26 <= int(after) <= 55  # at most 35 % away
    assert edits("The flag was added in v4.2.1 by a user.")["number"][0] == "v4.2.1"
    before, after = edits("The bridge was closed in 1962 by the mayor.")["date"]
    assert before == "1962" and 0 < abs(int(after) - 1962) <= 10


def test_an_identifier_becomes_another_of_the_corpus() -> None:
    assert edits("Call useRouter in a client component.")["name"] == ("useRouter", "useParams")


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("The plant was moved from Norway to a hill.", "Norway"),
        ("the plant was moved from norway to a hill.", "norway"),
        ("Virginia Woolf wrote a diary by hand.", ""),  # part of a longer name
    ],
)
def test_a_place_becomes_another_of_its_kind_in_its_case(sentence: str, written: str) -> None:
    before, after = edits(sentence).get("name", ("", ""))
    assert before == written
    assert after.istitle() == written.istitle()


def test_edits_are_made_from_the_end_so_that_places_hold() -> None:
    made = [Edit("number", 4, 5, "1", "22"), Edit("number", 0, 1, "a", "bbb")]
    assert apply_edits("a = 1.", made) == "bbb = 22."
