"""What was meant or before beside what is: how much is missing, is over, or has changed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from leadline.enrichers.amounts.counted import is_same_noun, nouns_after
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import finer, is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_ROLES: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "meant": (
        re.compile(
            r"\b(?:chas(?:ing|ed)|target|goal|need(?:s|ed|ing)?|requir(?:es?|ed|ing)|aim(?:s|ed"
            r"|ing)?"
            r"|quota|pass mark|hop(?:ed|ing) for|wants?|wanted|limit|allowance|allowed|entitled to"
            r"|capacity|holds?|seats|room for|sleeps|budget(?:ed)?|maximum|max|minimum|expected"
            r"|supposed to|invited|promised|calls? for|quorum|threshold|forecast|estimated?|planned"
            r"|advertised|ordered|print run|on the roll|strength|record (?:is|was|of|stands at)"
            r"|out of (?:my|the|a|our|his|her)"
            r"|booked (?:for|in)|tables? for|recommended|permitted|asked for|contract(?:ed)? for"
            r"|entitlement|to beat)\b[^§]{0,28}$"
        ),
        re.compile(
            r"^(?: [a-z-]+){0,2} (?:to (?:win|pass|qualify|survive|reach)|limit|target|allowance"
            r"|goal"
            r"|needed|required|allowed|permitted|maximum|minimum|capacity|quota|were (?:invited"
            r"|ordered"
            r"|expected|promised|needed|required|planned)|are (?:needed|required|expected|invited)"
            r"|is (?:needed|required|the (?:limit|target|maximum|minimum|record)))\b"
        ),
    ),
    "done": (
        re.compile(
            r"\b(?:reached|raised|so far|already|got|gets|collected|sold|read|done|walked|saved"
            r"|managed"
            r"|scored|arrived|came(?: to| in)?|turned up|delivered|received|booked|used|weigh(?:s"
            r"|ed)?"
            r"|measured|clocked|doing|drove|in fact|actual(?:ly)?|stands at|stood at|now (?:at|on)"
            r"|we['’]re (?:on|at|up to)|i['’]m (?:on|at|up to)|found|counted|only|took"
            r"|finished (?:in|on)"
            r"|completed|had (?:reached|done)|attend(?:ed|ance)|have|has|we were|(?:he|she"
            r"|they) (?:was|were)"
            r"|final(?:ly)?|ended up|bookings|entries|present|aboard|on board|replies|makes? it"
            r"|make it|scales say)(?: [a-z'’]+){0,3}? $"
        ),
        re.compile(
            r"^(?: [a-z-]+){0,2} (?:so far|already|to date|up to now|in stock|in hand|on the shelf"
            r"|came"
            r"|turned up|arrived|attended|were (?:delivered|sent|sold|there|filled|present)"
            r"|accepted"
            r"|have (?:been sold|signed up|replied|arrived|come)|showed up|on the day|in the end)\b"
        ),
    ),
    "old": (
        re.compile(
            r"\b(?:last (?:year|month|week|season|time|night|quarter|term|summer|winter|spring"
            r"|autumn)"
            r"|previous(?:ly)?|old|former(?:ly)?|originally|initial(?:ly)?|at first|used to|before"
            r"|yesterday|began|started|at the start|opening|opened|in (?:january|march|april|may"
            r"|june"
            r"|19\d\d)|the year before|earlier|a year ago|once|in the beginning|at birth|best was"
            r"|unloaded|empty|dry|at breakfast|then)\b[^§]{0,40}$"
        ),
        re.compile(
            r"^(?: [a-z-]+){0,2} (?:last (?:year|month|week|season|time|term|summer|winter)|before"
            r"|previously|originally|yesterday|at the start|at first|a year (?:ago|earlier)"
            r"|the year"
            r" before|at birth|in the morning|then)\b"
        ),
    ),
    "new": (
        re.compile(
            r"\b(?:this (?:year|month|week|season|time|quarter|term|summer|winter|spring|autumn"
            r"|morning)"
            r"|now|today|new|latest|current(?:ly)?|at present|after(?:wards)?|end(?:s|ed)"
            r"|finish(?:es|ed)?"
            r"|closing|closed|by the end|nowadays|these days|tonight|loaded|by (?:evening|night"
            r"|nightfall"
            r"|june|july|august|september|october|november|december)|since then|at the end|finally"
            r"|full)\b[^§]{0,40}$"
        ),
        re.compile(
            r"^(?: [a-z-]+){0,2} (?:this (?:year|month|week|season|time|term|summer|winter)|now"
            r"|today"
            r"|after(?:wards)?|at present|at the end|nowadays|these days|by the end"
            r"|in the evening)\b"
        ),
    ),
}
_YEAR = re.compile(r"[^.;\d]{0,22}\b(?:in|for|by|at the end of) ((?:18|19|20)\d\d)\b")
_LAST_YEAR = re.compile(r"\b(?:in |by )?((?:18|19|20)\d\d)[^.;\d]{0,20}$")
_TO_FROM = re.compile(
    r"\b(?:down|up|back|cut|raised|reduced"
    r"|increased) to (?P<new>§[nqtc]\d+§)(?: [a-z]+)? from (?P<old>§[nqtc]\d+§)"
)
_MOVED_TO = re.compile(
    r"\b(?:(?P<up>rose|risen|grew|grown|climbed|gained|put on|rises|went up|is up|swelled"
    r"|lengthened)"
    r"|(?P<down>fell|fallen|dropped|lost|sank|shrank|went down|is down|shed|shortened))(?: by"
    r"| another| a further| some)*"
    r" (?P<step>§[nqtc]\d+§)[^.;§\n]{0,50}\b(?:(?:is|are|was|stood|stands|now)(?: now"
    r"| then)?(?: at)?|now|reaching|to reach"
    r"|leaving it at|standing at) (?P<new>§[nqtc]\d+§)"
)
_BECAME = re.compile(
    r"(?P<old>§[nqtcp]\d+§)(?: (?!of\b)[a-z'’-]+){0,4}? (?:became|become|turned into|(?:has "
    r"|have )?(?:grew|grown|rose|risen"
    r"|fell|fallen|shrank|shrunk|dwindled|swelled|swollen|dropped|increased|decreased|climbed|sank"
    r"|sunk|slipped|soared|expanded"
    r"|come down|gone up|gone down|went up|went down|came down) to|(?:is|are) now|now (?:is|are"
    r"|stands? at|numbers?)|turned to)"
    r" (?:just |only |about |a |some )*(?P<new>§[nqtcp]\d+§)"
)
_VERBLESS = re.compile(
    r"(?:(?:^|[.!?:;\n] ?)from|\b(?:went|gone|going|moved|moving|changed|dropped|jumped|rose|fell"
    r"|climbed|slipped|grew|shrank|up"
    r"|down) from) (?P<old>§[nqtcp]\d+§)(?: [a-z]+)? (?:up "
    r"|down )?to (?P<new>§[nqtcp]\d+§)(?! (?:times|o'clock))"
)
_POINTS = re.compile(
    r"(?P<share>§p\d+§)[^.§\n]{0,30}?,? (?P<step>§y\d+§) (?:(?P<down>down|lower|less|fewer|below)"
    r"|up|higher|more|above)"
    r" (?:on|than|from|since|last)\b"
)
_CLAUSE = re.compile(r"[.;!?()\n§]|,(?! )|\b(?:but|while|whereas)\b")
_RATE = re.compile(r" ?(?:[a-z]+ )?(?:an?|per|each|every|apiece)\b| ?[/@×%]")
_STEP = re.compile(r"\b(?:another|by|further|extra|additional) $")
_BY_HOW_MUCH = re.compile(
    r"(?: [a-z]+)? (?:down|up|fewer|more|less|higher|lower|short|above|below) (?:on|than|of)\b"
)
_OF_EACH = re.compile(r"\b(?:each|every|per|apiece)\b")
_REACH = 200


@dataclass(frozen=True)
class _Told:
    """An amount of the text and what its words say of it."""

    amount: Amount
    lead: str
    tail: str
    nouns: tuple[str, ...]

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles that the words before and behind tell of."""
        return frozenset(
            name
            for name, (before, behind) in _ROLES.items()
            if before.search(self.lead) or behind.search(self.tail)
        )


def derive_contrasts(ledger: Ledger) -> None:
    """Derive what is missing of what was meant, and the change from what was before."""
    for match in ledger.passage.find(_TO_FROM):
        new, old = (_like(ledger, match, name) for name in ("new", "old"))
        if is_alike(new, old):
            _difference(ledger, old, new, "before and after")
            _rate(ledger, old, new)
    for match in [*ledger.passage.find(_BECAME), *ledger.passage.find(_VERBLESS)]:
        old, new = (_like(ledger, match, name) for name in ("old", "new"))
        if (
            is_alike(old, new)
            and old.value != new.value
            and ledger.passage.marked[match.end() : match.end() + 1] != ":"
            and not {old.start, new.start} & ledger.spent
        ):
            _difference(ledger, old, new, "before and after")
            if old.sort != "p":
                _rate(ledger, old, new)
    for match in ledger.passage.find(_POINTS):
        share, step = ledger.passage.amount(match["share"]), ledger.passage.amount(match["step"])
        value = share.value + (step.value if match["down"] else -step.value)
        ledger.derive(share, value, (share, step), "before the change, in points")
    for match in ledger.passage.find(_MOVED_TO):
        step, new = (_like(ledger, match, name) for name in ("step", "new"))
        if is_alike(step, new) and step.start not in ledger.spent:
            like = finer(step, new)
            size = value_as(step, like)
            value = value_as(new, like) + (size if match["down"] else -size)
            ledger.derive(like, value, (step, new), "before the change")
            ledger.spend(step, new)
    told = _told(ledger)
    for first, second in pairwise(told):
        if not _is_comparable(ledger, first, second):
            continue
        if first.amount.sort == "p":
            if change := _changed(first, second):
                _difference(ledger, *change, "before and after, in points")
            continue
        if meant := _meant(first, second):
            is_told = _ordered(first, second, "meant", "done") is not None
            why = "what was meant and what came of it"
            _difference(ledger, *meant, why, is_sure=is_told or _is_alone(ledger, first, second))
        elif change := _changed(first, second) or _by_year(ledger, first, second):
            is_told = _ordered(first, second, "old", "new") is not None
            is_told = is_told or first.amount.sort not in "tc"
            is_sure = is_told and _is_alone(ledger, first, second)
            _difference(ledger, *change, "before and after", is_sure=is_sure)
            _rate(ledger, *change, is_sure=is_sure)


def _told(ledger: Ledger) -> list[_Told]:
    passage, found = ledger.passage, []
    for match in re.finditer(r"§[nqtcp]\d+§", passage.marked):
        amount = passage.amount(match[0])
        if amount.start in ledger.spent or _RATE.match(passage.marked, match.end()):
            continue
        lead = passage.marked[max(0, match.start() - 80) : match.start()]
        cuts = list(_CLAUSE.finditer(lead))
        lead = lead[cuts[-1].end() :] if cuts else lead
        tail = passage.marked[match.end() : match.end() + 60]
        close = _CLAUSE.search(tail)
        tail = tail[: close.start()] if close else tail
        if _STEP.search(lead) or _OF_EACH.search(lead) or _BY_HOW_MUCH.match(tail):
            continue
        nouns = nouns_after(passage.marked, match.end()) if amount.sort == "n" else ()
        found.append(_Told(amount, lead, tail, nouns))
    return found


def _is_comparable(ledger: Ledger, first: _Told, second: _Told) -> bool:
    one, other = first.amount, second.amount
    if other.start - one.end > _REACH or one.value == other.value:
        return False
    if not is_alike(one, other) or not is_same_noun(first.nouns, second.nouns):
        return False
    low, high = sorted((one.value, value_as(other, one)))
    if low * 12 < high:
        return False
    spans = [(one.start, one.end), (other.start, other.end)]
    return "negated" not in ledger.passage.doubts(spans)


def _by_year(ledger: Ledger, first: _Told, second: _Told) -> tuple[Amount, Amount] | None:
    """Return the earlier and the later of two amounts that stand beside years."""
    text = ledger.passage.text
    years = []
    for each in (first.amount, second.amount):
        found = _YEAR.match(text, each.end, each.end + 40) or _LAST_YEAR.search(
            text[max(0, each.start - 40) : each.start]
        )
        years.append(int(found[1]) if found else 0)
    if not all(years) or years[0] == years[1]:
        return None
    pair = (first.amount, second.amount)
    return pair if years[0] < years[1] else (pair[1], pair[0])


def _ordered(first: _Told, second: _Told, base: str, other: str) -> tuple[Amount, Amount] | None:
    """Return the amount of the role `base`, then that of the role `other`; None without both."""
    if base in first.roles and other in second.roles:
        if base in second.roles and other in first.roles:
            return None
        return first.amount, second.amount
    if base in second.roles and other in first.roles:
        return second.amount, first.amount
    return None


def _changed(first: _Told, second: _Told) -> tuple[Amount, Amount] | None:
    """Return what was before and what is after; one of the two words is enough in that order."""
    if found := _ordered(first, second, "old", "new"):
        return found
    if first.amount.sort == "n" and (not first.nouns or second.nouns not in ((), first.nouns)):
        return None
    if "old" in second.roles and not first.roles - {"new"}:
        return (second.amount, first.amount)
    is_then_now = not first.roles - {"old"} and not second.roles - {"new"}
    return (first.amount, second.amount) if is_then_now and first.roles | second.roles else None


def _meant(first: _Told, second: _Told) -> tuple[Amount, Amount] | None:
    """Return what was meant and what came of it; measures need no word for the second."""
    if found := _ordered(first, second, "meant", "done"):
        return found
    roles = (first.roles, second.roles)
    if first.amount.sort == "n" or not any("meant" in each for each in roles):
        return None
    if any(each - {"meant"} for each in roles) or roles[0] == roles[1]:
        return None
    pair = (first.amount, second.amount)
    return pair if "meant" in first.roles else (pair[1], pair[0])


def _like(ledger: Ledger, match: re.Match[str], name: str) -> Amount:
    """Return an amount of a match; a bare number has the unit of the other one."""
    amounts = [ledger.passage.amount(each) for key, each in match.groupdict().items()
               if each and each.startswith("§")]  # fmt: skip
    amount = ledger.passage.amount(match[name])
    units = [each for each in amounts if each.unit]
    if amount.sort == "n" and units:
        return replace(units[0], value=amount.value, start=amount.start, end=amount.end)
    return amount


def _is_alone(ledger: Ledger, first: _Told, second: _Told) -> bool:
    """Tell whether two amounts stand in one sentence, or two, and count the same things."""
    passage = ledger.passage
    numbers = [
        passage.sentences.index(passage.sentence(each.amount.start)) for each in (first, second)
    ]
    is_counted = first.amount.sort != "n" or bool(first.nouns or second.nouns)
    return abs(numbers[1] - numbers[0]) < 2 and is_counted


def _difference(
    ledger: Ledger, base: Amount, other: Amount, why: str, *, is_sure: bool = True
) -> None:
    like = finer(base, other)
    value = abs(value_as(base, like) - value_as(other, like))
    ledger.derive(
        like, value, (base, other), f"the difference of {why}", confidence=0.7,
        role="derived" if is_sure else "alternative",
    )  # fmt: skip


def _rate(ledger: Ledger, base: Amount, other: Amount, *, is_sure: bool = True) -> None:
    if base.value <= 0 or base.sort == "c":
        return
    change = abs(value_as(other, base) - base.value) / base.value * 100
    percent = Amount("p", Fraction(0), "", base.start, base.end)
    ledger.derive(
        percent, change, (base, other), "the change in percent", confidence=0.65,
        role="derived" if is_sure else "alternative",
    )  # fmt: skip
