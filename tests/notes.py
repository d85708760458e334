"""A small corpus of distinct notes, written for tests of whole commands."""

import json
from pathlib import Path

import yaml

from leadline.data.folder import Folder, write_folder
from leadline.types import Document, Query

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
    corpus = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}
    asked = ("ferry to Skarholm", "who serviced the boiler", "film about a lighthouse keeper")
    queries = [Query(f"q{n}", text) for n, text in enumerate(asked, 1)]
    qrels = {"q1": {"ferry": 1}, "q2": {"boiler": 1}, "q3": {"film": 1}}
    write_folder(folder / "notes", Folder(corpus, queries, qrels))
    return folder / "notes"
