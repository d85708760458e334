"""NovelEval from files in its published layout."""

import json
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.kinds.ranking import published_noveleval as noveleval


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    # A text with quotes in it stands as in CSV, as in the published file.
    (tmp_path / "corpus.tsv").write_text(
        '0-0\tA mill stood here.\n0-1\t"""How old?"" he asked, and ""old"" he said."\n'
        "0-2\tThe mill was built in 1902.\n1-0\tA barn\n",
        encoding="utf-8",
    )
    (tmp_path / "queries.tsv").write_text("0\tWhen was the mill built?\n1\tWhat burnt?\n")
    (tmp_path / "qrels.txt").write_text("0 Q0 0-0 1\n0 Q0 0-1 0\n0 Q0 0-2 2\n1 Q0 1-0 2\n")
    return tmp_path


def test_the_published_layout_is_read(folder: Path) -> None:
    (made,) = noveleval.build(data=folder)
    assert made.corpus["0-1"].text == '"How old?" he asked, and "old" he said.'
    assert [query.text for query in made.queries] == ["When was the mill built?", "What burnt?"]
    assert made.qrels["0"] == {"0-0": 1, "0-1": 0, "0-2": 2}
    assert made.candidates == {"0": ("0-0", "0-1", "0-2"), "1": ("1-0",)}
    assert [metric.name for metric in made.metrics] == ["nDCG@1", "nDCG@5", "nDCG@10"]
    assert {each.system: each.metrics["nDCG@10"] for each in made.quoted}["BM25"] == 0.5577


def write_order(folder: Path, *ids: str) -> None:
    """Write the published order of the passages of the first question."""
    hits = [
        {"content": "", "qid": 0, "docid": id, "rank": rank, "score": 1 / rank}
        for rank, id in reversed(list(enumerate(ids, start=1)))
    ]
    (folder / "data.json").write_text(json.dumps([{"query": "When?", "hits": hits}]))


def test_the_passages_are_in_the_published_order(folder: Path) -> None:
    assert not noveleval.build(data=folder)[0].ranked
    write_order(folder, "0-2", "0-0", "0-1")
    (made,) = noveleval.build(data=folder)
    assert made.candidates == {"0": ("0-2", "0-0", "0-1"), "1": ("1-0",)}
    assert made.ranked
    (folder / "data.json").write_text('[{"query": "When?", "hits": []}]')
    with pytest.raises(InputError, match=r"data\.json: each entry needs `hits`"):
        noveleval.build(data=folder)


def test_what_is_missing_is_told_with_where_it_is(folder: Path) -> None:
    with pytest.raises(InputError, match="noveleval needs --data DIR, a copy of https"):
        noveleval.build()
    (folder / "queries.tsv").write_text("0\n")
    with pytest.raises(InputError, match=r"queries\.tsv: a line needs an id, a tab and a text"):
        noveleval.build(data=folder)
    (folder / "corpus.tsv").unlink()
    with pytest.raises(InputError, match=r"There is no file .*corpus\.tsv\. It is in https"):
        noveleval.build(data=folder)
