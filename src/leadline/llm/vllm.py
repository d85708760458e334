"""A causal language model in this process, run by vLLM.

Written against vLLM's documented interface. No test runs vLLM itself, which needs an accelerator:
in its place tests put a class of the same calls over transformers.

Source: https://docs.vllm.ai/en/v0.8.3/api/offline_inference/llm.html and
https://docs.vllm.ai/en/v0.8.3/api/inference_params.html
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leadline.data.fingerprint import libraries
from leadline.errors import MissingExtraError
from leadline.llm.requests import Answer, Request
from leadline.llm.templates import prompt_ids
from leadline.models.checkpoints import content_of
from leadline.models.cutting import fit, readable

try:
    from vllm import LLM, SamplingParams
except ModuleNotFoundError as error:
    raise MissingExtraError(
        "engine=vllm needs vllm, which is not installed: pip install vllm (it needs a GPU)."
    ) from error

_LOOKED_AT = 20
"""Most log-probabilities a place that vLLM gives unless it is started otherwise."""


@dataclass
class VLLM:
    """A model of the hub or of a folder; it is loaded when first asked.

    max_length    tokens of prompt and answer together; None for what the model reads
    dtype         auto for the checkpoint's own
    memory_share  share of the accelerator's memory that vLLM takes
    accelerators  number of them that the model is spread over
    """

    model: str
    dtype: str = "auto"
    max_length: int | None = None
    revision: str = ""
    trust_remote_code: bool = False
    memory_share: float = 0.9
    accelerators: int = 1
    seed: int = 0

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the model."""
        return {
            "engine": "vllm",
            **{name: getattr(self, name) for name in self.__dataclass_fields__},
        }

    @property
    def identity(self) -> str:
        """What changes when its answers may: content and settings, not what it runs on."""
        aside = ("memory_share", "accelerators")
        settings = {name: value for name, value in self.settings.items() if name not in aside}
        how = [content_of(self.model, self.revision), settings, libraries("models")]
        return json.dumps(how, sort_keys=True)

    @property
    def is_deterministic(self) -> bool:
        """Whether the likeliest answer is the same each time it is asked for."""
        return True

    @property
    def context(self) -> int:
        """Tokens of prompt and answer together that the model reads."""
        return self.max_length or int(self._engine.llm_engine.model_config.max_model_len)

    def complete(
        self, prompts: Sequence[str], *, max_tokens: int, temperature: float = 0.0
    ) -> list[str]:
        """Return one completion for each prompt, in order."""
        requests = [Request(prompt, max_tokens, temperature) for prompt in prompts]
        answers = dict(self.answers(requests))
        return [answers[position].completion for position in range(len(prompts))]

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the position of each request with its answer, all at the end.

        A conversation goes into the model's chat template; a text goes to it as it stands.
        """
        settings = [
            SamplingParams(
                temperature=request.temperature,
                max_tokens=request.max_tokens,
                stop=list(request.stop) or None,
                logprobs=request.top or None,
                seed=self.seed if request.seed is None else request.seed,
                skip_special_tokens=False,
            )
            for request in requests
        ]
        # Tokens, not texts: vLLM would put a second token of the beginning before a template's.
        prompts = [
            {"prompt_token_ids": prompt_ids(self._tokenizer, request)} for request in requests
        ]
        for position, output in enumerate(self._engine.generate(prompts, settings, use_tqdm=False)):
            said = output.outputs[0]
            yield (
                position,
                Answer(
                    said.text,
                    finish=said.finish_reason or "",
                    log_probabilities=tuple(_by_text(each) for each in said.logprobs or ()),
                    prompt_tokens=len(output.prompt_token_ids),
                    completion_tokens=len(said.token_ids),
                ),
            )

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return the log-probability of each token as the next one; -inf beyond the likeliest 20.

        tokens  each an entry of the vocabulary, or a text that stands for its first token
        """
        wanted = [self._id_of(token) for token in tokens]
        settings = SamplingParams(
            temperature=0.0, max_tokens=1, logprobs=_LOOKED_AT, allowed_token_ids=wanted
        )
        texts = [readable(prompt) for prompt in prompts]
        outputs = self._engine.generate(texts, settings, use_tqdm=False)
        places = [(output.outputs[0].logprobs or [{}])[-1] for output in outputs]
        return [
            [place[each].logprob if each in place else -math.inf for each in wanted]
            for place in places
        ]

    def log_probability_rows(
        self, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of a prompt with its row, all at the end: it batches by itself."""
        yield from enumerate(self.log_probabilities(prompts, tokens))

    def fit(self, before: str, text: str, after: str, *, answer: int = 1) -> str:
        """Return the longest beginning of `text` that leaves room for `answer` tokens."""
        return fit(self._tokenizer, before, text, after, self.context - answer)

    @cached_property
    def thinks(self) -> bool:
        """Whether the model's chat template knows thoughts."""
        return "think" in str(self._tokenizer.chat_template).lower()

    @cached_property
    def special_tokens(self) -> tuple[str, ...]:
        """Texts that the tokenizer reads as one special token, wherever they stand."""
        added = self._tokenizer.added_tokens_decoder.values()
        return tuple(sorted({str(token) for token in added if token.special}))

    @cached_property
    def _engine(self) -> Any:
        limit = {} if self.max_length is None else {"max_model_len": self.max_length}
        return LLM(
            model=self.model,
            revision=self.revision or None,
            dtype=self.dtype,
            trust_remote_code=self.trust_remote_code,
            gpu_memory_utilization=self.memory_share,
            tensor_parallel_size=self.accelerators,
            seed=self.seed,
            **limit,
        )

    @cached_property
    def _tokenizer(self) -> Any:
        return self._engine.get_tokenizer()

    def _id_of(self, token: str) -> int:
        vocabulary: Mapping[str, int] = self._tokenizer.get_vocab()
        if token in vocabulary:
            return vocabulary[token]
        return int(self._tokenizer(token, add_special_tokens=False)["input_ids"][0])


def _by_text(place: Mapping[int, Any]) -> dict[str, float]:
    """Return the log-probabilities of one place by token text, the likeliest of a text."""
    found: dict[str, float] = {}
    for entry in place.values():
        text = entry.decoded_token
        found[text] = max(entry.logprob, found.get(text, -math.inf))
    return found
