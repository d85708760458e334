"""KILT as its repository lays it out, ranked and read.

Records have exactly the columns that README.md of github.com/facebookresearch/KILT prints under
"Structure of each record" and "KILT data format".
"""

import json
from pathlib import Path

import pytest

from commands import run
from leadline.errors import InputError
from leadline.kinds.ranking import published_kilt as kilt
from leadline.metrics.answers import ExactMatch
from llm_server import EndpointServer, said


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "cache"))


def lines(path: Path, *records: dict) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))


def page(id: str | int, title: str, *paragraphs: str) -> dict:
    anchors = [{"text": "x", "href": "X", "paragraph_id": 1, "start": 0, "end": 1}]
    return {
        "wikipedia_title": title, "wikipedia_id": id, "text": [f"{title}\n", *paragraphs],
        "anchors": anchors, "categories": "Cities,Rivers", "history": {}, "wikidata_info": {},
    }  # fmt: skip


def place(id: str | int, first: int | None, last: int | None = None) -> dict:
    return {
        "wikipedia_id": id, "title": "t", "section": "Section::::Abstract.",
        "start_paragraph_id": first, "start_character": 0,
        "end_paragraph_id": first if last is None else last, "end_character": 9,
        "bleu_score": 1.0, "meta": {},
    }  # fmt: skip


def asked(id: str, text: str, *outputs: dict) -> dict:
    return {"id": id, "input": text, "output": list(outputs), "meta": {}}


def published(folder: Path) -> Path:
    folder.mkdir()
    lines(
        folder / "kilt_knowledgesource.json",
        page("7", "Ulm", "Ulm lies on the Danube.\n", "Section::::History.\n",
             "Its spire is old.\n", "\n", "It is the tallest spire.\n"),
        page(8, "Bonn", "Bonn lies on the Rhine.\n"),
    )  # fmt: skip
    lines(
        folder / "nq-dev-kilt.jsonl",
        asked("q1", "on which river does ulm lie",
              {"answer": "Danube", "provenance": [place("7", 1)]},
              {"answer": "the Danube River"}, {"provenance": [place("7", 1)]}),
        asked("q2", "how old and tall is the spire of ulm",
              {"answer": "very", "provenance": [place("7", 2, 5)]}),
        asked("q3", "which city is it", {"answer": "Bonn", "provenance": [place(8, None)]}),
    )  # fmt: skip
    return folder


def test_paragraphs_are_documents_and_provenance_judges_them(tmp_path: Path) -> None:
    data = published(tmp_path / "kilt")
    (part,) = kilt.build("nq", data)
    # Paragraph 0 is the title of the page, 2 a heading, 4 blank.
    assert {id: each.content for id, each in part.corpus.items()} == {
        "7:1": "Ulm Ulm lies on the Danube.", "7:3": "Ulm Its spire is old.",
        "7:5": "Ulm It is the tallest spire.", "8:1": "Bonn Bonn lies on the Rhine.",
    }  # fmt: skip
    assert part.qrels == {"q1": {"7:1": 1}, "q2": {"7:3": 1, "7:5": 1}, "q3": {"8:1": 1}}
    assert part.queries[0].accepted == ("the Danube River",)
    (again,) = kilt.build(None, data)
    assert (again.name, list(again.corpus)) == ("kilt/nq", list(part.corpus))
    # Either answer counts, without articles and case, as in KILT's own eval_downstream.py.
    for output in ("danube", "Danube river"):
        assert ExactMatch()(part.queries[:1], {"q1": output}) == {"q1": 1.0}


def test_what_was_retrieved_is_read_and_answers_are_scored(tmp_path: Path) -> None:
    def reader(prompt: str, times: int):
        return said("Answer: the Danube" if "lies on the Danube" in prompt else "Answer: no idea")

    out = tmp_path / "out"
    with EndpointServer(reader) as server:
        run("read", "-b", "kilt/nq", "--data", published(tmp_path / "kilt"), "-s", "bm25",
            "-k", "1", "--llm", server.url, "--llm-model", "toy", "--out", out)  # fmt: skip
    (result,) = json.loads((out / "report.json").read_text())["results"]
    # q1 and q2 read a paragraph that answers them, and the reader answers q1 alone.
    assert result["metrics"]["ExactMatch"]["mean"] == pytest.approx(1 / 3)
    assert result["settings"]["contexts with a relevant document"] == "2 of 3"


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no kilt_knowledgesource\.json"):
        kilt.build("nq", tmp_path)
    data = published(tmp_path / "kilt")
    with pytest.raises(InputError, match="fever"):
        kilt.build("fever", data)
    lines(data / "fever-dev-kilt.jsonl", {"id": "1", "input": "a claim"})
    with pytest.raises(InputError, match=r"fever-dev-kilt\.jsonl:1: a line needs `id`"):
        kilt.build("fever", data)
    lines(data / "kilt_knowledgesource.json", {"wikipedia_id": 7, "text": ["a", "b"]})
    with pytest.raises(InputError, match=r"source\.json:1: a page needs"):
        kilt.build("nq", data)
