"""A pytest fixture: `retrieval_gate(base, new)` fails a test if retrieval got worse.

It is installed with the package, and imported only if a test uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from leadline.comparison.verdict import Verdict


@pytest.fixture
def retrieval_gate() -> Callable[..., Verdict]:
    """Return a function that compares two output folders and fails the test on a loss.

    retrieval_gate(base, new, max_drop=0.01, alpha=0.05, metrics=()) -> Verdict
    """

    def gate(
        base: str | Path,
        new: str | Path,
        *,
        max_drop: float = 0.01,
        alpha: float = 0.05,
        metrics: Sequence[str] = (),
    ) -> Verdict:
        from leadline.comparison.verdict import compare_folders, judge
        from leadline.comparison.writing import in_words

        verdict = judge(compare_folders(base, new, metrics=metrics), max_drop=max_drop, alpha=alpha)
        if not verdict.passed:
            lines = "\n".join(in_words(each) for each in verdict.failed)
            told = f"Retrieval got worse by more than {max_drop:g}:\n{lines}"
            silent = "\n".join(verdict.comparison.unjudged)
            pytest.fail(
                told if verdict.failed else f"The gate cannot decide: {silent}", pytrace=False
            )
        return verdict

    return gate
