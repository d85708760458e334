"""Draw conditions and rephrasings of several corpora by seed, as a sheet to be read and judged.

Quality, no speed: two readers mark every case good, doubtful or bad; docs/check.md has what they
found and docs/check-sheet.txt the sheet. A corpus is a name below $LEADLINE_SHARED/data, or a path;
":FIELD" says which field of its records holds the text, where that is not "text", and "+" joins
several files to one corpus.

    python benchmarks/draw_cases.py lisa cranfield netflix_titles:description --seed 2302
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from dataclasses import replace
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.files.documents import read_corpus
from leadline.files.fields import as_document
from leadline.files.jsonl import read_records
from leadline.synthesis.conditions import by_rules as conditions
from leadline.synthesis.conditions.about import topics_of
from leadline.synthesis.conditions.edits import CONTROL
from leadline.synthesis.rephrasings import by_rules as rephrasings
from leadline.types import Corpus, Query

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data"


def main() -> None:
    """Print the sheet; how many cases each corpus gave goes to standard error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="+", metavar="CORPUS[:FIELD][+CORPUS]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=80, help="source documents a corpus")
    parser.add_argument("--cases", type=int, default=12, help="of each probe, a corpus")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    corpora = {name.partition(":")[0].partition("+")[0]: _joined(name) for name in given.corpora}
    sheets: dict[str, list[str]] = {"C": [], "R": []}
    for name, corpus in corpora.items():
        probe = conditions.build(corpus, seed=given.seed, limit=given.limit)
        _tell(name, probe)
        asked = [query for query in probe.queries if query.facets["style"] == "list"]
        drawn = rng.sample(asked, min(given.cases, len(asked)))
        sheets["C"] += [_condition(Path(name).name, query, probe) for query in drawn]
    for name, corpus in corpora.items():
        probe = rephrasings.build(corpus, seed=given.seed, limit=given.limit)
        _tell(name, probe)
        asked = [query for query in probe.queries if query.facets["kind"] != "original"]
        drawn = rng.sample(asked, min(given.cases, len(asked)))
        sheets["R"] += [_rephrasing(Path(name).name, query, probe) for query in drawn]
    for letter, cases in sheets.items():
        for number, case in enumerate(cases, 1):
            print(f"{letter}{number} {case}")


def _joined(given: str) -> Corpus:
    parts = given.split("+")
    if len(parts) == 1:
        return read(given)
    return {
        f"{number}.{id}": replace(document, id=f"{number}.{id}")
        for number, part in enumerate(parts, 1)
        for id, document in read(part).items()
    }


def read(given: str) -> Corpus:
    name, _, field = given.partition(":")
    path = SHARED / name if (SHARED / name).exists() else Path(name)
    if not field:
        return read_corpus(path)
    file = next(iter(sorted(path.glob("*.jsonl*")))) if path.is_dir() else path
    documents = (
        as_document({**record, "text": record.get(field) or ""}, f"{file}:{line}")
        for line, record in read_records(file)
    )
    return {document.id: document for document in documents if document.text.strip()}


def _tell(name: str, probe: Benchmark) -> None:
    built = probe.built
    made = built["conditions"]["edits"] if "conditions" in built else built["forms"]
    print(
        f"{name}, {probe.name}: {built['kept']} of {built['considered']}: {made}", file=sys.stderr
    )


def _condition(name: str, query: Query, probe: Benchmark) -> str:
    facts = query.facets
    start, end = map(int, facts["span"].split("-"))
    text = probe.corpus[query.topic].text
    (topic,) = topics_of([probe.corpus[query.topic]])
    about = f"(about {topic}) " if topic else ""
    control = next(
        twin.facets
        for twin in probe.queries
        if (twin.topic, twin.facets["style"], twin.facets["k"])
        == (query.topic, CONTROL, facts["k"])
    )
    return (
        f"{name}/{query.topic} [{facts['edit']}] {about}{facts['condition']}\n"
        f"      {facts['before']!r} -> {facts['after']!r}   "
        f"control {control['before']!r} -> {control['after']!r}\n"
        f"      in: {text[max(0, start - 50) : end + 40]!r}"
    )


def _rephrasing(name: str, query: Query, probe: Benchmark) -> str:
    original = next(
        other.text
        for other in probe.queries
        if (other.topic, other.facets["kind"]) == (query.topic, "original")
    )
    return f"{name}/{query.topic} [{query.facets['kind']}] {original}\n      {query.text}"


if __name__ == "__main__":
    main()
