"""Conditions that rules made, read by a language model before anything is asked with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

from leadline.kinds.conditions.choosing import Condition
from leadline.kinds.conditions.edits import Edit, apply_edits
from leadline.kinds.sheets import CaseReader, Sheet
from leadline.prompt import Prompt
from leadline.types import Document

_AROUND = 200
"""Characters of the document that are shown on either side of an edit or a control."""


def vetted(
    made: Sequence[tuple[Document, Sequence[Condition]]],
    topics: Sequence[str],
    reader: CaseReader,
    refused: Counter[str],
) -> list[list[Condition]]:
    """Return the conditions of each document that a reader finds good, in their order.

    made     documents with the conditions that rules made of them
    topics   what each document is about, or nothing
    refused  why others are not good is counted here
    """
    sheets = [
        Sheet(document.id, [_case(document, each) for each in conditions], {"topic": topic})
        for (document, conditions), topic in zip(made, topics, strict=True)
    ]
    prompt = Prompt.load("leadline.kinds.conditions", "judge_conditions")
    good = reader.good_cases(prompt, sheets, refused)
    return [
        list(compress(conditions, kept)) for (_, conditions), kept in zip(made, good, strict=True)
    ]


def _case(document: Document, condition: Condition) -> str:
    text, edit, control = document.text, condition.edit, condition.controls[0]
    return (
        f"Condition: {condition.text}\n"
        f"The document says: {_around(text, edit)}\n"
        f"The edited copy says: {_around(text, edit, made=True)}\n"
        f"The control changes: {_around(text, control)}\n"
        f"into: {_around(text, control, made=True)}"
    )


def _around(text: str, edit: Edit, *, made: bool = False) -> str:
    """Return the text on both sides of an edit, with the edit made or not, on one line."""
    start = max(0, edit.start - _AROUND)
    part = text[start : edit.end + _AROUND]
    return " ".join(
        (
            apply_edits(part, [replace(edit, start=edit.start - start, end=edit.end - start)])
            if made
            else part
        ).split()
    )
