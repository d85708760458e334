"""Shares of the places that a house, a coach or a hall has."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount


def share_of_places(
    ledger: Ledger, match: re.Match[str], holds: re.Pattern[str]
) -> tuple[Amount, Amount | None]:
    """Return a share and the places it is of, the first that a text tells of; None for none."""
    mark = ledger.passage.amount(match["share"])
    held = next(ledger.passage.find(holds), None)
    if held is None or not 0 < mark.part < 1 or mark.start in ledger.spent:
        return mark, None
    return mark, ledger.passage.amount(held["whole"] or held["before"])
