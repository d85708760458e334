"""The record of a pipeline run: what entered and left each step, why, and at what cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from leadline.data.lines import checked_file
from leadline.data.writing import atomic_file, cannot_write
from leadline.errors import InputError
from leadline.llm.account import current
from leadline.llm.cleaning import printable
from leadline.llm.prices import Price
from leadline.llm.requests import Answer
from leadline.progress import say

RUN_FILE, LOG_FILE = "run.json", "log.jsonl"
KEPT = "kept"
MOST_LISTED = 10_000
"""Records of which `run.json` says one by one what became of them; the others are counted."""
_LONGEST_REASON = 200
_MOST_TOLD = 5
"""Reasons that a summary names."""
_FIELDS = ("name", "settings", "created", "seconds", "stopped", "measured")
_NO_RECORD = (
    ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip


@dataclass(slots=True)
class Step:
    """What happened in one step.

    came_in      records that it took
    went_out     records that it gave; more than came in where one makes several
    dropped      records that it did not pass on, by reason
    unanswered   records that got no answer and may get one in another run, by kind of failure
    asked_again  answers that could not be used and were asked for once more
    calls        answers of a language model, also those of earlier runs that were in the cache
    cost         US dollars for these answers, whenever they were paid; None where no price is known
    seconds      in which answers were waited for, or in a rule
    """

    name: str
    came_in: int = 0
    went_out: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    unanswered: dict[str, int] = field(default_factory=dict)
    asked_again: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0

    def drop(self, reason: str) -> None:
        """Count a record that goes no further."""
        reason = printable(reason)  # it may hold words of an answer
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    def leave(self, kind: str) -> None:
        """Count a record that got no answer."""
        self.unanswered[kind] = self.unanswered.get(kind, 0) + 1

    def book(self, answer: Answer, price: Price | None) -> None:
        """Count an answer."""
        self.calls += 1
        self.prompt_tokens += answer.prompt_tokens
        self.completion_tokens += answer.completion_tokens
        if price is not None:  # of whole counts, so that the order of answers changes no digit
            self.cost = price.of(self.prompt_tokens, self.completion_tokens)


@dataclass(slots=True)
class RunRecord:
    """One run of a pipeline.

    name      what it makes
    settings  everything that decides the result: seed, model, prompts, options
    stopped   why it came to no end; empty when it did
    measured  what else the run found out about its data, such as how far texts drifted
    became    what became of each record, by its id: `kept`, or why it was left out
    unlisted  records that a written record only counts, by what became of them
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    created: str = field(
        default_factory=lambda: datetime.now(UTC).replace(microsecond=0).isoformat()
    )
    seconds: float = 0.0
    stopped: str = ""
    measured: Mapping[str, Any] = field(default_factory=dict)
    became: dict[str, str] = field(default_factory=dict)
    unlisted: dict[str, int] = field(default_factory=dict)
    _endings: list[Callable[[], None]] = field(default_factory=list)

    def at_end(self, ending: Callable[[], None]) -> None:
        """Have something called before the record is written, however the run ends."""
        self._endings.append(ending)

    def step(self, name: str) -> Step:
        """Add a step."""
        self.steps.append(Step(name))
        return self.steps[-1]

    def step_named(self, name: str) -> Step:
        """Return a step that was added."""
        return next(step for step in self.steps if step.name == name)

    def note(self, id: str, reason: str = "") -> None:
        """Say what became of a record; what was said of it before is forgotten.

        reason  why it was left out; empty for one that was kept
        """
        self.became[id] = " ".join(printable(reason).split())[:_LONGEST_REASON] or KEPT

    @property
    def ends(self) -> dict[str, int]:
        """How many records were kept, and how many left out for each reason, the most first."""
        counts = Counter(self.became.values()) + Counter(self.unlisted)
        kept = {KEPT: counts.pop(KEPT, 0)}
        return kept | dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def summary(self) -> str:
        """One sentence or two on how much was left out; empty where no record is known."""
        kept, *others = self.ends.items()
        total = kept[1] + sum(count for _, count in others)
        if not total:
            return ""
        told = f"{self.name}: {kept[1]:,} of {total:,} records were kept."
        if not others:
            return told
        shown = ", ".join(f"{count:,} {reason}" for reason, count in others[:_MOST_TOLD])
        more = sum(count for _, count in others[_MOST_TOLD:])
        return f"{told} Left out: {shown}{f', {more:,} for other reasons' if more else ''}."

    @property
    def cost(self) -> float | None:
        """US dollars of all steps; None where a step with calls has no price."""
        asking = [step for step in self.steps if step.calls]
        if any(step.cost is None for step in asking):
            return None
        return sum(step.cost or 0.0 for step in asking)

    @contextmanager
    def kept_in(self, folder: str | Path) -> Iterator[RunRecord]:
        """Write `run.json` beside the data when the block ends, however it ends."""
        started = perf_counter()
        try:
            yield self
        except BaseException as error:
            self.stopped = " ".join(str(error).split()) or type(error).__name__
            raise
        finally:
            for ending in self._endings:
                ending()
            self.seconds = perf_counter() - started
            self.write(folder)
            say(self.summary)

    def write(self, folder: str | Path) -> Path:
        """Write `run.json` into a folder, and return its path.

        Raises InputError when it cannot be written.
        """
        path = Path(folder) / RUN_FILE
        with atomic_file(path) as handle:
            json.dump(self.as_json(), handle, ensure_ascii=False, indent=1)
        return path

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of JSON, reasons in order of the alphabet."""
        steps = [asdict(step) for step in self.steps]
        for step in steps:
            for name in ("dropped", "unanswered"):
                step[name] = dict(sorted(step[name].items()))
        return {
            "name": self.name,
            "settings": dict(self.settings),
            "steps": steps,
            "created": self.created,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "cost": self.cost,
            **({"records": self._records()} if self.became else {}),
            **({"measured": dict(self.measured)} if self.measured else {}),
            **({"servers said": said} if (said := _said()) else {}),
        }

    def _records(self) -> dict[str, Any]:
        """Return what became of each record; of many, those that were left out are listed first."""
        listed = dict(
            sorted(self.became.items(), key=lambda item: item[1] == KEPT)[:MOST_LISTED]
            if len(self.became) > MOST_LISTED
            else self.became
        )
        others = Counter(end for id, end in self.became.items() if id not in listed)
        others.update(self.unlisted)
        return {"counts": self.ends, "each": listed, "not listed": dict(sorted(others.items()))}

    @classmethod
    def read(cls, folder: str | Path) -> RunRecord:
        """Read what `write` wrote. Raises InputError when there is none, or it is damaged."""
        from pydantic import TypeAdapter

        path = Path(folder) / RUN_FILE
        try:
            checked_file(path)
            fields = json.loads(path.read_text(encoding="utf-8"))
            told = {name: fields[name] for name in _FIELDS if name in fields}
            told["steps"] = TypeAdapter(list[Step]).validate_python(fields["steps"])
            records = fields.get("records", {})
            return cls(**told, became=dict(records.get("each", {})),
                       unlisted=dict(records.get("not listed", {})))  # fmt: skip
        except OSError as error:
            raise InputError(
                f"There is no {RUN_FILE} in {folder} ({error.strerror}). Give a folder that a "
                "pipeline wrote."
            ) from error
        except _NO_RECORD as error:
            raise InputError(f"{path} is not a record of a pipeline run.") from error


class LogFile:
    """A log under way: what is told of a record is there whole as soon as the record is done."""

    def __init__(self, handle: IO[str], path: Path) -> None:
        self._handle, self._path = handle, path

    @classmethod
    @contextmanager
    def open_in(cls, folder: str | Path) -> Iterator[LogFile]:
        """Yield the log of a run in a folder.

        It is written anew: answers of an earlier run are replayed from the cache, and their lines
        with them.

        Raises InputError when it cannot be written.
        """
        path = Path(folder) / LOG_FILE
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8", newline="\n") as handle:
                yield cls(handle, path)
        except OSError as error:
            raise cannot_write(path, error) from error

    def write(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Add the lines of one record."""
        self._handle.write(
            "".join(json.dumps(line, ensure_ascii=True, sort_keys=True) + "\n" for line in lines)
        )
        self._handle.flush()


def _said() -> dict[str, dict[str, str]]:
    """Return by model and kind of trouble what servers say of calls that they did not answer."""
    kept = current()
    return {line.model: dict(line.said) for line in kept.lines if line.said} if kept else {}
