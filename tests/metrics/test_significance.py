import math
import random
from statistics import NormalDist, fmean, stdev

import pytest

from leadline.errors import InputError
from leadline.metrics.significance import (
    bootstrap_interval,
    bootstrap_interval_over_parts,
    compare,
    holm,
    interval_of_change,
    interval_of_differences,
    interval_of_mean,
    interval_of_mean_over_parts,
    paired_randomization,
    simes,
)

NOISE = [random.Random(seed).gauss(0, 1) for seed in range(400)]


def test_a_single_value_is_its_own_interval():
    assert bootstrap_interval([0.3]) == (0.3, 0.3)


def test_the_interval_is_close_to_that_of_the_normal_distribution():
    half = NormalDist().inv_cdf(0.975) * stdev(NOISE) / math.sqrt(len(NOISE))
    low, high = bootstrap_interval(NOISE, resamples=4000)
    assert low == pytest.approx(fmean(NOISE) - half, abs=0.1 * half)
    assert high == pytest.approx(fmean(NOISE) + half, abs=0.1 * half)


def test_few_distinct_values_have_the_interval_of_a_binomial_share():
    values = [1.0] * 300 + [0.0] * 700
    half = NormalDist().inv_cdf(0.975) * math.sqrt(0.3 * 0.7 / 1000)
    low, high = bootstrap_interval(values, resamples=4000)
    assert low == pytest.approx(0.3 - half, abs=0.1 * half)
    assert high == pytest.approx(0.3 + half, abs=0.1 * half)


def test_the_interval_depends_on_the_seed_and_not_on_the_order():
    shuffled = random.Random(1).sample(NOISE, len(NOISE))
    assert bootstrap_interval(NOISE, seed=3) == bootstrap_interval(shuffled, seed=3)
    assert bootstrap_interval(NOISE, seed=3) != bootstrap_interval(NOISE, seed=4)


def test_values_of_one_cluster_are_resampled_together():
    # Ten copies of each value say nothing more than the value: the interval must stay as wide.
    copies = [value for value in NOISE[:50] for _ in range(10)]
    labels = [index // 10 for index in range(500)]
    low, high = bootstrap_interval(copies, clusters=labels, resamples=4000)
    plain_low, plain_high = bootstrap_interval(NOISE[:50], resamples=4000)
    assert high - low == pytest.approx(plain_high - plain_low, rel=0.1)
    naive_low, naive_high = bootstrap_interval(copies)
    assert high - low > 2.5 * (naive_high - naive_low)


def test_few_differences_on_one_side_are_not_told_from_zero():
    # Five of 37 on one side: 2 of 32 patterns of signs are as extreme, p = 0.0625.
    few = [1.0] * 5 + [0.0] * 32
    assert bootstrap_interval(few)[0] > 0
    assert interval_of_differences(few)[0] == 0
    assert interval_of_differences([-each for each in few])[1] == 0


def test_differences_that_are_told_from_zero_keep_their_interval():
    # Six of 37 on one side: 2 of 64 patterns, p = 0.03125.
    some = [1.0] * 6 + [0.0] * 31
    assert interval_of_differences(some) == bootstrap_interval(some)
    both = [1.0, -1.0] * 18
    assert interval_of_differences(both) == bootstrap_interval(both)


@pytest.mark.parametrize(
    ("values", "bounds", "expected"),
    [
        # Clopper-Pearson of 20 in 20: 0.025^(1/20) = e^(-3.6889 / 20) = 0.8316. Of 0 in 20: 0.1684.
        ([1.0] * 20, (0, 1), (0.8316, 1.0)),
        ([0.0] * 20, (0, 1), (0.0, 0.1684)),
        # Up to p = 1 - 0.025^(1/10) = 0.3085 of all units may have another value, 1 away.
        ([0.0] * 10, (-1, 1), (-0.3085, 0.3085)),
        # The same p, 0.4 from 0 and 0.6 from 1: 0.4 - 0.1234 and 0.4 + 0.1851.
        ([0.4] * 10, (0, 1), (0.2766, 0.5851)),
        # Fewer than five: all that is possible.
        ([1.0] * 4, (0, 1), (0.0, 1.0)),
        ([0.2, 0.4], (-1, 1), (-1.0, 1.0)),
        # Ranks: 2 - 9.68 * 2 is below 1, and 2 + 9.68 * 2 = 21.36.
        ([2.0] * 20, (1, None), (1.0, 21.36)),
        ([3.0], (None, None), (-26.04, 32.04)),
        ([0.0], (None, None), (-9.68, 9.68)),
    ],
)
def test_values_that_are_all_equal_or_few_get_an_honest_interval(values, bounds, expected):
    assert interval_of_mean(values, bounds=bounds) == pytest.approx(expected, abs=1e-4)


def test_values_that_differ_keep_the_interval_of_the_bootstrap():
    values = [1.0] * 19 + [0.0]
    assert interval_of_mean(values, bounds=(0, 1)) == bootstrap_interval(values)
    assert interval_of_mean(values[15:], bounds=(0, 1)) == bootstrap_interval(values[15:])


def test_many_values_of_few_sources_are_few():
    assert interval_of_mean([1.0] * 20, bounds=(0, 1), clusters=["d"] * 20) == (0.0, 1.0)


def test_a_perfect_sample_holds_a_share_that_is_nearly_perfect():
    # A share of 0.9 gives 20 of 20 in 0.9^20 = 12 % of samples, for which resamples leave 0.9 out.
    rng = random.Random(0)
    held = [0, 0]
    for run in range(400):
        values = [float(rng.random() < 0.9) for _ in range(20)]
        for place, (low, high) in enumerate(
            (bootstrap_interval(values, run), interval_of_mean(values, run, bounds=(0, 1)))
        ):
            held[place] += low <= 0.9 <= high
    assert held[0] < 0.9 * 400 < held[1]


def test_equal_parts_get_the_mean_of_their_honest_intervals():
    # 0.025^(1/5) = 0.4782 and 0.025^(1/10) = 0.6915: their mean is 0.5848.
    parts = [[1.0] * 5, [1.0] * 10]
    found = interval_of_mean_over_parts(parts, bounds=(0, 1), clusters=[range(5), range(10)])
    assert found == pytest.approx((0.5848, 1.0), abs=1e-4)


def test_a_part_of_one_unit_says_nothing_of_its_part():
    parts = [[1.0] * 10, [0.0]]
    low, high = interval_of_mean_over_parts(parts, bounds=(0, 1), clusters=[range(10), range(1)])
    assert (low, high) == pytest.approx((0.3457, 1.0), abs=1e-4)  # (0.6915 + 0) / 2, (1 + 1) / 2


def test_gains_of_one_size_are_told_from_none_where_the_test_tells_them():
    # Five gains: 2 of 32 patterns of signs, p = 0.0625. Six: 2 of 64, p = 0.031.
    bounds = (-1.0, 1.0)
    assert interval_of_change([0.2] * 5, bounds=bounds)[0] < 0
    assert interval_of_change([0.2] * 6, bounds=bounds)[0] > 0
    assert interval_of_change([-0.2] * 6, bounds=bounds)[1] < 0
    low, high = interval_of_change([0.0] * 100, bounds=bounds)
    assert low == -high == pytest.approx(-0.0362, abs=1e-4)  # 1 - 0.025^(1/100)


def test_parts_weigh_the_same_whatever_their_size():
    low, high = bootstrap_interval_over_parts([[0.0] * 100, [1.0]])
    assert (low, high) == (0.5, 0.5)


def test_randomization_is_exact_for_few_units():
    # differences 1, 1, 1: of 8 sign patterns +++ and --- are as extreme
    assert paired_randomization([1.0, 1.0, 1.0], [0.0, 0.0, 0.0]) == 0.25


def test_randomization_counts_sums_that_differ_by_rounding_only():
    # 0.1 + 0.2 - 0.3 is 5.6e-17, the observed sum; every pattern is as extreme as 0
    assert paired_randomization([0.1, 0.2, 0.0], [0.0, 0.0, 0.3]) == 1.0


def test_randomization_of_clusters_tosses_whole_clusters():
    # two clusters of three equal differences: of 4 patterns 2 are as extreme
    labels = ["a", "a", "a", "b", "b", "b"]
    assert paired_randomization([1.0] * 6, [0.0] * 6, clusters=labels) == 0.5


def test_random_tosses_agree_with_the_exact_test():
    a = [value + 0.4 for value in NOISE[:14]]
    exact = paired_randomization(a, [0.0] * 14)
    # One more unit, of next to no difference, calls for tosses and changes the chance by little.
    tossed = paired_randomization([*a, 1e-6], [0.0] * 15, resamples=20_000)
    assert tossed == pytest.approx(exact, abs=0.02)


def test_a_clear_difference_over_many_units_has_the_smallest_p():
    a = [1 + value / 10 for value in NOISE]
    assert paired_randomization(a, [0.0] * len(a), resamples=999) == 1 / 1000


def test_holm_multiplies_by_the_tests_left_and_never_falls():
    # 0.01 * 3 = 0.03; 0.02 * 2 = 0.04; 0.03 * 1 would be below it
    assert holm([0.02, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_simes_combines_p_values_into_one():
    # 3 * 0.01 / 1 = 0.03; 3 * 0.03 / 2 = 0.045; 3 * 0.04 / 3 = 0.04
    assert simes([0.03, 0.01, 0.04]) == pytest.approx(0.03)
    assert simes([0.04, 0.04]) == pytest.approx(0.04)
    assert simes([0.02]) == 0.02


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: bootstrap_interval([]), "at least one value"),
        (lambda: bootstrap_interval([math.nan]), "needs finite values"),
        (lambda: bootstrap_interval([1.0, 2.0], clusters=["a"]), "2 values and 1 cluster labels"),
        (lambda: bootstrap_interval_over_parts([]), "at least one part"),
        (lambda: paired_randomization([1.0, 2.0], [1.0]), "got 2 and 1"),
        (lambda: paired_randomization([], []), "at least one unit"),
        (lambda: holm([1.5]), r"must be in \[0, 1\], got 1.5"),
        (lambda: simes([]), "no p-values"),
    ],
)
def test_what_has_no_meaning_is_refused(call, told):
    with pytest.raises(InputError, match=told):
        call()


SCORES = {
    "bm25": {"nDCG@10": {"q1": 0.0, "q2": 0.0, "q3": 0.5}},
    "dense": {"nDCG@10": {"q1": 1.0, "q2": 1.0, "q3": 0.5, "q4": 1.0}, "RBO@5": {"t": 0.5}},
    "hybrid": {"nDCG@10": {"q1": 1.0, "q2": 0.0, "q3": 0.5}},
}


def test_systems_are_compared_on_the_units_they_share():
    difference = compare("nDCG@10", ("dense", "bm25"), SCORES["dense"]["nDCG@10"],
                         SCORES["bm25"]["nDCG@10"])  # fmt: skip
    assert (difference.n, difference.left_out) == (3, 1)
    assert difference.difference == pytest.approx(2 / 3)
    # differences 1, 1, 0: of 4 sign patterns of the two, 2 are as extreme
    assert difference.p == 0.5
    assert difference.low <= difference.difference <= difference.high


def test_units_of_one_source_document_are_tossed_together():
    labels = dict.fromkeys(("q1", "q2", "q3"), "d1")
    both = SCORES["dense"]["nDCG@10"], SCORES["bm25"]["nDCG@10"]
    assert compare("nDCG@10", ("a", "b"), *both, clusters=labels).p == 1.0


def test_systems_without_a_shared_unit_cannot_be_compared():
    with pytest.raises(InputError, match="at least one unit"):
        compare("RBO@5", ("a", "b"), {"t": 1.0}, {"u": 1.0})
