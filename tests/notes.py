"""A small corpus of distinct notes, written for tests of whole commands."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

NOTES = {
    id: tuple(note)
    for id, note in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8")).items()
}


def write_notes(folder: Path) -> Path:
    """Write the notes as a jsonl corpus and return its path."""
    path = folder / "notes.jsonl"
    lines = [
        json.dumps({"_id": id, "title": title, "text": text}) for id, (title, text) in NOTES.items()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_beir(folder: Path) -> Path:
    """Write the notes with three judged queries as a BEIR folder and return it."""
    beir = folder / "notes"
    (beir / "qrels").mkdir(parents=True)
    write_notes(folder).rename(beir / "corpus.jsonl")
    queries = {
        "q1": "ferry to Skarholm",
        "q2": "who serviced the boiler",
        "q3": "film about a lighthouse keeper",
    }
    (beir / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": id, "text": text}) + "\n" for id, text in queries.items())
    )
    (beir / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\tferry\t1\nq2\tboiler\t1\nq3\tfilm\t1\n"
    )
    return beir
