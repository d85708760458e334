"""all-mpnet-base-v2 with its real weights, against sentence-transformers itself.

`LEADLINE_WEIGHTS=FOLDER pytest -m slow --log-cli-level=INFO tests/real_models/test_mpnet.py`, where
FOLDER holds all-mpnet-base-v2 as its authors saved it.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

from leadline.evaluation import evaluate
from leadline.kinds import neighbours
from leadline.systems.chains import load_system
from leadline.types import Document, Query

pytestmark = pytest.mark.slow

TEXTS = (
    "The mill at Ardle was built in 1742 of red brick. Its wheel turned until 1911.",
    "The mill at Corran was built in 1810 of grey stone. Its wheel turned until 1890.",
    "Capillaries in a wall of brick draw water from the ground.",
    "A wing stalls when the flow over it separates; flaps delay it.",
    "Boundary layers grow thicker along a heated plate.",
    "Insulin lowers the sugar in the blood, glucagon raises it.",
    "The ferry to the island leaves at seven and at noon. It takes cars.",
    "Stars redder than the sun are cooler than it.",
)
CORPUS = {f"d{place}": Document(f"d{place}", text) for place, text in enumerate(TEXTS)}
QUERIES = [
    Query("q0", "which mill of red brick worked into the twentieth century"),
    Query("q1", "why is my wall wet"),
    Query("q2", "hormones and blood glucose"),
    Query("q3", "when does the boat go"),
]


@pytest.fixture(scope="module")
def folder() -> Path:
    weights = Path(os.environ.get("LEADLINE_WEIGHTS") or Path(sys.prefix) / "weights")
    if not (weights / "all-mpnet-base-v2" / "model.safetensors").is_file():
        pytest.skip(f"no all-mpnet-base-v2 in {weights}")
    return weights / "all-mpnet-base-v2"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def library(folder: Path) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")


@pytest.fixture(scope="module")
def cosines(library: Any) -> np.ndarray:
    """Return [queries, documents] as sentence-transformers has them."""
    asked = library.encode_query([each.text for each in QUERIES])
    return asked @ library.encode_document(list(TEXTS)).T


def scored(system: str) -> np.ndarray:
    run = load_system(system).run(CORPUS, QUERIES).run
    return np.array([[run[query.id][id] for id in CORPUS] for query in QUERIES])


def difference(found: np.ndarray, expected: np.ndarray) -> float:
    most = float(np.abs(found - expected).max())
    logging.info("largest difference of a score: %.1e", most)
    return most


def test_dense_scores_are_those_of_the_library(folder: Path, cosines: np.ndarray) -> None:
    assert difference(scored(f"dense:{folder},device=cpu"), cosines) < 1e-5
    assert list(cosines.argmax(axis=1)) == [0, 2, 5, 6]


@pytest.mark.parametrize(("dtype", "within"), [("float32", 1e-5), ("int8", 0.02)])
def test_openvino_keeps_the_scores(
    folder: Path, cosines: np.ndarray, dtype: str, within: float
) -> None:
    pytest.importorskip("openvino")
    found = scored(f"dense:{folder},backend=openvino,dtype={dtype}")
    assert difference(found, cosines) < within
    assert list(found.argmax(axis=1)) == list(cosines.argmax(axis=1))


def test_late_interaction_takes_its_token_states(
    folder: Path, library: Any, tmp_path: Path
) -> None:
    from sentence_transformers import MultiVectorEncoder
    from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask
    from sentence_transformers.sentence_transformer.modules import Normalize

    # No checkpoint of late interaction has these weights: its token states as they come, of length
    # 1. The library would put a random projection on the folder itself, which is refused.
    made = MultiVectorEncoder(
        modules=[library[0], MultiVectorMask(), Normalize(module_input_name="token_embeddings")],
        device="cpu",
    )
    made.save_pretrained(str(tmp_path / "tokens"))

    def states(texts: list[str]) -> list[np.ndarray]:
        found = library.encode(texts, output_value="token_embeddings")
        return [(each / each.norm(dim=-1, keepdim=True)).cpu().numpy() for each in found]

    asked, answers = states([each.text for each in QUERIES]), states(list(TEXTS))
    expected = np.array([[(q @ d.T).max(axis=1).sum() for d in answers] for q in asked])
    found = scored(f"late_interaction:{tmp_path / 'tokens'},device=cpu")
    assert difference(found, expected) < 1e-5


def test_neighbours_are_ranked_as_by_the_library(folder: Path, library: Any) -> None:
    probe = neighbours.build(CORPUS, seed=0)
    report = evaluate(load_system(f"dense:{folder},device=cpu"), probe)
    assert probe.queries
    ids = list(probe.corpus)
    documents = library.encode_document([probe.corpus[id].content for id in ids])
    for query in probe.queries:
        scores = library.encode_query(query.content) @ documents.T
        assert list(report.run[query.id]) == [ids[place] for place in np.argsort(-scores)]
