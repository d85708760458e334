"""Any search service over HTTP, described by a small YAML file or only by its address."""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from leadline.data.addresses import shown_address
from leadline.data.paths import user_path
from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError, ServiceError
from leadline.models.cutting import readable
from leadline.models.encoder import Embedder, Encoders, embed
from leadline.progress import say, track
from leadline.retrievers.parts.http import Patience, Service
from leadline.retrievers.parts.service import (
    GIVEN,
    Asking,
    Call,
    Description,
    Hit,
    Writing,
    picked,
    read,
    request_of,
    secrets_of,
    with_variables,
)
from leadline.retrievers.parts.store import embedder
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

_DEPTH = 100
_BEGINNING = 1000
_PAUSE = 0.1
_GONE = (404, 410)


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
    is_address = model.startswith(("http://", "https://"))
    return described(
        {"url": model} if is_address else read_yaml(user_path(model)),
        shown_address(model) if is_address else model,
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
    """
    if isinstance(content, Mapping) and set(content) == {"endpoint"}:
        content = content["endpoint"]
    if isinstance(content, Mapping):
        given = {name: value for name, value in options.items() if value is not None}
        content = {**content, **given}
    description = read(content, where)
    patience = Patience(description.timeout, description.retries, description.backoff)
    calls: list[Call] = [description, *filter(None, (description.ingest, description.remove))]
    vectors = any("vector" in call.fields(("vector",)) for call in calls)
    return _Endpoint(
        description,
        [with_variables(call, where) for call in calls],
        secrets_of(calls),
        patience,
        encoders(description.encoder) if vectors else None,
    )


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
    """A retriever. `failures` counts the queries without an answer so far, by reason.

    calls  search, ingest and remove, with their environment variables filled in
    """

    description: Description
    calls: Sequence[Call] = field(repr=False)
    secrets: Sequence[str] = field(repr=False)
    patience: Patience
    source: Embedder | None
    failures: Counter[str] = field(default_factory=Counter)
    tally: _Tally = field(default_factory=_Tally)
    query_seconds: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return shown_address(self.description.url)

    @property
    def own_corpus(self) -> bool:
        return not self.description.scratch

    @property
    def settings(self) -> dict[str, Any]:
        ranks = self.tally.without_scores or self.tally.out_of_order
        scores = "1/rank" if ranks or self.description.answer.score == "" else "the service's"
        happened = {name: value for name, value in vars(self.tally).items() if value}
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        return {**self.description.shown, **encoder, "scores": scores, **happened}

    def index(self, corpus: Corpus) -> _Index:
        check_corpus(corpus)
        self.tally = _Tally()
        return _Index(self, corpus)

    def vectors(self, texts: Sequence[str], side: str) -> Sequence[Any]:
        """Return the vector of each text; None where the service is sent none."""
        if self.source is None or not texts:
            return [None] * len(texts)
        vectors: list[Any] = embed(self.source, texts, side).tolist()
        return vectors

    def in_threads(self, function: Any, service: Service, *arguments: Iterable[Any]) -> Any:
        """Yield what a function makes of arguments, in order; calls may be under way at once."""
        pool = ThreadPoolExecutor(self.description.concurrency, "endpoint")
        try:
            yield from pool.map(function, *arguments)
        finally:
            service.stop()
            pool.shutdown(cancel_futures=True)


class _Index(Index):
    """Answers hold documents of the corpus only: what lies outside is dropped and counted."""

    def __init__(self, endpoint: _Endpoint, corpus: Corpus) -> None:
        self._endpoint = endpoint
        self._tally = endpoint.tally
        self._corpus = corpus
        self._by_text: dict[str, str] | None = None
        self._given: dict[str, str] = {}  # ids of a scratch index -> ids of the corpus
        self._mark = f"leadline-{secrets.token_hex(4)}"

    def prepare(self) -> None:
        """Give a scratch index the corpus."""
        description = self._endpoint.description
        if self._given or not description.scratch or description.ingest is None:
            return
        for number, id in enumerate(self._corpus):
            name = f"{self._mark}-{number}"
            self._given |= {name: id, _as_uuid(name): id}
        self._tally.given_documents = len(self._corpus)
        name = self._endpoint.name
        try:
            self._write(1, description.ingest, f"Giving documents to {name}")
            self._wait()
        except (ServiceError, InputError, KeyboardInterrupt) as error:
            self.close()
            if isinstance(error, ServiceError):
                raise ServiceError(f"{name} could not index the test documents: {error}") from None
            raise

    def close(self) -> None:
        remove = self._endpoint.description.remove
        if not self._given or remove is None:
            return
        self._given = {}
        name = self._endpoint.name
        try:
            self._write(2, remove, f"Removing documents from {name}")
        except ServiceError as error:
            raise ServiceError(
                f"{name} may still have documents of this test: {error}. Remove the ids "
                f"{self._mark}-0 to {self._mark}-{len(self._corpus) - 1}."
            ) from None

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most k documents of each query; a query that failed has none."""
        check_k(k)
        self.prepare()
        run: dict[str, dict[str, float]] = {}
        failed = inside = 0
        outside: list[str] = []
        outcomes = self._outcomes([readable(query.content) for query in queries], k)
        asked = zip(queries, outcomes, strict=True)
        self._endpoint.query_seconds = {}
        for query, (outcome, seconds) in track(
            asked, f"Asking {self._endpoint.name}", total=len(queries)
        ):
            if isinstance(outcome, ServiceError):
                failed += 1
                status = outcome.status
                reason = f"status {status}" if status else "no answer that can be read"
                self._tally.failures += 1
                self._endpoint.failures[reason] += 1
                self._tally.first_failure = self._tally.first_failure or str(outcome)
                outcome = []
            else:
                self._endpoint.query_seconds[query.id] = seconds
            found: dict[str, float] = {}
            for hit, score in zip(outcome, self._scores(outcome), strict=True):
                id = self._id_of(hit)
                if id in self._corpus:
                    found.setdefault(id, score)
                    inside += 1
                else:
                    outside.append(id)
            run[query.id] = first(found, k)
        self._tally.outside_corpus += len(outside)
        self._check(failed, len(queries), inside, outside)
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        depth = self._endpoint.description.candidate_depth
        wanted = max((len(candidates.get(query.id, ())) for query in queries), default=0)
        deep = self.search(queries, max(depth, wanted))
        run = among(deep, queries, candidates)
        self._tally.unscored += sum(
            len(set(candidates.get(query, ()))) - len(scores) for query, scores in run.items()
        )
        return run

    def _outcomes(
        self, texts: Sequence[str], k: int
    ) -> Iterator[tuple[list[Hit] | ServiceError, float]]:
        """Yield the hits of every text or its failure, and the seconds that it took, in order."""
        endpoint = self._endpoint
        service = Service(endpoint.patience, endpoint.secrets)
        asking = Asking(endpoint.description, endpoint.calls[0], k, service)

        def ask(text: str, vector: Any) -> tuple[list[Hit] | ServiceError, float]:
            started = time.perf_counter()
            return asking.outcome(text, vector), time.perf_counter() - started

        found: Iterator[Any] = endpoint.in_threads(
            ask, service, texts, endpoint.vectors(texts, "query")
        )
        return found

    def _write(self, number: int, writing: Writing, label: str) -> None:
        """Give the service every document, or remove it, several calls at a time.

        number  of the call among those of the endpoint
        """
        endpoint, call = self._endpoint, self._endpoint.calls[number]
        service = Service(endpoint.patience, endpoint.secrets)
        ids = list(self._corpus)
        size = writing.batch_size if writing.each else 1
        wants_texts = bool(writing.fields(GIVEN) - {"id", "uuid"})

        def write(start: int) -> int:
            values = self._values(start, ids[start : start + size], wants_texts)
            own, each = ({}, values) if writing.each else (values[0], [])
            try:
                answer = service.call(request_of(call, own, each), needs_json=False)
            except ServiceError as error:
                if number == 1 or error.status not in _GONE:
                    raise
                return len(values)
            if refused := _refused(answer, writing.errors):
                raise ServiceError(service.told(f"it rejected some: {refused}"))
            return len(values)

        starts = range(0, len(ids), size)
        done: Iterable[int] = endpoint.in_threads(write, service, starts)
        for _ in track(done, label, total=len(ids), step=size):
            pass

    def _values(self, start: int, ids: Sequence[str], texts: bool) -> list[dict[str, Any]]:
        names = [f"{self._mark}-{start + number}" for number in range(len(ids))]
        values: list[dict[str, Any]] = [{"id": name, "uuid": _as_uuid(name)} for name in names]
        if texts:
            documents = [self._corpus[id] for id in ids]
            contents = [readable(each.content) for each in documents]
            vectors = self._endpoint.vectors(contents, "document")
            for fields, document, content, vector in zip(
                values, documents, contents, vectors, strict=True
            ):
                fields |= {
                    "title": readable(document.title),
                    "text": readable(document.text),
                    "content": content,
                    "vector": vector,
                }
        return values

    def _wait(self) -> None:
        """Wait until a search for the last document finds any that was given."""
        wait = self._endpoint.description.wait
        until = time.monotonic() + wait
        last = self._corpus[list(self._corpus)[-1]]
        words = last.content[:_BEGINNING].rsplit(maxsplit=1)  # half a word would be none of its own
        text = words[0] if len(last.content) > _BEGINNING else last.content
        while True:
            ((hits, _),) = self._outcomes([readable(text)], _DEPTH)
            if isinstance(hits, ServiceError):
                raise hits
            if any(hit.id in self._given for hit in hits):
                return
            if time.monotonic() > until:
                others = f", but others, such as {hits[0].id[:80]!r}" if hits else ""
                raise ServiceError(
                    f"after {wait:g} s a search for their own words finds none of them{others}. "
                    "Perhaps it requires all words of a query. Otherwise set `answer.id` to the "
                    "path of the id that `ingest` wrote, or raise `wait`"
                )
            time.sleep(_PAUSE)

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
            return self._given.get(hit.id, hit.id)
        if self._by_text is None:
            documents = list(self._corpus.values())
            self._by_text = {_plain(each.content): each.id for each in reversed(documents)}
            self._by_text |= {_plain(each.text): each.id for each in reversed(documents)}
        return self._by_text.get(_plain(hit.text), hit.text)

    def _check(self, failed: int, asked: int, inside: int, outside: Sequence[str]) -> None:
        name = self._endpoint.name
        if asked and failed == asked:
            raise ServiceError(
                f"{name} answered none of {asked} queries. The first: {self._tally.first_failure}"
            )
        if outside and not inside:
            raise InputError(
                f"{name} found {len(outside)} documents and none is in the corpus. Its first id "
                f"is {outside[0][:80]!r}, that of the corpus {next(iter(self._corpus))[:80]!r}. "
                "Set `answer.id` to the path of the corpus id. If the index has chunks, use "
                "--chunks. See docs/how-to/connect-an-engine.md."
            )
        if failed:
            say(f"{name}: {failed} of {asked} queries failed: {self._tally.first_failure}")


def _plain(text: str) -> str:
    return " ".join(text.split())


def _as_uuid(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def _refused(answer: Any, path: str) -> str:
    """Return what an answer says of documents that were refused; empty where it says nothing."""
    try:
        found = picked(answer, path) if path else None
    except LookupError:
        return ""
    told = answer if found is True else found
    return json.dumps(told, ensure_ascii=False)[:200] if found else ""
