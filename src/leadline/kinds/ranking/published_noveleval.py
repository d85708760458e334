"""Published questions of June 2023, which models of that time cannot know, with 20 passages each.

Source: Sun et al., Is ChatGPT Good at Search? Investigating Large Language Models as Re-Ranking
Agents.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.json_file import read_json
from leadline.data.paths import is_file
from leadline.data.trec import read_qrels
from leadline.errors import InputError, unknown
from leadline.kinds.ranking import KIND
from leadline.types import Document, Query

METRICS = ("nDCG@1", "nDCG@5", "nDCG@10")

_PLACE = "https://github.com/sunnweiwei/RankGPT, folder NovelEval"


def build(part: str | None = None, data: str | Path | None = None) -> list[Benchmark]:
    """Return the questions, each with its passages in the published order, to be reranked.

    data  folder with `corpus.tsv`, `queries.tsv` and `qrels.txt` as published, and `data.json`,
          which holds the order of the passages; without it they stand in no order

    Grades are 0 (not relevant), 1 (partially) and 2 (relevant).
    Raises InputError when a file is missing or a line does not fit.
    """
    if part is not None:
        raise unknown("part of noveleval", part, (), "It has none.")
    if data is None:
        raise InputError(f"noveleval needs --data DIR, a copy of {_PLACE}.")
    folder = Path(data)
    corpus = {id: Document(id, text) for id, text in _two_columns(folder / "corpus.tsv")}
    queries = [Query(id, text, topic=id) for id, text in _two_columns(folder / "queries.tsv")]
    qrels = read_qrels(folder / "qrels.txt")
    candidates = {id: tuple(grades) for id, grades in qrels.items()}
    ranked = is_file(folder / "data.json")
    if ranked:
        candidates |= _published_order(folder / "data.json")
    return [
        Benchmark(
            name="noveleval",
            corpus=corpus,
            queries=queries,
            qrels=qrels,
            candidates=candidates,
            ranked=ranked,
            source="Sun et al., Is ChatGPT Good at Search?; NovelEval-2306",
            built_by="published",
            quoted=quoted_results(__package__, "noveleval"),
            **KIND.measured(METRICS),
        ).validated()
    ]


def _two_columns(path: Path) -> Iterator[tuple[str, str]]:
    """Yield id and text of every line; a text with quotes in it is written as in CSV."""
    if not is_file(path):
        raise InputError(f"There is no file {path}. It is in {_PLACE}.")
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            for row in csv.reader(handle, delimiter="\t"):
                if len(row) != 2 or not row[0]:
                    raise InputError(f"{path}: a line needs an id, a tab and a text, got {row!r}.")
                yield row[0], row[1]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"Cannot read {path} as tab-separated text ({error}).") from error


def _published_order(path: Path) -> dict[str, tuple[str, ...]]:
    rows = read_json(path)
    try:
        return dict(map(_ranked, rows))
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: each entry needs `hits` with `qid`, `docid` and `rank`."
        ) from error


def _ranked(row: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    hits = sorted(row["hits"], key=lambda hit: int(hit["rank"]))
    return str(hits[0]["qid"]), tuple(str(hit["docid"]) for hit in hits)
