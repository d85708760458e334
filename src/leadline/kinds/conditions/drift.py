"""How far rewritten sentences move from their originals towards a model's own phrasing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from leadline.text.tokens import tokens


def drift(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return means over pairs of an original and its rewriting; empty for no pairs.

    `length ratio` is words of the rewriting for each of the original, `kept tokens` the share of
    the original's tokens that the rewriting has, too, and `type-token ratio` how many of the tokens
    of all originals (all rewritings) are different ones, over equally many tokens of both.
    Source: Lu et al., MultiConIR, section 3.3.
    """
    read = [(tokens(before), tokens(after)) for before, after in pairs]
    read = [(before, after) for before, after in read if before and after]
    if not read:
        return {}
    kept = [(Counter(before) & Counter(after)).total() / len(before) for before, after in read]
    old = [token for before, _ in read for token in before]
    new = [token for _, after in read for token in after]
    count = min(len(old), len(new))
    return {
        "length ratio": round(fmean(len(after) / len(before) for before, after in read), 4),
        "kept tokens": round(fmean(kept), 4),
        "type-token ratio before": round(len(set(old[:count])) / count, 4),
        "type-token ratio after": round(len(set(new[:count])) / count, 4),
    }
