"""Part a query into what it is about and what it asks of the documents beside that, by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.kinds.instructions.attributes import phrases, polarity
from leadline.kinds.instructions.attributes.lengths import Span
from leadline.kinds.instructions.attributes.quantities import Asked, lengths_in
from leadline.kinds.instructions.attributes.vocabulary import Mention, mentions_in
from leadline.types import Query

UNSURE = 0.6
"""Confidence in words that a sentence may ask for without saying `mention` or the like."""

_ASIDE = 0.4  # confidence in an audience that is only told beside another attribute
_LONGEST = 18  # words of a sentence that may be an instruction though it is not set off as one
_MOST_SENTENCES = 3  # of a query that is not a story
_SENTENCE = re.compile(
    r"[^.?!。？！]*[.?!。？！]+[\"”’)]*(?=\s|[A-Z\u4e00-\u9fff]|$)|[^.?!。？！]+$"
)
_NO_END = re.compile(
    r"(?:\b(?:[A-Z]|e\.g|i\.e|vs|Dr|Mr|Mrs|St|approx|no|ph)\.|\d\.)$", re.IGNORECASE
)
_REQUEST = re.compile(
    r"\b(?:please|kindly|only|no|not|never|nothing|without|avoid|exclud\w+|skip|omit|except|"
    r"other than|anything but|rather|prefer\w*|must|should|ought|make sure|I['’]?d like|"
    r"I would like|I want|I need|limit|restrict|stick to)\b|n['’]t\b|"
    r"^\W*(?:give|show|find|send|tell|use|keep|choose|pick|answer|respond|reply|explain|provide)\b|"
    r"请|要|用|只|别|不",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,|;|—|–| - )\s*(?P<tail>(?:(?:but )?(?:please|only|just|no|not|without"
    r"|nothing|avoid|except|"
    r"preferably|ideally|excluding|and not|in|as|from|explained|written)\b)[^,;—–]*)$",
    re.IGNORECASE,
)
_STRICT = re.compile(
    r"\b(?:mention\w*|contain\w*|includ\w+|words?|phrases?|terms?|expressions?|refer\w*|featur\w+|"
    r"discuss(?:es|ed|ing)?|talk\w* about|bring\w* up|touch\w* on|appear\w*|come up)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:only|specifically|focus|stick|limit|restrict|about|must|has to|should|want"
    r"|need|involv\w+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a query asks of a document beside its topic.

    dimension   `audience`, `keyword`, `format`, `language`, `length` or `source`
    condition   of the dimension; for `keyword` the words, as the query has them
    negated     the document must not have it
    span        of the query's content that says so and nothing else
    words       that name it there
    lengths     words that the document may have, where the query gives a length in numbers
    others      for `keyword`, what else may be meant, where `condition` is in no document
    confidence  in the reading, in (0, 1]
    """

    dimension: str
    condition: str
    negated: bool = False
    span: tuple[int, int] = (0, 0)
    words: str = ""
    lengths: Span | None = None
    others: tuple[str, ...] = ()
    confidence: float = 1.0

    def __str__(self) -> str:
        """Say it in words: `length: not article`."""
        return f"{self.dimension}: {'not ' if self.negated else ''}{self.condition}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A query in two parts: `need` is what it is about, without its restrictions."""

    need: str
    restrictions: tuple[Restriction, ...] = ()


def read(query: Query) -> Reading:
    """Read the content of a query.

    Its first sentence is what it is about, and so is every other one in which nothing is
    understood. Only behind a comma or a dash may the first sentence itself hold a restriction.
    Where no instruction is set off, a later sentence must be short and ask or forbid, in a query
    of at most three sentences: who tells a story describes a topic.
    """
    content = query.content
    pieces = _sentences(content, len(query.text) + 1 if query.instruction else None)
    if not pieces:
        return Reading(content)
    kept: list[str] = []
    found: list[Restriction] = []
    for place, (start, end) in enumerate(pieces):
        text = content[start:end]
        told = query.instruction and start >= len(query.text)
        if place == 0 and not told:
            need, own = _first_sentence(text, start)
            kept.append(need)
            found += own
            continue
        may = told or (len(pieces) <= _MOST_SENTENCES and _may(text))
        own = restrictions_of(text, start, trusted=bool(told)) if may else []
        found += [replace(each, span=(start, end)) for each in own]
        if not own:
            kept.append(text)
    need = " ".join(each.strip() for each in kept if each.strip())
    return Reading(need or content, tuple(_consistent(found)))


def restrictions_of(text: str, start: int = 0, *, trusted: bool = True) -> list[Restriction]:
    """Return what one sentence asks for.

    start    where it begins, for the spans
    trusted  it is known to be an instruction, so that words it merely names may be meant
    """
    mentions, lengths = mentions_in(text), lengths_in(text)
    words = _asked_words(text, start, mentions, lengths, trusted=trusted)
    if words is not None:
        return [words]
    taken = [(asked.start, asked.end) for asked in lengths]
    places = tuple((each.start, each.end) for each in mentions)
    found = [_of_length(text, start, asked) for asked in lengths]
    for mention in mentions:
        if any(mention.start < end and begin < mention.end for begin, end in taken):
            continue
        others = tuple(place for place in places if place != (mention.start, mention.end))
        found.append(
            Restriction(
                mention.dimension,
                mention.condition,
                polarity.is_refused(text, mention.start, mention.end, others),
                (start + mention.start, start + mention.end),
                text[mention.start : mention.end],
            )
        )
    return found


def _first_sentence(text: str, start: int) -> tuple[str, list[Restriction]]:
    tail = _TAIL.search(text)
    if tail is None or not mentions_in(tail["tail"]):
        return text, []
    if not re.match(r"(?i)(?:but )?(?:please|only|just|no|not|without|nothing|avoid|except|prefer|"
                    r"ideally|excluding|and not)", tail["tail"]) and not re.search(
        r"(?i)\b(?:please|only)\b", tail["tail"]
    ):  # fmt: skip
        return text, []
    found = restrictions_of(tail["tail"], start + tail.start("tail"), trusted=False)
    return (text[: tail.start()], found) if found else (text, [])


def _may(text: str) -> bool:
    """Tell whether a sentence that is not set off as an instruction can be one."""
    return bool(_REQUEST.search(text)) and len(text.split()) <= _LONGEST


def _asked_words(
    text: str,
    start: int,
    mentions: Sequence[Mention],
    lengths: Sequence[Asked],
    *,
    trusted: bool,
) -> Restriction | None:
    """Read a sentence as asking for words; None where it asks for something else."""
    quoted = re.search(r"[\"“「«]", text) is not None
    guesses = phrases.asked_phrases(text)
    if not guesses or (lengths and not quoted):
        return None
    first = guesses[0]
    place = text.find(first)
    outright = phrases.names_words(text)
    if not trusted and not quoted and not (outright and _STRICT.search(text)):
        return None
    if mentions and not quoted:
        strict = _STRICT.search(text)
        inside = strict and any(each.start <= strict.start() < each.end for each in mentions)
        end = place + len(first)
        named = any(each.start <= place and end <= each.end for each in mentions)
        apart = [each for each in mentions if each.end <= place or end <= each.start]
        if not strict or inside or named or any(each.start > strict.end() for each in apart):
            return None
    refused = polarity.is_refused(text, place, place + len(first))
    if not outright:
        said = [each for each in guesses if _is_refused(text, each)]
        if not trusted or not (said or _LIMIT.search(text) or len(guesses) == 1):
            return None
        refused, guesses = bool(said), list(reversed(said or guesses))
        first = max(guesses, key=lambda guess: len(guess.split()))
    options = tuple(
        dict.fromkeys(each for guess in guesses for each in phrases.shorter_phrases(guess))
    )
    return Restriction(
        "keyword",
        first,
        refused,
        (start, start + len(text)),
        first,
        others=tuple(each for each in options if each != first),
        confidence=1.0 if outright else UNSURE,
    )


def _is_refused(text: str, phrase: str) -> bool:
    place = text.find(phrase)
    return polarity.is_refused(text, place, place + len(phrase))


def _of_length(text: str, start: int, asked: Asked) -> Restriction:
    refused = polarity.is_refused(text, asked.start, asked.end)
    return Restriction(
        "length",
        text[asked.start : asked.end].strip(),
        refused,
        (start + asked.start, start + asked.end),
        text[asked.start : asked.end].strip(),
        lengths=asked.span,
    )


def _consistent(found: Sequence[Restriction]) -> list[Restriction]:
    """Keep what is said first where two readings of a dimension cannot both be met."""
    kept: list[Restriction] = []
    for each in found:
        same = [one for one in kept if one.dimension == each.dimension]
        if each.dimension == "keyword":
            kept.append(each)
        elif any(one.condition == each.condition for one in same):
            kept = [
                each if one.condition == each.condition and each.negated else one for one in kept
            ]
        elif not each.negated and any(not one.negated for one in same):
            continue  # a document has one condition of a dimension: the first that is asked for
        elif same and _contradicts(same[0], each):
            continue
        else:
            kept.append(each)
    if len({each.dimension for each in kept}) > 1:
        return [_aside(each) if each.dimension == "audience" else each for each in kept]
    return kept


def _contradicts(first: Restriction, each: Restriction) -> bool:
    """Tell whether of two conditions of an audience one wants what the other refuses."""
    return first.dimension == "audience" and first.negated == each.negated


def _aside(each: Restriction) -> Restriction:
    return replace(each, confidence=min(each.confidence, _ASIDE))


def _sentences(content: str, boundary: int | None) -> list[tuple[int, int]]:
    """Cut content into sentences; where an instruction is set off, one begins there."""
    pieces: list[tuple[int, int]] = []
    sections = [(0, len(content))]
    if boundary is not None and boundary < len(content):
        sections = [(0, boundary), (boundary, len(content))]
    for begin, stop in sections:
        open_at = begin
        for match in _SENTENCE.finditer(content, begin, stop):
            if _NO_END.search(content[open_at : match.end()].rstrip()) and match.end() < stop:
                continue
            if content[open_at : match.end()].strip():
                pieces.append((open_at, match.end()))
            open_at = match.end()
        if content[open_at:stop].strip():
            pieces.append((open_at, stop))
    return pieces
