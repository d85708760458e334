"""A small corpus of distinct notes, written for tests of whole commands."""

from __future__ import annotations

import json
from pathlib import Path

NOTES = {
    "ferry": (
        "The morning ferry",
        "The ferry to Skarholm leaves at 07:40 from pier 4. A return ticket costs 86 kroner. "
        "Captain Ingrid Solberg has sailed the route since 1998. Bicycles are not allowed on deck. "
        "The crossing takes 55 minutes in calm weather.",
    ),
    "boiler": (
        "Boiler service at Elm Road",
        "The boiler was serviced on 12 March 2023 by Tomasz Zielinski. He replaced two valves and "
        "measured a pressure of 1.8 bar. The invoice came to 240 euros. The flue was not blocked. "
        "The next service is due in 18 months.",
    ),
    "film": (
        "Lanterns over Varna",
        "The film was directed by Petra Ilieva and runs for 104 minutes. It opened on 6 October "
        "2017 in 38 cinemas. Anton Beyer plays the keeper of the lighthouse. The film cost 3.2 "
        "million euros. It did not win a prize at the festival in Graz.",
    ),
    "bread": (
        "Rye bread with caraway",
        "The dough needs 650 grams of rye flour and 12 grams of salt. It rests for 14 hours in a "
        "cool room. Bake the loaf at 230 degrees for 45 minutes. Grandmother Helga Brandt wrote "
        "the recipe down in 1961. No sugar is added.",
    ),
    "concert": (
        "Quartet in the old mill",
        "The quartet played in the old mill on 9 May 2019. Tickets were sold for 27 pounds. The "
        "cellist Maria Quint replaced an ill colleague. About 180 people came. The second half "
        "lasted 40 minutes.",
    ),
    "lease": (
        "Lease of the workshop",
        "The workshop in Harbour Street was let to Oskar Lind for 5 years. The rent is 1,150 euros "
        "a month. The floor measures 92 square metres. Heating is not included. The lease began on "
        "1 July 2020.",
    ),
    "match": (
        "Derby at Northfield",
        "Northfield won the derby by 3 goals to 1 before 4,200 spectators. Samir Haddad scored "
        "twice in the first half. The referee Joanna Price showed 6 yellow cards. The game was "
        "played on 23 November 2014. Rain had not stopped since noon.",
    ),
    "clinic": (
        "Appointment at the eye clinic",
        "Mr Paul Reiter was seen at the eye clinic on 17 January 2022. His pressure was 19 in the "
        "left eye. Doctor Amelie Roth prescribed drops for 6 weeks. There was no sign of "
        "inflammation. The fee was 95 francs.",
    ),
    "museum": (
        "A sextant from Bergen",
        "The sextant was made in Bergen in 1874 by Henrik Moe. It weighs 1.4 kilograms and is 26 "
        "centimetres wide. The museum bought it for 5,600 kroner. The mirror is not original. It "
        "was shown in room 12.",
    ),
    "walk": (
        "Over the Hochjoch pass",
        "The walk over the Hochjoch pass is 17 kilometres long and climbs 1,240 metres. Lena and "
        "Jakob Moser needed 8 hours for it. The hut at the top sleeps 32 people. It does not "
        "accept cards. They paid 48 euros for the night.",
    ),
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
