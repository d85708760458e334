"""The trial of the model that reads written tests, before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import RootModel

from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Models, Question, closed
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord

LEAST = 0.9
"""Share of true statements that a reader must find, and of false ones that it must leave."""
FEWEST_PAIRS = 10


class Stated(RootModel[dict[str, list[int]]]):
    """What a reader says: the statements that state each query, by its number."""


USUAL = Stated({str(number): [7] for number in range(1, 17)})
"""What a dry run goes on with."""


@dataclass(frozen=True)
class Sheet:
    """What a reader is shown in one call.

    about  the title of the document that the statements are of
    """

    statements: Sequence[str]
    queries: Sequence[str]
    about: str = ""
    parents: tuple[str, ...] = ()

    def question(self) -> Question:
        """Return what fills the prompt."""
        texts = {
            "title": self.about or "(none)",
            "statements": _numbered(self.statements),
            "queries": _numbered(self.queries),
        }
        numbers = {"type": "array", "items": {"type": "integer"}}
        schema = {"type": "object", "properties": dict.fromkeys(self._keys, numbers)}
        return Question({"count": str(len(self.queries))}, texts, self.parents, closed(schema))

    @property
    def _keys(self) -> list[str]:
        return [str(number) for number in range(1, len(self.queries) + 1)]

    def check(self, stated: Stated) -> Stated | Fault:
        """Tell whether every query is answered, with statements that there are."""
        named = {number for numbers in stated.root.values() for number in numbers}
        if stated.root.keys() != set(self._keys):
            return Fault("not an answer for every query", "Every query needs one entry.")
        if not named <= set(range(1, len(self.statements) + 1)):
            return Fault("a number that no statement has", "Give numbers of statements only.")
        return stated


def reading_step(models: Models, name: str = "read") -> Asks[Stated]:
    """Return the step that asks the reader."""
    return Asks(
        name, Prompt.load("leadline.llm", "which_state"), Stated, USUAL, models.max_tokens,
        model=VERIFIER,
    )  # fmt: skip


async def which_state(record: Record, step: Asks[Stated], sheet: Sheet) -> list[set[int]] | None:
    """Return for each query the places of the statements that state it; None in a dry run.

    Raises RejectedError when no answer can be used.
    """
    stated = await record.ask(step, sheet.question(), check=sheet.check, attempts=2)
    if stated is USUAL:
        return None
    found = sorted(stated.root.items(), key=lambda each: int(each[0]))
    return [{number - 1 for number in numbers} for _, numbers in found]


@dataclass(frozen=True)
class Trial:
    """A sheet whose answers code knows.

    right  for each query the place of the one statement that states it; None where none does
    traps  for each query whether a statement is there that a poor reader would name, too
    """

    sheet: Sheet
    right: Sequence[int | None]
    traps: Sequence[bool]


@dataclass(frozen=True)
class Rates:
    """How a reader did: shares of true statements that it found, and of false ones it named."""

    model: str
    pairs: int
    hits: float
    false_alarms: float

    @property
    def is_fit(self) -> bool:
        """Whether its judgement is used."""
        return self.pairs >= FEWEST_PAIRS and self.hits >= LEAST and self.false_alarms <= 1 - LEAST

    def __str__(self) -> str:
        if self.pairs < FEWEST_PAIRS:
            return f"{self.model} could not be tried as a judge: there are too few pairs"
        return (
            f"{self.model} as a judge: found {self.hits:.0%} of true statements, took "
            f"{self.false_alarms:.0%} of false ones for true ({self.pairs} pairs)"
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as `run.json` has it."""
        return {
            "model": self.model, "pairs": self.pairs, "hits": round(self.hits, 3),
            "false alarms": round(self.false_alarms, 3), "used": self.is_fit,
        }  # fmt: skip


def tried(
    models: Models, trials: Sequence[Trial], into: RunRecord, log: LogFile | None = None
) -> tuple[Models, Rates | None]:
    """Return the models as they can be used, and how the reader did; None in a dry run.

    A reader that is unfit is not used to judge. Where the same model writes, it gets one small
    question at a time.
    """
    step = reading_step(models, "reader tried")

    async def make(record: Record, trial: Trial) -> list[set[int]] | None:
        return await which_state(record, step, trial.sheet)

    outcomes = complete(
        run(
            Pipeline("", (step,), make), ((str(n), each) for n, each in enumerate(trials)),
            {VERIFIER: models.verifier}, into, log=log,
        ),
        into,
    )  # fmt: skip
    if outcomes and all(each.is_kept and each.value is None for each in outcomes):
        return models, None
    hits: list[bool] = []
    alarms: list[bool] = []
    for outcome in outcomes:
        trial = outcome.source
        read = outcome.value or [set()] * len(trial.right)
        for right, is_trap, named in zip(trial.right, trial.traps, read, strict=True):
            if right is not None:
                hits.append(right in named)
            if is_trap:
                alarms.append(bool(named - {right}))
    rates = Rates(models.verifier.name, len(hits) + len(alarms), _share(hits), _share(alarms))
    into.measured = {**into.measured, "reader": rates.as_json()}
    weak = not rates.is_fit and rates.pairs >= FEWEST_PAIRS and models.writer is models.verifier
    return replace(models, reads=rates.is_fit, effort="low" if weak else models.effort), rates


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"[{number}] {' '.join(each.split())}" for number, each in enumerate(texts, 1))
