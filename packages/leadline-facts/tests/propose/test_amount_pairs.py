"""What the network reads from the amounts of a text, and what it is told of them."""

import numpy as np

from leadline_facts.choose.amount_features import (
    PAIR_NAMES,
    RESULT_NAMES,
    WINDOWS,
    features_of,
)
from leadline_facts.propose.amount_pairs import Sums, all_candidates
from leadline_facts.propose.operations import GROUP_OF, OPERATIONS, in_words
from leadline_facts.read.amounts.passage import read_passage


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
