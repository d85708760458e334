"""Shorter wordings of a sentence: the clause in it that states a fact, cleaned for a query."""

from __future__ import annotations

import re

from leadline.synthesis.sentences import Sentence
from leadline.synthesis.words import (
    CONJUNCTIONS,
    DETERMINERS,
    DOCUMENT_VERBS,
    FINITE,
    LINKERS,
    PREPOSITIONS,
    words_of,
)

_WORD = re.compile(r"\S+")
_HEADING = re.compile(r"^([A-Z][A-Z/&, -]{1,60}):\s+(?=\S)")
_LEADING = re.compile(r"^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s+|[-*•–#>|]+\s+|[,;:.)\s]+)")
_TRAILING = re.compile(r"[\s,;:.(–—-]+$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+|\s+")
_LEFT_OVER = words_of(
    """
    a an the of to for in on at by with and or but which that is are was were be been has have had
    as than from into not no this these its their his her it who where when both either very also
    can will would could should may might what how even say
    """
)
_OPENERS = words_of("and but or that while whereas although though because so however if thus")
_SUBJECTS = DETERMINERS | words_of(
    "there it he she they we i all most some no each both one two three several many such any"
)
_SUBORDINATORS = words_of("when if while as since although though because where whereas after")
_RELATIVES = words_of("which who that whose where")

MOST_WORDS = 22


def split_units(sentence: Sentence, most_words: int = 40) -> list[Sentence]:
    """Return the sentence, or pieces of it when it runs on beyond so many words.

    A sentence with punctuation is cut at its semicolons; words without any are cut where a new
    clause seems to begin ("... are shown | the results agree ...").
    """
    words = list(_WORD.finditer(sentence.text))
    if len(words) <= most_words:
        return [sentence]
    if any(word.group()[-1] in ",;:.()" for word in words[:most_words]):
        cuts = [i for i in range(1, len(words)) if words[i - 1].group()[-1] == ";"]
    else:
        cuts = [i for i in range(1, len(words)) if _begins_anew(words, i)]
    kept = [0]
    for cut in cuts:
        if cut - kept[-1] >= 6 and len(words) - cut >= 5:
            kept.append(cut)
    return [
        Sentence(
            sentence.start + words[first].start(),
            sentence.start + words[last - 1].end(),
            sentence.text[words[first].start() : words[last - 1].end()],
        )
        for first, last in zip(kept, [*kept[1:], len(words)], strict=True)
    ]


def shortest_clause(text: str, unit: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the span in `text` of the clause of a unit that holds text[start:end].

    The whole unit when that is at most 22 words; else the shortest run of at least 6 words that
    begins where a clause begins, ends where one ends, and has a verb; else the whole unit.
    """
    words = [
        (unit.start + match.start(), unit.start + match.end())
        for match in _WORD.finditer(unit.text)
    ]
    if len(words) <= MOST_WORDS:
        return unit.start, unit.end
    written = [text[a:b] for a, b in words]
    inside = [i for i, (a, b) in enumerate(words) if b > start and a < max(end, start + 1)]
    if not inside:
        return unit.start, unit.end
    best = (0, len(words))
    begins = [i for i in range(inside[0] + 1) if _may_begin(written, i)]
    ends = [i for i in range(inside[-1] + 1, len(words) + 1) if _may_end(written, i)]
    for first in reversed(begins):
        for last in ends:
            if 6 <= last - first < best[1] - best[0] and _is_whole(written[first:last]):
                best = (first, last)
                break
    return words[best[0]][0], words[best[1] - 1][1]


def cleaned(clause: str) -> str:
    """Return a clause as it stands in a query: no enumerator, control characters or loose ends.

    A heading in capitals ("BRIEF HISTORY: ...") goes when a sentence follows it, else it becomes
    lower case.
    """
    clause = _CONTROL.sub(" ", clause).strip()
    previous = ""
    while previous != clause:
        previous = clause
        clause = _TRAILING.sub("", _LEADING.sub("", clause))
    heading = _HEADING.match(clause)
    if heading:
        rest = clause[heading.end() :]
        said = len(rest.split()) >= 5 and is_clause(rest)
        clause = rest if said else f"{_softened(heading[1])}: {rest}"
    words = clause.split(" ")
    while len(words) > 3 and words[0].lower().strip(",") in _OPENERS:
        words = words[1:]
    while len(words) > 3 and words[-1].lower() in _LEFT_OVER:
        words = words[:-1]
    clause = re.sub(r"\s+(?=[,;.)])", "", " ".join(words)).strip()
    return _balanced(_TRAILING.sub("", clause))


def is_clause(condition: str) -> bool:
    """Tell whether a condition has a subject and a verb, so that "that" can stand before it."""
    words = _bare_words(condition)
    if not words or words[0] in FINITE or ":" in condition[:40]:
        return False
    return _has_verb(condition.split())


def is_about_document(condition: str) -> bool:
    """Tell whether a condition is a verb phrase that says what a document does ("Describes")."""
    words = _bare_words(condition)
    return bool(words) and words[0] in DOCUMENT_VERBS


def _bare_words(text: str) -> list[str]:
    return [word.strip(",;:()\"'").lower() for word in text.split()]


def _begins_anew(words: list[re.Match[str]], i: int) -> bool:
    """Tell whether a determiner opens a sentence that nothing but its place sets off."""
    word, before = words[i].group().lower(), words[i - 1].group().lower()
    if word not in {"the", "a", "an", "this", "these", "it"}:
        return False
    if before.endswith(("ing", "ed")) and word not in {"it", "these"}:
        return False
    bound = _LEFT_OVER | PREPOSITIONS | FINITE | DOCUMENT_VERBS | CONJUNCTIONS | LINKERS
    return before not in bound | {"given", "shown", "shows", "uses", "makes", "all", "only"}


def _may_begin(words: list[str], i: int) -> bool:
    if i == 0:
        return True
    before, word = words[i - 1], words[i].lower()
    is_conjunction = word in CONJUNCTIONS | _OPENERS
    follower = words[i + 1].lower() if i + 1 < len(words) else ""
    subject = follower if is_conjunction else word
    if subject not in _SUBJECTS or before.lower().strip(",;:") in _LEFT_OVER | LINKERS:
        return False
    if {"which", "whom"} & {word.lower() for word in words[i + 1 : i + 5]}:
        return False
    # "that the", "; the", "and it": a clause of its own, unless a list goes on.
    return before[-1] in ";:" or is_conjunction or (before[-1] == "," and subject not in {"that"})


def _may_end(words: list[str], i: int) -> bool:
    if i == len(words):
        return True
    last, following = words[i - 1], words[i].lower()
    if last.lower().strip(",;:.") in _LEFT_OVER | PREPOSITIONS:
        return False
    if last[-1] in ";:":
        return True
    if following in CONJUNCTIONS:
        return (words[i + 1].lower() if i + 1 < len(words) else "") in _SUBJECTS
    if last[-1] == ",":
        return following in LINKERS | _SUBJECTS | PREPOSITIONS or following.endswith("ing")
    return following in LINKERS - {"who", "whose", "that"}


def _is_whole(words: list[str]) -> bool:
    """Tell whether words hold a verb, and a main clause where a "when" goes before."""
    parts = " ".join(words).lower().split(", ")
    opener = parts[-1].split(" ", 1)[0]
    return opener not in _SUBORDINATORS and _has_verb(words)


def _has_verb(words: list[str]) -> bool:
    """Tell whether a finite verb stands in the words, other than in a relative clause."""
    bare = [word.strip(",;:()\"'").lower() for word in words]
    for i, word in enumerate(bare):
        if i and word in FINITE and not _RELATIVES & set(bare[max(0, i - 3) : i]):
            return True
    return False


def _softened(heading: str) -> str:
    return heading.lower() if len(heading) > 5 else heading


def _balanced(clause: str) -> str:
    if clause.count("(") != clause.count(")"):
        clause = clause.replace("(", "").replace(")", "")
    return clause.replace('"', "") if clause.count('"') % 2 else clause
