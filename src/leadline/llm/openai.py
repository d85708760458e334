"""Any OpenAI-compatible endpoint: hosted, vLLM, llama.cpp, Ollama, `transformers serve`."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Literal

from leadline.data.addresses import shown_address
from leadline.errors import InputError, needs
from leadline.llm import account, wire
from leadline.llm.cleaning import Cleaner
from leadline.llm.connection import (
    LONGEST_PAUSE,
    LOOK_AGAIN,
    Connection,
    Limits,
    given_up,
    wait_before,
)
from leadline.llm.quirks import Learned, may_be_a_setting
from leadline.llm.requests import Answer, Completing, Request
from leadline.llm.sending import (
    ERRORS,
    RESPONSE,
    Client,
    checked_url,
    headers_for,
    key_in,
    trouble_of,
)
from leadline.llm.token_counts import Tally, plausible
from leadline.llm.troubles import (
    ALWAYS,
    DEADLINE,
    HANGS,
    HUNG,
    LONGEST_DETAIL,
    RATE_LIMIT,
    TIMEOUT,
    Trouble,
    in_answer,
    the_end,
)
from leadline.progress import say, track

with needs("llm"):
    import openai

Mode = Literal["chat", "completion"]
_LONGEST_FINISH = 40
_CONNECTING = 15.0
"""Seconds in which a server must take a connection."""
_HUNG = 3
"""Timeouts of one prompt, while others are answered, after which it is left alone."""
_WORTH_SAYING = 30.0
"""Seconds of a pause from which on the user is told of it."""


class OpenAILLM(Completing):
    """A model behind an OpenAI-compatible endpoint; an `LLM` and a `TokenScorer`.

    A call that fails for good becomes a `Failure`, is counted in `tally`, and stops no other.
    Only what no other call can survive is raised: a refused key, an unknown model, an exhausted
    account, an address where nothing ever answered.
    """

    where = ""  # of a model in this process, which has no address that stays

    def __init__(
        self,
        base_url: str,
        model: str,
        key_env: str = "",
        *,
        mode: Mode = "chat",
        extra: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Remember an endpoint; nothing is sent yet.

        base_url  where the API starts, mostly ending in `/v1`
        key_env   name of the environment variable that holds the key; empty for none
        mode      `chat`, or `completion` for a prompt that goes to the model as it stands
        extra     further fields of every call's body
        limits    concurrency, times and retries

        Raises InputError when a value does not fit or the variable of the key is not set.
        """
        self.base_url = checked_url(base_url)
        self.name = self.model = model
        self.key_env = key_env
        self.mode: Mode = mode
        self.limits = limits or Limits()
        self.extra = dict(extra or {})
        self.tally = Tally()
        kept = account.current()
        self.meter = kept.meter(model, self.where or self.base_url) if kept else None
        self.learned = Learned(self.mode, self.extra)
        if self.meter is not None:  # what one stage has learned holds for all of the command
            known = self.meter.line.learned
            self.learned = known.setdefault(f"{mode} {sorted(self.extra)}", self.learned)
        self._key = key_in(key_env)
        self._connection: Connection | None = None

    @property
    def identity(self) -> str:
        """What an answer is kept by: its settings, whatever is learned of the server later."""
        return json.dumps({**self._own, "base_url": self.base_url}, sort_keys=True)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report shows: the address without what may be a key.

        `without` are settings that the server does not take, `refused` what it said of calls
        that it did not answer well.
        """
        without = sorted(self.quirks - {wire.RENAMED_LENGTH})
        learned = {"without": without, "refused": dict(self.tally.refused)}
        address = {"base_url": shown_address(self.base_url)}
        return {**{name: each for name, each in learned.items() if each}, **self._own, **address}

    @property
    def _own(self) -> dict[str, Any]:
        extra = {"extra": self.extra} if self.extra else {}
        return {"model": self.model, "mode": self.mode, **extra}

    @property
    def quirks(self) -> set[str]:
        """What the server was found to want otherwise."""
        return self.learned.quirks

    @property
    def failures(self) -> Mapping[str, int]:
        """Requests that failed for good, by kind of trouble."""
        return self.tally.failures

    def log_probabilities(
        self, prompts: Sequence[str], tokens: Sequence[str], *, top: int = 20
    ) -> list[list[float]]:
        """Return the log-probability of each token as the first of the answer.

        A token that is not among the `top` likeliest has -inf; the row of a call that failed is
        all NaN. Raises InputError when the endpoint gives no log-probabilities.
        """
        rows = dict(self.log_probability_rows(prompts, tokens, top=top))
        return [rows[position] for position in range(len(prompts))]

    def log_probability_rows(
        self, prompts: Sequence[str], tokens: Sequence[str], *, top: int = 20
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of each prompt with its row of `log_probabilities` as it arrives."""
        for position, answer in self.answers([Request(each, 1, top=top) for each in prompts]):
            if answer.failure:
                yield position, [float("nan")] * len(tokens)
            elif not answer.log_probabilities:
                raise self._no_log_probabilities()
            else:
                first = answer.log_probabilities[0]
                yield position, [first.get(token, float("-inf")) for token in tokens]

    def answers(
        self,
        requests: Sequence[Request],
        ask: Callable[[int, float], Awaitable[Answer]] | None = None,
    ) -> Iterator[tuple[int, Answer]]:
        """Yield the position of each request with its answer, in the order of arrival.

        ask  (position, time of the loop at which it ends) -> answer, in the place of our own `ask`

        Raises ModelError for trouble that no other call can survive, or when call after call
        fails; what arrived before it is yielded first.
        """
        meter = self.meter
        if meter is not None and meter.account.dry_run:
            return ((place, meter.plan(request)) for place, request in enumerate(requests))
        own = ask or (lambda place, until: self.ask(requests[place], until))
        note = str if meter is None else lambda: meter.note
        arriving = self.connected().arriving(own, len(requests))
        return track(arriving, f"Asking {self.name}", total=len(requests), note=note)

    def submit(self, request: Request) -> Future[Answer]:
        """Ask one thing beside others; its answer, or what `answers` raises, comes later."""
        if self.meter is not None and self.meter.account.dry_run:
            planned: Future[Answer] = Future()
            planned.set_result(self.meter.plan(request))
            return planned
        return asyncio.run_coroutine_threadsafe(self.ask(request), self.connected().loop)

    async def ask(self, request: Request, until: float = float("inf")) -> Answer:
        """Return the answer to a request, in the loop of the connection: the one loop of attempts.

        until  time of the loop at which it ends
        """
        connection, limits = self.connected(), self.limits
        clock = asyncio.get_running_loop().time
        until = min(until, clock() + limits.call_deadline)
        trouble = DEADLINE
        attempts = counted = hung = 0
        answered = self.tally.answered
        with connection.work():
            while clock() < until:
                began, quirks = clock(), frozenset(self.quirks)
                outcome = await self._attempt(request, quirks, until)
                if isinstance(outcome, Trouble) and may_be_a_setting(outcome, request, attempts):
                    outcome = await self._without_settings(
                        request, outcome, quirks, until, attempts
                    )
                elif isinstance(outcome, Answer):
                    self._learn(request, quirks, outcome)
                if isinstance(outcome, Answer):
                    connection.breaker.well()
                    return self._counted(outcome)
                trouble = outcome
                if trouble.end == ALWAYS or (
                    trouble.end and not await connection.proves(self._has_answered)
                ):
                    raise the_end(trouble, self.name, self.base_url, self.key_env)
                attempts += 1
                counted += trouble.kind != RATE_LIMIT
                hung += trouble is TIMEOUT
                if hung and request.is_suspect:
                    return self._counted(Answer("", failure=HANGS))
                if hung >= _HUNG and self.tally.answered > answered:
                    return self._counted(Answer("", failure=HUNG))
                jitter = Random(f"{limits.seed}:{attempts}:{request.fingerprint}")
                pause = max(trouble.pause, wait_before(attempts, jitter))
                is_last = (
                    not trouble.failure.transient
                    or counted > limits.retries
                    or clock() + pause >= until
                    or trouble.pause > LONGEST_PAUSE
                    or connection.is_stopping
                )
                why = connection.breaker.failed(trouble.failure, began, for_good=is_last)
                if why:
                    raise given_up(f"{self.name} at {self.base_url}", why, trouble.failure)
                if is_last:
                    break
                await asyncio.sleep(pause)
            if not trouble.heard and not connection.heard:
                raise the_end(trouble, self.name, self.base_url, self.key_env)
            return self._counted(Answer("", failure=trouble.failure))

    async def _attempt(self, request: Request, quirks: Set[str], until: float) -> Answer | Trouble:
        """Send a request once, when pace and budget allow it, and book what comes back."""
        connection, meter = self.connected(), self.meter
        try:
            async with asyncio.timeout_at(until):
                started = await connection.pace.start()
        except TimeoutError:
            return DEADLINE
        outcome: Answer | Trouble | None = None
        reserved: float | None = None
        try:
            while connection.doubting:
                await asyncio.sleep(LOOK_AGAIN)
            if connection.end is not None:
                raise connection.end
            if meter is not None:
                reserved = await meter.admit(request)
            connection.sending += 1
            try:
                outcome = await self._send(request, quirks, until)
            finally:
                connection.sending -= 1
        finally:  # also when the caller has gone away, which is no fault of the server
            if isinstance(outcome, Trouble) and outcome.overload:
                self._slow_down(started, outcome)
            if meter is not None and reserved is not None:
                meter.settle(reserved, request, outcome)
            connection.pace.end(well=isinstance(outcome, Answer))
        connection.heard = connection.heard or isinstance(outcome, Answer) or outcome.heard
        return outcome

    async def _send(self, request: Request, quirks: Set[str], until: float) -> Answer | Trouble:
        """Send a request and read what comes back, without key and escapes."""
        clean = Cleaner(self._key)
        path, arguments, read = wire.CALLS[self.mode]
        extra = {name: each for name, each in self.extra.items() if name not in quirks}
        body = {"model": self.model, **arguments(request, quirks), **extra}
        last = min(until, asyncio.get_running_loop().time() + self.limits.timeout)
        try:
            async with asyncio.timeout_at(last):
                # Through the typed methods of the SDK a call takes half as much processor again.
                reply = await self.connected().client.post(path, body=body, cast_to=RESPONSE)
            said = json.loads(reply.content)
            if isinstance(said, Mapping) and said.get("error") and not said.get("choices"):
                return in_answer(said, clean)
            answer = read(said)
        except TimeoutError:
            return TIMEOUT
        except ERRORS as error:
            return trouble_of(error, clean)
        if failure := answer.failure:
            detail = clean(failure.detail)[:LONGEST_DETAIL]
            answer = replace(answer, failure=replace(failure, detail=detail))
        places = answer.log_probabilities
        cleaned = replace(
            answer,
            text=clean.content(wire.up_to_stop(answer.text, request, quirks)),
            reasoning=clean.content(answer.reasoning),
            finish=clean(answer.finish)[:_LONGEST_FINISH],
            log_probabilities=clean.tops(places) if self._key else places,
        )
        return plausible(cleaned, request)

    async def _without_settings(
        self, request: Request, refusal: Trouble, quirks: Set[str], until: float, attempts: int
    ) -> Answer | Trouble:
        """Try a request without what the server may refuse.

        One call at a time learns, the others wait for what it finds. The first refusal is
        returned if nothing helps.
        """
        async with self.connected().learning:
            trying = self.learned.adaptions(request, refusal, quirks, self._no_log_probabilities)
            with suppress(StopIteration):
                tried = next(trying)
                while True:
                    outcome = await self._attempt(request, tried, until)
                    if isinstance(outcome, Answer):
                        self._learn(request, tried, outcome)
                        return outcome
                    if not may_be_a_setting(outcome, request, attempts):
                        return outcome
                    tried = trying.send(outcome)
        return refusal

    def _learn(self, request: Request, quirks: Set[str], answer: Answer) -> None:
        """Hold from now on what an answer has borne out, and say it."""
        lines, unusable = self.learned.learn(request, quirks, answer)
        for line in lines:
            say(f"{self.name} {line}")
        if unusable:
            said = (
                " ".join(Cleaner(self._key)(answer.text).split())[:LONGEST_DETAIL]
                or "(an empty text)"
            )
            self.tally.refused.setdefault(unusable, said)
            if self.meter is not None:
                self.meter.heard(unusable, said)

    def _counted(self, answer: Answer) -> Answer:
        self.tally.add(answer)
        return answer

    def _has_answered(self) -> bool:
        """Tell whether the endpoint is known to work: by an answer, also one that was kept."""
        elsewhere = self.meter is not None and self.meter.line.has_answered
        return self.connected().breaker.answered or self.tally.kept > 0 or elsewhere

    def _slow_down(self, started: int, trouble: Trouble) -> None:
        if trouble.pause > LONGEST_PAUSE:
            return  # that call fails; the others find out for themselves
        self.connected().pace.slow_down(started, trouble.pause)
        if trouble.pause >= _WORTH_SAYING:
            say(f"The endpoint asks to wait {trouble.pause:.0f} seconds ({trouble.failure}).")

    def stop(self) -> None:
        """Start no further attempt of what is asked now; calls under way are finished."""
        if self._connection is not None:
            self._connection.stop()

    def close(self) -> None:
        """Close the connections; the next call opens them again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def connected(self) -> Connection:
        """Return the connection of this process; it is opened at first."""
        if self._connection is None or self._connection.process != os.getpid():
            client = openai.AsyncOpenAI(
                base_url=self.base_url,
                api_key=self._key or "none",
                timeout=openai.Timeout(self.limits.timeout, connect=_CONNECTING),
                max_retries=0,  # a retry must be booked, paced, and told apart from a refusal
                default_headers=headers_for(self.base_url, self._key),
                http_client=Client(self.base_url),
            )
            self._connection = Connection(self.limits, client)
        return self._connection

    def __getstate__(self) -> dict[str, Any]:
        """Leave connections and key behind: another process takes its own key."""
        left = {"_connection": None, "_key": "", "meter": None}
        return {**self.__dict__, **left}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._key = key_in(self.key_env)

    def _no_log_probabilities(self, said: str = "") -> InputError:
        return InputError(
            f"{self.name} at {self.base_url} gives no log-probabilities. "
            "Use a server that does (vLLM, llama.cpp), or run the model locally."
            + (f" It said: {said}" if said else "")
        )
