"""Read judged pairs for training: our own files, and published sets in their own layouts.

Source: Weller et al., Rank1; Weller et al., Promptriever; Shao et al., ReasonIR; their data sets.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from leadline.data.data_sets import rows_at, rows_in
from leadline.data.documents import read_corpus
from leadline.data.fields import Record, required_string, string_mapping
from leadline.data.jsonl import read_records, write_records
from leadline.data.paths import is_file, is_folder, user_path
from leadline.errors import InputError

FILE = "pairs.jsonl"
"""What the pairs of a folder are called."""


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A query, a document, and whether it is relevant.

    trace   the reasoning that led to the judgement; empty where there is none
    facets  what else is known of it, such as `style`
    """

    query: str
    document: str
    relevant: bool
    trace: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)


def read_pairs(path: str | Path) -> list[JudgedPair]:
    """Return the pairs of a `.jsonl` or `.jsonl.gz`, or of a folder's `pairs.jsonl`.

    Fields: `query`, `document`, `relevant` (true or false), and optionally `trace` and `facets`.
    Raises InputError that names file, line and field for what is missing, empty or of another
    type.
    """
    path = Path(path)
    if path.is_dir():
        path = path / FILE
    pairs = [_pair(record, f"{path}:{number}") for number, record in read_records(path)]
    if not pairs:
        raise InputError(f"{path} has no judged pairs.")
    return pairs


def write_pairs(path: str | Path, pairs: Iterable[JudgedPair]) -> None:
    """Write pairs as `.jsonl`, each with the fields that it has; all or nothing."""
    records = (
        {
            **{key: getattr(pair, key) for key in ("query", "document", "relevant")},
            **({"trace": pair.trace} if pair.trace else {}),
            **({"facets": dict(pair.facets)} if pair.facets else {}),
        }
        for pair in pairs
    )
    write_records(path, records)


def _pair(record: Record, place: str) -> JudgedPair:
    for key in ("query", "document"):
        if not required_string(record, key, place).strip():
            raise InputError(f"{place}: {key!r} is empty. Fill it or remove the line.")
    relevant, trace = record.get("relevant"), record.get("trace", "")
    if not isinstance(relevant, bool):
        raise InputError(f"{place}: 'relevant' must be true or false, got {relevant!r}.")
    if not isinstance(trace, str):
        raise InputError(f"{place}: 'trace' must be a text, got {trace!r}.")
    facets = string_mapping(record, "facets", place)
    return JudgedPair(record["query"], record["document"], relevant, trace, facets)


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
        for place, pair in enumerate(self):
            if leaks is not None and leaks(pair.query):
                self.skipped["the query is in an evaluation"] += 1
                continue
            side = kept[pair.relevant]
            met[pair.relevant] += 1
            if len(side) < count:
                side.append((place, pair))
            elif (at := rng.randrange(met[pair.relevant])) < count:
                side[at] = (place, pair)
        if min(map(len, kept.values())) < count:
            told = ", ".join(f"{count} {reason}" for reason, count in self.skipped.most_common())
            raise InputError(
                f"{2 * count} balanced pairs are to be drawn from {self.source}, which has "
                f"{met[True]} relevant and {met[False]} other ones"
                + (f" (skipped: {told})." if told else ".")
            )
        both = sorted(kept[True] + kept[False], key=lambda each: each[0])
        return [pair for _, pair in both]


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
        raise InputError(f"{source} has no judged pairs.")
    layout = next((each for each in LAYOUTS if each.columns <= first.keys()), None)
    if layout is None or first.keys() >= _OWN:
        if is_file(path) and path.name.endswith((".jsonl", ".jsonl.gz")):
            return PairSet(source, own=tuple(read_pairs(path)))
        known = "; ".join(f"{each.name}: {', '.join(sorted(each.columns))}" for each in LAYOUTS)
        raise InputError(
            f"{source} is not a set of judged pairs: its columns are "
            f"{', '.join(map(str, first))}. It needs query, document and relevant, or the columns "
            f"of a published set ({known})."
        )
    texts = _texts_of(source, documents) if documents else {}
    return PairSet(source, layout, texts)


def _texts_of(source: str, documents: str) -> dict[str, str]:
    """Read the documents that the rows of a set name, and no others."""
    wanted = {
        text
        for row in rows_at(source)
        for side in ID_SIDES
        for entry in row.get(side) or ()
        if _looks_like_id(text := _second(entry))
    }
    tables = user_path(documents) / "documents"
    if is_folder(tables):
        rows: Iterable[Mapping[str, Any]] = (
            row for path in sorted(tables.iterdir()) if is_file(path) for row in rows_in(path)
        )
        found = ((str(row.get("id")), row.get("content")) for row in rows)
        return {id: str(content) for id, content in found if id in wanted and content is not None}
    corpus = read_corpus(documents)
    return {id: corpus[id].content for id in wanted if id in corpus}


Row: TypeAlias = Mapping[str, Any]
Texts: TypeAlias = Mapping[str, str]
Skipped: TypeAlias = Counter[str]
Reader: TypeAlias = Callable[[Row, Texts, Skipped], Iterator[JudgedPair]]

ID_SIDES = ("pos", "neg")


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows of a set look.

    name     what counts and error messages call it
    columns  those that tell it from the others
    read     yields the pairs of a row, and counts what it passes over, by reason
    """

    name: str
    columns: frozenset[str]
    read: Reader


def _asked_and_reasoned(row: Row, texts: Texts, skipped: Skipped) -> Iterator[JudgedPair]:
    """Read an instruction (with the query and the passage, or `input` has them) and an output."""
    asked = "\n".join(str(row.get(name) or "") for name in ("instruction", "input")).strip()
    parts = _QUERY_AND_PASSAGE.search(asked.removesuffix("<think>"))
    if parts is None:
        skipped["no query and passage"] += 1
        return
    query, passage = parts["query"].strip(), parts["passage"].strip()
    before, end, answer = str(row.get("output") or "").rpartition("</think>")
    said = answer.strip().strip(".").lower()
    if not query or not passage:
        skipped["an empty query or passage"] += 1
    elif not end:
        skipped["the reasoning has no end"] += 1
    elif said not in _ANSWERS:
        skipped["the answer is neither true nor false"] += 1
    else:
        trace = before.strip().removeprefix("<think>").strip()
        yield JudgedPair(query, passage, _ANSWERS[said], trace)


def _with_passages(row: Row, texts: Texts, skipped: Skipped) -> Iterator[JudgedPair]:
    """Read positives, and as many negatives: first those that only fail the instruction."""
    query = str(row.get("query") or "").strip()
    positives = [text for each in row["positive_passages"] or () if (text := _passage(each))]
    instructed = [text for each in row.get("new_negatives") or () if (text := _passage(each))]
    mined = [text for each in row["negative_passages"] or () if (text := _passage(each))]
    if not query or not positives:
        skipped["no query or no positive passage"] += 1
        return
    instruction = str(row.get("only_instruction") or "").strip()
    facets = {"instructed": "yes" if instruction else "no"}
    for text in positives:
        yield JudgedPair(query, text, True, facets=facets)
    rng = random.Random(f"{row.get('query_id')} negatives")
    negatives = [("instruction", each) for each in rng.sample(instructed, len(instructed))]
    negatives += [("mined", each) for each in rng.sample(mined, len(mined))]
    for source, text in negatives[: len(positives)]:
        yield JudgedPair(query, text, False, facets={**facets, "negative": source})
    skipped["negatives beyond one for each positive"] += max(0, len(negatives) - len(positives))


def _with_entries(row: Row, texts: Texts, skipped: Skipped) -> Iterator[JudgedPair]:
    """Read `[instruction, text]` entries; a text that is an id becomes the document's."""
    query = _second(row["query"])
    if not query:
        skipped["no query"] += 1
        return
    for side in ID_SIDES:
        for entry in row[side] or ():
            text = _second(entry)
            if text in texts:
                text = texts[text]
            elif _looks_like_id(text):
                skipped["the id of a document that is not at hand"] += 1
                continue
            if text.strip():
                yield JudgedPair(query, text, side == "pos")
            else:
                skipped["an empty document"] += 1


LAYOUTS: Sequence[Layout] = (
    Layout("rank1", frozenset({"instruction", "output"}), _asked_and_reasoned),
    Layout(
        "promptriever",
        frozenset({"query", "positive_passages", "negative_passages"}),
        _with_passages,
    ),
    Layout("reasonir", frozenset({"query", "pos", "neg"}), _with_entries),
)

_QUERY_AND_PASSAGE = re.compile(
    r"^Query:(?P<query>.*?)^Passage:(?P<passage>.*)", re.DOTALL | re.MULTILINE
)
_ANSWERS = {"true": True, "false": False}
_LONGEST_ID = 300


def _second(entry: Any) -> str:
    """Return the text of `[instruction, text]`; a text alone is one."""
    if isinstance(entry, str):
        return entry.strip()
    return str(entry[1] or "").strip() if isinstance(entry, list) and len(entry) == 2 else ""


def _looks_like_id(text: str) -> bool:
    """Tell an id from a text: it has no white space, or ends like a file."""
    short = 0 < len(text) <= _LONGEST_ID and "\n" not in text
    return short and (not re.search(r"\s", text) or text.endswith((".txt", ".json")))


def _passage(entry: Any) -> str:
    if not isinstance(entry, Mapping):
        return ""
    title, text = (str(entry.get(name) or "").strip() for name in ("title", "text"))
    return f"{title} {text}" if text and title not in ("", "-") else text
