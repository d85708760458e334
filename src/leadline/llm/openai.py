"""Any OpenAI-compatible endpoint: hosted, vLLM, llama.cpp, Ollama, `transformers serve`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Literal
from urllib.parse import urlsplit

from leadline.errors import InputError, needs
from leadline.files.addresses import proxy_for, shown_address
from leadline.llm import account, wire
from leadline.llm.breaker import OutageError
from leadline.llm.cleaning import Cleaner
from leadline.llm.connection import Connection, Limits
from leadline.llm.quirks import Learned
from leadline.llm.requests import Answer, Failure, Keeper, Request
from leadline.llm.sending import RESPONSE, Client, ElsewhereError, TooLongError, headers_for
from leadline.llm.troubles import (
    ELSEWHERE,
    KEY_REFUSED,
    LOST,
    NOT_ALLOWED,
    NOT_FOUND,
    NOTHING_LEFT,
    TIMEOUT,
    Trouble,
    elsewhere,
    in_answer,
    trouble_of_status,
    unreadable,
)
from leadline.llm.usage import Tally, plausible
from leadline.progress import say, track

with needs("llm"):
    import openai

Mode = Literal["chat", "completion"]
_LONGEST_FINISH = 40
_CONNECTING = 15.0
"""Seconds in which a server must take a connection."""


class OpenAILLM:
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
        self.base_url = _checked_url(base_url)
        self.name = self.model = model
        self.key_env = key_env
        self.mode: Mode = mode
        self.limits = limits or Limits()
        self.extra = dict(extra or {})
        self.learned = Learned(self.mode, self.extra)
        self.tally = Tally()
        kept = account.current()
        self.meter = kept.meter(model, self.where or self.base_url) if kept else None
        self._key = _key_in(key_env)
        self._connection: Connection | None = None

    @property
    def identity(self) -> str:
        """What an answer is kept by: its settings, whatever is learned of the server later."""
        return json.dumps({**self._own, "base_url": self.base_url}, sort_keys=True)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells: the address without what may be a key.

        `without` are settings that the server does not take, `refused` what it says of calls
        that it refused.
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

    def complete(
        self, prompts: Sequence[str], *, max_tokens: int, temperature: float = 0.0
    ) -> list[str]:
        """Return one completion for each prompt, in order; a `Failure` where there is none."""
        requests = [Request(prompt, max_tokens, temperature) for prompt in prompts]
        return [answer.completion for answer in self._in_order(requests)]

    def complete_with_log_probabilities(
        self,
        prompts: Sequence[str],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        stop: Sequence[str] = (),
        top: int = 20,
    ) -> list[Answer]:
        """Return answers with the `top` likeliest tokens at every place, in order.

        Raises InputError when the endpoint gives no log-probabilities.
        """
        requests = [
            Request(prompt, max_tokens, temperature, stop=tuple(stop), top=top)
            for prompt in prompts
        ]
        answers = self._in_order(requests)
        if any(answer.completion_tokens and not answer.log_probabilities for answer in answers):
            raise self._no_log_probabilities()
        return answers

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
        self, requests: Sequence[Request], keeper: Keeper | None = None
    ) -> Iterator[tuple[int, Answer]]:
        """Yield the position of each request with its answer, in the order of arrival.

        keeper  keeps each as soon as it is there, before it is yielded

        Raises InputError for trouble that no other call can survive, and OutageError when call
        after call fails; what arrived before it is yielded first.
        """
        meter = self.meter
        if meter is not None and meter.account.dry_run:
            return ((place, meter.plan(request)) for place, request in enumerate(requests))
        note = str if meter is None else lambda: meter.note
        arriving = self._connected().answers(requests, keeper)
        return track(arriving, f"Asking {self.name}", total=len(requests), note=note)

    def submit(self, request: Request) -> Future[Answer]:
        """Ask one thing beside others; its answer, or what `answers` raises, comes later."""
        meter = self.meter
        if meter is not None and meter.account.dry_run:
            planned: Future[Answer] = Future()
            planned.set_result(meter.plan(request))
            return planned
        return self._connected().submit(request)

    def stop(self) -> None:
        """Start no further attempt of what is asked now; calls under way are finished."""
        if self._connection is not None:
            self._connection.stop()

    def close(self) -> None:
        """Close the connections; the next call opens them again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave connections and key behind: another process takes its own key."""
        return {**self.__dict__, "_connection": None, "_key": "", "meter": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._key = _key_in(self.key_env)

    def _in_order(self, requests: Sequence[Request]) -> list[Answer]:
        found = dict(self.answers(requests))
        return [found[position] for position in range(len(requests))]

    def _connected(self) -> Connection:
        if self._connection is None or self._connection.process != os.getpid():
            self._connection = Connection(_Caller(self), self.limits, self.tally, self.meter)
        return self._connection

    def _no_log_probabilities(self, said: str = "") -> InputError:
        return InputError(
            f"{self.name} at {self.base_url} gives no log-probabilities. "
            "Use a server that does (vLLM, llama.cpp), or run the model locally."
            + (f" It said: {said}" if said else "")
        )


class _Caller:
    """One attempt at a time, and what is known of the server."""

    def __init__(self, llm: OpenAILLM) -> None:
        self._llm = llm
        self._clean = Cleaner(llm._key)
        self._client = openai.AsyncOpenAI(
            base_url=llm.base_url,
            api_key=llm._key or "none",
            timeout=openai.Timeout(llm.limits.timeout, connect=_CONNECTING),
            max_retries=0,
            default_headers=headers_for(llm.base_url, llm._key),
            http_client=Client(llm.base_url),
        )

    async def send(self, request: Request, tried: Set[str] = frozenset()) -> Answer | Trouble:
        """Send a request and read what comes back, without key and escapes."""
        outcome = await self._sent(request, quirks := self._llm.quirks | tried)
        if isinstance(outcome, Trouble):
            return outcome
        clean = self._clean
        places = outcome.log_probabilities
        return plausible(
            replace(
                outcome,
                text=clean.content(wire.up_to_stop(outcome.text, request, quirks)),
                reasoning=clean.content(outcome.reasoning),
                finish=clean(outcome.finish)[:_LONGEST_FINISH],
                log_probabilities=clean.tops(places) if self._llm._key else places,
            ),
            request,
        )

    async def _sent(self, request: Request, quirks: Set[str]) -> Answer | Trouble:
        llm = self._llm
        if llm.mode == "chat":
            path, read = "/chat/completions", wire.chat_answer
            arguments = wire.chat_arguments(request, quirks)
        else:
            path, read = "/completions", wire.completion_answer
            arguments = wire.completion_arguments(request, quirks)
        extra = {name: each for name, each in llm.extra.items() if name not in quirks}
        body = {"model": llm.model, **arguments, **extra}
        try:
            # Through the typed methods of the SDK a call takes half as much again of the processor.
            reply = await self._client.post(path, body=body, cast_to=RESPONSE)
            said = json.loads(reply.content)
            if isinstance(said, Mapping) and said.get("error") and not said.get("choices"):
                return in_answer(said, self._clean)
            return read(said)
        except openai.APIStatusError as error:
            headers, said = error.response.headers, error.body
            return trouble_of_status(error.status_code, headers, said, self._clean)
        except openai.APIConnectionError as error:  # a timeout is one too
            if isinstance(error.__cause__, ElsewhereError | TooLongError):
                return _of_client(error.__cause__)
            cause = type(error.__cause__ or error).__name__
            if isinstance(error, openai.APITimeoutError) and cause != "ConnectTimeout":
                return TIMEOUT
            return Trouble(Failure(LOST, transient=True, detail=cause), heard=False)
        except (ElsewhereError, TooLongError) as error:  # some versions of the SDK hide them
            return _of_client(error)
        except wire.UnreadableError as error:
            return unreadable(str(error))
        except (ValueError, RecursionError):
            return unreadable("not JSON")

    def adaptions(
        self, request: Request, refusal: Trouble, known: Set[str]
    ) -> Generator[Set[str], Trouble, None]:
        """Yield what to try next without what the server may refuse; takes what it says then."""
        return self._llm.learned.adaptions(request, refusal, known, self._llm._no_log_probabilities)

    def known(self) -> Set[str]:
        """Return what the server is known to want otherwise."""
        return frozenset(self._llm.quirks)

    def learn(self, request: Request, quirks: Set[str]) -> None:
        """Hold from now on what an answer has borne out, and say it."""
        for line in self._llm.learned.learn(request, quirks):
            say(f"{self._llm.name} {line}")

    def end(self, trouble: Trouble) -> InputError:
        """Return the one line that says what is wrong with the endpoint."""
        llm = self._llm
        where = f"{llm.name} at {llm.base_url}"
        said = trouble.failure.detail
        detail = f" It said: {said}" if said and trouble.heard else ""
        if trouble.kind == KEY_REFUSED and llm.key_env:
            return InputError(f"{where} refused the key in ${llm.key_env}.{detail}")
        if trouble.kind == KEY_REFUSED:
            way_out = "name the environment variable that holds it (key_env=NAME)"
            return InputError(f"{where} wants a key: {way_out}.{detail}")
        if trouble.kind == NOT_ALLOWED:
            way_out = "is the model open to this key, and to this address of yours?"
            return InputError(f"{where} allows no call: {way_out}{detail}")
        if trouble.kind == NOT_FOUND:
            way_out = "check the address and the name of the model"
            return InputError(f"{where} was not found: {way_out}.{detail}")
        if trouble.kind == ELSEWHERE:
            return InputError(
                f"{where} does not answer itself: {said}. Give that address, if you trust it."
            )
        if trouble.kind == NOTHING_LEFT:
            return InputError(f"The account of {where} has nothing left to spend.{detail}")
        name, proxy = proxy_for(llm.base_url)
        way = f", by the proxy {shown_address(proxy)} of {name}" if proxy else ""
        first = "the proxy and the server" if proxy else "the server"
        return InputError(
            f"Nothing answers for {where}{way} ({trouble.failure}). "
            f"Is {first} running, and is the address right?"
        )

    def give_up(self, why: str, trouble: Trouble) -> OutageError:
        """Return the one line for a server that fails call after call."""
        llm, said = self._llm, trouble.failure.detail
        detail = f" It last said: {said}." if said else ""
        return OutageError(
            f"{llm.name} at {llm.base_url} is given up: {why}.{detail} Answers so far are kept: "
            "when the server is well, run the same command again, and it goes on from there."
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _of_client(error: ElsewhereError | TooLongError) -> Trouble:
    said = str(error)
    return elsewhere(said) if isinstance(error, ElsewhereError) else unreadable(said)


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        secret = parts.username is not None or bool(parts.query)
    except ValueError:
        fits = secret = False
    if secret:
        raise InputError(
            "The address of an endpoint must hold no user, password or query: "
            "name the environment variable of the key instead (key_env=NAME)."
        )
    if not fits:
        raise InputError(f"{url!r} is no address of an endpoint: http://HOST:PORT/v1, for example.")
    return url.rstrip("/")


def _key_in(name: str) -> str:
    """Return the key in an environment variable. What might itself be a key is not shown."""
    if not name:
        return ""
    shown = f" {name}" if re.fullmatch(r"[A-Z][A-Z0-9_]{0,63}", name) else ""
    if key := os.environ.get(name, "").strip():
        if key.isascii() and key.isprintable():
            return key
        raise InputError(f"The environment variable{shown} holds no key: keys are plain ASCII.")
    raise InputError(
        f"The environment variable{shown} that should hold the key is not set. "
        "key_env takes the name of a variable, not the key."
    )
