"""Currencies that share a word or a sign, told apart by the places that a text names."""

from __future__ import annotations

import re
from functools import lru_cache

_REGIONS: dict[str, dict[str, str]] = {
    "USD": {
        "AUD": "Australian?|Aussie|Sydney|Melbourne|Brisbane|Perth|Adelaide|Hobart|Canberra|Darwin"
        "|Geelong|Cairns|Queensland|Tasmania|NSW|VIC|QLD|Ballarat|Fremantle",
        "CAD": "Canadian?|Toronto|Vancouver|Montr[eé]al|Ottawa|Calgary|Edmonton|Winnipeg|Halifax"
        "|Ontario|Alberta|Manitoba|Saskatchewan|Qu[eé]bec|Nova Scotia|British Columbia",
        "NZD": "New Zealand|NZ|Auckland|Wellington|Christchurch|Dunedin|Rotorua|Aotearoa|Tauranga",
        "SGD": "Singapore|Sentosa|Changi|HDB",
        "HKD": "Hong Kong|Kowloon|Lantau",
    },
    "INR": {
        "PKR": "Pakistani?|Karachi|Lahore|Islamabad|Rawalpindi|Peshawar",
        "LKR": "Sri Lankan?|Colombo|Kandy",
        "NPR": "Nepal(?:i|ese)?|Kathmandu|Pokhara",
    },
    "SEK": {
        "DKK": "Danish|Denmark|Copenhagen|København|Aarhus|Odense",
        "NOK": "Norw(?:ay|egian)|Oslo|Bergen|Trondheim|Stavanger",
        "ISK": "Iceland(?:ic)?|Reykjav[ií]k",
    },
    "NOK": {"DKK": "Danish|Denmark|Copenhagen|København|Aarhus|Odense"},
    "XXX": {
        "MXN": "Mexic(?:o|an)|Oaxaca|Guadalajara|Canc[uú]n",
        "ARS": "Argentin(?:a|e|ian)|Buenos Aires",
        "PHP": "Philippines?|Filipino|Manila|Cebu",
        "CLP": "Chile(?:an)?|Valpara[ií]so",
        "COP": "Colombian?|Bogot[aá]|Medell[ií]n",
        "KES": "Kenyan?|Nairobi|Mombasa",
        "UGX": "Ugandan?|Kampala",
        "TZS": "Tanzanian?|Dar es Salaam|Zanzibar",
    },
}
_PATTERNS = {
    currency: [(code, re.compile(rf"\b(?:{names})\b")) for code, names in regions.items()]
    for currency, regions in _REGIONS.items()
}
# Without an edge before it, a search skips what begins with none of the letters.
_NAMED = {
    currency: re.compile("|".join(regions.values())) for currency, regions in _REGIONS.items()
}
_AMERICAN = re.compile(
    r"\b(?:USA?|U\.S\.A?\.?|American?|United States|New York|California|Texas)\b"
)


@lru_cache(maxsize=64)  # asked for every amount of a text
def regional(currency: str, text: str) -> str:
    """Return the currency that is meant where a text says `$`, `dollars`, `rupees` or `kr` alone.

    currency  the one that the word or sign most often stands for

    Where the text names places of several currencies, or of the United States, that one stays.
    """
    if currency not in _NAMED or not _NAMED[currency].search(text):
        return currency
    if currency == "USD" and _AMERICAN.search(text):
        return currency
    codes = [code for code, names in _PATTERNS.get(currency, ()) if names.search(text)]
    return codes[0] if len(codes) == 1 else currency
