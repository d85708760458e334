"""What a text leaves out: items that were not charged, days off, figures not to be added up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.enrichers.amounts.passage import Amount, Passage

_DETERMINER = r"(?:(?:for )?(?:the|my|our|his|her|your|their|that|a|an|any) )?"
_WAIVED = re.compile(
    r"\b(?:(?:forg[eo]t(?:ten)?|omitted|neglected|failed|declined|refused) to (?:bill|charge|add"
    r"|include|ring up|put|count)|(?:did not"
    r"|didn['’]t|never|would not|wouldn['’]t|not)"
    r" (?:bill|charge|include|add)(?:d|ed)?|waived|waiving|knocked off|took off|left off"
    rf"|left out|struck off|refunded|threw in|let (?:us|me|him|her|them) off)"
    rf"(?: (?:us|me|him|her|them))? {_DETERMINER}"
    r"(?P<after>[a-z'’-]+(?: [a-z'’-]+)?)"
    r"|\b(?:the|my|our|his|her|their) (?P<before>[a-z'’-]+(?: [a-z'’-]+)?) (?:was|were|came|is|are)"
    r" (?:free\b|on the house|waived|complimentary|not (?:charged|billed)|never (?:charged|billed)"
    r"|left off|taken off|thrown in|struck off|refunded|gratis)"
)
_BUT = re.compile(
    r"[^.!?]{0,40}\b(?:but|except|apart from|less|minus|bar|save|other than|excluding|not counting)"
    r"\b[^.!?]{0,40}$"
)
_AWAY = re.compile(
    r"\b(?:away|off|closed|shut|ill|sick|missed|skipped|holiday|nothing|none|except|apart|minus"
    r"|less|bar|save|other than|excluding|not counting|stopped|cancelled|rained off|absent)\b"
)
_RIVALS = re.compile(
    r"\b(?:against|versus|vs|compared (?:to|with)|up from|down from|instead of|rather than"
    r"|old\b.*\bnew|new\b.*\bold|(?:annual|yearly|monthly|weekly|daily|other|second|cheaper|dearer)"
    r" (?:one|rate|plan)(?: (?:is|was|at|for))?)\b",
    re.DOTALL,
)
_STOP = frozenset(("the", "and", "for", "us", "it", "them", "all", "him", "her", "me", "bill"))


_QUOTES = re.compile(
    r"\b(?:minimum|maximum|min\b|max\b|ask(?:ed|s|ing) for|offer(?:s|ed)?(?: of)?|quote[ds]?"
    r"|quotes of|bids?(?: of)?|estimate[ds]?|guess\w*|either|list price|rrp|valued at)\b"
)


_AVERAGED = re.compile(
    r"\b(?:averag\w+|medians?|mean(?= (?!time|while|to\b))|typical(?:ly)?|life ?spans?"
    r"|life expectancy|salar(?:y|ies)|temperatures?|ages? of|half[- ]li(?:fe|ves)|normal"
    r"|percentile|pressure|lowest|highest|poorest|richest)\b"
)


_OF_JOBS = re.compile(
    r"\b(?:employment|job (?:outlook|growth|market)|demand for|in demand|workforce|turnout)\b",
    re.IGNORECASE,
)


def is_of_jobs(passage: Passage, amounts: Sequence[Amount]) -> bool:
    """Tell whether a share is one of jobs beside pay: `welders earn 40,000, jobs grow 10%`."""
    shares = [each for each in amounts if each.sort in "pf"]
    if not shares or all(each.sort != "m" for each in amounts):
        return False
    return any(
        _OF_JOBS.search(passage.text, *passage.sentence(each.start)) is not None for each in shares
    )


def waived(passage: Passage) -> frozenset[int]:
    """Return where amounts of money start that were not charged: `forgot to bill the lassi`."""
    lower = passage.text.lower()
    names = [match["after"] or match["before"] for match in _WAIVED.finditer(lower)]
    words = {word for name in names for word in name.split()} - _STOP
    if not words:
        return frozenset()
    return frozenset(
        each.start for each in passage.amounts if each.sort == "m" and words & _item(passage, each)
    )


def days_off(passage: Passage, length: Amount) -> Amount | None:
    """Return the time to take off a length of time: `thirty days, but we were away for four`."""
    text = passage.text.lower()
    end = passage.sentence(length.start)[1]
    for each in passage.amounts:
        if each.start < length.end or each.end > end or each.sort != "t":
            continue
        gap = text[length.end : each.start]
        told = gap + text[each.end : min(end, each.end + 40)]
        if each.unit != length.unit or not _BUT.match(gap) or not _AWAY.search(told):
            return None
        return each if each.value < length.value else None
    return None


_VOTED = re.compile(r"\b(?:votes?|voted|abst\w+|in favou?r|ballots?|carried|motion|ayes?|noes)\b")


def are_rivals(passage: Passage, amounts: Sequence[Amount]) -> bool:
    """Tell whether amounts are set against each other, so that nobody adds them up."""
    start, end = min(each.end for each in amounts), max(each.start for each in amounts)
    lead = passage.text[max(0, start - 30) : start].lower()
    behind = passage.text[end : passage.sentence(end)[1]].lower()
    if _QUOTES.search(lead) or re.search(r"\b(?:neither|none of (?:them|it|that))\b", behind):
        return True
    sentence = passage.sentence(start)[0]
    if _AVERAGED.search(passage.text[sentence : start + 1].lower()):
        return True
    around = (lead + passage.text[start:end] + " ").lower()
    near = passage.text[max(0, start - 120) : end + 60].lower()
    return _RIVALS.search(around) is not None and not _VOTED.search(near)


def _item(passage: Passage, amount: Amount) -> set[str]:
    """Return the words of the item that a price stands beside."""
    text, (first, last) = passage.text.lower(), passage.sentence(amount.start)
    others = [each for each in passage.amounts if each.sort == "m" and each is not amount]
    start = max([first, amount.start - 40, *(e.end for e in others if e.end <= amount.start)])
    ends = [each.start for each in others if each.start >= amount.end]
    end = min([last, amount.end + 30, *ends])
    behind = re.split(r"[,;]| and ", text[amount.end : end])[0]
    return set(re.findall(r"[a-z'’-]{3,}", text[start : amount.start] + " " + behind))
