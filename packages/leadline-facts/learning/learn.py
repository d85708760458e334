"""Train the networks that tell which literals of a text belong together, and how.

Run: python learning/learn.py amounts [--without NAME,NAME] [--out FILE] [--epochs N,N]

Learns from the texts of `learning/texts` that may be read (those named unread are never
opened), from implied_facts_dev, from passages in which readers judged what was derived, and from
others that nobody has marked, which stand for texts that imply next to nothing. With --without,
the sets named are left out and the network is scored on them by itself: recall, and the shares of
what it derives that are listed as right and as wrong, by threshold; it is written only where --out
says so. Else the weights of the package are written. With --start, weights are taken on from, with
the texts written by hand and a sample of the others. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from amounts import AMOUNTS
from net import Net, exported, packed_text, trained

from kinds import Kind, Text, joined, labels
from leadline_facts.choose.network import UNKNOWN, Network, fingerprint, kept_weights, packed

OUT = Path(__file__).resolve().parents[1] / "src/leadline_facts/choose"
KINDS = {kind.name: kind for kind in (AMOUNTS,)}
FURTHER = 0.25
BY_HAND = ("dev", "first", "second", "third", "fourth")
CAREFUL = 3
"""So many times the sets count that were written with most care."""

_RARE = 3


def main() -> None:
    options = _options()
    kind = KINDS[options.kind]
    left_out = set(filter(None, options.without.split(",")))
    sets = dict(kind.sets())
    if unknown := left_out - set(sets):
        raise SystemExit(f"no set {', '.join(unknown)}; there are {', '.join(sets)}")
    texts = [
        replace(text, by_hand=name in BY_HAND)
        for name, some in sets.items()
        if name not in left_out
        for text in some * (CAREFUL if name in BY_HAND else 1)
    ]
    texts += list(kind.plain())
    print(f"{len(texts)} texts, {sum(len(each.expected) for each in texts)} values to learn")
    epochs = [int(each) for each in options.epochs.split(",")]
    if options.start:
        vocabulary, starts = kept_weights(options.start, kind.names)
        others = [each for each in texts if not each.by_hand]
        texts = [each for each in texts if each.by_hand]
        texts += random.Random(0).sample(others, min(options.sample, len(others)))
        _add_likely_pairs(kind, texts, Network(vocabulary, starts))
    else:
        vocabulary, starts = _vocabulary(texts), []
        _add_further_pairs(kind, texts, vocabulary, min(epochs))
    network, members = _learn(kind, texts, vocabulary, epochs, starts)
    for name in sorted(left_out):
        print(name)
        _show(kind, network, sets[name])
    if options.out or not left_out:
        _write(kind, options.out or OUT / f"{kind.name}.npz", vocabulary, members)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--without", default="")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    parser.add_argument("--sample", type=int, default=1500, help="texts not written by hand, then")
    parser.add_argument("--epochs", default="8,8,12,12", help="of each member")
    return parser.parse_args()


def _vocabulary(texts: Iterable[Text]) -> list[str]:
    count = Counter(word for text in texts for word in set(text.source.context.tokens))
    return sorted(word for word, number in count.items() if number >= _RARE and not word.isspace())


def _learn(
    kind: Kind,
    texts: Sequence[Text],
    vocabulary: Sequence[str],
    epochs: Sequence[int],
    starts: Sequence[Mapping[str, Any]] = (),
) -> tuple[Network, list[dict[str, Any]]]:
    rows = Network(vocabulary, [])
    packs = []
    for text in texts:
        known = text.features(kind)
        context = text.source.context
        marks, weights = labels(kind, text)
        packs.append(packed_text(rows.rows(context.tokens), context.table, known, marks, weights))
    words = len(vocabulary) + UNKNOWN + 1
    nets: list[Net] = [
        trained(kind, packs, words, each, seed, starts[seed] if starts else None)
        for seed, each in enumerate(epochs)
    ]
    weights_of = [exported(each) for each in nets]
    return Network(vocabulary, weights_of), weights_of


def _add_further_pairs(
    kind: Kind, texts: Sequence[Text], vocabulary: Sequence[str], epochs: int
) -> None:
    """Add what derived values yield, those that a network finds that did not learn from the text.

    Those that hold are derived in any case.
    """
    numbers = {source: at for at, source in enumerate(dict.fromkeys(each.source for each in texts))}
    halves = [[each for each in texts if numbers[each.source] % 2 == half] for half in (0, 1)]
    for here, other in (halves, halves[::-1]):
        network, _ = _learn(kind, other, vocabulary, [-(-epochs // 2)])
        _add_likely_pairs(kind, here, network)


def _add_likely_pairs(kind: Kind, texts: Sequence[Text], network: Network) -> None:
    for text in texts:
        part = text
        for _ in range(kind.rounds):
            fresh = _further_of(kind, part, network)
            part = Text(text.source, text.expected, text.wrong, fresh, text.steps)
            if fresh:
                text.known = joined(text.features(kind), part.features(kind))
                text.pairs = [*text.pairs, *fresh]


def _further_of(kind: Kind, text: Text, network: Network) -> list[Any]:
    if not text.pairs:
        return []
    likely = network.probabilities(text.source.context, text.features(kind))
    marks, _ = labels(kind, text)
    found = zip(kind.candidates(text.pairs), likely.tolist(), marks, strict=True)
    chosen = [
        (text.pairs[number], each, probability)
        for (number, each), probability, mark in sorted(found, key=lambda each: -each[1])
        if probability >= FURTHER or mark
    ]
    return kind.further(text, chosen)


def _write(
    kind: Kind, path: Path, vocabulary: Sequence[str], members: Sequence[Mapping[str, Any]]
) -> None:
    kept = {
        f"{number}.{name}": value
        for number, weights in enumerate(members)
        for name, value in packed(weights).items()
    }
    names: dict[str, Any] = {"vocabulary": " ".join(vocabulary)}
    names["fingerprint"] = fingerprint(kind.names)
    part = path.with_name(path.name + ".part.npz")
    np.savez_compressed(part, **kept, **names)
    part.replace(path)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def _show(kind: Kind, network: Network, texts: Sequence[Text]) -> None:
    table: dict[float, Counter[str]] = {}
    for text in texts:
        stated = kind.stated(text.source)
        best: dict[Any, float] = {}
        for key, probability in kind.derived(text.source, network):
            if key is not None and key not in stated:
                best[key] = max(best.get(key, 0.0), probability)
        for limit in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
            row = table.setdefault(limit, Counter())
            given = {key for key, probability in best.items() if probability >= limit}
            easy = [key for key, difficulty in text.expected.items() if difficulty < 3]
            row["found"] += sum(key in given or key in stated for key in easy)
            row["expected"] += len(easy)
            row["derived"] += len(given)
            row["wrong"] += len(given & text.wrong)
            row["listed"] += len(given & set(text.expected))
            row["empty"] += not text.expected
            row["extra"] += 0 if text.expected else len(given)
    for limit, row in table.items():
        print(
            f"  {limit:.2f} recall {row['found'] / max(1, row['expected']):.3f}"
            f" derived {row['derived']} right {row['listed'] / max(1, row['derived']):.2f}"
            f" wrong {row['wrong'] / max(1, row['derived']):.3f}"
            f" in empty {row['extra'] / max(1, row['empty']):.2f}"
        )


if __name__ == "__main__":
    random.seed(0)
    torch.set_num_threads(1)
    main()
