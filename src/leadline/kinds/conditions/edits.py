"""Edits that make a statement of a document untrue: a near value, an opposite, a negation."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from leadline.kinds.conditions.exchange import exchanged
from leadline.kinds.conditions.fields import overlap
from leadline.kinds.pools import Pools, harvest_values
from leadline.text.dates import find_dates
from leadline.text.quantities import find_quantities
from leadline.text.statements import Statement

CONTROL = "control"
KINDS = ("number", "date", "name", "antonym", "negation")
_SAID_AGAIN = re.compile(
    r"\s*(?:[\w.]+\s+)?[(/]\W*\d|\s*(?:or|and|to|x|×)\s+\d|.{0,16}\bto (?:the )?present"
)
"""After a value: the same in another unit, or the other end of a range."""
_VERSION = re.compile(r"(?<![\w.,-])v?\d{1,3}(?:\.\d{1,3}){1,3}(?![\w-]|\.\d|,\d)")
_NAMED_BEFORE = re.compile(r"(?:\bversions?|\bsince|\bv|[A-Z][\w.]*)\s$")
_IDENTIFIER = re.compile(
    r"(?<![\w./-])(?:[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|--[a-z][a-z-]+|"
    r"[A-Z]{2,}_[A-Z_]+|[a-z]\w+\.[a-z]\w+)(?![\w/-]|\.\w)"
)
_NAME_BEFORE, _NAME_AFTER = re.compile(r"[A-Z]\w*\s$"), re.compile(r"\s[A-Z]")
_DRAWN = 12
"""Values or names of which one must differ from all that a document has."""
_MOST_NAMES, _COMMON = 400, 20
"""Names of a sort that are kept, and how often one may stand in the corpus to be exchanged:
JavaScript and GitHub are what a whole corpus is about."""
_ENDS, _JOINT = re.compile(r"\s*(?:[.,;)]|$)"), re.compile(r"[-/_]")
_FIRST = 3
"""Characters before the verb that is denied: a question begins with it."""
_FOLLOWS = re.compile(r"\s(?!to\b|in order\b)[a-z0-9]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


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

    values: Pools
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    small: Set[str] = frozenset()
    records: Set[str] = frozenset()

    @classmethod
    def empty(cls) -> Stock:
        """Return a stock that offers nothing."""
        return cls(Pools())


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
    """Return what statements of a corpus offer in exchange.

    records  values of the fields of records, by name
    """
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


def edits_of(
    text: str,
    statement: Statement,
    stock: Stock,
    rng: random.Random,
    held: frozenset[str] = frozenset(),
) -> Iterator[Edit]:
    """Yield edits of a document's text, each of which makes the statement untrue.

    held  values in lower case that no other is exchanged for
    """
    if statement.key in stock.records:
        yield from _other_value(statement, stock, rng, held)
        return
    start, end = statement.start, statement.end
    said = text[start:end].replace("\n", " ")  # a break inside a statement only wraps it
    dates = list(find_dates(said, 0, len(said)))
    versions = _versions(said)
    taken = [(each.start, each.end) for each in dates] + [(v.start(), v.end()) for v in versions]
    numbers = [
        each
        for each in find_quantities(said, 0, len(said))
        if not any(each.start < b and a < each.end for a, b in taken)
    ]
    for value in (*dates, *numbers):
        if (
            _words().bound.search(said[: value.start])
            or _SAID_AGAIN.match(said, value.end)
            or _words().vague.search(said[: value.start])
        ):
            continue
        for other in exchanged(value, said, stock.values, rng)[:1]:
            yield Edit(value.kind, start + value.start, start + value.end, value.text, other)
    for found in versions:
        if _words().bound.search(said[: found.start()]) or _SAID_AGAIN.match(said, found.end()):
            continue
        yield Edit(
            "number",
            start + found.start(),
            start + found.end(),
            found[0],
            _near_version(found[0], rng),
        )
    for found in _IDENTIFIER.finditer(said):
        names = stock.names.get(_shape(found[0]), ())
        if found[0] not in names:
            continue
        others = [each for each in rng.sample(names, min(len(names), 8)) if each not in text]
        if others:
            yield Edit("name", start + found.start(), start + found.end(), found[0], others[0])
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
    pattern, kinds = _known_places()
    for found in pattern.finditer(said):
        written = found[0]
        if not _is_place(written, said[: found.start()], said[found.end() :]):
            continue
        names = next(names for names in kinds if written.lower() in names)
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
    lists = _words()
    words = list(_WORD.finditer(said))
    held = Counter(word[0].lower() for word in words)
    if held.keys() & lists.denials:
        return  # under a denial an opposite need not contradict
    for place, word in enumerate(words):
        low, written = word[0].lower(), word[0]
        other = lists.anywhere.get(low, "")
        if not other and _ENDS.match(said, word.end()):
            other = lists.at_an_end.get(low, "")
        if not other and low in lists.before:
            after = words[place + 1][0].lower() if place + 1 < len(words) else ""
            other = next((each for each, nouns in lists.before[low] if after in nouns), "")
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
    lists = _words()
    words = [word.lower() for word in _WORD.findall(said)]
    denying = [word for word in words if word in lists.not_simple or word.endswith(("n't", "n’t"))]
    if sum(word in lists.auxiliaries for word in words) != 1 or said.count(",") > 1:
        return
    if denying == ["not"] and (found := lists.denied.search(said)):
        yield Edit("negation", start + found.end(1), start + found.end(2), " not", "")
    elif not denying and (found := lists.deniable.search(said)):
        if found.start() < _FIRST or not _FOLLOWS.match(said, found.end()):
            return
        place = start + found.end()
        yield Edit("negation", place, place, "", " not")


@dataclass(frozen=True)
class _Words:
    deniable: re.Pattern[str]
    denied: re.Pattern[str]
    bound: re.Pattern[str]
    vague: re.Pattern[str]
    auxiliaries: Set[str]
    not_simple: Set[str]
    denials: Set[str]
    anywhere: Mapping[str, str]
    at_an_end: Mapping[str, str]
    before: Mapping[str, Sequence[tuple[str, Set[str]]]]


@cache
def _words() -> _Words:
    lists = _data("words")
    deniable, bounds, vague, not_denied = (
        "|".join(map(re.escape, _split(lists[name])))
        for name in ("deniable", "bounds", "vague", "not denied")
    )
    before: dict[str, list[tuple[str, Set[str]]]] = {}
    for pair, nouns in lists["opposites before"].items():
        for word, other in (pair.split(), pair.split()[::-1]):
            before.setdefault(word, []).append((other, frozenset(nouns.split())))
    return _Words(
        re.compile(rf"(?<![\w’'-])(?:{deniable})(?![\w’'-])"),
        re.compile(rf"(?<![\w’'-])({deniable}|has|have) (not) (?!(?:{not_denied})\b)(?=[a-z])"),
        re.compile(rf"\b(?:{bounds})\s(?:[\w.]+\s){{0,2}}$", re.IGNORECASE),
        re.compile(rf"\b(?:{vague})\s*$", re.IGNORECASE),
        frozenset(_split(lists["auxiliaries"])),
        frozenset(_split(lists["not simple"])),
        frozenset(_split(lists["denials"])),
        _both_ways(lists["opposites anywhere"]),
        _both_ways(lists["opposites at an end"]),
        before,
    )


@cache
def _known_places() -> tuple[re.Pattern[str], list[list[str]]]:
    kinds = [_split(names) for names in _data("places").values()]
    every = sorted((name for names in kinds for name in names), key=len, reverse=True)
    pattern = rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, every))})(?![\w’'-])"
    return re.compile(pattern, re.IGNORECASE), kinds


def _data(name: str) -> dict[str, Any]:
    path = files("leadline.kinds.conditions").joinpath(f"{name}.yaml")
    lists: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return lists


def _split(written: str) -> list[str]:
    return [" ".join(each.split()) for each in written.split(",") if each.strip()]


def _both_ways(written: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for one, other in map(str.split, _split(written)):
        pairs.setdefault(one, other)
        pairs.setdefault(other, one)
    return pairs
