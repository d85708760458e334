"""The amounts of a passage in pairs, with every value that a pair may imply."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from leadline_facts.propose.implied_counts import IMPLIED, implied_counts
from leadline_facts.propose.operations import GROUP_OF, Candidate, of_one, of_run, of_two
from leadline_facts.read.amounts.money import UNKNOWN
from leadline_facts.read.amounts.passage import MARK, Amount, Passage
from leadline_facts.read.contexts import AMOUNT_CUES, Context

_TOKEN = re.compile(rf"{MARK}[a-z]\d+{MARK}|[a-z]+(?:['’][a-z]+)?|\d+(?:[.:]\d+)*|\n|[^\w\s]")
_FAR, _BETWEEN, _RUN_GAP, _RUN_BREAK = 250, 3, 200, 120
"""Characters between two of a pair; stated amounts between them; characters within a run."""


HUGE = 10**15
"""No figure that anybody reckons with."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An amount that may be reckoned with.

    token        its place among the tokens
    probability  of a derived one; -1 for one that is stated
    group        of the operation that gave a derived one; empty for one that is stated
    parts        the stated amounts that it comes from, in order
    """

    amount: Amount
    token: int
    probability: float = -1.0
    group: str = ""
    parts: tuple[Amount, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two operands in the order of the text, or one alone, and what they may yield."""

    first: Operand
    second: Operand | None
    candidates: tuple[Candidate, ...]

    @property
    def parts(self) -> tuple[Amount, ...]:
        """Return the stated amounts that it rests on."""
        second = self.second.parts if self.second else ()
        return tuple(dict.fromkeys((*self.first.parts, *second)))


class Sums:
    """A passage as tokens, and its amounts as operands."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        tokens: list[str] = []
        offsets: list[int] = []
        places: dict[int, int] = {}
        ahead = 0  # of the place in the marked text
        for match in _TOKEN.finditer(passage.marked):
            token, offset = match[0], match.start() + ahead
            if token[0] == MARK and len(token) > 1:
                amount = passage.amount(token)
                places[amount.start], offset = len(tokens), amount.start
                token, ahead = token[:2], amount.end - match.end()
            tokens.append(token)
            offsets.append(offset)
        self.context = Context(tokens, offsets, AMOUNT_CUES)
        self.told = [
            Operand(each, places[each.start], parts=(each,))
            for each in passage.amounts
            if each.start in places and abs(each.value) < HUGE
        ]
        self.operands = sorted(
            [*self.told, *self._implied()], key=lambda each: (each.token, each.amount.start)
        )
        self._tokens = {each.amount.start: each.token for each in self.operands}

    @cached_property
    def currency(self) -> str:
        """The only currency of the text, which bare figures may be in; empty for none."""
        return "" if self.passage.currency == UNKNOWN else self.passage.currency

    def pairs(self) -> Iterator[Pair]:
        """Return the stated amounts alone and in pairs, with what they may yield."""
        for number, first in enumerate(self.operands):
            if first.amount.sort != IMPLIED and (alone := tuple(of_one(first.amount))):
                yield Pair(first, None, alone)
            runs = self._runs(number) if first.amount.sort in "mqtnp" else {}
            between = 0
            for second in self.operands[number + 1 :]:
                if second.amount.start < first.amount.end:
                    continue
                is_far = second.amount.start - first.amount.end > _FAR
                if is_far or between > _BETWEEN:
                    break
                between += second.amount.sort != IMPLIED
                found = (
                    *of_two(first.amount, second.amount, self.currency),
                    *runs.get(second.token, ()),
                )
                if found:
                    yield Pair(first, second, found)

    def further_pairs(self, derived: Iterable[Operand]) -> Iterator[Pair]:
        """Return what derived amounts may yield with those that they do not come from."""
        for one in derived:
            for other in self.operands:
                if other.amount in one.parts or other.amount.sort == IMPLIED == one.amount.sort:
                    continue
                near = min(one.parts, key=lambda each: abs(each.start - other.amount.start))
                if abs(near.start - other.amount.start) > _FAR:
                    continue
                placed = replace(one, token=self._tokens[near.start])
                is_first = placed.token < other.token
                first, second = (placed, other) if is_first else (other, placed)
                if found := tuple(of_two(first.amount, second.amount, self.currency)):
                    yield Pair(first, second, found)

    def _runs(self, number: int) -> dict[int, tuple[Candidate, ...]]:
        """Return by the token of its end what a run of amounts in one unit yields."""
        run = [self.operands[number].amount]
        found: dict[int, tuple[Candidate, ...]] = {}
        for operand in self.operands[number + 1 :]:
            amount = operand.amount
            gap = amount.start - run[-1].end
            if amount.sort == run[0].sort and amount.unit == run[0].unit and gap < _RUN_GAP:
                run.append(amount)
                if len(run) > 2:
                    found[operand.token] = tuple(of_run(run))
                if len(run) > _BETWEEN + 2:
                    break
            elif amount.sort != IMPLIED and gap > _RUN_BREAK:
                break
        return found

    def _implied(self) -> Iterator[Operand]:
        for amount in implied_counts(self.passage):
            token = self.context.at(amount.start)
            if token < len(self.context.tokens):
                yield Operand(amount, token, parts=(amount,))


def operand_of(pair: Pair, candidate: Candidate, probability: float) -> Operand:
    """Return what a pair yields as an operand of further pairs."""
    last = pair.second or pair.first
    amount = candidate.amount(last.amount.start, last.amount.end)
    group = GROUP_OF[candidate.operation]
    return Operand(amount, last.token, probability, group, pair.parts)


def all_candidates(pairs: Sequence[Pair]) -> Iterator[tuple[int, Candidate]]:
    """Return the candidates with the numbers of their pairs."""
    for number, pair in enumerate(pairs):
        for candidate in pair.candidates:
            yield number, candidate
