"""Plant a fault into a system, and see whether `repair` finds it, on real collections.

Run: python benchmarks/planted_faults.py [CORPUS ...] [--system CHAIN ...] [--documents N]

For every corpus the first N documents are searched. A row says what is recommended and what it
gains on the half of the source documents that had no part in choosing it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from leadline.checking import build_probes
from leadline.files.documents import read_corpus
from leadline.repairing.proposals import proposals, runnable
from leadline.repairing.trial import Repair, Trial, repair
from leadline.systems.chains import load_system
from leadline.types import Document

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CORPORA = ("medline1033", "mtsamples", "lisa")
DIGITS_DROPPED = r"bm25:token_pattern=[a-z]{2\,}"
SYSTEMS = (DIGITS_DROPPED, "minilm:max_length=64")


def first(name: str, documents: int) -> Mapping[str, Document]:
    """Return the first documents of a collection."""
    path = Path(name) if Path(name).exists() else DATA / name
    return dict(islice(read_corpus(path).items(), documents))


def repaired(chain: str, corpus: Mapping[str, Document], limit: int) -> Repair:
    """Try what Leadline proposes on the probes that check builds."""
    probes = [probe for probe in build_probes(corpus, limit=limit) if probe.queries]
    candidates, _ = runnable(proposals(chain))
    return repair(load_system(chain), candidates, probes)


def effects(trial: Trial) -> str:
    """Return what a trial changed, for a table."""
    return "; ".join(
        f"{effect.difference.metric.partition('[')[0]} {effect.difference.mean_b:.3f} to "
        f"{effect.difference.mean_a:.3f} ({effect.difference.low:+.3f} to "
        f"{effect.difference.high:+.3f})"
        for effect in trial.effects
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", default=CORPORA)
    parser.add_argument("--system", nargs="*", default=SYSTEMS)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--limit", type=int, default=100)
    given = parser.parse_args()
    print(
        "| corpus | system | recommended | on the other half | also helps |\n|---|---|---|---|---|"
    )
    for name in given.corpora:
        corpus = first(name, given.documents)
        for chain in given.system:
            found = repaired(chain, corpus, given.limit)
            confirmed = found.confirmed
            chosen = confirmed.proposal.name if confirmed and found.recommended else "nothing"
            also = ", ".join(f"`{trial.proposal.name}`" for trial in found.also)
            gained = effects(confirmed) if confirmed else ""
            print(f"| {name} | `{chain}` | `{chosen}` | {gained} | {also} |", flush=True)


if __name__ == "__main__":
    main()
