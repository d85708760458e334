"""A TREC run file that exists already, as a system: `run:results.trec` is scored as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline import progress
from leadline.data.trec import read_run
from leadline.errors import InputError
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    check_corpus,
    check_k,
    first,
)


def build(model: str = "") -> Retriever:
    """Return a first stage that finds what a run file lists.

    model  the file: lines of `query Q0 document rank score tag`, plain or .gz

    Documents are ordered by their scores; the file's order breaks ties. A query that the file
    lacks found nothing and counts as 0. Raises InputError when there is no such file.
    """
    if not model:
        raise InputError("run needs a file: run:results.trec.")
    path = Path(model)
    if not path.exists() and not path.with_name(f"{path.name}.gz").exists():
        raise InputError(f"There is no run file {model}.")
    return _RunFile(path)


@dataclass(frozen=True)
class _RunFile(Retriever):
    path: Path

    @property
    def name(self) -> str:
        return f"run:{self.path}"

    @property
    def settings(self) -> dict[str, Any]:
        return {"file": str(self.path)}

    def index(self, corpus: Corpus) -> _Rows:
        check_corpus(corpus)
        rows = {
            query: dict(sorted(scores.items(), key=lambda each: -each[1]))
            for query, scores in read_run(self.path).items()
        }
        return _Rows(self.path, rows, corpus)


@dataclass(frozen=True)
class _Rows(Index):
    """The rows of a run file whose documents are in the corpus."""

    path: Path
    rows: Run = field(repr=False)
    corpus: Corpus = field(repr=False)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        rows = {query.id: self.rows.get(query.id, {}) for query in queries}
        lacking = sum(query.id not in self.rows for query in queries)
        unknown = {id for scores in rows.values() for id in scores if id not in self.corpus}
        found = {
            query: first({id: score for id, score in scores.items() if id not in unknown}, k)
            for query, scores in rows.items()
        }
        if lacking == len(queries) and queries:
            raise InputError(
                f"{self.path} has none of the {len(queries):,} queries, such as "
                f"{queries[0].id!r}; its first is {next(iter(self.rows), 'none')!r}. Is it a run "
                "of this benchmark?"
            )
        if lacking:
            progress.warn(
                f"{self.path} has no row for {lacking:,} of {len(queries):,} queries: they found "
                "nothing and count as 0."
            )
        if unknown:
            progress.warn(
                f"{self.path} names {len(unknown):,} documents that are not in the corpus, such as "
                f"{min(unknown)!r}: they are passed over."
            )
        return found

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Return the scores that the file has for candidates."""
        found = {}
        for query in queries:
            scores = self.rows.get(query.id, {})
            wanted = set(candidates[query.id])
            if missing := sorted(wanted - scores.keys()):
                raise InputError(
                    f"{self.path} has no score of {len(missing):,} of the {len(wanted):,} "
                    f"documents that query {query.id!r} is asked about, such as {missing[0]!r}. "
                    "This test needs a score of each."
                )
            found[query.id] = {id: score for id, score in scores.items() if id in wanted}
        return found
