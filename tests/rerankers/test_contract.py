"""What holds of every reranker, whatever it does."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers")

from leadline.errors import InputError
from leadline.plugins import plugins
from leadline.rerankers import (
    by_attribute,
    by_condition,
    cross_encoder,
    sequence_to_sequence,
    true_false,
)
from leadline.rerankers.listwise import Listwise
from leadline.rerankers.setwise import Setwise
from leadline.retrievers import bm25
from leadline.systems.adapters import as_system
from leadline.types import Document, Query, Ranked, Reranker
from scripted import ScriptedLLM

QUERIES = [Query("q", "(1) the old mill (2) the cat sleeps"), Query("r", "train leaves at nine")]
TEXTS = ("the cat sleeps at nine", "train leaves", "the old mill", "far", "far", "")
CORPUS = {f"d{place}": Document(f"d{place}", text) for place, text in enumerate(TEXTS)}
CANDIDATES = {"q": ["d5", "d0", "d3", "d4", "d2"], "r": ["d1", "d0"]}


class Lengths:
    """A cross-encoder of another library: the longer, the better."""

    def predict(self, pairs: list[tuple[str, str]]) -> list[float]:
        return [float(len(document)) for _, document in pairs]


BUILT: dict[str, Callable[[Callable[[str], Path]], Any]] = {
    "by_attribute": lambda _: by_attribute.build(),
    "by_condition": lambda _: by_condition.build(scorer=bm25.build()),
    "cross_encoder": lambda folder: cross_encoder.build(
        str(folder("BertForSequenceClassification"))
    ),
    "sequence_to_sequence": lambda folder: sequence_to_sequence.build(
        str(folder("T5ForConditionalGeneration"))
    ),
    "true_false": lambda folder: true_false.build(str(folder("Qwen2ForCausalLM"))),
    "listwise": lambda _: Listwise(ScriptedLLM(lambda _: "[2] > [1]")),
    "setwise": lambda _: Setwise(ScriptedLLM(lambda _: "<answer>[2]</answer>")),
    "an adapted object": lambda _: as_system(Lengths()).rerankers[0],
}


@pytest.fixture(params=BUILT)
def reranker(request: pytest.FixtureRequest, model_of: Callable[[str], Path]) -> Any:
    return BUILT[request.param](model_of)


def test_every_reranker_of_the_package_is_held_to_this_contract() -> None:
    assert {name for name, each in plugins("rerankers").items() if not each.owner} <= set(BUILT)


def test_it_is_a_reranker_that_tells_name_and_settings(reranker: Any) -> None:
    assert isinstance(reranker, Reranker)
    assert reranker.name
    assert json.loads(json.dumps(dict(reranker.settings))) is not None


def test_every_candidate_comes_once_best_first_with_a_finite_score(reranker: Any) -> None:
    run = reranker.rerank(QUERIES, CORPUS, CANDIDATES)
    assert list(run) == ["q", "r"]
    for query, scores in run.items():
        assert sorted(scores) == sorted(CANDIDATES[query])
        assert list(scores.values()) == sorted(scores.values(), reverse=True)
        assert all(math.isfinite(score) for score in scores.values())


def test_documents_that_read_the_same_keep_their_order(reranker: Any) -> None:
    ranked = {"q": Ranked(dict.fromkeys(("d4", "d0", "d3"), 1.0))}
    run = reranker.rerank(QUERIES[:1], CORPUS, ranked)["q"]
    if not reranker.scores_are_ranks:  # a model that orders was asked and told them apart
        assert run["d3"] == run["d4"] and [id for id in run if id != "d0"] == ["d4", "d3"]


def test_other_queries_change_no_score(reranker: Any) -> None:
    together = reranker.rerank(QUERIES, CORPUS, CANDIDATES)
    alone = reranker.rerank(QUERIES[1:], CORPUS, CANDIDATES)
    assert dict(alone["r"]) == pytest.approx(dict(together["r"]), abs=1e-5)


def test_without_queries_or_candidates_there_is_nothing_to_score(reranker: Any) -> None:
    assert reranker.rerank([], CORPUS, {}) == {}
    assert reranker.rerank(QUERIES, CORPUS, {}) == {"q": {}, "r": {}}


def test_a_candidate_outside_the_corpus_is_named(reranker: Any) -> None:
    with pytest.raises(InputError, match="query 'q' name document 'none', which is not in"):
        reranker.rerank(QUERIES[:1], CORPUS, {"q": ["d0", "none"]})
