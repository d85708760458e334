"""Golden family `listwise`: permutations, windows, scores at positions, masked identifiers."""

from typing import Any

import pytest

from leadline.rerankers.parts.orders import (
    mask_identifiers,
    parse_permutation,
    reordered,
    windows,
)

MODES = ("default", "rank_llm_0.12.8", "litsearch")


def permutation(inputs: Any, mode: Any) -> list[int]:
    return list(parse_permutation(inputs["response"], inputs["n"], mode).order)


def positional_scores(inputs: Any, mode: Any) -> dict[str, Any]:
    scores = inputs["scores"]
    order = parse_permutation(inputs["response"], len(scores), mode).order
    return {"order": reordered(range(len(scores)), order), "scores_after": scores}


def sliding_window(inputs: Any, mode: Any) -> dict[str, Any]:
    """The model sorts each window by relevance, as the vectors' source stubs it."""
    relevance = inputs["relevance"]
    spans = windows(inputs["n"], inputs["window"], inputs["step"], mode)
    order = list(range(inputs["n"]))
    for start, end in spans:
        order[start:end] = sorted(order[start:end], key=lambda place: -relevance[place])
    return {"windows": [list(span) for span in spans], "final_order": order}


def replace_number(inputs: Any, _: Any) -> str:
    return mask_identifiers(inputs["text"])


HANDLERS = {
    "permutation": permutation,
    "positional_scores": positional_scores,
    "sliding_window": sliding_window,
    "replace_number": replace_number,
}


def check(case: dict[str, Any]) -> None:
    """Compare one vector with what is computed; an unknown metric or mode fails."""
    handler = HANDLERS.get(case["metric"])
    assert handler is not None, f"unknown metric {case['metric']!r} in listwise"
    assert case["mode"] in MODES, f"unknown mode {case['mode']!r} in listwise"
    expected = case["expected"]
    if isinstance(expected, dict) and "raises" in expected:
        with pytest.raises({"ValueError": ValueError}[expected["raises"]]):
            handler(case["inputs"], case["mode"])
    else:
        assert handler(case["inputs"], case["mode"]) == expected
