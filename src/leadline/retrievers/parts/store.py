"""A store of vectors on disk, one or several for each text.

A store is a folder for one model and setting. `values` has rows of 32-bit floats. `entries` has for
each text its digest, the row where its vectors end, and the digest of these vectors. Both only
grow, values first; the next writer cuts off what a killed process left unfinished. Altered vectors
are computed again.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from leadline.data.cache import cache_folder
from leadline.data.locks import take
from leadline.data.spreading import spread
from leadline.data.writing import atomic_file, cannot_write
from leadline.errors import InputError
from leadline.models.checkpoints import MINILM, Checkpoint, Kind
from leadline.models.cutting import check_length, check_room, count, positions_of, readable
from leadline.models.encoder import Embedder
from leadline.progress import together, track
from leadline.types import (
    Candidates,
    Corpus,
    Query,
    Retriever,
    candidates_of,
    check_corpus,
    check_positive,
)

Encode = Callable[[list[str]], Any]
"""Texts -> float [len(texts), D], or for each a float [rows, D] with any number of rows."""
Spans = Callable[[list[str]], Any]
"""Texts -> where their vectors are in a store, int64 [len(texts), 2]."""

CHUNK = 512
"""Most texts that are encoded before their vectors are written: what an interruption can lose."""

_FIRST_CHUNK = 32  # as many as a batch usually has, so that a bar soon knows how fast it is
_BLOCK = 8192
_KEY, _END, _SUM = 16, 8, 8
_RECORD = _KEY + _END + _SUM


class VectorStore:
    """The vectors of one model with one setting, shared by every process that opens the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers: dict[bytes, int] = {}
        self._ends = array("q", [0])
        self._sums: list[bytes] = []
        self._compared = bytearray()
        self._values: Any = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from error
        self._refresh()

    @property
    def count(self) -> int:
        """How many texts have vectors."""
        return len(self._sums)

    @property
    def dimension(self) -> int:
        """Length of a vector, 0 while nothing is stored."""
        return int(self.about.get("dimension", 0))

    @property
    def about(self) -> dict[str, Any]:
        """What is known of the vectors, empty while nothing is stored."""
        path = self.folder / "about.json"
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            return {**about, "dimension": int(about["dimension"])}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(f"{path} is damaged. Delete {self.folder} and run again.") from error

    @property
    def values(self) -> Any:
        """Every vector stored, float32 [rows, D], memory-mapped."""
        rows = self._ends[-1]
        if self._values is None or len(self._values) < rows:
            shape = (rows, self.dimension)
            self._values = (
                np.memmap(self.folder / "values", np.float32, "r", shape=shape)
                if rows
                else np.empty(shape, np.float32)
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
        spreads: bool = False,
    ) -> Any:
        """Return where in `values` the vectors of each text begin and end, int64 [len(texts), 2].

        Only what is missing is encoded, in order of length, so that a batch holds texts of similar
        length.

        kind     keeps apart what the model encodes differently: its prompt, query or document
        about    facts to note beside the vectors, asked for when the first one is written
        spreads  whether `encode` can be pickled and sent to workers
        """
        keys = [_key(text, kind) for text in texts]
        if any(key not in self._numbers for key in keys):
            self._refresh()  # another process may have encoded them meanwhile
        self._forget_altered(keys)
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._numbers
        }
        order = sorted(missing.items(), key=lambda item: -len(item[1]))
        chunks = list(_growing(order))
        shards = ([text for _, text in chunk] for chunk in chunks)
        arriving = spread(encode, shards) if spreads else enumerate(map(encode, shards))
        for number, found in track(arriving, label, total=len(order), step=_texts):
            arrays = [np.asarray(each, np.float32) for each in found]
            arrays = [each[None] if each.ndim == 1 else each for each in arrays]
            if not all(np.isfinite(each).all() for each in arrays):
                raise InputError(
                    "The model returned numbers that are not finite. Try dtype=float32."
                )
            self._append([key for key, _ in chunks[number]], arrays, about)
        numbers = np.fromiter((self._numbers[key] for key in keys), np.int64, len(keys))
        ends = np.array(self._ends, np.int64)
        return np.stack([ends[numbers], ends[numbers + 1]], axis=1)

    def arrays(self, spans: Any) -> tuple[Any, Any]:
        """Return the vectors of all spans, one below the other, and how many each has.

        spans  int64 [n, 2]

        Returns float32 [rows, D] and int64 [n].
        """
        lengths = spans[:, 1] - spans[:, 0]
        before = np.cumsum(lengths) - lengths
        rows = np.repeat(spans[:, 0] - before, lengths) + np.arange(int(lengths.sum()))
        return np.asarray(self.values[rows]), lengths

    def _refresh(self) -> None:
        path, width = self.folder / "entries", 4 * self.dimension
        if not path.exists() or not width:
            return
        complete = (self.folder / "values").stat().st_size // width
        with path.open("rb") as handle:
            handle.seek(self.count * _RECORD)
            fresh = handle.read()
        for start in range(0, len(fresh) // _RECORD * _RECORD, _RECORD):
            record = fresh[start : start + _RECORD]
            end = int.from_bytes(record[_KEY : _KEY + _END], "little")
            if not self._ends[-1] <= end <= complete:
                return
            self._numbers[record[:_KEY]] = self.count
            self._sums.append(record[_KEY + _END :])
            self._ends.append(end)
            self._compared.append(False)

    def _forget_altered(self, keys: Sequence[bytes]) -> None:
        """Leave out what does not fit its digest, so that it is encoded again; look once."""
        values = self.values
        for key in keys:
            number = self._numbers.get(key)
            if number is None or self._compared[number]:
                continue
            rows = values[self._ends[number] : self._ends[number + 1]]
            if _sum(key, rows.tobytes()) == self._sums[number]:
                self._compared[number] = True
            else:
                del self._numbers[key]

    def _append(
        self, keys: list[bytes], arrays: list[Any], about: Callable[[], dict[str, Any]]
    ) -> None:
        try:
            with self._locked():
                self._note(int(arrays[0].shape[1]), about)
                self._refresh()
                rows, records = [], []
                end = self._ends[-1]
                for key, array_ in zip(keys, arrays, strict=True):
                    if key not in self._numbers:
                        end += len(array_)
                        rows.append(np.ascontiguousarray(array_).tobytes())
                        records.append(key + end.to_bytes(_END, "little") + _sum(key, rows[-1]))
                width = 4 * arrays[0].shape[1]
                _write_at(self.folder / "values", self._ends[-1] * width, b"".join(rows))
                _write_at(self.folder / "entries", self.count * _RECORD, b"".join(records))
                self._refresh()
        except OSError as error:
            raise cannot_write(self.folder, error) from error

    def _note(self, dimension: int, about: Callable[[], dict[str, Any]]) -> None:
        known = self.dimension
        if known and known != dimension:
            raise InputError(
                f"The vectors in {self.folder} have {known} dimensions, but the model now returns "
                f"{dimension}. Delete that folder and run again."
            )
        if not known:
            with atomic_file(self.folder / "about.json") as handle:
                json.dump({"dimension": dimension, **about()}, handle, indent=1, sort_keys=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes from writing; the system lets go when the process ends."""
        with (self.folder / "lock").open("w") as handle:
            with suppress(OSError):  # a file system that knows no locks
                take(handle.fileno(), wait=True)
            yield


class Stored:
    """A store that is opened when first used: below the cache, or gone with this object."""

    def __init__(self, kind: str, key: Callable[[], str], cache: bool) -> None:
        self._kind = kind
        self._key = key
        self._cache = cache
        self._opened: VectorStore | None = None
        self._folder: Any = None

    @property
    def about(self) -> dict[str, Any]:
        """What the store knows, nothing while it is not open."""
        return self._opened.about if self._opened is not None else {}

    @property
    def store(self) -> VectorStore:
        """The open store."""
        if self._opened is None:
            if self._cache:
                folder = cache_folder(self._kind) / self._key()
            else:
                self._folder = tempfile.TemporaryDirectory(prefix="leadline-")
                folder = Path(self._folder.name)
            self._opened = VectorStore(folder)
        return self._opened


class EncodedCorpus:
    """A corpus of which each document is encoded when a search, or its own score, needs it."""

    def __init__(self, corpus: Corpus, spans: Spans) -> None:
        check_corpus(corpus)
        self.corpus = corpus
        self._spans = spans
        self._all: Any = None
        self._some: dict[str, Any] = {}

    @property
    def is_whole(self) -> bool:
        """Whether every document was encoded."""
        return self._all is not None

    def all(self) -> Any:
        """Return the spans of all documents in corpus order, int64 [N, 2]."""
        if self._all is None:
            documents = iter(self.corpus.values())
            blocks = iter(lambda: [each.content for each in islice(documents, _BLOCK)], [])
            found, done = [], 0
            with together(len(self.corpus)) as reach:
                for block in blocks:
                    found.append(self._spans(block))
                    done += len(block)
                    reach(done)
            self._all = np.concatenate(found)
        return self._all

    @property
    def rows(self) -> int:
        """How many vectors the documents have that were encoded so far."""
        some = self._all if self._all is not None else np.array([*self._some.values()])
        return int((some[:, 1] - some[:, 0]).sum()) if len(some) else 0

    def of(self, queries: Sequence[Query], candidates: Candidates) -> dict[str, Any]:
        """Return the spans of each query's candidates, encoding no other document."""
        named = {query.id: candidates_of(query, candidates, self.corpus) for query in queries}
        wanted = dict.fromkeys(name for names in named.values() for name in names)
        new = [name for name in wanted if name not in self._some]
        for start in range(0, len(new), _BLOCK):
            block = new[start : start + _BLOCK]
            spans = self._spans([self.corpus[name].content for name in block])
            self._some.update(zip(block, spans, strict=True))
        return {
            query: np.array([self._some[name] for name in names], np.int64).reshape(len(names), 2)
            for query, names in named.items()
        }


@dataclass
class RowsOfTexts(Retriever):
    """A first stage on a model of sentence-transformers that gives each text several rows.

    prompts  what stands before a `query` and a `document`; None for the model's own
    lengths  tokens that are read of a text, or of a `query` and a `document`; None for the model's
             own
    kind     what sentence-transformers calls such a model
    folder   of the cache, where rows are kept
    doing    what progress says of texts
    """

    checkpoint: Checkpoint
    prompts: Mapping[str, str | None]
    lengths: Mapping[str, int | None]
    batch_size: int
    cache: bool
    kind: ClassVar[Kind]
    folder: ClassVar[str]
    doing: ClassVar[str]

    def __post_init__(self) -> None:
        check_positive(batch_size=self.batch_size, **self.lengths)
        self.stored = Stored(self.folder, lambda: self.checkpoint.key(**self.lengths), self.cache)

    def encode(self, texts: Sequence[str], side: str) -> list[Any]:
        """Return for each text float32 [rows, D]."""
        raise NotImplementedError

    def adjust(self, model: Any) -> None:
        """Give a model the lengths."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what only the loaded model tells."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting, and what the checkpoint itself sets, once it is known."""
        return {
            "model": self.checkpoint.model,
            "revision": self.checkpoint.revision,
            "query_prompt": self.prompts["query"],
            "document_prompt": self.prompts["document"],
            "dtype": self.checkpoint.dtype,
            **self.lengths,
            **self.stored.about,
        }

    def spans(self, texts: Sequence[str], side: str) -> Any:
        """Return where in the store the rows of the texts are, once they are all there."""
        content = {"content": self.checkpoint.identity, "dtype": self.checkpoint.number_format}
        return self.stored.store.spans(
            texts,
            lambda missing: self.encode(list(map(readable, missing)), side),
            kind=json.dumps([side, self.prompts[side]]),
            about=lambda: self.about() | content,
            label=f"{self.doing} {'documents' if side == 'document' else 'queries'}",
        )

    @cached_property
    def model(self) -> Any:
        """The model, ready to run. Raises InputError where it reads fewer tokens than asked for."""
        model, name = self.checkpoint.loaded(self.kind), self.checkpoint.model
        for length in self.lengths.values():
            check_length(name, length, positions_of(model[0].model))
        self.adjust(model)
        for side, prompt in self.prompts.items():
            before = model.prompts.get(side) or "" if prompt is None else prompt
            length = self.lengths.get(f"{side}_length", model.max_seq_length)
            check_room(name, count(model.tokenizer, before), 1, length)
        return model


def embedder(encoder: str | Embedder) -> Embedder:
    """Return the encoder of `dense.build` for `minilm`, a name on the hub, or a model's folder.

    One that is built already is returned as it is.

    Its vectors have length 1, and are kept on disk: none is computed twice.
    """
    if not isinstance(encoder, str):
        return encoder
    from leadline.retrievers import dense

    built: Any = dense.build(MINILM if encoder == "minilm" else encoder)
    return built  # type: ignore[no-any-return]


def _key(text: str, kind: str) -> bytes:
    content = f"{kind}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_KEY).digest()


def _sum(key: bytes, content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SUM, key=key).digest()


def _growing(items: Sequence[tuple[bytes, str]]) -> Iterator[Sequence[tuple[bytes, str]]]:
    """Yield the items in order, each portion twice as large as the last."""
    start, size = 0, min(_FIRST_CHUNK, CHUNK)
    while start < len(items):
        yield items[start : start + size]
        start, size = start + size, min(2 * size, CHUNK)


def _texts(found: tuple[int, Any]) -> int:
    return len(found[1])


def _write_at(path: Path, size: int, content: bytes) -> None:
    """Append to a file of which `size` bytes are good, cutting off the rest."""
    with path.open("ab") as handle:
        handle.truncate(size)
        handle.write(content)
