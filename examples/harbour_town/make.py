"""Write the demo corpus: records first, then sentences about them, then questions.

Run `python examples/harbour_town/make.py --seed 7`; the same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

from asking import Asked, Record, Told, ask
from household import draw_appointments, draw_recipes
from keepsakes import draw_lost_items, draw_museum_objects
from outings import draw_concerts, draw_films, draw_trips
from prose import HERE, Frames, Words
from questions import QUESTIONS
from trade import draw_houses, draw_purchases, draw_repairs

Draw = Callable[[Words, Random], Sequence[Record]]

KINDS: dict[str, tuple[Draw, tuple[str, ...]]] = {
    "film": (draw_films, ("director", "year", "star", "language", "minutes", "date")),
    "trip": (draw_trips, ("city", "country", "transport", "traveller", "start", "end", "hotel")),
    "concert": (draw_concerts, ("ensemble", "venue", "date", "begins", "price", "audience")),
    "purchase": (draw_purchases, ("buyer", "shop", "ordered", "delivered", "paid", "colour")),
    "repair": (draw_repairs, ("thing", "customer", "workshop", "received", "returned", "total")),
    "house": (draw_houses, ("address", "rooms", "area", "built", "rent", "available")),
    "appointment": (draw_appointments, ("person", "role", "date", "time", "fee", "address")),
    "recipe": (draw_recipes, ("cook", "serves", "prep", "cooking", "free_of", "since")),
    "lost": (draw_lost_items, ("finder", "place", "date", "number", "until", "condition")),
    "museum": (draw_museum_objects, ("maker", "year", "material", "room", "donor", "number")),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the demo corpus.")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    options = parser.parse_args()
    random = Random(options.seed)
    told = tell_all(random)
    asked = ask_all(told, random)
    write(options.out, told, asked)
    print(f"{sum(map(len, told.values()))} documents and {len(asked)} queries in {options.out}")


def tell_all(random: Random) -> dict[str, list[Told]]:
    """Draw every record of every kind and tell its story."""
    words = Words(random)
    told: dict[str, list[Told]] = {}
    for kind, (draw, _) in KINDS.items():
        frames = Frames(kind, random)
        told[kind] = [
            Told(f"{kind}-{number:02d}", record, frames.tell(record.slots()))
            for number, record in enumerate(draw(words, random), start=1)
        ]
    return told


def ask_all(told: dict[str, list[Told]], random: Random) -> list[Asked]:
    """Put every question about a document of its own."""
    taken: set[str] = set()
    return [
        ask(question, random.sample(told[question.kind], len(told[question.kind])), taken)
        for question in QUESTIONS
    ]


def write(folder: Path, told: dict[str, list[Told]], asked: Sequence[Asked]) -> None:
    """Write the folder in BEIR's layout; kinds take turns, so that the first lines show all."""
    turns = [document for turn in zip(*told.values(), strict=True) for document in turn]
    ids = [f"q{number:02d}" for number in range(1, len(asked) + 1)]
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "corpus.jsonl", map(_corpus_line, turns))
    _write_lines(
        folder / "queries.jsonl",
        (
            _json({"_id": id, "text": query.text, "answer": query.answer})
            for id, query in zip(ids, asked, strict=True)
        ),
    )
    judged = [f"{id}\t{query.relevant}\t1" for id, query in zip(ids, asked, strict=True)]
    _write_lines(folder / "qrels" / "test.tsv", ["query-id\tcorpus-id\tscore", *judged])


def _corpus_line(document: Told) -> str:
    kind = document.id.rsplit("-", 1)[0]
    slots = document.record.slots()
    return _json(
        {
            "_id": document.id,
            "title": document.record.title,
            "text": document.story.text,
            "metadata": {"kind": kind} | {name: slots[name] for name in KINDS[kind][1]},
        }
    )


def _json(line: dict[str, object]) -> str:
    return json.dumps(line, ensure_ascii=False)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
