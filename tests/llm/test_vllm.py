"""What is handed to vLLM and read from it, against its documented interface on a tiny model.

vLLM itself needs an accelerator: in its place stands a class of the same calls over transformers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import tiny_models

pytest.importorskip("transformers")

from leadline.errors import InputError
from leadline.llm.local import LocalLLM
from leadline.llm.opening import ModelPlace, open_llm
from leadline.llm.requests import Request
from leadline.systems.chains import load_system
from leadline.types import Document, Query

PROMPTS = ["the cat sleeps", "old mill"]
CORPUS = {name: Document(name, name) for name in ("cat", "train", "star", "mill")}


class Engine:
    """`vllm.LLM`: prompts are texts or tokens; answers hold texts, tokens, log-probabilities."""

    def __init__(self, *, model: str, max_model_len: int = 512, **options: Any) -> None:
        self.llm = LocalLLM(model, max_length=max_model_len)
        self.llm_engine = SimpleNamespace(model_config=SimpleNamespace(max_model_len=max_model_len))

    def get_tokenizer(self) -> Any:
        return self.llm._weights.tokenizer

    def generate(self, prompts: Any, settings: Any, use_tqdm: bool) -> list[Any]:
        of_each = settings if isinstance(settings, list) else [settings] * len(prompts)
        return [self._one(each, its) for each, its in zip(prompts, of_each, strict=True)]

    def _one(self, prompt: Any, settings: Any) -> Any:
        tokenizer = self.get_tokenizer()
        ids = tokenizer(prompt)["input_ids"] if isinstance(prompt, str) else None
        ids = ids or prompt["prompt_token_ids"]
        logits = self.llm._last_logits([ids])[0]
        allowed = getattr(settings, "allowed_token_ids", None)
        if allowed:
            place = {
                token: SimpleNamespace(logprob=float(value), decoded_token=str(token))
                for token, value in zip(allowed, logits[allowed].log_softmax(-1), strict=True)
            }
            said = SimpleNamespace(text="", finish_reason="length", logprobs=[place])
            return SimpleNamespace(outputs=[said], prompt_token_ids=ids)
        request = Request("", settings.max_tokens, stop=tuple(settings.stop or ()))
        (answer,) = self.llm._generate([ids], request)
        said = SimpleNamespace(
            text=answer.text, finish_reason=answer.finish, logprobs=None, token_ids=[0]
        )
        return SimpleNamespace(outputs=[said], prompt_token_ids=ids)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    stand_in: Any = ModuleType("vllm")
    stand_in.LLM, stand_in.SamplingParams = Engine, SimpleNamespace
    monkeypatch.setitem(sys.modules, "vllm", stand_in)
    monkeypatch.delitem(sys.modules, "leadline.llm.vllm", raising=False)
    tokenizer = tiny_models.byte_tokenizer()
    yield tiny_models.save(
        tmp_path / "model", "Qwen2ForCausalLM", tokenizer, max_position_embeddings=4096
    )
    sys.modules.pop("leadline.llm.vllm", None)  # it holds the stand-in


def opened(folder: Path, **options: Any) -> Any:
    return open_llm("listwise", ModelPlace(str(folder), engine="vllm", **options))


def test_completions_are_those_of_the_model(folder: Path) -> None:
    expected = LocalLLM(str(folder)).complete(PROMPTS, max_tokens=5)
    assert opened(folder).complete(PROMPTS, max_tokens=5) == expected


def test_log_probabilities_are_those_of_the_answers_among_themselves(folder: Path) -> None:
    rows = opened(folder).log_probabilities(PROMPTS, ["true", "false"])
    for row, own in zip(
        rows, LocalLLM(str(folder)).logits(PROMPTS, ["true", "false"]), strict=True
    ):
        assert row[0] - row[1] == pytest.approx(own[0] - own[1], abs=1e-5)


def test_answers_are_kept_by_the_content_of_the_model(folder: Path, tmp_path: Path) -> None:
    for hits in (0, 2):
        llm = opened(folder, cache=tmp_path)
        llm.complete(PROMPTS, max_tokens=3)
        assert llm.hits == hits


@pytest.mark.parametrize("stage", ["listwise", "setwise", "true_false"])
def test_rerankers_run_on_it(folder: Path, stage: str) -> None:
    runs = []
    for engine in ("vllm", "transformers"):
        length = "max_length=2048,max_tokens=8"
        reranker: Any = load_system(f"{stage}:{folder},engine={engine},{length}").rerankers[0]
        runs.append(reranker.rerank([Query("q", "far away")], CORPUS, {"q": list(CORPUS)})["q"])
    assert list(runs[0]) == list(runs[1])
    assert runs[0] == pytest.approx(runs[1], abs=1e-5)


def test_what_it_does_not_take_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="takes no device and no adapter"):
        opened(folder, device="cpu")
