"""What trec_eval, BEIR and MTEB do when they score, and the options that do otherwise."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.metrics.ranking import NoRelevant, RankingMetric
from leadline.metrics.topics import topic_of
from leadline.types import Document, Query

IdenticalIds: TypeAlias = Literal["leave_out", "drop", "keep"]
_IDENTICAL_IDS: tuple[IdenticalIds, ...] = ("leave_out", "drop", "keep")
_NO_RELEVANT: tuple[NoRelevant, ...] = ("zero", "leave_out")


def scored_as(
    benchmark: Benchmark,
    identical_ids: IdenticalIds = "leave_out",
    no_relevant: NoRelevant = "zero",
) -> Benchmark:
    """Return the benchmark scored as BEIR and MTEB do, or otherwise as the options say.

    identical_ids  as `own_documents` takes it
    no_relevant    what a query without relevant documents counts: `zero`, or nothing (`leave_out`)

    Options that are not the default stand in its name. Raises InputError on an unknown one.
    """
    if identical_ids not in _IDENTICAL_IDS or no_relevant not in _NO_RELEVANT:
        raise InputError(
            f"identical_ids is one of {', '.join(_IDENTICAL_IDS)} and no_relevant one of "
            f"{', '.join(_NO_RELEVANT)}, got {identical_ids!r} and {no_relevant!r}."
        )
    options = {
        **({} if identical_ids == "leave_out" else {"identical_ids": identical_ids}),
        **({} if no_relevant == "zero" else {"no_relevant": no_relevant}),
    }
    metrics = benchmark.metrics
    if no_relevant != "zero":
        metrics = [
            dataclasses.replace(each, no_relevant=no_relevant)
            if isinstance(each, RankingMetric)
            else each
            for each in metrics
        ]
    excluded = own_documents(benchmark, identical_ids)
    alike = sum(
        query.id in benchmark.corpus
        and query.id not in excluded
        and benchmark.qrels.get(query.id, {}).get(query.id, 0) <= 0
        for query in benchmark.queries
    )
    notes = list(benchmark.notes)
    if alike and identical_ids == "leave_out":
        notes.append(
            f"Queries with the id of a document that has another text: {alike:,}. Their rankings "
            "keep it (identical_ids=drop leaves it out, as BEIR does)."
        )
    return dataclasses.replace(
        benchmark,
        name=with_options(benchmark.name, **options),
        metrics=metrics,
        excluded=excluded,
        notes=tuple(notes),
    )


def with_options(name: str, **options: str) -> str:
    """Return the name of a benchmark with options before its part: `whole:option=value/part`."""
    if not options:
        return name
    whole, slash, part = name.partition("/")
    mark = "," if ":" in whole else ":"
    pairs = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{whole}{mark}{pairs}{slash}{part}"


def own_documents(
    benchmark: Benchmark, identical_ids: IdenticalIds = "leave_out"
) -> dict[str, tuple[str, ...]]:
    """Return the documents that are their own query, by query: rankings go without them.

    identical_ids  `leave_out` takes a document with the id of the query, unless it is judged
                   relevant, or the id is a mere number and the texts differ; `drop` takes every
                   document with the id of the query, as BEIR does; `keep` takes none

    Variants of a query go without its document too.
    """
    if identical_ids == "keep":
        return {}
    own = {
        query.id
        for query in benchmark.queries
        if query.id in benchmark.corpus and (identical_ids == "drop" or _is_own(query, benchmark))
    }
    if not own:
        return {}
    found = {query.id: {query.id, topic_of(query)} & own for query in benchmark.queries}
    return {query_id: tuple(ids) for query_id, ids in found.items() if ids}


def _is_own(query: Query, benchmark: Benchmark) -> bool:
    if benchmark.qrels.get(query.id, {}).get(query.id, 0) > 0:
        return False
    return not query.id.isdecimal() or _says(benchmark.corpus[query.id], query.text)


def _says(document: Document, text: str) -> bool:
    texts = (document.text, document.title, document.content)
    return _plain(text) in map(_plain, texts)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
