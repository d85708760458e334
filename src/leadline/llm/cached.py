"""Any language model, with its answers kept on disk: what was asked once is never paid twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from leadline.errors import InputError
from leadline.llm.account import Meter
from leadline.llm.requests import Answer, Answering, Completing, Failure, Request, completed
from leadline.llm.store import Store
from leadline.llm.troubles import HANGS, HUNG, REFUSED_BY_MODEL, STOPPED
from leadline.types import LLM

_BLOCK = 32
"""Prompts that go together to a model that cannot tell of each answer as it comes."""
_FIRST_LOOK, _LONGEST_LOOK = 0.02, 0.5
"""Seconds until a process looks again whether another has its answer."""


class CachedLLM(Completing):
    """A model whose answers are looked up first, and stored one by one as they arrive.

    An answer is found again by the settings of the model and everything in the request. The same
    request asked twice at once is sent once at temperature 0; above it, each is a sample of its
    own. What another process on the same file is asking an endpoint is waited for. Failures are
    not kept, a refusal by the model aside. An answer that is empty or was cut
    off is asked for again, unless the asker judges each try by itself or the model runs here, where
    it would only say the same. What else the model offers is passed through.

    hits    answers found
    misses  answers that had to be asked for
    """

    def __init__(self, llm: LLM, path: str | Path) -> None:
        """Wrap a model; `path` is the file, made where it is missing, in a folder that is there."""
        self.llm: Any = llm
        self.hits = 0
        self.misses = 0
        self.store = Store(Path(path))
        self._under_way: dict[bytes, Future[Answer]] = {}

    @cached_property
    def _identity(self) -> str:
        """What the model's answers depend on, as it tells or else its settings at first use."""
        return getattr(self.llm, "identity", None) or json.dumps(self.settings, sort_keys=True)

    def __getattr__(self, name: str) -> Any:
        """Pass through what only the model itself knows."""
        if name.startswith("_") or name == "llm":
            raise AttributeError(name)
        return getattr(self.llm, name)

    @property
    def name(self) -> str:
        """The model's own name."""
        return str(self.llm.name)

    @property
    def settings(self) -> dict[str, Any]:
        """The model's own settings: where an answer was kept changes no score."""
        return dict(getattr(self.llm, "settings", {"name": self.llm.name}))

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the position of each request with its answer: first the kept, then the new."""
        keys = self._keys((each.fingerprint for each in requests), _repeatable(requests))
        places = _places(keys)
        missing: dict[bytes, Request] = {}
        first = {key: requests[positions[0]] for key, positions in places.items()}
        for key, found in self._looked_up(first).items():
            if isinstance(found, Request):
                missing[key] = found
                continue
            self.found(len(places[key]))
            yield from ((position, found) for position in places[key])
        for key, answer in self._asked_in_a_list(missing):
            self.misses += len(places[key]) - 1
            yield from ((position, answer) for position in places[key])

    def submit(self, request: Request) -> Future[Answer]:
        """Ask a model at an endpoint one thing beside others, unless the answer is kept.

        The same request is sent once, however often it is asked at a time.
        """
        key = self.key_of(request)
        future: Future[Answer] | None = self._under_way.get(key)
        if future is not None:
            return future
        found = self._looked_up({key: request})[key]
        meter = meter_of(self.llm)
        if isinstance(found, Answer):
            self.found(1)
        elif meter is not None and meter.account.dry_run:
            found = meter.plan(found)
        if isinstance(found, Answer):
            future = Future()
            future.set_result(found)
            return future
        loop = self.llm.connected().loop
        future = asyncio.run_coroutine_threadsafe(self._asked(key, found), loop)
        self._under_way[key] = future
        future.add_done_callback(lambda _: self._under_way.pop(key, None))
        return future

    async def _asked(self, key: bytes, request: Request, until: float = float("inf")) -> Answer:
        """Ask and keep the answer, unless another process asks: then its answer is waited for."""
        connection = self.llm.connected()
        pause = _FIRST_LOOK
        with connection.work():
            while not self.store.claim(key):
                if connection.is_stopping:
                    return Answer("", failure=Failure(STOPPED, transient=True))
                await asyncio.sleep(pause)
                pause = min(_LONGEST_LOOK, pause * 1.5)
            try:
                found = self._looked_up({key: request})[key]
                if isinstance(found, Answer):
                    self.store.give_back(key)
                    self.found(1)
                    return found
                answer: Answer = await self.llm.ask(found, until)
                self.keep(key, answer)
            except BaseException:
                self.store.give_back(key)
                raise
        self.misses += 1
        return answer

    def key_of(self, request: Request) -> bytes:
        """Return by what the answer to a request is found again."""
        return self._keys([request.fingerprint])[0]

    def _looked_up(self, requests: Mapping[bytes, Request]) -> dict[bytes, Answer | Request]:
        """Return for each key the answer that is kept, or what the model has to be asked."""
        kept = self.store.read(list(requests))
        found: dict[bytes, Answer | Request] = {}
        for key, request in requests.items():
            answer = _answer_in(kept.get(key))
            if answer is None or not self._is_final(answer, request):
                hung = answer is not None and answer.failure == HUNG
                found[key] = replace(request, is_suspect=True) if hung else request
            else:
                found[key] = answer
        return found

    def keep(self, key: bytes, answer: Answer) -> None:
        """Keep an answer; a failure is not kept, unless the model itself refused.

        Of a prompt that hangs while others are answered the next run is told.
        """
        failure = answer.failure
        if failure is None or failure.kind == REFUSED_BY_MODEL:
            self.store.write(key, answer.to_json())
        elif failure in (HUNG, HANGS):
            self.store.write(key, Answer("", failure=HUNG).to_json())
        else:
            self.store.give_back(key)

    def found(self, count: int) -> None:
        """Count answers that were kept; they are a sign, too, that an endpoint works."""
        self.hits += count
        meter, tally = meter_of(self.llm), _behind(self.llm, "tally")
        if meter is not None:
            meter.found(count)
        if tally is not None:
            tally.kept += count

    def _is_final(self, answer: Answer, request: Request) -> bool:
        """Tell whether an answer that is kept will do, so that it is not asked for again."""
        if answer.failure == HUNG:
            return False
        if answer.is_usable or request.is_judged:
            return True
        says_the_same = getattr(self.llm, "is_deterministic", False) and request.temperature == 0
        return says_the_same and answer.failure is None

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return the log-probability of each token as the next one, as the model tells them.

        Raises InputError when the model gives no log-probabilities.
        """
        if not hasattr(self.llm, "log_probabilities"):
            raise InputError(f"{self.name} gives no log-probabilities.")
        return self._rows("log_probabilities", "log_probability_rows", prompts, tokens)

    def logits(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return the logit of each token as the next one, as a model in this process tells them.

        Raises InputError when the model gives no logits.
        """
        if not hasattr(self.llm, "logits"):
            raise InputError(f"{self.name} gives no logits.")
        return self._rows("logits", "logit_rows", prompts, tokens)

    def _rows(
        self, whole: str, streamed: str, prompts: Sequence[str], tokens: Sequence[str]
    ) -> list[list[float]]:
        """Return the rows that are kept, and those that the model gives for the rest.

        whole, streamed  names of what gives the rows of all prompts, or each as it comes
        """
        wanted = ("" if whole == "log_probabilities" else whole) + json.dumps(list(tokens))
        keys = self._keys(f"{wanted}{json.dumps(each)}" for each in prompts)
        places, kept = _places(keys), self.store.read(keys)
        rows: list[list[float]] = [[]] * len(prompts)
        missing = []
        for key, positions in places.items():
            row = _row_in(kept.get(key), len(tokens))
            if row is None:
                missing.append(key)
                continue
            self.found(len(positions))
            for position in positions:
                rows[position] = row
        asked = [prompts[places[key][0]] for key in missing]
        for number, row in self._scored(whole, streamed, asked, tokens):
            positions = places[missing[number]]
            if not any(map(math.isnan, row)):
                self.store.write(missing[number], json.dumps(row))
            self.misses += len(positions)
            for position in positions:
                rows[position] = row
        return rows

    def close(self) -> None:
        """Close the file, and what the model has open."""
        self.store.close()
        if hasattr(self.llm, "close"):
            self.llm.close()

    def _keys(self, texts: Iterable[str], repeatable: Sequence[bool] | None = None) -> list[bytes]:
        start = hashlib.sha256(self._identity.encode())
        times: dict[bytes, int] = {}
        keys = []
        for number, text in enumerate(texts):
            digest = start.copy()
            digest.update(text.encode("utf-8", "surrogatepass"))
            key = digest.digest()
            if repeatable is not None and not repeatable[number]:
                times[key] = times.get(key, -1) + 1
                digest.update(f"#{times[key]}".encode())
                key = digest.digest()
            keys.append(key)
        return keys

    def _asked_in_a_list(self, requests: Mapping[bytes, Request]) -> Iterator[tuple[bytes, Answer]]:
        """Yield what the model answers, each kept as soon as it is there."""
        keys, asked = list(requests), list(requests.values())
        if is_elsewhere(self):
            arriving = self.llm.answers(
                asked, lambda place, until: self._asked(keys[place], asked[place], until)
            )
            yield from ((keys[place], answer) for place, answer in arriving)
            return
        for place, answer in self._answered_here(asked):
            self.keep(keys[place], answer)
            self.misses += 1
            yield keys[place], answer

    def _answered_here(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        if isinstance(self.llm, Answering):
            yield from self.llm.answers(requests)
            return
        for start in range(0, len(requests), _BLOCK):
            block = range(start, min(start + _BLOCK, len(requests)))
            yield from completed(self.llm, block, requests)

    def _scored(
        self, whole: str, streamed: str, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        if hasattr(self.llm, streamed):
            yield from getattr(self.llm, streamed)(prompts, tokens)
            return
        for start in range(0, len(prompts), _BLOCK):
            rows = getattr(self.llm, whole)(prompts[start : start + _BLOCK], tokens)
            yield from enumerate(rows, start)


def is_elsewhere(llm: Any) -> bool:
    """Tell whether a model is at an endpoint, so that it takes questions one by one."""
    return hasattr(llm.llm if isinstance(llm, CachedLLM) else llm, "connected")


def meter_of(llm: Any) -> Meter | None:
    """Return what books the calls of a model, however it is wrapped."""
    meter: Meter | None = _behind(llm, "meter")
    return meter


def _behind(llm: Any, name: str) -> Any:
    """Return what a model has by that name, however it is wrapped; None where none has it."""
    while llm is not None and not hasattr(llm, name):
        llm = getattr(llm, "llm", None)
    return getattr(llm, name, None)


def _repeatable(requests: Sequence[Request]) -> list[bool]:
    """Tell of which requests the same one has the same answer; others are samples of their own."""
    return [request.temperature == 0 or request.seed is not None for request in requests]


def _places(keys: Sequence[bytes]) -> dict[bytes, list[int]]:
    places: dict[bytes, list[int]] = {}
    for position, key in enumerate(keys):
        places.setdefault(key, []).append(position)
    return places


def _answer_in(text: str | None) -> Answer | None:
    try:
        return Answer.from_json(text) if isinstance(text, str) else None
    except (ValueError, TypeError, RecursionError, AttributeError, KeyError):
        return None  # written by a version that kept other fields, or damaged


def _row_in(text: str | None, length: int) -> list[float] | None:
    try:
        row = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, list) or len(row) != length:
        return None
    return row if all(type(each) in (int, float) for each in row) else None
