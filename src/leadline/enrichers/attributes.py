"""What a document is like, as facts: length, language, audience, format, source, key terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline.kinds.instructions.documents import (
    expertise,
    genres_of,
    key_terms,
    language_of,
    length_class,
    meets_length,
    reading_level,
    shape_of,
)
from leadline.kinds.instructions.restrictions import Restriction, marked, read
from leadline.types import Constraint, Document, Enricher, Fact, Query

VERSION = 1

_FORMATS = ("forum answer", "code snippet", "official manual")
_SOURCES = ("blog", "forum post", "news article")
_TOLD = 0.5  # how like a genre a text must be for a fact to say so


def build() -> Enricher:
    """Return the enricher of attributes, and of the restrictions that queries put on them.

    A document's facts are read from its title and text alone; metadata count where they were put
    before the text (`--metadata`).
    """
    return _Attributes()


@dataclass(frozen=True)
class _Attributes:
    @property
    def name(self) -> str:
        return f"attributes/{VERSION}"

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        """Yield document id and facts, in the order of the documents."""
        for document in documents:
            yield document.id, tuple(self._of(document))

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        """Return what each query asks of documents beside its topic."""
        return [tuple(map(_constraint, read(query).restrictions)) for query in queries]

    def _of(self, document: Document) -> Iterator[Fact]:
        shape = shape_of(document.text)
        if shape.words:
            name = length_class(document.text)
            sentences = "1 sentence" if shape.sentences == 1 else f"{shape.sentences} sentences"
            told = f"{shape.words} words in {sentences}"
            yield self._fact("length", name, max(0.5, meets_length(document.text, name)), told)
        if language := language_of(document.content):
            yield self._fact("language", language, 1.0, "script and letters of the text")
        if level := reading_level(document.content):
            value = expertise(document.content)
            told = f"words, sentences and address of the reader: {value:.2f} of 1 is for experts"
            yield self._fact("audience", level, max(value, 1 - value), told)
        genres = genres_of(marked(document))
        for kind, names in (("format", _FORMATS), ("source", _SOURCES)):
            best = max(names, key=lambda name: genres[name])
            if genres[best] > _TOLD:
                yield self._fact(kind, best, genres[best], "make of the text")
        for term in key_terms(document.content):
            start = document.content.lower().find(term)
            span = ((start, start + len(term)),) if start >= 0 else ()
            yield Fact("keyword", term, "", "stated", 1.0, span, "said repeatedly", self.name)

    def _fact(self, kind: str, value: str, confidence: float, derivation: str) -> Fact:
        return Fact(
            kind,
            value,
            confidence=round(confidence, 3),
            derivation=derivation,
            provider=self.name,
        )


def _constraint(restriction: Restriction) -> Constraint:
    return Constraint(
        restriction.dimension,
        restriction.condition.lower(),
        restriction.span,
        "not" if restriction.negated else "equal",
    )
