"""The verdict of a gate: which changes are losses that are both large and no accident."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.comparison.folders import Change, Comparison
from leadline.errors import InputError

MAX_DROP = 0.01
ALPHA = 0.05


@dataclass(frozen=True)
class Verdict:
    """What a gate says of a comparison.

    failed    changes that got worse by more than `max_drop`, with one-sided significance `alpha`
              after Holm's correction over all changes
    max_drop  in units of the metric, 0.01 being one point of nDCG
    """

    comparison: Comparison
    failed: tuple[Change, ...]
    max_drop: float
    alpha: float

    @property
    def passed(self) -> bool:
        """Whether nothing failed, and enough was answered to tell."""
        return not self.failed and not self.comparison.unjudged


def judge(comparison: Comparison, *, max_drop: float = MAX_DROP, alpha: float = ALPHA) -> Verdict:
    """Judge whether the second folder of a comparison is worse than the first.

    Raises InputError when a bound makes no sense.
    """
    if max_drop < 0:
        raise InputError(f"max_drop must be 0 or more, got {max_drop}.")
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be between 0 and 1, got {alpha}.")
    failed = tuple(
        each for each in comparison.changes if -each.gain > max_drop and each.p_worse <= alpha
    )
    return Verdict(comparison, failed, max_drop, alpha)
