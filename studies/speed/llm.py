"""What Leadline adds to calls of an endpoint, and how fast its cache answers.

* calls     2,000 chat calls at concurrency 64 to a server of its own process that answers each
            after 50 ms: the bare openai package, Leadline without and with its cache, in turns
* look-ups  20,000 prompts of about 100 words, all of them kept
* slow      2,000 calls of the engine at concurrency 32 to a server that takes 5 s for 40 of
            them, at places drawn by a seed, and 50 ms for the others; half depend on another

Targets: the slow calls take at most 1.5 times what 32 slots need when none stands idle, in the
median of three seeds; calls with the cache take at most 1.25 times the bare package, in the median
of the pairs; at least 20,000 look-ups a second, in the best run. The script fails when one is
missed. Beside the slow calls stands what 32 slots need for calls in that order when a call takes no
work at all: nobody knows beforehand which call is slow, and one that comes late ends late.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import openai

from leadline.llm.cached import CachedLLM
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, run
from leadline.llm.pipeline.steps import Asks, Question
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Request
from leadline.llm.run_record import RunRecord

CALLS, CONCURRENCY, LATENCY = 2000, 64, 0.05
LOOKUPS = 20_000
ROUNDS = 5
ALLOWED, WANTED = 1.25, 20_000
SLOTS, SLOW_ALLOWED = 32, 1.5
SLOW, SLOW_SHARE, SEEDS = 5.0, 0.02, (0, 1, 2)

SERVER = """
import asyncio, itertools, json, sys
seconds = itertools.cycle(json.loads(sys.argv[1]))
choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}
usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
body = json.dumps({"id": "x", "object": "chat.completion", "created": 1, "model": "m",
                   "choices": [choice], "usage": usage}).encode()
head = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n"
reply = head % len(body) + body

async def answer(reader, writer):
    try:
        while True:
            lines = (await reader.readuntil(b"\\r\\n\\r\\n")).lower().split(b"\\r\\n")
            length = next(each for each in lines if each.startswith(b"content-length"))
            await reader.readexactly(int(length.split(b":")[1]))
            await asyncio.sleep(next(seconds))
            writer.write(reply)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""

PROMPTS = [f"prompt {number} " + "word " * 50 for number in range(CALLS)]


def main() -> int:
    with _server([LATENCY]) as url:
        ratio = calls(url)
    held = median(slow(seed) for seed in SEEDS)
    rate = lookups()
    print(f"slow calls / ideal = {held:.2f} (allowed {SLOW_ALLOWED})")
    print(f"calls with cache / bare = {ratio:.2f} (allowed {ALLOWED})")
    print(f"look-ups = {rate:,.0f} a second (wanted {WANTED:,})")
    return int(ratio > ALLOWED or rate < WANTED or held > SLOW_ALLOWED)


@contextmanager
def _server(seconds: list[float]) -> Iterator[str]:
    """Yield the address of a server that takes these seconds for its calls, over and over."""
    command = [sys.executable, "-c", SERVER, json.dumps(seconds)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    finally:
        server.kill()


def slow(seed: int) -> float:
    """Return the time of 2,000 calls, 2 % of them slow, as a multiple of the ideal."""
    many = round(SLOW_SHARE * CALLS)
    taken = [SLOW] * many + [LATENCY] * (CALLS - many)
    random.Random(seed).shuffle(taken)
    ideal = sum(taken) / SLOTS
    with _server(taken) as url:
        seconds, worked = _engine(url)
        bare = _seconds(lambda: asyncio.run(_bare(url, SLOTS)))  # no call waits for another there
    print(
        f"slow calls {seconds:.1f} s ({seconds / ideal:.2f} x), bare package {bare:.1f} s "
        f"({bare / ideal:.2f} x), without any work {_in_order(taken):.1f} s "
        f"({_in_order(taken) / ideal:.2f} x), ideal {ideal:.1f} s; "
        f"{worked / CALLS * 1000:.1f} ms of the processor a call"
    )
    return seconds / ideal


def _engine(url: str) -> tuple[float, float]:
    """Return the seconds of 2,000 calls of the engine, and those of the processor."""
    one = Asks("one", Prompt("one", "one $n"), str, "hi", 9)
    two = Asks("two", Prompt("two", "two $n"), str, "hi", 9)

    async def make(record: Record, n: str) -> str:
        await record.ask(one, Question({"n": n}))
        return await record.ask(two, Question({"n": n}))

    names = [str(number) for number in range(CALLS // 2)]
    with tempfile.TemporaryDirectory() as folder:
        endpoint = OpenAILLM(url, "m", limits=Limits(concurrency=SLOTS))
        llm = CachedLLM(endpoint, Path(folder) / "answers.sqlite")
        pipeline = Pipeline("", (one, two), make)
        sources = zip(names, names, strict=True)
        worked = time.process_time()
        seconds = _seconds(lambda: list(run(pipeline, sources, {"writer": llm}, RunRecord("slow"))))
        worked = time.process_time() - worked
        assert endpoint.line.calls == llm.misses == CALLS
        llm.close()
    return seconds, worked


def _in_order(taken: list[float]) -> float:
    """Return when the last of these calls ends, each begun as soon as a slot is free."""
    slots = [0.0] * SLOTS
    for seconds in taken:
        heapq.heapreplace(slots, slots[0] + seconds)
    return max(slots)


def calls(url: str) -> float:
    """Return the median ratio of calls with the cache to bare ones."""
    ratios = []
    print(f"at best {CALLS / CONCURRENCY * LATENCY:.2f} s")
    for _ in range(ROUNDS):
        bare = _seconds(lambda: asyncio.run(_bare(url)))
        ours = _seconds(lambda: _ours(url, keep=False))
        kept = _seconds(lambda: _ours(url, keep=True))
        ratios.append(kept / bare)
        print(
            f"bare {bare:.2f} s, leadline {ours:.2f} s ({ours / bare:.2f} x), "
            f"with cache {kept:.2f} s ({kept / bare:.2f} x)"
        )
    return median(ratios)


class _Echo:
    """A model that says the beginning of its prompt."""

    name = "echo"

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        return ((place, Answer(each.text[:20])) for place, each in enumerate(requests))

    def complete(self, prompts: Sequence[str], **_: object) -> list[str]:
        return [each[:20] for each in prompts]


def lookups() -> float:
    """Return the most look-ups a second."""
    prompts = [f"prompt number {number} " + "word " * 100 for number in range(LOOKUPS)]
    with tempfile.TemporaryDirectory() as folder:
        llm = CachedLLM(_Echo(), Path(folder) / "answers.sqlite")
        llm.complete(prompts, max_tokens=9)
        seconds = [_seconds(lambda: llm.complete(prompts, max_tokens=9)) for _ in range(ROUNDS)]
        assert llm.misses == LOOKUPS
        llm.close()
    return LOOKUPS / min(seconds)


async def _bare(url: str, concurrency: int = CONCURRENCY) -> None:
    client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    waiting = iter(PROMPTS)

    async def work() -> None:
        for prompt in waiting:
            turns: list[openai.types.chat.ChatCompletionMessageParam] = [
                {"role": "user", "content": prompt}
            ]
            await client.chat.completions.create(
                model="m", messages=turns, max_tokens=9, temperature=0.0
            )

    await asyncio.gather(*(work() for _ in range(concurrency)))
    await client.close()


def _ours(url: str, *, keep: bool) -> None:
    endpoint = OpenAILLM(url, "m", limits=Limits(concurrency=CONCURRENCY))
    with tempfile.TemporaryDirectory() as folder:
        llm = CachedLLM(endpoint, Path(folder) / "answers.sqlite") if keep else endpoint
        assert llm.complete(PROMPTS, max_tokens=9) == ["hi"] * CALLS
        llm.close()


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
