"""Shorter wordings of a sentence: the clause in it that states a fact, cleaned for a query."""

from __future__ import annotations

import re

from leadline.synthesis.sentences import Sentence
from leadline.synthesis.words import CONJUNCTIONS, FINITE, LINKERS, PREPOSITIONS, words_of

_WORD = re.compile(r"\S+")
_BREAK_AFTER = re.compile(r"[,;:)]$|^-+$|^[–—]$")
_HEADING = re.compile(r"^([A-Z][A-Z/&, -]{2,60}):\s+(?=\S)")
_LEADING = re.compile(r"^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s+|[-*•–#>|]+\s+|[,;:.)\s]+)")
_TRAILING = re.compile(r"[\s,;:.(–—-]+$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+|\s+")
_LEFT_OVER = words_of(
    """
    a an the of to for in on at by with and or but which that is are was were be been has have
    had as than from into not no this these its their his her it who where when both either very
    also can will would could should may might
    """
)
_OPENERS = words_of("and but or that while whereas although though because so however if")

MOST_WORDS = 20


def split_units(sentence: Sentence, most_words: int = 40) -> list[Sentence]:
    """Return the sentence, or pieces of it of 8 to 22 words when it runs on without an end.

    Breaks at punctuation where there is some, else before words that open a clause or a phrase.
    """
    words = list(_WORD.finditer(sentence.text))
    if len(words) <= most_words:
        return [sentence]
    pieces, first = [], 0
    while first < len(words):
        last = _next_break(words, first)
        start, end = words[first].start(), words[last - 1].end()
        offset = sentence.start
        pieces.append(Sentence(offset + start, offset + end, sentence.text[start:end]))
        first = last
    return pieces


def shortest_clause(text: str, unit: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the span in `text` of the clause of a unit that holds text[start:end].

    The whole unit when that is at most 20 words; else as few neighbouring pieces between its
    breaks as give at least 6 words, a verb and a start that is no continuation.
    """
    words = [
        (unit.start + match.start(), unit.start + match.end())
        for match in _WORD.finditer(unit.text)
    ]
    if len(words) <= MOST_WORDS:
        return unit.start, unit.end
    pieces = _pieces(text, words)
    first = last = next(
        (i for i, (a, b) in enumerate(pieces) if words[b - 1][1] > start), len(pieces) - 1
    )
    while last + 1 < len(pieces) and words[pieces[last][1] - 1][1] < end:
        last += 1
    while not _reads_well(text, words, pieces[first][0], pieces[last][1]):
        if first > 0:
            first -= 1
        elif last + 1 < len(pieces):
            last += 1
        else:
            break
    return words[pieces[first][0]][0], words[pieces[last][1] - 1][1]


def cleaned(clause: str) -> str:
    """Return a clause as it stands in a query: no enumerator, control characters or loose ends.

    A heading in capitals ("ESTIMATED BLOOD LOSS: ...") becomes lower case.
    """
    clause = _CONTROL.sub(" ", clause).strip()
    previous = ""
    while previous != clause:
        previous = clause
        clause = _TRAILING.sub("", _LEADING.sub("", clause))
    clause = _HEADING.sub(lambda match: _softened(match[1]) + ": ", clause)
    words = clause.split(" ")
    while len(words) > 3 and words[0].lower() in _OPENERS:
        words = words[1:]
    while len(words) > 3 and words[-1].lower() in _LEFT_OVER:
        words = words[:-1]
    clause = re.sub(r"\s+(?=[,;.)])", "", " ".join(words)).strip()
    return _balanced(_TRAILING.sub("", clause))


def is_clause(condition: str) -> bool:
    """Tell whether a condition has a subject and a verb, so that "that" can stand before it."""
    words = [word.strip(",;:()\"'").lower() for word in condition.split()]
    if not words or words[0] in FINITE or ":" in condition[:40] or words[0] in PREPOSITIONS:
        return False
    verbs = [i for i, word in enumerate(words) if word in FINITE and i > 0]
    relative = {"which", "who", "that", "whose", "where"}
    return any(not relative & set(words[max(0, i - 1) : i]) for i in verbs)


def _next_break(words: list[re.Match[str]], first: int) -> int:
    """Return the place after the last word of the piece that starts at `first`."""
    if len(words) - first <= 22:
        return len(words)
    window = range(first + 8, min(first + 20, len(words) - 6))
    for place in window:
        if words[place - 1].group()[-1] in ",;:":
            return place
    for openers in (LINKERS, FINITE, PREPOSITIONS):
        for place in window:
            before = words[place - 1].group().lower()
            if words[place].group().lower() in openers and before not in _LEFT_OVER:
                return place
    return min(first + 14, len(words))


def _pieces(text: str, words: list[tuple[int, int]]) -> list[tuple[int, int]]:
    cuts = [0]
    for i in range(1, len(words)):
        before = text[words[i - 1][0] : words[i - 1][1]]
        after = text[words[i][0] : words[i][1]]
        if _BREAK_AFTER.search(before) or after.lower() in LINKERS or after.startswith("("):
            cuts.append(i)
    return list(zip(cuts, [*cuts[1:], len(words)], strict=True))


def _reads_well(text: str, words: list[tuple[int, int]], first: int, last: int) -> bool:
    if last - first < 6:
        return False
    held = [text[a:b].strip(",;:()").lower() for a, b in words[first:last]]
    while held and held[0] in CONJUNCTIONS | _OPENERS:
        held = held[1:]
    if not held or held[0] in FINITE | {"which", "who", "where", "whose", "when", "not"}:
        return False
    return bool(FINITE & set(held[1:]))


def _softened(heading: str) -> str:
    return heading.lower() if len(heading) > 5 else heading


def _balanced(clause: str) -> str:
    if clause.count("(") != clause.count(")"):
        clause = clause.replace("(", "").replace(")", "")
    return clause.replace('"', "") if clause.count('"') % 2 else clause
