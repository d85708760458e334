from __future__ import annotations

import re

import pytest

from leadline.enrichers.gates import Index, gate_of

CASES = [
    (
        r"\b(?:rose|fell)(?: only)? by (?P<step>§[mn]\d+§)",
        "it rose by §m0§, then fell only by §n1§",
    ),
    (r"(?P<a>§m\d+§),? (?:\w+ ){0,3}each\b", "§m0§ for us each and §m1§ each"),
    (r"\bsplit(?:s|ting)? (?:evenly|\w+)", "the splitter splits evenly what was split two ways"),
    (r"cats?\b|dogs\b", "two dogs and bobcats"),
    (r"(?<!\w)x(?!\w)", "an x and xx"),
    (r"^was|\d+ left$", "was it, with 12 left"),
    (r"(?:^|[.;\n] ?)of §n\d+§", "of §n0§. of §n1§; of §n2§\nof §n3§ out of §n4§"),
    (r"[a-z]+ (?:and [a-z]+ )*§n\d+§", "cats and dogs and birds §n0§ or §n1§"),
    (r"(?:[a-z]+ ){1,2}§n\d+§(?=, §)", "one two three §n0§, §n1§ and four §n2§, five"),
    (r"\b(?:in |on )?(?:q[1-4]|19\d\d)\b", "q1, in q5, on 1999 and 2999"),
    (r"(?:plus|,)(?: an? [a-z]+){0,2} §m\d+§", "so, so, a fee §m0§ plus a fee a tip §m1§"),
    (r"§n\d+§(?:, §n\d+§)+", "§n0§, §n1§, §n2§ and §n3§, §n4§"),
]


@pytest.mark.parametrize(("pattern", "text"), CASES)
def test_what_is_found_is_what_a_search_of_the_whole_finds(pattern: str, text: str) -> None:
    rule = re.compile(pattern)
    text = f"{text} {'and so on ' * 30}{text}"
    every = [match.span() for match in rule.finditer(text)]
    assert every
    assert [match.span() for match in Index(text).find(rule)] == every


@pytest.mark.parametrize(("pattern", "text"), CASES)
def test_a_match_lies_within_one_of_the_regions(pattern: str, text: str) -> None:
    rule, half = re.compile(pattern), text.index(" ", len(text) // 2)
    regions = [(0, half), (half + 1, len(text))]
    parts = [match.span() for part in regions for match in rule.finditer(text, *part)]
    assert [match.span() for match in Index(text).find(rule, regions)] == parts


def test_a_pattern_opens_with_words_marks_and_signs() -> None:
    # `rose` and `up`; the first letters of `increas\w+`; `, §n` tells its mark, two behind
    assert gate_of(re.compile(r"\b(?:rose|increas\w+|up) x")).opening == (
        (0, frozenset({"rose", "up", "inc*"})),
    )
    assert gate_of(re.compile(r", §n\d+§|§m\d+§")).opening == (
        (0, frozenset({"§m"})),
        (2, frozenset({"§n"})),
    )


@pytest.mark.parametrize("pattern", [r"[a-z]+ of", r"(?:the )?\w+", r"cats", r"(?i:the) cat"])
def test_how_a_pattern_opens_is_not_known_where_any_word_may_begin_it(pattern: str) -> None:
    assert gate_of(re.compile(pattern)).opening is None


def test_a_word_is_held_only_where_it_begins_between_the_offsets() -> None:
    index = Index("one left of §n0§")
    assert index.holds(frozenset({"left"}), 4, 5)
    assert not index.holds(frozenset({"left"}), 5, 16)
    assert index.holds(frozenset({"§n"}), 0, 16)
