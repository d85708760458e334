from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leadline.report.templates import shorten, visible


def test_direction_overrides_are_shown_by_name() -> None:
    assert visible("abc\u202edef\u2066") == "abc⟨U+202E⟩def⟨U+2066⟩"


def test_control_characters_are_shown_as_pictures() -> None:
    assert visible("a\x00b\x1b\x7f") == "a␀b␛␡"


def test_tabs_newlines_and_joiners_stay() -> None:
    assert visible("a\tb\nc\u200dd") == "a\tb\nc\u200dd"


def test_what_no_file_can_hold_is_replaced() -> None:
    assert visible("a\ud800b\x85") == "a\ufffdb\ufffd"


def test_ordinary_text_of_any_script_stays() -> None:
    text = "Größe, 東京, עברית, العربية, 👩‍🚀"
    assert visible(text) == text


@given(st.text(alphabet=st.characters()))
def test_visible_text_can_always_be_written(text: str) -> None:
    visible(text).encode()  # raises where it cannot


def test_a_text_is_shortened_to_the_limit_with_an_ellipsis() -> None:
    assert shorten("abcdef", 4) == "abc…"
    assert shorten("abcd", 4) == "abcd"
