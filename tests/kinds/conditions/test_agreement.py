import pytest

from leadline.kinds.conditions.sheet import fleiss_kappa, observed_agreement


def test_kappa_of_the_published_example():
    # Ten items, fourteen judges, five labels: kappa = .210 (Fleiss' kappa, Wikipedia)
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    ratings = [[label for label, n in enumerate(row) for _ in range(n)] for row in table]
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=5e-4)
    assert observed_agreement(ratings) == pytest.approx(0.378, abs=5e-4)


def test_full_agreement_is_one_even_on_one_label():
    assert fleiss_kappa(["aaa", "bbb"]) == 1.0
    assert fleiss_kappa(["aaa", "aaa"]) == 1.0
