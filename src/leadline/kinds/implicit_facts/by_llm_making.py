"""The making of pools by language models: phrases, drafts, checks, and what is read back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.kinds.implicit_facts import by_rules
from leadline.kinds.implicit_facts.binding import Binder, Order
from leadline.kinds.implicit_facts.by_llm_briefs import (
    Brief,
    Phrases,
    briefs,
    phrases_question,
    prompt,
    style,
    usable,
    usual_phrases,
)
from leadline.kinds.implicit_facts.by_llm_drafts import (
    USUAL,
    Chat,
    Post,
    first_fault,
    tidied,
    utterances_of,
)
from leadline.kinds.implicit_facts.by_llm_recovery import RECOVERIES
from leadline.kinds.implicit_facts.plans import Plan, stamped
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Outcome, Pipeline, run
from leadline.llm.pipeline.steps import (
    VERIFIER,
    WRITER,
    Asks,
    Fault,
    Made,
    Question,
    Refusal,
    RejectedError,
    Verify,
)
from leadline.llm.run_record import RunRecord, Step

_SHOWN = 10
REFUSED_DRAFTS, REFUSED_READINGS = 0.15, 0.1
"""Shares that a dry run assumes."""


@dataclass
class Pool:
    """The rows of one pool, and what became of its drafts.

    unanswered  tuple sets that lack an answer, by kind of failure

    steps       what was asked and checked, by name of the step
    asked       documents asked for
    first_time  documents kept of a first draft
    dropped     documents given up, by what was wrong with their last draft
    own         starting phrases that the model did not give
    short       tuple set -> documents in it, where there are fewer than asked for
    """

    name: str
    steps: Mapping[str, Step]
    rows: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0
    first_time: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    own: int = 0
    short: dict[int, int] = field(default_factory=dict)
    unanswered: Counter[str] = field(default_factory=Counter)

    @property
    def refused(self) -> Counter[str]:
        """Drafts that could not be used, by reason."""
        reason = RECOVERIES[self.name].reason
        unlike = Counter({reason: self.steps["verify"].dropped.get(reason, 0)})
        return Counter(self.steps["write"].dropped) + unlike

    @property
    def unread(self) -> Counter[str]:
        """Readings that could not be used, by reason."""
        reason = RECOVERIES[self.name].reason
        return Counter({k: n for k, n in self.steps["verify"].dropped.items() if k != reason})

    def counts(self) -> dict[str, Any]:
        """Return how many documents were asked for, kept, written again and dropped."""
        kept = len(self.rows)
        return {
            "considered": self.asked,
            "kept": kept,
            "dropped": dict(sorted(self.dropped.items())),
            "drafts": self.steps["write"].came_in,
            "kept_first_time": self.first_time,
            "regenerated": kept - self.first_time,
            "refused": dict(sorted(self.refused.items())),
            "unread": dict(sorted(self.unread.items())),
            "own_starting_phrases": self.own,
            "short_sets": {str(number): size for number, size in sorted(self.short.items())},
        }

    def __str__(self) -> str:
        """Return what became of the pool, for the user."""
        kept, again = len(self.rows), len(self.rows) - self.first_time
        text = (
            f"{self.name}: {kept:,} of {self.asked:,} documents and questions, {again:,} of them "
            f"written again"
        )
        if refused := listed(self.refused):
            text += f"\n  drafts refused: {refused}"
        if self.short:
            sizes = [f"{number} ({size})" for number, size in sorted(self.short.items())]
            shown, more = ", ".join(sizes[:_SHOWN]), len(sizes) - _SHOWN
            text += f"\n  dropped: {listed(self.dropped)}"
            text += f"\n  sets with fewer documents: {shown}"
            text += f" and {more} more" if more > 0 else ""
        return text


@dataclass(frozen=True)
class _Set:
    """A tuple set under way.

    phrases, write, verify  steps of its pool
    """

    pool: str
    number: int
    plans: Sequence[Plan]
    phrases: Asks[Phrases]
    write: Asks[Chat | Post]
    verify: Asks[Any]


@dataclass(frozen=True)
class _Documents:
    """What became of a set: a row, or what is wrong with its last draft, for every plan.

    own     starting phrases that the model did not give
    tries   drafts of each document that is kept
    """

    rows: Sequence[dict[str, Any] | Fault]
    own: int
    tries: Sequence[int]


class Making:
    """Makes the pools asked for. Every set, and every document of it, goes at its own pace."""

    def __init__(self, names: Sequence[str], models: Models, order: Order, into: RunRecord) -> None:
        self._models, self._order, self._into = models, order, into
        self._sets = [each for name in names for each in self._sets_of(name)]

    def pools(self, log: LogFile | None = None) -> Iterator[Pool]:
        """Yield the pools, each as soon as it is complete."""
        models = self._models
        steps = dict.fromkeys(
            step for each in self._sets for step in (each.phrases, each.write, each.verify)
        )
        made = run(
            Pipeline("", tuple(steps), self._documents),
            ((f"{each.pool} {each.number}", each) for each in self._sets),
            {WRITER: models.writer, VERIFIER: models.verifier},
            self._into,
            seed=self._order.seed,
            attempts=models.attempts,
            log=log,
        )
        found: list[Outcome[_Set, _Documents]] = []
        for outcome in made:
            found.append(outcome)
            if len(found) == self._order.sets:
                yield self._pool(found)
                found = []

    def _sets_of(self, name: str) -> list[_Set]:
        models, size = self._models, self._order.tuples
        binder, recovery = Binder(name, self._order), RECOVERIES[name]
        every = [binder.plans(number) for number in range(self._order.sets)]
        kind = style(every[0][0])
        phrases = Asks(
            f"{name}: phrases", prompt(f"openings_{kind}"), Phrases, usual_phrases(size),
            models.max_tokens, temperature=models.temperature,
        )  # fmt: skip
        write: Asks[Chat | Post] = Asks(
            f"{name}: write", prompt(f"write_{kind}"), type(USUAL[kind]), USUAL[kind],
            models.max_tokens, temperature=models.temperature, refused=REFUSED_DRAFTS,
        )  # fmt: skip
        verify: Asks[Any] = Asks(
            f"{name}: verify", prompt(recovery.prompt), recovery.shape, recovery.example,
            models.max_tokens, VERIFIER, refused=REFUSED_READINGS,
        )  # fmt: skip
        return [
            _Set(name, number, plans, phrases, write, verify) for number, plans in enumerate(every)
        ]

    async def _documents(self, record: Record, own: _Set) -> _Documents:
        found = await self._phrases(record, own)

        async def document(part: Record, brief: Brief) -> Made[Chat | Post]:
            return await self._document(part, own, brief)

        told = briefs(own.plans, found, self._order.seed)
        made = await record.each(told, document)
        rows = [
            each if isinstance(each, Fault) else self._row(brief.plan, each)
            for brief, each in zip(told, made, strict=True)
        ]
        tries = [each.tries for each in made if isinstance(each, Made)]
        return _Documents(rows, max(0, len(own.plans) - len(found)), tries)

    async def _phrases(self, record: Record, own: _Set) -> list[str]:
        """Ask for starting phrases until there are enough, or no attempt is left."""
        found: list[str] = []
        for attempt in range(self._models.attempts):
            lacking = len(own.plans) - len(found)
            if lacking <= 0:
                break
            question = phrases_question(own.plans, lacking)
            try:
                said = await record.ask(own.phrases, question, attempts=1, first=attempt)
            except RejectedError:
                continue
            found += usable(said.phrases, own.plans, found)
        return found

    async def _document(self, part: Record, own: _Set, brief: Brief) -> Made[Chat | Post]:
        plan, recovery = brief.plan, RECOVERIES[own.pool]

        def question(refusal: Refusal | None) -> Question:
            return brief.question(refusal)

        def check(answer: Chat | Post) -> Chat | Post | Fault:
            tidy = tidied(answer)
            return first_fault(tidy, brief, own.plans) or tidy

        reading: Verify[Chat | Post, Any] = Verify(
            own.verify,
            lambda answer: recovery.question(plan, self._stamped(plan, answer)),
            lambda read, answer: recovery.fault(read, plan, self._stamped(plan, answer)),
        )
        return await part.make(own.write, question, check=check, verify=reading)

    def _stamped(self, plan: Plan, answer: Chat | Post) -> str:
        rng = random.Random(f"{self._order.seed} {plan.pool} {plan.tuple_set} {plan.number} stamps")
        return stamped(plan, utterances_of(answer, plan), rng)

    def _row(self, plan: Plan, made: Made[Chat | Post]) -> dict[str, Any]:
        document = self._stamped(plan, made.value)
        row = by_rules.row(plan, document, plan.tuple_set * self._order.tuples + plan.number)
        return {**row, "made": made.provenance.as_json()}

    def _pool(self, found: Sequence[Outcome[_Set, _Documents]]) -> Pool:
        own = found[0].source
        names = ("phrases", "write", "verify")
        steps = {name: self._into.step_named(f"{own.pool}: {name}") for name in names}
        pool = Pool(own.pool, steps)
        for outcome in found:
            size = len(outcome.source.plans)
            pool.asked += size
            if outcome.value is None:
                kind = outcome.failure.kind if outcome.failure else str(outcome.fault)
                pool.unanswered[kind] += 1
                continue
            self._into.became.pop(outcome.id)  # its documents are the records
            for number, each in enumerate(outcome.value.rows):
                reason = each.reason if isinstance(each, Fault) else ""
                self._into.note(f"{outcome.id}/{number}", reason)
            rows = [each for each in outcome.value.rows if not isinstance(each, Fault)]
            faults = [each for each in outcome.value.rows if isinstance(each, Fault)]
            pool.rows += rows
            pool.own += outcome.value.own
            pool.first_time += sum(tries == 1 for tries in outcome.value.tries)
            pool.dropped.update(each.reason for each in faults)
            if faults:
                pool.short[outcome.source.number] = len(rows)
        return pool


def listed(counts: Mapping[str, int]) -> str:
    """Return counts in words, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {reason}" for reason, count in ordered)
