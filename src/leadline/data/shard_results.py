"""Results of shards on disk, so that an interrupted step goes on from what was finished."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from leadline.data.digests import read_sealed, write_sealed
from leadline.data.spreading import spread


def kept_results(
    work: Callable[[Any], Any],
    shards: Iterable[Any],
    folder: Path,
    content: Callable[[Any], Any],
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each shard with its result, in no order; `spread` what is not kept yet.

    folder   of this work and its settings: other settings need another one
    content  what of a shard decides its result, as JSON

    Results are kept as JSON with a digest, each written before the next is awaited. One that was
    altered since is done again.
    Raises InputError when a result cannot be written.
    """
    missing: list[tuple[int, Path]] = []

    def not_kept() -> Iterator[Any]:
        for number, shard in enumerate(shards):
            path = folder / f"{_name(content(shard))}.json"
            result = read_sealed(path)
            if result is None:
                missing.append((number, path))
                yield shard
            else:
                kept.append((number, result))

    kept: list[tuple[int, Any]] = []
    for place, result in spread(work, not_kept()):
        number, path = missing[place]
        write_sealed(path, result)
        yield number, result
        while kept:
            yield kept.pop()
    yield from kept


def _name(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
