"""Texts about amounts to learn from, and what their figures may yield."""

from __future__ import annotations

import ast
import json
import operator
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from passages import FOLDER as PASSAGES
from passages import SHARED, TEXTS, Passage, contents, cut, read_passages, value_key

from kinds import Kind, Text
from leadline_facts.choose import amount_features as features
from leadline_facts.choose.amount_facts import FURTHER, read_amounts
from leadline_facts.choose.network import Network
from leadline_facts.propose.amount_pairs import Operand, Sums, all_candidates, operand_of
from leadline_facts.propose.operations import OPERATIONS, Candidate
from leadline_facts.read.amounts.passage import as_fact, read_passage
from leadline_facts.read.contexts import AMOUNT_CUES

READ = ("first", "second", "third", "fourth")
PLAIN = ("trec_dl19_pool", "mtsamples")
_PLAIN, _WORDS, _TRUST = 900, 120, 0.3


def read_sets() -> Iterator[tuple[str, list[Text]]]:
    """Return the sets of texts by name."""
    paths = {name: TEXTS / name / "quantities.jsonl" for name in READ}
    paths["dev"] = SHARED / "data/implied_facts_dev/quantities.jsonl"
    learning = sorted((TEXTS / "learning").glob("amounts_*.jsonl"))
    paths |= {path.stem.removeprefix("amounts_"): path for path in learning}
    for name, path in paths.items():
        if path.exists():
            rows = path.read_text("utf-8").splitlines()
            yield name, [_text(json.loads(row)) for row in rows]
    for name in ("learned", "held"):
        yield name, [_judged(each) for each in read_passages(PASSAGES / f"{name}.jsonl")]


def _judged(passage: Passage) -> Text:
    sums = Sums(read_passage(passage.text))
    right, wrong, idle = (
        {value_key(*value) for value in values}
        for values in (passage.right, passage.wrong, passage.fine)
    )
    return Text(sums, dict.fromkeys(right, 1), wrong, list(sums.pairs()), idle=idle)


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
                yield Text(sums, {}, set(), list(sums.pairs()), trust=_TRUST)


def _text(document: Mapping[str, Any]) -> Text:
    sums = Sums(read_passage(document["text"]))
    facts = document["facts"]
    expected = {value_key(each["kind"], each["value"]): each["difficulty"] for each in facts}
    wrong = {key for value in document["not_facts"] for key in _keys(value)}
    steps = {step for each in facts for step in _steps(each.get("formula", ""))}
    return Text(sums, expected, wrong, list(sums.pairs()), steps)


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


def _further(text: Text, likely: list[tuple[Any, Any, float]]) -> list[Any]:
    derived: dict[Any, Operand] = {}
    for pair, each, probability in likely:
        operand = operand_of(pair, each, max(probability, FURTHER))
        derived.setdefault((each.sort, each.unit, each.value), operand)
    return list(text.source.further_pairs(list(derived.values())[:6]))


def _derived(sums: Any, network: Network) -> Iterator[tuple[Any, float]]:
    for each in read_amounts(sums.passage, network):
        yield key_of(each.candidate), each.probability


def _stated(sums: Any) -> set[Any]:
    amounts = sums.passage.amounts
    return {value_key(*fact) for each in amounts if (fact := as_fact(each))}


AMOUNTS = Kind(
    "amounts",
    features.NAMES,
    OPERATIONS,
    features.WINDOWS,
    features.PAIR_NAMES,
    features.RESULT_NAMES,
    AMOUNT_CUES,
    read_sets,
    plain_texts,
    features.features_of,
    all_candidates,
    key_of,
    lambda candidate: round(float(candidate.value), 3),
    _further,
    1,
    _derived,
    _stated,
)
