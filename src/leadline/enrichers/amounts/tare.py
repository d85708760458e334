"""Net weights: a vehicle or vessel weighed loaded and empty, and the price of the load."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import finer, is_alike, value_as
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import UNITS

_FULL = r"(?:loaded|laden|full|gross(?: weight)?|filled|with (?:the )?(?:load|contents|cargo))"
_BARE = r"(?:empty|unladen|tare(?: weight)?|unloaded|emptied|without (?:the )?(?:load|contents))"
_GAP = r"(?:[ ,:;(–—-]|\b(?!gives|holds)(?:[a-z]+)\b){0,9}?"
_NONE = r"(?!:? ?(?:of |is |was |at )?§)"
_LOADED = re.compile(rf"\b{_FULL}\b{_GAP}(?P<a>§q\d+§)|(?P<b>§q\d+§),? ?\(?{_FULL}\b{_NONE}")
_EMPTY = re.compile(rf"\b{_BARE}\b{_GAP}(?P<a>§[qn]\d+§)|(?P<b>§[qn]\d+§),? ?\(?{_BARE}\b{_NONE}")
_BY_UNIT = re.compile(r"(?P<price>§m\d+§) (?:an?|per|the|each|for each|for an?) (?P<unit>[a-z]+)\b")
_WEIGHTS = frozenset(("kg", "g", "tonne", "lb", "oz", "hundredweight", "pound", "quintal"))


def derive_tare(ledger: Ledger) -> None:
    """Derive the weight of a load, and its price."""
    passage = ledger.passage
    full = [passage.amount(each["a"] or each["b"]) for each in passage.find(_LOADED)]
    bare = [passage.amount(each["a"] or each["b"]) for each in passage.find(_EMPTY)]
    if len(full) != 1 or len(bare) != 1 or full[0].unit not in _WEIGHTS:
        return
    gross, tare = full[0], bare[0]
    if not is_alike(gross, tare) or {gross.start, tare.start} & ledger.spent:
        return
    like = finer(gross, tare)
    net = value_as(gross, like) - value_as(tare, like)
    if net <= 0 or not ledger.derive(like, net, (gross, tare), "the load alone"):
        return
    ledger.spend(gross, tare)
    for match in passage.find(_BY_UNIT):
        price = passage.amount(match["price"])
        unit = UNITS.get(match["unit"], "")
        one = Amount("q", like.value, unit, like.start, like.end)
        if unit and is_alike(one, like):
            value = value_as(Amount("q", net, like.unit, like.start, like.end), one)
            why = f"{ledger.shown(price)} × {value}"
            ledger.derive(price, price.value * value, (gross, tare, price), why)
            ledger.spend(price)
