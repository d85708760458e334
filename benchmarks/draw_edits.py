"""Draw edits of ladders by seed, as a sheet to be read and judged.

Quality, no speed: two readers mark every edit good, doubtful or bad: does it make the condition
false, and would somebody write the sentence that it leaves? LADDERS are folders that
`leadline synthesize conditions CORPUS --out FOLDER` wrote.

    python benchmarks/draw_edits.py LADDERS ... --seed 14 --edits 60
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.benchmarks.folder import build
from leadline.facts.attributes.text import sentences_of
from leadline.types import Query


def main() -> None:
    """Print the sheet: as many edits of each folder, no more than one of a document."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", metavar="LADDERS", type=Path)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--edits", type=int, default=60)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    number = 0
    for place, folder in enumerate(given.folders):
        ladders = build(folder)
        for query in _drawn(ladders, (given.edits - number) // (len(given.folders) - place), rng):
            number += 1
            print(f"E{number} {_edit(folder.name, query, ladders)}\n")


def _drawn(ladders: Benchmark, count: int, rng: random.Random) -> list[Query]:
    """Draw conditions of different documents: the last of a list query is the one edited."""
    by_document: dict[str, list[Query]] = {}
    for query in ladders.queries:
        if query.facets["style"] == "list":
            by_document.setdefault(query.facets["document"], []).append(query)
    chosen = rng.sample(sorted(by_document), min(count, len(by_document)))
    return [rng.choice(by_document[document]) for document in chosen]


def _edit(name: str, query: Query, ladders: Benchmark) -> str:
    facts = query.facets
    missing = min(ladders.qrels[query.id].items(), key=lambda each: each[1])[0]
    k, n = int(facts["k"]), int(facts["n"])
    if k == n:  # the ladder's own candidates: d_(n-1) breaks the last condition alone
        missing = next(id for id, grade in ladders.qrels[query.id].items() if grade == n - 1)
    source, broken = ladders.corpus[query.topic], ladders.corpus[missing]
    before, after = (sentences_of(document.text) for document in (source, broken))
    pairs = [(old, new) for old, new in zip(before, after, strict=False) if old != new]
    told = "\n".join(f"      was: {old}\n      now: {new}" for old, new in pairs[:1])
    title = f" ({source.title})" if source.title else ""
    return f"{name}/{query.topic}{title} [{facts['edit']}] {facts['condition']}\n{told}"


if __name__ == "__main__":
    main()
