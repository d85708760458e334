from __future__ import annotations

import pytest
from sample_page import entry, result

from leadline.pages.summary import findings


def told(*results: dict) -> str:
    (finding,) = findings(results)
    return " ".join(finding.sentences).replace("\u00a0", " ")


def test_the_summary_names_the_best_system_and_chance() -> None:
    text = told(
        result("bm25", {"WinRate": entry(0.52, 0.48, 0.56)}),
        result("minilm", {"WinRate": entry(0.71, 0.67, 0.75)}),
    )
    assert "minilm puts the document that meets every condition first in 71 % of pairs" in text
    assert "(95 % interval 67 % to 75 %); chance is 50 %." in text
    assert "bm25 is next (52 %)." in text


def test_overlapping_intervals_settle_no_order() -> None:
    text = told(
        result("bm25", {"WinRate": entry(0.66, 0.62, 0.70)}),
        result("minilm", {"WinRate": entry(0.71, 0.67, 0.75)}),
    )
    assert "bm25 is close (66 %): the intervals overlap, so their order is not settled." in text


def test_a_win_rate_about_one_half_is_called_chance() -> None:
    text = told(result("bm25", {"WinRate": entry(0.52, 0.48, 0.56)}))
    assert "cannot be told from chance, which is 50 %" in text


def test_a_win_rate_below_one_half_is_called_below_chance() -> None:
    text = told(result("bm25", {"WinRate": entry(0.3, 0.25, 0.35)}))
    assert "that is below chance, which is 50 %" in text


def test_the_fall_along_the_number_of_conditions_is_told() -> None:
    metrics = {"WinRate": entry(0.7), "WinRate@10": entry(0.55), "WinRate@2": entry(0.88)}
    assert "bm25 falls from 88 % with 2 conditions to 55 % with 10." in told(
        result("bm25", metrics)
    )


def test_a_change_along_k_within_the_intervals_is_called_unclear() -> None:
    metrics = {"WinRate": entry(0.6), "WinRate@1": entry(0.57), "WinRate@8": entry(0.63)}
    text = told(result("bm25", metrics))
    assert (
        "bm25 goes from 57 % with 1 condition to 63 % with 8, but the two intervals overlap."
        in text
    )


def test_numbers_of_conditions_with_few_topics_are_not_told() -> None:
    metrics = {
        "WinRate": entry(0.6),
        "WinRate@1": entry(0.9),
        "WinRate@9": entry(0.7, n=30),
        "WinRate@10": entry(0.1, n=29),
    }
    assert "falls from 90 % with 1 condition to 70 % with 9." in told(result("bm25", metrics))


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        (4, "weakest edit “negation” (50\u00a0%)."),  # too few of names to say
        (29, "weakest edit “name” (40\u00a0%, of 29 only)."),
        (30, "weakest edit “name” (40\u00a0%)."),
    ],
)
def test_the_weakest_slice_of_every_system_is_told(cases: int, said: str) -> None:
    metrics = {
        "WinRate": entry(0.7),
        "WinRate[edit=name]": entry(0.4, n=cases),
        "WinRate[edit=negation]": entry(0.5, n=30),
        "WinRate[edit=number]": entry(0.9, n=90),
    }
    (finding,) = findings([result("bm25", metrics), result("minilm", metrics)])
    assert finding.systems == (("bm25", said), ("minilm", said))


@pytest.mark.parametrize(
    ("topics", "said"), [(1, "Only one topic"), (4, "Only 4 topics"), (5, "bm25")]
)
def test_a_mean_of_a_few_topics_is_said_to_tell_nothing(topics: int, said: str) -> None:
    text = told(result("bm25", {"WinRate": entry(1.0, 1.0, 1.0, n=topics)}))
    assert text.startswith(said)
    assert ("too few to conclude anything" in text) == (topics < 5)


def test_the_share_of_flips_is_told() -> None:
    text = told(result("bm25", {"WinRate": entry(0.7), "FlipRate": entry(0.23)}))
    assert "as prose changes the outcome in 23 % of its comparisons" in text


def test_rephrasings_are_told_by_their_overlap() -> None:
    text = told(result("bm25", {"RBO@5": entry(0.82, 0.8, 0.84)}, "rephrasings"))
    assert "RBO@5 0.82 (95 % interval 0.80 to 0.84), where 1 means unchanged." in text


def test_nothing_measured_gives_no_finding() -> None:
    assert findings([]) == []
    assert findings([result("bm25", {})]) == []


def test_a_share_that_rounds_to_nothing_is_not_called_nothing() -> None:
    text = told(result("bm25", {"WinRate": entry(0.7), "FlipRate": entry(0.002)}))
    assert "in under 1 % of its comparisons" in text


def test_a_system_alone_is_not_called_best() -> None:
    text = told(result("bm25", {"nDCG@10": entry(0.4, 0.35, 0.45)}, "mine"))
    assert text == "bm25 reaches nDCG@10 0.40 (95 % interval 0.35 to 0.45)."


def test_ranks_are_told_without_an_interval_of_shares() -> None:
    text = told(
        result("bm25", {"MeanRank": entry(4.2, 3, 5)}, "mine"),
        result("minilm", {"MeanRank": entry(9.1, 8, 10)}, "mine"),
    )
    assert text == "bm25 does best: MeanRank 4.2. minilm is next (9.1)."
