from __future__ import annotations

import pytest

from leadline.enrichers.amounts.counted import nouns_after


@pytest.mark.parametrize("following", [" -", " - 5", " ' and"])
def test_nothing_but_a_dash_or_a_quote_behind_a_number_counts_nothing(following: str) -> None:
    assert nouns_after(f"§n0§{following}", 4) == ()
