import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from leadline.errors import InputError
from leadline.retrievers.vectors.embeddings import CHUNK, EmbeddingStore


class Counting:
    """Encodes a text as its length and its first letter, and remembers what it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.texts += texts
        return np.array([[len(text), ord(text[0])] for text in texts], dtype=np.float32)


def test_a_vector_comes_back_for_its_text(tmp_path: Path) -> None:
    vectors = EmbeddingStore(tmp_path).get(["bbb", "a"], Counting())
    assert vectors.tolist() == [[3, ord("b")], [1, ord("a")]]


def test_a_second_run_encodes_nothing(tmp_path: Path) -> None:
    first = EmbeddingStore(tmp_path).get(["one", "two"], Counting())
    encode = Counting()
    second = EmbeddingStore(tmp_path).get(["two", "one"], encode)
    assert encode.texts == []
    assert second.tolist() == first[::-1].tolist()


def test_a_text_that_stands_twice_is_encoded_once(tmp_path: Path) -> None:
    encode = Counting()
    vectors = EmbeddingStore(tmp_path).get(["same", "same", "other"], encode)
    assert sorted(encode.texts) == ["other", "same"]
    assert len(vectors) == 3


def test_long_texts_are_encoded_first(tmp_path: Path) -> None:
    encode = Counting()
    EmbeddingStore(tmp_path).get(["a", "ccc", "bb"], encode)
    assert encode.texts == ["ccc", "bb", "a"]


def test_another_kind_of_the_same_text_has_its_own_vector(tmp_path: Path) -> None:
    store, encode = EmbeddingStore(tmp_path), Counting()
    store.get(["text"], encode, kind="query")
    store.get(["text"], encode, kind="document")
    assert encode.texts == ["text", "text"]


def test_an_interruption_keeps_the_chunks_that_were_finished(tmp_path: Path) -> None:
    texts = [f"{n:05}" for n in range(3 * CHUNK)]
    calls = 0

    def interrupted(chunk: list[str]) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return Counting()(chunk)

    with pytest.raises(KeyboardInterrupt):
        EmbeddingStore(tmp_path).get(texts, interrupted)
    encode = Counting()
    EmbeddingStore(tmp_path).get(texts, encode)
    assert len(encode.texts) == 3 * CHUNK - 32 - 64  # the first portions are small


@pytest.mark.parametrize(("name", "lost"), [("vectors", 5), ("keys", 3), ("vectors", 8)])
def test_a_row_that_a_killed_process_left_unfinished_is_encoded_again(
    tmp_path: Path, name: str, lost: int
) -> None:
    EmbeddingStore(tmp_path).get(["ccc", "bb", "a"], Counting())
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-lost])
    encode = Counting()
    vectors = EmbeddingStore(tmp_path).get(["ccc", "bb", "a"], encode)
    assert encode.texts == ["a"]
    assert vectors.tolist() == [[3, ord("c")], [2, ord("b")], [1, ord("a")]]
    assert EmbeddingStore(tmp_path).get(["a"], encode).tolist() == [[1, ord("a")]]


def test_vectors_without_their_keys_are_overwritten(tmp_path: Path) -> None:
    EmbeddingStore(tmp_path).get(["bb"], Counting())
    with (tmp_path / "vectors").open("ab") as handle:
        handle.write(b"\1" * 11)
    store = EmbeddingStore(tmp_path)
    assert store.get(["a"], Counting()).tolist() == [[1, ord("a")]]
    assert (tmp_path / "vectors").stat().st_size == 2 * 8


def test_a_store_sees_what_another_one_wrote_meanwhile(tmp_path: Path) -> None:
    one, other = EmbeddingStore(tmp_path), EmbeddingStore(tmp_path)
    one.get(["text"], Counting())
    encode = Counting()
    other.get(["text", "new"], encode)
    assert encode.texts == ["new"]


def _fill(folder: Path, start: int) -> None:
    store = EmbeddingStore(folder)
    for number in range(start, start + 200):
        store.get([f"{number:04}"], Counting())


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_fill, args=(tmp_path, start)) for start in (0, 100, 200)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    encode = Counting()
    texts = [f"{number:04}" for number in range(400)]
    vectors = EmbeddingStore(tmp_path).get(texts, encode)
    assert encode.texts == []
    assert (vectors == Counting()(texts)).all()
    assert (tmp_path / "keys").stat().st_size == 400 * 16


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not finite"):
        EmbeddingStore(tmp_path).get(["a"], lambda texts: np.array([[float("nan")]]))


def test_a_model_that_changed_its_dimension_is_refused(tmp_path: Path) -> None:
    EmbeddingStore(tmp_path).get(["a"], Counting())
    with pytest.raises(InputError, match="have 2 dimensions and the model now gives 3"):
        EmbeddingStore(tmp_path).get(["b"], lambda texts: np.ones((1, 3)))


def test_an_altered_vector_is_encoded_again_and_others_are_not(tmp_path):
    asked = []

    def encode(texts):
        asked.extend(texts)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    texts = ["a", "bb", "ccc"]
    EmbeddingStore(tmp_path).get(texts, encode)
    content = bytearray((tmp_path / "vectors").read_bytes())
    content[0:4] = np.float32(99).tobytes()  # of the longest, which was encoded first
    (tmp_path / "vectors").write_bytes(content)
    for _ in range(2):
        assert EmbeddingStore(tmp_path).get(texts, encode)[:, 0].tolist() == [1, 2, 3]
    assert asked == ["ccc", "bb", "a", "ccc"]


def test_vectors_of_an_earlier_version_are_kept(tmp_path):
    def encode(texts):
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    EmbeddingStore(tmp_path).get(["a", "bb"], encode)
    (tmp_path / "sums").unlink()
    store = EmbeddingStore(tmp_path)
    assert store.get(["bb", "ccc"], encode)[:, 0].tolist() == [2, 3]
    assert len(store.vectors) == 3
    assert (tmp_path / "sums").stat().st_size == 3 * 8


def test_damaged_notes_are_told(tmp_path):
    EmbeddingStore(tmp_path).get(["a"], lambda texts: np.ones((len(texts), 2), np.float32))
    (tmp_path / "about.json").write_text("{")
    with pytest.raises(InputError, match=r"is damaged\. Delete"):
        EmbeddingStore(tmp_path)
