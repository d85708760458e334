import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leadline.retrievers.parts.rankings import Best, best_places

SCORES = st.lists(st.integers(-3, 3), min_size=1, max_size=30)


def test_the_greatest_come_first_and_ties_in_order() -> None:
    assert best_places(np.array([1.0, 3.0, 2.0, 3.0, 2.0]), 3).tolist() == [1, 3, 2]


def test_scores_that_do_not_exceed_the_least_are_left_out() -> None:
    assert best_places(np.array([0.0, 1.0, -1.0]), 3, above=0).tolist() == [1]


@given(SCORES, st.integers(1, 7), st.integers(1, 9))
def test_blocks_of_any_size_give_what_one_block_gives(
    scores: list[int], block: int, k: int
) -> None:
    array = np.array(scores, dtype=np.float32)
    best = Best(k)
    for start in range(0, len(array), block):
        best.add(array[start : start + block], start)
    names = [f"d{place}" for place in range(len(scores))]
    expected = sorted(range(len(scores)), key=lambda place: -scores[place])[:k]
    assert list(best.named(names).items()) == [(names[each], scores[each]) for each in expected]
