"""`leadline check`, killed in a phase of it: run by test_killed_checks in a process of its own.

    python killable_check.py CORPUS ENCODER FOLDER PHASE:KILLS ...

Without a name of an encoder ("") BM25 alone is checked. All is imported once; each run is a fork of
this process. For each phase there are a cache and an output folder below FOLDER. Prints a line of
JSON for each run: phase, where it was killed (null for one that came to its end), and what
unfinished files lay about then.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

PHASES = {
    "reading": ["leadline.checking:read_with_fields"],
    "building probes": ["leadline.checking:build_probes", "leadline.checking:write_probes"],
    "indexing": ["leadline.retrievers.bm25:_BM25._cached"],
    "encoding": ["leadline.retrievers.parts.store:VectorStore.spans"],
    "scoring": ["leadline.evaluation:score", "leadline.evaluation:write_scores"],
    "report": ["leadline.checking:write_report"],
}
CHANGES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
WHOLE = "whole"


def main() -> None:
    corpus, encoder, place, *wanted = sys.argv[1:]
    _warm("sentence_transformers" if encoder else "bm25s")
    seen = _forked(lambda tell: _check(corpus, encoder, Path(place) / WHOLE, _Watch(tell, "", 0)))
    _say(WHOLE, None, Path(place) / WHOLE)
    for each in wanted:
        phase, kills = each.split(":")
        folder = Path(place) / phase
        for number in range(int(kills)):
            at = (number + 1) / int(kills) * (seen["events"][phase] - 1)
            late = seen["seconds"][phase] * (number + 0.5) / int(kills)
            # Every second kill comes at a change of the disk, the others at a time.
            by = ("events", round(at)) if number % 2 else ("seconds", late)
            killed = _forked(
                lambda tell, by=by, phase=phase, folder=folder: _check(
                    corpus, encoder, folder, _Watch(tell, phase, by[1], by[0], seen["calls"][phase])
                )
            )
            _say(phase, None if killed else list(by), folder)
        _forked(lambda tell, f=folder: _check(corpus, encoder, f, _Watch(tell, "", 0)))
        _say(phase, None, folder)


def _warm(library: str) -> None:
    for module in (library, "leadline.cli.main", "leadline.checking", "leadline.retrievers.bm25"):
        importlib.import_module(module)


def _say(phase: str, killed: Any, folder: Path) -> None:
    left = [path.name for path in folder.rglob("*.part")]
    sys.stdout.write(json.dumps([phase, killed, left]) + "\n")
    sys.stdout.flush()


def _forked(work: Callable[[Callable[[Any], None]], None]) -> Any:
    """Run something in a fork; return what it told, None where it was killed first."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            work(lambda told: os.write(writing, json.dumps(told).encode()) and None)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(3)  # what ended well is gone by now
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not told and not killed:
        raise SystemExit(f"the run failed: {status}")
    return json.loads(told) if told else None


class _Watch:
    """Counts what a phase does, and kills the process in it."""

    def __init__(
        self, tell: Callable[[Any], None], phase: str, at: float, by: str = "", calls: int = 0
    ) -> None:
        self.tell, self.phase, self.at, self.by, self.calls = tell, phase, at, by, calls
        self.seen = {kind: dict.fromkeys(PHASES, 0) for kind in ("events", "seconds", "calls")}
        self.inside = ""
        sys.addaudithook(self._audited)

    def _audited(self, event: str, _: Any) -> None:
        if self.inside and event in CHANGES:
            self.seen["events"][self.inside] += 1
            if self._is_here("events") and self.seen["events"][self.inside] > self.at:
                _kill()

    def _is_here(self, by: str) -> bool:
        return self.by == by and self.inside == self.phase

    def around(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            outer, self.inside = self.inside, phase
            if not self.seen["calls"][phase] and self._is_here("seconds"):
                threading.Timer(self.at, _kill).start()
            self.seen["calls"][phase] += 1
            started = perf_counter()
            try:
                return function(*given, **named)
            finally:
                self.seen["seconds"][phase] += perf_counter() - started
                if self.inside == self.phase and self.seen["calls"][phase] == self.calls:
                    _kill()  # at the latest when the phase is over
                self.inside = outer

        return watched


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _check(corpus: str, encoder: str, folder: Path, watch: _Watch) -> None:
    for phase, places in PHASES.items():
        for place in places:
            _replace(place, lambda function, phase=phase: watch.around(phase, function))
    _replace("leadline.evaluation:now", lambda _: lambda: "2026-01-01T00:00:00+00:00")
    _replace("leadline.evaluation:evaluate_prepared", _timeless)
    os.environ["LEADLINE_CACHE"] = str(folder / "cache")
    os.environ["TMPDIR"] = str(folder / "tmp")
    (folder / "tmp").mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    from leadline.cli.main import app

    words = ["check", corpus, "-s", "bm25", *(["-s", f"dense:{encoder}"] if encoder else [])]
    sys.argv = ["leadline", *words, "--limit", "4", "--out", "out", "--quiet"]
    try:
        app()
    except SystemExit as end:
        if end.code:
            raise
    watch.tell(watch.seen)
    os._exit(0)


def _timeless(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """Return what evaluates with all times 0, so that files may be compared by their bytes."""

    def evaluated(*given: Any, **named: Any) -> Any:
        report = evaluate(*given, **named)
        times = dict.fromkeys(report.seconds, 0.0)
        return dataclasses.replace(report, seconds=times, query_seconds={})

    return evaluated


def _replace(place: str, made: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    module, _, path = place.partition(":")
    *within, name = path.split(".")
    owner = importlib.import_module(module)
    for each in within:
        owner = getattr(owner, each)
    setattr(owner, name, made(getattr(owner, name)))


if __name__ == "__main__":
    main()
