"""Judged pairs on disk, and published sets of them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.kinds.reasoning.pairs import JudgedPair, open_pairs, read_pairs, write_pairs

ASKED = "Determine if the following passage is relevant to the query. Answer only with 'true'."


def rank1(query: str, passage: str, output: str) -> dict[str, Any]:
    return {
        "instruction": ASKED,
        "input": f"Query: {query}\nPassage: {passage}\n",
        "output": output,
    }


def promptriever(id: str, *, new: list[str], negatives: list[str]) -> dict[str, Any]:
    def passages(texts: list[str], title: str = "") -> list[dict[str, str]]:
        return [{"docid": text, "text": text, "title": title} for text in texts]

    return {
        "query_id": id,
        "query": f"who built {id}? Only what tells the year." if new else f"who built {id}?",
        "positive_passages": passages([f"{id} was built by hand"], "Old"),
        "negative_passages": passages(negatives, "-"),
        "only_query": f"who built {id}?",
        "only_instruction": "Only what tells the year." if new else "",
        "has_instruction": bool(new),
        "new_negatives": passages(new),
    }


def as_lines(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_an_asked_and_reasoned_row_is_a_pair_with_its_trace(tmp_path: Path) -> None:
    rows = [
        rank1("old mill", "Query: is a word.\nThe mill.", "<think>\nIt is.\n</think> true"),
        # The opening of the reasoning may stand at the end of what is asked, as it is in prompts.
        {
            "instruction": f"{ASKED}\nQuery: wet cellar\nPassage: a barn\n<think>",
            "output": "No.\n</think> False.",
        },
    ]
    given = open_pairs(as_lines(tmp_path / "train.jsonl", rows))
    assert list(given) == [
        JudgedPair("old mill", "Query: is a word.\nThe mill.", True, "It is."),
        JudgedPair("wet cellar", "a barn", False, "No."),
    ]
    assert given.skipped == Counter()
    (tmp_path / "train.json").write_text(json.dumps(rows))
    assert list(open_pairs(str(tmp_path / "train.json"))) == list(given)


def test_rows_that_are_no_pair_are_counted_by_reason(tmp_path: Path) -> None:
    good = rank1("q", "p", "<think>x</think> true")
    rows = [
        good,
        {**good, "input": "nothing"},
        rank1("q", "", "<think>x</think> true"),
        rank1("q", "p", "<think>and so on"),
        rank1("q", "p", "<think>x</think> maybe"),
        rank1("q", "p", "<think>x</think>"),
        {"text": "of another set"},
    ]
    given = open_pairs(as_lines(tmp_path / "train.jsonl", rows))
    assert len(list(given)) == 1
    assert given.skipped == {
        "no query and passage": 1,
        "an empty query or passage": 1,
        "the reasoning has no end": 1,
        "the answer is neither true nor false": 2,
        "a row of another layout": 1,
    }


def test_passages_give_as_many_negatives_as_positives(tmp_path: Path) -> None:
    rows = [
        promptriever("mill", new=["the mill is old"], negatives=["a barn", "a shed"]),
        promptriever("barn", new=[], negatives=["a mill"]),
        promptriever("shed", new=[], negatives=[]),
    ]
    given = open_pairs(as_lines(tmp_path / "train.jsonl", rows))
    asked = "who built mill? Only what tells the year."
    both, plain = {"instructed": "yes"}, {"instructed": "no"}
    assert list(given) == [
        JudgedPair(asked, "Old mill was built by hand", True, facets=both),
        # That which only fails the instruction goes before the mined ones.
        JudgedPair(asked, "the mill is old", False, facets={**both, "negative": "instruction"}),
        JudgedPair("who built barn?", "Old barn was built by hand", True, facets=plain),
        # A title of "-" is none.
        JudgedPair("who built barn?", "a mill", False, facets={**plain, "negative": "mined"}),
        JudgedPair("who built shed?", "Old shed was built by hand", True, facets=plain),
    ]
    assert given.skipped == {"negatives beyond one for each positive": 2}


ENTRIES = [
    {
        "query": ["Find what helps.", "why is the cellar wet?"],
        "pos": [["", "stone/Capillarity_1.txt"], ["", "stone/Lost 2.txt"]],
        "neg": [["", "Lime is burnt from chalk."]],
    },
    {"query": ["Find what helps.", "who ground the corn?"], "pos": [["", "A miller did."]],
     "neg": [["", " "]]},
    {"query": ["Find what helps.", ""], "pos": [], "neg": []},
]  # fmt: skip


def test_ids_become_the_documents_of_a_corpus_or_are_counted(tmp_path: Path) -> None:
    source = as_lines(tmp_path / "hq.jsonl", ENTRIES)
    without = open_pairs(source)
    assert [each.document for each in without] == ["Lime is burnt from chalk.", "A miller did."]
    assert without.skipped == {
        "the id of a document that is not at hand": 2,
        "an empty document": 1,
        "no query": 1,
    }
    (tmp_path / "bright" / "documents").mkdir(parents=True)
    as_lines(
        tmp_path / "bright" / "documents" / "biology.jsonl",
        [{"id": "stone/Capillarity_1.txt", "content": "Water rises."}, {"id": "b", "content": "?"}],
    )
    found = open_pairs(source, str(tmp_path / "bright"))
    assert next(iter(found)) == JudgedPair("why is the cellar wet?", "Water rises.", True)
    assert list(found.texts) == ["stone/Capillarity_1.txt"]
    corpus = as_lines(
        tmp_path / "corpus.jsonl", [{"_id": "stone/Capillarity_1.txt", "text": "Water rises."}]
    )
    assert list(open_pairs(source, corpus)) == list(found)


def test_so_many_balanced_pairs_are_drawn_by_the_seed(tmp_path: Path) -> None:
    rows = [
        rank1(f"q{n}", "p", f"<think>x</think> {'true' if n % 3 else 'false'}") for n in range(30)
    ]
    given = open_pairs(as_lines(tmp_path / "train.jsonl", rows))
    drawn = given.drawn(8, 0)
    assert sum(each.relevant for each in drawn) == 4
    assert len(drawn) == 8
    assert drawn == given.drawn(8, 0)
    assert drawn != given.drawn(8, 1)
    places = [int(each.query[1:]) for each in drawn]
    assert places == sorted(places)
    # Every third of 30 is not relevant: 10.
    told = "22 balanced pairs are to be drawn .* which has 20 relevant and 10 other ones"
    with pytest.raises(InputError, match=told):
        given.drawn(22, 0)


def test_pairs_of_an_evaluation_are_passed_over_before_they_are_drawn(tmp_path: Path) -> None:
    rows = [rank1("old mill", "p", f"x</think> {answer}") for answer in ("true", "false")]
    rows += [rank1("new mill", "p", f"x</think> {answer}") for answer in ("true", "false")]
    given = open_pairs(as_lines(tmp_path / "train.jsonl", rows))
    drawn = given.drawn(2, 0, leaks=lambda query: query == "old mill")
    assert {each.query for each in drawn} == {"new mill"}
    assert given.skipped == {"the query is in an evaluation": 2}


def test_our_own_pairs_are_checked_whole(tmp_path: Path) -> None:
    pairs = [JudgedPair("q", "d", True, "x"), JudgedPair("q", "e", False)]
    write_pairs(tmp_path / "pairs.jsonl", pairs)
    assert list(open_pairs(str(tmp_path))) == pairs
    assert list(open_pairs(str(tmp_path / "pairs.jsonl"))) == pairs
    with (tmp_path / "pairs.jsonl").open("a") as handle:
        handle.write('{"query": "q", "document": "d"}\n')
    with pytest.raises(InputError, match=r"pairs.jsonl:3: 'relevant' must be"):
        open_pairs(str(tmp_path / "pairs.jsonl"))


def test_what_is_no_set_of_pairs_is_told_with_the_layouts(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"title": "x", "body": "y"}]')
    with pytest.raises(
        InputError, match=r"its columns are title, body\..*rank1: instruction, output"
    ):
        open_pairs(str(tmp_path / "a.json"))
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        open_pairs(str(tmp_path / "nowhere.jsonl"))
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="has no file that ends in"):
        open_pairs(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"query": "q", "document": "d"}', "'relevant' must be true or false, got None"),
        ('{"query": "q", "document": "d", "relevant": "true"}', "must be true or false"),
        ('{"query": " ", "document": "d", "relevant": true}', "'query' is empty"),
        ('{"query": "q", "relevant": true}', "document"),
        ('{"query": "q", "document": "d", "relevant": true, "trace": 3}', "'trace' must be a text"),
        ('{"query"', "not JSON"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"query": "q", "document": "d", "relevant": true}\n' + line + "\n")
    with pytest.raises(InputError, match=told) as error:
        read_pairs(path)
    assert f"{path}:2" in str(error.value)
    assert "\n" not in str(error.value)
