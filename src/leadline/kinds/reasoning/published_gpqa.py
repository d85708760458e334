"""Published science questions with four choices, for `leadline read`.

Source: Rein et al., GPQA: A Graduate-Level Google-Proof Q&A Benchmark.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.data_sets import rows_of
from leadline.errors import InputError, unknown
from leadline.metrics.answers import CHOICES
from leadline.types import Query

HUB_NAME = "Idavidrein/gpqa"
PARTS = ("diamond", "main", "extended")
RIGHT, WRONG = "Correct Answer", tuple(f"Incorrect Answer {n}" for n in (1, 2, 3))


def build(
    part: str | None = None, data: str | Path | None = None, seed: int = 0
) -> list[Benchmark]:
    """Return the questions of one part, `diamond` where none is named.

    part  one of PARTS
    data  the published table (`.csv`, `.parquet` or `.jsonl`), or a folder with `gpqa_diamond.csv`
          and the like; None reads the hub
    seed  of the order of the choices, which is drawn for every question by itself

    The answer of a query is the letter of the right choice. There are no documents: where a system
    is to retrieve some, `leadline read --corpus` says of what.
    Raises InputError when a file is missing or a row does not fit.
    """
    part = part or "diamond"
    if part not in PARTS:
        raise unknown("part of gpqa", part, PARTS)
    rows = rows_of(HUB_NAME, f"gpqa_{part}", None if data is None else Path(data))
    queries = [_query(row, f"q{number}", seed) for number, row in enumerate(rows, start=1)]
    option = f":seed={seed}" if seed else ""
    return [
        Benchmark(
            name=f"gpqa{option}" if part == "diamond" else f"gpqa{option}/{part}",
            quoted=quoted_results(__package__, "gpqa") if part == "diamond" else (),
            corpus={},
            queries=queries,
            qrels={},
            metrics=(),
            kind="reading",
            source=f"Rein et al., GPQA, {part}; choices in the order of seed {seed}",
            built_by="published",
            built={"order of choices": seed},
        )
    ]


def _query(row: Mapping[str, Any], number: str, seed: int) -> Query:
    """Return a question with its choices below it, as it is searched, reranked and read."""
    texts = [str(row.get(name) or "").strip() for name in (RIGHT, *WRONG)]
    question = str(row.get("Question") or "").strip()
    if not question or not all(texts):
        raise InputError(
            f"gpqa: row {number[1:]} needs Question, {RIGHT} and {', '.join(WRONG)}, got "
            f"{', '.join(map(str, row))}."
        )
    id = str(row.get("Record ID") or number)
    order = random.Random(f"{seed} {question}").sample(range(len(texts)), len(texts))
    choices = "\n".join(
        f"({letter}) {texts[place]}" for letter, place in zip(ascii_uppercase, order, strict=False)
    )
    facets = {CHOICES: str(len(texts)), "right": texts[0]}
    if domain := str(row.get("High-level domain") or ""):
        facets["domain"] = domain
    answer = ascii_uppercase[order.index(0)]
    return Query(id, f"{question}\n\nChoices:\n{choices}", id, facets=facets, answer=answer)
