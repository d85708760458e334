"""Negation on real text: passages with a negation, and what people made of them by editing it.

CondaQA has, for each passage, a paraphrase, one with the scope of the negation changed, and one
without it; and questions whose answers hang on that.
"""

import re

from leadline.data.jsonl import read_records
from leadline.rerankers import by_attribute
from leadline.rerankers.parts.restrictions import is_refused
from leadline.text.attributes import holds
from leadline.types import Document, Query
from shared import shared_data
from tables import each_row

PLAIN = ("not", "never", "none", "neither", "without", "avoid", "lack", "cannot", "no", "refused")
"""Cues that negate what follows them wherever they stand; CondaQA has many that are part of a word
(`unfinished`, `illegal`), which are no negation of another word."""


def passages():
    path = shared_data("data", "condaqa_dev", "passages.jsonl.gz")
    by_passage = {}
    for _, row in read_records(path):
        by_passage.setdefault(row["passage_id"], {})[row["edit"]] = row
    return [edits for edits in by_passage.values() if {"original", "affirmative"} <= edits.keys()]


def questions():
    path = shared_data("data", "condaqa_dev", "questions.jsonl.gz")
    asked = {}
    for _, row in read_records(path):
        asked.setdefault(row["passage_id"], []).append(row["text"])
    return asked


def after(sentence, cue):
    """Return the first long word after a cue, with its place; None without one."""
    found = re.search(rf"\b{re.escape(cue)}\b", sentence, re.IGNORECASE)
    return re.compile(r"[A-Za-z]{5,}").search(sentence, found.end()) if found else None


def test_what_stands_behind_a_real_negation_is_refused_and_not_without_it():
    seen = refused = kept = affirmed = 0
    for edits in passages():
        original = edits["original"]
        cue = str(original["cue"]).lower()
        word = after(original["original_sentence"], cue) if cue in PLAIN else None
        if word is None:
            continue
        seen += 1
        refused += is_refused(original["original_sentence"], word.start(), word.end())
        edited = edits["affirmative"]["text"]
        changed = next(
            (each for each in re.split(r"(?<=[.!?])\s", edited) if word.group() in each
             and each not in original["text"]), ""
        )  # fmt: skip
        if changed:
            place = changed.index(word.group())
            kept += 1
            affirmed += not is_refused(changed, place, place + len(word.group()))
    assert seen >= 20 and refused / seen >= 0.9
    assert kept >= 10 and affirmed / kept >= 0.8


@each_row
def test_the_word_of_a_negation_can_be_asked_for_and_refused(instruction, wanted):
    """The two texts differ in the edit alone, and the one not wanted comes first."""
    asked, right, seen = questions(), 0, 0
    other = {"original": "affirmative", "affirmative": "original"}[wanted]
    for number, edits in enumerate(passages()):
        cue = str(edits["original"]["cue"])
        if not holds(edits["original"]["text"], cue) or holds(edits["affirmative"]["text"], cue):
            continue
        documents = {edit: Document(edit, edits[edit]["text"]) for edit in (other, wanted)}
        text = asked.get(edits["original"]["passage_id"], ["What is it about?"])[0]
        query = Query(str(number), text, instruction=instruction.format(cue=cue))
        run = by_attribute.build().rerank([query], documents, {query.id: [other, wanted]})
        seen += 1
        right += next(iter(run[query.id])) == wanted
    assert seen >= 70 and right / seen >= 0.98
