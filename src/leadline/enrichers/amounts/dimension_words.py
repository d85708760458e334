"""Words for people, rooms, occasions and units by which prices and counts find each other."""

from __future__ import annotations

from fractions import Fraction

_HEADS_WORDS = """
person head guest pax cover diner delegate attendee participant soul traveller traveler visitor
skull mouth
"""
HEADS = frozenset(_HEADS_WORDS.split())
_PEOPLE_WORDS = """
people adult friend colleague member student pupil kid child children diner player staff employee
worker rider passenger girl boy man men woman women neighbour neighbor cousin sister strong brother
grandchild grandson granddaughter nephew niece villager resident household twin apprentice winner
flatmate housemate roommate mate volunteer tenant heir sibling lad parent us of_us grown-up
pensioner senior teacher runner competitor candidate scout camper lady gentleman partner shareholder
subscriber customer client party
"""
PEOPLE = HEADS | frozenset(_PEOPLE_WORDS.split())
_ROOMS_WORDS = """
room bed pitch cabin twin double suite chalet tent caravan bungalow
"""
ROOMS = frozenset(_ROOMS_WORDS.split())
_OCCASIONS_WORDS = """
morning evening afternoon visit occasion session sitting round
"""
OCCASIONS = frozenset(_OCCASIONS_WORDS.split())
_FOR_PEOPLE_WORDS = """
ticket seat place entry admission meal lunch dinner menu breakfast buffet fare pass passport visa
room_share membership
"""
FOR_PEOPLE = frozenset(_FOR_PEOPLE_WORDS.split())
_NO_BASIS_WORDS = """
bit lot few little couple good great better whole total discount deposit fee tip week_ago said same
other first second third next last reason moment while bargain steal result rise raise increase cut
drop fall budget limit maximum minimum time_limit most least rest more less further new used
secondhand nice pair_of and or of in on at with for from
"""
NO_BASIS = frozenset(_NO_BASIS_WORDS.split())
_STOP_WORDS = """
and or at for in on to with is are was were that which who but a an the by from each apiece per
every if as than then so when while plus only have has had will would can cost costs over under into
not no all both we i you he she they it this these those there here go goes went came come paid pay
pays want wants need needs took take takes sold bought cost it's charge charges sell sells ask asks
get gets owe owes offer buy buys fetch earn earns include add leave save spend be been did do does
make makes made altogether left after before since until because where what how off up down out
"""
STOP = frozenset(_STOP_WORDS.split())
LARGER = {
    ("week", "day"): Fraction(7),
    ("week", "night"): Fraction(7),
    ("fortnight", "day"): Fraction(14),
    ("fortnight", "night"): Fraction(14),
    ("fortnight", "week"): Fraction(2),
    ("quarter", "month"): Fraction(3),
    ("year", "month"): Fraction(12),
    ("year", "week"): Fraction(52),
    ("year", "quarter"): Fraction(4),
    ("hour", "minute"): Fraction(60),
    ("minute", "second"): Fraction(60),
    ("day", "hour"): Fraction(0),
    ("kg", "g"): Fraction(1000),
    ("L", "mL"): Fraction(1000),
    ("L", "cL"): Fraction(100),
    ("km", "m"): Fraction(1000),
    ("m", "cm"): Fraction(100),
    ("tonne", "kg"): Fraction(1000),
}
SAME = {
    "kid": "child",
    "child": "kid",
    "grown-up": "adult",
    "bike": "bicycle",
    "pic": "picture",
} | {
    "labourer": "worker",
    "photo": "photograph",
    "puppy": "pup",
    "senior": "pensioner",
    "pensioner": "senior",
}
ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "night",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "annual": "year",
    "per annum": "year",
    "pcm": "month",
    "pm": "month",
    "pw": "week",
    "p.w.": "week",
    "p/w": "week",
    "p.a.": "year",
    "pa": "year",
    "ph": "hour",
    "p/h": "hour",
    "pp": "person",
    "p.p.": "person",
    "pppn": "person",
    "pn": "night",
    "p/n": "night",
    "p/m": "month",
    "p/p": "person",
}
