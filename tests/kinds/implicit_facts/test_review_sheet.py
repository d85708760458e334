"""The sheet for readers."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from leadline.kinds.implicit_facts.review import write_sheet
from leadline.retrievers import bm25


def rows(pool: str) -> list[dict[str, object]]:
    return [
        {
            "pool": pool,
            "id": i,
            "question": f"Who saw bird number {i}?",
            "answer": f"member {i}",
            "pos_document": f"A member saw bird number {i}, {'and a heron ' * (i % 7)}at dawn.",
        }
        for i in range(60)
    ]


def test_a_sheet_has_twelve_documents_of_each_pool_and_columns_to_fill(tmp_path: Path) -> None:
    pools = {name: rows(name) for name in ("one", "two")}
    assert write_sheet(tmp_path / "review.csv", pools, bm25.build()) == 24
    with (tmp_path / "review.csv").open(newline="") as handle:
        read = list(csv.DictReader(handle))
    assert Counter(row["pool"] for row in read) == {"one": 12, "two": 12}
    assert len({(row["pool"], row["id"]) for row in read}) == 24
    assert all(row["fluent (y/n)"] == "" for row in read)
    assert read[0]["answer"] == f"member {read[0]['id']}"


def test_the_same_seed_gives_the_same_sheet(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_sheet(tmp_path / name, {"one": rows("one")}, bm25.build(), seed=3)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
