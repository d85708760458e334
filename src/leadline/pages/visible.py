"""Text from a corpus, made safe to look at: what hides or turns text around is shown instead."""

from __future__ import annotations

import re

LONGEST = 3_000


def visible(text: str) -> str:
    """Return the text with every invisible or text-turning character made visible.

    Control characters become their pictures (NUL is ␀), direction overrides, zero-width and tag
    characters become their names (⟨U+202E⟩), and what no file can hold becomes U+FFFD. Tabs and
    newlines stay; joiners stay, because scripts and emoji need them.
    """
    return _UNSEEN.sub(_name, text)


def shorten(text: str, limit: int = LONGEST) -> str:
    """Return at most `limit` characters of the text, with an ellipsis where some are left out."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 controls; a carriage return turns into a space
    "\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def _name(found: re.Match[str]) -> str:
    point = ord(found.group())
    if point == 0x0D:
        return " "
    if point < 0x20:
        return chr(0x2400 + point)
    if point == 0x7F:
        return "\u2421"
    if point < 0xA0 or 0xD800 <= point <= 0xDFFF or point in (0xFFFE, 0xFFFF):
        return "\ufffd"
    return f"⟨U+{point:04X}⟩"
