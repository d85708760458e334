"""A fault put into a system that tells nothing of itself is found and named."""

import dataclasses
import random
import re
from collections.abc import Callable

import pytest
from tests.shared import shared_data

from leadline.benchmark import Benchmark
from leadline.data.documents import read_corpus
from leadline.evaluation import evaluate
from leadline.kinds.conditions import by_rules
from leadline.kinds.conditions.edits import PLACES
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document

_PLACES = ("Lima", "Oslo", "Cairo", "Delhi", "Quito", "Berlin", "Tokyo", "Madrid", "Paris", "Rome")
_BESIDE = (
    "Lazy painters praise pleasant colours and curious shadows near the ancient lamps.",
    "Quiet gardeners carry wooden ladders through the narrow market every morning.",
    "Old carpets cover the famous staircase behind the golden curtain of the theatre.",
)


def written_corpus() -> dict[str, Document]:
    """Return 40 documents of about 180 words, their facts in a random order."""
    rng = random.Random("bridges")
    corpus = {}
    for i in range(40):
        word = "".join(rng.choices("bdfgklmnprstvz", k=3)) + "ano"
        facts = [
            f"The {word} bridge was finished in {rng.randint(1850, 1920)}.",
            f"A great fire damaged the roof of {word} in {rng.randint(1921, 1990)}.",
            f"About {rng.randint(20, 900)} carts crossed the {word} river each day.",
            f"Local farmers gave {rng.randint(20, 900)} silver coins to the {word} builders.",
            f"The first {word} engineer lived in {rng.choice(_PLACES)}.",
            f"Marble for the {word} floor came from quarries near {rng.choice(_PLACES)}.",
            f"The toll house of {word} has been restored with local timber.",
            f"The {word} bridge was painted by famous brothers.",
            f"The {word} river is well known to foreign sailors.",
        ]
        rng.shuffle(facts)
        text = " ".join(f"{fact} {rng.choice(_BESIDE)}" for fact in facts)
        corpus[str(i)] = Document(str(i), text)
    return corpus


class Faulty:
    """BM25 that changes every text before it reads it, and does not say so."""

    name = "faulty"

    def __init__(self, change: Callable[[str], str]) -> None:
        self.change = change

    def index(self, corpus):
        changed = {
            id: dataclasses.replace(document, text=self.change(document.content), title="")
            for id, document in corpus.items()
        }
        index = bm25.build(stopwords="none", cache=False).index(changed)
        return _Index(index, self.change)


class _Index:
    def __init__(self, index, change) -> None:
        self.index, self.change = index, change

    def search(self, queries, k):
        return self.index.search(self._changed(queries), k)

    def score(self, queries, candidates):
        return self.index.score(self._changed(queries), candidates)

    def _changed(self, queries):
        return [dataclasses.replace(query, text=self.change(query.text)) for query in queries]


_NAMES = re.compile(
    r"\b[A-Z][\w.]+|\b[a-z]+[A-Z]\w*|--[a-z-]+|\b[a-z]\w+\.[a-z]\w+|"
    rf"\b(?:{'|'.join(name for kind in PLACES for name in kind)})\b"
)
FAULTS = {
    "cut": lambda text: " ".join(text.split()[:64]),
    "not read: digits": lambda text: re.sub(r"\d+", " ", text),
    "not read: negation": lambda text: re.sub(r"\b(?:not|no|never|cannot)\b|n['’]t\b", " ", text),
    "not read: name": lambda text: _NAMES.sub(" ", text),
}


def check_faults(benchmark: Benchmark, left_out: str = "") -> None:
    for fault, change in FAULTS.items():
        report = evaluate(System(Faulty(change)), benchmark)
        named = [cause["name"] for cause in report.examined["causes"]]
        assert fault in named or fault == left_out, fault
    sound = evaluate(System(Faulty(str)), benchmark)
    assert not {cause["name"] for cause in sound.examined.get("causes", [])} & FAULTS.keys()


def test_a_planted_fault_is_named() -> None:
    check_faults(by_rules.build(written_corpus()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lisa", "mtsamples", "tech_docs", "handbook_18f"])
def test_a_planted_fault_is_named_on_a_real_corpus(name: str) -> None:
    benchmark = by_rules.build(read_corpus(shared_data("data", name)), limit=500)
    check_faults(benchmark, "not read: name" if name == "mtsamples" else "")
