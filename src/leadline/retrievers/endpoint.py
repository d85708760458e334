"""Any search service over HTTP, described by a small YAML file or by its address alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from leadline.data.paths import user_path
from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError
from leadline.models.cutting import readable
from leadline.models.encoder import Embedder, Encoders, embed
from leadline.progress import say, track
from leadline.retrievers.services.calls import Asking, Hit
from leadline.retrievers.services.description import Description, read
from leadline.retrievers.services.http import Patience, ServiceError, bare_url
from leadline.retrievers.services.loans import Lender
from leadline.retrievers.services.requests import Caller, caller
from leadline.retrievers.vectors.named import embedder
from leadline.types import Candidates, Corpus, Index, Query, Retriever, Run


def build(
    model: str,
    *,
    timeout: float | None = None,
    concurrency: int | None = None,
    retries: int | None = None,
    candidate_depth: int | None = None,
    encoders: Encoders = embedder,
) -> Retriever:
    """Return a retriever that asks a search service.

    model            the service's address, or a YAML file that describes it
    timeout          seconds for one answer
    concurrency      calls at the same time
    retries          calls after the first when it failed in a way that may pass
    candidate_depth  documents searched to find the scores of given candidates
    encoders         makes the encoder that the description names

    An address alone is sent `{"query": ..., "k": ...}` by POST, or called by GET where it holds
    `{query}`; the answer is `{"hits": [{"id", "score", "text"}, ...]}`, best first.

    Raises InputError when the address or the file cannot be read or does not fit.
    """
    if model.startswith(("http://", "https://")):
        content: Any = {"url": model}
        where = bare_url(model)
    else:
        content, where = read_yaml(user_path(model)), model
    return described(
        content,
        where,
        encoders,
        timeout=timeout,
        concurrency=concurrency,
        retries=retries,
        candidate_depth=candidate_depth,
    )


def described(content: Any, where: str, encoders: Encoders = embedder, **options: Any) -> Retriever:
    """Return a retriever for what a mapping says of a service.

    content   the keys of `Description` and perhaps `template`, or these under the key `endpoint`
    where     the file, for messages
    encoders  makes the encoder that is named
    options   what is to stand in place of the description's own value, unless None

    Raises InputError when a key is unknown, a value does not fit, or an environment variable that
    is named is not set.
    """
    if isinstance(content, Mapping) and set(content) == {"endpoint"}:
        content = content["endpoint"]
    if isinstance(content, Mapping):
        given = {name: value for name, value in options.items() if value is not None}
        content = {**content, **given}
    description = read(content, where)
    patience = Patience(description.timeout, description.retries, description.backoff)
    vectors = "vector" in description.fields or (
        description.ingest is not None and "vector" in description.ingest.fields
    )
    source = encoders(description.encoder) if vectors else None
    return _Endpoint(description, caller(description, where), patience, source)


@dataclass
class _Tally:
    """What happened since the corpus was last indexed."""

    failures: int = 0
    first_failure: str = ""
    outside_corpus: int = 0
    unscored: int = 0
    without_scores: int = 0
    out_of_order: int = 0
    given_documents: int = 0


@dataclass
class _Endpoint(Retriever):
    """A retriever. `failures` counts the queries without an answer so far, by reason."""

    description: Description
    caller: Caller
    patience: Patience
    source: Embedder | None
    failures: Counter[str] = field(default_factory=Counter)
    tally: _Tally = field(default_factory=_Tally)
    lent: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return bare_url(self.description.url)

    @property
    def own_corpus(self) -> bool:
        """A service searches the documents that it has indexed, whatever corpus it is given."""
        return True

    @property
    def takes_documents(self) -> bool:
        """Whether its description says how it is given documents."""
        return self.description.ingest is not None

    @contextmanager
    def holding(self, corpus: Corpus, made: Collection[str]) -> Iterator[None]:
        """Let the service hold documents until the block ends: those made, or of a whole corpus."""
        ids = list(corpus) if self.description.scratch else [id for id in made if id in corpus]
        if not self.takes_documents or not ids:
            yield
            return
        with Lender(self.caller, self.patience, self.source).lending(corpus, ids) as self.lent:
            try:
                yield
            finally:
                self.lent = {}

    @property
    def settings(self) -> dict[str, Any]:
        ranks = self.tally.without_scores or self.tally.out_of_order
        scores = "1/rank" if ranks or self.description.answer.score == "" else "the service's"
        happened = {name: value for name, value in vars(self.tally).items() if value}
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        return {**self.description.shown, **encoder, "scores": scores, **happened}

    def index(self, corpus: Corpus) -> _Index:
        """Return the service as it stands: it has its own index of the corpus."""
        if not corpus:
            raise InputError("The corpus has no documents, so nothing that is found can be in it.")
        self.tally = _Tally(given_documents=len({*self.lent.values()}))
        return _Index(self, corpus)


class _Index(Index):
    """Answers hold documents of the corpus only: what lies outside is dropped and counted."""

    def __init__(self, endpoint: _Endpoint, corpus: Corpus) -> None:
        self._endpoint = endpoint
        self._tally = endpoint.tally
        self._corpus = corpus
        self._by_text: dict[str, str] | None = None

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most k documents of each query; a query that failed has none.

        Raises InputError when every query failed, or nothing that was found is in the corpus.
        """
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}.")
        run: dict[str, dict[str, float]] = {}
        failed = 0
        outside: list[str] = []
        inside = 0
        for query, outcome in self._outcomes(queries, k):
            if isinstance(outcome, ServiceError):
                failed += 1
                self._tally.failures += 1
                self._endpoint.failures[_kind_of(outcome)] += 1
                self._tally.first_failure = self._tally.first_failure or str(outcome)
                outcome = []
            scores = self._scores(outcome)
            found: dict[str, float] = {}
            for hit, score in zip(outcome, scores, strict=True):
                id = self._id_of(hit)
                if id in self._corpus:
                    found.setdefault(id, score)
                    inside += 1
                else:
                    outside.append(id)
            run[query.id] = dict(list(found.items())[:k])
        self._tally.outside_corpus += len(outside)
        self._check(failed, len(queries), inside, outside)
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Return the candidates that a deep search finds, with its scores; the rest is counted."""
        depth = self._endpoint.description.candidate_depth
        wanted = max((len(candidates.get(query.id, ())) for query in queries), default=0)
        deep = self.search(queries, max(depth, wanted))
        run: dict[str, dict[str, float]] = {}
        for query in queries:
            asked = set(candidates.get(query.id, ()))
            scores = {id: score for id, score in deep[query.id].items() if id in asked}
            self._tally.unscored += len(asked) - len(scores)
            run[query.id] = scores
        return run

    def _outcomes(
        self, queries: Sequence[Query], k: int
    ) -> Iterator[tuple[Query, list[Hit] | ServiceError]]:
        """Yield every query with its hits or its failure, in order."""
        endpoint = self._endpoint
        asking = Asking(endpoint.caller, endpoint.patience, k)
        texts = [readable(query.content) for query in queries]
        vectors: Any = [None] * len(texts)
        if endpoint.source is not None and texts:
            vectors = embed(endpoint.source, texts, "query")
        pool = ThreadPoolExecutor(endpoint.description.concurrency, "endpoint")
        try:
            size = endpoint.description.at_once
            starts = range(0, len(texts), size)
            sent = [texts[at : at + size] for at in starts]
            outcomes = pool.map(asking.outcomes, sent, [vectors[at : at + size] for at in starts])
            pairs = zip(queries, chain.from_iterable(outcomes), strict=True)
            yield from track(pairs, f"Asking {endpoint.name}", total=len(queries))
        finally:
            asking.service.stop()
            pool.shutdown(cancel_futures=True)

    def _scores(self, hits: Sequence[Hit]) -> list[float]:
        """Return what the service gave, or 1/rank where it gave none or contradicts its order."""
        if not hits:
            return []
        given = [hit.score for hit in hits if hit.score is not None]
        if len(given) == len(hits) and all(a >= b for a, b in pairwise(given)):
            return given
        if given:
            self._tally.out_of_order += 1
        else:
            self._tally.without_scores += 1
        return [1 / rank for rank in range(1, len(hits) + 1)]

    def _id_of(self, hit: Hit) -> str:
        if self._endpoint.description.answer.id:
            return self._endpoint.lent.get(hit.id, hit.id)
        if self._by_text is None:
            documents = list(self._corpus.values())
            self._by_text = {_plain(each.content): each.id for each in reversed(documents)}
            self._by_text |= {_plain(each.text): each.id for each in reversed(documents)}
        return self._by_text.get(_plain(hit.text), hit.text)

    def _check(self, failed: int, asked: int, inside: int, outside: Sequence[str]) -> None:
        name = self._endpoint.name
        if asked and failed == asked:
            raise InputError(
                f"{name} answered none of {asked} queries. The first: {self._tally.first_failure}"
            )
        if outside and not inside:
            raise InputError(
                f"{name} found {len(outside)} documents and none is in the corpus. It calls the "
                f"first {outside[0][:80]!r}, the corpus {next(iter(self._corpus))[:80]!r}. "
                "Say in `answer.id` where the id of the corpus stands."
            )
        if failed:
            say(f"{name}: {failed} of {asked} queries failed: {self._tally.first_failure}")


def _kind_of(failure: ServiceError) -> str:
    return f"status {failure.status}" if failure.status else "no answer that can be read"


def _plain(text: str) -> str:
    return " ".join(text.split())
