"""Embeddings on disk, found again by the text they stand for.

A store is a folder for one model with one setting. `vectors` holds rows of 32-bit floats, `keys`
the 16-byte digest of the text of each row; both only grow, vectors first. Whatever a killed process
left unfinished is cut off by the next one that writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from leadline.data.writing import cannot_write
from leadline.distribution.spreading import spread
from leadline.errors import InputError
from leadline.progress import track
from leadline.retrievers.vectors.append_only import (
    KEY,
    Sums,
    key_of,
    locked,
    note,
    read_about,
    write_at,
)
from leadline.retrievers.vectors.chunks import growing

Encode = Callable[[list[str]], Any]
"""Texts -> array [len(texts), D]."""

CHUNK = 512
"""Most texts that are encoded before their vectors are written: what an interruption can lose."""

_FLOAT = 4


def _texts(found: tuple[int, Any]) -> int:
    return len(found[1])


class EmbeddingStore:
    """The vectors of one model with one setting, shared by every process that opens the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rows: dict[bytes, int] = {}
        self._count = 0
        self._sums = Sums(folder)
        self._vectors: Any = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from error
        self._refresh()

    @property
    def count(self) -> int:
        """How many vectors are stored."""
        return self._count

    @property
    def dimension(self) -> int:
        """Length of a vector, 0 while nothing is stored."""
        return int(self.about.get("dimension", 0))

    @property
    def about(self) -> dict[str, Any]:
        """What is known of the vectors, empty while nothing is stored."""
        return read_about(self.folder)

    @property
    def vectors(self) -> Any:
        """Every vector stored, float32 [rows, D], memory-mapped."""
        if self._vectors is None or len(self._vectors) < self._count:
            shape = (self._count, self.dimension)
            empty = not shape[0]
            self._vectors = (
                np.empty(shape, np.float32)
                if empty
                else np.memmap(self.folder / "vectors", np.float32, "r", shape=shape)
            )
        return self._vectors

    def rows(
        self,
        texts: Sequence[str],
        encode: Encode,
        *,
        kind: str = "",
        about: Callable[[], dict[str, Any]] = dict,
        label: str = "Encoding",
    ) -> Any:
        """Return the row of `vectors` for every text, encoding only what is missing.

        kind   keeps apart what the model encodes differently: its prompt, query or document
        about  facts to note beside the vectors, asked for when the first one is written

        Texts are encoded in order of length, so that a batch holds texts of similar length.
        Raises InputError when the vectors cannot be written or are not finite.
        """
        keys = [key_of(text, kind) for text in texts]
        if any(key not in self._rows for key in keys):
            self._refresh()  # another process may have encoded them meanwhile
        self._forget_altered(keys)
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows
        }
        order = sorted(missing.items(), key=lambda item: -len(item[1]))
        chunks = list(growing(order, CHUNK))
        arriving = spread(encode, ([text for _, text in chunk] for chunk in chunks))
        for number, found in track(arriving, label, total=len(order), step=_texts):
            chunk, vectors = chunks[number], np.ascontiguousarray(found, dtype=np.float32)
            if not np.isfinite(vectors).all():
                raise InputError("The model gave numbers that are not finite. Try dtype=float32.")
            self._append([key for key, _ in chunk], vectors, about)
        return np.fromiter((self._rows[key] for key in keys), dtype=np.int64, count=len(keys))

    def get(self, texts: Sequence[str], encode: Encode, *, kind: str = "") -> Any:
        """Return the vectors of the texts, float32 [len(texts), D]; see `rows`."""
        rows = self.rows(texts, encode, kind=kind)
        return np.asarray(self.vectors[rows])

    def _refresh(self) -> None:
        """Take up the keys that were written since the last look."""
        path = self.folder / "keys"
        if not path.exists():
            return
        with path.open("rb") as handle:
            handle.seek(self._count * KEY)
            fresh = handle.read()
        for start in range(0, self._complete(len(fresh) // KEY) * KEY, KEY):
            self._rows[fresh[start : start + KEY]] = self._count
            self._count += 1

    def _complete(self, fresh: int) -> int:
        """Return how many of the fresh keys have their vector."""
        width = self.dimension * _FLOAT
        if not width:
            return 0
        vectors = (self.folder / "vectors").stat().st_size // width
        return int(min(fresh, vectors - self._count))

    def _forget_altered(self, keys: Sequence[bytes]) -> None:
        """Leave out what does not fit its digest, so that it is encoded again."""
        self._refresh_sums()
        vectors = self.vectors
        for key in dict.fromkeys(keys):
            row = self._rows.get(key)
            if row is not None and not self._sums.fits(row, key, vectors[row].tobytes):
                del self._rows[key]

    def _refresh_sums(self) -> None:
        if not self._sums.is_behind(self._count):
            return
        try:
            with locked(self.folder):
                self._refresh()
                vectors, path = self.vectors, self.folder / "keys"
                with path.open("rb") as handle:

                    def entry(row: int) -> tuple[bytes, bytes]:
                        handle.seek(row * KEY)
                        return handle.read(KEY), vectors[row].tobytes()

                    self._sums.refresh(self._count, entry)
        except OSError as error:
            raise cannot_write(self.folder, error) from error

    def _append(self, keys: list[bytes], vectors: Any, about: Callable[[], dict[str, Any]]) -> None:
        try:
            with locked(self.folder):
                note(self.folder, self.dimension, int(vectors.shape[1]), about)
                self._refresh()
                new = [place for place, key in enumerate(keys) if key not in self._rows]
                rows = self._count
                write_at(self.folder / "vectors", rows * vectors[:1].nbytes, vectors[new])
                self._sums.append(rows, ((keys[each], vectors[each].tobytes()) for each in new))
                write_at(self.folder / "keys", rows * KEY, b"".join(keys[place] for place in new))
                self._refresh()
        except OSError as error:
            raise cannot_write(self.folder, error) from error
