from leadline.metrics.topics import by_topic, select, values_of
from leadline.types import Query

ORIGINAL = Query("o", "?", topic="t", facets={"kind": "original"})
TYPO = Query("v", "?", topic="t", facets={"kind": "typo", "k": "10"})
ALONE = Query("w", "?", facets={"kind": "typo", "k": "9"})


def test_a_query_without_a_topic_is_a_topic_of_its_own():
    assert by_topic([ORIGINAL, TYPO, ALONE]) == {"t": [ORIGINAL, TYPO], "w": [ALONE]}


def test_select_keeps_the_originals_of_the_selected_topics_on_request():
    other = Query("p", "?", topic="u", facets={"kind": "original"})
    queries = [ORIGINAL, TYPO, other]
    assert select(queries, "kind", "typo") == [TYPO]
    assert select(queries, "kind", "typo", keep_originals=True) == [ORIGINAL, TYPO]


def test_values_that_are_all_numbers_are_ordered_as_numbers():
    assert values_of([TYPO, ALONE], "k") == ["9", "10"]
    assert values_of([TYPO, ORIGINAL], "kind") == ["original", "typo"]
    assert values_of([TYPO], "edit") == []
