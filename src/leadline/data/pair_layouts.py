"""Rows of published training sets as judged pairs, each set in the layout of its authors.

Source: Weller et al., Rank1; Weller et al., Promptriever; Shao et al., ReasonIR; their data sets.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from leadline.data.judged_pairs import JudgedPair

Row: TypeAlias = Mapping[str, Any]
Texts: TypeAlias = Mapping[str, str]
Skipped: TypeAlias = Counter[str]
Reader: TypeAlias = Callable[[Row, Texts, Skipped], Iterator[JudgedPair]]

ID_SIDES = ("pos", "neg")


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows of a set look.

    name     what counts and error messages call it
    columns  those that tell it from the others
    read     yields the pairs of a row, and counts what it passes over, by reason
    """

    name: str
    columns: frozenset[str]
    read: Reader


def layout_of(row: Row) -> Layout | None:
    """Return the layout that a row has the columns of; None where it is none of them."""
    return next((each for each in LAYOUTS if each.columns <= row.keys()), None)


def named_documents(row: Row) -> Iterator[str]:
    """Yield what a row of ReasonIR may name by id in the place of a text."""
    for side in ID_SIDES:
        for entry in row.get(side) or ():
            text = _second(entry)
            if text and _looks_like_id(text):
                yield text


def _asked_and_reasoned(row: Row, texts: Texts, skipped: Skipped) -> Iterator[JudgedPair]:
    """Read an instruction (with the query and the passage, or `input` has them) and an output."""
    asked = "\n".join(str(row.get(name) or "") for name in ("instruction", "input")).strip()
    parts = _QUERY_AND_PASSAGE.search(asked.removesuffix("<think>"))
    if parts is None:
        skipped["no query and passage"] += 1
        return
    query, passage = parts["query"].strip(), parts["passage"].strip()
    before, end, answer = str(row.get("output") or "").rpartition("</think>")
    said = answer.strip().strip(".").lower()
    if not query or not passage:
        skipped["an empty query or passage"] += 1
    elif not end:
        skipped["the reasoning has no end"] += 1
    elif said not in _ANSWERS:
        skipped["the answer is neither true nor false"] += 1
    else:
        trace = before.strip().removeprefix("<think>").strip()
        yield JudgedPair(query, passage, _ANSWERS[said], trace)


def _with_passages(row: Row, texts: Texts, skipped: Skipped) -> Iterator[JudgedPair]:
    """Read positives, and as many negatives: first those that only fail the instruction."""
    query = str(row.get("query") or "").strip()
    positives = [text for each in row["positive_passages"] or () if (text := _passage(each))]
    instructed = [text for each in row.get("new_negatives") or () if (text := _passage(each))]
    mined = [text for each in row["negative_passages"] or () if (text := _passage(each))]
    if not query or not positives:
        skipped["no query or no positive passage"] += 1
        return
    instruction = str(row.get("only_instruction") or "").strip()
    facets = {"instructed": "yes" if instruction else "no"}
    for text in positives:
        yield JudgedPair(query, text, True, facets=facets)
    rng = random.Random(f"{row.get('query_id')} negatives")
    negatives = [("instruction", each) for each in rng.sample(instructed, len(instructed))]
    negatives += [("mined", each) for each in rng.sample(mined, len(mined))]
    for source, text in negatives[: len(positives)]:
        yield JudgedPair(query, text, False, facets={**facets, "negative": source})
    skipped["negatives beyond one for each positive"] += max(0, len(negatives) - len(positives))


def _with_entries(row: Row, texts: Texts, skipped: Skipped) -> Iterator[JudgedPair]:
    """Read `[instruction, text]` entries; a text that is an id becomes the document's."""
    query = _second(row["query"])
    if not query:
        skipped["no query"] += 1
        return
    for side in ID_SIDES:
        for entry in row[side] or ():
            text = _second(entry)
            if text in texts:
                text = texts[text]
            elif text and _looks_like_id(text):
                skipped["the id of a document that is not at hand"] += 1
                continue
            if text.strip():
                yield JudgedPair(query, text, side == "pos")
            else:
                skipped["an empty document"] += 1


LAYOUTS: Sequence[Layout] = (
    Layout("rank1", frozenset({"instruction", "output"}), _asked_and_reasoned),
    Layout(
        "promptriever",
        frozenset({"query", "positive_passages", "negative_passages"}),
        _with_passages,
    ),
    Layout("reasonir", frozenset({"query", "pos", "neg"}), _with_entries),
)

_QUERY_AND_PASSAGE = re.compile(
    r"^Query:(?P<query>.*?)^Passage:(?P<passage>.*)", re.DOTALL | re.MULTILINE
)
_ANSWERS = {"true": True, "false": False}
_LONGEST_ID = 300


def _second(entry: Any) -> str:
    """Return the text of `[instruction, text]`; a text alone is one."""
    if isinstance(entry, str):
        return entry.strip()
    return str(entry[1] or "").strip() if isinstance(entry, list) and len(entry) == 2 else ""


def _looks_like_id(text: str) -> bool:
    """Tell an id from a text: it has no white space, or ends like a file."""
    short = len(text) <= _LONGEST_ID and "\n" not in text
    return short and (not re.search(r"\s", text) or text.endswith((".txt", ".json")))


def _passage(entry: Any) -> str:
    if not isinstance(entry, Mapping):
        return ""
    title, text = (str(entry.get(name) or "").strip() for name in ("title", "text"))
    return f"{title} {text}" if text and title not in ("", "-") else text
