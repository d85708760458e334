"""Units of measure, as they are written, and their canonical names."""

from __future__ import annotations

import re

from leadline.enrichers.number_words import lowered

_NAMES = {
    "km": "km kms kilometre kilometres kilometer kilometers",
    "m": "m metre metres meter meters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "mile": "mile miles mi",
    "yard": "yard yards yd yds",
    "foot": "foot feet ft",
    "inch": "inch inches",
    "kg": "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes",
    "g": "g gram grams gramme grammes gr",
    "mg": "mg milligram milligrams",
    "lb": "lb lbs",
    "pound": "pound pounds",
    "oz": "oz ounce ounces",
    "stone": "stone",
    "tonne": "tonne tonnes ton tons t",
    "L": "l litre litres liter liters",
    "mL": "ml millilitre millilitres milliliter milliliters",
    "cL": "cl centilitre centilitres",
    "dL": "dl decilitre decilitres",
    "gallon": "gallon gallons gal",
    "pint": "pint pints",
    "quart": "quart quarts",
    "cup": "cup cups",
    "tablespoon": "tbsp tablespoon tablespoons",
    "teaspoon": "tsp teaspoon teaspoons",
    "m2": "sqm m2 m²",
    "km2": "km2 km²",
    "hectare": "hectare hectares ha",
    "acre": "acre acres",
    "m3": "m3 m³",
    "kWh": "kwh",
    "MW": "mw megawatt megawatts",
    "kW": "kw kilowatt kilowatts",
    "W": "w watt watts",
    "GB": "gb gigabyte gigabytes",
    "MB": "mb megabyte megabytes",
    "TB": "tb terabyte terabytes",
    "km/h": "km/h kph kmh",
    "mph": "mph",
    "mpg": "mpg",
    "knot": "knot knots",
    "degree": "degree degrees °",
    "C": "°c celsius",
    "F": "°f fahrenheit",
    "calorie": "calorie calories kcal",
    "dB": "db decibel decibels",
    "V": "volt volts",
    "kV": "kv kilovolt kilovolts",
    "A": "amp amps ampere amperes",
    "mAh": "mah",
    "Ah": "ah",
    "Hz": "hz hertz",
    "kHz": "khz kilohertz",
    "MHz": "mhz megahertz",
    "GHz": "ghz gigahertz",
    "MWh": "mwh",
    "GW": "gw gigawatt gigawatts",
    "bar": "bar",
    "psi": "psi",
    "hPa": "hpa hectopascal hectopascals mbar millibar millibars",
    "kPa": "kpa kilopascal kilopascals",
    "mmHg": "mmhg",
    "rpm": "rpm",
    "bpm": "bpm",
    "J": "joule joules",
    "kJ": "kj kilojoule kilojoules",
    "MJ": "mj megajoule megajoules",
    "mcg": "mcg µg microgram micrograms",
    "IU": "iu",
    "mmol": "mmol millimole millimoles",
    "micron": "µm micron microns micrometre micrometres",
    "fathom": "fathom fathoms",
    "furlong": "furlong furlongs",
    "bushel": "bushel bushels",
    "carat": "carat carats",
    "hundredweight": "cwt hundredweight",
    "quintal": "quintal quintals",
    "fluid ounce": "floz",
    "KB": "kb kilobyte kilobytes",
    "Mbps": "mbps megabits",
    "Gbps": "gbps gigabits",
    "pixel": "pixel pixels px",
    "megapixel": "megapixel megapixels",
    "lumen": "lumen lumens",
    "lux": "lux",
    "m/s": "m/s",
    "horsepower": "hp bhp horsepower",
    "cc": "cc",
    "mSv": "msv millisievert millisieverts",
    "light year": "lightyear lightyears",
    "second": "second seconds sec secs",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs h",
    "day": "day days",
    "night": "night nights",
    "week": "week weeks",
    "fortnight": "fortnight fortnights",
    "month": "month months",
    "year": "year years yr yrs",
}
UNITS: dict[str, str] = {word: unit for unit, words in _NAMES.items() for word in words.split()}
"""Word as written, in lower case -> canonical unit."""

TIMES: frozenset[str] = frozenset(
    ["second", "minute", "hour", "day", "night", "week", "fortnight", "month", "year"]
)
"""Canonical units of durations."""

SECONDS: dict[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
"""Units of time that have one length."""

UNIT_PATTERN = (
    r"(?:square|cubic|sq|cu)\.? (?:met(?:re|er)|kilomet(?:re|er)|mile|foot|feet|ft|yard|inche?"
    r"|cm|km|m)s?"
    r"|(?:miles?|kilomet(?:re|er)s?|kms?) (?:an|per|to the|a) (?:hour|gallon)"
    r"|nautical miles?|fl\.? ?oz|fluid ounces?|light[ -]years?|met(?:re|er)s? (?:a|per) second"
    r"|degrees? (?:celsius|fahrenheit|c|f)|° ?[cf]"
    rf"|{'|'.join(sorted(UNITS, key=len, reverse=True))}"
)
"""A unit as written, in lower case."""

_PHRASES = {"nautical": "nautical mile", "fl": "fluid ounce", "light": "light year"} | {
    "metre": "m/s",
    "meter": "m/s",
}
_JOINED = {
    ("mile", "hour"): "mph",
    ("kilometre", "hour"): "km/h",
    ("km", "hour"): "km/h",
    ("kilometer", "hour"): "km/h",
    ("mile", "gallon"): "mpg",
}
_SQUARE = {"m": "m2", "km": "km2", "cm": "cm2", "mile": "square mile", "foot": "square foot"}


def unit_of(words: str) -> str:
    """Return the canonical name of a unit that UNIT_PATTERN matches."""
    words = lowered(words).strip()
    if words in UNITS:
        return UNITS[words]
    for start, unit in _PHRASES.items():
        if words.startswith(start):
            return unit
    parts = re.sub(r"°", "degrees ", words).replace(".", "").split()
    if parts[0] in ("square", "sq", "cubic", "cu"):
        base = UNITS.get(parts[1], UNITS.get(parts[1].removesuffix("s"), parts[1]))
        return _SQUARE.get(base, f"square {base}") if parts[0][0] == "s" else f"cubic {base}"
    if parts[0].startswith("degree"):
        return parts[-1][0].upper()
    return _JOINED[parts[0].removesuffix("s"), parts[-1]]
