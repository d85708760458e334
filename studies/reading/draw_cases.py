"""Draw test cases of several corpora by seed, as a sheet to be read and judged.

Quality, no speed: two readers mark every case good, doubtful or bad; docs/evidence has the sheets
and what they found. A corpus is a name below $LEADLINE_SHARED/data, or a path;
":FIELD" says which field of its records holds the text, where that is not "text", and "+" joins
several files to one corpus.

    python studies/reading/draw_cases.py lisa cranfield netflix_titles:description --seed 2302
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from dataclasses import replace
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.data.documents import read_corpus
from leadline.data.fields import as_document
from leadline.data.jsonl import read_records
from leadline.kinds import position
from leadline.kinds.conditions import by_rules as conditions
from leadline.kinds.conditions.by_rules import topic_of
from leadline.kinds.conditions.edits import CONTROL
from leadline.kinds.rephrasings import by_rules as rephrasings
from leadline.types import Corpus, Query

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data"


def main() -> None:
    """Print the sheet; how many cases each corpus gave goes to standard error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="+", metavar="CORPUS[:FIELD][+CORPUS]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=200, help="source documents a corpus")
    parser.add_argument("--conditions", type=int, default=10, help="conditions a corpus")
    parser.add_argument("--rephrasings", type=int, default=7, help="rephrasings a corpus")
    parser.add_argument("--positions", type=int, default=7, help="position queries a corpus")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    sheets: dict[str, list[str]] = {"C": [], "R": [], "P": []}
    for each in given.corpora:
        name, corpus = Path(each.partition(":")[0].partition("+")[0]).name, _joined(each)
        built = {"seed": given.seed, "limit": given.limit}
        for letter, module, count, write in (
            ("C", conditions, given.conditions, _condition),
            ("R", rephrasings, given.rephrasings, _rephrasing),
            ("P", position, given.positions, _position),
        ):
            probe = module.build(corpus, **built)
            _tell(name, probe, corpus)
            asked = [query for query in probe.queries if _is_case(query)]
            drawn = rng.sample(asked, min(count, len(asked)))
            sheets[letter] += [write(name, query, probe) for query in drawn]
    for letter, cases in sheets.items():
        for number, case in enumerate(cases, 1):
            print(f"{letter}{number} {case}")


def _is_case(query: Query) -> bool:
    facets = query.facets
    return facets.get("style", "list") == "list" and facets.get("kind") != "original"


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


def _tell(name: str, probe: Benchmark, corpus: Corpus) -> None:
    built = probe.built
    topics = {query.topic for query in probe.queries}
    several = {query.topic for query in probe.queries if query.facets.get("k") == "2"}
    long = sum(len(each.text.split()) >= 200 for each in corpus.values())
    made = built["conditions"]["edits"] if "conditions" in built else built["forms"]
    print(
        f"{name}, {probe.name}: {len(topics)} topics of {built['considered']} documents read, "
        f"{len(several)} of them with two conditions or more ({long} documents of 200 words or "
        f"more in the corpus): {made}",
        file=sys.stderr,
    )


def _condition(name: str, query: Query, probe: Benchmark) -> str:
    facts = query.facets
    start, end = map(int, facts["span"].split("-"))
    document = probe.corpus[query.topic]
    topic = topic_of(document, frozenset())
    about = f"(about {topic}) " if topic else ""
    control = next(
        twin.facets
        for twin in probe.queries
        if (twin.topic, twin.facets["style"], twin.facets["k"])
        == (query.topic, CONTROL, facts["k"])
    )
    text = document.text
    return (
        f"{name}/{query.topic} [{facts['edit']}] {about}{facts['condition']}\n"
        f"      edit {facts['before']!r} -> {facts['after']!r}   "
        f"control {control['before']!r} -> {control['after']!r}\n"
        f"      in: {text[max(0, start - 50) : end + 40]!r}"
    )


def _position(name: str, query: Query, probe: Benchmark) -> str:
    facts = query.facets
    start, end = map(int, facts["span"].split("-"))
    text = probe.corpus[query.topic].text
    return (
        f"{name}/{query.topic} [{facts['part']}, {facts['form']}] {query.text}\n"
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
