"""What reads a whole corpus gives the same on workers as in this process, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.data import parts
from leadline.data.documents import read_corpus
from leadline.data.folder import write_corpus
from leadline.distribution.processes import Processes
from leadline.distribution.spreading import spreading_over
from leadline.kinds.pools import harvest
from leadline.kinds.uniqueness import Case, find_matches
from leadline.types import Corpus, Document


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    monkeypatch.setattr(parts, "DOCUMENTS", 3)
    texts = [f"Kite {n} flew over red hills in {1990 + n}." for n in range(10)]
    documents = {f"d{n}": Document(f"d{n}", text) for n, text in enumerate(texts)}
    write_corpus(tmp_path / "corpus.jsonl", documents)
    return read_corpus(tmp_path / "corpus.jsonl")


def test_words_are_counted_on_workers_as_here(corpus: Corpus) -> None:
    here = harvest(corpus, written=True)
    with spreading_over(Processes(2)):
        there = harvest(corpus, written=True)
    assert there == here
    assert (here.documents, here.frequency["kite"], here.written["Kite"]) == (10, 10, 10)


def test_second_answers_are_found_on_workers_as_here(corpus: Corpus) -> None:
    cases = [Case(("kite", "hills"), "d4"), Case(("1993",), "d0"), Case(("1993",), "d3")]
    here = find_matches(cases, corpus, {})
    with spreading_over(Processes(2)):
        there = find_matches(cases, corpus, {})
    assert there == here == {0: ["d0", "d1", "d2", "d3", "d5"], 1: ["d3"]}
