import math
from pathlib import Path

import pytest

from leadline.llm.prompt import Prompt
from leadline.rerankers.parts.pairs import (
    query_text,
    sigmoid,
    true_false_score,
)
from leadline.types import Query
from tables import yaml_of

PROMPTS = yaml_of(Path(__file__).with_name("prompts.yaml"))


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_to_the_letter_what_its_model_was_trained_on(name: str) -> None:
    prompt = Prompt.load("leadline.rerankers", name)
    assert prompt.fill(query="Q", document="D") == PROMPTS[name]


def test_the_score_of_far_answers_neither_overflows_nor_is_rounded_away() -> None:
    # exp(-1000) is 0 in double precision; exp(-700) is 9.86e-305.
    assert true_false_score(-1000.0, 0.0) == 0.0
    assert true_false_score(0.0, -1000.0) == 1.0
    assert math.isclose(sigmoid(-700.0), math.exp(-700.0))


def test_a_query_that_is_its_instruction_is_asked_once() -> None:
    assert query_text(Query("q", " same ", instruction="same")) == "same"
    assert query_text(Query("q", "a", instruction="b")) == "a b"


def test_every_place_of_a_query_prompt_is_filled() -> None:
    prompt = "FILL_QUERY_HERE: find FILL_QUERY_HERE"
    assert query_text(Query("q", "$x"), prompt) == "$x: find $x"
