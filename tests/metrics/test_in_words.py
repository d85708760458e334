"""What a figure means in the reader's terms; the counts are worked by hand."""

import pytest

from leadline.kinds.registry import by_name
from leadline.metrics.names import catalogue, parse
from leadline.types import Query

by_name()  # makes the metrics of every kind known

# Five topics; the typo of each brings two of the first five again, the polite form all.
FORMS = [
    Query(f"{topic}-{kind}", kind, topic, facets={"kind": kind})
    for topic in "abcde"
    for kind in ("original", "polite", "typo")
]
LISTS = {"original": "12345", "polite": "12345", "typo": "12678"}
SAME = {each.id: dict.fromkeys(LISTS[each.text], 1.0) for each in FORMS}

# The first result is right for x and z, nothing is for y: 3 of 4 right ones are in the first two.
ASKED = [Query(each, each) for each in "xyz"]
RIGHT = {"x": {"1": 1, "2": 2}, "y": {"1": 1, "9": 0}, "z": {"1": 1}}
FOUND = {"x": {"2": 2.0, "1": 1.0}, "y": {"3": 2.0, "9": 1.0, "1": 0.5}, "z": {"1": 1.0}}

# The first of two conditions is noticed and its control is not; the second is a tie, and unseen.
FACETS = {"n": "2", "edit": "number", "document": "d", "before": "4", "after": "7"}
CASES = [
    Query(f"{style}{k}", "q", "t", facets={**FACETS, "style": style, "k": str(k), "seen": seen})
    for k, seen in ((1, "yes"), (2, "cut at 9 words"))
    for style in ("list", "control")
]
GRADES = {
    "list1": {"d": 1, "not": 0}, "control1": {"d": 1, "same": 1},
    "list2": {"d": 2, "not": 1}, "control2": {"d": 2, "same": 2},
}  # fmt: skip
SCORES = {
    "list1": {"d": 1.0, "not": 0.5}, "control1": {"d": 1.0, "same": 1.0},
    "list2": {"d": 1.0, "not": 1.0}, "control2": {"d": 1.0, "same": 1.0},
}  # fmt: skip

# The gold document g rises to rank 1 when asked for, and falls when refused; n falls.
MODES = [
    Query(mode, "q", "t", facets={"mode": mode}) for mode in ("original", "instructed", "reversed")
]
CHANGES = {"original": {"g": 1, "n": 1}, "instructed": {"g": 1, "n": 0}, "reversed": {"n": 1}}
MOVED = {
    "original": {"n": 3.0, "g": 2.0}, "instructed": {"g": 3.0, "n": 2.0},
    "reversed": {"n": 3.0, "x": 2.0, "g": 1.0},
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("RBO@5", (FORMS, {}, SAME),
         "A rephrasing changes 1.5 of the first 5 results on average; the form “typo” changes "
         "most: 3.0."),
        ("RBO@5", (FORMS[:12], {}, SAME), ""),  # four topics say nothing of a form
        ("nDCG@2", (ASKED, RIGHT, FOUND),
         "The first result is relevant for 2 of 3 queries; for 1, none of the first 2 is."),
        ("Recall@2", (ASKED, RIGHT, FOUND),
         "It finds 3 of 4 relevant documents among the first 2."),
        ("nDCG@2", (ASKED, {"x": {"1": 0}}, FOUND), ""),
        ("WinRate", (CASES, GRADES, SCORES),
         "In 1 of 2 cases the document that breaks a condition scores at least as high as the "
         "right one."),
        ("Noticed", (CASES, GRADES, SCORES),
         "Of 1 cases that it sees, a broken condition lowers the score in 1, a harmless change "
         "in 0."),
        ("Unseen", (CASES, GRADES, SCORES),
         "1 of 2 changes stand where the system does not read."),
        ("WISE", (MODES, CHANGES, MOVED),
         "In 1 of 1 topics documents move as the instruction asks, in 0 the other way."),
        ("p-MRR", (MODES, CHANGES, MOVED),
         "In 1 of 1 topics the documents that an instruction refuses move down, in 0 up."),
    ],
)  # fmt: skip
def test_a_figure_is_told_in_counts(name: str, given: tuple, said: str) -> None:
    assert parse(name).in_words(*given) == said


def test_every_metric_that_has_words_is_told_above() -> None:
    stems = {record.stem for record in catalogue() if record.in_words}
    assert stems == {"RBO", "nDCG", "Recall", "WinRate", "Noticed", "Unseen", "WISE", "p-MRR"}
    assert all(len(record.in_words.split()) <= 20 for record in catalogue())
