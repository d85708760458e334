"""A corpus in parts, each of which can travel to a worker and is read there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from leadline.data.jsonl import JsonlCorpus, Lines
from leadline.data.spreading import in_order, spread
from leadline.progress import track
from leadline.types import Corpus, Document

DOCUMENTS = 2000
"""Documents of a part, or fewer where they are long."""

_BYTES = 8 << 20


def parts_of(
    corpus: Corpus, ids: Sequence[str] | None = None, most: int | None = None
) -> Iterator[Iterable[Document]]:
    """Yield the documents in their order, some at a time; lines of a file are not parsed yet.

    ids   take these documents only, in this order
    most  documents of a part, `DOCUMENTS` where nothing else is said
    """
    size = _documents(corpus, most)
    if isinstance(corpus, JsonlCorpus):
        yield from corpus.parts(size, ids)
        return
    documents = iter(corpus.values()) if ids is None else (corpus[id] for id in ids)
    yield from iter(lambda: tuple(islice(documents, size)), ())


def that_may(match: Callable[[bytes], bool], documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the documents of a part but those of whose content a test says that it cannot match.

    match  of case-folded text, or ASCII as it is, in which any mark may stand for what is no ASCII
           and more may stand than the content; lines of a file are tested before they are parsed
    """
    if isinstance(documents, Lines):
        return documents.that_may(match)
    return (each for each in documents if match(each.content.casefold().encode("ascii", "replace")))


def _documents(corpus: Corpus, most: int | None = None) -> int:
    """Return how many documents a part has, so that one of a file holds 8 MiB at most or so."""
    most = most or DOCUMENTS
    if not isinstance(corpus, JsonlCorpus):
        return most
    return max(1, min(most, _BYTES * len(corpus) // max(1, corpus.size)))


def over_parts(
    work: Callable[[Iterable[Document]], Any],
    corpus: Corpus,
    label: str,
    ids: Sequence[str] | None = None,
    most: int | None = None,
) -> Iterator[Any]:
    """Yield what the work makes of each part, in order, wherever heavy steps are spread to.

    work   as `spread` takes it
    label  of the progress bar
    ids, most  as `parts_of` takes them
    """
    total = len(corpus if ids is None else ids)
    results = in_order(spread(work, parts_of(corpus, ids, most)))
    yield from track(results, label, total=total, step=_documents(corpus, most))
