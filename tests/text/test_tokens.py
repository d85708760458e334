"""Words of a text, and the filter that spares most texts from being cut into them."""

import pytest

from leadline.kinds.uniqueness import CaseFilter
from leadline.text.tokens import tokens

TEXTS = [
    "The kite's tail", "L4 ratio", "at 4.7 metres", "café kite", "ratio1", "“kite”", "KITE-ratio",
    "morton’s kite", "a\nkite\tratio", "a\\\\nkite", "\u212aite ſhip", "ﬁnal 4.7", "naïve_kite",
    "x" * 70 + " kite", "東京 kite",
]  # fmt: skip
WANTED = [
    "kite", "kite's", "ratio", "4.7", "4", "l", "1", "morton’s", "café", "naïve", "ship", "final",
    "nkite", "x" * 64, "東京",
]  # fmt: skip


def filter_of(*cases: tuple[str, ...], needed: int | None = None) -> CaseFilter:
    """Return the filter of cases that are looked up by their first token."""
    by_token: dict[str, list[int]] = {}
    for place, case in enumerate(cases):
        by_token.setdefault(case[0], []).append(place)
    return CaseFilter.of(cases, by_token, [needed or len(case) for case in cases])


def may_match(wanted: CaseFilter, text: str) -> bool:
    return wanted.may_match(text.casefold().encode("ascii", "replace"))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("wanted", WANTED)
def test_the_filter_lets_every_text_pass_that_holds_the_token(text: str, wanted: str) -> None:
    if wanted in tokens(text):
        assert may_match(filter_of((wanted,)), text)


def test_the_filter_stops_texts_that_hold_parts_of_words_only() -> None:
    wanted = filter_of(("kite",), ("4.7",))
    assert not may_match(wanted, "kites and 47 skites")
    assert may_match(wanted, "4 skites")  # holds a piece of 4.7


def test_the_filter_stops_texts_that_hold_too_few_tokens() -> None:
    wanted = filter_of(("kite", "tail", "höhe"), needed=2)
    assert not may_match(wanted, "a kite there")
    assert may_match(wanted, "a kite with a tail")
    assert not may_match(wanted, "a tail on the höhe")  # kite is what it is looked up by


def test_the_filter_stops_nothing_where_a_token_has_no_letter_of_ascii() -> None:
    assert may_match(filter_of(("kite",), ("東京",)), "nothing of the kind")
