"""Probes kept in the cache: the same corpus, options and rules give the same ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.cache import cache_folder
from leadline.data.fingerprint import software
from leadline.data.jsonl import JsonlCorpus
from leadline.data.sealing import read_sealed, write_sealed
from leadline.kinds.kind import Kind
from leadline.kinds.registry import kind_named
from leadline.types import Corpus, Document, Query


def kept_at(corpus: Corpus, kind: Kind, options: Mapping[str, Any]) -> Path:
    """Return where the probe of a kind is kept.

    options  what its builder is given by name
    """
    key = [
        _name_of(corpus),
        [kind.name, str(kind.probe)],
        {name: _as_json(value) for name, value in options.items()},
        software(),
    ]
    written = json.dumps(key, sort_keys=True).encode()
    return cache_folder("probes") / f"{hashlib.sha256(written).hexdigest()[:32]}.json"


def kept_probe(path: Path, corpus: Corpus) -> Benchmark | None:
    """Return the probe that is kept there; None where none is, or it was altered."""
    record = read_sealed(path)
    if record is None or record["key"] != path.stem:
        return None
    documents = record["corpus"]
    return Benchmark(
        name=record["name"],
        corpus=corpus if documents is None else _restored(documents, corpus),
        queries=[_query(fields) for fields in record["queries"]],
        qrels=record["qrels"],
        candidates=record["candidates"],
        source=record["source"],
        built_by=record["built_by"],
        built=record["built"],
        notes=tuple(record["notes"]),
        depth=record["depth"],
        ranked=record["ranked"],
        excluded=record["excluded"],
        **kind_named(record["kind"]).measured(record["metrics"]),
    )


def keep_probe(path: Path, probe: Benchmark, corpus: Corpus) -> None:
    """Keep a probe, its documents as far as they are not those of the corpus."""
    same = probe.corpus is corpus
    record = {
        "key": path.stem,
        "name": probe.name,
        "kind": probe.kind,
        "metrics": [metric.name for metric in probe.metrics],
        "source": probe.source,
        "built_by": probe.built_by,
        "depth": probe.depth,
        "notes": list(probe.notes),
        "ranked": probe.ranked,
        "excluded": {id: list(x) for id, x in probe.excluded.items()},
        "built": dict(probe.built),
        "queries": _queries(probe.queries),
        "qrels": {id: dict(grades) for id, grades in probe.qrels.items()},
        "candidates": probe.candidates and {id: list(x) for id, x in probe.candidates.items()},
        "corpus": None if same else list(_documents(probe.corpus, corpus)),
    }
    write_sealed(path, record)


def _name_of(corpus: Corpus) -> str:
    """Return a digest of the corpus with its facets, of which conditions can be made."""
    if isinstance(corpus, JsonlCorpus):
        return corpus.fingerprint
    digest = hashlib.blake2b(digest_size=16)
    for document in corpus.values():
        digest.update(f"{json.dumps(_values(document))}\n".encode())
    return digest.hexdigest()


def _as_json(value: Any) -> Any:
    """Return queries, judgements or an option as JSON."""
    if isinstance(value, Mapping):
        return {
            id: dict(each) if isinstance(each, Mapping) else list(each)
            for id, each in value.items()
        }
    return _queries(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _queries(queries: Sequence[Query]) -> list[Any]:
    return [_values(each) for each in queries]


def _query(values: Sequence[Any]) -> Query:
    given: list[Any] = [*values[:-1], tuple(values[-1])]  # `accepted`, a list in JSON
    return Query(*given)


def _values(each: Query | Document) -> list[Any]:
    """Return the value of every field, as the class takes them."""
    values = (getattr(each, field.name) for field in fields(each))
    return [dict(value) if isinstance(value, Mapping) else value for value in values]


def _documents(documents: Corpus, corpus: Corpus) -> Iterator[Any]:
    """Yield the id of each document that the corpus has as it is, and all of each other."""
    for id, document in documents.items():
        if corpus.get(id) == document:
            yield id
        else:
            yield _values(document)


def _restored(kept: Sequence[Any], corpus: Corpus) -> dict[str, Document]:
    documents = (corpus[each] if isinstance(each, str) else Document(*each) for each in kept)
    return {document.id: document for document in documents}
