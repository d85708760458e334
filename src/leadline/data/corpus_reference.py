"""A large corpus that a folder refers to, in `benchmark.json`, instead of holding a copy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from leadline.data.json_file import read_json
from leadline.data.jsonl import JsonlCorpus
from leadline.data.paths import is_file
from leadline.errors import InputError
from leadline.types import Corpus

FIELD = "corpus_file"
LARGE = 16 << 20
"""Bytes from which a corpus is referred to."""


def reference_to(corpus: Corpus, folder: Path) -> dict[str, Any] | None:
    """Return what tells where a corpus stands; None where a copy is to be written.

    A copy is written of what is small, stands in no file of JSON lines, was read with its metadata
    in its texts, or stands in the folder itself.
    """
    if not isinstance(corpus, JsonlCorpus) or corpus.size < LARGE or corpus.metadata:
        return None
    path = corpus.path.resolve()
    if path.parent == folder.resolve():
        return None
    return {
        "path": str(path),
        "documents": len(corpus),
        "bytes": corpus.size,
        "digest": corpus.fingerprint,
    }


def referred_corpus(folder: Path, *, metadata: bool = False) -> JsonlCorpus | None:
    """Return the corpus that a folder refers to; None where it refers to none.

    Raises InputError when that file is not there or has changed.
    """
    settings = folder / "benchmark.json"
    content = read_json(settings) if is_file(settings) else None
    told = content.get(FIELD) if isinstance(content, dict) else None
    if not isinstance(told, Mapping):
        return None
    path = told.get("path")
    if not isinstance(path, str) or not path.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"{settings}: {FIELD!r} must have a 'path' to a .jsonl or .jsonl.gz.")
    if not is_file(path):
        raise InputError(
            f"{settings} refers to the corpus {path}, which is not there. Put it back, or make the "
            "folder anew; `leadline export` writes a folder that refers to nothing."
        )
    corpus = JsonlCorpus(path, metadata=metadata)
    same = (len(corpus), corpus.size) == (told.get("documents"), told.get("bytes"))
    if not same or (not metadata and corpus.fingerprint != told.get("digest")):
        raise InputError(
            f"{settings} refers to the corpus {path}, which has changed since. Make the folder "
            "anew, or put the file back as it was."
        )
    return corpus
