import numpy as np
import pytest

from leadline.retrievers.graph import (
    Triple,
    build_graph,
    personalized_pagerank,
    phrases_of,
)

TRIPLES: list[tuple[Triple, ...]] = [
    (("ada", "wrote", "notes"),),
    (("ada", "wrote", "notes"), ("notes", "describe", "engine")),
    (),
]


def edges(synonyms: dict[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    graph = build_graph(TRIPLES, synonyms)
    joined: dict[tuple[int, int], float] = {}
    for (one, other), weight in zip(graph.ends.tolist(), graph.weights.tolist(), strict=True):
        joined[one, other] = joined.get((one, other), 0) + weight
    return joined


def test_phrases_are_numbered_in_order_of_appearance() -> None:
    assert phrases_of(TRIPLES) == {"ada": 0, "notes": 1, "engine": 2}


def test_edges_weigh_what_documents_state() -> None:
    # Two documents join ada and notes (2 each), one notes and engine; documents are nodes 3 to 5.
    found = edges({})
    upwards = {ends: weight for ends, weight in found.items() if ends[0] < ends[1]}
    assert upwards == {(0, 1): 4, (1, 2): 2, (0, 3): 1, (1, 3): 1, (0, 4): 1, (1, 4): 1, (2, 4): 1}
    assert all(found[other, one] == weight for (one, other), weight in found.items())


def test_synonyms_are_joined_by_both_directions() -> None:
    found = edges({(0, 2): 0.9, (2, 0): 0.8})
    assert found[0, 2] == found[2, 0] == pytest.approx(1.7)


def test_a_synonym_takes_the_place_of_a_direction_of_a_fact() -> None:
    assert edges({(1, 2): 0.9})[1, 2] == pytest.approx(1.9)


def test_documents_that_name_a_phrase_are_counted() -> None:
    assert build_graph(TRIPLES, {}).documents_of.tolist() == [2, 2, 1]


def test_a_fact_that_two_documents_state_is_one() -> None:
    assert len(build_graph(TRIPLES, {}).facts) == 2


def test_importance_halves_along_a_single_edge() -> None:
    # Phrases x and y, joined with weight 2, and the document, joined to each with 1; all starts
    # at x. With damping 1/2 the shares x, y, z of the walk obey
    #   x = 1/2 + (2/3 y + 1/2 z) / 2,  y = (2/3 x + 1/2 z) / 2,  z = (1/3 x + 1/3 y) / 2,
    # so z = 1/7 as x + y + z = 1; then x - y = 1/2 - (x - y) / 3 gives x - y = 3/8.
    graph = build_graph([(("x", "is", "y"),)], {})
    rank = personalized_pagerank(graph, np.array([1.0, 0, 0]))
    x, y, z = (6 / 7 + 3 / 8) / 2, (6 / 7 - 3 / 8) / 2, 1 / 7
    assert rank == pytest.approx(np.array([x, y, z]), abs=1e-10)


def test_a_node_without_edges_sends_the_walker_back() -> None:
    # The third document has no facts: whoever starts there stays.
    graph = build_graph(TRIPLES, {})
    rank = personalized_pagerank(graph, np.array([0.0, 0, 0, 0, 0, 1]))
    assert rank.tolist() == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.85])
def test_importance_is_that_of_networkx(damping: float) -> None:
    networkx = pytest.importorskip("networkx")
    graph = build_graph(TRIPLES, {(0, 2): 0.9})
    other = networkx.Graph()
    other.add_nodes_from(range(graph.nodes))
    for (one, two), weight in edges({(0, 2): 0.9}).items():
        other.add_edge(one, two, weight=weight)
    reset = np.array([0.4, 0, 0.1, 0.2, 0, 0.3])
    expected = networkx.pagerank(
        other, alpha=damping, personalization=dict(enumerate(reset)), tol=1e-13, max_iter=500
    )
    rank = personalized_pagerank(graph, reset, damping=damping)
    assert rank == pytest.approx(np.array([expected[node] for node in range(6)]), abs=1e-9)
