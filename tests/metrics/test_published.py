import pytest

from leadline.metrics.pairs import decline
from published_quirks import (
    follows_from_cells,
    ndcg_by_reciprocal_rank,
    recall_of_list,
)


def test_duplicates_in_the_gold_list_lower_the_recall():
    assert recall_of_list([5, 1], [5, 5], 2) == 0.5


def test_gains_are_discounted_by_the_rank_itself():
    # 1/2 of the ideal 1 + 1/2
    assert ndcg_by_reciprocal_rank([9, 5], [5, 1], 2) == 0.5 / 1.5


def test_a_printed_average_may_be_off_by_the_rounding_of_its_cells():
    # 15.533, and every cell may be 0.05 higher
    assert follows_from_cells("15.6", ["9.7", "32.8", "4.1"])
    assert not follows_from_cells("15.7", ["9.7", "32.8", "4.1"])


def test_a_printed_average_that_its_cells_cannot_give_is_told():
    cells = ["13.91", "16.50", "16.81", "18.14", "22.10", "29.04", "37.78", "38.87", "39.93"]
    cells.append("40.19")
    assert not follows_from_cells("25.90", cells)
    assert follows_from_cells("27.33", cells)


@pytest.mark.parametrize(
    ("printed", "cells"),
    [
        ("35.06", ["62.21", "23.86", "15.59"]),  # ImpliRet, Table 3, GPT-4.1, k = 10
        ("22.90", ["53.91", "9.28", "6.93"]),  # ImpliRet, Table 3, GPT-4.1, k = 30
        ("-12.0", ["-3.0", "-42.1", "-2.8", "-7.2", "-7.5", "1.97"]),  # InfoSearch, Table 3, BM25
    ],
)
def test_these_printed_averages_do_not_follow_from_their_cells(printed, cells):
    assert not follows_from_cells(printed, cells)


def test_a_printed_decline_does_not_follow_from_its_cells():
    # MultiConIR, Table 2, GPT-4o: 95.49 with one condition, 85.26 with ten, printed 9.23
    assert decline([0.9549, 0.8526]) == pytest.approx(0.1023)
