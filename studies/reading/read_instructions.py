"""Say how many instructions of a set are read right, by rules or by a model, in each dimension.

DATA is laid out as instructions_dev: facets dimension, condition and mode. `--wordings FILE.tsv`
puts others in the place of its instructions (topic, instructed, reversed) and leaves out the other
topics; `--out DIR` writes that set, for `leadline evaluate -b instructions --data DIR`.

A reading is right if it is the one restriction that is meant, and refused if it is reversed. Other
words than those meant are wrong; a length in numbers counts as the length that it is.

Run: python studies/reading/read_instructions.py DATA [--wordings FILE] [--out DIR] [--llm MODEL]
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
from collections import Counter
from pathlib import Path

from leadline.llm.opening import open_model
from leadline.rerankers.by_attribute import reader_of
from leadline.rerankers.parts.restrictions import Restriction
from leadline.text.attributes import LANGUAGES
from leadline.types import Query

CODES = {name: code for code, name in LANGUAGES.items()}


def is_right(found: list[Restriction], facets: dict[str, str]) -> bool:
    if len(found) != 1 or found[0].dimension != facets["dimension"]:
        return False
    read, meant = found[0], facets["condition"].casefold()
    said = {CODES.get(meant, meant)}
    words = {read.condition.casefold(), *(each.casefold() for each in read.others)}
    is_meant = bool(said & words) or read.lengths is not None
    return is_meant and read.negated == (facets["mode"] == "reversed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--wordings", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--llm", default="")
    parser.add_argument("--limit", type=int, help="every n-th, so that about so many are read")
    given = parser.parse_args()
    rows = [json.loads(line) for line in (given.data / "queries.jsonl").open(encoding="utf-8")]
    if given.wordings:
        with given.wordings.open(encoding="utf-8", newline="") as file:
            told = {topic: both for topic, *both in csv.reader(file, "excel-tab")}
        rows = [row for row in rows if row["topic"] in told]
        for row in rows:
            if (mode := row["facets"]["mode"]) != "original":
                row["instruction"] = told[row["topic"]][mode == "reversed"]
    if given.out:
        shutil.copytree(given.data, given.out, dirs_exist_ok=True)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (given.out / "queries.jsonl").write_text(lines, encoding="utf-8")
        ids = {row["_id"] for row in rows} | {"query-id"}
        qrels = given.out / "qrels" / "test.tsv"
        judged = qrels.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in judged if line.split("\t")[0] in ids]
        qrels.write_text("".join(kept), encoding="utf-8")
    rows = [row for row in rows if row.get("instruction")]
    rows = rows[:: max(1, len(rows) // given.limit)] if given.limit else rows
    reader = reader_of(open_model(given.llm) if given.llm else None)
    queries = [Query(row["_id"], row["text"], instruction=row["instruction"]) for row in rows]
    right: Counter[str] = Counter()
    for row, found in zip(rows, reader.read(queries), strict=True):
        right[row["facets"]["dimension"]] += is_right(found, row["facets"])
    of = Counter(row["facets"]["dimension"] for row in rows)
    for name in sorted(of):
        print(f"{name}: {right[name]} of {of[name]}")
    print(f"all: {right.total()} of {of.total()}; read by rules instead: {dict(reader.failures)}")


if __name__ == "__main__":
    main()
