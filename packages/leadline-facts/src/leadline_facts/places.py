"""Facts about places: resolve place names to city, region and country."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from leadline.text.countries import ALSO_OTHERS, CODES, VARIANTS, country, folded
from leadline.types import Constraint, Document, Enricher, Fact, Query
from leadline_facts.choose import cities
from leadline_facts.read.messages import read_messages, speaker_at
from leadline_facts.read.number_words import lowered, starting_words
from leadline_facts.read.pieces import by_pieces
from leadline_facts.read.places.atlas import Atlas, world
from leadline_facts.read.places.gazetteer import Gazetteer, Mention, Place, read_gazetteer
from leadline_facts.read.scope import Scope
from leadline_facts.words import patterns

_P = patterns("places")
_CITY = re.compile(_P["city"], re.IGNORECASE)
_REGION = re.compile(_P["region"], re.IGNORECASE)


def build(*, table: str = "") -> Enricher:
    """Return the enricher of places.

    table  a file with name, tab, kind of place, tab, ISO 3166-1 country code (tab, city, tab,
           region), or a dump of Wikidata; the names of countries are known without one, and
           cities, regions and airports with the extra `places`

    Raises InputError when the table cannot be read.
    """
    atlas = world()
    gazetteer = read_gazetteer(table) if table else Gazetteer()
    if atlas:
        gazetteer.mark(atlas.named)
    return _Places(gazetteer, atlas)


@dataclass(frozen=True)
class _Places:
    gazetteer: Gazetteer
    atlas: Atlas | None

    @property
    def name(self) -> str:
        atlas = f"-{self.atlas.version}" if self.atlas else ""
        return f"places/2{atlas}{'-' if self.gazetteer.digest else ''}{self.gazetteer.digest}"

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        for document in documents:
            yield document.id, tuple(by_pieces(self._read, document.content))

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return [tuple(self._asked(query.content)) for query in queries]

    def _read(self, text: str) -> Iterator[Fact]:
        found = list(self.gazetteer.mentions(text))
        of_atlas = [each for each in found if not each.places]
        mentions = [each for each in found if each.places and _is_place(text, each)]
        mentions = _vouched_for(text, mentions)
        certain = Counter(
            code for each in mentions if len(codes := _codes(each)) == 1 for code in codes
        )
        located = self._located(text, of_atlas, certain) if self.atlas else []
        if not mentions and not located:
            return
        messages = read_messages(text) if _HEADED.search(text) else ()
        for mention in mentions:
            speaker = speaker_at(messages, mention.start)
            yield from _facts(text, mention, certain, speaker, self.name)
        people = {word for each in messages for word in (each.speaker, *each.speaker.split())}
        for place in located:
            start, end = place.mention.start, place.mention.end
            if text[start:end] not in people:
                yield from cities.facts(text, place, speaker_at(messages, start), self.name)

    def _located(
        self, text: str, mentions: list[Mention], certain: Counter[str]
    ) -> list[cities.Located]:
        """Return the places of the atlas that the writer vouches for."""
        assert self.atlas
        found = [
            *cities.located(self.atlas, text, mentions, certain),
            *cities.airports(self.atlas, text),
        ]
        vouched = _vouched_for(text, [each.mention for each in found])
        return [each for each in found if each.mention in vouched]

    def _asked(self, text: str) -> Iterator[Constraint]:
        lower_text = lowered(text)
        for match in _ASKED.finditer(lower_text):
            span = match.span("name")
            name = text[slice(*span)]
            lower = name.islower()
            if not (lower and (folded(name) in ALSO_OTHERS or len(name) < 3)):
                yield Constraint("country", country(CODES[folded(name)]), span)
        if lower_text != text:
            yield from self._asked_by_table(text)

    def _asked_by_table(self, text: str) -> Iterator[Constraint]:
        """Yield the cities and regions of the table that a query asks for."""
        for mention in self.gazetteer.mentions(text):
            if not mention.places:
                assert self.atlas
                if one := cities.asked(self.atlas, text, mention):
                    yield Constraint(one[0], {"name": one[1]}, (mention.start, mention.end))
            elif _is_located(text, mention.start):
                for place in mention.places:
                    kind = _level(place)
                    if kind:
                        words = text[mention.start : mention.end]
                        yield Constraint(kind, {"name": words}, (mention.start, mention.end))
                        break


_LOCATIVE_WORDS = """
    in inside into at to from near nearby by around outside behind beside opposite across through
    throughout within via off over toward towards below above under past leaving leave left based
    visit visits visited visiting tour tours toured touring reach reaches reached reaching explore
    explores explored exploring aboard enter enters entered entering see sees seen seeing saw facing
    overlook overlooks overlooked overlooking north south east west northern southern eastern
    western depart departs departed departing arrive arrives arrived arriving crossed crossing
    climbed climbing passed passing between
"""
_LOCATIVE = frozenset(_LOCATIVE_WORDS.split())
_BETWEEN = frozenset(("the", "downtown", "central", "mainland", "of", "old", "beautiful"))


def _is_located(text: str, start: int) -> bool:
    """Tell whether the word before a name says that something is there."""
    words = text[max(0, start - 40) : start].lower().split()
    while words and words[-1] in _BETWEEN:
        words.pop()
    return bool(words) and words[-1] in _LOCATIVE


_ASKED_NAMES = "|".join(
    re.escape(name).replace(r"\ ", r"\s+")
    for name in sorted(
        {re.sub("^the ", "", name.lower()) for all in VARIANTS.values() for name in all},
        key=len,
        reverse=True,
    )
)
_ASKED_WHERE = """
in inside into within across throughout around near to visit visits visited visiting toured touring
"""
_ASKED = re.compile(
    rf"(?:{starting_words(_ASKED_WHERE.split())})\s+(?:the\s+)?(?P<name>{_ASKED_NAMES})(?![\w'’-])"
)
# What stands before a name that is borne by something else, or tells of a place nobody was at.
_NOT_THERE = re.compile(_P["not_there"], re.IGNORECASE)
_ADDRESS = re.compile(r"\b[A-ZÀ-Þ][\w’'-]*, $")
_NAME_AFTER = re.compile(r" (?!I\b)[A-Z][\w’'-]+")


def _is_place(text: str, mention: Mention) -> bool:
    """Tell whether the words around a name let it be a place where something is."""
    start, end = mention.start, mention.end
    is_country = any(place.kind == "country" for place in mention.places)
    if (not is_country and mention.words == 1) or folded(text[start:end]) in ALSO_OTHERS:
        located = _is_located(text, start) or _ADDRESS.search(text, max(0, start - 30), start)
        if not located or _NAME_AFTER.match(text, end):
            return False
    if any(map(_level, mention.places)) and _NAME_AFTER.match(text, end):
        return False
    return not _NOT_THERE.search(text[max(0, start - 70) : start])


def _vouched_for(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Drop the mentions in what the writer denies, imagines, doubts or quotes."""
    scope = Scope(text) if mentions else None
    return [each for each in mentions if scope and not scope.doubts((each.start, each.end))]


def _codes(mention: Mention) -> list[str]:
    return list(dict.fromkeys(place.code for place in mention.places))


def _facts(
    text: str, mention: Mention, certain: Counter[str], speaker: str, provider: str
) -> Iterator[Fact]:
    codes = _codes(mention)
    span = ((mention.start, mention.end),)
    name = text[mention.start : mention.end]
    located = _is_located(text, mention.start)
    if all(place.kind == "country" for place in mention.places):
        confidence = 0.9 if located else 0.5
        for code in codes:
            yield Fact(
                "country", country(code), speaker, "stated", confidence, span,
                f"{name} is named", provider,
            )  # fmt: skip
        return
    told = [code for code in codes if certain[code]]
    best = max(told, key=lambda code: certain[code], default=None)
    sure = (75 if mention.words == 1 else 95) / 100 if located else 0.9
    for place in dict.fromkeys(mention.places):
        is_best = len(codes) == 1 or place.code == best
        role, confidence = ("derived", sure) if is_best else ("alternative", sure / len(codes) / 2)
        if best is None and len(codes) > 1:
            role, confidence = "alternative", sure / len(codes)
        about = f"{name} is a {place.kind}" if place.kind else name
        for kind, value, where in _values(name, place):
            stated = where == name and role == "derived"
            yield Fact(
                kind, value, speaker, "stated" if stated else role, confidence, span,  # type: ignore[arg-type]
                f"{name} is named" if where == name else f"{about} in {where}", provider,
            )  # fmt: skip


def _values(name: str, place: Place) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield kind, value and name of all levels at which a place lies."""
    level = _level(place)
    city = name if level == "city" else place.city
    region = name if level == "region" else place.region
    if city:
        yield "city", {"name": city}, city
    if region:
        yield "region", {"name": region}, region
    value = country(place.code)
    yield "country", value, value["name"]


@cache
def _level(place: Place) -> str:
    """Return `city` or `region` for a place that is one, by its kind."""
    if _CITY.fullmatch(place.kind):
        return "city"
    return "region" if _REGION.fullmatch(place.kind) else ""


# A text without a stamp in front of a line has no speakers that are worth the search for them.
_HEADED = re.compile(_P["headed"], re.MULTILINE)
