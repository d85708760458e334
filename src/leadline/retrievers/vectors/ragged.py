"""Arrays of any length on disk, found again by the text that each stands for.

A store is a folder for one model with one setting, like that of `embeddings`: `values` holds rows
of 32-bit floats, `keys` for each text its 16-byte digest and the row at which its array ends. Both
only grow, values first; what a killed process left unfinished is cut off by the next that writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from leadline.data.writing import cannot_write
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

Encode = Callable[[list[str]], list[Any]]
"""Texts -> one float array [rows, D] for each; rows may differ, D may not."""

CHUNK = 256
"""Texts that are encoded before their arrays are written: what an interruption can lose."""

_RECORD = KEY + 8
_FLOAT = 4


class RaggedStore:
    """The arrays of one model with one setting, shared by every process that opens the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spans: dict[bytes, tuple[int, int]] = {}
        self._end = self._count = 0
        self._numbers: dict[bytes, int] = {}
        self._sums = Sums(folder)
        self._values: Any = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from error
        self._refresh()

    @property
    def about(self) -> dict[str, Any]:
        """What is known of the arrays, empty while nothing is stored."""
        return read_about(self._folder)

    @property
    def values(self) -> Any:
        """Every row stored, float32 [rows, D], memory-mapped."""
        if self._values is None or len(self._values) < self._end:
            shape = (self._end, int(self.about.get("dimension", 0)))
            path = self._folder / "values"
            empty = not self._end
            self._values = (
                np.empty(shape, np.float32)
                if empty
                else np.memmap(path, np.float32, "r", shape=shape)
            )
        return self._values

    def spans(
        self,
        texts: Sequence[str],
        encode: Encode,
        *,
        kind: str = "",
        about: Callable[[], dict[str, Any]] = dict,
        label: str = "Encoding",
    ) -> Any:
        """Return where in `values` the array of each text begins and ends, int64 [len(texts), 2].

        Only what is missing is encoded, in order of length.

        kind   keeps apart what the model encodes differently: its prompt, query or document
        about  facts to note beside the values, asked for when the first one is written

        Raises InputError when the values cannot be written or are not finite.
        """
        keys = [key_of(text, kind) for text in texts]
        if any(key not in self._spans for key in keys):
            self._refresh()  # another process may have encoded them meanwhile
        self._forget_altered(keys)
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._spans
        }
        order = sorted(missing.items(), key=lambda item: -len(item[1]))
        chunks = list(growing(order, CHUNK))
        for chunk in track(chunks, label, total=len(order), step=len):
            arrays = [np.asarray(each, np.float32) for each in encode([text for _, text in chunk])]
            if not all(np.isfinite(each).all() for each in arrays):
                raise InputError("The model gave numbers that are not finite. Try dtype=float32.")
            self._append([key for key, _ in chunk], arrays, about)
        found = [self._spans[key] for key in keys]
        return np.array(found, dtype=np.int64).reshape(len(found), 2)

    def arrays(self, spans: Any) -> tuple[Any, Any]:
        """Return the rows of all spans, one array below the other, and how many each has.

        spans  int64 [n, 2]

        Returns float32 [rows, D] and int64 [n].
        """
        lengths = spans[:, 1] - spans[:, 0]
        before = np.cumsum(lengths) - lengths
        rows = np.repeat(spans[:, 0] - before, lengths) + np.arange(int(lengths.sum()))
        return np.asarray(self.values[rows]), lengths

    def _refresh(self) -> None:
        """Take up the keys that were written since the last look."""
        path = self._folder / "keys"
        width = int(self.about.get("dimension", 0)) * _FLOAT
        if not path.exists() or not width:
            return
        complete = (self._folder / "values").stat().st_size // width
        with path.open("rb") as handle:
            handle.seek(self._count * _RECORD)
            fresh = handle.read()
        for start in range(0, len(fresh) // _RECORD * _RECORD, _RECORD):
            record = fresh[start : start + _RECORD]
            end = int.from_bytes(record[KEY:], "little")
            if not self._end <= end <= complete:
                return
            self._spans[record[:KEY]] = (self._end, end)
            self._numbers[record[:KEY]] = self._count
            self._end = end
            self._count += 1

    def _forget_altered(self, keys: Sequence[bytes]) -> None:
        """Leave out what does not fit its digest, so that it is encoded again."""
        self._refresh_sums()
        values = self.values
        for key in dict.fromkeys(keys):
            if key in self._spans:
                start, end = self._spans[key]
                if not self._sums.fits(self._numbers[key], key, values[start:end].tobytes):
                    del self._spans[key]

    def _refresh_sums(self) -> None:
        if not self._sums.is_behind(self._count):
            return
        try:
            with locked(self._folder):
                self._refresh()
                values = self.values
                records = (self._folder / "keys").read_bytes()

                def entry(number: int) -> tuple[bytes, bytes]:
                    place = number * _RECORD
                    record = records[place : place + _RECORD]
                    before = records[place - 8 : place] if number else b""
                    start = int.from_bytes(before, "little")
                    end = int.from_bytes(record[KEY:], "little")
                    return record[:KEY], values[start:end].tobytes()

                self._sums.refresh(self._count, entry)
        except OSError as error:
            raise cannot_write(self._folder, error) from error

    def _append(
        self, keys: list[bytes], arrays: list[Any], about: Callable[[], dict[str, Any]]
    ) -> None:
        try:
            with locked(self._folder):
                known = int(self.about.get("dimension", 0))
                note(self._folder, known, int(arrays[0].shape[1]), about)
                self._refresh()
                rows, ends, new = [], [], []
                end = self._end
                for key, array in zip(keys, arrays, strict=True):
                    if key not in self._spans:
                        end += len(array)
                        rows.append(np.ascontiguousarray(array).tobytes())
                        new.append((key, rows[-1]))
                        ends.append(key + end.to_bytes(8, "little"))
                width = arrays[0].shape[1] * _FLOAT
                write_at(self._folder / "values", self._end * width, b"".join(rows))
                self._sums.append(self._count, new)
                write_at(self._folder / "keys", self._count * _RECORD, b"".join(ends))
                self._refresh()
        except OSError as error:
            raise cannot_write(self._folder, error) from error
