import pytest

from leadline.types import Query
from leadline_facts.cues import AMOUNT, PLACE, TIME, cues
from leadline_facts.facts import build

ASKING = [
    "who paid $20 for it",
    "who paid twenty-five dollars for it",
    "kettles under half a million euros",
    "what happened at noon",
    "who was in germany",
    "who was in the netherlands",
    "who was in Germany on 3 May 2024",
]


@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("what is a kettle", 0),
        ("What does Ana drink?", PLACE),
        ("two-storey houses", AMOUNT),
        ("houses of 200 square metres", TIME | AMOUNT),
        ("half of it", AMOUNT),
        ("a jar of ½ litre", TIME | AMOUNT),
        ("logs of 2023-05-01", TIME | AMOUNT),
        ("lunch after midday", TIME),
        ("three in the afternoon", TIME | AMOUNT),
        ("trains in (france)", PLACE),
        ("wool from the u.s. and the u.k.", PLACE),
        ("what helps u sleep", 0),
        ("a new state of matter", 0),
        ("£twenty", AMOUNT),
    ],
)
def test_cues_are_what_a_time_an_amount_or_a_place_is_told_by(query: str, held: int) -> None:
    assert cues(query) == held


def test_no_query_with_a_constraint_is_without_a_cue() -> None:
    enricher = build(cache=False)
    queries = [Query(str(number), text) for number, text in enumerate(ASKING)]
    assert all(enricher.constraints(queries))
