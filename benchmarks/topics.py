"""What a topic before the conditions changes: the same conditions, asked with it and without.

No speed. `Noticed` of each system, over the cases that it could see, and over all.

    python benchmarks/topics.py medline1033 lisa -s bm25 -s minilm --limit 200
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from leadline.evaluation import evaluate
from leadline.files.documents import read_corpus
from leadline.synthesis.conditions import by_rules
from leadline.systems.chains import load_system

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data"
SHOWN = ("Noticed", "Noticed[unseen=missed]")


def main() -> None:
    """Print a row for each corpus, system and way of asking."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("-s", "--system", action="append", default=[])
    parser.add_argument("--limit", type=int, default=200)
    given = parser.parse_args()
    print("| corpus | system | topic | Noticed | over all |\n|---|---|---|---|---|")
    topics_of = by_rules.topics_of
    for name in given.corpora:
        corpus = read_corpus(SHARED / name)
        for asked, topics in (("named", topics_of), ("left out", lambda found: [""] * len(found))):
            by_rules.topics_of = topics
            probe = by_rules.build(corpus, limit=given.limit)
            for system in given.system or ["bm25", "minilm"]:
                means = evaluate(load_system(system), probe).means()
                cells = [
                    f"{mean.mean:.2f} ({mean.low:.2f} to {mean.high:.2f}), {mean.n}"
                    for mean in map(means.get, SHOWN)
                    if mean
                ]
                print("|", " | ".join([name, system, asked, *cells]), "|", flush=True)


if __name__ == "__main__":
    main()
