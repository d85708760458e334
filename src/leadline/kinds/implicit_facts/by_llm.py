"""Documents that only imply a fact, written by a language model and read back by a second one.

Tuple sets, names, questions and answers are those of the same seed by rules.
Source: ImpliRet, section 2.3 and appendix A.4; the prompts are our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.holding import holding
from leadline.data.writing import output_folder
from leadline.errors import InputError, unknown
from leadline.kinds.implicit_facts import by_rules
from leadline.kinds.implicit_facts.binding import POOLS, Order
from leadline.kinds.implicit_facts.by_llm_briefs import PROMPTS, prompt
from leadline.kinds.implicit_facts.by_llm_making import (
    REFUSED_DRAFTS,
    REFUSED_READINGS,
    Making,
    Pool,
    listed,
)
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.running import unanswered
from leadline.llm.run_record import RunRecord
from leadline.types import LLM

__all__ = ["REFUSED_DRAFTS", "REFUSED_READINGS", "build", "write"]


def build(
    models: Models,
    order: Order,
    run: RunRecord,
    pools: Sequence[str] = POOLS,
    log: LogFile | None = None,
) -> Iterator[Pool]:
    """Yield the pools asked for; each is the same whichever others are asked for.

    A draft is checked by code, then read by the verifier, who must recover the tuple from the
    document alone. One that fails is asked for again with what was wrong, then dropped with its
    question. A dry run assumes that a share of drafts and readings that are not in the cache fail.

    Raises InputError when the lists of names and topics do not suffice.
    """
    for name in pools:
        if name not in POOLS:
            raise unknown("pool", name, POOLS)
    yield from Making(pools, models, order, run).pools(log)


@holding()
def write(
    out: str | Path,
    models: Models,
    order: Order,
    pools: Sequence[str] = POOLS,
    *,
    facts: Mapping[str, Any],
) -> dict[str, Pool]:
    """Write the pools as `by_rules.write` does, and `run.json` with what was asked; return them.

    Raises InputError as `build` does, when no document could be used, and when a file cannot be
    written; IncompleteError when calls got no answer.
    """
    folder = output_folder(out)
    run = RunRecord("implicit facts", {"pools": list(pools), **_how(models, order)})
    with run.kept_in(folder), LogFile.open_in(folder) as log:
        built = {pool.name: pool for pool in build(models, order, run, pools, log)}
        _check_answered(run, order, built.values())
        if not any(pool.rows for pool in built.values()):
            reasons = Counter[str]()
            for pool in built.values():
                reasons.update(pool.dropped)
            raise InputError(
                f"No document of {models.writer.name} could be used ({listed(reasons)}). "
                "Take another model, or more --attempts."
            )
        settings = _settings(models, order, built, facts)
        by_rules.save(folder, {name: pool.rows for name, pool in built.items()}, settings)
    return built


def _check_answered(run: RunRecord, order: Order, pools: Iterable[Pool]) -> None:
    missing = Counter[str]()
    for pool in pools:
        missing.update(pool.unanswered)
    if missing:
        raise unanswered(run.name, "tuple sets", missing, order.sets * len(list(pools)))


def _settings(
    models: Models, order: Order, pools: Mapping[str, Pool], facts: Mapping[str, Any]
) -> dict[str, Any]:
    writer, verifier = models.writer.name, models.verifier.name
    return {
        "name": "implicit-facts",
        "kind": "implicit-facts",
        "built_by": "llm",
        "source": f"made by leadline synthesize implicit-facts, written by {writer}, "
        f"verified by {verifier}",
        "builder": __name__,
        "leadline": __version__,
        **_how(models, order),
        **facts,
        "pools": {name: pool.counts() for name, pool in pools.items()},
    }


def _how(models: Models, order: Order) -> dict[str, Any]:
    """Return what decides the result."""
    return {
        "seed": order.seed,
        "sets": order.sets,
        "tuples": order.tuples,
        "algorithm": order.algorithm,
        "writer": _place(models.writer),
        "verifier": _place(models.verifier),
        "attempts": models.attempts,
        "max_tokens": models.max_tokens,
        "temperature": models.temperature,
        "prompts": {name: prompt(name).hash for name in PROMPTS},
    }


def _place(llm: LLM) -> dict[str, Any]:
    return dict(getattr(llm, "settings", {"model": llm.name}))
