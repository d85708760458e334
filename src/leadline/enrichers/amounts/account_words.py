"""Words that tell what an amount of money does in an account of several."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.money_roles import Role

SPENDING = re.compile(
    r"\b(?:spen[dt]|spending|paid|pay|bought|buy(?:ing)?|cost|costs|costing|owes?|owed|ordered"
    r"|order|had|bill|basket"
    r"|receipt|shopping|expenses|outgoings|invoice|purchases?|got|total\w*|altogether|in all"
    r"|all told|all in|combined|sum"
    r"|adds? up|both|together|everything|grand total|claim|reimburse|budget|raised|sold|made"
    r"|collected|gave|charged"
    r"|set (?:me|us|him|her) back|came to|comes to|picked up|takings|earned|donated|sent|lent"
    r"|borrowed|figures|monthly"
    r"|labour|parts|vat|materials|deposit|per month|a month|i need|we need|plus|as well as"
    r"|along with|on top|taxi|fares?|prizes?)\b"
)
TOTAL = re.compile(
    r"\b(?:total\w*|altogether|in all|all told|all in|combined|sum|adds? up|together|everything"
    r"|the lot|expenses"
    r"|outgoings|shopping|receipt|overall|in the end|to pay)\b"
)
INSTEAD = re.compile(
    r"\b(?:or|than|instead|rather|versus|vs|against|compared|was|now|used to|normally|usually"
    r"|cheaper|dearer|while"
    r"|whereas|but|last (?:year|month|week|time)|this (?:year|month|week|time)|next year|ago"
    r"|today|in (?:19|20)\d\d"
    r"|originally|previously|reduced|down to|up to|before|after|either|choice|wholesale|option"
    r"|compare|else|not|if"
    r"|or more|elsewhere|list price|rrp|quoted?|estimate|worth|range|sold)\b"
)
AND = re.compile(r"(?:,|;|\band\b|\bplus\b|\n|\+|&|\.|\bthen\b|\balso\b|\bwith\b|\bfor\b|:|$)")
SOLD = re.compile(r"\b(?:sold|resold|flipped|sell)\b[^.§]{0,40}$")
BOUGHT = re.compile(
    r"\b(?:bought|paid|cost(?: me| us)?|purchased|picked (?:it"
    r"|them) up)\b[^.§]{0,40}$"
)
CONTINUED = re.compile(
    r"(?:[^§]{0,40}?(?:,|;|&|\band\b|\bthen\b|\bplus\b|\bon\b|\bfor\b))?(?: ?(?!cost|was|is\b"
    r"|for\b|had|has)[a-z'’]+){0,3} ?"
)
EARNED = re.compile(
    r"\b(?:earn(?:s|ed|ing)?|makes?|made|makin|salary|wages?|paid (?:me|us|him|her|them)"
    r"|pays (?:me|us|him|her|them)|income|turnover|revenues?|sales of|receipts|clears?|nets|netted"
    r"|take[- ]home|brings? (?:in|home)|brought (?:in|home)|sold|sells?|takings|took(?! out| off"
    r"| back| away)|grossed|raised|won|(?:get|got) paid)\b[^.]{0,50}$"
)
COST = re.compile(
    r"\b(?:costs?|rent|bills?|mortgage|expenses|paid|spent|fees?|wages|stock|materials"
    r"|ingredients|overheads|tax)\b"
)
PARALLEL = re.compile(r"(?:[,;] ?(?:and )?|and )(?:the |an? )?[a-z'’-]+(?: [a-z'’-]+)? ?")
PURE = re.compile(r"[,;& ]*(?:and |plus )?(?:a |another |then )?")
OF_WHICH = re.compile(r",? ?(?:out )?of (?:which|that|it|this)\b")
OUT_OF = re.compile(r"\b(?:out )?of(?: (?:the|a|my|our|his|her|their|your|about))? $")
GRANTED = re.compile(
    r" (?:[a-z]+ )?(?:grant|subsidy|bursary|scholarship|contribution|tax credit|gift card"
    r"|voucher)\b"
)
AFTER = re.compile(r"\b(?:after|once|when)\b")
TOWARDS = re.compile(r"\b(?:towards?|against|on|off|of)\b")
COUNT_LAST = re.compile(r"§n\d+§ ?$")
TOOK = re.compile(r"\b(?:took|taken|takes|made|makes)\b")


def first_role(role: Role, lead: str) -> Role:
    """Return the role of the first amount of an account: `the stall took £420` is income."""
    if role == "out" and TOOK.search(lead):
        return "in"
    return "in" if role in ("price", "fund") and EARNED.search(lead) else role
