"""Groups of a query and judged passages by language models, from seed queries or documents.

Source: LimRank, section 3: the order of steps follows it, the words of the prompts are ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import InputError
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.run_record import RunRecord
from leadline.synthesis.reasoning.making import (
    Group,
    Maker,
    Seed,
    read_personas,
    steps_of,
)
from leadline.synthesis.reasoning.wishes import Wishes
from leadline.types import Document, Query

_READ = 6000


@dataclass(frozen=True)
class Built:
    """Groups of which every judgement equals the intended label, and what was left out.

    dropped  queries and passages, by reason
    """

    groups: Sequence[Group]
    dropped: Mapping[str, int]


def build(
    sources: Iterable[Query | Document],
    models: Models,
    into: RunRecord,
    *,
    wishes: Wishes | None = None,
    personas: Sequence[str] | None = None,
    seed: int = 0,
    log: LogFile | None = None,
) -> Built:
    """Return a group for each source and style.

    A passage whose judgement is not the intended one is left out, as is a query none of whose
    relevant passages is kept, and one that a step could not be made for in `attempts` drafts.
    Raises InputError when nothing is left, and IncompleteError when calls got no answer.
    """
    wishes = wishes or Wishes()
    steps = steps_of(models, wishes)
    make = Maker(steps, wishes, personas or read_personas(), seed)
    outcomes = complete(
        run(
            Pipeline("", steps, make), _seeds(sources, wishes),
            {"writer": models.writer, "verifier": models.verifier}, into,
            seed=seed, attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    dropped: Counter[str] = Counter()
    groups = []
    for outcome in outcomes:
        if outcome.value is None:
            dropped["query: " + (outcome.fault.reason if outcome.fault else "")] += 1
            continue
        dropped.update(f"passage: {reason}" for reason in outcome.value.refused)
        if any(each.is_relevant for each in outcome.value.passages):
            groups.append(outcome.value)
        else:
            dropped["query: no relevant passage kept"] += 1
    if not groups:
        told = ", ".join(f"{n} {reason}" for reason, n in dropped.most_common(3)) or "no sources"
        raise InputError(
            f"Nothing that {models.writer.name} wrote could be kept ({told}). Take another model, "
            "or more --attempts."
        )
    return Built(groups, dict(sorted(dropped.items())))


def _seeds(sources: Iterable[Query | Document], wishes: Wishes) -> Iterator[tuple[str, Seed]]:
    for place, source in enumerate(sources):
        is_document = isinstance(source, Document)
        text = source.content[:_READ] if is_document else source.content
        for number, style in enumerate(wishes.styles):
            yield (
                f"{source.id}-{style}",
                Seed(text, style, wishes.difficulty_of(place + number), is_document),
            )
