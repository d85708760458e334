"""Conditions of a document: which statements to ask for, the edit of each, and its controls."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from leadline.kinds.conditions.edits import Edit, Stock, edits_of
from leadline.text.repeats import Sentences
from leadline.text.statements import Shape, Statement, pieces_of
from leadline.text.tokens import content_tokens, tokens

MOST_TOGETHER = 110
"""Words of all conditions of a document together."""
_CONTROLS = 2
_FEWEST_CONTENT = 3
_SAME, _SAME_VALUE = 0.6, 0.34
"""Share of the words of a statement that another sentence holds which says the same; less will do
where it holds the value, too."""
_READ = 80
"""Statements of a document that are looked at."""
_PIECES = 200
"""Sentences and lines of a document that are looked at for controls."""
_UNEVEN = {"name": 2}
"""Words by which a control may grow a text more or less than an edit does."""
_FIGURES = {"date": "number"}
"""Kinds of edit that count as another where a control is looked for: both change figures."""
_LAST = {"antonym": 0.5, "negation": 1.0}
"""Kinds of edit that are asked for last: of a document that states figures, these are asked for."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a query asks for, stated by document.text[start:end].

    text      the wording in a query, without a full stop
    shape     of the statement
    edit      makes it untrue; lies inside the span
    controls  one or two changes of the same kind elsewhere, after which every condition holds
    in_sentence  the wording in the middle of a sentence
    also      the edit again, wherever else the document states the same
    """

    start: int
    end: int
    text: str
    shape: Shape
    edit: Edit
    controls: tuple[Edit, ...] = ()
    in_sentence: str = ""
    also: tuple[Edit, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All that makes the condition untrue in the document."""
        return (self.edit, *self.also)

    @property
    def is_stated(self) -> bool:
        """Whether it is a sentence, and no row of a table or line `key: value`."""
        return self.shape in ("sentence", "record")


@dataclass(frozen=True, slots=True)
class _Found:
    statement: Statement
    edits: tuple[Edit, ...]


def find_conditions(
    title: str,
    text: str,
    statements: Sequence[Statement],
    stock: Stock,
    dropped: Counter[str],
    *,
    held: frozenset[str] = frozenset(),
    most: int,
    rng: random.Random,
) -> list[Condition]:
    """Return conditions of a text in a random order, kinds of edit mixed.

    statements  of the text, from which conditions and controls are taken
    held        values in lower case that no other is exchanged for
    most        how many are wanted
    dropped     reasons are counted here

    For every kind of edit one statement stays that no condition asks for: there its control is
    made. The order is not that of the text, so that the k-th condition may stand anywhere in it.
    """
    drawn = rng.sample(statements, min(len(statements), _READ))
    found = [
        _Found(each, edits)
        for each in drawn
        if (edits := tuple(edits_of(text, each, stock, rng, held)))
    ]
    if drawn and not found:
        dropped["no statement that an edit could make untrue"] += 1
    sentences = Sentences(title, text)
    pieces = _Pieces(text, stock, rng)
    asked: list[tuple[_Found, Edit]] = []
    keys: set[str] = set()
    room = MOST_TOGETHER
    for each, edit in _in_turn(found):
        words = len(each.statement.text.split())
        key = each.statement.key
        if len(asked) == most or words > room or (key and key in keys):
            continue
        if reason := _reason_against(each.statement, edit, sentences):
            dropped[reason] += 1
        elif not pieces.leave_controls(found, [*asked, (each, edit)]):
            dropped["nothing else of its kind could be changed as a control"] += 1
        else:
            asked.append((each, edit))
            keys.add(key)
            room -= words
    taken = {id(each) for each, _ in asked}
    others = [each for each in found if id(each) not in taken]
    return [
        Condition(
            each.statement.start,
            each.statement.end,
            each.statement.text.rstrip(".! "),
            each.statement.shape,
            edit,
            _controls(each, edit, [*others, *pieces.apart_from(asked)]),
            _in_sentence(each.statement, stock),
        )
        for each, edit in asked
    ]


def _in_turn(found: Sequence[_Found]) -> list[tuple[_Found, Edit]]:
    """Return each statement with one of its edits, so that kinds of edit take turns."""
    used: Counter[str] = Counter()
    turns: list[tuple[float, _Found, Edit]] = []
    for each in found:
        edit = min(each.edits, key=lambda edit: used[edit.kind] + _LAST.get(edit.kind, 0.0))
        turns.append((used[edit.kind] + _LAST.get(edit.kind, 0.0), each, edit))
        used[edit.kind] += 1
    turns.sort(key=lambda turn: turn[0])
    return [(each, edit) for _, each, edit in turns]


def _in_sentence(statement: Statement, stock: Stock) -> str:
    """Return a statement as it stands behind "says that": with a small letter, or in quotes."""
    text = statement.text.rstrip(".! ")
    if statement.shape in ("row", "field"):
        return f"“{text}”"
    first = text.split(maxsplit=1)[0].rstrip(",")
    return text[0].lower() + text[1:] if first.lower() in stock.small else text


class _Pieces:
    """Changes that can be made in any sentence or line of a text, found when they are needed.

    Of a long text a sample of the pieces is read.
    """

    def __init__(self, text: str, stock: Stock, rng: random.Random) -> None:
        self._text, self._stock, self._rng = text, stock, rng

    @cached_property
    def _found(self) -> list[_Found]:
        every = list(pieces_of(self._text))
        drawn = self._rng.sample(every, min(len(every), _PIECES))
        return [
            _Found(each, edits)
            for each in drawn
            if (edits := tuple(edits_of(self._text, each, self._stock, self._rng)))
        ]

    def apart_from(self, asked: Sequence[tuple[_Found, Edit]]) -> list[_Found]:
        """Return the changes of pieces that hold no statement asked for."""
        spans = [(each.statement.start, each.statement.end) for each, _ in asked]
        return [
            each
            for each in self._found
            if not any(a < each.statement.end and each.statement.start < b for a, b in spans)
        ]

    def leave_controls(self, found: Sequence[_Found], asked: Sequence[tuple[_Found, Edit]]) -> bool:
        """Tell whether every statement asked for has a control left."""
        taken = {id(each) for each, _ in asked}
        left = [edit for each in found if id(each) not in taken for edit in each.edits]
        if all(any(_may_control(other, *each) for other in left) for each in asked):
            return True
        left += [edit for each in self.apart_from(asked) for edit in each.edits]
        return all(any(_may_control(other, *each) for other in left) for each in asked)


def _may_control(other: Edit, found: _Found, edit: Edit) -> bool:
    """Tell whether a change is of the kind of an edit, and touches no value that is asked for."""
    asked = set(tokens(found.statement.text))
    same = edit.kind in ("number", "date", "name") and set(tokens(other.before)) <= asked
    kinds = {_FIGURES.get(each.kind, each.kind) for each in (other, edit)}
    if len(kinds) > 1 or abs(_growth(other) - _growth(edit)) > _UNEVEN.get(edit.kind, 0):
        return False
    return not same


def _growth(edit: Edit) -> int:
    """Return how many words an edit adds: a control adds as many, as far as that can be."""
    return len(edit.after.split()) - len(edit.before.split())


def _controls(found: _Found, edit: Edit, others: Sequence[_Found]) -> tuple[Edit, ...]:
    """Return the nearest changes of the same kind, at most one of a statement."""
    nearest: list[Edit] = []
    taken: list[Statement] = []
    for each in others:
        span = each.statement
        if any(a.start < span.end and span.start < a.end for a in taken):
            continue  # a statement, and the piece that it is
        if alike := [other for other in each.edits if _may_control(other, found, edit)]:
            taken.append(span)
            nearest.append(alike[0])
    nearest.sort(
        key=lambda other: (abs(_growth(other) - _growth(edit)), abs(other.start - edit.start))
    )
    return tuple(
        Edit("control", each.start, each.end, each.before, each.after)
        for each in nearest[:_CONTROLS]
    )


def _reason_against(statement: Statement, edit: Edit, sentences: Sentences) -> str:
    """Return why a statement is not asked for, or nothing."""
    words = set(content_tokens(statement.text)) - set(tokens(edit.before))
    if len(words) < _FEWEST_CONTENT and not statement.key:
        return "too few words that mean something"
    span = statement.start, statement.end
    value = set() if edit.kind == "negation" else set(tokens(edit.before))
    if sentences.say_elsewhere(*span, words, _SAME) or (
        value and sentences.say_elsewhere(*span, words, _SAME_VALUE, value)
    ):
        return "said more than once in the document"
    return ""
