"""Words of a text, and the filter that spares most texts from being cut into them."""

from __future__ import annotations

import pytest

from leadline.synthesis.tokens import TokenFilter, tokens


@pytest.mark.parametrize(
    "text",
    ["The kite's tail", "L4 ratio", "at 4.7 metres", "café kite", "ratio1", "“kite”", "KITE-ratio"],
)
@pytest.mark.parametrize("wanted", ["kite", "kite's", "ratio", "4.7", "4", "l", "1"])
def test_the_filter_lets_every_text_pass_that_holds_the_token(text: str, wanted: str) -> None:
    if wanted in tokens(text):
        assert TokenFilter.of([wanted]).may_hold(text.casefold())


def test_the_filter_stops_texts_that_hold_parts_of_words_only() -> None:
    wanted = TokenFilter.of(["kite", "4.7"])
    assert not wanted.may_hold("kites and 47 skites")
    assert wanted.may_hold("4 skites")  # holds what 4.7 begins with


def test_the_filter_stops_nothing_where_a_token_has_other_letters() -> None:
    assert TokenFilter.of(["kite", "höhe"]).may_hold("nothing of the kind")
