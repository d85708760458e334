"""Plant a fault into a system, and see whether `repair` finds it, on real collections.

    python studies/proofs/planted_faults.py [CORPUS ...] [--system CHAIN ...] [--limit N]
    python studies/proofs/planted_faults.py --lengths

A row says what is recommended and what it gains on the half of the source documents that had no
part in choosing it.

--documents  only the first so many of each corpus
--again    repairs what was recommended until nothing is: a system with nothing left to mend
--seeds    other halves, and other probes; with --again, on which that last system is tried
--lengths  how long the documents are, by which corpora for a cut were chosen
--out      keeps every trial as DIR/CORPUS-NUMBER.json
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from leadline.checking import build_probes
from leadline.data.documents import read_corpus
from leadline.repairing.proposals import Proposal, proposals, runnable
from leadline.repairing.trial import LIMIT, Repair, Trial, tried_on_halves
from leadline.systems.chains import load_system
from leadline.types import Document

SHARED = os.environ.get("LEADLINE_SHARED", str(Path(__file__).resolve().parents[2] / "shared"))
DATA = Path(SHARED) / "data"
CORPORA = ("medline1033", "mtsamples", "lisa", "cranfield")
DIGITS_DROPPED = r"bm25:token_pattern=[a-z]{2\,}"
SYSTEMS = (DIGITS_DROPPED, "minilm:max_length=64")
TOKENS = 64
MOST_STEPS = 6


def first(name: str, documents: int) -> Mapping[str, Document]:
    """Return the first documents of a collection."""
    path = Path(name) if Path(name).exists() else DATA / name
    return dict(islice(read_corpus(path).items(), documents))


def repaired(chain: str, corpus: Mapping[str, Document], limit: int, seed: int = 0) -> Repair:
    """Try what Leadline proposes on the probes that check builds."""
    probes = [probe for probe in build_probes(corpus, limit=limit, seed=seed) if probe.queries]
    candidates, _ = runnable(proposals(chain))
    return tried_on_halves(load_system(chain), candidates, probes, seed=seed)


def effects(trial: Trial) -> str:
    """Return what a trial changed, for a table."""
    return "; ".join(
        f"{effect.difference.metric.partition('[')[0]} {effect.difference.mean_b:.3f} to "
        f"{effect.difference.mean_a:.3f} ({effect.difference.low:+.3f} to "
        f"{effect.difference.high:+.3f}, {effect.difference.n} units)"
        for effect in trial.effects
    )


def lengths(name: str, documents: int) -> str:
    """Return a row that tells how many tokens of minilm documents have."""
    from leadline.systems.chains import encoder_named

    tokenizer = encoder_named("minilm").encoders["document"].opened().tokenizer
    counts = [
        len(tokenizer(each.content, verbose=False)["input_ids"])
        for each in first(name, documents).values()
    ]
    over = sum(count > TOKENS for count in counts) / len(counts)
    return f"| {name} | {len(counts)} | {statistics.median(counts):.0f} | {over:.2f} |"


def row(name: str, chain: str, found: Repair, seed: int) -> str:
    """Return what was found as a row of the table."""
    confirmed = found.confirmed
    chosen = confirmed.proposal.name if confirmed and found.recommended else "nothing"
    also = ", ".join(f"`{trial.proposal.name}`" for trial in found.also)
    gained = effects(confirmed) if confirmed else ""
    return f"| {name} | `{chain}` | {seed} | `{chosen}` | {gained} | {also} |"


def next_system(proposal: Proposal, folder: Path, number: int) -> str:
    """Return the chain of a proposal; of several, the file of their fusion."""
    if len(proposal.chains) == 1:
        return proposal.name
    path = folder / f"repaired-{number}.yaml"
    path.write_text(proposal.yaml(folder))
    return str(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", default=CORPORA)
    parser.add_argument("--system", nargs="*", default=SYSTEMS)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--seeds", type=int, nargs="*", default=[0])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--lengths", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("leadline-out/planted-faults"))
    given = parser.parse_args()
    if given.lengths:
        print(f"| corpus | documents | median tokens | longer than {TOKENS} |\n|---|---|---|---|")
        for name in given.corpora:
            print(lengths(name, given.documents), flush=True)
        return
    given.out.mkdir(parents=True, exist_ok=True)
    print("| corpus | system | seed | recommended | on the other half | also helps |")
    print("|---|---|---|---|---|---|")
    for name in given.corpora:
        corpus = first(name, given.documents)
        for chain in given.system:
            run(name, chain, corpus, given)


def run(name: str, chain: str, corpus: Mapping[str, Document], given: argparse.Namespace) -> None:
    """Repair a system, again and again where that is asked for, and print a row each time."""

    def once(seed: int) -> Repair:
        found = repaired(chain, corpus, given.limit, seed)
        print(row(name, chain, found, seed), flush=True)
        number = len(list(given.out.glob("*.json")))
        path = given.out / f"{Path(name).name}-{number}.json"
        path.write_text(json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n")
        return found

    if not given.again:
        for seed in given.seeds:
            once(seed)
        return
    for step in range(MOST_STEPS):
        found = once(0)
        if not found.recommended or found.confirmed is None:
            break
        chain = next_system(found.confirmed.proposal, given.out, step)
    for seed in given.seeds:
        if seed:
            once(seed)


if __name__ == "__main__":
    main()
