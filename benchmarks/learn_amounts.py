"""Train the network that tells which amounts of a text belong together, and how.

Run: python benchmarks/learn_amounts.py [--without NAME,NAME] [--out FILE] [--epochs N,N]

Learns from the texts of `implied_facts_texts` that may be read (those named unread are never
opened), from implied_facts_dev, from real passages in which readers judged what had been derived,
and from others that nobody has marked, which stand for texts that imply next to nothing. With
--without, the sets named are left out and the network is scored on them by itself: recall, and the
shares of what it derives that are listed as right and as wrong, by threshold; it is written only
where --out says so. Else `src/leadline/enrichers/learned/amounts.npz` is written. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import operator
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import torch
from implied_amounts_net import Net, exported, packed, trained
from passages import FOLDER as PASSAGES
from passages import SHARED, Passage, contents, cut, read_passages, value_key

from leadline.enrichers.amounts.ledger import as_fact
from leadline.enrichers.amounts.passage import read_passage
from leadline.enrichers.learned.amount_features import features_of
from leadline.enrichers.learned.amount_network import UNKNOWN, AmountNetwork, fingerprint
from leadline.enrichers.learned.amount_pairs import Operand, Pair, Sums, all_candidates, operand_of
from leadline.enrichers.learned.amount_readings import FURTHER, read_amounts
from leadline.enrichers.learned.operations import Candidate

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "src/leadline/enrichers/learned/amounts.npz"
READ = ("first", "second", "third", "fourth")
PLAIN = ("trec_dl19_pool", "mtsamples")
_PLAIN, _WORDS, _TRUST = 900, 120, 0.3
_RARE = 3
_STEP, _TRAP, _IDLE = 0.25, 3.0, 0.3
"""What an amount counts that is only a step on the way to an expected one, a wrong reading, and one
that is true, but that nobody asks for."""


@dataclass
class Text:
    """A text with the amounts it implies, and what may be derived from its figures."""

    sums: Sums
    expected: dict[Any, int]
    wrong: set[Any]
    steps: set[float]
    pairs: list[Pair] = field(default_factory=list)
    trust: float = 1.0
    idle: set[Any] = field(default_factory=set)

    def labels(self) -> tuple[list[float], list[float]]:
        """Return for each candidate whether it holds, and what it counts."""
        marks, weights = [], []
        for _, each in all_candidates(self.pairs):
            holds = key_of(each) in self.expected
            is_step = round(float(each.value), 3) in self.steps
            marks.append(float(holds or is_step))
            weights.append(self.trust * self._weight(key_of(each), is_step and not holds))
        return marks, weights

    def _weight(self, key: Any, is_step: bool) -> float:
        if key in self.wrong:
            return _TRAP
        if is_step:
            return _STEP
        return _IDLE if key in self.idle else 1.0


def main() -> None:
    options = _options()
    left_out = set(filter(None, options.without.split(",")))
    sets = dict(read_sets())
    if unknown := left_out - set(sets):
        raise SystemExit(f"no set {', '.join(unknown)}; there are {', '.join(sets)}")
    learning = [text for name, texts in sets.items() if name not in left_out for text in texts]
    learning += list(plain_texts())
    print(f"{len(learning)} texts, {sum(len(each.expected) for each in learning)} amounts to learn")
    vocabulary = _vocabulary(learning)
    epochs = [int(each) for each in options.epochs.split(",")]
    _add_further_pairs(learning, vocabulary, min(epochs))
    network, members = _learn(learning, vocabulary, epochs)
    for name in sorted(left_out):
        print(name)
        _show(network, sets[name])
    if options.out or not left_out:
        _write(options.out or OUT, vocabulary, members)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--without", default="")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--epochs", default="8,8,12,12", help="of each member")
    return parser.parse_args()


def read_sets() -> Iterator[tuple[str, list[Text]]]:
    """Return the sets of texts by name."""
    folder = HERE / "implied_facts_texts"
    paths = {name: folder / name / "quantities.jsonl" for name in READ}
    paths["dev"] = SHARED / "data/implied_facts_dev/quantities.jsonl"
    learning = sorted((folder / "learning").glob("amounts_*.jsonl*"))
    paths |= {path.name.partition(".")[0].removeprefix("amounts_"): path for path in learning}
    for name, path in paths.items():
        if path.exists():
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rt", encoding="utf-8") as lines:
                yield name, [_text(json.loads(line)) for line in lines]
    for name in ("learned", "held"):
        yield name, [_judged(each) for each in read_passages(PASSAGES / f"{name}.jsonl")]


def _judged(passage: Passage) -> Text:
    sums = Sums(read_passage(passage.text))
    right, wrong, idle = (
        {value_key(*value) for value in values}
        for values in (passage.right, passage.wrong, passage.fine)
    )
    return Text(sums, dict.fromkeys(right, 1), wrong, set(), list(sums.pairs()), idle=idle)


def plain_texts() -> Iterator[Text]:
    """Return passages of the web and of medical reports, in which next to nothing is implied.

    Nobody has marked them: what they do imply counts as wrong, so they are trusted less.
    """
    choices = random.Random(0)
    for name in PLAIN:
        if texts := list(contents(name).values()):
            for text in choices.sample(texts, _PLAIN):
                first = choices.randrange(max(1, text.count(" ") + 1 - _WORDS))
                sums = Sums(read_passage(cut(text, first, _WORDS)))
                yield Text(sums, {}, set(), set(), list(sums.pairs()), _TRUST)


def _text(document: Mapping[str, Any]) -> Text:
    sums = Sums(read_passage(document["text"]))
    facts = document["facts"]
    expected = {value_key(each["kind"], each["value"]): each["difficulty"] for each in facts}
    wrong = {key for value in document["not_facts"] for key in _keys(value)}
    steps = {step for each in facts for step in _steps(each.get("formula", ""))}
    return Text(sums, expected, wrong, steps, list(sums.pairs()))


def _keys(value: Any) -> Iterator[Any]:
    if not isinstance(value, dict):
        kinds = ["number", "percent"]
    elif "currency" in value:
        kinds = ["money"]
    else:
        kinds = ["quantity", "duration"]
    for kind in kinds:
        yield value_key(kind, value)


def key_of(candidate: Candidate) -> Any:
    """Return what makes the fact of a candidate equal to an expected one."""
    fact = as_fact(candidate.amount())
    return None if fact is None else value_key(*fact)


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _steps(formula: str) -> Iterator[float]:
    """Return the values of the parts of a formula: steps on the way to its value."""
    tree = ast.parse(formula or "0", mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            yield round(abs(float(_value(node))), 3)


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.BinOp):
        work: Any = _OPERATORS[type(node.op)]
        return Fraction(work(_value(node.left), _value(node.right)))
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand)
    assert isinstance(node, ast.Constant)
    return Fraction(str(node.value))


def _vocabulary(texts: Iterable[Text]) -> list[str]:
    count = Counter(word for text in texts for word in set(text.sums.context.tokens))
    return sorted(word for word, number in count.items() if number >= _RARE and not word.isspace())


def _learn(
    texts: Sequence[Text], vocabulary: Sequence[str], epochs: Sequence[int]
) -> tuple[AmountNetwork, list[dict[str, Any]]]:
    rows = AmountNetwork(vocabulary, [])
    packs = []
    for text in texts:
        known = features_of(text.sums, text.pairs)
        context = text.sums.context
        packs.append(packed(rows.rows(context.tokens), context.table, known, *text.labels()))
    nets: list[Net] = [
        trained(packs, len(vocabulary) + UNKNOWN + 1, each, seed)
        for seed, each in enumerate(epochs)
    ]
    weights = [exported(each) for each in nets]
    return AmountNetwork(vocabulary, weights), weights


def _add_further_pairs(texts: Sequence[Text], vocabulary: Sequence[str], epochs: int) -> None:
    """Add what derived amounts yield, those that a network finds that did not learn from the text.

    Those that hold are derived in any case.
    """
    halves = [texts[0::2], texts[1::2]]
    for here, other in (halves, halves[::-1]):
        network, _ = _learn(other, vocabulary, [-(-epochs // 2)])
        for text in here:
            likely = network.probabilities(text.sums, text.pairs)
            marks, _ = text.labels()
            derived: dict[Any, Operand] = {}
            found = zip(all_candidates(text.pairs), likely, marks, strict=True)
            for (number, each), probability, mark in sorted(found, key=lambda each: -each[1]):
                if probability >= FURTHER or mark:
                    sure = max(float(probability), FURTHER)
                    operand = operand_of(text.pairs[number], each, sure)
                    derived.setdefault((each.sort, each.unit, each.value), operand)
            text.pairs += list(text.sums.further_pairs(list(derived.values())[:6]))


def _write(path: Path, vocabulary: Sequence[str], members: Sequence[Mapping[str, Any]]) -> None:
    kept = {
        f"{number}.{name}": value.astype(np.float16)
        for number, weights in enumerate(members)
        for name, value in weights.items()
    }
    names: dict[str, Any] = {"vocabulary": " ".join(vocabulary), "fingerprint": fingerprint()}
    part = path.with_name(path.name + ".part.npz")
    np.savez_compressed(part, **kept, **names)
    part.replace(path)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


def _show(network: AmountNetwork, texts: Sequence[Text]) -> None:
    table: dict[float, Counter[str]] = {}
    for text in texts:
        amounts = text.sums.passage.amounts
        stated = {value_key(*fact) for each in amounts if (fact := as_fact(each))}
        best: dict[Any, float] = {}
        for each in read_amounts(text.sums.passage, network):
            key = key_of(each.candidate)
            if key is not None and key not in stated:
                best[key] = max(best.get(key, 0.0), each.probability)
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
            f"  {limit:.2f} recall {row['found'] / row['expected']:.3f} derived {row['derived']}"
            f" right {row['listed'] / max(1, row['derived']):.2f}"
            f" wrong {row['wrong'] / max(1, row['derived']):.3f}"
            f" in empty {row['extra'] / max(1, row['empty']):.2f}"
        )


if __name__ == "__main__":
    random.seed(0)
    torch.set_num_threads(1)
    main()
