"""Read and write rephrasings of queries, and a review sheet for them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from leadline.benchmark import Benchmark, of_corpus
from leadline.data import sheets
from leadline.data.fields import identifier, optional_string, required_string
from leadline.data.folder import Folder, read_folder
from leadline.data.jsonl import read_records, write_records
from leadline.errors import InputError
from leadline.kinds.rephrasings import KIND
from leadline.metrics.topics import by_topic, is_original, original_of
from leadline.types import Query

FILE = "query_variations.jsonl"


def variations_file(folder: Path) -> Path | None:
    """Return the file of variations of a folder, packed or not; None where there is none."""
    return next((path for path in (folder / FILE, folder / f"{FILE}.gz") if path.is_file()), None)


def with_variations(
    queries: Sequence[Query], path: str | Path
) -> tuple[list[Query], dict[str, int]]:
    """Return every query as an original, its variations behind it, and what was left out and why.

    A line has `query_id`, `text` and optionally `kind` (`rephrasing` where it is missing),
    `method` and `valid`: false, a reader's verdict that the meaning changed, leaves it out.
    A text that equals the original's or an earlier variation's, apart from case and spaces, is
    left out too.

    Raises InputError that names the line that is broken or varies a query that is not there.
    """
    by_query = {query.id: [_original(query)] for query in queries}
    seen = {query.id: {_plain(query.text)} for query in queries}
    dropped: Counter[str] = Counter()
    for number, record in read_records(path):
        place = f"{path}:{number}"
        query_id = identifier(record, "query_id", place)
        if query_id not in by_query:
            dropped["of a query that is not asked here"] += 1
            continue
        text = required_string(record, "text", place).strip()
        if record.get("valid") is False:
            dropped["judged to change the meaning"] += 1
        elif not text or _plain(text) in seen[query_id]:
            dropped["same text as another"] += 1
        else:
            seen[query_id].add(_plain(text))
            kind = optional_string(record, "kind", place) or "rephrasing"
            if kind == "original":
                raise InputError(f"{place}: a variation cannot have the kind 'original'.")
            original = by_query[query_id][0]
            facets = {"kind": kind, "method": optional_string(record, "method", place)}
            id = f"{query_id}~{len(by_query[query_id])}"
            by_query[query_id].append(
                replace(original, id=id, text=text, facets={**original.facets, **facets})
            )
    return [each for found in by_query.values() for each in found], dict(sorted(dropped.items()))


def write_variations(path: str | Path, queries: Sequence[Query]) -> None:
    """Write the variations of a topic's original, as `with_variations` reads them."""
    write_records(
        path,
        (
            {"query_id": query.topic, "text": query.text, "kind": query.facets["kind"]}
            for query in queries
            if query.facets.get("kind", "original") != "original"
        ),
    )


def _original(query: Query) -> Query:
    facets = {**query.facets, "kind": "original"}
    return replace(query, topic=query.id, facets=facets, accepted=())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


QUERIES = 100
_TO_FILL = ("equivalent (y/n)", "reads well (y/n)", "remarks")


def write_sheet(path: str | Path, queries: Sequence[Query], *, seed: int = 0) -> int:
    """Write 100 queries drawn by the seed, each with all its rephrasings, as `.csv`.

    Returns how many queries it holds. Raises InputError when the file cannot be written.
    """
    topics = by_topic(queries)
    drawn = random.Random(f"{seed} review").sample(sorted(topics), min(QUERIES, len(topics)))
    rows = []
    for variants in map(topics.__getitem__, drawn):
        original = next((each.text for each in variants if is_original(each)), "")
        rows += [
            [each.id, original, each.facets.get("kind", ""), each.text, *("" for _ in _TO_FILL)]
            for each in variants
            if not is_original(each)
        ]
    sheets.write_sheet(path, ["id", "query", "kind", "rephrasing", *_TO_FILL], rows)
    return len(drawn)


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

    A file of variations adds to the queries of a topic that the folder has. The seed draws at most
    `limit` queries.

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
        rest = [replace(each, topic=original.id) for each in variants
                if each.id != original.id]  # fmt: skip
        topics.append([replace(original, topic=original.id, facets=facets), *rest])
        qrels[original.id] = grades
    return topics, qrels


def _numbered(originals: Sequence[Query], variants: Sequence[Query]) -> Iterator[Query]:
    """Yield each text of a topic once, with an id that is no other query's."""
    seen = {(each.id, _plain(each.content)) for each in originals}
    for each in variants:
        key = (each.topic, _plain(each.content))
        if key not in seen:
            seen.add(key)
            yield replace(each, id=f"{each.topic}~~{len(seen)}")
