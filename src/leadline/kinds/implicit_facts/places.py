"""Landmarks and their countries: tables, filters by rules and by models, tuple sets of places.

Source: ImpliRet, appendix A.2; its web check is left to the user.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from leadline import progress
from leadline.data.data_sets import rows_in
from leadline.errors import InputError
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, run
from leadline.llm.pipeline.steps import WRITER, Asks, Question
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.plugins import find
from leadline.text.countries import DEMONYMS, VARIANTS
from leadline.types import LLM, Document, Query, Retriever

COSINE_LIMIT = 0.25
"""A name as close as this to the name of its country gives the country away."""

_LONGEST_NAME = 100
_BLOCK = 1024
_CLASSES = {
    "museum": re.compile(r"museum|galler"),
    "university": re.compile(r"universit|college|institut"),
    "church": re.compile(r"church|cathedral|chapel|basilica|abbey|monastery"),
    "venue": re.compile(r"venue|theat|cinema|stadium|arena|hall|cent(?:er|re)|zoo|club|auditorium"),
    "landmark": re.compile(r"landmark|library|monument|tower|palace|temple|bridge|garden|park"),
}
_GONE = re.compile(r"ship|exhibition|online|organi[sz]ation|former|destroyed")
_FIELDS = {
    "name": ("itemLabel", "name", "label", "landmark"),
    "country": ("countryLabel", "country", "country_code", "code"),
    "kind": ("instanceOf", "instanceOfLabel", "kind", "type"),
    "score": ("score", "cosine"),
}
_LOCATIONS = ("adminEntityLabel", "cityLabel", "locationLabel", "streetNameLabel",
              "region", "city", "location", "street")  # fmt: skip
_MACHINE_MADE = re.compile(r"[QL]\d+$|https?:|\d{4,}")
_GENERIC_TOKENS = {"the", "of", "and", "saint", "st", "san", "de", "la", "new", "park", "city"}
_TAKES_THE = re.compile(
    r"(?:Museum|Church|University|Cathedral|Chapel|Palace|National |Royal |Temple|House of|Amphithe"
    r"atre|Hill of|Basilica|Abbey|Gallery).*|.*(?:Museum|Gallery|Theat(?:re|er)|Cinema|Observatory|"
    r"Cent(?:er|re)|Institute|Auditorium|Towers?|Fountain|Gate|Library|Storehouse|Gardens|Memorial|"
    r"Dam|Palace|Bastion|Army|Mosque|Pagoda|Monastery|Treasury|Shrine|Mermaid|Mine|Caves|Arena)"
)
_TAKES_NONE = re.compile(r"St\b|Saint\b|San\b|Le |La |El |Al-|.*['’]s ")


@dataclass(frozen=True)
class Place:
    """A landmark in one country.

    Attributes:
        code: of the country, ISO 3166-1 alpha-2
        clues: words that would give its country away: names, adjectives, region, city, street
    """

    name: str
    code: str
    country: str
    clues: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it without its clues, as JSON."""
        return {"landmark": self.name, "country": self.country, "code": self.code}


@dataclass(frozen=True)
class Table:
    """The places of a table that can be used, and how many were not, by reason."""

    places: tuple[Place, ...]
    dropped: Mapping[str, int]

    def without(
        self,
        kept: Sequence[Place],
        dropped: Mapping[str, int],
        problem: str = "No place is left after the filters",
    ) -> Table:
        """Return a table of the places kept. Raises InputError if there is none."""
        counts = +(Counter(self.dropped) + Counter(dropped))
        if not kept:
            reasons = ", ".join(f"{count} {reason}" for reason, count in counts.most_common())
            raise InputError(f"{problem} ({reasons or 'the table is empty'}).")
        return Table(tuple(kept), dict(sorted(counts.items())))


def read_places(path: str | Path | None = None) -> Table:
    """Return the places of a table, without those that are ambiguous or give the country away.

    path  `.jsonl[.gz]`, `.csv` or `.tsv` with a header whose fields are named as in an export
        of Wikidata (itemLabel, countryLabel, instanceOf, adminEntityLabel, ...); a dump of
        Wikidata (`.json`, `.json.gz` or `.json.bz2`), which is read once and its places kept in
        the cache; or `.tsv` without a header: name, kind, country code. None is our own table
        of well-known places.

    A place is dropped if its name is missing, machine-made, given twice in several countries,
    shares a word with its region, city, location or street, names a country, or is too close to
    its country's name (`score`, a cosine, if the table has one); if a column of a classifier
    calls it generic or revealing; if its country is unknown; and if its kind is none or several
    of museum, university, church, venue and landmark.

    Raises InputError if the table cannot be read or no place is left.
    """
    dropped: Counter[str] = Counter()
    found: dict[str, Place] = {}
    elsewhere: set[str] = set()
    for row in _rows(path):
        place = _checked(row)
        if isinstance(place, str):
            dropped[place] += row.get("count", 1) if row.get("dropped_because") else 1
            continue
        key = place.name.casefold()
        earlier = found.setdefault(key, place)
        if earlier.code != place.code:
            elsewhere.add(key)
        elif earlier is not place:
            dropped["given twice"] += 1
    dropped["in several countries"] += len(elsewhere)
    kept = [place for key, place in found.items() if key not in elsewhere]
    return Table((), {}).without(kept, dropped, f"{path}: no usable place")


class _Verdict(BaseModel):
    specific: bool
    reveals: bool


def far_from_countries(table: Table, encoder: Retriever) -> Table:
    """Return the table without names that are close to the name of their country.

    encoder  a retriever whose scores are cosines, such as a dense one; the paper's is Contriever

    Raises InputError if no place is left.
    """
    countries = {place.code: Document(place.code, place.country) for place in table.places}
    index = encoder.index(countries)
    kept: list[Place] = []
    blocks = range(0, len(table.places), _BLOCK)
    for start in progress.track(blocks, "Names against countries", len(blocks)):
        block = table.places[start : start + _BLOCK]
        queries = [Query(str(number), place.name) for number, place in enumerate(block)]
        run = index.search(queries, len(countries))
        kept += [
            place
            for query, place in zip(queries, block, strict=True)
            if run[query.id].get(place.code, -1.0) < COSINE_LIMIT
        ]
    return table.without(kept, {"close to its country's name": len(table.places) - len(kept)})


def specific(table: Table, llm: LLM) -> Table:
    """Return the table without names that a language model calls generic or revealing.

    A place without a usable answer is dropped too. Raises InputError if no place is left.
    """
    prompt = Prompt.load(__package__, "judge_place_name")
    step = Asks("judge", prompt, _Verdict, _Verdict(specific=True, reveals=False), 4096)

    async def judge(record: Record, place: Place) -> _Verdict:
        text = f"{place.name}\nCountry: {place.country}"
        return await record.ask(step, Question(texts={"place": text}))

    kept: list[Place] = []
    dropped: Counter[str] = Counter()
    sources = ((str(number), place) for number, place in enumerate(table.places))
    pipeline = Pipeline("", (step,), judge)
    for outcome in run(pipeline, sources, {WRITER: llm}, RunRecord("places"), attempts=1):
        verdict = outcome.value
        if verdict is None:
            dropped["without a usable verdict"] += 1
        elif not verdict.specific:
            dropped["called generic by the model"] += 1
        elif verdict.reveals:
            dropped["called revealing by the model"] += 1
        else:
            kept.append(outcome.source)
    return table.without(kept, dropped)


def draw_places(places: Sequence[Place], size: int, rng: random.Random) -> list[Place]:
    """Return a tuple set: distinct countries, one landmark of each.

    Raises InputError if the places lie in fewer countries.
    """
    by_country: dict[str, list[Place]] = {}
    for place in places:
        by_country.setdefault(place.code, []).append(place)
    if size > len(by_country):
        raise InputError(
            f"The places are in {len(by_country)} countries, too few for sets of {size}. Use "
            "fewer --tuples or a larger --places table."
        )
    return [rng.choice(by_country[code]) for code in rng.sample(sorted(by_country), size)]


def with_the(name: str) -> str:
    """Return the name of a place, with "the" if English usually has it."""
    if re.match(r"(?i)the\b", name):
        return f"the {name[4:]}"
    takes = _TAKES_THE.fullmatch(name) and not _TAKES_NONE.match(name)
    return f"the {name}" if takes else name


def country_in_sentence(country: str) -> str:
    """Return "the Netherlands" for Netherlands."""
    plural = re.search(r"United |Netherlands$|Philippines$| Islands$|Republic|Bahamas|Maldives",
                       country)  # fmt: skip
    return f"the {country}" if plural else country


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """Return the names and adjectives of every country by its code, the short name first."""
    people: dict[str, list[str]] = {}
    for demonym, code in DEMONYMS.items():
        people.setdefault(code, []).append(demonym.title())
    return {code: (*names, *people.get(code, ())) for code, names in VARIANTS.items()}


@cache
def _codes() -> dict[str, str]:
    return {name.casefold(): code for code, names in _countries().items() for name in names}


def _checked(row: Mapping[str, Any]) -> Place | str:
    """Return the place of a row, or why it cannot be used."""
    if row.get("beyond"):
        return "of another kind"
    if row.get("dropped_because"):
        return str(row["dropped_because"])
    name, code = _field(row, "name"), _code(row)
    if not name or _MACHINE_MADE.match(name):
        return "without a name"
    if len(name) > _LONGEST_NAME or not name.isprintable() or set(name) & set("<>{}$:"):
        return "without a plain name"  # it goes into prompts as it stands
    if not code:
        return "in an unknown country"
    locations = [each for key in _LOCATIONS for each in _several(row.get(key))]
    names = _countries()[code]
    own, around = (set(re.findall(r"\w+", each.casefold())) for each in (name, " ".join(locations)))
    if own & around - _GENERIC_TOKENS:
        return "named like its surroundings"
    clues = tuple(dict.fromkeys(each for each in [*names, *locations] if len(each) > 1))
    if any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", name) for each in clues):
        return "named like its country"
    if _is_judged_revealing(row):
        return "judged generic or revealing"
    if not _is_of_one_class(_field(row, "kind")):
        return "of another kind"
    return Place(name, code, names[0], clues)


def _code(row: Mapping[str, Any]) -> str:
    labels = (str(row.get("code") or ""), _field(row, "country"))
    known = (each.upper() if each.upper() in VARIANTS else _codes().get(each.casefold(), "")
             for each in labels)  # fmt: skip
    return next(filter(None, known), "")


def _field(row: Mapping[str, Any], what: str) -> str:
    value = next((row[key] for key in _FIELDS[what] if row.get(key)), "")
    return ", ".join(_several(value)) if isinstance(value, list) else str(value).strip()


def _several(value: object) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list) else [value]) if each]


def _is_judged_revealing(row: Mapping[str, Any]) -> bool:
    """Tell whether a column of the table, a cosine or a classifier, says so."""
    generic = str(row.get("LLM_GS_Clf") or "Specific").casefold()
    hint = str(row.get("LLM_Hint_Clf") or "No Hint").casefold()
    try:
        close = float(_field(row, "score") or 0) >= COSINE_LIMIT
    except ValueError:
        close = False
    return close or generic != "specific" or hint != "no hint"


def _is_of_one_class(kind: str) -> bool:
    kinds = [each for each in re.split(r",\s*", kind.casefold()) if each]
    classes = {
        next((name for name, pattern in _CLASSES.items() if pattern.search(each)), "")
        for each in kinds
    }
    return not kinds or (len(classes - {""}) == 1 and not any(map(_GONE.search, kinds)))


def _rows(path: str | Path | None) -> Iterator[Mapping[str, Any]]:
    if path is None:
        yield from _tsv_rows((files(__package__) / "landmarks.tsv").read_text(encoding="utf-8"))
        return
    path = Path(path)
    if not path.is_file():
        raise InputError(f"The table of places {path} does not exist.")
    if path.name.endswith((".json", ".json.gz", ".json.bz2")):
        path = Path(find("places", "wikidata")(path))
    if path.suffix != ".tsv":
        yield from rows_in(path)
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8. Save the table as UTF-8.") from error
    yield from _tsv_rows(text)


def _tsv_rows(text: str) -> Iterator[Mapping[str, Any]]:
    lines = [line.split("\t") for line in text.splitlines() if line.strip() and line[0] != "#"]
    header = lines[0] if lines else []
    if all(set(header) & set(_FIELDS[what]) for what in ("name", "country")):
        lines = lines[1:]
    else:
        header = ["name", "kind", "code"]
    yield from (dict(zip(header, line, strict=False)) for line in lines)
