"""Any OpenAI-compatible endpoint: hosted, vLLM, llama.cpp, Ollama, `transformers serve`."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Literal
from urllib.parse import urlsplit

from leadline.data.addresses import check_certificates, proxy_for, shown_address
from leadline.errors import InputError, needs
from leadline.llm import account, protocol
from leadline.llm.cleaning import Cleaner
from leadline.llm.connection import LONGEST_PAUSE, LOOK_AGAIN, Connection, Limits, wait_before
from leadline.llm.prices import plausible
from leadline.llm.protocol import Learned, UnreadableError, may_be_a_setting
from leadline.llm.requests import Answer, Completing, Failure, Request
from leadline.llm.troubles import (
    ALWAYS,
    DEADLINE,
    HANGS,
    LONGEST_DETAIL,
    LOST,
    RATE_LIMIT,
    STOPPED,
    TIMEOUT,
    Trouble,
    elsewhere,
    in_answer,
    the_end,
    trouble_of_status,
    unreadable,
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
MOST_BYTES = 32_000_000
"""Of one reply. Log-probabilities of a long answer take a few million."""
_OWN_HOST = "api.openai.com"
_HTTP = next(
    each.__module__.partition(".")[0]
    for each in openai.DefaultAsyncHttpxClient.__mro__
    if each.__name__ == "AsyncClient"
)
_RESPONSE: Any = sys.modules[_HTTP].Response
"""A reply as it came, in the package of HTTP that this version of the SDK is built on."""


class OpenAILLM(Completing):
    """A model behind an OpenAI-compatible endpoint; an `LLM` and a `TokenScorer`.

    A call that fails for good becomes a `Failure`, is counted in `failures`, and stops no other.
    Only what no other call can survive is raised: a refused key, an unknown model, an exhausted
    account, an address where nothing ever answered.

    line      books the calls
    failures  requests that failed for good, by kind of trouble
    refused   what the server said when it first refused a request, by kind of trouble
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
        self.failures: Counter[str] = Counter()
        self.refused: dict[str, str] = {}
        self.line = account.line_of(model, self.where or self.base_url)
        self.learned: Learned = self.line.learned.setdefault(  # by one stage for all of the command
            f"{mode} {sorted(self.extra)}", Learned(self.mode, self.extra)
        )
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
        without = sorted(self.quirks - {protocol.RENAMED_LENGTH})
        learned = {"without": without, "refused": dict(self.refused)}
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

    def log_probability_rows(
        self, prompts: Sequence[str], tokens: Sequence[str], *, top: int = 20
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of each prompt with its row of `log_probabilities` as it arrives.

        A token that is not among the `top` likeliest has -inf; the row of a call that failed is
        all NaN. Raises InputError when the endpoint gives no log-probabilities.
        """
        for position, answer in self.answers([Request(each, 1, top=top) for each in prompts]):
            if answer.failure:
                yield position, [float("nan")] * len(tokens)
            elif not answer.log_probabilities:
                raise self._no_log_probabilities()
            else:
                first = answer.log_probabilities[0]
                yield position, [first.get(token, float("-inf")) for token in tokens]

    def answers(
        self, requests: Sequence[Request], submit: Callable[[int], Future[Answer]] | None = None
    ) -> Iterator[tuple[int, Answer]]:
        """Yield the position of each request with its answer, in the order of arrival.

        submit  asks the request at a position, in the place of our own `submit`

        Raises ModelError for trouble that no other call can survive, or when call after call
        fails; what arrived before it is yielded first.
        """
        if self.line.account.dry_run:
            return ((place, self.line.plan(request)) for place, request in enumerate(requests))
        own = submit or (lambda place: self.submit(requests[place]))
        arriving = self.connected().arriving(own, len(requests))
        note = lambda: self.line.note  # noqa: E731
        return track(arriving, f"Asking {self.name}", total=len(requests), note=note)

    def submit(self, request: Request) -> Future[Answer]:
        """Ask one thing beside others; its answer, or what `answers` raises, comes later."""
        if self.line.account.dry_run:
            planned: Future[Answer] = Future()
            planned.set_result(self.line.plan(request))
            return planned
        return asyncio.run_coroutine_threadsafe(self.ask(request), self.connected().loop)

    async def ask(self, request: Request) -> Answer:
        """Return the answer to a request, in the loop of the connection: the loop of attempts."""
        connection, limits = self.connected(), self.limits
        clock = asyncio.get_running_loop().time
        until = clock() + limits.call_deadline
        trouble = DEADLINE
        attempts = counted = hung = 0
        answered = self.line.answered
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
                if trouble is STOPPED:
                    break
                if trouble.end == ALWAYS or (
                    trouble.end and not await connection.proves(self._has_answered)
                ):
                    raise the_end(trouble, self.name, self.base_url, self.key_env)
                attempts += 1
                counted += trouble.kind != RATE_LIMIT
                hung += trouble is TIMEOUT
                if hung >= _HUNG and self.line.answered > answered:
                    return self._counted(Answer("", failure=HANGS))
                jitter = Random(f"{attempts}:{request.fingerprint}")
                pause = max(trouble.pause, wait_before(attempts, jitter))
                is_last = (
                    not trouble.failure.transient
                    or counted > limits.retries
                    or clock() + pause >= until
                    or trouble.pause > LONGEST_PAUSE
                    or connection.is_stopping
                )
                where = f"{self.name} at {self.base_url}"
                connection.breaker.failed(where, trouble.failure, began, for_good=is_last)
                if is_last:
                    break
                await asyncio.sleep(pause)
            if not trouble.heard and not connection.heard:
                raise the_end(trouble, self.name, self.base_url, self.key_env)
            return self._counted(Answer("", failure=trouble.failure))

    async def _attempt(self, request: Request, quirks: Set[str], until: float) -> Answer | Trouble:
        """Send a request once, when pace and budget allow it, and book what comes back."""
        connection = self.connected()
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
            if connection.is_stopping:
                return STOPPED
            reserved = await self.line.admit(request)
            connection.sending += 1
            try:
                outcome = await self._send(request, quirks, until)
            finally:
                connection.sending -= 1
        finally:  # also when the caller has gone away, which is no fault of the server
            if isinstance(outcome, Trouble) and outcome.overload:
                self._slow_down(started, outcome)
            if reserved is not None:
                self.line.settle(reserved, request, outcome)
            connection.pace.end(well=isinstance(outcome, Answer))
        connection.heard = connection.heard or isinstance(outcome, Answer) or outcome.heard
        return outcome

    async def _send(self, request: Request, quirks: Set[str], until: float) -> Answer | Trouble:
        """Send a request and read what comes back, without key and escapes."""
        clean = Cleaner(self._key)
        path, arguments, read = protocol.CALLS[self.mode]
        extra = {name: each for name, each in self.extra.items() if name not in quirks}
        body = {"model": self.model, **arguments(request, quirks), **extra}
        last = min(until, asyncio.get_running_loop().time() + self.limits.timeout)
        try:
            async with asyncio.timeout_at(last):
                # Through the typed methods of the SDK a call takes half as much processor again.
                reply = await self.connected().client.post(path, body=body, cast_to=_RESPONSE)
            said = json.loads(reply.content)
            if isinstance(said, Mapping) and said.get("error") and not said.get("choices"):
                return in_answer(said, clean)
            answer = read(said)
        except TimeoutError:
            return TIMEOUT
        except _ERRORS as error:
            return _trouble_of(error, clean)
        if failure := answer.failure:
            detail = clean(failure.detail)[:LONGEST_DETAIL]
            answer = replace(answer, failure=replace(failure, detail=detail))
        places = answer.log_probabilities
        cleaned = replace(
            answer,
            text=clean.content(protocol.up_to_stop(answer.text, request, quirks)),
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
            said = " ".join(Cleaner(self._key)(answer.text).split())[:LONGEST_DETAIL]
            said = said or "(an empty text)"
            self.refused.setdefault(unusable, said)
            self.line.heard(unusable, said)

    def _counted(self, answer: Answer) -> Answer:
        if failure := answer.failure:
            self.failures[failure.kind] += 1
            if failure.status and failure.detail:
                self.refused.setdefault(failure.kind, failure.detail)
        return answer

    def _has_answered(self) -> bool:
        return self.connected().breaker.answered or self.line.has_answered

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
                default_headers=_headers_for(self.base_url, self._key),
                http_client=_Client(self.base_url),
            )
            self._connection = Connection(self.limits, client)
        return self._connection

    def __getstate__(self) -> dict[str, Any]:
        """Leave connections and key behind: another process takes its own key."""
        return {**self.__dict__, "_connection": None, "_key": "", "line": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.line = account.line_of(self.model, self.where or self.base_url)
        self._key = key_in(self.key_env)

    def _no_log_probabilities(self, said: str = "") -> InputError:
        return InputError(
            f"{self.name} at {self.base_url} does not return log-probabilities. Use a server that "
            "does (vLLM, llama.cpp), or run the model locally."
            + (f" It said: {said}" if said else "")
        )


class ElsewhereError(Exception):
    """The server sends us to another host, where neither prompts nor keys may go."""


class TooLongError(Exception):
    """A reply that does not end."""


_ERRORS = (
    openai.APIStatusError, openai.APIConnectionError, ElsewhereError, TooLongError, ValueError,
    RecursionError,
)  # fmt: skip
"""What a call may end in."""


class _Client(openai.DefaultAsyncHttpxClient):
    """Reads replies up to a length, and follows redirects within one host only."""

    def __init__(self, base_url: str) -> None:
        """Open the client. Raises InputError if its proxy or its certificates cannot be used."""
        self._home = _host_of(base_url)
        check_certificates()
        name, proxy = proxy_for(base_url)
        options: dict[str, Any] = {"proxy": proxy}
        if not proxy:  # with a transport of its own the client asks the environment for no proxy
            limits = openai.DEFAULT_CONNECTION_LIMITS
            options = {"transport": sys.modules[_HTTP].AsyncHTTPTransport(limits=limits)}
        try:
            super().__init__(event_hooks={"request": [self._check]}, **options)
        except ImportError as error:
            raise InputError(
                f"{name} names a SOCKS proxy. Run pip install '{_HTTP}[socks]', or unset {name}."
            ) from error
        except ValueError as error:
            raise InputError(
                f"{name} is not the address of a proxy, such as http://HOST:PORT."
            ) from error

    async def _check(self, request: Any) -> None:
        host = _host_of(str(request.url))
        if host != self._home:
            raise ElsewhereError(f"it redirects to {host[1]}:{host[2]}")

    async def send(self, request: Any, **options: Any) -> Any:
        """Send a request; the reply is whole, or there is an error."""
        reply = await super().send(request, **{**options, "stream": True})
        try:
            content = bytearray()
            async for part in reply.aiter_bytes(65_536):
                content += part
                if len(content) > MOST_BYTES:
                    raise TooLongError(f"more than {MOST_BYTES:,} bytes")
        finally:
            await reply.aclose()
        left_out = {"content-encoding", "content-length", "transfer-encoding"}
        headers = [each for each in reply.headers.multi_items() if each[0].lower() not in left_out]
        return type(reply)(
            reply.status_code, headers=headers, content=bytes(content), request=reply.request
        )


def _trouble_of(error: Exception, clean: Callable[[str], str]) -> Trouble:
    """Return what an error of a call means.

    clean  takes out of what the server said what nobody may see
    """
    if isinstance(error, openai.APIStatusError):
        return trouble_of_status(error.status_code, error.response.headers, error.body, clean)
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    if isinstance(cause, ElsewhereError):  # some versions of the SDK hide it
        return elsewhere(str(cause))
    if isinstance(cause, TooLongError | UnreadableError):
        return unreadable(str(cause))
    if isinstance(error, ValueError | RecursionError):
        return unreadable("not JSON")
    name = type(cause or error).__name__
    if isinstance(error, openai.APITimeoutError) and name != "ConnectTimeout":
        return TIMEOUT
    return Trouble(Failure(LOST, transient=True, detail=name), heard=False)


def _headers_for(url: str, key: str) -> Any:
    """Keep what the SDK reads from the environment to the one host that it is meant for."""
    if urlsplit(url).hostname == _OWN_HOST:
        return None
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    headers: dict[str, Any] = {
        name: openai.Omit() for name in ("OpenAI-Organization", "OpenAI-Project", *names)
    }
    for name in names:
        if name.lower() == "authorization":
            headers[name] = f"Bearer {key or 'none'}"
    return headers


def checked_url(url: str) -> str:
    """Return an address of an endpoint. Raises InputError if it is none, or holds a secret."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        secret = parts.username is not None or bool(parts.query)
    except ValueError:
        fits = secret = False
    if secret:
        raise InputError(
            "The address of an endpoint must not have a user, password or query. Put the key into "
            "an environment variable, and name it with key_env=NAME."
        )
    if not fits:
        raise InputError(f"{url!r} is not the address of an endpoint, such as http://HOST:PORT/v1.")
    return url.rstrip("/")


def key_in(name: str) -> str:
    """Return the key in an environment variable. What might itself be a key is not shown."""
    if not name:
        return ""
    shown = f" {name}" if re.fullmatch(r"[A-Z][A-Z0-9_]{0,63}", name) else ""
    if key := os.environ.get(name, "").strip():
        if key.isascii() and key.isprintable():
            return key
        raise InputError(f"The environment variable{shown} is not a key. Keys are plain ASCII.")
    raise InputError(
        f"The environment variable{shown} for the key is not set. key_env takes the name of a "
        "variable, not the key."
    )


def _host_of(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return (
        parts.scheme,
        parts.hostname or "",
        parts.port or (443 if parts.scheme == "https" else 80),
    )
