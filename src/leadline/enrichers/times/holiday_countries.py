"""The country of a text, for holidays that countries keep on different days."""

from __future__ import annotations

import re

_CUES = {
    "IN": r"india|indian|mumbai|bombay|delhi|nagpur|pune|chennai|madras|kolkata|calcutta|bengaluru"
    r"|bangalore|hyderabad|kerala|kochi|punjab|gujarat|jaipur|lucknow|bhopal|indore|nashik|mysuru"
    r"|mysore|goa|assam|bihar|odisha|rajasthan|shri|smt|lakhs?|crores?|inr|rupees|panchayat"
    r"|vidyalaya|nagar|hsg|ptm|std\.",
    "CA": r"canad\w+|toronto|ontario|ottawa|montreal|quebec|vancouver|calgary|alberta|winnipeg"
    r"|manitoba|halifax|nova scotia|saskatchewan|saskatoon|regina|newfoundland|edmonton|cad"
    r"|british columbia|new brunswick|loonies?|toonies?",
    "AU": r"australia\w*|aussie|sydney|melbourne|brisbane|perth|adelaide|hobart|canberra|queensland"
    r"|nsw|victoria\b(?! (?:day|station|street|road|line|sponge))|tasmania\w*|ballarat|geelong"
    r"|darwin|g'day|arvo|aud",
    "NZ": r"new zealand|aotearoa|auckland|wellington|christchurch|dunedin|hamilton nz|kiwi|nzd",
    "IE": r"ireland|irish|dublin|cork|galway|limerick|gaa|gardaí?|kerry|mayo|donegal",
    "GB": r"england|english|scotland|scottish|wales|welsh|britain|british|uk|london|manchester"
    r"|birmingham|leeds|liverpool|glasgow|edinburgh|cardiff|bristol|yorkshire|lancashire|devon"
    r"|cornwall|kent|norfolk|suffolk|vicar|parish council|cllr|gbp|nhs",
    "US": r"u\.s\.|usa|american?|ohio|texas|california|florida|boston|chicago|new york|seattle"
    r"|denver|oregon|iowa|maine|vermont|michigan|georgia|kansas|nebraska|minnesota|wisconsin"
    r"|county fair",
    "ZA": r"south africa\w*|johannesburg|cape town|durban|pretoria|joburg|zar",
    "NG": r"nigeria\w*|lagos|abuja|kano|ibadan|naira",
    "GH": r"ghana\w*|accra|kumasi",
    "KE": r"kenya\w*|nairobi|mombasa",
    "PK": r"pakistan\w*|karachi|lahore|islamabad",
    "DE": r"germany|german|berlin|munich|hamburg|cologne|frankfurt",
    "FR": r"france|french|paris|lyon|marseille",
}
_PATTERNS = {code: re.compile(rf"\b(?:{cues})(?!\w)") for code, cues in _CUES.items()}
_SIGNS = {"₹": "IN", "£": "GB"}


def country_of(lower: str) -> str:
    """Return the ISO 3166-1 alpha-2 code of the country a text in lower case speaks of most.

    Empty where it names none of those that keep holidays of the same name on other days.
    """
    counts = {code: len(pattern.findall(lower)) for code, pattern in _PATTERNS.items()}
    for sign, code in _SIGNS.items():
        counts[code] += lower.count(sign)
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] else ""
