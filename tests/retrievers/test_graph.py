import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tables import each_row

pytest.importorskip("torch")

from leadline.errors import InputError
from leadline.llm.requests import Failure
from leadline.retrievers.graph import (
    Graph,
    Triple,
    build_graph,
    personalized_pagerank,
    phrase,
    phrase_weights,
)
from leadline.system import System
from leadline.types import Document, Query
from scripted import ScriptedLLM

FACTS = {
    "Ada Lovelace wrote the Notes.": [["Ada Lovelace", "wrote", "Notes"]],
    "The Notes describe the Engine.": [["Notes", "describe", "Engine"]],
    "Charles Babbage designed the Engine.": [["Charles Babbage", "designed", "Engine"]],
    "Paris lies on the Seine.": [["Paris", "lies on", "Seine"]],
    "Lyon lies on the Rhone.": [["Lyon", "lies on", "Rhone"]],
    "Nothing to see here.": [],
}
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(FACTS)}
QUERY = Query("q", "what did Ada Lovelace wrote")


class Letters:
    """Encodes a text by the words that it has, of those in the facts, to length 1."""

    settings: dict[str, Any] = {"model": "letters"}  # noqa: RUF012
    words = sorted({word for text in FACTS for word in phrase(text).split()})

    def __init__(self) -> None:
        self.kept: list[str] = []

    def rows(self, texts: Sequence[str], side: str) -> Any:
        start = len(self.kept)
        self.kept += texts
        return np.arange(start, len(self.kept))

    def vectors(self, rows: Any) -> Any:
        texts = [phrase(self.kept[row]).split() for row in rows]
        counts = np.array([[text.count(word) for word in self.words] for text in texts])
        lengths = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)
        return (counts / lengths).astype(np.float32)


def answer(prompt: str) -> str:
    """Extract the facts above, and choose the first fact for a query."""
    if "Choose the facts" in prompt:
        return 'The first one. {"facts": [1]}'
    text = prompt.rpartition("<text>\n")[2].removesuffix("\n</text>")
    triples = FACTS[text]
    if "named entity" in prompt:
        return json.dumps({"entities": [each for s, _, o in triples for each in (s, o)]})
    return f"```json\n{json.dumps({'triples': triples})}\n```"


def retriever(script: Any = answer, **options: Any) -> Graph:
    return Graph(ScriptedLLM(script), Letters(), **options)


def test_importance_reaches_documents_that_share_no_word_with_the_query() -> None:
    run = retriever().index(CORPUS).search([QUERY], 6)["q"]
    assert list(run)[:3] == ["d0", "d1", "d2"]  # Ada - Notes - Engine - Babbage
    assert run["d2"] > run["d3"] >= run["d5"] >= 0


def test_without_a_chosen_fact_documents_rank_by_similarity() -> None:
    def none(prompt: str) -> str:
        return '{"facts": []}' if "Choose the facts" in prompt else answer(prompt)

    graph = retriever(none)
    run = graph.index(CORPUS).search([QUERY], 6)["q"]
    # d0 shares "ada lovelace wrote" with the query, and no other document a word.
    assert run == {"d0": 1, "d1": 0, "d2": 0, "d3": 0, "d4": 0, "d5": 0}
    assert graph.failures == {}


def test_an_answer_of_no_use_is_counted_and_stops_nothing() -> None:
    def broken(prompt: str) -> str:
        if "Choose the facts" in prompt:
            return "I would rather not."
        if "Seine" in prompt:
            return Failure("rate limit", 429, True) if "named entity" in prompt else "garbage"
        return answer(prompt)

    graph = retriever(broken)
    assert next(iter(graph.index(CORPUS).search([QUERY], 6)["q"])) == "d0"
    assert graph.failures == {
        "no answer from the model (rate limit)": 1,
        "no triples in the answer": 1,
        "no choice of facts in the answer": 1,
    }


def test_candidates_get_the_scores_of_a_search() -> None:
    index = retriever().index(CORPUS)
    found = index.search([QUERY], 6)["q"]
    scored = index.score([QUERY], {"q": ["d3", "d2", "d1"]})["q"]
    assert scored == {id: found[id] for id in ("d1", "d2", "d3")}
    assert list(scored) == ["d1", "d2", "d3"]


def test_the_model_is_asked_twice_for_a_document_and_once_for_a_query() -> None:
    graph = retriever()
    system = System(graph)
    index = system.index(CORPUS)
    index.search([QUERY], 2)
    index.search([QUERY], 2)
    assert len(graph.llm.asked) == 2 * 6 + 2  # type: ignore[attr-defined]


def test_phrases_that_are_close_are_joined() -> None:
    # "ada lovelace" and "lovelace" have the cosine 1 / sqrt(2), "ada" is too short for a start.
    triples = [["Ada Lovelace", "wrote", "Notes"], ["Lovelace", "describe", "Engine"]]
    graph = retriever(lambda prompt: json.dumps({"triples": triples}), synonyms=0.7)
    built = graph.graph_of(["any text"])
    pair = built.phrases["ada lovelace"], built.phrases["lovelace"]
    weights = dict(zip(map(tuple, built.ends.tolist()), built.weights.tolist(), strict=True))
    assert weights[pair] == pytest.approx(1 / np.sqrt(2))


def test_a_phrase_weighs_the_mean_of_its_facts_over_its_documents() -> None:
    # Phrase b stands in both facts, of scores 1 and 0.5, and in both documents: 0.75 / 2.
    graph = build_graph([(("a", "to", "b"),), (("b", "to", "c"),)], {})
    linked = np.array([1, 0.5])
    assert phrase_weights(graph, [0, 1], linked, 5).tolist() == [1, 0.375, 0.5]
    assert phrase_weights(graph, [0, 1], linked, 2).tolist() == [1, 0, 0.5]


def test_a_triple_with_an_empty_part_is_dropped() -> None:
    triples = [["a", "is", "?!"], ["a", "is"], ["a", 1, "b"], "abc", ["A b", "Is,", "c "]]
    graph = retriever(lambda prompt: json.dumps(triples))
    assert graph.triples(["text"]) == [(("a b", "is", "c"),)]


def test_a_long_document_is_cut_and_the_prompt_stays() -> None:
    graph = retriever(lambda prompt: "[]", words=2)
    graph.triples(["one two three"])
    asked = graph.llm.asked  # type: ignore[attr-defined]
    assert all(prompt.endswith("<text>\none two\n</text>") for prompt in asked)


@pytest.mark.parametrize(
    ("text", "best"),
    [('{"facts": [2, 1, 2, 9, 0]}', [1, 0]), ("Both: [1, 2].", [0, 1]), ("{broken", [])],
)
def test_chosen_facts_are_read_from_any_answer(text: str, best: list[int]) -> None:
    assert retriever(lambda prompt: text).choose([QUERY], [[("a", "is", "b")] * 2]) == [best]


@each_row
def test_values_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        retriever(**options)


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


def test_edges_weigh_what_documents_state() -> None:
    # Two documents join ada and notes (2 each), one notes and engine; documents are nodes 3 to 5.
    found = edges({})
    upwards = {ends: weight for ends, weight in found.items() if ends[0] < ends[1]}
    assert upwards == {(0, 1): 4, (1, 2): 2, (0, 3): 1, (1, 3): 1, (0, 4): 1, (1, 4): 1, (2, 4): 1}
    assert all(found[other, one] == weight for (one, other), weight in found.items())


def test_synonyms_are_joined_by_both_directions() -> None:
    found = edges({(0, 2): 0.9, (2, 0): 0.8})
    assert found[0, 2] == found[2, 0] == pytest.approx(1.7)


def test_importance_halves_along_a_single_edge() -> None:
    # Phrases x and y, joined with weight 2, and the document, joined to each with 1; all starts
    # at x. With damping 1/2 the shares x, y, z of the walk obey
    #   x = 1/2 + (2/3 y + 1/2 z) / 2,  y = (2/3 x + 1/2 z) / 2,  z = (1/3 x + 1/3 y) / 2,
    # so z = 1/7 as x + y + z = 1; then x - y = 1/2 - (x - y) / 3 gives x - y = 3/8.
    graph = build_graph([(("x", "is", "y"),)], {})
    rank = personalized_pagerank(graph, np.array([1.0, 0, 0]))
    x, y, z = (6 / 7 + 3 / 8) / 2, (6 / 7 - 3 / 8) / 2, 1 / 7
    assert rank == pytest.approx(np.array([x, y, z]), abs=1e-10)
