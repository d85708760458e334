from __future__ import annotations

import re

import pytest

from leadline.enrichers.literals import required


def _words(pattern: str) -> list[set[str]]:
    return [set(words) for words, _ in required(re.compile(pattern))]


def test_every_match_holds_one_of_the_words_and_marks() -> None:
    found = _words(r"\b(?:rose|fell)(?: only)? by (?P<step>§[mn]\d+§)")
    assert {"rose", "fell"} in found
    assert {"by §m", "by §n"} in found


def test_the_end_of_a_longer_word_is_not_the_word() -> None:
    # `cats` may end `bobcats`, so the pattern holds no whole word for sure.
    assert _words(r"cats\b") == []
    assert _words(r"(?<!\w)cats\b") == [{"cats"}]


def test_of_a_pattern_without_case_nothing_is_known() -> None:
    assert required(re.compile(r"\brose\b", re.IGNORECASE)) == ()


def test_what_may_be_left_out_is_not_required_alone() -> None:
    assert all("up" in words for words in _words(r"\b(?:rose )?up\b"))


@pytest.mark.parametrize(
    ("pattern", "reach"),
    [
        (r"\bup by [a-z]+ each\b", (11, 1)),  # ` each` behind `up by ` and any run of letters
        (r"\bup,? each\b", (8, 0)),
        (r"\bup(?: or so)* each\b", (55, 0)),  # eight times ` or so`, of 6 characters
        (r"\bup[^.]* each\b", None),
        (r"\bup(?:[a-z] ?)* each\b", None),
        (r"\bup(?:, §n\d+§)* each\b", None),
    ],
)
def test_how_far_from_the_start_a_word_ends_is_told_where_it_is_bounded(
    pattern: str, reach: tuple[int, int] | None
) -> None:
    assert dict(required(re.compile(pattern)))[frozenset({"each"})] == reach
