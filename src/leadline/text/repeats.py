"""What a document says more than once."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from leadline.text.sentences import split_sentences
from leadline.text.tokens import tokens


class Sentences:
    """The words of each sentence of a document, its title first."""

    def __init__(self, title: str, text: str) -> None:
        self._title, self._text = title, text

    @cached_property
    def known(self) -> list[tuple[int, int, set[str]]]:
        """Start, end and words of the title (at -1) and of each sentence."""
        held = [(e.start, e.end, set(tokens(e.text))) for e in split_sentences(self._text)]
        return [(-1, -1, set(tokens(self._title))), *held]

    def say_elsewhere(
        self, start: int, end: int, words: Set[str], share: float, value: Set[str] = frozenset()
    ) -> bool:
        """Tell whether a sentence outside text[start:end] holds a share of the words.

        value  words that it must hold, too
        """
        return any(
            value <= held and len(words & held) >= share * len(words)
            for begin, stop, held in self.known
            if not (begin < end and start < stop)
        )
