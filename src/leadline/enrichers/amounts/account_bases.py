"""Which amount a share is of, and whether it has been taken off already."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.account_steps import Account
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

MARK = re.compile(r"§([a-z])(\d+)§")
_NAMED = re.compile(
    r"(?: ?(?:off|discount|of|on|deposit|reduction|premium|commission|down|tip|tax|vat|share"
    r"|cut))+(?: (?:the|a|an|our|my|his"
    r"|her|its|their|that|this|of|on|off|for|price|bill|total|sum|usual|normal|list|full|original"
    r"|retail|ticket|sale"
    r"|purchase|asking|hammer|first|fee|cost)){1,5}(?: [a-z]+){0,1}? (§m\d+§)"
)
_DIRECT = re.compile(
    r"(?: of)?(?: (?:my|the|his|her|our|their|your|that|this|all|its))+(?: [a-z]+)? (§m\d+§)"
    r"| of (§m\d+§)"
)
_AHEAD = re.compile(r"[^§\n]{0,90}(§m\d+§)")
_REDUCED = re.compile(
    r"\b(?:sale price|discounted price|reduced to|marked down to|discounted to|now only|paid"
    r"|pay)\b[^§]*$"
)
_BY_WHAT = re.compile(
    r"[,( –-]*(?:after|that is|that['’]s|which is|which was|with|at|saving|thanks to)?"
    r"(?: an?| the| my| our| his| her)?(?: staff| student| loyalty| member)? ?"
)


def base_of(ledger: Ledger, match: re.Match[str], account: Account | None) -> Amount | None:
    """Return the amount that a share is of: named behind it, the account, or next to come."""
    passage = ledger.passage
    direct = _DIRECT.match(passage.marked, match.end())
    named = _NAMED.match(passage.marked, match.end()) or direct
    if named and (base := passage.amount(named[named.lastindex or 1])).start not in ledger.spent:
        return base
    if account is not None:
        return account.like
    if before := ledger.before(passage.place(match.start()), "m", within=160):
        return before
    ahead = _AHEAD.match(passage.marked, match.end())
    return passage.amount(ahead[1]) if ahead else None


def last_told(ledger: Ledger, match: re.Match[str]) -> Amount | None:
    """Return the last price of one before a mark: children pay half of that."""
    before = [each for each in MARK.finditer(match.string, 0, match.start()) if each[1] == "m"]
    return ledger.passage.amount(before[-1][0]) if before else None


def is_off_already(account: Account, lead: str) -> bool:
    """Tell whether the account is what remained: `I paid £72, that is 40% off`."""
    return bool(_REDUCED.search(account.lead) and _BY_WHAT.fullmatch(lead))
