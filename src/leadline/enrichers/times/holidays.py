"""Holidays by year: fixed ones, movable ones, and those that countries keep on other days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from leadline.enrichers.times.calendars import (
    MONDAY,
    SUNDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    nth_weekday,
    weekday_after,
    weekday_before,
)


def easter(year: int) -> date:
    """Return Western Easter Sunday of a Gregorian year.

    Source: the anonymous Gregorian algorithm, in Meeus, Astronomical Algorithms, ch. 8.
    """
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    long = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * long) // 451
    month, day = divmod(h + long - 7 * m + 114, 31)
    return date(year, month, day + 1)


def holiday_date(name: str, year: int, country: str = "") -> date | None:
    """Return when a holiday falls in a year, None where it has no such day that year.

    name     a name that `HOLIDAY_PATTERN` matches, in any case
    country  ISO 3166-1 alpha-2, used where countries differ: Thanksgiving, Labour Day,
             Mother's Day, bank holidays; empty for the most usual
    """
    key = _key(name)
    country = country.upper()
    if key in _BY_COUNTRY and country in _BY_COUNTRY[key]:
        return _BY_COUNTRY[key][country](year)
    if key in _FIXED:
        month, day = _FIXED[key]
        try:
            return date(year, month, day)
        except ValueError:  # a leap day
            return None
    if key in _FROM_EASTER:
        return easter(year) + timedelta(_FROM_EASTER[key])
    return _COUNTED[key](year)


def differs_by_country(name: str) -> bool:
    """Tell whether countries keep a holiday of this name on different days."""
    return _key(name) in _BY_COUNTRY


def _key(name: str) -> str:
    key = " ".join(name.lower().replace("’", "'").replace("-", " ").replace(".", "").split())
    key = key.removeprefix("the ").replace("saint ", "st ").replace("labour", "labor")
    return _SYNONYMS.get(key) or _WITHOUT_SIGNS.get(key, key)


def _counted(month: int, weekday: int, n: int, shift: int = 0) -> Callable[[int], date | None]:
    def day_of(year: int) -> date | None:
        found = nth_weekday(year, month, weekday, n)
        return found and found + timedelta(shift)

    return day_of


def _after_easter(days: int) -> Callable[[int], date | None]:
    return lambda year: easter(year) + timedelta(days)


def _advent(number: int) -> Callable[[int], date | None]:
    return lambda year: weekday_before(date(year, 12, 25), SUNDAY) - timedelta(21 - 7 * number)


_FIXED = {
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "epiphany": (1, 6),
    "burns night": (1, 25),
    "australia day": (1, 26),
    "republic day": (1, 26),
    "holocaust memorial day": (1, 27),
    "waitangi day": (2, 6),
    "international women's day": (3, 8),
    "ides of march": (3, 15),
    "st joseph's day": (3, 19),
    "lady day": (3, 25),
    "tax day": (4, 15),
    "earth day": (4, 22),
    "king's day": (4, 27),
    "ambedkar jayanti": (4, 14),
    "ve day": (5, 8),
    "d day": (6, 6),
    "flag day": (6, 14),
    "bloomsday": (6, 16),
    "st john's day": (6, 24),
    "st swithin's day": (7, 15),
    "lammas": (8, 1),
    "vj day": (8, 15),
    "teachers' day": (9, 5),
    "gandhi jayanti": (10, 2),
    "trafalgar day": (10, 21),
    "children's day": (11, 14),
    "day of the dead": (11, 2),
    "human rights day": (12, 10),
    "groundhog day": (2, 2),
    "candlemas": (2, 2),
    "valentine's day": (2, 14),
    "leap day": (2, 29),
    "st david's day": (3, 1),
    "pi day": (3, 14),
    "st patrick's day": (3, 17),
    "april fool's day": (4, 1),
    "st george's day": (4, 23),
    "anzac day": (4, 25),
    "walpurgis night": (4, 30),
    "may day": (5, 1),
    "star wars day": (5, 4),
    "cinco de mayo": (5, 5),
    "juneteenth": (6, 19),
    "midsummer eve": (6, 23),
    "midsummer day": (6, 24),
    "canada day": (7, 1),
    "independence day": (7, 4),
    "bastille day": (7, 14),
    "assumption day": (8, 15),
    "michaelmas": (9, 29),
    "halloween": (10, 31),
    "all saints' day": (11, 1),
    "all souls' day": (11, 2),
    "guy fawkes night": (11, 5),
    "armistice day": (11, 11),
    "veterans day": (11, 11),
    "martinmas": (11, 11),
    "st andrew's day": (11, 30),
    "st nicholas' day": (12, 6),
    "st lucia's day": (12, 13),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "boxing day": (12, 26),
    "st stephen's day": (12, 26),
}
_FROM_EASTER = {
    "shrove tuesday": -47,
    "shrove monday": -48,
    "ash wednesday": -46,
    "palm sunday": -7,
    "passion sunday": -14,
    "holy wednesday": -4,
    "whit tuesday": 51,
    "maundy thursday": -3,
    "low sunday": 7,
    "rogation sunday": 35,
    "quinquagesima": -49,
    "sexagesima": -56,
    "septuagesima": -63,
    "good friday": -2,
    "holy saturday": -1,
    "easter sunday": 0,
    "easter monday": 1,
    "ascension day": 39,
    "whit sunday": 49,
    "whit monday": 50,
    "trinity sunday": 56,
    "corpus christi": 60,
}
_COUNTED: dict[str, Callable[[int], date | None]] = {
    "martin luther king day": _counted(1, MONDAY, 3),
    "presidents' day": _counted(2, MONDAY, 3),
    "memorial day": _counted(5, MONDAY, -1),
    "mother's day": _counted(5, SUNDAY, 2),
    "mothering sunday": lambda year: easter(year) - timedelta(21),
    "father's day": _counted(6, SUNDAY, 3),
    "labor day": _counted(9, MONDAY, 1),
    "columbus day": _counted(10, MONDAY, 2),
    "thanksgiving": _counted(11, THURSDAY, 4),
    "black friday": _counted(11, THURSDAY, 4, 1),
    "cyber monday": _counted(11, THURSDAY, 4, 4),
    "giving tuesday": _counted(11, THURSDAY, 4, 5),
    "remembrance sunday": _counted(11, SUNDAY, 2),
    "super bowl sunday": _counted(2, SUNDAY, 2),
    "early may bank holiday": _counted(5, MONDAY, 1),
    "spring bank holiday": _counted(5, MONDAY, -1),
    "august bank holiday": _counted(8, MONDAY, -1),
    "advent sunday": lambda year: weekday_before(date(year, 12, 25), SUNDAY) - timedelta(21),
    **{
        f"{name} sunday {link} advent": _advent(number)
        for number, name in enumerate(("second", "third", "fourth"), 1)
        for link in ("of", "in")
    },
    "stir up sunday": lambda year: weekday_before(date(year, 12, 25), SUNDAY) - timedelta(28),
    **{
        f"{name} sunday {link} lent": _after_easter(7 * number - 49)
        for number, name in enumerate(("first", "second", "third", "fourth", "fifth"), 1)
        for link in ("of", "in")
    },
    **{
        f"{name} sunday after {feast}": _after_easter(7 * number + shift)
        for number, name in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 1)
        for feast, shift in (("easter", 0), ("trinity", 56))
    },
    "patriots' day": _counted(4, MONDAY, 3),
    "family day": _counted(2, MONDAY, 3),
    "victoria day": lambda year: weekday_before(date(year, 5, 25), MONDAY),
    "civic holiday": _counted(8, MONDAY, 1),
    "king's birthday": _counted(6, MONDAY, 2),
    "melbourne cup day": _counted(11, TUESDAY, 1),
    "election day": _counted(11, MONDAY, 1, 1),
    "plough monday": lambda year: weekday_after(date(year, 1, 6), MONDAY),
    "buss und bettag": lambda year: weekday_before(date(year, 11, 23), WEDNESDAY),
}


def _may_day(year: int) -> date:
    return date(year, 5, 1)


def _fixed(month: int, day: int) -> Callable[[int], date | None]:
    return lambda year: date(year, month, day)


_BY_COUNTRY: dict[str, dict[str, Callable[[int], date | None]]] = {
    "thanksgiving": {"CA": _counted(10, MONDAY, 2)},
    "labor day": {
        "CA": _counted(9, MONDAY, 1),
        "AU": _counted(10, MONDAY, 1),
        "NZ": _counted(10, MONDAY, 4),
        **dict.fromkeys(("DE", "AT", "FR", "IT", "ES", "PT", "IN", "CN", "PL", "BR"), _may_day),
    },
    "mother's day": dict.fromkeys(("GB", "IE"), _COUNTED["mothering sunday"]),
    "father's day": dict.fromkeys(("AU", "NZ"), _counted(9, SUNDAY, 1)),
    "independence day": {
        "IN": _fixed(8, 15),
        "PK": _fixed(8, 14),
        "GH": _fixed(3, 6),
        "NG": _fixed(10, 1),
        "KE": _fixed(12, 12),
    },
    "family day": {"ZA": lambda year: easter(year) + timedelta(1)},
    "king's birthday": {"NZ": _counted(6, MONDAY, 1)},
    "august bank holiday": {"IE": _counted(8, MONDAY, 1)},
}
_SYNONYMS = {
    "queen's birthday": "king's birthday",
    "teacher's day": "teachers' day",
    "women's day": "international women's day",
    "patriot's day": "patriots' day",
    "childrens day": "children's day",
    "st john's eve": "midsummer eve",
    "refreshment sunday": "mothering sunday",
    "laetare sunday": "mothering sunday",
    "spy wednesday": "holy wednesday",
    "swithin's day": "st swithin's day",
    "st swithun's day": "st swithin's day",
    "lammas day": "lammas",
    "day of remembrance": "armistice day",
    "poppy day": "armistice day",
    "new year's": "new year's day",
    "twelfth day": "epiphany",
    "easter eve": "holy saturday",
    "holy week wednesday": "holy wednesday",
    "nye": "new year's eve",
    "new years eve": "new year's eve",
    "hogmanay": "new year's eve",
    "new year": "new year's day",
    "new years day": "new year's day",
    "twelfth night": "epiphany",
    "three kings": "epiphany",
    "three kings day": "epiphany",
    "three kings' day": "epiphany",
    "valentines day": "valentine's day",
    "st valentine's day": "valentine's day",
    "valentine's": "valentine's day",
    "valentines": "valentine's day",
    "st patricks day": "st patrick's day",
    "st paddy's day": "st patrick's day",
    "paddy's day": "st patrick's day",
    "april fools' day": "april fool's day",
    "april fools day": "april fool's day",
    "april fools": "april fool's day",
    "pancake day": "shrove tuesday",
    "pancake tuesday": "shrove tuesday",
    "mardi gras": "shrove tuesday",
    "fat tuesday": "shrove tuesday",
    "rose monday": "shrove monday",
    "rosenmontag": "shrove monday",
    "holy thursday": "maundy thursday",
    "easter": "easter sunday",
    "easter day": "easter sunday",
    "easter saturday": "holy saturday",
    "ascension": "ascension day",
    "ascension thursday": "ascension day",
    "pentecost": "whit sunday",
    "whitsun": "whit sunday",
    "whitsunday": "whit sunday",
    "pentecost sunday": "whit sunday",
    "pentecost monday": "whit monday",
    "mlk day": "martin luther king day",
    "martin luther king jr day": "martin luther king day",
    "presidents day": "presidents' day",
    "president's day": "presidents' day",
    "mothers day": "mother's day",
    "mothers' day": "mother's day",
    "fathers day": "father's day",
    "fathers' day": "father's day",
    "fourth of july": "independence day",
    "4th of july": "independence day",
    "july fourth": "independence day",
    "july 4th": "independence day",
    "thanksgiving day": "thanksgiving",
    "hallowe'en": "halloween",
    "all hallows": "all saints' day",
    "all hallows' eve": "halloween",
    "all saints day": "all saints' day",
    "all saints": "all saints' day",
    "all souls day": "all souls' day",
    "all souls": "all souls' day",
    "bonfire night": "guy fawkes night",
    "bonfire day": "guy fawkes night",
    "guy fawkes": "guy fawkes night",
    "guy fawkes day": "guy fawkes night",
    "remembrance day": "armistice day",
    "veteran's day": "veterans day",
    "veterans' day": "veterans day",
    "st nicholas day": "st nicholas' day",
    "st nicholas's day": "st nicholas' day",
    "st lucy's day": "st lucia's day",
    "santa lucia": "st lucia's day",
    "xmas eve": "christmas eve",
    "christmas": "christmas day",
    "xmas": "christmas day",
    "xmas day": "christmas day",
    "st stephens day": "st stephen's day",
    "indigenous peoples' day": "columbus day",
    "indigenous peoples day": "columbus day",
    "first sunday of advent": "advent sunday",
    "first sunday in advent": "advent sunday",
    "first advent sunday": "advent sunday",
    "first advent": "advent sunday",
    "midsummer's day": "midsummer day",
    "assumption": "assumption day",
    "assumption of mary": "assumption day",
    "leap year day": "leap day",
}
_WITHOUT_SIGNS = {
    name.replace("'", ""): _SYNONYMS.get(name, name)
    for name in (*_FIXED, *_FROM_EASTER, *_COUNTED, *_SYNONYMS)
    if "'" in name
}
"""Names as people write them in haste: `paddys day`."""
# Names that are as often a person, a place or an ordinary word are read only with their "Day".
_BARE_UNSURE = {
    "three kings",
    "all saints",
    "assumption",
    "ascension",
    "santa lucia",
    "new year",
    "new year's",
    "flag day",
    "day of remembrance",
}
HOLIDAY_NAMES = sorted(
    ({*_FIXED, *_FROM_EASTER, *_COUNTED, *_SYNONYMS} - _BARE_UNSURE) | {"labour day"},
    key=len,
    reverse=True,
)
HOLIDAY_PATTERN = (
    "(?:"
    + "|".join(
        name.replace("'", "['’]?").replace("st ", r"(?:st\.?|saint)\s").replace(" ", r"[\s-]")
        for name in HOLIDAY_NAMES
    )
    + ")"
)
"""Regular expression (without flags or groups) of every holiday name; use with re.IGNORECASE."""
