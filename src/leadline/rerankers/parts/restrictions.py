"""Find by rules what a query asks of documents besides its topic, and how well they meet it.

`names.yaml` has the names of kinds of documents, `refusals.yaml` the ways to exclude them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from leadline.text import words as word_lists
from leadline.text.attributes import (
    Span,
    expertise,
    genres_of,
    holds,
    language_of,
    languages,
    length_class,
    meets_length,
    shape_of,
)
from leadline.types import Document, Query


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a query asks of a document beside its topic.

    dimension   `audience`, `keyword`, `format`, `language`, `length` or `source`
    condition   of the dimension; for `keyword` the words, as the query has them
    negated     the document must not have it
    lengths     words that the document may have, where the query gives a length in numbers
    others      for `keyword`, what else may be meant, where `condition` is in no document
    confidence  in the reading, in (0, 1]
    """

    dimension: str
    condition: str
    negated: bool = False
    lengths: Span | None = None
    others: tuple[str, ...] = ()
    confidence: float = 1.0

    def __str__(self) -> str:
        """Say it in words: `length: not article`."""
        return f"{self.dimension}: {'not ' if self.negated else ''}{self.condition}"


# Reading a query

_UNSURE = 0.6  # confidence in words that a sentence asks for without `mention` or the like
_ASIDE = 0.4  # confidence in an audience that is only told beside another attribute
_LONGEST = 18  # words of a sentence that may be an instruction though it is not set off as one
_MOST_SENTENCES = 3  # of a query that is not a story
_SENTENCE = re.compile(
    r"[^.?!。？！]*[.?!。？！]+[\"”’)]*(?=\s|[A-Z\u4e00-\u9fff]|$)|[^.?!。？！]+$"
)
_TAIL = re.compile(
    r"(?:,|;|—|–| - )\s*(?P<tail>(?:but )?(?:(?:please|only|just|no|not|without|nothing|avoid|"
    r"except|preferably|ideally|excluding|and not)\b|"
    r"(?:in|as|from|explained|written)\b(?=[^,;—–]*\b(?:please|only)\b))[^,;—–]*)$",
    re.IGNORECASE,
)


def _table(name: str) -> Any:
    return word_lists.table(__package__, name)


def whole_words(row: str) -> str:
    """Return the pattern of a row: one that begins with a letter is whole words."""
    return rf"\b(?:{row})\b" if re.match("[A-Za-z0-9]", row) else row


@cache
def filling() -> frozenset[str]:
    """Return words that belong to the asking, never to what is asked for."""
    return frozenset(_table("refusals")["filling"])


@cache
def _rows(name: str) -> re.Pattern[str]:
    return re.compile("|".join(map(whole_words, _table("refusals")[name])), re.IGNORECASE)


def read(query: Query) -> list[Restriction]:
    """Read what a query asks of documents beside its topic.

    Its first sentence is what it is about: only behind a comma or a dash may it hold a
    restriction. Where no instruction is set off, a later sentence must be short and ask or
    forbid, in a query of at most three sentences: who tells a story describes a topic.
    """
    content = query.content
    boundary = len(query.text) + 1 if query.instruction else len(content)
    own, told = _sentences(content[:boundary]), _sentences(content[boundary:])
    tail = _TAIL.search(own[0]) if own else None
    found = []
    if tail is not None and mentions_in(tail["tail"]):
        found += _restrictions_of(tail["tail"], trusted=False)
    for sentence in own[1:] if len(own) + len(told) <= _MOST_SENTENCES else ():
        if len(sentence.split()) <= _LONGEST and _rows("requests").search(sentence):
            found += _restrictions_of(sentence, trusted=False)
    for sentence in told:
        found += _restrictions_of(sentence, trusted=True)
    return _consistent(found)


def dimensions_of(queries: Sequence[Query]) -> dict[str, float]:
    """Return the share of each dimension among what instructed queries ask for.

    Queries of the modes original and reversed are left out; the facet `dimension` goes before
    what is surely read. `topic only` are instructions that ask for nothing else. Empty where no
    query has an instruction: in its field, or in InstructIR the longer side of `[SEP]`.
    """
    found: Counter[str] = Counter()
    for given in queries:
        texts = sorted(given.text.split("[SEP]"), key=len)
        query = replace(given, text=texts[0], instruction=given.instruction or "".join(texts[1:]))
        stated = query.facets.get("dimension", "")
        if query.instruction and query.facets.get("mode", "instructed") == "instructed":
            sure = {each.dimension for each in read(query) if each.confidence == 1}
            asked = {stated} if stated else sure
            found.update(asked or {"topic only"})
    return {name: count / found.total() for name, count in found.most_common()}


def _sentences(text: str) -> list[str]:
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    pieces = [text[start:end] for start, end in pairwise([0, *ends, len(text)])]
    return [piece for piece in pieces if piece.strip()]


def _restrictions_of(text: str, *, trusted: bool) -> list[Restriction]:
    """Return what one sentence asks for.

    trusted  it is known to be an instruction, so that words it merely names may be meant
    """
    mentions, lengths = mentions_in(text), lengths_in(text)
    words = _asked_words(text, is_trusted=trusted, is_named=bool(mentions or lengths))
    if words is not None:
        return [words]
    found = [
        Restriction("length", text[start:end].strip(), is_refused(text, start, end), span)
        for span, start, end in lengths
    ]
    places = [(each.start, each.end) for each in mentions]
    for dimension, condition, start, end in mentions:
        if not any(start < stop and begin < end for _, begin, stop in lengths):
            others = [place for place in places if place != (start, end)]
            found.append(Restriction(dimension, condition, is_refused(text, start, end, others)))
    return found


def _asked_words(text: str, *, is_trusted: bool, is_named: bool) -> Restriction | None:
    """Read a sentence as asking for words; None where it asks for something else.

    is_named  it names a condition or a length
    """
    guesses = asked_phrases(text)
    if not guesses:
        return None
    outright = _names_words(text)
    if not _QUOTED.search(text):
        is_strict = outright and _rows("strict").search(text)
        if is_named or not (is_trusted or is_strict):
            return None
    refused = _refuses(text, guesses[0])
    if not outright:
        said = [each for each in guesses if _refuses(text, each)]
        if not is_trusted or not (said or len(guesses) == 1):
            return None
        refused, guesses = bool(said), list(reversed(said or guesses))
    first = guesses[0] if outright else max(guesses, key=lambda each: len(each.split()))
    options = dict.fromkeys(each for guess in guesses for each in _shorter(guess))
    return Restriction(
        "keyword",
        first,
        refused,
        others=tuple(each for each in options if each != first),
        confidence=1.0 if outright else _UNSURE,
    )


def _refuses(text: str, phrase: str) -> bool:
    start = text.find(phrase)
    return is_refused(text, start, start + len(phrase))


def _consistent(found: Sequence[Restriction]) -> list[Restriction]:
    """Keep what is said first where two readings of a dimension cannot both be met.

    A document has one condition of a dimension: the first that is asked for. Of an audience one
    is enough, asked for or refused.
    """
    kept: list[Restriction] = []
    for each in found:
        same = [one for one in kept if one.dimension == each.dimension]
        if each.dimension == "keyword":
            kept.append(each)
        elif any(one.condition == each.condition for one in same):
            kept = [
                each if one.condition == each.condition and each.negated else one for one in kept
            ]
        elif not any(
            (not one.negated and not each.negated)
            or (each.dimension == "audience" and same[0].negated == each.negated)
            for one in same
        ):
            kept.append(each)
    if len({each.dimension for each in kept}) > 1:
        return [
            replace(each, confidence=min(each.confidence, _ASIDE))
            if each.dimension == "audience"
            else each
            for each in kept
        ]
    return kept


# Names of conditions


class Mention(NamedTuple):
    """Where a sentence names a condition."""

    dimension: str
    condition: str
    start: int
    end: int


@cache
def _names() -> list[tuple[str, str, re.Pattern[str]]]:
    """Return dimension, condition and pattern of every row of `names.yaml`."""
    told = _table("names")
    words = {name: f"(?:{'|'.join(rows)})" for name, rows in told["words"].items()}
    rows = [
        (dimension, condition, re.sub(r"<(\w+)>", lambda match: words[match[1]], row))
        for dimension, conditions in told["names"].items()
        for condition, own in conditions.items()
        for row in own
    ]
    for code, names in languages().items():
        latin = [re.escape(name) for name in names if name[0].isascii()]
        kinds = "language|characters|version|text|pages?"
        row = rf"\b(?:simplified |traditional )?(?:{'|'.join(latin)})\b(?:[- ](?:{kinds}))?"
        others = [re.escape(name) for name in names if not name[0].isascii()]
        rows += [("language", code, each) for each in (row, *others)]
    return [
        (dimension, condition, re.compile(whole_words(row), re.IGNORECASE))
        for dimension, condition, row in rows
    ]


def conditions() -> dict[str, tuple[str, ...]]:
    """Return the conditions of each dimension; those of `keyword` are words."""
    told = _table("names")
    own = {dimension: tuple(each) for dimension, each in told["names"].items()}
    return dict(sorted((own | {"language": tuple(languages())}).items()))


def mentions_in(sentence: str) -> list[Mention]:
    """Find what a sentence names, in its order; of overlapping matches the longer one counts."""
    found = [
        Mention(dimension, condition, match.start(), match.end())
        for dimension, condition, pattern in _names()
        for match in pattern.finditer(sentence)
        if match.end() > match.start()
    ]
    found.sort(key=lambda each: (each.start - each.end, each.start))
    kept: list[Mention] = []
    for mention in found:
        if all(mention.end <= each.start or each.end <= mention.start for each in kept):
            kept.append(mention)
    return sorted(kept, key=lambda each: each.start)


# Wanted or refused

_CLAUSE_END = re.compile(r"[;:]|—|–| - |,(?=\s)|，|；|(?<=\w)\.(?=\s)")


def is_refused(sentence: str, start: int, end: int, others: Sequence[tuple[int, int]] = ()) -> bool:
    """Tell whether what stands at [start, end) of a sentence is refused.

    A cue before it reaches on to where a new clause begins; one after it counts in its own clause
    (`X is no use`), or in the next where a pronoun points back (`X bores me; leave it out`) or
    something else is asked for (`I can't read X, so another language`).

    others  where the sentence names more: a cue before one of them belongs to that
    """
    text = _rows("looks_negative").sub(lambda match: "#" * len(match.group()), sentence)
    breaks = (each.end() for each in _rows("new_clauses").finditer(text))
    begin = max((each for each in breaks if each <= start), default=0)
    before, after = _rows("before"), _rows("after")
    if any(cue.start() < start for cue in before.finditer(text, begin)):
        return True
    clause = _CLAUSE_END.search(text, end)
    stop = clause.start() if clause else len(text)
    if any(not _belongs(cue, stop, others) for cue in after.finditer(text, end, stop)):
        return True
    if stop >= len(text):
        return False
    clause = None if text[stop] == "," else _rows("new_clauses").search(text, stop + 1)
    rest = clause.start() if clause else len(text)
    tail = text[stop:rest]
    found = before.search(text, stop, rest) or after.search(text, stop, rest)
    if found and _rows("pronouns").search(tail) and not _belongs(found, rest, others):
        return True
    return _rows("something_else").search(tail) is not None


def _belongs(cue: re.Match[str], stop: int, others: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a cue is part of, or stands before, something else that is named."""
    return any(begin < stop and cue.start() < end for begin, end in others)


# Lengths in numbers


@cache
def _length() -> re.Pattern[str]:
    told = {name: "|".join(_table("names")[name]) for name in ("numbers", "times", "units")}
    signs = {name: "|".join(_table("names")[name]) for name in ("at_most", "at_least")}
    number, times = rf"(?:\d+(?:,\d{{3}})*|{told['numbers']})", told["times"]
    return re.compile(
        rf"(?:(?P<most>{signs['at_most']})|(?P<least>{signs['at_least']})|from|about|around|"
        rf"roughly|some|approximately|between)?\s*\b(?P<first>{number})(?: (?P<times>{times}))?"
        rf"(?: of)?(?:\s*(?:to|or|and|-|–)\s*(?P<second>{number})(?: (?P<times2>{times}))?)?"
        rf"[ -](?:full |short |long |brief )?(?P<unit>{told['units']})s?\b",
        re.IGNORECASE,
    )


def lengths_in(sentence: str) -> list[tuple[Span, int, int]]:
    """Find lengths in numbers, each with its place; `one sentence` is the name of a class."""
    found = []
    for match in _length().finditer(sentence):
        unit, times2 = match["unit"].lower(), match["times2"]
        low = _value(match["first"], match["times"] or times2)
        high = _value(match["second"], times2) if match["second"] else low
        if unit in ("sentence", "paragraph", "line") and high <= 1 and not match["most"]:
            continue
        words = _table("names")["units"][unit]
        span = Span(low * words * 0.6, high * words * 1.6)
        if match["most"]:
            span = Span(0, high * words * 1.25)
        elif match["least"]:
            span = Span(low * words)
        found.append((span, match.start(), match.end()))
    return found


def _value(number: str, times: str | None) -> float:
    names = _table("names")
    value = float(names["numbers"].get(number.lower()) or number.replace(",", ""))
    return value * float(names["times"].get((times or "").lower(), 1))


# Words to mention

_QUOTED = re.compile(
    r"[\"“”«»「『]([^\"“”«»「」『』]{2,60})[\"“”«»」』]|(?<!\w)['‘]([^'’]{3,60})['’](?!\w)"
)
_REACH = 25  # characters between `mention` and what is to be mentioned
_TOKEN = re.compile(r"[^\W_](?:[\w'’\-+#./]*[\w+#])?|[^\w\s]")


@cache
def _frames() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what stands before words that are to be held (`mention`), and after them."""
    words = _table("refusals")
    return (
        re.compile(rf"\b(?:{'|'.join(words['hold'])})\b", re.IGNORECASE),
        re.compile(
            r"\b(?:should|must|mustn['’]t|has to|have to|needs? to|ought to|may|can|shall|is|are|"
            rf"to)(?:n['’]t)?(?: not| never| nowhere| also)* (?:{'|'.join(words['held'])})\b",
            re.IGNORECASE,
        ),
    )


def asked_phrases(sentence: str) -> list[str]:
    """Return what a sentence may ask to be held, best guess first; none where it names no words.

    Quoted words first; then those behind `mention`, `contain`, `talk about` or before `should
    appear`; then every run of words that does not belong to the asking.
    """
    quoted = [first or second for first, second in _QUOTED.findall(sentence)]
    if quoted:
        return [phrase.strip(" .,;") for phrase in quoted]
    before, after = _frames()
    frames = [match.end() for match in before.finditer(sentence)]
    passive = [match.start() for match in after.finditer(sentence)]

    def far(run: tuple[int, int]) -> int:
        start, end = run
        behind = [start - frame for frame in frames if frame <= start]
        ahead = [place - end for place in passive if end <= place]
        return min([*behind, *ahead], default=10_000)

    return [sentence[start:end] for start, end in sorted(_runs(sentence), key=far)]


def _names_words(sentence: str) -> bool:
    """Tell whether a sentence says outright which words must (not) be held."""
    before, after = _frames()
    return (
        _QUOTED.search(sentence) is not None
        or after.search(sentence) is not None
        or any(
            0 <= start - frame.end() <= _REACH
            for frame in before.finditer(sentence)
            for start, _ in _runs(sentence)
        )
    )


def _shorter(phrase: str) -> list[str]:
    """Return a phrase and the runs of words in it, longest first, those at its end first."""
    words = phrase.split()
    runs = [
        " ".join(words[start : start + size])
        for size in range(len(words), 0, -1)
        for start in range(len(words) - size, -1, -1)
    ]
    return [run for run in runs if run.lower() not in filling() and len(run) > 2]


def _runs(sentence: str) -> list[tuple[int, int]]:
    """Find the longest runs of words that are not part of the asking."""
    runs: list[tuple[int, int]] = []
    start = end = -1
    for match in _TOKEN.finditer(sentence):
        word = match.group().lower().replace("’", "'")
        stops = not word[0].isalnum() or word in filling()
        joins = (
            start >= 0 and word in ("of", "the", "before", "da", "de") and match.start() == end + 1
        )
        if stops and not joins:
            if start >= 0:
                runs.append((start, end))
            start = -1
        elif not stops:
            start, end = (match.start() if start < 0 else start), match.end()
    if start >= 0:
        runs.append((start, end))
    return runs


# Documents

_LEAST = 0.03
"""What a document that misses a restriction still gets: a reading may be wrong."""
_FORUMS = ("forum answer", "forum post")


def satisfaction(restriction: Restriction, document: Document) -> float:
    """Return how well a document meets a restriction, in (0, 1); 0.5 is no opinion."""
    value = _has(restriction, document)
    if restriction.negated:
        value = 1 - value
    value = 0.5 + (value - 0.5) * restriction.confidence
    return max(_LEAST, min(1 - _LEAST, value))


def met_by(restriction: Restriction, document: Document) -> str:
    """Say what the document is like in the dimension of a restriction."""
    if restriction.dimension == "length":
        return f"{shape_of(document.text).words} words ({length_class(document.text)})"
    if restriction.dimension == "language":
        return language_of(document.content) or "cannot be told"
    if restriction.dimension == "audience":
        return f"presumes {expertise(document.content):.2f} of 1"
    if restriction.dimension == "keyword":
        held = holds(document.content, restriction.condition)
        return f"{'holds' if held else 'does not hold'} “{restriction.condition}”"
    genres = genres_of(_marked(document))
    best = max(genres, key=lambda genre: genres[genre])
    return f"most like {best} ({genres[best]:.2f})"


def _marked(document: Document) -> str:
    """Return title and text as a genre is told from: a title stands on a line of its own."""
    return f"{document.title}\n\n{document.text}" if document.title else document.text


def _has(restriction: Restriction, document: Document) -> float:
    dimension, condition = restriction.dimension, restriction.condition
    if dimension == "length":
        if restriction.lengths is not None:
            return restriction.lengths.holds(shape_of(document.text).words)
        return meets_length(document.text, condition)
    if dimension == "language":
        found = language_of(document.content)
        return float(found == condition) if found else 0.5
    if dimension == "audience":
        value = expertise(document.content)
        return value if condition == "expert" else 1 - value
    if dimension == "keyword":
        return float(holds(document.content, condition))
    genres = genres_of(_marked(document))
    return max(genres[each] for each in (_FORUMS if condition in _FORUMS else (condition,)))
