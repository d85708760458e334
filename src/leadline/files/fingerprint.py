"""A short name for the content of a corpus, by which indexes and embeddings are kept."""

from __future__ import annotations

import hashlib

from leadline.files.jsonl import JsonlCorpus
from leadline.types import Corpus


def fingerprint(corpus: Corpus) -> str:
    """Return 32 hex digits that change with any id, title or text, and with their order.

    Facets do not count: no system sees them. A corpus on disk goes by the bytes of its file
    instead, which costs nothing, so that the same documents in memory have another name.
    """
    return corpus.fingerprint if isinstance(corpus, JsonlCorpus) else _digest(corpus)


def _digest(corpus: Corpus) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for document in corpus.values():
        for part in (document.id, document.title, document.text):
            content = part.encode("utf-8", "surrogatepass")
            # The length in front keeps ("ab", "c") apart from ("a", "bc").
            digest.update(len(content).to_bytes(8, "little"))
            digest.update(content)
    return digest.hexdigest()
