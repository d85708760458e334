"""Judged queries of a folder, with the rephrasings that it holds."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from leadline.benchmark import Benchmark, of_corpus
from leadline.data.folder import Folder, read_folder
from leadline.errors import InputError
from leadline.kinds.rephrasings import KIND
from leadline.kinds.rephrasings.variations import with_variations
from leadline.metrics.topics import by_topic, original_of
from leadline.types import Query


@dataclass(frozen=True)
class Equivalents:
    """What a folder holds.

    benchmark    originals, then their rephrasings; judgements of the originals
    how          which queries they are, in words
    rephrasings  where these come from, in words
    """

    benchmark: Benchmark
    originals: list[Query]
    how: str
    rephrasings: str


def read_equivalents(
    folder: Path, split: str, file: Path | None, limit: int, seed: int
) -> Equivalents:
    """Return the queries of a folder that a split judges, with their rephrasings.

    file   of variations, beside the queries of a topic that the folder has
    limit  most queries, drawn by the seed

    Raises InputError for a file that rephrases none of the queries.
    """
    content = read_folder(folder, split)
    content = replace(content, qrels=of_corpus(content.qrels, content.corpus))
    topics, qrels = _judged_topics(content)
    how = f"judged in qrels/{split}.tsv"
    if len(topics) > limit:
        how += f", {limit:,} of {len(topics):,} by --limit"
        topics = random.Random(f"{seed} limit").sample(topics, limit)
    queries = [original for original, *_ in topics]
    variants = [each for _, *others in topics for each in others]
    sources = ["queries.jsonl"] * bool(variants)
    if file is not None:
        varied, dropped = with_variations(queries, file)
        found = [each for each in varied if each.id != each.topic]
        if not found:
            raise InputError(f"{file} rephrases no query of {folder} {how}.")
        left_out = "".join(f", {count:,} left out: {why}" for why, count in dropped.items())
        variants += found
        sources.append(f"{file.name}{left_out}")
    benchmark = Benchmark(
        folder.name, content.corpus, [*queries, *_numbered(queries, variants)], qrels,
        **KIND.measured(),
    )  # fmt: skip
    return Equivalents(benchmark, queries, how, "of " + " and ".join(sources))


def _judged_topics(content: Folder) -> tuple[list[list[Query]], dict[str, dict[str, int]]]:
    """Return the queries of each topic with relevant documents, the original first, and its grades.

    Where the folder is of another kind than rephrasings, the queries of a topic are no
    equivalents, and each is a topic of its own.
    """
    alike = content.settings.get("kind", KIND.name) == KIND.name
    found = by_topic(content.queries) if alike else {each.id: [each] for each in content.queries}
    topics, qrels = [], {}
    for topic, variants in found.items():
        grades: dict[str, int] = {}
        for each in variants:
            for name, grade in content.qrels.get(each.id, {}).items():
                grades[name] = max(grade, grades.get(name, grade))
        if not any(grade > 0 for grade in grades.values()):
            continue
        own = (each for each in variants if each.id == topic)
        original = original_of(variants) or next(own, variants[0])
        facets = {**original.facets, "kind": "original"}
        rest = [dataclasses.replace(each, topic=original.id) for each in variants
                if each.id != original.id]  # fmt: skip
        topics.append([dataclasses.replace(original, topic=original.id, facets=facets), *rest])
        qrels[original.id] = grades
    return topics, qrels


def _numbered(originals: Sequence[Query], variants: Sequence[Query]) -> Iterator[Query]:
    """Yield each text of a topic once, with an id that is no other query's."""
    seen = {(each.id, _plain(each.content)) for each in originals}
    for each in variants:
        key = (each.topic, _plain(each.content))
        if key not in seen:
            seen.add(key)
            yield dataclasses.replace(each, id=f"{each.topic}~~{len(seen)}")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
