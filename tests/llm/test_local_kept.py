"""A model in this process behind the cache: what was computed is there after a kill."""

from pathlib import Path
from typing import Any

import pytest

import tiny_models
from leadline.llm.cached import CachedLLM
from tables import each_row

pytest.importorskip("transformers")

from leadline.llm.local import LocalLLM
from leadline.systems.chains import load_system
from leadline.types import Document, Query

PROMPTS = ["the cat", "old mill", "far away stars", "the train leaves at nine", "the"]
CORPUS = {name: Document(name, name) for name in ("cat", "train", "star", "mill", "sofa")}
QUERY = Query("q", "far away")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = tiny_models.byte_tokenizer()
    path = tmp_path_factory.mktemp("kept")
    return tiny_models.save(path, "Qwen2ForCausalLM", tokenizer, max_position_embeddings=4096)


class Computing:
    """Notes how many prompts are computed at once, and kills the run after so many batches."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        self.most = 1000
        for name in ("_last_logits", "_generate"):
            patch.setattr(LocalLLM, name, self.watched(getattr(LocalLLM, name)))

    def watched(self, inner: Any) -> Any:
        def compute(llm: Any, ids: Any, *more: Any) -> Any:
            if len(self.sizes) == self.most:
                raise KeyboardInterrupt
            self.sizes.append(len(ids))
            return inner(llm, ids, *more)

        return compute

    def start(self, most: int = 1000) -> None:
        self.sizes, self.most = [], most


@pytest.fixture
def computing(monkeypatch: pytest.MonkeyPatch) -> Computing:
    return Computing(monkeypatch)


def kept(folder: Path, tmp_path: Path, size: int) -> Any:
    return CachedLLM(LocalLLM(str(folder), batch_size=size), tmp_path / "answers.sqlite")


@pytest.mark.parametrize("kind", ["log_probabilities", "logits"])
def test_every_batch_is_kept_before_the_next_is_computed(
    folder: Path, tmp_path: Path, computing: Computing, kind: str
) -> None:
    tokens = ["true", "false"]
    expected = getattr(LocalLLM(str(folder)), kind)(PROMPTS, tokens)
    computing.start(most=2)
    with pytest.raises(KeyboardInterrupt):
        getattr(kept(folder, tmp_path, 2), kind)(PROMPTS, tokens)
    computing.start()
    # Four of five are there; the size of a batch changes no answer, so they are found.
    found = getattr(kept(folder, tmp_path, 1), kind)(PROMPTS, tokens)
    assert computing.sizes == [1]
    for row, wanted in zip(found, expected, strict=True):
        assert row == pytest.approx(wanted, abs=1e-5)


@each_row
def test_a_reranker_on_a_local_model_goes_on_after_a_kill(
    folder: Path, computing: Computing, stage: str
) -> None:
    spec = stage.format(folder) + ",batch_size=2"

    def run() -> Any:
        reranker: Any = load_system(spec).rerankers[0]
        return reranker.rerank([QUERY], CORPUS, {"q": list(CORPUS)})

    computing.start(most=1)
    with pytest.raises(KeyboardInterrupt):
        run()
    computing.start()
    first = run()
    asked = len(computing.sizes)
    computing.start(most=0)
    assert run() == first  # nothing is computed again
    computing.start()
    fresh = load_system(f"{spec},cache=false").rerankers[0]
    assert fresh.rerank([QUERY], CORPUS, {"q": list(CORPUS)}) == first
    assert len(computing.sizes) > asked  # the batch before the kill was not
