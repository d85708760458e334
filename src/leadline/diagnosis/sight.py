"""Whether a system could see what tells the relevant document from the one that came first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from leadline.diagnosis.cases import NOT_SEEN, QUERY_CUT, TEXT_CUT, Judgement
from leadline.diagnosis.words import content_words
from leadline.text.letters import MARKS, WORD, composed
from leadline.types import Reading

Read: TypeAlias = Callable[[Sequence[str], Sequence[str]], list[Reading] | None]
"""What a system takes in of queries and the documents beside them, see `System.read`."""

_WORD = re.compile(WORD)
_MOST_WORDS = 32


def judge_sight(query: str, first: str, positive: str, read: Read) -> Judgement | None:
    """Say what the system did not read of a case; None where it read all, or does not tell.

    query cut  the end of the query is not read
    text cut   both documents are the same to it and the relevant one is cut, or a word of the query
               that only the relevant one has stands behind the cut
    not seen   both are the same to it, or it takes such a word for nothing: a stop word, a
               character that it drops

    Settled where both documents are the same, the query is cut, or every such word is unseen.
    """
    query, first, positive = map(composed, (query, first, positive))
    words = _deciding(query, first, positive)
    without = [_without(positive, word) for word in words]
    texts = [positive, first, *without]
    readings = read([query] * len(texts), texts)
    if readings is None:
        return None
    of_positive, of_first, *others = readings
    cut, cause = of_positive.cut, TEXT_CUT if of_positive.cut else NOT_SEEN
    if of_positive.document == of_first.document:
        why = f"it reads the same of both documents{f': {cut}' if cut else ''}"
        return Judgement(cause, True, why)
    if of_positive.query_cut:
        return Judgement(QUERY_CUT, True, f"the query is {of_positive.query_cut}")
    pairs = zip(words, others, strict=True)
    unseen = [word for word, each in pairs if each.document == of_positive.document]
    if not unseen:
        return None
    why = f"of the relevant document it does not read: {', '.join(unseen)}"
    return Judgement(cause, len(unseen) == len(words), f"{why} ({cut})" if cut else why)


def _deciding(query: str, first: str, positive: str) -> list[str]:
    """Return words of the query that the relevant document has, and the first one has not."""
    here = {each.casefold() for each in _WORD.findall(first)}
    there = {each.casefold() for each in _WORD.findall(positive)}
    asked = dict.fromkeys(each.casefold() for each in _WORD.findall(query))
    alone = [word for word in asked if word in there and word not in here and content_words(word)]
    return alone[:_MOST_WORDS]


def _without(text: str, word: str) -> str:
    return re.sub(
        rf"(?<![^\W_]){re.escape(word)}(?![^\W_]|[{MARKS}])", " ", text, flags=re.IGNORECASE
    )
