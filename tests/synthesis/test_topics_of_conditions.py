"""What a query with conditions says its documents are about."""

from __future__ import annotations

import pytest

from leadline.synthesis.conditions.about import heading_of, topics_of
from leadline.synthesis.english.full_names import full_name
from leadline.types import Document


@pytest.mark.parametrize(
    ("title", "text", "topic"),
    [
        ("the library of the school in sopron.", "", "the library of the school in sopron"),
        ("Libraries in harbour towns of Norway: why", "", "libraries in harbour towns of Norway"),
        ("On transverse vibrations of shells (part 2)", "", "transverse vibrations of shells"),
        ("Buckling of plates under thermal stress", "", "buckling of plates under thermal stress"),
        ("The Last Olympian (Percy Jackson, #5)", "", "The Last Olympian"),
        ("6.4. The apt-file Command", "", "The apt-file Command"),
        ("Introduction", "", ""),
        ("", "PREOPERATIVE DIAGNOSIS: Cataract. It was removed.", ""),
        ("Copyright should rest on agreements", "", ""),
        ("Which libraries close?", "", ""),
        ("study", "", ""),
        ("vergleichende renale untersuchungen beim hyperparathyreoidismus", "", ""),
        ("", "cardiac arrest in children. It was rare.", "cardiac arrest in children"),
        ("", "Speech in the first year\nIt begins early.", "speech in the first year"),
        ("", "It was rare. We saw two cases.", ""),
        ("", "while humans, too, can swim.", ""),
    ],
)  # fmt: skip
def test_a_topic_is_a_noun_phrase_or_a_name(title: str, text: str, topic: str) -> None:
    assert topics_of([Document("d", text, title)]) == [topic]


def test_a_heading_ends_where_a_subtitle_begins() -> None:
    assert heading_of(Document("d", "", "bread; a history")) == "bread"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Rod Taylor was born in Sydney. Taylor moved to London. When Taylor died,", "Rod Taylor"),
        ("J. R. Taylor wrote it. Taylor was 30.", "J. R. Taylor"),
        ("In Taylor's house Taylor slept.", ""),
    ],
)
def test_a_last_name_is_completed_from_its_document(text: str, name: str) -> None:
    assert full_name("Taylor", text) == name


def test_titles_and_words_of_megabytes_are_read_at_once() -> None:
    blank = Document("a", "", "bread" + " " * 1_000_000 + "and salt")
    assert heading_of(blank) == "bread"
    assert full_name("Taylor", "A" * 1_000_000 + " Rod Taylor") == "Rod Taylor"
