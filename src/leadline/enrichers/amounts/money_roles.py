"""What an amount of money does in an account: a price, a fee, a payment, a balance, a goal."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Role: TypeAlias = Literal[
    "price",
    "fee",
    "off",
    "paid",
    "out",
    "in",
    "fund",
    "goal",
    "raised",
    "owed",
    "left",
    "note",
    "total",
    "plus",
    "part",
    "unclear",
]

_FILL = (
    r"(?: (?:just|only|about|exactly|another|a|an|the|my|our|his|her|their|your|its|this|further"
    r"|extra|some|up to"
    r"|mere|flat|non-refundable|refundable|small|one-off|separate|first|second|final|last|good"
    r"|whole|full|cool))*"
)
_TO_WHOM = r"(?: (?:me|us|him|her|them|you|it|back|out|off|over|in|down|away|up|[a-z]+))?"
FEE_NOUN = (
    r"(?:delivery|postage|p&p|p & p|shipping|handling|booking|service|cleaning|admin\w*"
    r"|call[- ]?out|insurance"
    r"|registration|tax(?:es)?|levy|duty|surcharge|tolls?|parking|corkage|cover charge|fees?"
    r"|charges?|supplement|tip"
    r"|gratuity|installation|fitting|assembly|stamp duty|postal|packing|freight|courier|carriage"
    r"|transfer|processing"
    r"|late|fine|penalty|resort|baggage|luggage|gift[- ]?wrap\w*|engraving|set-?up|joining"
    r"|enrol?ment|extras?|on top"
    r"|maintenance|convenience|platform|vat|gst)"
)
_LEADS: tuple[tuple[Role, str], ...] = (
    (
        "part",
        r"(?:(?:out )?of (?:which|that|it|this)|from (?:which|that|this|it)|including"
        r"|includes|included in (?:which|that) (?:is|was|are|were))"
        r",?(?: (?!§)[a-z'’-]+){0,4}?",
    ),
    (
        "left",
        r"(?:c[ao]me (?:home|back|away) with|returned with|counted(?: up)?|leaves?|leaving|left"
        r"|balance (?:is )?now(?: at)?|down to|remain\w*(?: at| of| is)?"
        r"|which leaves)" + _TO_WHOM + r"(?: with| at)?",
    ),
    (
        "note",
        r"(?:paid|pay|paying) with|handed (?:over|him|her|them|the [a-z]+)|tendered|gave (?:him"
        r"|her|them|the"
        r" (?:man|woman|cashier|driver|girl|boy|waiter|waitress|barman|cabbie|shop\w*|lad"
        r"|clerk|seller))|out of|change"
        r" (?:from|for|out of)|from",
    ),
    (
        "off",
        r"(?:beat|haggl|talk|br[io][nu]g|brought|got|bargain|argu|knock|came|come|went|driv"
        r"|drove)\w*(?: (?:him|her|them|it|this"
        r"|the [a-z]+|me|us))? down(?: by)?|discounted by|withheld|took out|less|minus"
        r"|deduct\w*|knock\w*(?: off)?|(?:tak\w+|took|shav\w*) off|subtract\w*|(?:discount"
        r"|reduction|rebate|refund"
        r"|credit|voucher|coupon|cashback|allowance|saving|trade-in)(?: value)?(?: of| worth"
        r"| for| is| was)?"
        r"|refunded" + _TO_WHOM + r"|net of|after",
    ),
    ("plus", r"new (?:purchases|charges|spending|transactions)(?: of| were|:)?"),
    (
        "paid",
        r"(?:payments?(?: received| made)?|excess|deductible|deposit|down ?payment|advance"
        r"|part-?payment|instal+ment|retainer)(?: of| was| is|:)?"
        r"|(?:put(?:ting)?(?: down)?|repaid|paid (?:back|off)|already paid|sent|returned"
        r"|handed over|transferred"
        r"|settled|remitted|wired|chipp?ed in|on account|pa(?:y|id) in advance|paid up ?front"
        r"|paid so far"
        r"|has paid|have paid"
        r"|i['’]ve paid|had paid|given back|gave back|contributed|reimbursed)"
        + _TO_WHOM
        + r"(?: of)?",
    ),
    (
        "raised",
        r"(?:raised|collected|pledged|donations (?:of|total|stand at)|brought in|so far"
        r"|got together"
        r"|(?:has|have) (?:reached|taken in)|saved(?: up)?|put (?:by|aside|away)|stash\w*"
        r"|stands at)" + _TO_WHOM,
    ),
    (
        "goal",
        r"(?:goal|target|aim|quota|budget needed)(?: of| is| was| at|:)?|(?:needs?|needed|needing"
        r"|wants?"
        r"|wanted|requires?|to raise|asks?|asking|hop\w+ for|short of|towards?|aim\w* for"
        r"|to reach)" + _TO_WHOM + r"(?: for| is| of)?",
    ),
    (
        "owed",
        r"(?:owe[sd]?|owing|billed|invoiced|borrow(?:ed|s)?|lent|loan(?:ed)?|debt|mortgage"
        r"|principal(?: lent)?"
        r"|invoice[sd]?|arrears|due"
        r"|(?:credit )?card balance|overdraft|advanced)" + _TO_WHOM + r"(?: for| of| was| is"
        r"| is for| came to"
        r"|:)?",
    ),
    (
        "total",
        r"(?:(?:bill|total\w*|sub-?total|sum|lot|damage|everything|it all|all of it|altogether"
        r"|tab|receipt|basket"
        r"|shop)(?: (?:is|was|of|came to|comes to|came out at|for|at|will be|ran to))?:?"
        r"|c[ao]mes? to|came out at"
        r"|adds? up to|added up to)",
    ),
    (
        "fund",
        r"(?:(?:i|we|he|she|they|[a-z]+) (?:had|has|have|['’]ve got)|start\w*(?: out| off"
        r"| the [a-z]+)? (?:with|at)"
        r"|beg[ai]n(?: the [a-z]+)? (?:with|at)|open(?:ed|s|ing)?(?: balance)?(?: with| at"
        r"| of| was| is|:)?"
        r"|stood at|balance(?: of| was| is| stood at|:)?|(?:brought|carried) forward|b/f"
        r"|kitty|fund|float|pot|purse"
        r"|budget(?:ed)?|allowance|grant|allocated|set aside|inherited|withdrew|took out"
        r"|pocket money|savings"
        r"|takings|(?<!cost of )sales|revenue|turnover|proceeds|income|wages?|salary"
        r"|take-home(?: pay)?"
        r"|cash in hand|(?:account|wallet|till|tin|jar|bank) (?:had|held|was at)"
        r"|with|given|gave (?:me|us|him|her|them))(?: (?:of|is|was|at|for|held"
        r"|contained))?:?",
    ),
    (
        "in",
        r"(?:received|earned|credited|deposited|won|found|top\w* up|paid in|banked|collected"
        r"|raised|interest of"
        r"|refund of|gifts? of|donat\w+ of|grant of|(?:sold|sale)[^.§]{0,25} for|took in"
        r"|takings of|earnings of|got"
        r"|got back|inherit\w*|income of|dividend of|transfer of)" + _TO_WHOM,
    ),
    (
        "out",
        r"(?:spen[dt]s?|blew|(?:paid|pay(?:s|ing)?)|gave|took|taken|lost|withdrew|withdrawn|used"
        r"|donated|splashed out"
        r"|shelled out|forked out|coughed up|went|drew out|debited|payments? of|fees? of"
        r"|charges? of|bills? of"
        r"|expenses of|expenditure of|out|outgoings|payments|expenses)"
        + _TO_WHOM
        + r":?(?: on| for"
        r"| to)?(?: (?!§)[a-z'’-]+){0,4}?",
    ),
)
_TAILS: tuple[tuple[Role, str], ...] = (
    (
        "part",
        r" of (?:that|it|this|which|the (?:total|bill|cost|sum|money|price|fee|rent"
        r"|amount))\b",
    ),
    ("part", r" (?:[a-z]+ )?of (?:it|that|this)\b"),
    ("plus", r" (?:more|extra|dearer|higher|on top|in addition)\b(?! than| expensive|,? or)"),
    ("off", r" (?:less|cheaper|lower)\b(?! than)"),
    ("note", r"[ -]notes?\b|[ -]bill\b(?! (?:for|was|is|came))"),
    (
        "left",
        r" (?:is |was |were |are |still |now )?(?:left|remain\w*|to go|unspent|still (?:to"
        r"|owed|due|outstanding|owing)"
        r"|outstanding|in hand|to spare|short\b|over\b(?= |[.,]|$)|in change|change)\b",
    ),
    (
        "off",
        r" ?(?:cash ?back|discount|off\b|rebate|voucher|coupon|gift ?card|credit note"
        r"|reduction|deducted|knocked off"
        r"|trade-in|part[- ]exchange|markdown|credit\b|refund)",
    ),
    (
        "paid",
        r" (?:non-refundable |refundable |cash )?(?:deposit|down ?payment|advance\b|retainer"
        r"|down\b|up ?front"
        r"|in advance|excess\b|deductible|on account|already\b(?! (?:raised|pledged|collected"
        r"|donated))|(?:has "
        r"|have |had |was |were |is )?(?:already |since |now |being )?"
        r"(?:been )?(?:paid|received|repaid|settled|handed over|returned)\b|back\b|"
        r"of (?:it|that|this|which)\b[^.§]{0,30}\b(?:paid|repaid|back|settled|cleared))",
    ),
    (
        "raised",
        r" (?:so far|towards?\b|(?:has|have|had|was|were|is|already)? ?(?:already |now "
        r"|been )*(?:been )?(?:raised|collected"
        r"|pledged|saved|donated|in the (?:tin|pot|bank)))",
    ),
    ("goal", r" (?:[a-z-]+ )?(?:goal|target|quota)\b| (?:is |are |was )?(?:needed|required)\b"),
    (
        "fund",
        r" (?:(?:on|at) the (?:door|gate|till|bar|night|stall)|in (?:ticket |bar )?(?:sales"
        r"|takings)|in (?:the|my|our|his|her|its|their) (?:account|bank|wallet|purse|pocket"
        r"|kitty|fund|savings|till|tin"
        r"|jar|pot|float|budget|box)|budget|grant\b|float|allowance|kitty|fund\b|prize"
        r"|to spend|to start|saved"
        r"|in cash|in hand)",
    ),
    ("fee", rf" (?:(?:for|in) (?:the )?)?(?:[a-z&-]+ )?{FEE_NOUN}\b"),
    (
        "in",
        r" (?:(?:was |were )?taken (?:at|on|by|from|in)\b|came in|in (?:donations|interest"
        r"|takings|wages|tips)|(?:was|were|has been"
        r"|had been) (?:added|credited"
        r"|received|deposited|paid in)|in from)",
    ),
    (
        "out",
        r" (?:went|goes|was (?:spent|taken|withdrawn|debited)|were spent|has gone"
        r"|disappeared)\b",
    ),
)
_LINK = r"(?:of|is|was|were|comes? to|came to|at|for|costs?|cost|adds?|added|:)"
_BARE_FEE = (
    r"(?:delivery|postage|p&p|p & p|shipping|tips?|vat|gst|tax|service|fee|corkage|parking"
    r"|insurance|cleaning"
    r"|installation|surcharge|handling|booking|extras|materials|supplement)"
)
_ADDED = re.compile(
    rf"(?:\b(?:plus|and|with|add(?:ing|ed|s)?|additional|then|also|on top|another)|[+,;:.&]|^"
    rf"|\n)[^§]{{0,40}}?"
    rf"\b(?:{FEE_NOUN}(?: [a-z]+)? {_LINK}|{FEE_NOUN}:|{_BARE_FEE}){_FILL}:? ?$"
)
_PLUS = re.compile(
    rf"(?:\bplus|\+|\badd(?:ing)?"
    rf"|\bon top of that)(?: (?!§)[a-z'’-]+){{0,3}}{_FILL} ?$"
)
_LEAD = [(role, re.compile(rf"\b(?:{words}){_FILL}:? ?$")) for role, words in _LEADS]
_TAIL = [(role, re.compile(words)) for role, words in _TAILS]
_DASH = re.compile(r"(?:^|\s)[−–-] ?$")
_UNCLEAR = re.compile(
    r"\b(?:turned down|refused|rejected|declined|said no to|waived|disputed)(?: (?:an?|the|my|his"
    r"|her|our|their))? $|\b(?:over|under|than|below|above|between|from|to|at least|at most|up to"
    r"|or|nearly|almost"
    r"|versus|vs)"
    r"(?: a| an| the)? $|\b(?:rose|fell|raised|cut|reduced|increased|dropped|climbed|went up"
    r"|went down)"
    r"(?: [a-z]+){0,2} (?:by|to|from) $"
)


_PUT_AT = re.compile(r"\b(?:put|valued|assessed|set|fixed|pegged) at (?:a |the |just |only )*$")
_THERE = re.compile(r"\bthere\b")


def role_of(lead: str, tail: str) -> Role:
    """Return the part that an amount of money plays.

    lead, tail  the sentence in marked text before the amount, since the last one, and behind it
    """
    for role, words in _TAIL:
        if words.match(tail) and not (role == "note" and not tail.startswith(("-", " note"))):
            if tail.startswith(" back") and _THERE.search(lead):
                return "price"
            return role
    if _DASH.search(lead):
        return "off"
    if _PUT_AT.search(lead):
        return "price"
    if _ADDED.search(lead):
        return "fee"
    if _PLUS.search(lead):
        return "plus"
    for role, words in _LEAD:
        if words.search(lead):
            return role
    return "unclear" if _UNCLEAR.search(lead) else "price"
