"""What is seen of a model in this process while it writes: stop texts, likeliest tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from leadline.errors import needs
from leadline.llm.requests import Answer

with needs("dense"):
    import torch


class Watch:
    """Looks on while a batch is generated: finds stop texts, notes the likeliest tokens."""

    def __init__(self, tokenizer: Any, start: int, stop: Sequence[str], top: int) -> None:
        self._tokenizer = tokenizer
        self._start = start
        self._stop = stop
        self._top = top
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
        """Tell for each row whether a stop text ends it."""
        if not self._stop:
            return torch.zeros(len(ids), dtype=torch.bool, device=ids.device)
        new = ids[:, max(self._start, ids.shape[1] - self._tail) :].tolist()
        texts = [self._tokenizer.decode(each) for each in new]
        found = [any(stop in text for stop in self._stop) for text in texts]
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
