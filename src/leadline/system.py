"""System: a first stage and any rerankers, which turn a corpus and queries into a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, cast

from leadline.errors import InputError
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Index,
    Query,
    Ranked,
    Reading,
    Reason,
    Reranker,
    Retriever,
    Run,
    Seed,
    Stage,
    StageRun,
    adopted,
    check_corpus,
    check_k,
    first,
    followed,
    scores_of,
    shuffled,
    ties_shuffled,
)


@dataclass(frozen=True)
class System(Retriever):
    """A first stage and the rerankers that follow it.

    A system is itself a `Retriever`, so a fusion can take whole systems. `System(bm25, reranker)`
    reranks what `bm25` finds.

    Attributes:
        retriever: The first stage. None if the system only reorders given candidates.
        reranker: One reranker, several in turn, or None.
        depth: Documents that the first stage finds for each query.
        reranked: How many documents or given candidates the rerankers see. The rest keep
            their order. None for all.
        name: Its name in reports. Default: the names of its stages joined by `+`.
        fallback: Finds the candidates if there is no retriever and none are given.
    """

    retriever: Retriever | None
    reranker: Reranker | Sequence[Reranker] | None = None
    depth: int = 100
    name: str = ""
    fallback: Retriever | None = None
    reranked: int | None = None
    rerankers: tuple[Reranker, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        given: Any = self.reranker
        given = () if given is None else given if isinstance(given, Sequence) else (given,)
        rerankers = tuple(adopted(each, Reranker) for each in given)
        object.__setattr__(self, "rerankers", rerankers)
        if self.retriever is not None:
            object.__setattr__(self, "retriever", adopted(self.retriever, Retriever))
        for depth in (self.depth, self.reranked):
            if depth is not None and depth < 1:
                raise InputError(f"depth must be at least 1, got {depth}.")
        if self.retriever is None and not self.rerankers:
            raise InputError("A system needs a first stage or a reranker, got neither.")
        if not self.name:
            object.__setattr__(self, "name", "+".join(stage.name for stage in self.stages))

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The first stage, if there is one, and the rerankers."""
        return (*(() if self.retriever is None else (self.retriever,)), *self.rerankers)

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting of every stage."""
        told = {
            "depth": self.depth,
            "reranked": self.reranked,
            "retriever": self.retriever and _settings(self.retriever),
            "rerankers": [_settings(reranker) for reranker in self.rerankers] or None,
            "fallback": self.fallback and _settings(self.fallback),
        }
        return {name: value for name, value in told.items() if value is not None}

    @property
    def scores_are_ranks(self) -> bool:
        """Whether the last stage only orders documents, so that its scores are ranks."""
        return self.stages[-1].scores_are_ranks

    @property
    def own_corpus(self) -> bool:
        """Whether the first stage searches its own corpus."""
        return self.retriever is not None and self.retriever.own_corpus

    @property
    def chunks_found(self) -> Mapping[str, Mapping[str, str]]:
        """The best chunk by query and document; empty without chunks."""
        return {} if self.retriever is None else self.retriever.chunks_found

    @property
    def failures(self) -> dict[str, int]:
        """How often each stage failed so far, by stage and reason."""
        return {
            f"{stage.name}: {reason}": count
            for stage in self.stages
            for reason, count in stage.failures.items()
            if count
        }

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what the last scoring stage reads, or None if unknown."""
        return self.stages[-1].read(queries, documents)

    @property
    def asked_by_stage(self) -> dict[str, int]:
        """How many cases each stage has put to its model so far, if it counts them."""
        return {stage.name: stage.asked for stage in self.stages if stage.asked is not None}

    def run(
        self,
        corpus: Corpus,
        queries: Sequence[Query],
        candidates: Candidates | None = None,
        *,
        ranks: int | None = None,
        excluded: Candidates | None = None,
        seed: Seed = 0,
    ) -> Ranking:
        """Index, search to `depth` or score the given candidates, then rerank.

        Args:
            corpus: The documents.
            queries: The queries.
            candidates: If given, rank all of these and do not search.
            seed: Seed of the order of candidates, see `shuffled`. None keeps their order.
            ranks: The rank that `deep` must reach, if a metric needs more than the run.
            excluded: Documents that the first stage leaves out, by query.

        Returns:
            The run, its time, and the run after every stage.
        """
        watch = _Stopwatch()
        index = _SystemIndex(self, corpus, watch, excluded or {}, seed)
        try:
            if candidates is not None:
                run = deep = index.score(queries, candidates)
            else:
                run = deep = index.search(queries, self.depth)
                if ranks is not None and ranks > self.depth:
                    deep = index.continued(queries, run, ranks)
        finally:
            index.close()
        return Ranking(
            run, watch.seconds, deep, tuple(index.stages), index.index_bytes, index.query_seconds
        )

    def explain(self, query: Query, documents: Sequence[Document]) -> dict[str, tuple[Reason, ...]]:
        """Return the reasons for the scores by document id, from stages that can explain them."""
        told = [stage.explain(query, documents) for stage in self.stages]
        known = [each for each in told if each is not None]
        if not known:
            raise InputError(
                f"{self.name!r} has no stage that can explain its scores. Use by_condition or "
                "by_attribute."
            )
        return {
            document.id: tuple(reason for each in known for reason in each.get(document.id, ()))
            for document in documents
        }

    def index(self, corpus: Corpus) -> Index:
        """Make a corpus searchable by the whole system."""
        return _SystemIndex(self, corpus, _Stopwatch(), {}, 0)


@dataclass(frozen=True)
class Ranking:
    """A run, its time, and the run after every stage.

    Attributes:
        seconds: Wall-clock seconds of `index`, `search` (or scoring) and `rerank`, if they ran.
        deep: The run, followed by further documents of the first stage.
        stages: The run after every stage, in order. The last one is `run`.
        index_bytes: Size of the first stage's index; None if unknown.
        query_seconds: Seconds of each query, if the system runs one query at a time.
    """

    run: Run
    seconds: Mapping[str, float]
    deep: Run = field(default_factory=dict, repr=False)
    stages: tuple[StageRun, ...] = field(default=(), repr=False)
    index_bytes: int | None = None
    query_seconds: Mapping[str, float] = field(default_factory=dict, repr=False)


class _SystemIndex(Index):
    """A corpus that a whole system searches. It is indexed on first use."""

    def __init__(
        self, system: System, corpus: Corpus, watch: _Stopwatch, excluded: Candidates, seed: Seed
    ) -> None:
        self._system = system
        self._seed = seed
        self._excluded = {query: frozenset(ids) for query, ids in excluded.items()}
        self._most_excluded = max(map(len, self._excluded.values()), default=0)
        self._corpus = corpus
        self._watch = watch
        self._opened: Index | None = None
        self.stages: list[StageRun] = []
        self.query_seconds: dict[str, float] = {}

    def prepare(self) -> None:
        if self._system.retriever or self._system.fallback:
            self._searchable()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    @property
    def index_bytes(self) -> int | None:
        return self._opened.index_bytes if self._opened else None

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        rerankers = self._system.rerankers
        reranked = self._system.reranked
        depth = max(k, self._system.depth, reranked or 0) if rerankers else k
        run = self._found(queries, depth, "search")
        stage = self._system.retriever or self._system.fallback
        if stage and not rerankers:
            self.query_seconds = dict(stage.query_seconds)
        if rerankers:
            run = ties_shuffled(queries, run, self._seed or 0)
        self.stages = [StageRun(stage.name if stage else "", run)]
        if not rerankers:
            return run
        return {q: first(scores, k) for q, scores in self._reranked(queries, run, reranked).items()}

    def _found(self, queries: Sequence[Query], depth: int, label: str) -> Run:
        index = self._searchable()
        started = perf_counter()
        found = self._known(index.search(queries, depth + self._most_excluded), queries, "search")
        run = self._without_excluded(found, depth)
        self._watch.stop(label, started)
        return run

    def continued(self, queries: Sequence[Query], run: Run, depth: int) -> Run:
        """Return the run, followed by further documents of the first stage, not reranked.

        This is a separate search, because a deeper fusion may order the top differently too.
        """
        if all(len(scores) < self._system.depth for scores in run.values()):
            return run
        deeper = dict(self._found(queries, depth, "deep search"))
        return {query: followed(run[query], deeper.pop(query, {})) for query in run}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        if self._seed is not None:
            candidates = shuffled(queries, candidates, self._seed)
        if self._system.retriever is None:
            given = self._without_excluded({id: scores_of(ids) for id, ids in candidates.items()})
            self.stages = [StageRun("candidates", given)]
            return self._reranked(queries, given)
        index = self._indexed(self._system.retriever)
        started = perf_counter()
        scored = self._known(index.score(queries, candidates), queries, "score")
        run = self._without_excluded(scored)
        self._watch.stop("search", started)
        self.stages = [StageRun(self._system.retriever.name, run)]
        return (
            self._reranked(queries, run, self._system.reranked) if self._system.rerankers else run
        )

    def _known(self, run: Any, queries: Sequence[Query], method: str) -> Run:
        """Return the run. Raise InputError if a document is not in the corpus."""
        stage = self._system.retriever or self._system.fallback
        assert stage is not None
        if stage.own_corpus:
            return cast(Run, run)
        known = self._corpus.keys()
        for query in queries:
            scores = run.get(query.id) if isinstance(run, Mapping) else None
            if not isinstance(scores, Mapping):
                raise InputError(
                    f"{method}() of {stage.name} must return a mapping from document id to score "
                    f"for every query. It did not for query {query.id!r}."
                )
            if not scores.keys() <= known:
                raise outside_corpus(stage.name, next(i for i in scores if i not in known), query)
        return cast(Run, run)

    def _without_excluded(self, run: Run, k: int | None = None) -> Run:
        """Return the best k documents that are not excluded."""
        if not self._excluded:
            return run
        kept = {
            query: {id: s for id, s in scores.items() if id not in self._excluded.get(query, ())}
            for query, scores in run.items()
        }
        return {query: first(scores, k) for query, scores in kept.items()}

    def _searchable(self) -> Index:
        retriever = self._system.retriever or self._system.fallback
        if retriever is None:
            raise InputError(
                f"{self._system.name!r} is a reranker and has no candidates. Put a first stage "
                f"before it: bm25+{self._system.name}."
            )
        index = self._indexed(retriever)
        started = perf_counter()
        index.prepare()
        self._watch.stop("index", started)
        return index

    def _indexed(self, retriever: Retriever) -> Index:
        if self._opened is None:
            started = perf_counter()
            check_corpus(self._corpus)
            self._opened = adopted(retriever.index(self._corpus), Index, retriever.name)
            self._watch.stop("index", started)
        return self._opened

    def _reranked(self, queries: Sequence[Query], run: Run, most: int | None = None) -> Run:
        """Rerank the first `most`. Documents without a new score follow in their old order."""
        started = perf_counter()
        for reranker in self._system.rerankers:
            candidates = {query: Ranked(first(scores, most)) for query, scores in run.items()}
            found = reranker.rerank(queries, self._corpus, candidates)
            run = {query: followed(found.get(query, {}), run[query]) for query in run}
            traces = reranker.take_traces()
            self.stages.append(StageRun(reranker.name, run, traces))
        self._watch.stop("rerank", started)
        return run


def outside_corpus(stage: str, id: str, query: Query) -> InputError:
    """Return the error for a document that a stage found and the corpus lacks."""
    return InputError(
        f"{stage} found document {str(id)[:80]!r} for query {query.id!r}, which is not in the "
        "corpus. It must return ids of the corpus. If it returns chunks, use --chunks."
    )


@dataclass
class _Stopwatch:
    seconds: dict[str, float] = field(default_factory=dict)

    def stop(self, stage: str, started: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + perf_counter() - started


def _settings(stage: Stage) -> dict[str, Any]:
    return {"name": stage.name, **stage.settings}
