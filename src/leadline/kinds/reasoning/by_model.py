"""Groups of a query and judged passages by language models, from seed queries or documents.

Source: LimRank, section 3. With `protocol="paper"` the order of steps follows it, else one call
plans a query's passages; the words of the prompts are ours.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.kinds.reasoning.groups import Group
from leadline.kinds.reasoning.recipe import Recipe
from leadline.kinds.reasoning.shapes import Split, as_benchmark
from leadline.kinds.reasoning.steps import Maker, Seed, read_personas, steps_of
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.run_record import RunRecord
from leadline.types import Corpus, Document, Query

_READ = 6000


@dataclass(frozen=True)
class Built:
    """Groups of which every judgement equals the intended label, and what was left out.

    dropped  queries and passages, by reason
    """

    groups: Sequence[Group]
    dropped: Mapping[str, int]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of queries about a corpus whose passages a model wrote.

    limit  most documents that seeds are made of, drawn by the seed
    """
    ids = list(corpus)
    drawn = random.Random(f"{seed} seeds").sample(ids, min(limit, len(ids)))
    built = build_groups([corpus[id] for id in drawn], models, into, seed=seed, log=log)
    return as_benchmark(
        "reasoning", Split(built.groups, built.groups), seed=seed, source=source,
        writer=models.writer.name, verifier=models.verifier.name, recipe=asdict(Recipe()),
        dropped=dict(built.dropped), read=models.reads,
    )  # fmt: skip


def build_groups(
    sources: Iterable[Query | Document],
    models: Models,
    into: RunRecord,
    *,
    recipe: Recipe | None = None,
    personas: Sequence[str] | None = None,
    seed: int = 0,
    log: LogFile | None = None,
) -> Built:
    """Return a group for each source and style.

    A passage whose judgement is not the intended one is left out, as is a query none of whose
    relevant passages is kept, and one that a step could not be made for in `attempts` drafts.
    Raises InputError when nothing is left, and IncompleteError when calls got no answer.
    """
    recipe = recipe or Recipe()
    people = personas or read_personas()
    make = Maker(steps_of(models, recipe), recipe, people, seed, models.reads)
    outcomes = complete(
        run(
            Pipeline("", make.steps, make), _seeds(sources, recipe),
            {"writer": models.writer, "verifier": models.verifier}, into,
            seed=seed, attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    dropped: Counter[str] = Counter()
    groups = []
    for outcome in outcomes:
        group = outcome.value
        if group is None:
            dropped[f"query: {outcome.reason}"] += 1
            continue
        for number, reason in group.refused:
            dropped[f"passage: {reason}"] += 1
            into.note(f"{group.id}/{number}", reason)
        for passage in group.passages:
            into.note(f"{group.id}/{passage.number}")
        if any(each.is_relevant for each in group.passages):
            groups.append(group)
        else:
            dropped["query: no relevant passage kept"] += 1
            into.note(group.id, "no relevant passage kept")
    if not groups:
        told = ", ".join(f"{n} {reason}" for reason, n in dropped.most_common(3)) or "no sources"
        raise InputError(
            f"Nothing that {models.writer.name} wrote could be kept ({told}). Take another model, "
            "or more --attempts."
        )
    return Built(groups, dict(sorted(dropped.items())))


def _seeds(sources: Iterable[Query | Document], recipe: Recipe) -> Iterator[tuple[str, Seed]]:
    for place, source in enumerate(sources):
        is_document = isinstance(source, Document)
        text = source.content[:_READ] if is_document else source.content
        for number, style in enumerate(recipe.styles):
            yield (
                f"{source.id}-{style}",
                Seed(text, style, recipe.difficulty_of(place + number), is_document),
            )
