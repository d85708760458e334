"""The queries and judgements that a user has already: given, or beside the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.data.folder import qrels_files, queries_file, read_beir_qrels, read_queries
from leadline.data.zipped import unzipped
from leadline.errors import InputError
from leadline.types import Qrels, Query


def own_queries(
    corpus: str | Path, queries: Sequence[Query] = (), qrels: Qrels | None = None
) -> tuple[Sequence[Query], Qrels | None]:
    """Return the user's queries and their judgements; what is given goes before what lies there.

    corpus   path of a corpus; where it is a folder, its `queries.*` and `qrels/*.tsv` count
    queries  given ones; the judgements beside the corpus are not theirs
    qrels    given ones; None for those beside the corpus

    Judgements of several splits are joined. No queries, and None for the judgements, where there
    are none. Raises InputError when a file is broken, or judgements are given without queries.
    """
    if queries:
        return _judged_by(queries, qrels)
    folder = unzipped(Path(corpus))
    path = queries_file(folder)
    if path is None:
        if qrels is not None:
            raise InputError("--qrels judges the queries of --queries FILE, which is missing.")
        return (), None
    return _judged_by(read_queries(path), _judgements(folder) if qrels is None else qrels)


def _judged_by(
    queries: Sequence[Query], qrels: Qrels | None
) -> tuple[Sequence[Query], Qrels | None]:
    """Return both, unless the judgements are about other queries alone."""
    if qrels and not any(query.id in qrels for query in queries):
        raise InputError(
            f"None of the queries is judged: the first is {queries[0].id!r}, and the judgements "
            f"begin with {next(iter(qrels))!r}. Do both come from the same collection?"
        )
    return queries, qrels


def _judgements(folder: Path) -> Qrels | None:
    splits = qrels_files(folder)
    joined: dict[str, dict[str, int]] = {}
    for split in splits.values():
        for query_id, grades in read_beir_qrels(split).items():
            joined.setdefault(query_id, {}).update(grades)
    return joined if splits else None
