"""Training examples out of folders."""

import json
from pathlib import Path

import pytest

from leadline.data.folder import Folder, write_folder
from leadline.errors import InputError
from leadline.retrievers import bm25
from leadline.training.data import (
    Choices,
    TrainingExample,
    mine_negatives,
    prepare,
    read_examples,
    without_query,
)
from leadline.types import Document, Query
from tables import each_row
from tiny_training import write_examples

NAMES = [
    ("glass", "harbour"), ("copper", "kettle"), ("winter", "orchard"), ("silent", "engine"),
    ("broken", "compass"), ("velvet", "curtain"), ("marble", "staircase"), ("paper", "lantern"),
    ("golden", "violin"), ("rusty", "anchor"), ("hollow", "mountain"), ("crimson", "ribbon"),
]  # fmt: skip


def corpus() -> dict[str, Document]:
    return {
        str(place): Document(
            str(place),
            f"It was found near the {noun} that stood beside an old road in the year.",
            f"History of the {first} {noun} in the northern valley",
        )
        for place, (first, noun) in enumerate(NAMES)
    }


def test_queries_are_made_of_titles_which_are_cut_out(tmp_path: Path) -> None:
    write_folder(tmp_path, Folder(corpus(), [Query("t", "never used", "t")], {"t": {"1": 1}}))
    found = prepare([tmp_path / "corpus.jsonl"], bm25.build(), Choices(negatives=2))
    assert found.sources == (
        f"{tmp_path / 'corpus.jsonl'}: 6 queries to learn from (made of titles and phrases of the "
        f"documents), with {sum(len(each.rephrasings) for each in found.examples)} rephrasings "
        "(made by rules); 6 queries held out"
    )
    assert len(found.examples) == 6  # half of 12 is held out, as 8 are wanted
    for example in found.examples:
        assert example.query.lower().startswith("history of the ")
        assert "istory" not in example.positive
        assert example.positive.startswith("It was found near the ")
        assert len(example.rephrasings) >= 2
        assert example.query not in example.rephrasings
    assert not any("never used" in each.query for each in found.examples)
    held = {each.topic for each in found.validation.queries}
    assert len(held) == 6
    assert len(found.validation.corpus) == 12


def test_the_judged_split_train_is_used_where_there_is_one(tmp_path: Path) -> None:
    queries = [Query(f"q{place}", f"where is the {first} {noun} kept") for place, (first, noun)
               in enumerate(NAMES)]  # fmt: skip
    write_folder(tmp_path, Folder(corpus(), queries[:2], {"q0": {"0": 1}}))
    lines = [f"q{place}\t{place}\t1" for place in range(2, 12)]
    (tmp_path / "qrels" / "train.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "\n".join(lines) + "\n"
    )
    records = (tmp_path / "queries.jsonl").read_text()
    more = "".join(f'{{"_id": "{each.id}", "text": "{each.text}"}}\n' for each in queries[2:])
    (tmp_path / "queries.jsonl").write_text(records + more)
    found = prepare([tmp_path], None, Choices())
    assert len(found.examples) == 5
    assert all(each.query.startswith("where is the ") for each in found.examples)
    assert all(each.positive.startswith("History of the ") for each in found.examples)
    texts = {each.query for each in found.examples} | {
        each.text for each in found.validation.queries
    }
    assert not {queries[0].text, queries[1].text} & texts


def test_another_split_is_learnt_from_where_it_is_named(tmp_path: Path) -> None:
    queries = [Query(f"q{place}", f"where is the {first} {noun} kept") for place, (first, noun)
               in enumerate(NAMES)]  # fmt: skip
    write_folder(tmp_path, Folder(corpus(), queries[:6], {f"q{n}": {f"{n}": 1} for n in range(6)}))
    found = prepare([tmp_path], None, Choices(split="test"))
    held = {each.text for each in found.validation.queries if each.facets["kind"] == "original"}
    assert {each.query for each in found.examples} | held == {each.text for each in queries[:6]}


def judged(folder: Path, queries: list[Query], split: str = "test", **settings: str) -> Path:
    """Write a folder in which the query `qN` is answered by the document N alone."""
    qrels = {each.id: {each.topic.removeprefix("q"): 1} for each in queries}
    write_folder(folder, Folder(corpus(), queries, qrels, settings=settings))
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / f"{split}.tsv")
    return folder


def varied(**facets: str) -> list[Query]:
    """Twelve topics of two queries, the second of which repeats the words of the first."""
    return [
        Query(id, text, f"q{place}", facets=facets)
        for place, (first, noun) in enumerate(NAMES)
        for id, text in ((f"q{place}", f"where is the {first} {noun} kept"),
                         (f"q{place}-b", f"{noun} {first} kept place"))
    ]  # fmt: skip


def test_test_queries_are_learnt_from_only_by_name(tmp_path: Path) -> None:
    folder = judged(tmp_path, varied())
    with pytest.raises(
        InputError, match=r"has judgements for test, but not for train.*--split test"
    ):
        prepare([folder], None)
    with pytest.raises(InputError, match=rf"--data {folder / 'corpus.jsonl'}\."):
        prepare([folder], None)
    with pytest.raises(InputError, match=r"has no qrels/dev\.tsv\. It has: test\."):
        prepare([folder], None, Choices(split="dev"))


def test_rephrasings_of_the_queries_file_are_learnt_with_or_without_facets(tmp_path: Path) -> None:
    folder = judged(tmp_path, varied())
    found = prepare([folder], None, Choices(split="test"))
    # 12 topics: half are held out, each of the other 6 has one rephrasing.
    assert found.sources == (
        f"{folder}: 6 queries to learn from (judged in qrels/test.tsv), with 6 rephrasings (of "
        "queries.jsonl); 6 queries held out"
    )
    for each in found.examples:
        first, noun = each.query.split()[3:5]
        assert each.query.startswith("where is the ")
        assert each.rephrasings == (f"{noun} {first} kept place",)


@pytest.mark.parametrize("place", ["in the folder", "elsewhere"])
def test_a_file_of_variations_is_learnt_from(tmp_path: Path, place: str) -> None:
    folder = judged(tmp_path / "data", [each for each in varied() if each.id == each.topic],
                    "train")  # fmt: skip
    file = (folder if place == "in the folder" else tmp_path) / "query_variations.jsonl"
    lines = [{"query_id": f"q{n}", "text": f"please tell of {noun} {number}"}
             for n, (_, noun) in enumerate(NAMES) for number in range(3)]  # fmt: skip
    lines += [{"query_id": "q0", "text": "another thing", "valid": False}]
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    given = "" if place == "in the folder" else str(file)
    found = prepare([folder], None, Choices(variations=given))
    assert (
        "(judged in qrels/train.tsv), with 18 rephrasings (of query_variations.jsonl, 1 left out: "
        "judged to change the meaning)" in found.sources
    )
    assert {len(each.rephrasings) for each in found.examples} == {3}
    assert all(each.rephrasings[0].startswith("please tell of ") for each in found.examples)
    # Without judgements nothing says what answers them.
    with pytest.raises(InputError, match="has no qrels, which the rephrasings of"):
        prepare([folder / "corpus.jsonl"], None, Choices(variations=str(file)))


def test_examples_are_taken_as_they_are(tmp_path: Path) -> None:
    examples = [TrainingExample(f"q{n}", f"p{n}", (f"n{n}",), (f"r{n}",)) for n in range(20)]
    write_examples(tmp_path / "examples.jsonl", examples)
    found = prepare([tmp_path], None, Choices(held_out=0.4))
    assert len(found.examples) == 12
    assert set(found.examples) < set(examples)
    held = set(examples) - set(found.examples)
    assert {each.text for each in found.validation.queries} == {
        text for each in held for text in (each.query, *each.rephrasings)
    }
    grades = found.validation.qrels[found.validation.queries[0].id]
    assert [found.validation.corpus[name].text for name in grades] == [
        "p" + found.validation.queries[0].text[1:]
    ]


def test_all_queries_of_a_folder_of_ones_own_validate_and_none_of_the_others(
    tmp_path: Path,
) -> None:
    learnt = judged(tmp_path / "learnt", varied(), "train")
    held = judged(tmp_path / "held", [each for each in varied() if each.topic in ("q1", "q3")])
    found = prepare([learnt], bm25.build(), Choices(validation=str(held)))
    assert len(found.examples) == 12  # without --validation 6 of them would be held out
    assert sorted(each.topic for each in found.validation.queries) == ["q1", "q1", "q3", "q3"]
    assert found.validation.qrels["q3"] == {"3": 1}
    assert len(found.validation.corpus) == 12
    assert found.sources.splitlines() == [
        f"{learnt}: 12 queries to learn from (judged in qrels/train.tsv), with 12 rephrasings (of "
        "queries.jsonl); 0 queries held out",
        f"{held} (validation): 2 queries to validate on (judged in qrels/test.tsv)",
    ]


def test_a_query_is_cut_out_of_its_document() -> None:
    document = Document("1", "One two. Three four five. Six.", "Seven")
    assert without_query(document, "9-25").text == "One two. Six."
    titled = Document("2", "Flow past cones . it is shown", "Flow past cones")
    assert without_query(titled, "title").content == "it is shown"


def test_folders_that_give_too_little_are_named(tmp_path: Path) -> None:
    write_folder(tmp_path, Folder({"a": Document("a", "short")}, [Query("q", "x")], {}))
    with pytest.raises(InputError, match="has 0 queries to train on"):
        prepare([tmp_path / "corpus.jsonl"], None)
    with pytest.raises(InputError, match="Name at least one folder"):
        prepare([], None)


QUERY = Query("q", "red apple pie", "q")
SCORES = {"gold": 10.0, "close": 9.8, "near": 9.0, "far": 5.0, "same": 4.0}


class _Fixed:
    """A retriever whose scores are known."""

    name = "fixed"

    def index(self, corpus):
        return self

    def search(self, queries, k):
        return {query.id: dict(list(SCORES.items())[:k]) for query in queries}

    def score(self, queries, candidates):
        return {key: {name: SCORES[name] for name in names} for key, names in candidates.items()}


FIXED = {name: Document(name, f"text of {name}") for name in SCORES} | {
    "same": Document("same", "Text of GOLD.")
}


def mined(**options):
    return mine_negatives([QUERY], {"q": {"gold": 1}}, FIXED, _Fixed(), **options)


def test_documents_within_the_margin_of_the_positive_are_left_out() -> None:
    # 5 % below 10 is 9.5: 9.8 is too close, 9.0 is not. The text of "same" is the positive's.
    found = mined()
    assert found.negatives == {"q": ("near", "far")}
    assert found.dropped == {
        "same text as the positive": 1,
        "too close to the positive, maybe an answer": 1,
    }


def test_a_margin_of_zero_takes_all_below_the_positive() -> None:
    assert mined(margin=0.0).negatives == {"q": ("close", "near", "far")}


def test_count_and_depth_are_kept() -> None:
    assert mined(margin=0.0, count=1).negatives == {"q": ("close",)}
    assert mined(margin=0.0, depth=3).negatives == {"q": ("close", "near")}


def test_a_positive_of_another_variant_is_never_a_negative() -> None:
    variants = [QUERY, Query("q~2", "pie of red apples", "q")]
    found = mine_negatives(
        variants, {"q": {"gold": 1}, "q~2": {"near": 2, "far": 0}}, FIXED, _Fixed(), margin=0.0
    )
    assert found.negatives == {"q": ("close", "far"), "q~2": ("close", "far")}


def test_a_query_without_a_positive_is_named() -> None:
    with pytest.raises(InputError, match="Query 'q' has no relevant document"):
        mine_negatives([QUERY], {"q": {"gold": 0}}, FIXED, _Fixed())
    with pytest.raises(InputError, match="margin of hard negatives must be below 1, got 1"):
        mined(margin=1.0)


@each_row
def test_a_bad_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "examples.jsonl"
    path.write_text('{"query": "q", "positive": "p"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"examples\.jsonl:2: ") as caught:
        read_examples(path)
    assert told in str(caught.value)
