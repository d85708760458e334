"""Any data set of the package ir_datasets, by its name there: `-b ir_datasets:NAME`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from leadline.benchmark import Benchmark
from leadline.errors import InputError, needs
from leadline.kinds.benchmark_folder import IdenticalIds, scored_as
from leadline.kinds.ranking.kind import KIND
from leadline.metrics.ranking import NoRelevant
from leadline.types import Document, Query

PREFIX = "ir_datasets:"


def build(
    name: str, *, identical_ids: IdenticalIds = "leave_out", no_relevant: NoRelevant = "zero"
) -> list[Benchmark]:
    """Return the data set as a benchmark; the package fetches what is not there yet.

    name  as ir_datasets has it, such as beir/scifact/test
    identical_ids, no_relevant
          as `scored_as` takes them

    Raises InputError when there is no such data set, or it lacks queries or judgements.
    """
    with needs("ir_datasets"):
        import ir_datasets
    try:
        found = ir_datasets.load(name)
    except KeyError as error:
        raise InputError(
            f"ir_datasets has no data set {name!r}. https://ir-datasets.com lists them."
        ) from error
    for what in ("docs", "queries", "qrels"):
        if not getattr(found, f"has_{what}")():
            raise InputError(
                f"{name} of ir_datasets has no {what}. Name a part with them, such as {name}/test."
            )
    try:
        queries = [
            Query(each.query_id, _text(each), each.query_id) for each in found.queries_iter()
        ]
        qrels: dict[str, dict[str, int]] = {}
        for each in found.qrels_iter():
            qrels.setdefault(each.query_id, {})[each.doc_id] = int(each.relevance)
        made = Benchmark(
            name=PREFIX + name,
            corpus=_Documents(found),
            queries=[query for query in queries if query.id in qrels],
            qrels=qrels,
            source=f"{name} of ir_datasets",
            built_by="published",
            **KIND.measured(()),
        )
    except (OSError, RuntimeError) as error:  # what it says where nothing can be fetched
        reason = (str(error) or type(error).__name__).splitlines()[0][:300]
        raise InputError(f"ir_datasets cannot download {name}: {reason}") from error
    return [scored_as(made.validated(), identical_ids, no_relevant)]


class _Documents(Mapping[str, Document]):
    """The documents of a data set, read from its own store when they are asked for."""

    def __init__(self, found: Any) -> None:
        self._found = found
        self._store = found.docs_store()
        self._ids = {each.doc_id: None for each in found.docs_iter()}

    def __getitem__(self, id: str) -> Document:
        if id not in self._ids:
            raise KeyError(id)
        return _document(self._store.get(id))

    def __contains__(self, id: object) -> bool:
        return id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def _document(found: Any) -> Document:
    title = getattr(found, "title", "") or ""
    text = found.text if isinstance(getattr(found, "text", None), str) else found.default_text()
    return Document(found.doc_id, text, title)


def _text(query: Any) -> str:
    """Return the text of a query: its title, where it is a topic with a description."""
    for field in ("text", "title", "query"):
        if isinstance(value := getattr(query, field, None), str):
            return value
    return str(query.default_text())
