import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.rerankers.setwise import bubble_select, heap_select


def run(selection):
    """Answer every question with the position of the greatest; return the result and questions."""
    asked = []
    try:
        question = next(selection)
        while True:
            asked.append(list(question))
            question = selection.send(question.index(max(question)))
    except StopIteration as end:
        return end.value, asked


@given(
    st.lists(st.integers(), unique=True, max_size=40),
    st.integers(1, 12),
    st.integers(1, 20),
    st.sampled_from([heap_select, bubble_select]),
)
def test_the_best_k_are_found_in_order(items, k, children, select):
    best, asked = run(select(items, k, children))
    assert best == sorted(items, reverse=True)[:k]
    assert all(2 <= len(question) <= children + 1 for question in asked)


def test_a_heap_asks_bottom_up_and_then_from_the_top():
    # Six items, two children: 1 has children 4, 5 (places 3, 4), 2 has 6 (place 5), 3 is on top.
    # 1 4 5 -> 5 rises; 2 6 -> 6 rises; 3 5 6 -> 6 rises, then 3 against 2. The top 6 is taken, the
    # last item 2 goes to the top: 2 5 3 -> 5 rises, then 2 against 4 and 1 below it.
    best, asked = run(heap_select([3, 1, 2, 4, 5, 6], 2, 2))
    assert asked == [[2, 6], [1, 4, 5], [3, 5, 6], [3, 2], [2, 5, 3], [2, 4, 1]]
    assert best == [6, 5]


def test_bubbles_start_at_the_bottom_and_overlap_in_the_best_so_far():
    # Sets of three: 5 3 9 at the bottom, 9 rises; then 1 7 9, 9 rises. Second round: 5 3 stand
    # with what 9 left behind.
    best, asked = run(bubble_select([1, 7, 5, 3, 9], 1, 2))
    assert asked == [[5, 3, 9], [1, 7, 9]]
    assert best == [9]


@pytest.mark.parametrize("select", [heap_select, bubble_select])
@pytest.mark.parametrize("items", [[], [1]])
def test_one_item_or_none_needs_no_question(select, items):
    assert run(select(items, 10, 3)) == (items, [])


def test_one_set_finds_the_best_in_one_question():
    best, asked = run(heap_select(list(range(20)), 1, 19))
    assert best == [19]
    assert len(asked) == 1
