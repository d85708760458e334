"""An enricher with a cache: equal texts are read once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from leadline.data.cache import cache_folder
from leadline.data.digests import software
from leadline.data.writing import file_name
from leadline.llm.cached import Store
from leadline.types import Constraint, Document, Enricher, Fact, Query
from leadline_facts.records import as_fact, as_record

_BLOCK = 500


def kept(enricher: Enricher) -> Enricher:
    """Return the enricher, with what it derives kept on disk by text and version.

    The version is the enricher's name together with `software()`, so that a rule, a network or a
    package that changed is never answered from before.
    """
    return _Kept(enricher)


@dataclass(frozen=True)
class _Kept:
    enricher: Enricher
    _stores: list[Store] = field(default_factory=list, repr=False)

    @property
    def name(self) -> str:
        return self.enricher.name

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        rest = iter(documents)
        while block := list(islice(rest, _BLOCK)):
            keys = [_key(document) for document in block]
            found = self._store().read(keys)
            missing = [
                document for document, key in zip(block, keys, strict=True) if key not in found
            ]
            fresh = {}
            for document, (id, facts) in zip(missing, self.enricher.facts(missing), strict=True):
                fresh[id] = facts
                records = [as_record(fact, document.content) for fact in facts]
                self._store().write(_key(document), json.dumps(records, ensure_ascii=False))
            for document, key in zip(block, keys, strict=True):
                if document.id in fresh:
                    yield document.id, fresh[document.id]
                else:
                    yield document.id, tuple(as_fact(each) for each in json.loads(found[key]))

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return self.enricher.constraints(queries)

    def _store(self) -> Store:
        if not self._stores:
            name = file_name(f"{self.enricher.name}-{software(Path(__file__).parent)[:12]}")
            self._stores.append(Store(cache_folder("facts") / f"{name}.sqlite"))
        return self._stores[0]


def _key(document: Document) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in (document.title, document.text):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.digest()
