"""Some documents of a large corpus, for a first look."""

from __future__ import annotations

import random
from collections.abc import Sequence

from leadline.errors import InputError
from leadline.types import Corpus, Qrels, Query


def sampled(
    corpus: Corpus, count: int, seed: int, queries: Sequence[Query] = (), qrels: Qrels | None = None
) -> tuple[Corpus, Qrels | None]:
    """Return documents drawn at random, held in memory, and the judgements of them.

    count    how many; a corpus that has no more is returned as it is
    queries  the user's, which are judged by `qrels`: their relevant documents come first, as many
             queries whole as there is room for, so that a query keeps all its answers or none

    Documents keep the order of the corpus. Raises InputError when the count is below 1.
    """
    if count < 1:
        raise InputError(f"--sample must be at least 1, got {count}.")
    if len(corpus) <= count:
        return corpus, qrels
    rng = random.Random(f"{seed} sample")
    kept: set[str] = set()
    judged: dict[str, dict[str, int]] = {}
    asked = [query.id for query in queries if qrels and query.id in qrels]
    for query_id in rng.sample(asked, len(asked)):
        grades = qrels[query_id] if qrels else {}
        relevant = {id for id, grade in grades.items() if grade > 0 and id in corpus}
        if len(kept | relevant) <= count // 2 or not kept:
            kept |= relevant
    ids = list(corpus)
    others = [id for id in rng.sample(ids, len(ids)) if id not in kept]
    kept.update(others[: max(0, count - len(kept))])
    for query_id, grades in (qrels or {}).items():
        if all(id in kept for id, grade in grades.items() if grade > 0 and id in corpus):
            judged[query_id] = {id: grade for id, grade in grades.items() if id in kept}
    return {id: corpus[id] for id in ids if id in kept}, judged if qrels is not None else None
