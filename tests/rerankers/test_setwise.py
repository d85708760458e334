import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.llm.requests import Failure
from leadline.rerankers.parts.orders import NO_CALL
from leadline.rerankers.setwise import NO_LABEL, Setwise, heap_select, parse_label
from leadline.types import Document, Query, Ranked
from scripted import ScriptedLLM
from tables import each_row, yaml_of

QUERY = Query("q", "find the greatest")
PUBLISHED = yaml_of(Path(__file__).with_name("orders.yaml"))


def numbers(n):
    return {f"d{place}": Document(f"d{place}", f"number {place}") for place in range(n)}


def greatest(prompt):
    found = re.findall(r"^\[(\d+)\] number (\d+)$", prompt, re.MULTILINE)
    label = max(found, key=lambda pair: int(pair[1]))[0]
    return f"<think>They differ.</think>\n<answer>[{label}]</answer>"


def greatest_letter(prompt):
    found = re.findall(r'^Passage ([A-W]): "number (\d+)"$', prompt, re.MULTILINE)
    return "Passage " + max(found, key=lambda pair: int(pair[1]))[0]


def reranked(llm, n, queries=(QUERY,), **options):
    reranker = Setwise(llm, **options)
    candidates = {query.id: list(numbers(n)) for query in queries}
    run = reranker.rerank(queries, numbers(n), candidates)
    return {query: list(scores) for query, scores in run.items()}, reranker


@pytest.mark.parametrize(("template", "llm"), [("reasoning", greatest), ("label", greatest_letter)])
def test_a_prompt_is_the_published_one_to_the_letter(template, llm):
    llm = ScriptedLLM(llm)
    reranked(llm, 2, k=1, template=template)
    assert llm.asked == [PUBLISHED[f"setwise {template}"]]


@pytest.mark.parametrize(("template", "llm"), [("reasoning", greatest), ("label", greatest_letter)])
def test_the_best_come_first_and_the_others_keep_their_order(template, llm):
    orders, reranker = reranked(ScriptedLLM(llm), 30, k=3, template=template)
    assert orders["q"] == ["d29", "d28", "d27", *(f"d{place}" for place in range(27))]
    assert not reranker.failures


def test_a_model_that_refuses_leaves_the_order_and_the_ties_of_the_stage_before():
    scores = {f"d{place}": 20.0 - place // 2 for place in range(30)}
    reranker = Setwise(ScriptedLLM(lambda _: "I cannot tell."), children=3)
    (found,) = reranker.rerank([QUERY], numbers(30), {"q": Ranked(scores)}).values()
    # Twins share the better rank: 1, 1, 3, 3, 5, 5, ...
    assert found == {f"d{place}": 1 / (place // 2 * 2 + 1) for place in range(30)}
    assert list(found) == list(scores)


def test_an_answer_that_names_nothing_leaves_the_first_in_place_and_is_counted():
    llm = ScriptedLLM(
        [Failure("timeout"), "<answer>[7]</answer>", "who knows", "<answer>[2]</answer>"]
    )
    queries = [Query(f"q{number}", "?") for number in range(4)]
    orders, reranker = reranked(llm, 2, queries, k=1)
    assert [order[0] for order in orders.values()] == ["d0", "d0", "d0", "d1"]
    assert reranker.failures == {f"{NO_CALL} (timeout)": 1, NO_LABEL: 2}
    assert reranker.asked == 4


@each_row
def test_the_number_in_an_answer_is_read(response, place):
    assert parse_label(response, "reasoning") == place


@each_row
def test_the_letter_in_an_answer_is_read(response, place):
    assert parse_label(response, "label") == place


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
)
def test_the_best_k_are_found_in_order(items, k, children):
    best, asked = run(heap_select(items, k, children))
    assert best == sorted(items, reverse=True)[:k]
    assert all(2 <= len(question) <= children + 1 for question in asked)


def test_a_heap_asks_bottom_up_and_then_from_the_top():
    # Six items, two children: 1 has children 4, 5 (places 3, 4), 2 has 6 (place 5), 3 is on top.
    # 1 4 5 -> 5 rises; 2 6 -> 6 rises; 3 5 6 -> 6 rises, then 3 against 2. The top 6 is taken, the
    # last item 2 goes to the top: 2 5 3 -> 5 rises, then 2 against 4 and 1 below it.
    best, asked = run(heap_select([3, 1, 2, 4, 5, 6], 2, 2))
    assert asked == [[2, 6], [1, 4, 5], [3, 5, 6], [3, 2], [2, 5, 3], [2, 4, 1]]
    assert best == [6, 5]
