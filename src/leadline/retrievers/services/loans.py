"""Documents that a search service holds for the time of a test, and none of them afterwards."""

from __future__ import annotations

import json
import secrets
import signal
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from leadline.errors import InputError
from leadline.models.cutting import readable
from leadline.models.encoder import Embedder, embed
from leadline.progress import track, warn
from leadline.retrievers.services.calls import Asking
from leadline.retrievers.services.description import Writing, picked
from leadline.retrievers.services.http import Patience, Service, ServiceError, bare_url
from leadline.retrievers.services.ledger import Entry, abandoned, entered
from leadline.retrievers.services.requests import Caller, Purpose
from leadline.types import Corpus, Document

_SAMPLES = 5
_SAMPLE_LENGTH = 1000
_DEPTH = 100
_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
_GONE = (404, 410)
_TERMINATED = 143


@dataclass(frozen=True)
class Lender:
    """Gives documents to one service.

    source  makes the vectors of documents, where the description asks for them
    """

    caller: Caller
    patience: Patience
    source: Embedder | None = None

    @property
    def name(self) -> str:
        """The address of the service as it may be told."""
        return bare_url(self.caller.description.url)

    @contextmanager
    def lending(self, corpus: Corpus, ids: Sequence[str]) -> Iterator[Mapping[str, str]]:
        """Give the service documents until the block ends; yield its ids -> ids of the corpus.

        The service gets them under ids of its own that begin with a mark of this run. What a run
        that was killed has left there is removed first.

        Raises InputError when the service refuses a document, does not find one afterwards, or
        keeps one that was removed.
        """
        place = bare_url(self.caller.address("remove"))
        for entry, settle in abandoned(place):
            self._clean_up(entry)
            settle()
        mark = _mark_outside(corpus)
        with _ended_in_order(), entered(Entry(place, mark, len(ids))) as settle:
            try:
                yield self._give(corpus, ids, mark)
            finally:
                self._take_back(Entry(place, mark, len(ids)), [corpus[id] for id in _spread(ids)])
                settle()

    def _give(self, corpus: Corpus, ids: Sequence[str], mark: str) -> Mapping[str, str]:
        names = _names(mark, len(ids))
        writing = self.caller.description.ingest
        assert writing is not None
        pairs = zip(names, ids, strict=True)
        documents = ({"id": own, "document": corpus[id]} for own, id in pairs)
        try:
            self._send("ingest", writing, documents, len(ids), "Giving documents to")
            self._wait([corpus[id] for id in _spread(ids)], names, found=True)
        except ServiceError as error:
            raise InputError(f"{self.name} was to be given documents for a test: {error}") from None
        own = dict(zip(names, ids, strict=True))
        return own | {_as_uuid(name): id for name, id in own.items()}

    def _take_back(self, entry: Entry, sample: Sequence[Document]) -> None:
        try:
            self._remove(entry)
            self._wait(sample, _names(entry.mark, entry.documents), found=False)
        except ServiceError as error:
            raise InputError(
                f"{self.name} may still hold documents of this test: {error}. {_left(entry)}"
            ) from None
        except (KeyboardInterrupt, SystemExit):  # again, while they are being removed
            told = f"{self.name} may still hold documents of this test. {_left(entry)}"
            sys.stderr.write(f"leadline: {told}\n")
            raise

    def _clean_up(self, entry: Entry) -> None:
        """Remove what an earlier run left."""
        try:
            self._remove(entry)
        except ServiceError as error:
            raise InputError(
                f"A run that was killed left documents in {self.name}, and they cannot be "
                f"removed: {error}. {_left(entry)}"
            ) from None
        warn(f"{self.name}: removed what a run that was killed left, ids {entry.mark}-...")

    def _remove(self, entry: Entry) -> None:
        writing = self.caller.description.remove
        assert writing is not None
        documents = ({"id": own} for own in _names(entry.mark, entry.documents))
        self._send("remove", writing, documents, entry.documents, "Removing documents from")

    def _send(
        self,
        purpose: Purpose,
        writing: Writing,
        documents: Iterator[dict[str, Any]],
        total: int,
        label: str,
    ) -> None:
        """Make as many calls as all documents need, several at a time.

        Raises ServiceError for the first that failed.
        """
        service = Service(self.patience, self.caller.secrets)
        threads = self.caller.description.concurrency
        batches = _batches(documents, writing.at_once)
        rounds = -(-total // (threads * writing.at_once))

        def call(batch: Sequence[Mapping[str, Any]]) -> None:
            self._call(service, purpose, writing, batch)

        pool = ThreadPoolExecutor(threads, "loans")
        try:
            for _ in track(range(rounds), f"{label} {self.name}"):
                list(pool.map(call, list(islice(batches, threads))))
        finally:
            service.stop()
            pool.shutdown(cancel_futures=True)

    def _call(
        self,
        service: Service,
        purpose: Purpose,
        writing: Writing,
        batch: Sequence[Mapping[str, Any]],
    ) -> None:
        values = self._values(batch, writing)
        own, each = ({}, values) if writing.is_batched else (values[0], ())
        try:
            answer = service.call(self.caller.request(own, each, purpose), needs_json=False)
        except ServiceError as error:
            if purpose == "remove" and error.status in _GONE:
                return
            raise
        if refused := _refused(answer, writing.errors):
            raise ServiceError(service.told(f"it refused some: {refused}"))

    def _values(self, batch: Sequence[Mapping[str, Any]], writing: Writing) -> list[dict[str, Any]]:
        vectors: Any = [None] * len(batch)
        if "vector" in writing.fields and self.source is not None and "document" in batch[0]:
            texts = [readable(each["document"].content) for each in batch]
            vectors = embed(self.source, texts, "document").tolist()
        return [
            _fields(each["id"], each.get("document"), vector)
            for each, vector in zip(batch, vectors, strict=True)
        ]

    def _wait(self, sample: Sequence[Document], names: Sequence[str], *, found: bool) -> None:
        """Wait until searches for what was given find some of it, or no longer any.

        Raises ServiceError when they still do not, or do, after `wait` seconds.
        """
        lent = {*names, *map(_as_uuid, names)}
        texts = [readable(_beginning(each.content)) for each in sample]
        others: list[str] = []
        until = time.monotonic() + self.caller.description.wait
        pause = _PAUSE
        while texts:
            hits = {text: self._hits(text) for text in texts}
            texts = [text for text in texts if (not lent.isdisjoint(hits[text])) is not found]
            others = [id for text in texts for id in hits[text]]
            if texts and time.monotonic() > until:
                raise ServiceError(_not_as_wanted(self.caller.description.wait, found, others))
            if texts:
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _hits(self, text: str) -> list[str]:
        vector = embed(self.source, [text], "query")[0] if self.source is not None else None
        asking = Asking(self.caller, self.patience, _DEPTH)
        ((outcome),) = asking.outcomes([text], [vector])
        if isinstance(outcome, ServiceError):
            raise outcome
        return [hit.id for hit in outcome]


def _beginning(text: str) -> str:
    """Return whole words: half a word at the end would be no word of the document."""
    words = text[:_SAMPLE_LENGTH].rsplit(maxsplit=1)
    return words[0] if len(words) == 2 and len(text) > _SAMPLE_LENGTH else text[:_SAMPLE_LENGTH]


def _not_as_wanted(wait: float, found: bool, others: Sequence[str]) -> str:
    """Say what searches for the words of lent documents still find, or do not."""
    if not found:
        return f"{wait:g} s after they were removed a search still finds some"
    told = f"after {wait:g} s a search finds none of them when asked for their own words"
    if others:
        return (
            f"{told}, but others, such as {others[0][:80]!r}. It may require all words of a query. "
            "Else say in `answer.id` where the id stands that `ingest` wrote, or raise `wait`"
        )
    return (
        f"{told}, and no other document. It may require all words of a query, or need more `wait`"
    )


def _mark_outside(corpus: Corpus) -> str:
    """Return a mark of this run that begins no id of the corpus."""
    while True:
        mark = f"leadline-{secrets.token_hex(4)}"
        if f"{mark}-0" not in corpus:
            return mark


def _names(mark: str, count: int) -> list[str]:
    return [f"{mark}-{number}" for number in range(count)]


def _as_uuid(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def _spread(ids: Sequence[str]) -> list[str]:
    """Return a few of them, the first and the last too."""
    places = {round(n * (len(ids) - 1) / (_SAMPLES - 1)) for n in range(_SAMPLES)} if ids else set()
    return [ids[place] for place in sorted(places)]


def _fields(id: str, document: Document | None, vector: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": id, "uuid": _as_uuid(id)}
    if document is not None:
        fields |= {
            "title": readable(document.title),
            "text": readable(document.text),
            "content": readable(document.content),
        }
    return fields if vector is None else {**fields, "vector": vector}


def _batches(documents: Iterator[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    while batch := list(islice(documents, size)):
        yield batch


def _refused(answer: Any, path: str) -> str:
    """Return what an answer says of documents that were refused; empty where it says nothing."""
    try:
        found = picked(answer, path) if path else None
    except LookupError:
        return ""
    told = answer if found is True else found
    return json.dumps(told, ensure_ascii=False)[:200] if found else ""


def _left(entry: Entry) -> str:
    last = entry.documents - 1
    return (
        f"Their ids are {entry.mark}-0 to {entry.mark}-{last}; the next run that gives documents "
        "to this service removes them first."
    )


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a signal to terminate end the block as Ctrl-C does, so that it is left in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: Any) -> None:
        raise SystemExit(_TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
