"""Countries by their English names, and the people named for them.

Codes and short names: ISO 3166-1; variants as English writing has them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=65536)
def folded(name: str) -> str:
    """Return a name without case, accents and surplus space."""
    if name.isascii():
        return " ".join(name.lower().split())
    decomposed = unicodedata.normalize("NFKD", name)
    plain = "".join(each for each in decomposed if not unicodedata.combining(each))
    return " ".join(plain.casefold().split())


_TABLE = (resources.files("leadline.text") / "countries.txt").read_text("utf-8")
_ROWS = [
    [field.strip() for field in line.split(";")]
    for line in _TABLE.splitlines()
    if line and not line.startswith("#")
]

NAMES: dict[str, str] = {code: names.split(",")[0] for code, names, _ in _ROWS}
"""Code -> English short name."""

VARIANTS: dict[str, tuple[str, ...]] = {
    code: tuple(name.strip() for name in names.split(",")) for code, names, _ in _ROWS
}
"""Code -> every name, the short one first."""

CODES: dict[str, str] = {
    folded(form): code
    for code, names in VARIANTS.items()
    for name in names
    for form in (name, re.sub(r"(?i)^the\s+", "", name))
}
"""Folded name, with and without its article -> code."""

DEMONYMS: dict[str, str] = {
    folded(each.strip()): code for code, _, people in _ROWS for each in people.split(",") if each
}
"""Folded demonym or adjective -> code."""

ALSO_OTHERS = frozenset(
    folded(name)
    for name in (
        "Chad", "Jordan", "Georgia", "Turkey", "Guinea", "Mali", "Niger", "Dominica", "Cuba",
        "Grenada", "Samoa", "Israel", "Oman", "Malta", "Panama", "China", "India", "Kenya",
    )
)  # fmt: skip
"""Names that persons, dishes, goods or other places bear too."""


def country(code: str) -> dict[str, str]:
    """Return the value of a country fact; a code that is not known is its own name."""
    code = code.upper()
    return {"code": code, "name": NAMES.get(code, code)}
