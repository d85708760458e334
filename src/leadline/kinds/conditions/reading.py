"""Conditions read back by a model: it must find each stated by its own sentence, and no other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from leadline.kinds.conditions.choosing import Condition
from leadline.kinds.conditions.drafts import shown
from leadline.kinds.conditions.edits import apply_edits
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import VERIFIER, Asks, RejectedError
from leadline.llm.pipeline.trial import Sheet, Stated, reading_step, which_state
from leadline.llm.run_record import RunRecord
from leadline.types import Document

NO_ANSWER = "the reader gave no usable answer"


async def read_back(
    record: Record,
    step: Asks[Stated],
    document: Document,
    conditions: Sequence[Condition],
    left_out: Counter[str],
    seed: int,
) -> list[Condition]:
    """Return the conditions that a reader finds stated where they should be, and nowhere else.

    It sees the statement of every condition as it is and with its edit, shuffled, and both
    wordings of every condition. Why others are left out is counted in `left_out`.
    """
    if not conditions:
        return []
    rng = random.Random(f"{seed} {document.id} read")
    pairs = [_as_it_is_and_edited(document.text, each) for each in conditions]
    places = rng.sample(range(2 * len(pairs)), 2 * len(pairs))
    statements = [text for pair in pairs for text in pair]
    wordings = [dict.fromkeys((each.text, each.in_sentence)) for each in conditions]
    asked = [(k, text) for k, each in enumerate(wordings) for text in each]
    rng.shuffle(asked)
    sheet = Sheet(
        [statements[place] for place in places], [text for _, text in asked],
        document.title, (document.id,),
    )  # fmt: skip
    try:
        read = await which_state(record, step, sheet)
    except RejectedError:
        left_out[NO_ANSWER] += len(conditions)
        return []
    faults: dict[int, str] = {}
    for (k, _), stated_by in zip(asked, read or (), strict=read is not None):
        fault = _fault({places[place] for place in stated_by}, 2 * k)
        if fault:
            faults.setdefault(k, fault)
    left_out.update(faults.values())
    return [each for k, each in enumerate(conditions) if k not in faults]


def read_all(
    made: Sequence[tuple[Document, list[Condition]]],
    models: Models,
    into: RunRecord,
    left_out: Counter[str],
    *,
    seed: int,
    log: LogFile | None = None,
) -> list[list[Condition]]:
    """Return the conditions of each document that a reader finds sound, a call a document."""
    step = reading_step(models)

    async def make(record: Record, source: tuple[Document, list[Condition]]) -> list[Condition]:
        return await read_back(record, step, *source, left_out, seed)

    outcomes = run(
        Pipeline("", (step,), make), ((each[0].id, each) for each in made),
        {VERIFIER: models.verifier}, into, seed=seed, log=log,
    )  # fmt: skip
    return [each.value or [] for each in complete(outcomes, into)]


def _fault(stated_by: set[int], own: int) -> str:
    """Return what is wrong with what states a condition; its edited statement is the next one."""
    if own not in stated_by:
        return "read: its own sentence does not state it"
    if own + 1 in stated_by:
        return "read: the edited sentence states it still"
    return "read: another sentence states it, too" if len(stated_by) > 1 else ""


def _as_it_is_and_edited(text: str, condition: Condition) -> tuple[str, str]:
    start, end = condition.start, condition.end
    if condition.shape in ("field", "record"):  # the value alone: its line says what it is of
        start = text.rfind("\n", 0, start) + 1
        end = text.find("\n", end) % (len(text) + 1)
    edit = condition.edit
    moved = replace(edit, start=edit.start - start, end=edit.end - start)
    said = text[start:end]
    return shown(said), shown(apply_edits(said, [moved]))
