"""Write review sheets for ladders, and read filled sheets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from leadline.data import sheets
from leadline.errors import InputError
from leadline.kinds.conditions.ladders import LadderRecord, as_list

EACH = 100
"""Queries, documents under a query, and queries to be judged, of a domain, as in the paper."""
ANSWER = "how many of the conditions (0 to n)"
VALID = "Would somebody ask this: is it natural, precise and plausible? 1 for yes, 0 for no."
_DIGITS = 9
_COLUMNS = ("item", "domain", "what", "conditions", "text", ANSWER, "remarks")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to read.

    conditions  what is counted, a line each, or the question VALID
    meant       how many of them the text states, or 1 for yes; not in the sheet
    """

    id: str
    domain: str
    what: str
    conditions: str
    text: str
    meant: int


@dataclass(frozen=True, slots=True)
class Filled:
    """What the readers of a sheet say of one of three things.

    what         "query" and "document" (conditions stated), "validity" (of queries): one says
                 little of another, so they are never joined
    domain       whose items these are; empty for all domains together
    agreement    share of pairs of readers with the same answer
    kappa        Fleiss' kappa
    label_error  share of items for which no more readers say what was meant than anything else
    """

    what: str
    domain: str
    readers: int
    items: int
    agreement: float
    kappa: float
    label_error: float


def items_of(records: Sequence[LadderRecord], *, seed: int = 0, each: int = EACH) -> Iterator[Item]:
    """Yield what is drawn by the seed: of every domain as many of each of three things.

    Names of items do not tell what was meant.
    """
    for domain in sorted({record.domain for record in records}):
        own = sorted((r for r in records if r.domain == domain), key=lambda r: r.id)
        queries = [item for record in own for item in _queries(record)]
        pairs = [item for record in own for item in _pairs(record)]
        asked = [(VALID, text, 1) for _, text, _ in queries]
        for what, found in (("query", queries), ("document", pairs), ("validity", asked)):
            rng = random.Random(f"{seed} sheet {domain} {what}")
            drawn = rng.sample(found, min(each, len(found)))
            for number, (conditions, text, meant) in enumerate(drawn, 1):
                yield Item(f"{domain} {what} {number:03}", domain, what, conditions, text, meant)


def write_sheet(
    path: str | Path, records: Sequence[LadderRecord], *, seed: int = 0, each: int = EACH
) -> int:
    """Write 100 things of each sort and domain as `.csv`; return how many rows it has.

    A reader says how many of the conditions a text states (of a query: asks for), and of other
    queries whether somebody would ask them.
    """
    rows = (
        (item.id, item.domain, item.what, item.conditions, item.text, "", "")
        for item in items_of(records, seed=seed, each=each)
    )
    return sheets.write_sheet(path, _COLUMNS, rows)


def read_sheets(
    paths: Sequence[str | Path], records: Sequence[LadderRecord], *, seed: int = 0, each: int = EACH
) -> list[Filled]:
    """Return what two or more filled sheets say of the ladders, over items that all answered.

    The three stand apart, and of several domains each after all together. Records,
    seed and `each` are those with which the sheet was written. Raises InputError when a sheet
    cannot be read or does not fit, and when no item is answered in all of them.
    """
    if len(paths) < 2:
        raise InputError("Agreement needs the sheets of at least two readers.")
    items = {item.id: item for item in items_of(records, seed=seed, each=each)}
    sheets = [_answers(Path(path), items) for path in paths]
    common = [id for id in items if all(id in sheet for sheet in sheets)]
    if not common:
        raise InputError("No item has an answer in every sheet.")
    found = []
    for what in dict.fromkeys(items[id].what for id in common):
        of_kind = [id for id in common if items[id].what == what]
        domains = list(dict.fromkeys(items[id].domain for id in of_kind))
        for domain in ["", *domains] if len(domains) > 1 else domains:
            own = [id for id in of_kind if items[id].domain == domain or not domain]
            ratings = [[sheet[id] for sheet in sheets] for id in own]
            right = [_says(row, items[id].meant) for id, row in zip(own, ratings, strict=True)]
            agreement, kappa = observed_agreement(ratings), fleiss_kappa(ratings)
            wrong = right.count(False) / len(own)
            found.append(Filled(what, domain, len(sheets), len(own), agreement, kappa, wrong))
    return found


def _says(labels: Sequence[int], meant: int) -> bool:
    """Return whether more readers say what was meant than any other number."""
    counts = Counter(labels)
    own = counts.pop(meant, 0)
    return own > max(counts.values(), default=0)


def _answers(path: Path, items: dict[str, Item]) -> dict[str, int]:
    rows = sheets.read_sheet(path)
    if not rows or not {"item", ANSWER} <= set(rows[0]):
        raise InputError(
            f"{path} is not a sheet of conditions. It needs the columns item and {ANSWER!r}."
        )
    found = {}
    for line, row in enumerate(rows, 2):
        id, answer = row["item"] or "", (row[ANSWER] or "").strip()
        if id not in items:
            raise InputError(
                f"{path}, row {line}: {id!r} is not an item of these ladders and this seed."
            )
        if not answer:
            continue
        if not (answer.isascii() and answer.isdigit()):
            raise InputError(f"{path}, row {line}: {answer[:40]!r} is not a number of conditions.")
        found[id] = int(answer[:_DIGITS])
    return found


def _queries(record: LadderRecord) -> Iterator[tuple[str, str, int]]:
    """Yield all conditions, a query, and how many of them it asks for."""
    conditions = "\n".join(record.conditions)
    for k in range(1, len(record.conditions) + 1):
        yield conditions, record.queries.get(k) or as_list(record.short[:k]), k
        if k in record.prose:
            yield conditions, record.prose[k], k


def _pairs(record: LadderRecord) -> Iterator[tuple[str, str, int]]:
    """Yield the conditions in a searcher's words, a document, and how many of them it meets."""
    conditions = "\n".join(record.short)
    n = len(record.conditions)
    meant = [[k < j for k in range(n)] for j in range(n + 1)]
    meant += [[place != k - 1 for place in range(n)] for k in range(1, n)]
    for met in meant:
        both = zip(record.conditions, record.negatives, met, strict=True)
        text = " ".join(own if holds else other for own, other, holds in both)
        yield conditions, text, sum(met)


def observed_agreement(ratings: Sequence[Sequence[Hashable]]) -> float:
    """Return the share of pairs of judges who gave an item the same label, mean over items."""
    return fmean(
        sum(count * (count - 1) for count in Counter(labels).values())
        / (len(labels) * (len(labels) - 1))
        for labels in ratings
    )


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float:
    """Return agreement beyond chance: 1 for always, 0 for as often as by chance.

    Where everybody gave one and the same label chance explains all; that counts as 1.
    Source: Fleiss 1971, Measuring nominal scale agreement among many raters.
    """
    counts = Counter(label for labels in ratings for label in labels)
    by_chance = sum((count / counts.total()) ** 2 for count in counts.values())
    if by_chance == 1.0:
        return 1.0
    return (observed_agreement(ratings) - by_chance) / (1 - by_chance)
