from __future__ import annotations

import re

import pytest

from leadline.enrichers.literals import may_match, required, words_of

CASES = [
    (r"\b(?:rose|fell)(?: only)? by (?P<step>§[mn]\d+§)", "it rose by §m0§", "it rose by half"),
    (r"(?P<a>§m\d+§),? (?:\w+ ){0,3}each\b", "§m0§ for us each", "§n0§ for us each"),
    (r"\bsplit(?:s|ting)? (?:evenly|\w+)", "it splits evenly", "the splitter"),
    (r"cats?\b|dogs\b", "two dogs", "two birds"),
    (r"(?<!\w)x(?!\w)", "an x", "an x"),
    (r"^was|\d+ left$", "was it", "nothing left"),
]


@pytest.mark.parametrize(("pattern", "matching", "_"), CASES)
def test_a_text_that_matches_may_match(pattern: str, matching: str, _: str) -> None:
    rule = re.compile(pattern)
    assert rule.search(matching)
    assert may_match(rule, words_of(matching))


def test_a_text_without_a_word_or_mark_that_every_match_holds_may_not_match() -> None:
    rises, each, *_ = (re.compile(pattern) for pattern, _, _ in CASES)
    assert not may_match(rises, words_of("it grew by §m0§"))
    assert not may_match(rises, words_of("it rose by half"))
    assert not may_match(rises, words_of("it rose by half, which is §m0§"))
    assert not may_match(each, words_of("§n0§ for us each"))


def test_the_end_of_a_longer_word_is_not_the_word() -> None:
    # `cats` may end `bobcats`, so the pattern holds no whole word for sure.
    assert required(re.compile(r"cats\b")) == ()
    assert may_match(re.compile(r"cats\b"), words_of("bobcats"))


def test_of_a_pattern_without_case_nothing_is_known() -> None:
    assert required(re.compile(r"\brose\b", re.IGNORECASE)) == ()


def test_what_may_be_left_out_is_not_required() -> None:
    assert may_match(re.compile(r"\b(?:rose )?up\b"), words_of("up"))
