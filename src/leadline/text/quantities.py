"""Quantities in a sentence: figures with a unit, per cent, counts, ranges, ratios."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.text.words import NUMBER_WORDS, STOP_WORDS, words_of


@dataclass(frozen=True, slots=True)
class Value:
    """A quantity or a date at text[start:end], which can be looked up and exchanged.

    kind    number or date
    keys    pools of values it may be exchanged with, the most alike first: values that stand in the
            same surroundings, then values of the same shape and unit
    number  the figure itself, for numbers
    """

    kind: str
    start: int
    end: int
    text: str
    keys: tuple[str, ...]
    number: float = 0.0


NUMERAL = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d{1,8})?|\d{1,12}(?:\.\d{1,8})?|\.\d{1,8})"
_UNITS = {
    "percent": "%|percent|per cent",
    "year": "years?|yrs?", "month": "months?", "week": "weeks?", "day": "days?",
    "hour": "hours?|hrs?", "minute": "minutes?|mins?", "second": "seconds?|secs?",
    "msec": "msecs?|milliseconds?|microseconds?|nanoseconds?|musec",
    "mg": "mg|milligrams?", "mcg": "mcg|micrograms?", "g": "g|gms?|grams?", "kg": "kg|kilograms?",
    "lb": "lbs?|pounds?", "oz": "oz|ounces?", "ml": "ml|cc|ccs|milliliters?|millilitres?",
    "liter": "liters?|litres?", "mm": "mm|millimeters?|millimetres?",
    "cm": "cm|cms|centimeters?|centimetres?", "meter": "meters?|metres?",
    "km": "kms?|kilometers?|kilometres?", "inch": "inch|inches|in(?=\\.(?:\\s|$))",
    "foot": "feet|foot|ft", "yard": "yards?", "mile": "miles?", "mph": "mph|knots", "fps": "fps",
    "hertz": "hz|cps|khz|kc|mhz|mc|mcs|ghz|cycles|kilocycles|megacycles", "decibel": "db|decibels?",
    "volt": "v|volts?|mv|kv|millivolts?", "watt": "watts?|kw|mw|kilowatts?|milliwatts?",
    "ampere": "amps?|amperes?|ma|milliamperes?", "ohm": "ohms?", "degree": "degrees?|deg|°",
    "psi": "psi|psia|atm|atmospheres?|torr|mmhg|mm hg", "rpm": "rpm|bpm|beats", "unit": "units?",
    "meq": "meq|iu", "french": "french|gauge", "times": "times|fold|-fold",
    "money": "dollars?|pounds sterling|pence|cents?",
}  # fmt: skip
_BY_SPELLING = [
    (unit, re.compile(rf"(?:\s|-)?(?:{spellings})(?![\w])", re.IGNORECASE))
    for unit, spellings in _UNITS.items()
]
_ANY_UNIT = re.compile(rf"(?:\s|-)?(?:{'|'.join(_UNITS.values())})(?![\w])", re.IGNORECASE)
_SPELLED = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?P<money>[$£€])?(?P<first>{NUMERAL}|\b(?:{_SPELLED})\b)"
    rf"(?:(?P<joint>\s?(?:-|–|to)\s?|\s?/\s?|\s?[x×]\s?)(?P<second>{NUMERAL}|(?:{_SPELLED})\b))?",
    re.IGNORECASE,
)
_REFERENCES = words_of(
    """
    figure fig figs table tables section chapter no nos number page pages pp vol volume eq
    equation equations ref refs reference tn rm tr report part type class grade stage phase
    version model case paper appendix isbn issn lead group item x times naca level room size
    item step route fortran mark marc aacr isbd apollo gemini explorer note act article cpt
    code codes icd zip
    """
)
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[\s:,(=]{1,3}$")
_WORD_AFTER = re.compile(r"[\s-]?([^\W\d_]{2,40})")
_GLUED_BEFORE = re.compile(r"[\w.,/:#'’+*^=<>~-]$")
_GLUED_AFTER = re.compile(r"[\w/:#^*'’+=]|[.,-]\w")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_OLD = re.compile(r"[\s-]years?[\s-]old\b", re.IGNORECASE)


def find_quantities(text: str, start: int, end: int) -> Iterator[Value]:
    """Yield the quantities of text[start:end], left to right.

    References ("figure 3", "type 2"), enumerators, ordinals and figures glued to letters ("L4")
    are no quantities; "one" is left alone, for the grammar around it.
    """
    for match in _QUANTITY.finditer(text, start, end):
        value = _quantity(text, start, end, match)
        if value is not None:
            yield value


def spelled_like(figure: float, before: str) -> str:
    """Write a figure the way `before` is written: in words, with commas, with its decimals."""
    if before.lower() in NUMBER_WORDS:
        word = next((w for w, n in NUMBER_WORDS.items() if n == round(figure)), "")
        return word.capitalize() if before[0].isupper() else word
    decimals = len(before.partition(".")[2])
    spelled = f"{figure:,.{decimals}f}" if "," in before else f"{figure:.{decimals}f}"
    return spelled[1:] if before.startswith(".") and spelled.startswith("0.") else spelled


def figure_of(numeral: str) -> float:
    """Return the figure that a numeral or a number word stands for."""
    word = NUMBER_WORDS.get(numeral.lower())
    return float(word) if word is not None else float(numeral.replace(",", ""))


def _quantity(text: str, start: int, end: int, match: re.Match[str]) -> Value | None:
    if _GLUED_BEFORE.search(text, max(start, match.start() - 1), match.start()):
        return None
    joint = (match["joint"] or "").strip().lower()
    suffix = _ANY_UNIT.match(text, match.end(), end)
    if not suffix and _GLUED_AFTER.match(text, match.end(), end):
        return None
    before = _WORD_BEFORE.search(text, max(start, match.start() - 40), match.start())
    previous = before[1].lower() if before else ""
    if previous in _REFERENCES or _is_enumerator(text, start, match):
        return None
    stop = suffix.end() if suffix else match.end()
    first = figure_of(match["first"])

    def value(keys: tuple[str, ...], number: float = first, until: int = stop) -> Value:
        return Value("number", match.start(), until, text[match.start() : until], keys, number)

    if joint in {"-", "–", "to"}:
        high = figure_of(match["second"])
        if first >= high or (_is_word(match["first"]) != _is_word(match["second"])):
            return None
        unit = _unit(suffix.group()) if suffix else ""
        decimals = len(match["second"].partition(".")[2])
        return value((f"range|{match['joint']}|{unit}|{decimals}",), high)
    if joint:
        if joint != "/" or not previous or "." in match.group():
            return None
        digits = f"{len(match['first'])}/{len(match['second'])}"
        keys: tuple[str, ...] = (f"pair|{previous}|{digits}", f"pair|{digits}")
        return value(keys if digits in {"3/2", "3/3"} else keys[:1], until=match.end())
    shape = _shape(match["first"])
    if old := _OLD.match(text, match.end()):
        return value(("age",), until=old.end())
    if suffix or match["money"]:
        unit = "money" if match["money"] else _unit(suffix.group() if suffix else "")
        written = suffix.group() if suffix else match["money"]
        if first == 1 and unit != "percent" and len(written.strip(" -")) > 3:
            return None
        return value((f"{previous}|{written}|{shape}", f"|{written}|{shape}"))
    following = _WORD_AFTER.match(text, stop)
    keys = _bare_keys(match["first"], first, previous, following[1].lower() if following else "")
    return value(keys) if keys else None


def _is_enumerator(text: str, start: int, match: re.Match[str]) -> bool:
    after = text[match.end() : match.end() + 1]
    if after == ")":
        opening = text[max(start, match.start() - 1) : match.start()]
        return opening == "(" or match.start() == start
    return match.start() == start and after in {".", ":"}


def _bare_keys(numeral: str, figure: float, previous: str, after: str) -> tuple[str, ...]:
    """Return the keys of a count of things, or of a reading named by the word before."""
    shape, is_whole = _shape(numeral), "." not in numeral
    if _YEAR.fullmatch(numeral):
        return ()
    counts = after.endswith("s") or after in {"people", "children", "men", "women"}
    counts = counts or (bool(after) and _is_word(numeral))
    if counts and after not in STOP_WORDS and figure > 1 and is_whole:
        return (f"count|{after}|{shape}", f"count|{shape}")
    if _is_word(numeral) or not previous or (figure < 10 and is_whole):
        return ()
    keys = (f"after|{previous}|{shape}", f"figure|{shape}")
    return keys[:1] if is_whole else keys


def _shape(numeral: str) -> str:
    if _is_word(numeral):
        return "word"
    decimals = len(numeral.partition(".")[2])
    return f"{decimals}{',' if ',' in numeral else ''}{'.' if numeral.startswith('.') else ''}"


def _is_word(numeral: str) -> bool:
    return numeral[0].isalpha()


def _unit(spelling: str) -> str:
    for unit, pattern in _BY_SPELLING:
        if pattern.fullmatch(spelling):
            return unit
    return spelling.strip().lower()
