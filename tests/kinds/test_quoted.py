"""Printed tables: their cells fit their columns, their averages follow, and reports show them."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any

from leadline.benchmark import Benchmark, quoted_results
from leadline.kinds.registry import kinds
from leadline.metrics.names import read_name, record_of
from leadline.report.outcome import quoted_beside
from leadline.text.words import table
from leadline.types import Document, Query
from tables import each_row

ROOMS = ["conditions", "implicit_facts", "instructions", "ranking", "reasoning", "rephrasings"]
READ = {"Accuracy", "ROUGE-1"}  # of answers, not of rankings
WRONG = {  # printed averages that do not follow from their cells: docs/reference/papers.md
    ("Lu et al., MultiConIR, Table 13", "BM25"),
    ("Lu et al., MultiConIR, Table 2", "GPT-4o"),
    ("Zhou et al., Beyond Content Relevance, Table 3", "BM25"),
    ("Taghavi et al., ImpliRet, Table 3", "GPT-4.1, k=1"),
    ("Taghavi et al., ImpliRet, Table 3", "GPT-4.1, k=10"),
    ("Taghavi et al., ImpliRet, Table 3", "GPT-4.1, k=30"),
}


def tables() -> Iterator[tuple[str, dict[str, Any]]]:
    for room in ROOMS:
        for each in table(f"leadline.kinds.{room}", "quoted")["tables"]:
            yield room, each


def cells() -> Iterator[tuple[str, str, dict[str, float]]]:
    for _, each in tables():
        for system, values in each["rows"].items():
            yield each["source"], system, dict(zip(each["columns"], values, strict=True))


def test_columns_are_parts_and_metrics_that_there_are() -> None:
    kinds()
    for room, each in tables():
        sizes = table(f"leadline.kinds.{room}", "quoted")["sizes"][each["of"].partition(":")[0]]
        for column in each["columns"]:
            part, _, metric = column.rpartition(" ")
            assert not part or part in sizes, column
            assert metric in READ or record_of(read_name(metric).plain), column


def test_averages_follow_from_their_cells() -> None:
    off = set()
    for source, system, row in cells():
        for column, value in row.items():
            if column == "Decline":
                wanted = row["WinRate@1"] - row["WinRate@10"]
            elif column == "Adjacent":
                wanted = fmean(row[f"Adjacent@{k}"] for k in range(1, 11))
            elif parts := [v for name, v in row.items() if f" {column}" in name[-len(column) - 1 :]
                           or name.startswith(f"{column}[category=")]:  # fmt: skip
                wanted = fmean(parts)
            else:
                continue
            if abs(wanted - value) > (0.07 if "Zhou" in source or "Song" in source else 0.011):
                off.add((source, system))
    assert off == WRONG


def test_all_five_papers_are_quoted() -> None:
    found = {(source.partition(" et al.")[0], source.rpartition("Table ")[2])
             for source, _, _ in cells()}  # fmt: skip
    wanted = {
        "Lu": "2 3 13 14 15 16", "Taghavi": "2 3 7 8", "Song": "2 3 4 5 6 7",
        "Zhou": "2 3 15 16 17 18 19 20", "Campese": "2 3 4 5 6 9 10 11 12",
    }  # fmt: skip
    for author, numbers in wanted.items():
        assert {(author, number) for number in numbers.split()} <= found


def domain(name: str, topics: int) -> Benchmark:
    return Benchmark(
        name=f"conditions/{name}",
        corpus={"a": Document("a", "one")},
        queries=[Query(f"q{n}", "one?", topic=f"t{n}") for n in range(topics)],
        qrels={f"q{n}": {"a": 1} for n in range(topics)},
        metrics=(),
        quoted=quoted_results("leadline.kinds.conditions", f"conditions/{name}"),
    )


def test_one_figure_for_all_parts_stands_beside_the_whole() -> None:
    sizes = {"people": 420, "books": 482, "movies": 500, "medical": 479, "legal": 426}
    entries = quoted_beside([domain(name, count) for name, count in sizes.items()])
    of = {(e["benchmark"], e["system"], e["source"][-2:]): e for e in entries}
    whole = of["conditions", "BM25", " 2"]
    assert (whole["metrics"]["WinRate@1"], whole["metrics"]["Decline"]) == (0.2859, -0.1128)
    assert whole["comparable"]
    assert of["conditions/books", "BM25", " 3"]["metrics"] == {"FlipRate": 0.1788}
    assert of["conditions", "BM25", " 3"]["metrics"] == {"FlipRate": 0.1619}
    assert ("conditions/books", "BM25", " 2") not in of


def test_what_was_run_on_less_says_so() -> None:
    entries = quoted_beside([domain("people", 420), domain("books", 3)])
    [whole] = [e for e in entries if e["benchmark"] == "conditions" and e["system"] == "LLM2Vec"
               and e["source"].endswith("Table 2")]  # fmt: skip
    assert whole["why"] == (
        "published over 482 topics, measured over 3; published over 5 parts, measured over 2"
    )


@each_row
def test_a_cell_is_quoted_for_its_part(room: str, name: str, metric: str, value: float) -> None:
    quoted = quoted_results(f"leadline.kinds.{room}", name)
    found = [each for each in quoted if metric in each.metrics and not each.parts]
    assert value in [each.metrics[metric] for each in found]
    assert quoted_results(f"leadline.kinds.{room}", f"{name}-mine") == ()


def test_ranks_are_quoted_as_ranks() -> None:
    quoted = quoted_results("leadline.kinds.instructions", "instructions/audience")
    ranks = [each.metrics for each in quoted if "GoldRank" in each.metrics]
    assert ranks[0]["GoldRank"] == 18.4
