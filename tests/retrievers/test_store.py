import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from leadline.errors import InputError
from leadline.retrievers.parts.store import VectorStore


class Counting:
    """Encodes a text as one row for each letter, and remembers what it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, texts: list[str]) -> list[np.ndarray]:
        self.texts += texts
        return [np.array([[ord(letter), 1] for letter in text]).reshape(-1, 2) for text in texts]


def letters(store: VectorStore, texts: list[str], encode: Counting | None = None) -> list[str]:
    rows, lengths = store.arrays(store.spans(texts, encode or Counting()))
    found = "".join(chr(int(row[0])) for row in rows)
    ends = np.cumsum(lengths).tolist()
    return [found[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def test_a_second_run_encodes_nothing(tmp_path: Path) -> None:
    letters(VectorStore(tmp_path), ["one", "three"])
    encode = Counting()
    assert letters(VectorStore(tmp_path), ["three", "one"], encode) == ["three", "one"]
    assert encode.texts == []


def test_long_texts_are_encoded_first_and_once(tmp_path: Path) -> None:
    encode = Counting()
    letters(VectorStore(tmp_path), ["a", "ccc", "bb", "a"], encode)
    assert encode.texts == ["ccc", "bb", "a"]


@pytest.mark.parametrize(("name", "lost"), [("values", 5), ("entries", 3), ("values", 8)])
def test_an_array_that_a_killed_process_left_unfinished_is_encoded_again(
    tmp_path: Path, name: str, lost: int
) -> None:
    letters(VectorStore(tmp_path), ["ccc", "bb", "a"])
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-lost])
    encode = Counting()
    assert letters(VectorStore(tmp_path), ["ccc", "bb", "a"], encode) == ["ccc", "bb", "a"]
    assert encode.texts == ["a"]
    assert letters(VectorStore(tmp_path), ["ccc", "a"]) == ["ccc", "a"]


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not finite"):
        VectorStore(tmp_path).spans(["a"], lambda texts: [np.array([[float("nan")]])])


def test_a_model_that_changed_its_dimension_is_refused(tmp_path: Path) -> None:
    letters(VectorStore(tmp_path), ["a"])
    with pytest.raises(InputError, match="have 2 dimensions, but the model now returns 3"):
        VectorStore(tmp_path).spans(["b"], lambda texts: [np.ones((1, 3))])


def test_an_altered_array_is_encoded_again_and_others_are_not(tmp_path: Path) -> None:
    letters(VectorStore(tmp_path), ["one", "three"])
    content = bytearray((tmp_path / "values").read_bytes())
    content[0:4] = np.float32(ord("x")).tobytes()  # of the longest, which was encoded first
    (tmp_path / "values").write_bytes(content)
    encode = Counting()
    for _ in range(2):
        assert letters(VectorStore(tmp_path), ["one", "three"], encode) == ["one", "three"]
    assert encode.texts == ["three"]


def test_damaged_notes_are_told(tmp_path: Path) -> None:
    letters(VectorStore(tmp_path), ["a"])
    (tmp_path / "about.json").write_text("{")
    with pytest.raises(InputError, match=r"is damaged\. Delete"):
        VectorStore(tmp_path)


def _fill(folder: Path, start: int) -> None:
    store = VectorStore(folder)
    for number in range(start, start + 200):
        store.spans([f"{number:04}"], Counting())


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_fill, args=(tmp_path, start)) for start in (0, 100, 200)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    encode = Counting()
    texts = [f"{number:04}" for number in range(400)]
    assert letters(VectorStore(tmp_path), texts, encode) == texts
    assert encode.texts == []
