import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.report.templates import shorten, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc\u202edef\u2066", "abc⟨U+202E⟩def⟨U+2066⟩"),
        ("a\x00b\x1b\x7f", "a␀b␛␡"),
        ("a\tb\nc\u200dd", "a\tb\nc\u200dd"),
        ("a\ud800b\x85", "a\ufffdb\ufffd"),  # no file can hold them
        *[("Größe, 東京, עברית, العربية, 👩‍🚀",) * 2],
    ],
)
def test_what_cannot_be_seen_is_shown_and_text_of_any_script_stays(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(alphabet=st.characters()))
def test_visible_text_can_always_be_written(text: str) -> None:
    visible(text).encode()  # raises where it cannot


def test_a_text_is_shortened_to_the_limit_with_an_ellipsis() -> None:
    assert shorten("abcdef", 4) == "abc…"
    assert shorten("abcd", 4) == "abcd"
