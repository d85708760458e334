"""Make edits that turn a statement of a document untrue: a near value, an opposite, a negation.

Fields of a record become lines before its text, `Director: Eva Lund`. An edit exchanges the value
for another one of the same field.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from leadline.text.dates import day_of, find_dates, month_of, on_day, shifted, year_of
from leadline.text.quantities import NUMERAL, Value, figure_of, find_quantities, spelled_like
from leadline.text.statements import Statement, statements_of
from leadline.text.words import MONTHS, NUMBER_WORDS, WEEKDAYS, table
from leadline.types import Corpus, Document

_PACKAGE = "leadline.kinds.conditions"
_WITH_THE = re.compile(
    r"(?:United|Soviet) |.*\b(?:Republic|Islands|Emirates)$|Netherlands$|Philippines$"
)
"""Countries that take an article: `it comes from the Netherlands`."""
_LONGEST = 40  # characters of a value
_FEWEST = 4  # values that a field must have in the corpus to be exchanged
_MOST_VALUES = 2_000
_MOST_DOCUMENTS = 20_000
MOST_READ = 100_000  # characters of a document
_SHARE = 0.05  # of the documents that have a field, for it to be asked for by itself
_AGAIN = 1.2  # documents that share a value, on average: others are names of single documents
_NO_VALUE = re.compile(r".*(?:://|[\\/].*[\\/]|[0-9a-f]{12})|[\W\d]{7,}$")
_SEPARATOR = ", "
_INITIALS = re.compile(r"\b\w\.|\d\.$")
"""In a field that is one value with commas in it: `hall, i.m. and rogers, e.w.e.`"""


@dataclass(frozen=True)
class Fields:
    """Fields of records that conditions are made of, with what the corpus has for each."""

    names: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]

    def _held(self, document: Document) -> dict[str, list[str]]:
        return {name: values for name in self.names if (values := _values(document, name))}

    def shown(self, document: Document) -> Document:
        """Return a document with its fields as lines before its text."""
        lines = [f"{_label(name)}: {_SEPARATOR.join(values)}\n"
                 for name, values in self._held(document).items()]  # fmt: skip
        return replace(document, text="".join(lines) + document.text)

    def statements(self, document: Document) -> list[Statement]:
        """Return the statements of a document as it is shown: its fields, then those of its text.

        A value that the text says as well is none: no edit of the field would make it untrue.
        """
        said = document.content.casefold()
        found: list[Statement] = []
        start = 0
        for name, values in self._held(document).items():
            start += len(f"{_label(name)}: ")
            for value in values:
                if value.casefold() not in said:
                    found.append(_stated(name, value, start))
                start += len(value) + len(_SEPARATOR)
            start += len("\n") - len(_SEPARATOR)
        for each in statements_of(document.text[:MOST_READ]):
            found.append(replace(each, start=each.start + start, end=each.end + start))
        return found

    def held(self, document: Document) -> frozenset[str]:
        """Return the values of a document in lower case: none of them is exchanged for another."""
        return frozenset(each.casefold() for some in self._held(document).values() for each in some)


def fields_of(corpus: Corpus, names: Sequence[str] = ()) -> Fields:
    """Return the fields of a corpus that can be asked for, from at most 20,000 documents.

    Without names those that many documents have, with values that differ.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    having: Counter[str] = Counter()
    read = 0
    for read, document in enumerate(corpus.values(), 1):
        if read > _MOST_DOCUMENTS:
            break
        for name in names or document.facets:
            if values := _values(document, name):
                counts.setdefault(name, Counter()).update(values)
                having[name] += 1
    usable = {
        name: tuple(value for value, _ in count.most_common(_MOST_VALUES))
        for name, count in counts.items()
        if len(count) >= _FEWEST
        and (names or (having[name] >= _SHARE * read and count.total() >= _AGAIN * len(count)))
    }
    return Fields(tuple(usable), usable)


def overlap(one: str, other: str) -> bool:
    """Tell whether two values are ranges of figures that share some: ages 3-7, 3-5 and 5+."""
    ends = [_RANGE.fullmatch(each) for each in (one, other)]
    low, high, least, most = (
        float(end or "inf") for found in ends for end in (found.groups() if found else ("nan",) * 2)
    )
    return low <= most and least <= high


_RANGE = re.compile(r"(\d{1,9})\s?(?:[-–]\s?(\d{1,9})|\+)")


def _values(document: Document, name: str) -> list[str]:
    """Return the values of a field; one that is too long, or an address, is not asked for."""
    written = document.facets.get(name, "")
    whole = _INITIALS.search(written)
    parts = [each.strip() for each in ([written] if whole else written.split(_SEPARATOR))]
    return [
        each
        for each in dict.fromkeys(parts)
        if each and len(each) <= _LONGEST and "\n" not in each and not _NO_VALUE.match(each)
    ]


def _stated(name: str, value: str, start: int) -> Statement:
    said = table(_PACKAGE, "fields").get(_singular(name), "")
    end = start + len(value)
    if not said:
        return Statement(start, end, f"{_label(name)}: {value}", "field", name, value)
    article = "the " if said.endswith("from {value}") and _WITH_THE.match(value) else ""
    return Statement(start, end, said.format(value=f"{article}{value}"), "record", name, value)


def _label(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _singular(name: str) -> str:
    """Return the name of a field for one of its values: `countries`, `release_year`."""
    words = name.replace("_", " ").strip().lower()
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us")) else words


T = TypeVar("T")
Values: TypeAlias = Mapping[str, list[str]]
"""Distinct values of a corpus, by what they may be exchanged for."""
_MOST_ALIKE, _MOST_SORTS, _MOST_CHARACTERS = 40, 200_000, 20_000

_TIME_BOUND = re.compile(
    r"(?:since|until|till|before|after|prior to|by)\s(?:\w+\s){0,3}$", re.IGNORECASE
)
_DECADE = re.compile(r"0['’]?s\b")
_TELLING = 3  # values of one sort in a corpus that tell how large and small such a value can be
_FIGURE = re.compile(
    rf"{NUMERAL}|\b(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b", re.IGNORECASE
)
_FACTORS = (0.7, 0.75, 0.8, 1.2, 1.25, 1.3)
_MOST_APART = 0.35
"""Largest relative difference of a figure: 144 degrees in place of 103 is read as odd."""
_DAYS = range(2, 28)
_YEARS_APART = 10  # years that a date may move: a patient of 21 had no operation in 1982
_TIME = "|".join((*MONTHS, *WEEKDAYS))
_JOINED_BEFORE = re.compile(rf"(?:\d|{_TIME}),?\s(?:and|or)\s$", re.IGNORECASE)
_JOINED_AFTER = re.compile(rf",?\s(?:and|or)\s(?:\d|{_TIME})", re.IGNORECASE)
_FIXED = frozenset({"24 hour", "24 hours", "7 days", "12 months", "180 degrees", "360 degrees"})
"""Measures that everybody knows: there is no clock of 19 hours."""


def exchanged(value: Value, text: str, pools: Values, rng: random.Random) -> list[str]:
    """Return texts to put in place of a value, the best first; empty when nothing fits.

    Values of the corpus come first; a number or a year that the corpus cannot exchange becomes one
    of the same format, no larger and no smaller than the corpus has for that sort. Either is near
    the value, so that the text around it still fits; a day stays in its month.
    """
    around = text[max(0, value.start - 16) : value.start]
    if _JOINED_AFTER.match(text, value.end) or _JOINED_BEFORE.search(around):
        return []  # "scores of 9 and 10", "in January and February"
    if value.kind == "number":
        is_fixed = value.text.replace("-", " ").lower() in _FIXED
        return [] if is_fixed else _numbers(value, pools, rng)
    before = text[max(0, value.start - 20) : value.start]
    if _TIME_BOUND.search(before):
        return []  # what has been so since 1965 has been so since 1974
    alike = [
        other
        for key in value.keys
        for other in _shuffled(pools.get(key, ()), rng)
        if other.casefold() != value.text.casefold()
    ]
    near = [other for other in alike if _is_near_in_time(other, value.text)]
    return near or _other_days(value.text, rng) or _other_years(value.text, rng)


def _numbers(value: Value, pools: Values, rng: random.Random) -> list[str]:
    figures = [figure_of(found) for found in _FIGURE.findall(value.text)]
    if len(figures) != 1:
        return _ranges(value, figures, pools, rng) if len(figures) == 2 else []
    known = [
        found for other in pools.get(value.keys[0], ()) if (found := _figure(other)) is not None
    ]
    span = (min(known), max(known)) if len(known) >= _TELLING else (-math.inf, math.inf)

    def breaks(figure: float, least: float) -> bool:
        """Tell whether a figure contradicts the value's, and is of its order of magnitude."""
        old = value.number
        differs = figure not in {old, 0.0, 1.0} and abs(figure - old) >= least * abs(old)
        return differs and _is_near(figure, old) and span[0] <= figure <= span[1]

    chosen: list[str] = []
    for place, key in enumerate(value.keys):
        least = 0.05 if place == 0 and len(value.keys) > 1 else 0.2
        for other in _shuffled(pools.get(key, ()), rng):
            found = _figure(other)
            figure = value.number if found is None else _rounded(found, value.text)
            if breaks(figure, least):
                chosen.append(_refigured(value.text, figure))
    near = [value.number * factor for factor in _shuffled(_FACTORS, rng)]
    near = [_rounded(figure, value.text) for figure in near] + [value.number + 1]
    chosen.extend(_refigured(value.text, figure) for figure in near if breaks(figure, 0.2))
    return [each for each in dict.fromkeys(chosen) if each and each != value.text]


def _figure(text: str) -> float | None:
    found = _FIGURE.search(text)
    return figure_of(found[0]) if found else None


def _is_near(figure: float, old: float) -> bool:
    """Tell whether a figure is of the size of another; of small counts the next one is."""
    return abs(figure - old) <= max(_MOST_APART * abs(old), 1.0)


def _ranges(value: Value, figures: list[float], pools: Values, rng: random.Random) -> list[str]:
    chosen = []
    for other in _shuffled(pools.get(value.keys[0], ()), rng):
        low, high = [figure_of(found) for found in _FIGURE.findall(other)][:2]
        apart = low > figures[1] or high < figures[0]
        if "/" in value.text:  # "50/56 points": the scale stays
            high = figures[1]
            apart = low != figures[0] and (low <= high) == (figures[0] <= high)
        whole = "%" in value.text and high > 100
        near = _is_near(low, figures[0]) and _is_near(high, figures[1])
        if apart and near and not whole and 1.0 not in (low, high):
            chosen.append(_refigured(value.text, low, high))
    return [text for text in dict.fromkeys(chosen) if text and text != value.text]


def _refigured(text: str, *figures: float) -> str:
    """Write the figures in place of those in the text, each in its format; empty if one cannot."""
    rest = iter(figures)
    fits = True

    def replace(match: re.Match[str]) -> str:
        nonlocal fits
        spelled = spelled_like(next(rest), match.group())
        fits = fits and bool(spelled)
        return spelled

    written = _FIGURE.sub(replace, text, count=len(figures))
    return written if fits else ""


def _rounded(figure: float, text: str) -> float:
    """Round a figure as roundly as the one in the text is: 1,500 to hundreds, 4.7 to tenths."""
    found = _FIGURE.search(text)
    numeral = found[0].replace(",", "") if found else ""
    if not numeral or numeral[0].isalpha():
        return float(round(figure))
    if decimals := len(numeral.partition(".")[2]):
        return round(figure, decimals)
    zeros = len(numeral) - len(numeral.rstrip("0"))
    return float(round(figure, -zeros)) or float(round(figure))


def _is_near_in_time(other: str, written: str) -> bool:
    """Tell whether a date is at most 10 years away, or in the same month where neither has one."""
    if year_of(written):
        return abs(year_of(other) - year_of(written)) <= _YEARS_APART
    return month_of(other) == month_of(written) or not day_of(written)


def _other_days(written: str, rng: random.Random) -> list[str]:
    """Return other days of the month of a date that names no year."""
    if year_of(written) or not month_of(written) or not day_of(written):
        return []
    return [on_day(written, day) for day in _shuffled(_DAYS, rng) if day != day_of(written)]


def _other_years(written: str, rng: random.Random) -> list[str]:
    steps = [-10, 10] if _DECADE.search(written) else [-6, -4, -3, -2, 2, 3, 4]
    moved = [shifted(written, years) for years in _shuffled(steps, rng)]
    return [text for text in dict.fromkeys(moved) if text != written]


def _shuffled(items: Sequence[T], rng: random.Random) -> list[T]:
    return rng.sample(items, len(items))


KINDS = ("number", "date", "name", "antonym", "negation")
_SAID_AGAIN = re.compile(
    r"\s*(?:[\w.]+\s+)?[(/]\W*\d|\s*(?:or|and|to|x|×)\s+\d|.{0,16}\bto (?:the )?present"
    r"|\s?(?:or|and) (?:more|less|fewer|greater|over|under|old|young|above|below)",
    re.IGNORECASE,
)
"""After a value: the same in another unit, the other end of a range, or words that make it a bound:
"more than 5" does not contradict "more than 10"."""
_VERSION = re.compile(r"(?<![\w.,-])v?\d{1,3}(?:\.\d{1,3}){1,3}(?![\w-]|\.\d|,\d)")
_NAMED_BEFORE = re.compile(r"(?:\bversions?|\bsince|\bv|[A-Z][\w.]*)\s$")
_IDENTIFIER = re.compile(
    r"(?<![\w./-])(?:[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|--[a-z][a-z-]+|"
    r"[A-Z]{2,}_[A-Z_]+|[a-z]\w+\.[a-z]\w+)(?![\w/-]|\.\w)"
)
_NAME_BEFORE, _NAME_AFTER = re.compile(r"[A-Z]\w*\s$"), re.compile(r"\s[A-Z]")
_DRAWN = 12  # values or names of which one must differ from all that a document has
_MOST_NAMES, _COMMON = 400, 20
"""Names of a sort that are kept, and how often one may stand in the corpus to be exchanged:
JavaScript and GitHub are what a whole corpus is about."""
_ENDS, _JOINT = re.compile(r"\s*(?:[.,;)]|$)"), re.compile(r"[-/_]")
_FIRST = 3  # characters before the verb that is denied: a question begins with it
_FOLLOWS = re.compile(r"\s(?!to\b|in order\b)[a-z0-9]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def _split(written: str) -> list[str]:
    return [" ".join(each.split()) for each in written.split(",") if each.strip()]


def _both_ways(written: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for one, other in map(str.split, _split(written)):
        pairs.setdefault(one, other)
        pairs.setdefault(other, one)
    return pairs


_LISTS: dict[str, Any] = table(_PACKAGE, "words")
_DENIABLE, _BOUNDS, _VAGUE_WORDS, _NOT_DENIED = (
    "|".join(map(re.escape, _split(_LISTS[name])))
    for name in ("deniable", "bounds", "vague", "not denied")
)
_CAN_DENY = re.compile(rf"(?<![\w’'-])(?:{_DENIABLE})(?![\w’'-])")
_DENIED = re.compile(rf"(?<![\w’'-])({_DENIABLE}|has|have) (not) (?!(?:{_NOT_DENIED})\b)(?=[a-z])")
_BOUND = re.compile(rf"\b(?:{_BOUNDS})\s(?:[\w.]+\s){{0,2}}$|[<>]=?\s?$", re.IGNORECASE)
_VAGUE = re.compile(rf"\b(?:{_VAGUE_WORDS})\s*$", re.IGNORECASE)
_AUXILIARIES, _NOT_SIMPLE, _DENIALS = (
    frozenset(_split(_LISTS[name])) for name in ("auxiliaries", "not simple", "denials")
)
_ANYWHERE, _AT_AN_END = (
    _both_ways(_LISTS[f"opposites {name}"]) for name in ("anywhere", "at an end")
)
_BEFORE: dict[tuple[str, str], str] = {}
for _pair, _nouns in _LISTS["opposites before"].items():
    for _word, _other in (_pair.split(), _pair.split()[::-1]):
        for _noun in _nouns.split():
            _BEFORE.setdefault((_word, _noun), _other)
PLACES = [_split(names) for names in table(_PACKAGE, "places").values()]
_BY_LENGTH = sorted((name for names in PLACES for name in names), key=len, reverse=True)
_PLACE = re.compile(
    rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, _BY_LENGTH))})(?![\w’'-])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of document.text[start:end], which is `before`, by `after`.

    kind  number, date, name, antonym or negation, or control for one that breaks nothing
    """

    kind: str
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True)
class Stock:
    """What the documents read offer in exchange.

    values  numbers and dates, by what they may be exchanged for
    names   identifiers, by how they are written
    fields  values of fields, by key
    records names of those fields that are fields of records
    small   words that stand in small letters in the middle of a sentence
    """

    values: Values = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    small: Set[str] = frozenset()
    records: Set[str] = frozenset()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits that do not overlap made in it."""
    pieces, place = [], 0
    for edit in sorted(edits, key=lambda each: each.start):
        pieces += [text[place : edit.start], edit.after]
        place = edit.end
    return "".join([*pieces, text[place:]])


def stock_of(
    statements: Iterable[Statement], seed: int, records: Mapping[str, Sequence[str]] | None = None
) -> Stock:
    """Return what statements of a corpus, and values of fields of records, offer in exchange."""
    names: dict[str, Counter[str]] = {}
    fields: dict[str, Counter[str]] = {}
    texts = []
    small: set[str] = set()
    for each in statements:
        small.update(word for word in each.text.split() if word.islower())
        texts.append(each.text)
        for found in _IDENTIFIER.findall(each.text):
            names.setdefault(_shape(found), Counter())[found] += 1
        if each.key and each.key not in (records or {}):
            fields.setdefault(each.key, Counter())[each.value] += 1
    return Stock(
        harvest_values(texts, seed=seed),
        {
            shape: [name for name, count in held.most_common() if count <= _COMMON][:_MOST_NAMES]
            for shape, held in names.items()
        },
        {key: [value for value, _ in held.most_common(_MOST_NAMES)] for key, held in fields.items()}
        | dict(records or {}),
        small,
        frozenset(records or ()),
    )


def harvest_values(texts: Iterable[str], *, seed: int = 0) -> Values:
    """Return the numbers and dates of texts, of a sort a seeded sample of at most 40.

    A sample is drawn as values come by (reservoir sampling over occurrences).
    """
    rng = random.Random(f"{seed} values")
    values: dict[str, list[str]] = {}
    seen: Counter[str] = Counter()
    for text in texts:
        held = text[:_MOST_CHARACTERS]
        for value in (*find_dates(held, 0, len(held)), *find_quantities(held, 0, len(held))):
            for key in value.keys:
                if key not in values and len(values) >= _MOST_SORTS:
                    continue
                kept = values.setdefault(key, [])
                if value.text in kept:
                    continue
                seen[key] += 1
                if len(kept) < _MOST_ALIKE:
                    kept.append(value.text)
                elif (place := rng.randrange(seen[key])) < _MOST_ALIKE:
                    kept[place] = value.text
    return values


def edits_of(
    text: str,
    statement: Statement,
    stock: Stock,
    rng: random.Random,
    held: frozenset[str] = frozenset(),
) -> Iterator[Edit]:
    """Yield edits of a document's text, each of which makes the statement untrue.

    No value is exchanged for one in `held`, which is in lower case.
    """
    if statement.key in stock.records:
        yield from _other_value(statement, stock, rng, held)
        return
    start, end = statement.start, statement.end
    said = text[start:end].replace("\n", " ")  # a break inside a statement only wraps it

    def edit(kind: str, found: re.Match[str], after: str) -> Edit:
        return Edit(kind, start + found.start(), start + found.end(), found[0], after)

    def is_free(first: int, last: int) -> bool:
        """Tell whether another value at a place would contradict what is said."""
        before = said[:first]
        return not (_BOUND.search(before) or _SAID_AGAIN.match(said, last))

    dates = list(find_dates(said, 0, len(said)))
    versions = _versions(said)
    taken = [(each.start, each.end) for each in dates] + [each.span() for each in versions]
    numbers = [
        each
        for each in find_quantities(said, 0, len(said))
        if not any(each.start < b and a < each.end for a, b in taken)
    ]
    for value in (*dates, *numbers):
        if is_free(value.start, value.end) and not _VAGUE.search(said[: value.start]):
            for other in exchanged(value, said, stock.values, rng)[:1]:
                yield Edit(value.kind, start + value.start, start + value.end, value.text, other)
    for found in versions:
        if is_free(*found.span()):
            yield edit("number", found, _near_version(found[0], rng))
    for found in _IDENTIFIER.finditer(said):
        names = stock.names.get(_shape(found[0]), ())
        if found[0] not in names:
            continue
        others = [each for each in rng.sample(names, min(len(names), 8)) if each not in text]
        if others:
            yield edit("name", found, others[0])
    if statement.key:
        yield from _other_value(statement, stock, rng, held)
    yield from _places(text, said, start, rng)
    yield from _opposites(said, start)
    if statement.shape in ("sentence", "piece"):
        yield from _denials(said, start)


def _other_value(
    statement: Statement, stock: Stock, rng: random.Random, held: frozenset[str]
) -> Iterator[Edit]:
    """Yield the exchange of a field's value for another that the corpus has for the field."""
    values = stock.fields.get(statement.key, ())
    taken = held | {statement.value.casefold()}
    drawn = rng.sample(values, min(len(values), _DRAWN))
    words = len(statement.value.split())
    for other in sorted(drawn, key=lambda each: abs(len(each.split()) - words)):
        if other.casefold() not in taken and not overlap(other, statement.value):
            yield Edit("name", statement.start, statement.end, statement.value, other)
            return


def _shape(name: str) -> str:
    if name.startswith("--"):
        return "--"
    if "." in name:
        ending = name.rpartition(".")[2]
        return f".{ending}" if len(ending) < 5 else "."
    if name.isupper():
        return "A_A"
    return "aA" if name[0].islower() else "AA"


def _versions(said: str) -> list[re.Match[str]]:
    return [
        found
        for found in _VERSION.finditer(said)
        if found[0][0] == "v"
        or found[0].count(".") > 1
        or _NAMED_BEFORE.search(said[: found.start()])
    ]


def _near_version(written: str, rng: random.Random) -> str:
    parts = re.split(r"(\d+)", written)
    place = 1 if len(parts) <= 3 else rng.choice([1, 3])
    number = int(parts[place])
    steps = [step for step in (-3, -2, -1, 1, 2, 3) if number + step > 0]
    parts[place] = str(number + rng.choice(steps))
    return "".join(parts)


def _places(text: str, said: str, start: int, rng: random.Random) -> Iterator[Edit]:
    """Yield the exchange of a country, a city or a state for another one of its kind."""
    for found in _PLACE.finditer(said):
        written = found[0]
        if not _is_place(written, said[: found.start()], said[found.end() :]):
            continue
        names = next(names for names in PLACES if written.lower() in names)
        for other in rng.sample(names, min(len(names), _DRAWN)):
            if len(other.split()) == len(written.split()) and other not in text.lower():
                cased = str.upper if written.isupper() else str.title
                after = other if written.islower() else cased(other)
                yield Edit("name", start + found.start(), start + found.end(), written, after)
                break


def _is_place(written: str, before: str, after: str) -> bool:
    """Tell whether the name of a place is written as one, and is no part of a longer name."""
    if written.islower():
        return before.islower() or not before
    if written not in (written.title(), written.upper()):
        return False
    return not (_NAME_BEFORE.search(before) or _NAME_AFTER.match(after))


def _opposites(said: str, start: int) -> Iterator[Edit]:
    words = list(_WORD.finditer(said))
    held = Counter(re.sub(r"['’]s$", "", word[0].lower()) for word in words)
    if held.keys() & _DENIALS:
        return  # under a denial an opposite need not contradict
    for place, word in enumerate(words):
        low, written = word[0].lower(), word[0]
        other = _ANYWHERE.get(low, "")
        if not other and _ENDS.match(said, word.end()):
            other = _AT_AN_END.get(low, "")
        if not other and place + 1 < len(words):
            other = _BEFORE.get((low, words[place + 1][0].lower()), "")
        if not other or held[low] > 1 or held[other] or written.isupper():
            continue
        if place and written[0].isupper():
            continue  # part of a name
        if _JOINT.match(said, word.end()) or _JOINT.match(said, word.start() - 1):
            continue
        other = other.capitalize() if written[0].isupper() else other
        yield Edit("antonym", start + word.start(), start + word.end(), written, other)


def _denials(said: str, start: int) -> Iterator[Edit]:
    """Yield the edit that denies a simple sentence, or takes its one denial away."""
    words = [word.lower() for word in _WORD.findall(said)]
    denying = [word for word in words if word in _NOT_SIMPLE or word.endswith(("n't", "n’t"))]
    if sum(word in _AUXILIARIES for word in words) != 1 or said.count(",") > 1:
        return
    if denying == ["not"] and (found := _DENIED.search(said)):
        yield Edit("negation", start + found.end(1), start + found.end(2), " not", "")
    elif not denying and (found := _CAN_DENY.search(said)):
        if found.start() < _FIRST or not _FOLLOWS.match(said, found.end()):
            return
        place = start + found.end()
        yield Edit("negation", place, place, "", " not")
