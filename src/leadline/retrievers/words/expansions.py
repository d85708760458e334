"""Documents with the queries that they answer added to their text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.data.jsonl import read_records
from leadline.data.paths import user_path
from leadline.errors import InputError
from leadline.types import Corpus

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
    queries = expansions.queries
    return {
        document.id: replace(document, text=f"{document.text} {queries[document.id]}")
        if queries.get(document.id)
        else document
        for document in corpus.values()
    }


def _line(record: Mapping[str, Any], where: str) -> tuple[str, list[str]]:
    document_id = record.get("_id", record.get("id"))
    texts = record.get("queries")
    if not isinstance(document_id, str) or not isinstance(texts, list):
        raise InputError(f"{where}: no id or no list of queries. {_LINE}")
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{where}: a query is no text. {_LINE}")
    return document_id, texts
