"""How much of what is derived from real passages readers found right.

Run: python learning/judged_passages.py [--rules-only] [--network FILE] [--above CONFIDENCE]
         [FILE ...]

The files of `texts/passages` hold values that readers judged as right, as fine (true,
but nobody would ask for it) or as wrong, for passages of the collections under LEADLINE_SHARED. A
value that nobody judged is counted apart. The network of the package learned from `learned` and
`held`: what it reaches there says nothing; `--network FILE` takes another, which `learn.py amounts
--without held --out FILE` writes. Without FILE `held` is scored.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from passages import FOLDER, Passage, read_passages, value_key

from leadline.types import Document, Fact
from leadline_facts import quantities, temporal
from leadline_facts.choose import amount_facts
from leadline_facts.choose.amount_features import NAMES
from leadline_facts.choose.network import read_network

VERDICTS = ("right", "fine", "wrong", "unjudged")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--network", type=Path)
    parser.add_argument("--above", type=float, default=0.0)
    parser.add_argument("files", nargs="*", type=Path, default=[FOLDER / "held.jsonl"])
    options = parser.parse_args()
    if options.network:
        network = read_network(options.network, NAMES)
        amount_facts.package_network = lambda name, names: network
    enrichers = {
        "amounts": quantities.build(learned=not options.rules_only),
        "dates, times": temporal.build(),
    }
    print(f"{'':30} {'passages':>8} {'derived':>7} " + " ".join(f"{each:>9}" for each in VERDICTS))
    for path in options.files:
        passages = list(read_passages(path))
        for name, enricher in enrichers.items():
            documents = [Document(str(place), each.text) for place, each in enumerate(passages)]
            count: Counter[str] = Counter()
            for passage, (_, facts) in zip(passages, enricher.facts(documents), strict=True):
                count.update(_verdicts(passage, facts, options.above))
            if count:
                shares = " ".join(f"{count[each] / count.total():9.3f}" for each in VERDICTS)
                print(f"{path.stem + ' ' + name:30} {len(passages):8} {count.total():7} {shares}")


def _verdicts(passage: Passage, facts: tuple[Fact, ...], above: float) -> list[str]:
    verdicts: dict[Any, str] = {}
    for verdict in ("wrong", "fine", "right"):
        for kind, value in getattr(passage, verdict):
            verdicts[value_key(kind, value)] = verdict
    derived = {
        value_key(fact.kind, fact.value)
        for fact in facts
        if fact.role == "derived" and fact.confidence >= above
    }
    return [verdicts.get(key, "unjudged") for key in derived]


if __name__ == "__main__":
    main()
