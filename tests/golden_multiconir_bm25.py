"""The golden family `multiconir_bm25`."""

from typing import Any

import pytest

from leadline.retrievers.okapi_candidates import okapi_scores


def check(case: dict[str, Any]) -> None:
    """Compare the scores of the candidates with the expected ones. Raises on any other case."""
    assert (case["metric"], case["mode"]) == ("bm25_okapi_candidate_set", "default")
    scores = okapi_scores(case["inputs"]["query"], case["inputs"]["documents"])
    assert scores == pytest.approx(case["expected"], rel=0, abs=case["tolerance"])
