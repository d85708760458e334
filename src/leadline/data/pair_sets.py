"""Sets of judged pairs to train on: our own files, and published ones in their own layouts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from leadline.data.data_sets import rows_at, rows_in
from leadline.data.documents import read_corpus
from leadline.data.judged_pairs import FILE, JudgedPair, read_pairs
from leadline.data.pair_layouts import LAYOUTS, Layout, layout_of, named_documents
from leadline.data.paths import is_file, is_folder, user_path
from leadline.errors import InputError

_OWN = frozenset({"query", "document", "relevant"})


@dataclass(frozen=True)
class PairSet:
    """Judged pairs of one source, read again each time they are asked for.

    source   as it was given
    layout   that of a published set; None for our own
    texts    documents that pairs name by id
    own      the pairs of a file of our own, which is read whole and must be without a fault
    skipped  rows, pairs and documents passed over at the last reading, by reason
    """

    source: str
    layout: Layout | None = None
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    own: tuple[JudgedPair, ...] = field(default=(), repr=False)
    skipped: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[JudgedPair]:
        self.skipped.clear()
        if self.layout is None:
            yield from self.own
            return
        for row in rows_at(self.source):
            if self.layout.columns <= row.keys():
                yield from self.layout.read(row, self.texts, self.skipped)
            else:
                self.skipped["a row of another layout"] += 1

    def drawn(
        self, size: int, seed: int, *, leaks: Callable[[str], bool] | None = None
    ) -> list[JudgedPair]:
        """Return `size` pairs, half of them relevant, by the seed and in the order of the set.

        leaks  tells queries whose pairs are passed over

        Only the pairs that are drawn are held in memory.
        Raises InputError when there are too few of either kind.
        """
        count, rng = size // 2, random.Random(f"{seed} draw")
        kept: dict[bool, list[tuple[int, JudgedPair]]] = {True: [], False: []}
        met = Counter[bool]()
        for place, pair in enumerate(self._without(leaks)):
            side = kept[pair.relevant]
            met[pair.relevant] += 1
            if len(side) < count:
                side.append((place, pair))
            elif (at := rng.randrange(met[pair.relevant])) < count:
                side[at] = (place, pair)
        if min(map(len, kept.values())) < count:
            raise InputError(
                f"{2 * count} balanced pairs are to be drawn from {self.source}, which has "
                f"{met[True]} relevant and {met[False]} other ones{self._told()}."
            )
        both = sorted(kept[True] + kept[False], key=lambda each: each[0])
        return [pair for _, pair in both]

    def _without(self, leaks: Callable[[str], bool] | None) -> Iterable[JudgedPair]:
        for pair in self:
            if leaks is not None and leaks(pair.query):
                self.skipped["the query is in an evaluation"] += 1
            else:
                yield pair

    def _told(self) -> str:
        told = ", ".join(f"{count} {reason}" for reason, count in self.skipped.most_common())
        return f" (passed over: {told})" if told else ""


def open_pairs(source: str, documents: str = "") -> PairSet:
    """Return the judged pairs of a file, a folder or a data set on the hub.

    source     `.jsonl[.gz]`, `.json`, `.parquet` or `.csv`, a folder, or `OWNER/NAME[:FOLDER]`
    documents  where documents are read that pairs name by id: any corpus, or a folder with
               BRIGHT's `documents/<task>` tables

    A file of our own is checked whole. Of a published set the first row tells the layout.
    Raises InputError when it is neither.
    """
    path = user_path(source)
    if is_file(path / FILE):
        return PairSet(source, own=tuple(read_pairs(path)))
    first = next(iter(rows_at(source)), None)
    if first is None:
        raise InputError(f"{source} holds no judged pairs.")
    layout = layout_of(first)
    if layout is None or first.keys() >= _OWN:
        if is_file(path) and path.name.endswith((".jsonl", ".jsonl.gz")):
            return PairSet(source, own=tuple(read_pairs(path)))
        known = "; ".join(f"{each.name}: {', '.join(sorted(each.columns))}" for each in LAYOUTS)
        raise InputError(
            f"{source} is no set of judged pairs: it has {', '.join(map(str, first))}. Lines "
            f"have query, document and relevant, or the columns of a published set ({known})."
        )
    texts = _texts_of(source, documents) if documents else {}
    return PairSet(source, layout, texts)


def _texts_of(source: str, documents: str) -> dict[str, str]:
    """Read the documents that the rows of a set name, and no others."""
    wanted = {id for row in rows_at(source) for id in named_documents(row)}
    tables = user_path(documents) / "documents"
    if is_folder(tables):
        rows: Iterable[Mapping[str, Any]] = (
            row for path in sorted(tables.iterdir()) if is_file(path) for row in rows_in(path)
        )
        found = ((str(row.get("id")), row.get("content")) for row in rows)
        return {id: str(content) for id, content in found if id in wanted and content is not None}
    corpus = read_corpus(documents)
    return {id: corpus[id].content for id in wanted if id in corpus}
