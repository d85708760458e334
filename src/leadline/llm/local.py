"""Run a causal language model in this process: completions and next-token probabilities."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from leadline.data.spreading import is_spreading, spread
from leadline.errors import InputError, needs
from leadline.llm import account
from leadline.llm.prices import estimated_tokens
from leadline.llm.requests import Answer, Completing, Failure, Request, in_places
from leadline.llm.structured import end_of_object
from leadline.llm.troubles import TOO_LONG
from leadline.models.checkpoints import check_device
from leadline.models.cutting import cut, fit, in_batches, readable
from leadline.models.weights import Source, Weights

with needs("dense"):
    import torch
    from transformers import GenerationConfig


_BATCHES = 4
"""Batches that a worker takes at once."""


@dataclass
class LocalLLM(Completing):
    """A model of the hub or of a folder; it is loaded when first asked.

    model              name on the hub, or folder
    device             `cpu`, `cuda`, ...; empty for the best there is
    dtype              auto is float32 on a processor, bfloat16 or float16 elsewhere
    max_length         tokens of prompt and answer together; None for what the model reads
    batch_size         prompts run at once; prompts of like length go together
    revision           branch, tag or commit on the hub
    adapter            LoRA weights to merge in: name on the hub, or folder (needs peft)
    chat               put every prompt into the model's chat template, as a turn of the user
    seed               of sampling, at a temperature above 0, where a request has none

    A prompt in no chat template gets the special tokens that the tokenizer itself adds.
    """

    is_deterministic = True  # the likeliest answer is the same each time it is asked for

    model: str
    device: str = ""
    dtype: str = "auto"
    max_length: int | None = None
    batch_size: int = 8
    revision: str = ""
    adapter: str = ""
    trust_remote_code: bool = False
    chat: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.batch_size < 1:
            raise InputError(f"batch_size must be at least 1, got {self.batch_size}.")
        if self.max_length is not None and self.max_length < 1:
            raise InputError(f"max_length must be at least 1, got {self.max_length}.")
        check_device(self.device)

    @property
    def name(self) -> str:
        """The model's name, with its adapter's."""
        return f"{self.model}+{self.adapter}" if self.adapter else self.model

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the model; device, dtype and length as used, once it is loaded."""
        settings = {name: getattr(self, name) for name in self.__dataclass_fields__}
        if "_weights" in self.__dict__:
            loaded = self._weights
            used = {"device": loaded.device, "dtype": loaded.dtype}
            settings |= {**used, "max_length": loaded.max_length}
        return settings

    @property
    def identity(self) -> str:
        """What changes when its answers may: content and settings, not how many at once.

        Raises InputError when there is no such model.
        """
        return json.dumps([self._source.identity, self.chat, self.seed])

    @property
    def line(self) -> account.Line:
        """What books the answers, which cost nothing."""
        return account.line_of(self.name, account.HERE)

    @property
    def parameters(self) -> int:
        """Number of the model's weights, which are loaded for that."""
        return int(self._weights.model.num_parameters())

    @property
    def context(self) -> int:
        """Tokens of prompt and answer together that the model reads."""
        return self._weights.max_length

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the position of a request with its answer, batch by batch.

        A prompt that leaves no room for an answer is an `Answer` with a `failure`.
        """
        line = self.line
        if line.account.dry_run:
            yield from ((place, line.plan(each)) for place, each in enumerate(requests))
            return
        for place, answer in self._answered(requests):
            line.took(answer)
            yield place, answer

    def _answered(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        if is_spreading():
            yield from self._spread(_answers_of, requests, [each.text for each in requests])
            return
        ids = [self._ids_of(request) for request in requests]
        groups: dict[str, list[int]] = {}
        for position, request in enumerate(requests):
            length = len(ids[position])
            if length >= self.context:
                reason = f"the prompt has {length} tokens, the model reads {self.context}"
                yield position, Answer("", failure=Failure(TOO_LONG, detail=reason))
            else:
                alike = replace(request, prompt="", chat_template="", expected_tokens=0, attempt=0)
                groups.setdefault(alike.fingerprint, []).append(position)
        for members in groups.values():
            for batch in in_batches([ids[each] for each in members], self.batch_size):
                places = [members[each] for each in batch]
                found = self._generate([ids[each] for each in places], requests[places[0]])
                yield from zip(places, found, strict=True)

    def log_probability_rows(
        self, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of a prompt with its row of `log_probabilities`, batch by batch.

        tokens  each an entry of the vocabulary, or a text that stands for its first token

        The row of a prompt that is longer than the model reads is all NaN. Raises InputError
        when two tokens are one to the model.
        """
        for place, row in self._next(prompts, tokens):
            yield place, [value - row[-1] for value in row[:-1]]

    def logits(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return the raw logits that `log_probabilities` starts from."""
        return in_places(self.logit_rows(prompts, tokens))

    def logit_rows(
        self, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of a prompt with its row of `logits`, batch by batch."""
        for place, row in self._next(prompts, tokens):
            yield place, row[:-1]

    def fit(self, before: str, text: str, after: str, *, answer: int = 1) -> str:
        """Return the longest beginning of `text` that leaves room for `answer` tokens.

        before, after  the rest of the prompt, which stays whole
        """
        tokenizer = self._weights.tokenizer
        if self.chat:
            before, after = self._in_chat(before, after)
        room = self.context - answer
        return fit(tokenizer, before, text, after, room, add_special_tokens=not self.chat)

    def cut(self, text: str, room: int) -> str:
        """Return the longest beginning of `text` that has at most `room` tokens."""
        return cut(self._weights.tokenizer, text, room)

    @property
    def _source(self) -> Source:
        names = ("device", "dtype", "max_length", "revision", "adapter", "trust_remote_code")
        options = {name: getattr(self, name) for name in names}
        return Source("CausalLM", self.model, options)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the loaded model behind: a worker loads its own."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def _spread(
        self, work: Callable[..., list[Any]], items: Sequence[Any], texts: Sequence[str]
    ) -> Iterator[tuple[int, Any]]:
        """Yield the position of each item with its result; workers get texts of like length."""
        order = sorted(range(len(items)), key=lambda place: -len(texts[place]))
        size = self.batch_size * _BATCHES
        shards = [order[start : start + size] for start in range(0, len(order), size)]
        asked = ([items[place] for place in shard] for shard in shards)
        for number, results in spread(partial(work, self), asked):
            yield from zip(shards[number], results, strict=True)

    @cached_property
    def thinks(self) -> bool:
        """Whether the model's chat template knows thoughts."""
        return "think" in str(self._weights.tokenizer.chat_template).lower()

    @cached_property
    def special_tokens(self) -> tuple[str, ...]:
        """Texts that the tokenizer reads as one special token, wherever they stand."""
        added = self._weights.tokenizer.added_tokens_decoder.values()
        return tuple(sorted({str(token) for token in added if token.special}))

    @cached_property
    def _weights(self) -> Weights:
        weights = self._source.weights
        # What a checkpoint sets beside (a penalty, a temperature) would change the likeliest text.
        ends = weights.model.generation_config.eos_token_id
        weights.model.generation_config = GenerationConfig(eos_token_id=ends)
        return weights

    def _ids_of(self, request: Request) -> list[int]:
        return prompt_ids(self._weights.tokenizer, request, chat=self.chat)

    def _in_chat(self, before: str, after: str) -> tuple[str, str]:
        """Return what stands before and after a text of a prompt, the chat template included."""
        mark = "\N{OBJECT REPLACEMENT CHARACTER}"
        turns = [{"role": "user", "content": before + mark + after}]
        whole: str = self._weights.tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True
        )
        start, _, end = whole.partition(mark)
        return start, end

    def _next(
        self, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the logit of each token as the next one, then the logarithm of the sum of all.

        In a dry run they are NaN.
        """
        line = self.line
        if line.account.dry_run:
            for place, prompt in enumerate(prompts):
                line.plan(Request(prompt, 1))
                yield place, [math.nan] * (len(tokens) + 1)
            return
        for place, row in self._rows(prompts, tokens):
            line.took(Answer("", prompt_tokens=estimated_tokens(prompts[place])))
            yield place, row

    def _rows(
        self, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        if is_spreading():
            yield from self._spread(partial(_rows_of, tokens=tuple(tokens)), prompts, prompts)
            return
        wanted = [self._id_of(token) for token in tokens]
        if len(set(wanted)) < len(wanted):
            raise InputError(f"{self.model!r} treats two of the tokens {list(tokens)} as the same.")
        ids = [self._ids_of(Request(prompt, 1)) for prompt in prompts]
        too_long = [place for place, each in enumerate(ids) if len(each) > self.context]
        yield from ((place, [math.nan] * (len(tokens) + 1)) for place in too_long)
        fitting = [place for place, each in enumerate(ids) if len(each) <= self.context]
        for batch in in_batches([ids[each] for each in fitting], self.batch_size):
            places = [fitting[each] for each in batch]
            logits = self._last_logits([ids[each] for each in places])
            found = torch.cat([logits[:, wanted], logits.logsumexp(-1, keepdim=True)], dim=1)
            yield from zip(places, found.tolist(), strict=True)

    def _id_of(self, token: str) -> int:
        tokenizer = self._weights.tokenizer
        vocabulary: Mapping[str, int] = tokenizer.get_vocab()
        if token in vocabulary:
            return vocabulary[token]
        ids = tokenizer(token, add_special_tokens=False)["input_ids"]
        if not ids:
            raise InputError(f"{token!r} is not a single token of {self.model!r}.")
        return int(ids[0])

    def _padded(self, ids: Sequence[list[int]]) -> dict[str, Any]:
        """Return left-padded ids with their mask, both [B, longest]."""
        longest = max(map(len, ids))
        pad = self._weights.tokenizer.pad_token_id
        rows = [[pad] * (longest - len(each)) + each for each in ids]
        mask = [[0] * (longest - len(each)) + [1] * len(each) for each in ids]
        device = self._weights.device
        return {
            "input_ids": torch.tensor(rows, device=device),
            "attention_mask": torch.tensor(mask, device=device),
        }

    def _last_logits(self, ids: Sequence[list[int]]) -> Any:
        """Return the logits behind the last token of each prompt, float32 [B, V]."""
        inputs = self._padded(ids)
        takes = inspect.signature(self._weights.model.forward).parameters
        if "position_ids" in takes:
            inputs["position_ids"] = (inputs["attention_mask"].cumsum(-1) - 1).clamp(min=0)
        if "logits_to_keep" in takes:
            inputs["logits_to_keep"] = 1
        with torch.inference_mode(), _enough_memory(self.batch_size):
            return self._weights.model(**inputs, use_cache=False).logits[:, -1].float()

    def _generate(self, ids: Sequence[list[int]], request: Request) -> list[Answer]:
        """Answer prompts that are alike but for their text."""
        inputs = self._padded(ids)
        start = inputs["input_ids"].shape[1]
        model = self._weights.model
        is_json = request.schema is not None
        watch = Watch(self._weights.tokenizer, start, request.stop, request.top, is_json)
        config = GenerationConfig(
            max_new_tokens=min(request.max_tokens, self.context - start),
            do_sample=request.temperature > 0,
            temperature=request.temperature or None,
            eos_token_id=model.generation_config.eos_token_id,
            pad_token_id=self._weights.tokenizer.pad_token_id,
        )
        with torch.inference_mode(), torch.random.fork_rng(), _enough_memory(self.batch_size):
            torch.manual_seed(self.seed if request.seed is None else request.seed)
            out = model.generate(
                **inputs,
                generation_config=config,
                logits_processor=[watch.record],
                stopping_criteria=[watch.is_done],
            )
        known = config.eos_token_id
        ends = set(known if isinstance(known, list | tuple) else [known])
        return [
            watch.answer(row, ids[row], tokens, ends)
            for row, tokens in enumerate(out[:, start:].tolist())
        ]


def _answers_of(llm: LocalLLM, requests: Sequence[Request]) -> list[Answer]:
    return in_places(llm.answers(requests))


def _rows_of(llm: LocalLLM, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
    return in_places(llm._next(prompts, tokens))


@contextmanager
def _enough_memory(batch_size: int) -> Iterator[None]:
    """Say what to do when the accelerator's memory is full."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise InputError(
            f"The accelerator's memory is full at batch_size={batch_size}. Lower it, or max_length."
        ) from error


def prompt_ids(tokenizer: Any, request: Request, *, chat: bool = False) -> list[int]:
    """Return the tokens of a prompt.

    A conversation goes into the chat template, where the tokenizer has one; a text does with
    `chat`. What is in no template gets the special tokens that the tokenizer itself adds.

    Raises InputError when `chat` asks for a template that is not there.
    """
    own = tokenizer.chat_template
    if (chat or not isinstance(request.prompt, str)) and (own or request.chat_template):
        turns = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        text = tokenizer.apply_chat_template(
            turns,
            tokenize=False,
            add_generation_prompt=True,
            chat_template=None if own else request.chat_template,
        )
        ids = tokenizer(readable(text), add_special_tokens=False, verbose=False)["input_ids"]
        return [*_beginning(tokenizer, ids), *ids] if request.chat_template else list(ids)
    if chat:
        raise InputError(f"The model {tokenizer.name_or_path!r} has no chat template.")
    return list(tokenizer(readable(request.text), verbose=False)["input_ids"])


def _beginning(tokenizer: Any, ids: Sequence[int]) -> list[int]:
    """Return the token that the tokenizer puts before any text, where it is not there yet."""
    begins = tokenizer.bos_token_id
    puts_it = begins is not None and tokenizer("a")["input_ids"][0] == begins
    return [begins] if puts_it and ids[0] != begins else []


class Watch:
    """Looks on while a batch is generated: finds stop texts, notes the likeliest tokens.

    is_json  whether an answer ends with the first object of JSON
    """

    def __init__(
        self, tokenizer: Any, start: int, stop: Sequence[str], top: int, is_json: bool = False
    ) -> None:
        self._tokenizer = tokenizer
        self._start = start
        self._stop = stop
        self._top = top
        self._is_json = is_json
        self._steps: list[tuple[list[list[int]], list[list[float]]]] = []
        self._texts: dict[int, str] = {}
        # A token holds at least one byte, so a stop text ends within so many tokens.
        self._tail = max((len(each.encode()) for each in stop), default=0) + 4

    def record(self, ids: Any, scores: Any) -> Any:
        """Note the most likely next tokens of each row; called before each token is chosen."""
        if self._top:
            most = scores.float().log_softmax(-1).topk(min(self._top, scores.shape[-1]))
            self._steps.append((most.indices.tolist(), most.values.tolist()))
        return scores

    def is_done(self, ids: Any, scores: Any, **_: Any) -> Any:
        """Tell for each row whether a stop text ends it, or an object of JSON."""
        if not self._stop and not self._is_json:
            return torch.zeros(len(ids), dtype=torch.bool, device=ids.device)
        new = ids[:, max(self._start, ids.shape[1] - self._tail) :].tolist()
        texts = [self._tokenizer.decode(each) for each in new]
        found = [any(stop in text for stop in self._stop) for text in texts]
        if self._is_json:
            for row, text in enumerate(texts):
                if "}" in text:
                    whole = self._tokenizer.decode(ids[row, self._start :])
                    found[row] = found[row] or end_of_object(whole) is not None
        return torch.tensor(found, device=ids.device)

    def answer(self, row: int, prompt: list[int], tokens: list[int], ends: set[int]) -> Answer:
        """Return what a row became: its tokens up to the end, its text up to a stop text."""
        length = next((n for n, token in enumerate(tokens) if token in ends), None)
        finish = "length" if length is None else "stop"
        ended = len(tokens) if length is None else length
        text = self._tokenizer.decode(tokens[:ended])
        places = [place for stop in self._stop if (place := text.find(stop)) >= 0]
        if places:
            ended = self._tokens_up_to_stop(tokens[:ended])
            text, finish = text[: min(places)], "stop"
        elif self._is_json and (end := end_of_object(text)) is not None:
            text, finish = text[:end], "stop"
            ended = len(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        elif length is not None:
            ended = length + 1
        tops = tuple(self._tops(step, row) for step in range(ended if self._top else 0))
        return Answer(
            text,
            finish=finish,
            log_probabilities=tops,
            prompt_tokens=len(prompt),
            completion_tokens=ended,
        )

    def _tokens_up_to_stop(self, tokens: list[int]) -> int:
        """Return after how many tokens the first stop text is complete."""
        for count in range(1, len(tokens) + 1):
            tail = self._tokenizer.decode(tokens[max(0, count - self._tail) : count])
            if any(stop in tail for stop in self._stop):
                return count
        return len(tokens)

    def _tops(self, step: int, row: int) -> dict[str, float]:
        indices, values = self._steps[step]
        tops: dict[str, float] = {}
        for token, value in zip(indices[row], values[row], strict=True):
            if math.isfinite(value):
                tops.setdefault(self._text_of(token), value)
        return tops

    def _text_of(self, token: int) -> str:
        if token not in self._texts:
            text = self._tokenizer.decode([token])
            raw = self._tokenizer.convert_ids_to_tokens(token) or ""
            # Alone, such a token is decoded without the space that it stands for.
            spaced = raw.startswith("\N{LOWER ONE EIGHTH BLOCK}") and not text.startswith(" ")
            self._texts[token] = f" {text}" if spaced else text
        return self._texts[token]
