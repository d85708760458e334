"""What a query of BM25 costs in Milvus Lite: through Leadline, and by pymilvus itself.

    python studies/speed/milvus_calls.py        2,000 and 8,000 documents of studies/speed/scale.py
    python studies/speed/milvus_calls.py --sizes 50000

Seconds a query of 20, to rank 10 and 100: Leadline's search, one call of pymilvus for all of them,
a call for each, and Leadline's scoring of ten candidates each. Nothing is judged here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import scale

QUERIES = 20


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[2000, 8000])
    if not scale.DATA.is_dir():
        print(f"Skipped: {scale.DATA.name} is not at hand (set LEADLINE_SHARED).")
        return 0
    for size in parser.parse_args().sizes:
        with tempfile.TemporaryDirectory() as folder:
            _measure(size, Path(folder) / "lite.db")
    return 0


def _measure(size: int, file: Path) -> None:
    from leadline.retrievers import milvus
    from leadline.types import Document, Query

    corpus = {
        each["_id"]: Document(each["_id"], each["text"], each["title"])
        for each in scale.documents(size)
    }
    some = list(corpus.values())[:QUERIES]
    queries = [Query(each.id, each.text[:60]) for each in some]
    index: Any = milvus.build(str(file), mode="bm25").index(corpus)
    texts = [query.text for query in queries]

    def asked(data: list[str], k: int) -> None:
        index._client.search(
            index._name, data=data, anns_field="sparse", limit=k, output_fields=["place"]
        )

    for k in (10, 100):
        _say(size, f"leadline, to rank {k}", lambda k=k: index.search(queries, k))
        _say(size, f"pymilvus, all at once, to rank {k}", lambda k=k: asked(texts, k))
        _say(
            size,
            f"pymilvus, one by one, to rank {k}",
            lambda k=k: [asked([each], k) for each in texts],
        )
    candidates = {query.id: list(corpus)[:10] for query in queries}
    _say(size, "leadline, ten candidates each", lambda: index.score(queries, candidates))


def _say(size: int, what: str, work: Callable[[], Any]) -> None:
    started = perf_counter()
    work()
    print(f"{size:8,} {what:40} {(perf_counter() - started) / QUERIES:.3f} s a query", flush=True)


if __name__ == "__main__":
    sys.exit(main())
