"""Build instructions by rules on several corpora and print a seeded sample of them, to be read.

Run: python studies/reading/draw_instructions.py [--seed N] [--size N] [--limit N] [CORPUS ...]

CORPUS is a folder of the shared data (`lisa`) or a path.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.data.documents import read_with_fields
from leadline.kinds.instructions import by_rules
from leadline.types import Query

HERE = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("LEADLINE_SHARED", HERE.parent / "shared")) / "data"
CORPORA = ("lisa", "cranfield", "childrens_books", "examples/harbour_town/corpus.jsonl")


def build(corpus: str, *, seed: int, limit: int) -> Benchmark:
    """Return the instructions on a corpus that is named as on the command line."""
    found = [SHARED / corpus / "records.jsonl.gz", SHARED / corpus, HERE / corpus, Path(corpus)]
    path = next((each for each in found if each.exists()), Path(corpus))
    field = "description" if path.name.startswith("records") else ""
    return by_rules.build(read_with_fields(path, text=field), seed=seed, limit=limit, source=corpus)


def topics_of(benchmark: Benchmark) -> dict[str, dict[str, Query]]:
    """Return the queries by topic and mode."""
    found: dict[str, dict[str, Query]] = defaultdict(dict)
    for query in benchmark.queries:
        found[query.topic][query.facets["mode"]] = query
    return found


def show(number: int, corpus: str, benchmark: Benchmark, modes: Mapping[str, Query]) -> None:
    """Print what is asked in the three modes, and the documents that meet it and that do not."""
    asked, refused = modes["instructed"], modes["reversed"]
    print(f"\n=== {number} {corpus} ({asked.facets['dimension']})")
    print(f"query:    {modes['original'].text}")
    print(f"asks:     {asked.text} {asked.instruction}")
    print(f"refuses:  {refused.text} {refused.instruction}")
    grades = benchmark.qrels[asked.id]
    for id, grade in sorted(grades.items(), key=lambda each: -each[1]):
        document = benchmark.corpus[id]
        mark = "meets it" if grade else "does not"
        title = f"{document.title} | " if document.title else ""
        print(f"  [{mark}] {title}{document.text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", default=list(CORPORA), metavar="CORPUS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=60, help="topics to print, over all corpora")
    parser.add_argument("--limit", type=int, default=60, help="core queries of a dimension")
    given = parser.parse_args()
    number = 0
    for place, corpus in enumerate(given.corpora):
        benchmark = build(corpus, seed=given.seed, limit=given.limit)
        topics = topics_of(benchmark)
        print(f"\n##### {corpus}: {benchmark.built['core queries']} {benchmark.built['dropped']}")
        rng = random.Random(f"{given.seed} {corpus}")
        rest = given.size - number
        wanted = -(-rest // (len(given.corpora) - place))
        for topic in rng.sample(list(topics), min(wanted, len(topics))):
            number += 1
            show(number, corpus, benchmark, topics[topic])


if __name__ == "__main__":
    main()
