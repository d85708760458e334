"""Models of MTEB as systems, and systems as search models of MTEB."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from leadline.errors import MissingExtraError
from leadline.system import System
from leadline.types import Candidates, Corpus, Document, Index, Query, Reranker, Retriever, Run


def as_mteb_search_model(system: System) -> Any:
    """Return a search model for `mteb.evaluate`, which the system stands behind.

    What MTEB hands over as candidates is reranked, else the whole system searches.
    """
    return _SearchModel(system)


def stage_of(model: Any, name: str) -> Retriever | Reranker:
    """Return a search model or an encoder of MTEB as first stage, a cross-encoder as reranker.

    Raises MissingExtraError when mteb is not installed.
    """
    if not (hasattr(model, "index") and hasattr(model, "search")):
        wrappers = _module("mteb.models")
        if not hasattr(model, "encode"):
            return _MtebReranker(wrappers.SearchCrossEncoderWrapper(model), name)
        model = wrappers.SearchEncoderWrapper(model)
    return _Mteb(model, name)


@dataclass(frozen=True)
class _Mteb(Retriever):
    """A retriever from a search model of MTEB."""

    model: Any
    name: str

    def index(self, corpus: Corpus) -> _MtebIndex:
        rows = [{"id": each.id, "title": each.title, "text": each.text} for each in corpus.values()]
        dataset = _module("datasets").Dataset.from_list(rows)
        self.model.index(dataset, **_task(), num_proc=None)
        return _MtebIndex(self.model)


@dataclass(frozen=True)
class _MtebIndex(Index):
    model: Any

    def search(self, queries: Sequence[Query], k: int) -> Run:
        return self._run(queries, k, None)

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        asked = [query for query in queries if candidates.get(query.id)]
        ranked = {query.id: list(candidates[query.id]) for query in asked}
        depth = max((len(names) for names in ranked.values()), default=1)
        run = self._run(asked, depth, ranked) if asked else {}
        return {query.id: run.get(query.id, {}) for query in queries}

    def _run(self, queries: Sequence[Query], k: int, candidates: Any) -> Run:
        rows = [{"id": query.id, "text": query.content} for query in queries]
        dataset = _module("datasets").Dataset.from_list(rows)
        found = self.model.search(dataset, top_k=k, top_ranked=candidates, **_task(), num_proc=None)
        return {query.id: _best(found.get(query.id, {}), k) for query in queries}


@dataclass(frozen=True)
class _MtebReranker(Reranker):
    """A reranker from a cross-encoder of MTEB."""

    model: Any
    name: str

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        names = {name for query in queries for name in candidates.get(query.id, ())}
        some = {id: document for id, document in corpus.items() if id in names}
        return _Mteb(self.model, self.name).index(some).score(queries, candidates)


class _SearchModel:
    """What MTEB calls a search model: see its SearchProtocol."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._index: Any = None

    @property
    def mteb_model_meta(self) -> Any:
        meta = _module("mteb.models.model_meta").ModelMeta
        name = "leadline/" + re.sub(r"[^A-Za-z0-9._-]+", "-", self._system.name)
        return meta.create_empty({"name": name, "revision": "no_revision_available"})

    def index(self, corpus: Any, **_: Any) -> None:
        """Index a dataset with the columns id, text and perhaps title."""
        documents = (
            Document(id=str(row["id"]), text=row["text"], title=row.get("title") or "")
            for row in corpus
        )
        self._index = self._system.index({document.id: document for document in documents})

    def search(
        self, queries: Any, *, top_k: int, top_ranked: Mapping[str, Any] | None = None, **_: Any
    ) -> dict[str, dict[str, float]]:
        """Search, or rank what MTEB gives as candidates."""
        asked = [
            Query(id=str(row["id"]), text=row["text"], instruction=row.get("instruction") or "")
            for row in queries
        ]
        if top_ranked is None:
            run = self._index.search(asked, top_k)
        else:
            run = self._index.score(asked, {id: list(names) for id, names in top_ranked.items()})
        return {id: dict(list(scores.items())[:top_k]) for id, scores in run.items()}


def _task() -> dict[str, Any]:
    """Return what MTEB tells a model of its task, for a task that has no name there."""
    metadata = _module("mteb.abstasks.task_metadata").TaskMetadata(
        name="Leadline",
        description="Retrieval of documents for queries.",
        dataset={"path": "none", "revision": "none"},
        type="Retrieval",
        eval_langs=["eng-Latn"],
        main_score="ndcg_at_10",
    )
    return {
        "task_metadata": metadata,
        "hf_split": "test",
        "hf_subset": "default",
        "encode_kwargs": {"batch_size": 32},
    }


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"A model of MTEB needs {error.name}, which is not installed: pip install mteb"
        ) from error


def _best(scores: Mapping[str, float], k: int) -> dict[str, float]:
    ordered = sorted(scores.items(), key=lambda pair: -pair[1])
    return {str(id): float(score) for id, score in ordered[:k]}
