"""Years that stand by themselves: `in 1961`, `in '61`."""

from __future__ import annotations

import re

from leadline.enrichers.times.scenes import Reading, Scene


def read_year(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read a bare year as the text states it; `2014 units` and sums of money are none.

    `In '61` is the last such year before the message, or of the century told of.
    """
    if match["short_year"]:
        return _short_year(match, scene)
    before = scene.lower[max(0, match.start() - 10) : match.start()]
    if re.search(
        r"[$£€₹¥#]\s?$|[\d.,:/–—-]$|\b(?:no|nos|room|page|p|rs|inr|usd|gbp|eur|of\sthe)\.?\s$",
        before,
    ):
        return None
    return Reading(
        "year", match["year"], match.span(), role="stated", confidence=0.8, why=match.group()
    )


def _short_year(match: re.Match[str], scene: Scene) -> Reading | None:
    told = [each for each in scene.recent() if each.kind in ("year", "month", "date")]
    if scene.today is None and not told:
        return None
    base = scene.today.year if scene.today else int(str(told[-1].value)[:4])
    year = base - base % 100 + int(match["short_year"])
    if scene.today and year > base:
        year -= 100
    return Reading("year", str(year), match.span(), confidence=0.8, why=match.group())
