"""An index made on disk, part by part, is the one that bm25s makes in memory."""

import filecmp
import random
from pathlib import Path

import bm25s
import pytest

from leadline.data.spreading import Processes, spreading_over
from leadline.retrievers import bm25
from leadline.retrievers.parts.words import TOKEN_PATTERN, Words
from leadline.types import Document

WORDS = Words("none", "", True, TOKEN_PATTERN)
WEIGHTS = {"k1": 1.5, "b": 0.75, "delta": 0.5}


def texts() -> list[str]:
    rng = random.Random(0)
    names = [f"w{n}" for n in range(40)]
    found = [" ".join(rng.choices(names, range(40), k=rng.randint(0, 30))) for _ in range(60)]
    return ["", *found, ""]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make several parts and ranges of so small a corpus."""
    monkeypatch.setattr("leadline.data.spreading.DOCUMENTS", 7)
    monkeypatch.setattr(bm25, "_AT_ONCE", 60)


def written(folder: Path, method: str = "lucene") -> Path:
    folder.mkdir()
    corpus = {str(n): Document(str(n), text) for n, text in enumerate(texts())}
    weights = bm25._Weights(method, **WEIGHTS)
    index = bm25._indexed(corpus, weights, WORDS)
    assert index.average_length == sum(len(text.split()) for text in texts()) / len(texts())
    index.save(folder, show_progress=False)
    return folder


@pytest.mark.parametrize("method", ["lucene", "robertson", "atire", "bm25l", "bm25+"])
def test_the_files_are_those_of_bm25s_byte_for_byte(tmp_path: Path, method: str) -> None:
    own = written(tmp_path / "own", method)
    tokens = bm25s.tokenize(texts(), stopwords=None, show_progress=False)
    index = bm25s.BM25(method=method, **WEIGHTS, backend="numpy")
    numbers = {word: n for n, word in enumerate(dict.fromkeys(" ".join(texts()).split()))}
    names = {n: word for word, n in tokens.vocab.items()}
    index.vocab_dict = numbers
    index.scores = index.build_index_from_ids(
        list(numbers.values()),
        [[numbers[names[id]] for id in document] for document in tokens.ids],
        show_progress=False,
    )
    index.save(tmp_path / "theirs", show_progress=False)
    names_of_files = sorted(each.name for each in (tmp_path / "theirs").iterdir())
    assert sorted(each.name for each in own.iterdir()) == names_of_files
    for name in names_of_files:
        assert filecmp.cmp(own / name, tmp_path / "theirs" / name, shallow=False), name


def test_words_that_are_cut_on_workers_give_the_same_index(tmp_path: Path) -> None:
    here = written(tmp_path / "here")
    with spreading_over(Processes(2)):
        there = written(tmp_path / "there")
    for each in here.iterdir():
        assert filecmp.cmp(each, there / each.name, shallow=False), each.name
