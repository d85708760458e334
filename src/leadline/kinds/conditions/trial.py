"""Statements of the user's documents on which a reader is tried: code knows which state what."""

from __future__ import annotations

import random
from collections.abc import Iterator

from leadline.kinds.conditions.edits import Stock, apply_edits, edits_of, stock_of
from leadline.llm.pipeline.trial import Sheet, Trial
from leadline.text.statements import Statement, statements_of
from leadline.types import Corpus

FACTS, SHEETS = 10, 2
"""Statements that are asked for, and the calls that they are spread over."""
_DRAWN, _LONGEST = 200, 20_000
"""Documents that are looked at, and characters of each."""


def trials_of(corpus: Corpus, seed: int) -> list[Trial]:
    """Return sheets of true statements, the same with a value exchanged or denied, and strangers.

    Each sheet asks for five statements, four of them with an edited twin beside them, and for one
    that is not there. A query is the statement itself, so that no wording is to blame. Documents
    without whole sentences give no sheets.
    """
    rng = random.Random(f"{seed} trial of the reader")
    drawn = rng.sample(list(corpus), min(len(corpus), _DRAWN))
    found = [(corpus[id].text, each) for id in drawn for each in _sentences(corpus[id].text)]
    rng.shuffle(found)
    pairs, others = _pairs(found, stock_of((each for _, each in found), seed), rng)
    share = FACTS // SHEETS
    return [
        _trial(held, stranger, rng)
        for number, stranger in enumerate(others)
        if (held := pairs[number * share : (number + 1) * share])
    ]


def _sentences(text: str) -> Iterator[Statement]:
    return (each for each in statements_of(text[:_LONGEST]) if each.shape == "sentence")


def _pairs(
    found: list[tuple[str, Statement]], stock: Stock, rng: random.Random
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return statements with their edited twins, kinds of edit in turn, and statements beside."""
    by_kind: dict[str, list[tuple[str, str]]] = {}
    others: list[str] = []
    for text, each in found:
        edits = list(edits_of(text, each, stock, rng))
        if edits:
            twin = apply_edits(text[: each.end], edits[:1])[each.start :]
            by_kind.setdefault(edits[0].kind, []).append((each.text, twin))
        elif len(others) < SHEETS:
            others.append(each.text)
    pairs: list[tuple[str, str]] = []
    while len(pairs) < FACTS + SHEETS and any(by_kind.values()):
        pairs += [held.pop() for held in by_kind.values() if held]
    while len(others) < SHEETS and pairs:  # where every statement could be edited
        others.append(pairs.pop()[0])
    return pairs[:FACTS], others


def _trial(pairs: list[tuple[str, str]], stranger: str, rng: random.Random) -> Trial:
    twins = [twin for _, twin in pairs[1:]]
    statements = [said for said, _ in pairs] + twins
    rng.shuffle(statements)
    queries = [*(said for said, _ in pairs), stranger]
    rng.shuffle(queries)
    right = [statements.index(each) if each in statements else None for each in queries]
    return Trial(Sheet(statements, queries), right, [each != pairs[0][0] for each in queries])
