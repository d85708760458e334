"""A server that plays one fault, by name, to whoever asks it: what hosts and models do at worst.

Every fault says what a command has to make of it:

passing   it goes by: the command ends as if nothing had been (exit code 0)
useless   every answer comes and none can be used: the command says so (exit code 0 or 2)
outage    no answer comes: the server is given up, or every call fails (exit code 2)
fatal     no call can ever succeed: one line, after few calls (exit code 2)
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from llm_server import EndpointServer, Reply, refused, said

KEY = "sk-entirely-secret-0123456789abcdefgh"
PASSING, USELESS, OUTAGE, FATAL = "passing", "useless", "outage", "fatal"
ELSEWHERE = "http://elsewhere.invalid:9/v1/chat/completions"


@dataclass(frozen=True)
class Fault:
    """play  (what a good model says, how often this body came, calls so far) -> reply"""

    effect: str
    play: Callable[[str, int, int], Reply]


def _usage(good: str, **usage: object) -> Reply:
    reply = said(good)
    reply.body["usage"] = usage or None
    return reply


def _finish(good: str, finish: str) -> Reply:
    reply = said(good)
    reply.body["choices"][0]["finish_reason"] = finish
    return reply


def _always(text: str) -> Callable[[str, int, int], Reply]:
    return lambda *_: said(text)


def _first(bad: Reply, times: int = 1) -> Callable[[str, int, int], Reply]:
    """Play something bad the first times that a prompt comes."""
    return lambda good, count, _: bad if count <= times else said(good)


def _status(status: int, message: str, **headers: str) -> Callable[[str, int, int], Reply]:
    return lambda *_: refused(status, message, **headers)


def _late(bad: Reply) -> Callable[[str, int, int], Reply]:
    """Play well for the first call, then badly on every third."""
    return lambda good, _, calls: bad if calls % 3 == 0 and calls > 2 else said(good)


def _bomb() -> Reply:
    packed = gzip.compress(b" " * 100_000_000 + b"{}")
    return Reply(body=packed, headers={"content-encoding": "gzip"})


FAULTS: dict[str, Fault] = {
    "empty answers": Fault(USELESS, _always("")),
    "blank answers": Fault(USELESS, _always(" \n\t ")),
    "cut-off answers": Fault(USELESS, lambda good, *_: _finish(good[: len(good) // 2], "length")),
    "prose": Fault(USELESS, _always("I am sorry, but I cannot help with that.")),
    "another shape": Fault(USELESS, _always('{"other": [null, {"x": 1}]}')),
    "deep nesting": Fault(USELESS, _always("[" * 100_000)),
    "closed deep nesting": Fault(USELESS, _always("[" * 900 + "]" * 900)),
    "quotes and backslashes": Fault(USELESS, _always('"\\' * 32_000)),
    "brackets and commas": Fault(USELESS, _always("{[, " * 50_000)),
    "fences": Fault(USELESS, _always("```\n" * 30_000)),
    "a number of 400 digits": Fault(USELESS, _always('{"facts": ' + "9" * 400 + "}")),
    "a number beyond floats": Fault(USELESS, _always('{"facts": [1e999, NaN]}')),
    "half a surrogate pair": Fault(USELESS, _always('half \ud83d and {"facts": ["\\ud83d"]}')),
    "terminal escapes": Fault(USELESS, _always("\x1b]0;title\x07\x1b[31mred\x1b[2J")),
    "markup": Fault(USELESS, _always("<script>alert(1)</script><img src=x onerror=alert(1)>")),
    "the key in the answer": Fault(USELESS, _always(f"your key is {KEY}")),
    "the key as finish": Fault(PASSING, lambda good, *_: _finish(good, KEY)),
    "refusals": Fault(USELESS, lambda *_: said("", refusal="I will not.")),
    "no text": Fault(OUTAGE, lambda *_: said(None)),
    "a web page": Fault(OUTAGE, lambda *_: Reply(body="<html>hello</html>")),
    "no choices": Fault(OUTAGE, lambda *_: Reply(body={"choices": []})),
    "a list": Fault(OUTAGE, lambda *_: Reply(body=[1, 2])),
    "a reply of 60 MB": Fault(OUTAGE, lambda *_: Reply(body=b" " * 60_000_000)),
    "a gzip bomb": Fault(OUTAGE, lambda *_: _bomb()),
    "cut replies": Fault(OUTAGE, lambda good, *_: Reply(body=said(good).body, cut=True)),
    "dropped lines": Fault(OUTAGE, lambda *_: Reply(drop=True)),
    "a hang": Fault(OUTAGE, lambda good, *_: Reply(body=said(good).body, seconds=10.0)),
    "500": Fault(OUTAGE, _status(500, "broken")),
    "503": Fault(OUTAGE, _status(503, "busy")),
    "429 for a day": Fault(OUTAGE, _status(429, "later", retry_after="86400")),
    "429 once": Fault(PASSING, _first(refused(429, "slower"))),
    "500 once": Fault(PASSING, _first(refused(500, "hiccup"))),
    "a cut reply once": Fault(PASSING, _first(Reply(body={"choices": []}, cut=True))),
    "401": Fault(FATAL, _status(401, f"bad key {KEY}")),
    "401 with a long text": Fault(FATAL, _status(401, "x" * 165 + KEY + " is no key")),
    "402": Fault(FATAL, _status(402, "pay first")),
    "403": Fault(FATAL, _status(403, "not in your country")),
    "404": Fault(FATAL, _status(404, "no such model")),
    "a redirect to another host": Fault(FATAL, lambda *_: Reply(307, {}, {"location": ELSEWHERE})),
    "403 for some": Fault(PASSING, _late(refused(403, "moderated"))),
    "404 for some": Fault(PASSING, _late(refused(404, "lost"))),
    "400 that quotes temperature for some": Fault(
        PASSING, _late(refused(400, "The prompt was: which temperature is not supported?"))
    ),
    "400": Fault(USELESS, _status(400, "no")),
    "negative tokens": Fault(
        PASSING, lambda good, *_: _usage(good, prompt_tokens=-5, completion_tokens=-9)
    ),
    "no tokens": Fault(PASSING, lambda good, *_: _usage(good)),
    "absurd tokens": Fault(
        PASSING, lambda good, *_: _usage(good, prompt_tokens=10**12, completion_tokens=1e300)
    ),
    "tokens as text": Fault(
        PASSING, lambda good, *_: _usage(good, prompt_tokens="3", completion_tokens=True)
    ),
}


def _completion(body: object) -> object:
    """Return the body of a chat reply as that of a plain completion, with its first token."""
    if not isinstance(body, dict) or not body.get("choices"):
        return body
    choices = []
    for choice in body["choices"]:
        text = choice["message"]["content"]
        tops = [{text[:20]: -0.1, " other": -3.0}] if text else []
        likeliest = {"true": -0.1, "false": -2.0} if text == "true" else None
        told = {"top_logprobs": [likeliest] if likeliest else tops}
        choices.append({**choice, "text": text, "logprobs": told})
    return {**body, "choices": choices}


class FaultyServer(EndpointServer):
    """Plays one fault, or what a good model says if `fault` is None.

    good  what a good model says to the question that a conversation begins with
    well  how often it gave what a good model says, by body
    """

    def __init__(self, name: str, good: Callable[[str], str]) -> None:
        self.times: Counter[str] = Counter()
        self.well: Counter[str] = Counter()
        self.fault: Fault | None = FAULTS[name]
        self.good = good
        super().__init__(lambda *_: Reply())

    def reply(self, body: dict, _: int) -> Reply:
        turns = [turn["content"] for turn in body.get("messages", ()) if turn["role"] == "user"]
        good = self.good(body["prompt"] if "prompt" in body else turns[0])
        key = json.dumps(body)
        with self.lock:
            self.times[key] += 1
            times, calls = self.times[key], self.times.total()
        reply = self.fault.play(good, times, calls) if self.fault else said(good)
        said_well = isinstance(reply.body, dict) and reply.body.get("choices") and (
            reply.body["choices"][0]["message"]["content"] == good
        )  # fmt: skip
        is_whole = reply.status == 200 and not (reply.cut or reply.drop or reply.seconds)
        with self.lock:
            self.well[key] += bool(is_whole and said_well)
        return replace(reply, body=_completion(reply.body)) if "prompt" in body else reply
