"""One question at a time to any model, many under way: looked up, asked, and kept.

For code that runs in an event loop. A model elsewhere is asked at once; one in this process gets
whatever has come together while the loop was busy.
"""

from __future__ import annotations

import asyncio
from typing import Any

from leadline.llm.cached import CachedLLM, meter_of
from leadline.llm.requests import Answer, Keeping, Request, raw_answers_of
from leadline.llm.sharing import claimed
from leadline.types import LLM

_GATHERING = 0.005
"""Seconds in which questions to a model in this process come together."""

_MOST_TOGETHER = 256


class Desk:
    """Takes questions for one model. All methods but `stop` belong to one event loop."""

    def __init__(self, llm: LLM) -> None:
        self.llm = llm
        self._cache = llm if isinstance(llm, CachedLLM) else None
        self._model: Any = self._cache.llm if self._cache else llm
        self._under_way: dict[bytes, asyncio.Future[Answer]] = {}
        self._is_stopping = False
        self._waiting: list[tuple[Request, asyncio.Future[Answer]]] = []

    async def answer(self, request: Request) -> Answer:
        """Return the answer, which may hold a failure.

        The same request is sent once, however often it is asked at a time.

        Raises what the model raises when no call can succeed.
        """
        cache = self._cache
        if cache is None:
            return await self._asked(request)
        key = cache.key_of(request)
        if key in self._under_way:
            return await asyncio.shield(self._under_way[key])
        kept = cache.kept(key, request)
        if isinstance(kept, Answer):
            cache.found(1)
            return kept
        meter = meter_of(cache)
        if meter is not None and meter.account.dry_run:  # stand-in answers make questions equal
            return await self._asked(kept)
        promise = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            answer = await self._asked_once(cache, key, kept)
        except BaseException as error:
            cache.store.give_back(key)
            promise.set_exception(error)
            promise.exception()  # nobody else may be waiting for it
            raise
        finally:
            del self._under_way[key]
        promise.set_result(answer)
        return answer

    def stop(self) -> None:
        """Start no further attempt of what is asked now; calls under way are finished."""
        self._is_stopping = True
        if isinstance(self._model, Keeping):
            self._model.stop()

    async def _asked_once(self, cache: CachedLLM, key: bytes, request: Request) -> Answer:
        """Ask, unless another process does: then its answer is waited for."""
        if isinstance(self._model, Keeping):
            found = await claimed(lambda: cache.claim(key, request), lambda: self._is_stopping)
            if found is not None:
                return found
        answer = await self._asked(request)
        cache.keep(key, answer)
        cache.misses += 1
        return answer

    async def _asked(self, request: Request) -> Answer:
        if isinstance(self._model, Keeping):
            return await asyncio.wrap_future(self._model.submit(request))
        loop = asyncio.get_running_loop()
        promise: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((request, promise))
        if len(self._waiting) == 1:
            loop.call_later(_GATHERING, self._ask_together)
        return await promise

    def _ask_together(self) -> None:
        together = self._waiting[:_MOST_TOGETHER]
        self._waiting = self._waiting[_MOST_TOGETHER:]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._ask_together)
        try:
            answers = raw_answers_of(self._model, [request for request, _ in together])
        except BaseException as error:
            for _, promise in together:
                if not promise.done():
                    promise.set_exception(error)
            return
        for (_, promise), answer in zip(together, answers, strict=True):
            if not promise.done():
                promise.set_result(answer)
