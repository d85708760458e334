"""What the network reads from the amounts of a text, and what it is told of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from leadline_facts.choose.amount_facts import further_operands, read_amounts
from leadline_facts.choose.amount_features import (
    PAIR_NAMES,
    RESULT_NAMES,
    WINDOWS,
    features_of,
)
from leadline_facts.propose.amount_pairs import Sums, all_candidates, operand_of
from leadline_facts.propose.operations import GROUP_OF, OPERATIONS, in_words, of_run, of_two
from leadline_facts.read.amounts.passage import Amount, read_passage


def _amount(sort: str, value: str, unit: str = "", start: int = 0) -> Amount:
    return Amount(sort, Fraction(value), unit, start, start + 2)


def _yields(first: Amount, second: Amount) -> dict[str, float]:
    return {each.operation: float(each.value) for each in of_two(first, second)}


def test_two_prices_differ_add_up_and_are_shares_of_each_other() -> None:
    found = _yields(_amount("m", "40", "EUR"), _amount("m", "30", "EUR", 9))
    assert found["difference"] == 10
    assert found["sum"] == 70
    assert found["percent_of"] == 75
    assert found["percent_change"] == 25


def test_prices_in_two_currencies_do_not_add_up() -> None:
    assert not _yields(_amount("m", "40", "EUR"), _amount("m", "30", "USD", 9))


def test_a_percentage_of_a_price_may_be_taken_off_or_lead_back_to_the_whole() -> None:
    found = _yields(_amount("p", "20"), _amount("m", "80", "GBP", 9))
    assert found["share_of"] == 16
    assert found["less"] == 64
    assert found["whole_before_cut"] == 100
    assert found["whole_of_part"] == 400


def test_speed_and_hours_give_a_distance() -> None:
    (found,) = [
        each
        for each in of_two(_amount("q", "55", "mph"), _amount("t", "4", "hour", 9))
        if each.operation == "distance"
    ]
    assert (found.sort, found.unit, found.value) == ("q", "mile", 220)


def test_a_bare_figure_is_a_price_only_where_the_text_has_one_currency() -> None:
    pair = _amount("n", "4"), _amount("n", "3.20", start=9)
    assert not any(each.sort == "m" for each in of_two(*pair))
    assert any(
        each.sort == "m" and each.value == pytest.approx(12.8) for each in of_two(*pair, "EUR")
    )


def test_a_run_has_a_sum_a_mean_and_what_its_parts_leave() -> None:
    run = [_amount("n", value, start=9 * n) for n, value in enumerate(("50", "20", "10"))]
    found = {each.operation: each.value for each in of_run(run)}
    assert found == {
        "sum_of_run": 80,
        "mean_of_run": pytest.approx(80 / 3),
        "rest_of_run": 20,
    }


def test_every_operation_has_a_group_and_words() -> None:
    assert set(GROUP_OF) == set(OPERATIONS)
    passage = read_passage("Both tickets were £12, 3 of us had paid 20% of £50 over two weeks.")
    for _, each in all_candidates(list(Sums(passage).pairs())):
        assert in_words(each, "one", "two")


def test_a_text_becomes_arrays_of_one_shape() -> None:
    sums = Sums(read_passage("We held 36 rolls and sold 20. Each was £3.50."))
    pairs = list(sums.pairs())
    known = features_of(sums, pairs)
    candidates = sum(len(each.candidates) for each in pairs)
    assert known.windows.shape == (len(pairs), len(WINDOWS), 2)
    assert known.pairs.shape == (len(pairs), len(PAIR_NAMES))
    assert known.results.shape == (candidates, len(RESULT_NAMES))
    assert known.windows.max() <= len(sums.context.tokens)
    assert np.isfinite(known.pairs).all() and np.isfinite(known.results).all()


def test_what_is_derived_goes_on_with_amounts_it_does_not_come_from() -> None:
    sums = Sums(read_passage("There were 36 rolls and we sold 20 of them. A roll costs £3."))
    (pair,) = [
        each
        for each in sums.pairs()
        if each.second and {each.first.amount.value, each.second.amount.value} == {36, 20}
    ]
    (rest,) = [
        each for each in pair.candidates if (each.operation, each.sort) == ("difference", "n")
    ]
    further = list(sums.further_pairs([operand_of(pair, rest, 0.6)]))
    values = {(each.sort, each.value) for _, each in all_candidates(further)}
    assert ("m", 48) in values
    assert all(len(each.parts) == 3 for each in further)


def test_readings_are_probabilities_and_the_likeliest_go_on() -> None:
    readings = read_amounts(read_passage("Stock was 36 rolls and 20 are left. Each costs £3."))
    assert all(0 <= each.probability <= 1 for each in readings)
    chosen = further_operands(readings)
    assert chosen == sorted(chosen, key=lambda each: -each.probability)
    assert len(chosen) <= 6


@pytest.mark.parametrize("text", ["", "No figures here.", "Only 3 of them."])
def test_a_text_without_two_amounts_has_next_to_nothing_to_read(text: str) -> None:
    assert len(read_amounts(read_passage(text))) <= 2
