"""Bring a corpus into an engine: in batches, going on after a kill, never over a stranger's index.

An index carries a mark that says who made it, of which corpus and with which setting. A document's
key in the engine is its place in the corpus, so that writing it twice changes nothing, and the
number of documents that are there tells where to go on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Protocol

from leadline.data.fingerprint import fingerprint
from leadline.errors import InputError
from leadline.models.encoder import Embedder, embed
from leadline.progress import track
from leadline.types import Corpus, Document

_MAKER = "leadline"


@dataclass(frozen=True, slots=True)
class Mark:
    """What an index says of itself.

    corpus     fingerprint of the documents
    setting    digest of what decides the content of the index
    documents  how many there are once it is complete
    batch      documents written at a time
    made_by    anything but `leadline` means hands off
    """

    corpus: str = ""
    setting: str = ""
    documents: int = 0
    batch: int = 1
    made_by: str = ""

    def text(self) -> str:
        """Return the mark as one line of JSON."""
        return json.dumps(asdict(self))


def mark_of(value: Any) -> Mark:
    """Return the mark that an engine gives back, as a mapping or as JSON; an empty one for none."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
        if isinstance(found, Mapping) and found.get("made_by") == _MAKER:
            return Mark(
                corpus=str(found["corpus"]),
                setting=str(found["setting"]),
                documents=int(found["documents"]),
                batch=max(1, int(found["batch"])),
                made_by=_MAKER,
            )
    except (ValueError, KeyError, TypeError):
        pass
    return Mark()


class Engine(Protocol):
    """Where a corpus is written to."""

    @property
    def kind(self) -> str:
        """What its indexes are called there, which is also the option that names one."""
        ...

    def mark(self, name: str) -> Mark | None:
        """Return the mark of an index, an empty one for a stranger's, None when there is none."""
        ...

    def create(self, name: str, mark: Mark, dimension: int) -> None:
        """Make an empty index; `dimension` is that of the vectors, 0 when there are none."""
        ...

    def count(self, name: str) -> int:
        """Return the number of documents, counting all that were written."""
        ...

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        """Write documents under the keys first, first + 1, ..., over what may be there."""
        ...

    def remove(self, name: str) -> None:
        """Remove an index."""
        ...


def ingest(
    engine: Engine,
    name: str,
    corpus: Corpus,
    *,
    setting: Mapping[str, Any],
    source: Embedder | None,
    batch: int,
) -> str:
    """Make sure that an index holds a corpus, writing only what is missing; return its name.

    name     of the index; empty for one made of corpus and setting
    setting  what decides the content of the index
    source   gives the vectors, when the index holds any

    Raises InputError when the index was not made by Leadline, or of something else.
    """
    if not corpus:
        raise InputError("The corpus has no documents, so there is nothing to index.")
    mark = Mark(fingerprint(corpus), _digest(setting), len(corpus), batch, _MAKER)
    name = name or f"leadline_{_digest([mark.corpus, mark.setting])}"
    there = engine.mark(name)
    if there is None:
        dimension = 0
        if source is not None:
            dimension = int(
                embed(source, [next(iter(corpus.values())).content], "document").shape[1]
            )
        engine.create(name, mark, dimension)
        start = 0
    else:
        _check(there, mark, name, engine.kind)
        start = _resume_at(engine.count(name), there)
    label = f"Indexing into {name}"
    blocks = _blocks(corpus, start, there.batch if there else batch)
    for first, documents in track(blocks, label, total=len(corpus) - start, step=batch):
        vectors = None
        if source is not None:
            vectors = embed(source, [document.content for document in documents], "document")
        engine.add(name, first, documents, vectors)
    held = engine.count(name)
    if held != len(corpus):
        raise InputError(
            f"The {engine.kind} {name!r} holds {held} documents after {len(corpus)} were written. "
            "Does something else write to it? Remove it and start again."
        )
    return name


def remove(engine: Engine, name: str) -> None:
    """Remove an index that Leadline made; one that is not there is fine.

    Raises InputError when it was not made by Leadline.
    """
    there = engine.mark(name)
    if there is None:
        return
    if there.made_by != _MAKER:
        raise InputError(
            f"The {engine.kind} {name!r} was not made by Leadline, which does not remove it."
        )
    engine.remove(name)


def _check(there: Mark, wanted: Mark, name: str, kind: str) -> None:
    if there.made_by != _MAKER:
        raise InputError(
            f"The {kind} {name!r} was not made by Leadline, which does not write to it. "
            f"Choose another name: {kind}=NAME."
        )
    if there.corpus != wanted.corpus or there.setting != wanted.setting:
        what = "of another corpus" if there.corpus != wanted.corpus else "with another setting"
        raise InputError(
            f"The {kind} {name!r} was made {what}. Choose another name ({kind}=NAME), "
            "or remove it first."
        )


def _resume_at(held: int, mark: Mark) -> int:
    """Return the first place to be written: whole batches stand, one begun is written again."""
    return held if held == mark.documents else held // mark.batch * mark.batch


def _blocks(corpus: Corpus, start: int, size: int) -> Iterator[tuple[int, list[Document]]]:
    documents = islice(corpus.values(), start, None)
    first = start
    while block := list(islice(documents, size)):
        yield first, block
        first += len(block)


def _digest(value: Any) -> str:
    content = json.dumps(value, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
