"""How many holders are needed for so many things, and what is over: buses, boxes, pieces, teams."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import is_same_noun, nouns_of, singular
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount, Passage

_VERB = (
    r"(?:takes?|holds?|seats?|carr(?:y|ies)|fits?|sleeps?|accommodates?|has room for|have room for"
    r"|has space for|can (?:take|hold|seat|carry|fit)|will (?:take|hold|seat|carry)|feeds?|serves?"
    r"|covers?|has)"
)
_HOLDS = re.compile(
    rf"(?:\b(?:each|every|an?|one|per|the)(?: (?!§)[a-z]+)? |\b)(?P<noun>[a-z]+)(?: only| just|"
    rf" can| will)? {_VERB}(?: up to| only| about| just)? (?P<size>§[nq]\d+§)"
    r"(?P<what>(?: (?!each|at|and|per)[a-z]+)?)(?! of)"
)
_IN_GROUPS = re.compile(
    r"\b(?:in|into|by|as) (?P<kind>pairs|(?:teams|groups|rows|boxes|batches|packs|bags|crates"
    r"|pieces|lengths|strips|sets|bunches|bundles|trays|lines|classes|portions|slices|cartons"
    r"|tables|stacks|piles|twos|threes|fours)(?: of| each of)?)"
    r"(?: (?P<size>§[nqt]\d+§))?"
    r"|\binto (?:equal |even )?(?P<size2>§[qt]\d+§)(?P<kind2>[ -](?:lengths|pieces|strips|sections"
    r"|portions|slices|chunks|lots|parts|bits|blocks|segments|planks|plots|slots|sessions))\b"
)
_NEED = re.compile(
    r"\b(?:need(?:s|ed)?|requires?|order|hire|how many|enough|to (?:carry|take|seat|hold|pack"
    r"|store|transport|cover|feed|fit)|cut|pack(?:ed|ing)?|"
    r"split|divid\w+|arrang\w+|sort\w*|tie[ds]?|fill\w*|chop\w*|saw\w*|slic\w+|group\w*|put"
    r"|plac\w+|box\w*|book(?:ed|ing)?|going|coming)\b"
)
_TEAMS = re.compile(
    r"\b(?:in|into|forms?|forming|formed|makes?|making|made up)(?: up)? (?P<count>§n\d+§)"
    r" (?:equal(?:ly sized)?(?: [a-z]+)?|(?:teams|groups|crews|squads|sections|shifts|classes|rows"
    r"|parties|gangs|piles|boxes|bags|batches|bunches|bundles|trays|houses) (?:of (?:the )?(?:same"
    r"|equal)|each the same|equally))\b"
)
_TABLES = re.compile(
    r"(?<!§ )\b(?:tables|minibuses|buses|coaches|boats|cars|taxis|vans|tents|rooms|teams|groups"
    r"|boxes|crates"
    r"|trays|packs|cabins|dormitories|dorms|rafts|canoes|pods|bundles|bunches) (?:for|of|taking"
    r"|seating|holding) (?P<size>§n\d+§)(?! [a-z]+s\b)"
)
_BY_WORD = {"pairs": 2, "twos": 2, "threes": 3, "fours": 4}
_REACH = 240


def derive_packing(ledger: Ledger) -> None:
    """Derive how many holders so many things need, and what such holders have to spare."""
    passage = ledger.passage
    for match in passage.find(_IN_GROUPS):
        _grouped(ledger, match)
    for match in passage.find(_TEAMS):
        _teams(ledger, match)
    for match in passage.find(_TABLES):
        _tables(ledger, match)
    for match in passage.find(_HOLDS):
        _held(ledger, match)


def _grouped(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `cut into pieces of 25 cm`, `into 90 cm lengths`, `in boxes of 12`, `in pairs`."""
    passage = ledger.passage
    kind = (match["kind"] or match["kind2"]).split()[0]
    start = passage.place(match.start())
    if mark := match["size"] or match["size2"]:
        size = passage.amount(mark)
    elif kind in _BY_WORD:
        size = Amount("n", Fraction(_BY_WORD[kind]), "", start, passage.place(match.end()), True)
    else:
        return
    sentence = passage.text[passage.sentence(start)[0] : passage.sentence(start)[1]].lower()
    if not _NEED.search(sentence) or size.value <= 0 or size.start in ledger.spent:
        return
    whole = ledger.before(start, size.sort, within=120, told=True)
    if whole is None or not is_alike(whole, size) or value_as(whole, size) <= size.value:
        return
    groups = value_as(whole, size) / size.value
    if groups.denominator == 1:
        like = Amount("n", groups, "", size.start, size.end)
        why = f"{ledger.shown(whole)} by {ledger.shown(size)}"
        if ledger.derive(like, groups, (whole, size), why):
            ledger.spend(size)


def _teams(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `fifteen firefighters in three equal crews`, `split into four teams`."""
    passage = ledger.passage
    count = passage.amount(match["count"])
    start = passage.place(match.start())
    whole = ledger.before(start, "n", within=100, told=True)
    if whole is None or not 1 < count.value < whole.value or not nouns_of(passage, whole):
        return
    if passage.sentence(whole.start) != passage.sentence(count.start):
        return
    size = whole.value / count.value
    why = f"{ledger.shown(whole)} by {ledger.shown(count)}"
    if size.denominator == 1 and ledger.derive(whole, size, (whole, count), why, confidence=0.7):
        ledger.spend(count)


def _tables(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `75 guests and tables of ten`: so many tables."""
    passage = ledger.passage
    size = passage.amount(match["size"])
    if size.start in ledger.spent or size.value < 2:
        return
    things = [
        each
        for each in passage.amounts
        if each.sort == "n" and each.start not in ledger.spent and each.value > size.value
        and abs(each.start - size.start) < 120 and nouns_of(passage, each)
    ]  # fmt: skip
    if things:
        thing = min(things, key=lambda each: abs(each.start - size.start))
        groups = Fraction(math.ceil(thing.value / size.value))
        like = Amount("n", groups, "", size.start, size.end)
        why = f"{ledger.shown(thing)}, {ledger.shown(size)} at each"
        if ledger.derive(like, groups, (thing, size), why, confidence=0.65):
            ledger.spend(size)


def _held(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `156 children, and each bus takes 52`."""
    passage = ledger.passage
    size, holder = passage.amount(match["size"]), singular(match["noun"])
    if len(holder) < 3 or size.value < 2 or size.start in ledger.spent:
        return
    what = singular(match["what"].strip()) if match["what"] else ""
    counted = [
        each
        for each in passage.amounts
        if each.sort == size.sort and each.start != size.start and is_alike(each, size)
        and abs(each.start - size.start) <= _REACH and each.start not in ledger.spent
    ]  # fmt: skip
    holders = [each for each in counted if holder in nouns_of(passage, each)]
    things = [
        each
        for each in counted
        if each not in holders and value_as(each, size) > size.value
        and (each.sort != "n" or _is_of(passage, each, what))
    ]  # fmt: skip
    if not things:
        return
    thing = min(things, key=lambda each: abs(each.start - size.start))
    if holders:
        _spare(ledger, holders[0], size, thing)
        return
    low, high = sorted((thing.start, size.start))
    around = passage.text[passage.sentence(low)[0] : passage.sentence(high)[1]].lower()
    if not _NEED.search(around):
        return
    groups = Fraction(math.ceil(value_as(thing, size) / size.value))
    like = Amount("n", groups, "", size.start, size.end)
    why = f"{ledger.shown(thing)}, {ledger.shown(size)} in each"
    if ledger.derive(like, groups, (thing, size), why, confidence=0.7):
        ledger.spend(size)


def _is_of(passage: Passage, amount: Amount, what: str) -> bool:
    """Tell whether a number counts what the holders hold: passengers may be `130 of us`."""
    nouns = nouns_of(passage, amount)
    if passage.text[amount.end :].startswith((" of us", " of them", " of you")):
        nouns = ("person",)
    same = not what or what in nouns or what in ("person", "people")
    return bool(nouns) and (same or is_same_noun(nouns, (what,)))


def _spare(ledger: Ledger, holders: Amount, size: Amount, thing: Amount) -> None:
    room = holders.value * size.value
    operands = (holders, size, thing)
    if holders.value < 2 or not ledger.derive(
        size, room, (holders, size), "what there is room for"
    ):
        return
    gap = abs(room - value_as(thing, size))
    if gap and gap < room:
        ledger.derive(size, gap, operands, "spare or missing", confidence=0.65)
    ledger.spend(holders, size)
