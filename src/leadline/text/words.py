"""Small closed classes of English words for the rules of the probes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def table(package: str, name: str) -> Any:
    """Return what `NAME.yaml` beside the code of a package holds: words, wordings, rows."""
    text = files(package).joinpath(f"{name}.yaml").read_text("utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def words_of(text: str) -> frozenset[str]:
    """Return the words of a list that is written with spaces between."""
    return frozenset(text.split())


STOP_WORDS = words_of(
    """
    a about above after again against all also am among an and any are aren't as at be because
    been before being below between both but by can cannot could couldn't did didn't do does
    doesn't doing don't down during each either etc few for from further had hadn't has hasn't
    have haven't having he her here hers herself him himself his how however i if in into is
    isn't it its itself just may me might more most much must my myself no nor not of off on
    once one only or other our ours out over own per same shall she should so some such than
    that the their theirs them then there therefore these they this those through thus to too
    under until up upon us very was wasn't we were weren't what when where whereas whether which
    while who whom whose why will with within without would yet you your yours
    """
)

PREPOSITIONS = words_of(
    """
    about above across after against along among around as at before behind below beneath beside
    between beyond by despite down during for from in inside into like near of off on onto out
    outside over past per since through throughout to toward towards under until up upon via
    with within without
    """
)

AUXILIARIES = words_of(
    """
    is are was were am has have had does do did can could will would should may might must shall
    isn't aren't wasn't weren't hasn't haven't hadn't didn't doesn't don't can't couldn't won't
    cannot
    """
)

FINITE = AUXILIARIES | words_of(
    """
    became becomes began begins came comes gave got knows said saw took takes thinks told
    underwent describes discusses denies reveals considers concludes depends examines exists
    indicates occurs provides proposes recommends refers represents requires seems serves suggests
    summarises summarizes tends wishes contains consists includes explains showed went goes grew
    ran wrote arose rose fell seemed appears appeared argues remains remained
    """
)
"""Words that make a clause out of a phrase and are hardly ever nouns or participles."""

NUMBER_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
