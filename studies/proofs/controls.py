"""Whether `Noticed` is zero where there is nothing to notice: edits are replaced by their controls.

No speed. For every seed, conditions are built with a second control in place of each edit, so that
both candidates meet every condition. `Noticed` must then have zero inside its 95 % interval; 19 of
20 seeds are asked for. Encodings are kept in Leadline's cache.

    python studies/proofs/controls.py medline1033 -s bm25 -s minilm -s hybrid --seeds 20 --limit 40
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.data.documents import read_corpus
from leadline.evaluation import evaluate
from leadline.kinds.conditions import by_rules
from leadline.systems.chains import load_system
from leadline.types import Corpus

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data"


def without_edits(corpus: Corpus, seed: int, limit: int) -> Benchmark:
    """Return conditions with a second control in place of every edit: nothing is to notice."""
    found = by_rules.find(corpus, seed=seed, limit=limit)
    kept = []
    for document, conditions in found.kept:
        two = []
        for each in conditions:
            if len(each.controls) > 1:
                first, second = found.rng.sample(each.controls, 2)
                edit = replace(first, kind=each.edit.kind)
                two.append(replace(each, edit=edit, controls=(second,)))
        kept.append((document, two))
    found.topics = [topic for topic, (_, two) in zip(found.topics, kept, strict=True) if two]
    found.kept = [(document, two) for document, two in kept if two]
    return by_rules.benchmark_of(
        corpus, found, built_by="rules", seed=seed, source="", built={"builder": "controls"}
    )


def main() -> None:
    """Print `Noticed` with its interval for every seed and system, then how often zero is in it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("-s", "--system", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=int, default=40)
    given = parser.parse_args()
    systems = {name: load_system(name) for name in given.system or ["bm25"]}
    for name in given.corpora:
        corpus = read_corpus(SHARED / name if (SHARED / name).exists() else name)
        held: Counter[str] = Counter()
        for seed in range(given.seeds):
            probe = without_edits(corpus, seed, given.limit)
            for system in systems:
                found = evaluate(systems[system], probe, seed=seed).mean("Noticed")
                holds = found.low <= 0 <= found.high
                held[system] += holds
                print(
                    f"{name} seed {seed:2} {system:8} {found.mean:6.3f} "
                    f"[{found.low:6.3f}, {found.high:6.3f}] n={found.n}{'' if holds else '  MISS'}",
                    flush=True,
                )
        for system in systems:
            print(f"{name} {system}: zero inside in {held[system]} of {given.seeds} seeds")


if __name__ == "__main__":
    main()
