import csv

import pytest

from ladders import a_record
from leadline.benchmark import Benchmark
from leadline.benchmarks.conditions import build
from leadline.benchmarks.folder import write
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.files.ladders import Rungs, expand
from leadline.kinds.conditions import KIND
from leadline.retrievers import bm25
from leadline.system import System
from shared import shared_data


def published(folder, name, rows):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as lines:
        table = csv.DictWriter(lines, rows[0])
        table.writeheader()
        table.writerows(rows)


def tables(folder):
    """One book in the published layout: HN<i> violates i conditions, task 1 the k-th alone."""
    queries = {f"Query{k}": f"query of {k}" for k in range(1, 11)}
    degraded = {f"HN{i}": f"violates {i}" for i in range(1, 11)}
    single = {f"HN{k}": f"violates condition {k} only" for k in range(1, 11)}
    row = {**queries, "Natural_Query10": "in prose", "Positive": "meets all"}
    published(folder, "Task1/Books_Task1.csv", [{**row, **single}])
    published(folder, "Task2_&_3/Books_Task2_&_3.csv", [{**row, **degraded}])
    padded = {
        **row,
        "Positive": "meets all, long",
        **{k: f"{v}, long" for k, v in degraded.items()},
    }
    published(folder, "Task4/Books_512.csv", [padded])


def test_published_tables_are_numbered_by_conditions_met(tmp_path):
    tables(tmp_path)
    (books,) = build(data=tmp_path)
    whole = books.qrels["books0000~list10"]
    assert {books.corpus[id].text: grade for id, grade in whole.items()} == {
        "meets all": 10, **{f"violates {i}": 10 - i for i in range(1, 11)}
    }  # fmt: skip
    assert books.qrels["books0000~prose10"] == whole


def test_task_1_of_the_published_tables_breaks_one_condition(tmp_path):
    tables(tmp_path)
    (books,) = build("books", data=tmp_path)
    texts = {books.corpus[id].text: g for id, g in books.qrels["books0000~list3"].items()}
    assert texts == {"meets all": 3, "violates condition 3 only": 2}
    assert [q.text for q in books.queries] == [
        *(f"query of {k}" for k in range(1, 11)), "in prose"
    ]  # fmt: skip


def test_published_lengths_come_from_their_own_table(tmp_path):
    tables(tmp_path)
    (books,) = build(data=tmp_path, words=512)
    assert books.name == "conditions:words=512/books"
    assert books.corpus["books0000~d9"].text == "violates 1, long"
    with pytest.raises(InputError, match="has no ladders of 700 words"):
        build(data=tmp_path, words=700)


def test_a_domain_without_a_table_is_named(tmp_path):
    tables(tmp_path)
    with pytest.raises(InputError, match="has no ladders of their own words"):
        build("legal", data=tmp_path)
    with pytest.raises(InputError, match="Unknown part of conditions 'food'"):
        build("food", data=tmp_path)


def test_the_development_set_has_four_domains():
    parts = build(data=shared_data("data", "conditions_dev"))
    counted = {part.name: len({query.topic for query in part.queries}) for part in parts}
    assert counted == {
        "conditions/medical": 9, "conditions/books": 6, "conditions/movies": 4,
        "conditions/encyclopaedic": 5,
    }  # fmt: skip


def test_a_system_is_scored_on_every_task_of_the_development_set():
    (movies,) = build("movies", data=shared_data("data", "conditions_dev"))
    means = evaluate(System(bm25.build()), movies).means()
    for name in ("WinRate", "WinRate@10", "Adjacent", "Adjacent[style=prose]", "FlipRate",
                 "Decline", "P@1", "nDCG@10", "Recall@10", "WinRate[position=start]"):  # fmt: skip
        assert name in means, name
    # each list query has one positive, which is first exactly where it beats the other
    assert means["P@1"].n == 40


def test_one_index_for_all_documents_ranks_whole_ladders():
    (movies,) = build("movies", data=shared_data("data", "conditions_dev"), scope="corpus")
    assert movies.name == "conditions:scope=corpus/movies"
    assert (len(movies.corpus), len(movies.queries), movies.candidates) == (44, 8, None)
    means = evaluate(System(bm25.build()), movies).means()
    assert means["Adjacent"].n == 4
    assert means["nDCG@10"].n == 4


def test_a_benchmark_folder_is_divided_by_domain(tmp_path):
    rungs = Rungs()
    expand(a_record(), rungs)
    metrics = KIND.metrics
    write(
        tmp_path,
        Benchmark("mine", rungs.corpus, rungs.queries, rungs.qrels, metrics, rungs.candidates,
                  kind="conditions", built_by="rules"),
    )  # fmt: skip
    (books,) = build(data=tmp_path)
    assert (books.name, books.built_by) == ("conditions/books", "rules")
    assert books.qrels == rungs.qrels
    assert books.metrics == metrics
    with pytest.raises(InputError, match="whose documents are as they are"):
        build(data=tmp_path, words=512)


def test_ladders_that_somebody_wrote_are_not_called_published():
    (movies,) = build("movies", data=shared_data("data", "conditions_dev"))
    assert movies.built_by == "own"


def test_the_same_data_give_the_same_benchmark():
    data = shared_data("data", "conditions_dev")
    assert build("books", data, words=1024) == build("books", data, words=1024)


def test_less_than_no_words_are_refused():
    with pytest.raises(InputError, match="words must be 0 or more, got -1"):
        build(words=-1)
