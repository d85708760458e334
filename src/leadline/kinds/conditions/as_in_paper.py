"""Ladders of conditions by a language model: chosen, queried, broken and audited.

A document is never rewritten whole, only single sentences of it.
Source: Lu et al., MultiConIR, sections 3.2 and 3.3; the prompts are our own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any

from leadline.benchmark import Benchmark
from leadline.kinds.conditions import KIND
from leadline.kinds.conditions.as_in_paper_drafts import CONDITIONS, units
from leadline.kinds.conditions.as_in_paper_steps import Drop, Ladder, maker, steps_of
from leadline.kinds.conditions.domains import Domain
from leadline.kinds.conditions.drift import drift
from leadline.kinds.conditions.ladders import LadderRecord, Rungs, expand
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.running import Outcome, Pipeline, complete, run
from leadline.llm.run_record import RunRecord
from leadline.types import Corpus, Document

if TYPE_CHECKING:
    from leadline.llm.pipeline.models import Models

_MOST_WORDS = 3_000
"""Words of a document that models are shown; one that is longer is not taken."""
_FEWEST = 3
"""Conditions that make a ladder."""


@dataclass(frozen=True)
class Built:
    """Ladders, and what became of the documents.

    asked     documents that a model was shown
    dropped   documents without a ladder, by reason
    audit     conditions of ladders that were audited, and how many of them were `refused`
    left_out  conditions that were refused, by reason; without them, or without their ladder, the
              others stand
    drift     of rewritten sentences, as `drift` returns it
    """

    records: list[LadderRecord]
    asked: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    audit: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    drift: Mapping[str, float] = field(default_factory=dict)


def build(
    corpus: Corpus,
    domain: Domain,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    drop: Drop = "fact",
    log: LogFile | None = None,
) -> Built:
    """Return a ladder for every document that gives one; drift and audit go into the run's record.

    limit   most documents that a model is shown, drawn by the seed
    source  what the corpus is, for the record
    drop    what a condition costs that cannot be broken, or that another sentence states too: the
            condition (three make a ladder), or the whole ladder

    A document is dropped when ten whole sentences cannot be had, or queries pass in no attempt.
    Raises IncompleteError when calls got no answer.
    """
    dropped: Counter[str] = Counter()
    drawn = _drawn(corpus, limit, seed, dropped)
    steps = steps_of(models)
    outcomes = complete(
        run(
            Pipeline("", steps.all, maker(steps, domain, drop)),
            ((each.id, each) for each in drawn),
            {"writer": models.writer, "verifier": models.verifier}, into,
            seed=seed, attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    records = []
    left_out: Counter[str] = Counter()
    audited = 0
    for outcome in outcomes:
        reason = outcome.reason
        if outcome.value is not None:
            faults = outcome.value.faults
            audited += CONDITIONS
            left_out.update(faults.values())
            if drop == "ladder" and faults:
                reason = faults[min(faults)]
            elif CONDITIONS - len(faults) < _FEWEST:
                reason = "fewer than three conditions are left"
            else:
                records.append(_record(outcome, domain, source))
        if reason:
            dropped[reason] += 1
            into.note(outcome.id, reason)
    audit = {"conditions": audited, "refused": left_out.total()}
    moved = drift(
        [pair for each in records for pair in zip(each.conditions, each.negatives, strict=True)]
    )
    built = Built(
        records, len(drawn), dict(sorted(dropped.items())), audit,
        dict(sorted(left_out.items())), moved,
    )  # fmt: skip
    into.measured = {"drift": moved, "audit": audit, "conditions left out": built.left_out,
                     **lengths(records)}  # fmt: skip
    return built


def as_benchmark(built: Built, models: Models, domain: Domain, **facts: Any) -> Benchmark:
    """Return the benchmark of the ladders that were built."""
    rungs = Rungs()
    for record in built.records:
        expand(record, rungs)
    edits = Counter(edit for record in built.records for edit in record.edits)
    return Benchmark(
        name="conditions",
        corpus=rungs.corpus,
        queries=rungs.queries,
        qrels=rungs.qrels,
        candidates=rungs.candidates,
        source=str(facts.pop("source", "")),
        built_by="llm",
        **KIND.measured(),
        built={
            "builder": __name__,
            "writer": models.writer.name,
            "verifier": models.verifier.name,
            "domain": domain.name,
            "features": list(domain.features),
            "asked": built.asked,
            "kept": len(built.records),
            "dropped": dict(built.dropped),
            "audit": dict(built.audit),
            "conditions left out": dict(built.left_out),
            "drift": dict(built.drift),
            "edits": dict(sorted(edits.items())),
            **facts,
        },
    )


def lengths(records: Sequence[LadderRecord]) -> dict[str, float]:
    """Return the mean words of a condition in queries of both styles; empty without ladders."""
    if not records:
        return {}
    listed = [len(text.split()) for record in records for text in record.short]
    prose = [len(text.split()) / k for record in records for k, text in record.prose.items()]
    return {
        "words a condition, list": round(fmean(listed), 2),
        "words a condition, prose": round(fmean(prose), 2),
    }


def _drawn(corpus: Corpus, limit: int, seed: int, dropped: Counter[str]) -> list[Document]:
    """Return documents in the order of the seed, without those for which no call is worth it."""
    ids = list(corpus)
    drawn: list[Document] = []
    for id in random.Random(f"{seed} conditions by llm").sample(ids, len(ids)):
        if len(drawn) == limit:
            break
        document = corpus[id]
        if len(document.text.split()) > _MOST_WORDS:
            dropped[f"not asked: more than {_MOST_WORDS:,} words"] += 1
        elif len(units(document.text)) < CONDITIONS:
            dropped["not asked: fewer than ten sentences"] += 1
        else:
            drawn.append(document)
    return drawn


def _record(outcome: Outcome[Document, Ladder], domain: Domain, source: str) -> LadderRecord:
    ladder = outcome.value
    assert ladder is not None
    made = {name: each.as_json() for name, each in ladder.made.items()}
    kept = [k for k in range(len(ladder.conditions)) if k not in ladder.faults]
    negatives = [each for each in (ladder.negatives[k] for k in kept) if each is not None]
    whole = min(ladder.faults, default=len(ladder.conditions))
    return LadderRecord(
        id=outcome.id,
        domain=domain.name,
        conditions=tuple(ladder.conditions[k] for k in kept),
        short=tuple(ladder.queries.short[k] for k in kept),
        negatives=tuple(each.sentence for each in negatives),
        edits=tuple(each.changed for each in negatives),
        # A query in prose states all conditions up to its own, one that was left out too.
        prose=dict(enumerate(ladder.queries.prose[:whole], 1)),
        source={"corpus": source, "document": outcome.id, "made": made},
    )
