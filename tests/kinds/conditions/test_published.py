import csv
import json

import pytest

from ladders import a_record
from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.benchmark_folder import write
from leadline.kinds.conditions import KIND
from leadline.kinds.conditions.ladders import Rungs, expand
from leadline.kinds.conditions.published import build
from leadline.retrievers import bm25
from leadline.system import System
from leadline.systems.chains import load_system
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
    texts = {books.corpus[id].text: g for id, g in books.qrels["books0000~pair10"].items()}
    assert texts == {"meets all": 10, "violates condition 10 only": 9}
    assert [q.text for q in books.queries] == [
        *(f"query of {k}" for k in range(1, 11)), "query of 10", "in prose"
    ]  # fmt: skip


LONG, SHORT = "w x x", "w"


def measured_tables(folder, *, tasks=(1, 2), reverse=False, last=None):
    """Four books whose WinRate@k is known, and of bm25-candidates what the released script gives.

    That script ranks each pair as a collection of two. The query word w stands in both texts, so
    its idf, ln(.5 / 2.5), is negative: a match lowers a score, and lowers that of the shorter text
    more. The longer of two texts wins; two of one length tie, which is a loss.

    WR_1: row 0 alone has a shorter HN1, 1 / 4. WR_10: rows 0 to 2 have a shorter HN10, 3 / 4.
    WR_2 .. WR_9: all ties, 0. Decline: 1 / 4 - 3 / 4 = -.5. WinRate: (1 + 3) / (4 * 10) = .1.
    Task 2 has eleven texts of one length, all ties: Adjacent 0.
    """
    rows = []
    for number in range(4):
        row = {"Positive": f"{LONG} b{number}", **{f"Query{k}": "w" for k in range(1, 11)}}
        tied = {f"HN{k}": f"w y y{k} b" for k in range(1, 11)}
        single = tied | {"HN10": SHORT} if number < 3 else dict(tied)
        single |= {"HN1": SHORT} if number == 0 else {}
        single |= {"HN10": last} if last else {}
        rows.append((row | single, row | tied | {"Natural_Query10": "w"}))
    task1, task2 = ([row[place] for row in rows] for place in (0, 1))
    if 1 in tasks:
        published(folder, "Task1/Movies_Task1.csv", task1[::-1] if reverse else task1)
    if 2 in tasks:
        published(folder, "Task2_&_3/Movies_Task2_&_3.csv", task2)
    (movies,) = build("movies", folder)
    report = evaluate(load_system("bm25-candidates"), movies)
    return report, {name: round(mean.mean, 3) for name, mean in report.means().items()}


@pytest.mark.parametrize("reverse", [False, True])
def test_win_rates_of_published_tables_are_those_of_task_1(tmp_path, reverse):
    report, means = measured_tables(tmp_path, reverse=reverse)
    wanted = {"WinRate@1": 0.25, "WinRate@2": 0.0, "WinRate@10": 0.75, "Decline": -0.5}
    assert means | wanted == means
    assert (means["WinRate"], means["Adjacent"], means["FlipRate"]) == (0.1, 0.0, 0.0)
    assert "WinRate[style=prose]" not in means
    assert list(report.notes) == []


def test_task_1_by_itself_gives_win_rates_and_no_ladder(tmp_path):
    report, means = measured_tables(tmp_path, tasks=[1])
    assert (means["WinRate@10"], means["Decline"], means["WinRate"]) == (0.75, -0.5, 0.1)
    assert "Adjacent" not in means
    assert list(report.notes) == [
        "There is no table of task 2, so there is no Adjacent and no FlipRate."
    ]
    with pytest.raises(InputError, match="has no ladder"):
        build("movies", tmp_path, scope="corpus")


def test_rows_of_one_table_only_are_counted_and_keep_their_task(tmp_path):
    measured_tables(tmp_path)
    path = tmp_path / "Task1" / "Movies_Task1.csv"
    path.write_text(path.read_text().replace(f"{LONG} b3", f"{LONG} b9") + ",,,\n")
    (movies,) = build("movies", tmp_path)
    report = evaluate(load_system("bm25-candidates"), movies)
    assert {report.mean(name).n for name in ("WinRate@10", "Decline", "Adjacent")} == {4}
    assert report.mean("WinRate@10").mean == 0.75
    assert list(movies.notes) == [
        "Rows left out, which lack Positive, queries or HN columns: 1.",
        "Rows whose Positive stands in one table only: 1 of 5 of task 1, 1 of 4 of task 2. Each "
        "counts in its own task.",
    ]


def test_published_lengths_come_from_their_own_table(tmp_path):
    tables(tmp_path)
    (books,) = build(data=tmp_path, words=512)
    assert books.name == "conditions:words=512/books"
    assert books.corpus["books0000~d9"].text == "violates 1, long"
    with pytest.raises(InputError, match="has no ladders of 700 words"):
        build(data=tmp_path, words=700)
    with pytest.raises(InputError, match="words must be 0 or more, got -1"):
        build(words=-1)


def test_a_domain_without_a_table_is_named(tmp_path):
    tables(tmp_path)
    with pytest.raises(InputError, match="has no ladders of their original"):
        build("legal", data=tmp_path)
    with pytest.raises(InputError, match="Unknown part of conditions 'food'"):
        build("food", data=tmp_path)


def second_release(folder):
    """One legal case as the hub has MultiConIR_v2: a folder a domain, three JSONL files in it.

    Names of folders and files are those of the card (huggingface.co/datasets/Lux1997/
    MultiConIR_v2, README.md at a34e7a7); the fields of a line could not be seen and are BEIR's.
    """
    texts = {**{f"d{j}": f"meets {j}" for j in range(4)}, "n1": "breaks 1", "n2": "breaks 2"}
    queries = {
        "q1": "Find a case that meets this condition: 1. old.",
        "q2": "Find a case that meets these conditions: 1. old. 2. tall.",
        "q3": "Find a case that meets these conditions: 1. old. 2. tall. 3. from 1987.",
        "prose": "Which old, tall case is from 1987?",
        "other": "Not judged",
    }
    ladder = {f"d{j}": j for j in range(4)}
    qrels = {"q1": {"d3": 1, "n1": 0}, "q2": {"d3": 2, "n2": 1}, "q3": ladder, "prose": ladder}
    rows = {
        "corpus": [{"_id": id, "text": text} for id, text in texts.items()],
        "queries": [{"_id": id, "text": text} for id, text in queries.items()],
        "qrels": [
            {"query-id": query, "corpus-id": id, "score": grade}
            for query, grades in qrels.items()
            for id, grade in grades.items()
        ],
    }
    (folder / "Legal Document").mkdir(parents=True)
    for name, lines in rows.items():
        path = folder / "Legal Document" / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_the_second_release_gives_all_three_tasks(tmp_path):
    second_release(tmp_path)
    (legal,) = build(data=tmp_path)
    assert (legal.name, legal.built_by) == ("conditions/legal", "published")
    told = {q.id: tuple(q.facets[n] for n in ("task", "style", "k")) for q in legal.queries}
    assert told == {
        "q1": ("1", "list", "1"), "q2": ("1", "list", "2"),
        "q3": ("2", "list", "3"), "prose": ("2", "prose", "3"),
    }  # fmt: skip
    assert {query.topic for query in legal.queries} == {"d3"}
    means = evaluate(load_system("bm25-candidates"), legal).means()
    assert {"WinRate@1", "WinRate@2", "Adjacent@3", "FlipRate"} <= means.keys()
    assert list(legal.notes) == ["Queries whose judged documents are no pair and no ladder: 1."]
    with pytest.raises(InputError, match="has no ladders of 512 words"):
        build(data=tmp_path, words=512)


def test_the_hub_is_read_by_release(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name, write_release in (("MultiConIR", tables), ("MultiConIR_v2", second_release)):
        kept = tmp_path / f"datasets--Lux1997--{name}"
        write_release(kept / "snapshots" / "1" / ("datasets" if name == "MultiConIR" else ""))
        (kept / "refs").mkdir()
        (kept / "refs" / "main").write_text("1")
    assert build()[0].source == "Lu et al., MultiConIR; Lux1997/MultiConIR"
    assert [part.name for part in build(release="v2")] == ["conditions/legal"]
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"Cannot read Lux1997/MultiConIR_v2 .*qrels\.jsonl"):
        build(release="v2")


def test_the_development_set_has_four_domains():
    parts = build(data=shared_data("data", "conditions_dev"))
    assert {part.built_by for part in parts} == {"own"}
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
    with pytest.raises(InputError, match="whose documents cannot be padded"):
        build(data=tmp_path, words=512)
