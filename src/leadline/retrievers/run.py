"""An existing run file as a system: `run:results.trec`, alone or before rerankers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import FiniteFloat, TypeAdapter, ValidationError

from leadline import progress
from leadline.data.lines import opened
from leadline.data.trec import read_run
from leadline.errors import InputError
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    among,
    check_corpus,
    check_k,
    first,
)


def build(model: str = "") -> Retriever:
    """Return a first stage that finds what a run file lists.

    model  the file: lines of `query Q0 document rank score tag`, plain or .gz; or a `.json` that
           maps queries to documents and scores, as MTEB writes it

    Documents are ordered by their scores; the file's order breaks ties. A query that the file
    lacks found nothing and counts as 0; where a benchmark gives candidates, those that the file
    lacks count as not found. Raises InputError when there is no such file.
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
            for query, scores in _read(self.path).items()
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
        self._check_asked(queries)
        rows = {query.id: self.rows.get(query.id, {}) for query in queries}
        unknown = {id for scores in rows.values() for id in scores if id not in self.corpus}
        found = {
            query: first({id: score for id, score in scores.items() if id not in unknown}, k)
            for query, scores in rows.items()
        }
        if unknown:
            progress.warn(
                f"{self.path} names {len(unknown):,} documents that are not in the corpus, such as "
                f"{min(unknown)!r}: they are passed over."
            )
        return found

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Return the scores that the file has for candidates."""
        self._check_asked(queries)
        found = among(self.rows, queries, candidates)
        given = sum(len(set(candidates[query.id])) for query in queries)
        if lacking := given - sum(map(len, found.values())):
            progress.warn(
                f"{self.path} has no score of {lacking:,} of {given:,} candidates: they count as "
                "not found, below all others."
            )
        return found

    def _check_asked(self, queries: Sequence[Query]) -> None:
        lacking = sum(query.id not in self.rows for query in queries)
        if lacking == len(queries) and queries:
            raise InputError(
                f"{self.path} has none of the {len(queries):,} queries, such as "
                f"{queries[0].id!r}. Its first query is {next(iter(self.rows), 'none')!r}. Is it "
                "a run of this benchmark?"
            )
        if lacking:
            progress.warn(
                f"{self.path} has no row for {lacking:,} of {len(queries):,} queries: they found "
                "nothing and count as 0."
            )


def _read(path: Path) -> Run:
    """Return the run of a file in either format."""
    if not path.name.endswith((".json", ".json.gz")):
        return read_run(path)
    try:
        with opened(path) as handle:
            run: Run = TypeAdapter(dict[str, dict[str, FiniteFloat]]).validate_json(handle.read())
    except ValidationError as error:
        where = " / ".join(map(str, error.errors()[0]["loc"]))
        raise InputError(
            f"{path}: a run in JSON maps queries to documents and scores, as in "
            f'{{"q1": {{"d7": 12.5}}}}; {where or "the file"} does not.'
        ) from error
    return run
