"""What Leadline adds to calls of an endpoint, and how fast its cache answers.

* calls     2,000 chat calls at concurrency 64 to a server of its own process that answers each
            after 50 ms: the bare openai package, Leadline without and with its cache, in turns
* look-ups  20,000 prompts of about 100 words, all of them kept
* slow      2,000 calls of the engine at concurrency 32 to a server that takes 5 s for 2 % of them
            and 50 ms for the others; half of the calls depend on another

Targets: the slow calls take at most 1.5 times what 32 slots need when none stands idle; calls
with the cache take at most 1.25 times the bare package, in the median of the pairs; at least
20,000 look-ups a second, in the best run. The script fails when one is missed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import openai

from leadline.llms.cached import CachedLLM
from leadline.llms.connection import Limits
from leadline.llms.openai import OpenAILLM
from leadline.llms.scripted import ScriptedLLM
from leadline.prompt import Prompt
from leadline.synthesis.engine.record import Record
from leadline.synthesis.engine.running import Pipeline, run
from leadline.synthesis.engine.steps import Asks, Question
from leadline.synthesis.run_record import RunRecord

CALLS, CONCURRENCY, LATENCY = 2000, 64, 0.05
LOOKUPS = 20_000
ROUNDS = 5
ALLOWED, WANTED = 1.25, 20_000
SLOTS, SLOW_ALLOWED = 32, 1.5

SERVER = """
import asyncio, json, sys, zlib
latency = float(sys.argv[1])
slow = len(sys.argv) > 2
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
            sent = await reader.readexactly(int(length.split(b":")[1]))
            await asyncio.sleep(5 if slow and zlib.crc32(sent) % 50 == 0 else latency)
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
    with _server() as url:
        ratio = calls(url)
    with _server("slow") as url:
        held = slow(url)
    rate = lookups()
    print(f"slow calls / ideal = {held:.2f} (allowed {SLOW_ALLOWED})")
    print(f"calls with cache / bare = {ratio:.2f} (allowed {ALLOWED})")
    print(f"look-ups = {rate:,.0f} a second (wanted {WANTED:,})")
    return int(ratio > ALLOWED or rate < WANTED or held > SLOW_ALLOWED)


@contextmanager
def _server(*words: str) -> Iterator[str]:
    command = [sys.executable, "-c", SERVER, str(LATENCY), *words]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    finally:
        server.kill()


def slow(url: str) -> float:
    """Return the time of 2,000 calls, 2 % of them slow, as a multiple of the ideal."""
    one = Asks("one", Prompt("one", "one $n"), str, "hi", 9)
    two = Asks("two", Prompt("two", "two $n"), str, "hi", 9)

    async def make(record: Record, n: str) -> str:
        await record.ask(one, Question({"n": n}))
        return await record.ask(two, Question({"n": n}))

    names = [str(number) for number in range(CALLS // 2)]
    ideal = CALLS * (0.98 * LATENCY + 0.02 * 5) / SLOTS
    with tempfile.TemporaryDirectory() as folder:
        endpoint = OpenAILLM(url, "m", limits=Limits(concurrency=SLOTS))
        llm = CachedLLM(endpoint, Path(folder) / "answers.sqlite")
        pipeline = Pipeline("", (one, two), make)
        sources = zip(names, names, strict=True)
        worked = time.process_time()
        seconds = _seconds(lambda: list(run(pipeline, sources, {"writer": llm}, RunRecord("slow"))))
        worked = time.process_time() - worked
        llm.close()
    bare = _seconds(lambda: asyncio.run(_bare(url, SLOTS)))  # no call waits for another there
    print(
        f"slow calls {seconds:.1f} s, at best {ideal:.1f} s, bare package {bare:.1f} s; "
        f"{worked / CALLS * 1000:.1f} ms of the processor a call"
    )
    return seconds / ideal


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


def lookups() -> float:
    """Return the most look-ups a second."""
    prompts = [f"prompt number {number} " + "word " * 100 for number in range(LOOKUPS)]
    with tempfile.TemporaryDirectory() as folder:
        llm = CachedLLM(ScriptedLLM(lambda prompt: prompt[:20]), Path(folder) / "answers.sqlite")
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
