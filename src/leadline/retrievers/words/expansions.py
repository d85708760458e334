"""Documents with the queries that they answer added to their text."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.data.jsonl import read_records
from leadline.data.paths import user_path
from leadline.errors import InputError
from leadline.types import Corpus, Document

_LINE = 'Each line must be like {"id": "d1", "queries": ["first query", "second"]}.'


@dataclass(frozen=True, slots=True)
class Expansions:
    """Queries by the id of the document that answers them.

    path  where they were read from; empty for none
    """

    path: str = ""
    queries: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: str) -> Expansions:
        """Read a `.jsonl` or `.jsonl.gz`; an empty path stands for no expansions.

        Raises InputError that names file and line when a line is no expansion.
        """
        queries: dict[str, str] = {}
        for number, record in read_records(user_path(path)) if path else ():
            where = f"{path}:{number}"
            document_id, texts = _line(record, where)
            if document_id in queries:
                raise InputError(f"{where}: document {document_id!r} stands twice.")
            queries[document_id] = " ".join(texts)
        return cls(path, queries)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells; nothing where there are none."""
        return {"expansions": self.path} if self.path else {}


def expanded(corpus: Corpus, expansions: Expansions) -> Corpus:
    """Return the corpus with queries added to the texts, or itself where there are none.

    A document without expansions stays as it is.
    Raises InputError when no document has any.
    """
    if not expansions.path:
        return corpus
    if not any(document_id in corpus for document_id in expansions.queries):
        raise InputError(
            f"{expansions.path} names no document of the corpus. Its ids must be those of the "
            "corpus."
        )
    return _Expanded(corpus, expansions.queries)


class _Expanded(Mapping[str, Document]):
    """A corpus read through expansions, which keeps the order and the streams of the first."""

    def __init__(self, corpus: Corpus, queries: Mapping[str, str]) -> None:
        self._corpus = corpus
        self._queries = queries

    def __getitem__(self, document_id: str) -> Document:
        return self._with_queries(self._corpus[document_id])

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._corpus

    def __iter__(self) -> Iterator[str]:
        return iter(self._corpus)

    def __len__(self) -> int:
        return len(self._corpus)

    def values(self) -> ValuesView[Document]:
        return _Documents(self)

    def items(self) -> ItemsView[str, Document]:
        return _Items(self)

    def _stream(self) -> Iterator[Document]:
        return map(self._with_queries, self._corpus.values())

    def _with_queries(self, document: Document) -> Document:
        added = self._queries.get(document.id)
        return replace(document, text=f"{document.text} {added}") if added else document


class _Documents(ValuesView[Document]):
    _mapping: _Expanded

    def __iter__(self) -> Iterator[Document]:
        return self._mapping._stream()


class _Items(ItemsView[str, Document]):
    _mapping: _Expanded

    def __iter__(self) -> Iterator[tuple[str, Document]]:
        return ((document.id, document) for document in self._mapping._stream())


def _line(record: Mapping[str, Any], where: str) -> tuple[str, list[str]]:
    document_id = record.get("_id", record.get("id"))
    texts = record.get("queries")
    if not isinstance(document_id, str) or not isinstance(texts, list):
        raise InputError(f"{where}: no id or no list of queries. {_LINE}")
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{where}: a query is no text. {_LINE}")
    return document_id, texts
