"""Draw cases of tests that a language model wrote, as a sheet to be read and judged.

Quality, no speed: each folder is the output of `leadline check CORPUS --llm MODEL`.

    python studies/reading/draw_written.py out-a out-b --seed 36 --conditions 60 --questions 40
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.kinds.benchmark_folder import build
from leadline.kinds.conditions.edits import CONTROL
from leadline.types import Query

_AROUND = 60
_ANSWER = 2500


def main() -> None:
    """Print the sheet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    for kind in ("conditions", "questions", "rephrasings"):
        parser.add_argument(f"--{kind}", type=int, default=40)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    for kind, write in (
        ("conditions", _condition), ("questions", _question), ("rephrasings", _rephrasing),
    ):  # fmt: skip
        cases = []
        for folder in given.folders:
            probe = build(folder / kind)
            cases += [(folder.name, query, probe) for query in probe.queries if _is_case(query)]
        drawn = rng.sample(cases, min(getattr(given, kind), len(cases)))
        for number, (name, query, probe) in enumerate(drawn, 1):
            print(f"{kind[0].upper()}{number} {name}/{query.topic} {write(query, probe)}")


def _is_case(query: Query) -> bool:
    return query.facets.get("style", "list") == "list" and query.facets.get("kind") != "original"


def _condition(query: Query, probe: Benchmark) -> str:
    facts, text = query.facets, probe.corpus[query.topic].text
    start, end = map(int, facts["span"].split("-"))
    control = next(
        twin.facets for twin in probe.queries
        if (twin.topic, twin.facets["style"], twin.facets["k"])
        == (query.topic, CONTROL, facts["k"])
    )  # fmt: skip
    about = re.split(r" (?:with every|that meet|for which) ", query.text)[0]
    return (
        f"[{facts['edit']}] {about} ... : {facts['condition']}\n"
        f"      edit {facts['before']!r} -> {facts['after']!r}   "
        f"control {control['before']!r} -> {control['after']!r}\n"
        f"      in: {' '.join(text[max(0, start - _AROUND) : end + _AROUND].split())}"
    )


def _question(query: Query, probe: Benchmark) -> str:
    document = probe.corpus[query.id]
    start, end = map(int, query.facets["span"].split("-"))
    others = [id for id in probe.qrels[query.id] if id != query.id]
    also = "".join(
        f"\n      also relevant: {probe.corpus[id].title or id}: "
        f"{' '.join(probe.corpus[id].text[:1200].split())}" for id in others[:2]
    )  # fmt: skip
    told = " ".join(document.text[start : min(end, start + _ANSWER)].split())
    return f"[{query.facets['form']}] {query.text}\n      {document.title}: {told}{also}"


def _rephrasing(query: Query, probe: Benchmark) -> str:
    original = next(
        other.text for other in probe.queries
        if (other.topic, other.facets["kind"]) == (query.topic, "original")
    )  # fmt: skip
    return f"[{query.facets['kind']}] {original}\n      {query.text}"


if __name__ == "__main__":
    main()
