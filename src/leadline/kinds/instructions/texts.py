"""What a language model writes and says of the texts of an instruction, and what code refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from leadline.kinds.instructions.attributes.phrases import holds
from leadline.kinds.instructions.attributes.text import word_count
from leadline.kinds.instructions.conditions import CONDITIONS, MEASURED, Condition
from leadline.kinds.instructions.cores import MOST_WORDS
from leadline.llm.pipeline.steps import Fault
from leadline.text.tokens import normalised, tokens
from leadline.types import Document

CHOSEN = (
    Condition(
        "",
        "a text with words of your choice",
        '"words" holds 1 to 4 words in a row that stand in the document exactly like this, belong '
        "to the heart of the matter and do not stand in the query; the text holds them too",
    ),
    Condition("", "a text with other words", "the same; no text holds the words of another"),
)
"""Kinds of the dimension keyword, as the writer is told."""

_SPAN = (80, 500)  # words of a text for which 150 to 350 are asked
_LONGEST_QUERY = 14  # words, where `MOST_WORDS` are asked
_PHRASE = re.compile(r"[\w'’.-]+(?: [\w'’.-]+){0,3}")


class Passage(BaseModel):
    """A document that a model wrote."""

    title: str = Field(max_length=300)
    text: str = Field(max_length=8_000)

    @property
    def content(self) -> str:
        """Title and text."""
        return f"{self.title}\n{self.text}"


class Text(BaseModel):
    """A text of a kind. `words` stand in it and in no other; empty but for keywords."""

    n: int = Field(ge=1, le=3)
    words: str = Field(max_length=100)
    title: str = Field(max_length=300)
    text: str = Field(max_length=8_000)


class CoreQuery(BaseModel):
    """A query, also in other words."""

    query: str = Field(max_length=200)
    paraphrase: str = Field(max_length=400)


class Written(CoreQuery):
    """All that is written of one document."""

    texts: list[Text] = Field(max_length=4)
    negative: Passage


class Verdict(BaseModel):
    """What the reader says of one text."""

    n: int = Field(ge=1, le=4)
    kind: int = Field(ge=0, le=3)
    answers: bool


class Judged(BaseModel):
    """What the reader says of all texts of a query."""

    texts: list[Verdict] = Field(max_length=4)


class Kept(NamedTuple):
    """A text and its kind, with the number of the kind."""

    n: int
    kind: Condition
    text: Passage


def texts_of(written: Written, dimension: str) -> list[Kept]:
    """Return the texts that were written, one of each kind."""
    kinds = CONDITIONS.get(dimension, CHOSEN)
    of = {each.n: each for each in written.texts if each.n <= len(kinds)}
    return [Kept(n, kind := _kind(kinds[n - 1], of[n]), tidy(of[n], kind)) for n in sorted(of)]


def mentioning(words: str) -> Condition:
    """Return the condition that a text holds words."""
    return Condition(words, f"a text that mentions “{words}”", f"it has the words “{words}”")


def tidy(text: Passage | Text, kind: Condition) -> Passage:
    """Return a text as one of its kind stands: a sentence has no title, a paragraph no break."""
    title, body = text.title.strip(), text.text.strip()
    if kind.name in ("sentence", "paragraph"):
        body = " ".join(body.split())
    return Passage(title="" if kind.name == "sentence" else title, text=body)


def problems_of(core: CoreQuery) -> list[str]:
    """Say what is wrong with a query and its paraphrase."""
    problems = []
    if not 1 < len(core.query.split()) <= _LONGEST_QUERY:
        problems.append(f'The "query" must have 2 to {MOST_WORDS} words.')
    if not tokens(core.paraphrase) or normalised(core.paraphrase) == normalised(core.query):
        problems.append('The "paraphrase" must be a sentence in other words than the query.')
    return problems


def faults_of(written: Written, dimension: str, document: Document) -> Mapping[int, Fault]:
    """Return the numbers of kinds without a text that can be used, each with what is wrong."""
    faults: dict[int, Fault] = {}
    of = {each.n: each for each in texts_of(written, dimension)}
    seen = {normalised(written.negative.text)}
    for n, wanted in enumerate(CONDITIONS.get(dimension, CHOSEN), 1):
        if n not in of:
            faults[n] = Fault(f"{wanted.said} was left out", "it is missing.")
            continue
        kind, text = of[n].kind, of[n].text
        others = [each.kind.name for each in of.values() if each.n != n]
        fault = fault_of(text, dimension, kind, others)
        if dimension == "keyword":
            fault = _fault_of_words(kind.name, document, written.query) or fault
        if normalised(text.text) in seen:
            fault = Fault("a text repeated", "it says the same as another text.")
        seen.add(normalised(text.text))
        if fault:
            faults[n] = fault
    return faults


def fault_of(
    text: Passage, dimension: str, kind: Condition, others: Sequence[str] = ()
) -> Fault | None:
    """Return what code finds wrong with a text of a kind.

    others  words that it must not hold, where the dimension is keyword
    """
    measured = MEASURED.get(dimension)
    if measured is not None and not measured(text.text, kind.name):
        return Fault(f"not {kind.said}", f"it must be {kind.said}: {kind.meaning}.")
    count, (low, high) = word_count(text.text), _SPAN
    has_own = dimension == "length" or kind.name == "code snippet"
    if not (has_own or low <= count <= high):
        return Fault("length of a text", f"it has {count} words; 150 to 350 are wanted.")
    if dimension == "keyword" and (
        not holds(text.content, kind.name) or any(holds(text.content, each) for each in others)
    ):
        problem = "it must mention its own words and none of the words of another text."
        return Fault("words of another text", problem)
    return None


def _kind(kind: Condition, text: Text) -> Condition:
    return kind if kind.name else mentioning(text.words.strip())


def _fault_of_words(words: str, document: Document, query: str) -> Fault | None:
    if not _PHRASE.fullmatch(words):
        return Fault("words that are no short phrase", 'its "words" must be 1 to 4 words.')
    if not holds(document.content, words) or holds(query, words):
        problem = 'its "words" must stand in the document exactly so, and not in the query.'
        return Fault("words that are not in the document", problem)
    return None
