"""The layout of queries with changed instructions: one query, several instructions and qrels.

`corpus`, `queries` (`_id`, `text`, `instruction_og`, `instruction_changed`, and where there is a
third mode `instruction_reversed`), `qrels_og`, `qrels_changed`, `qrels_reversed`, and for sets that
rerank `top_ranked` (`qid`, `pid`): the parts of a dataset on the hub, or files `corpus.jsonl`,
`queries.jsonl`, `qrels_og/test.tsv`, ..., `top_ranked.jsonl` in a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.data.by_query import integer
from leadline.data.documents import read_corpus
from leadline.data.fields import Record, identifier, optional_string, required_string
from leadline.data.folder import read_beir_qrels
from leadline.data.jsonl import read_records
from leadline.errors import InputError, needs
from leadline.types import Candidates, Corpus, Document, Qrels, Query

_MODES = {"original": "og", "instructed": "changed", "reversed": "reversed"}
_KEPT = ("condition", "keywords", "short_query")
"""Other fields of a query that become facets."""


@dataclass(frozen=True)
class Released:
    """What the layout holds: a query for each mode, under the id `ID-og`, `ID-changed`, ..."""

    corpus: Corpus
    queries: list[Query]
    qrels: Qrels
    candidates: Candidates | None


def read(where: str | Path) -> Released:
    """Read a folder, or a dataset of the hub by its name.

    A query id with its instruction is a topic; queries with the same text are one core query. The
    third mode, and its qrels, may be missing.

    Raises InputError when a file or a field is missing.
    """
    source: _Folder | _Hub = _Folder(where) if isinstance(where, Path) else _Hub(where)
    rows = list(source.rows("queries"))
    if not rows:
        raise InputError(f"{where} has no queries.")
    modes = [mode for mode in _MODES if f"instruction_{_MODES[mode]}" in rows[0][1]]
    if "original" not in modes:
        raise InputError(f"{rows[0][0]}: no field 'instruction_og'.")
    queries: list[Query] = []
    qrels: dict[str, Mapping[str, int]] = {}
    judged = {mode: source.qrels(_MODES[mode]) for mode in modes}
    for place, row in rows:
        topic = identifier(row, "_id" if "_id" in row else "id", place)
        if topic not in judged["original"]:
            continue
        for mode in modes:
            query = _query(row, topic, mode, place)
            queries.append(query)
            grades = judged[mode].get(topic)
            if grades is not None:
                qrels[query.id] = grades
    candidates = source.candidates()
    return Released(
        source.corpus(),
        queries,
        qrels,
        None if candidates is None else {q.id: candidates.get(q.topic, ()) for q in queries},
    )


def _query(row: Record, topic: str, mode: str, place: str) -> Query:
    text = required_string(row, "text", place).strip()
    kept = {name: str(row[name]) for name in _KEPT if row.get(name)}
    instruction = optional_string(row, f"instruction_{_MODES[mode]}", place).strip()
    return Query(
        id=f"{topic}-{_MODES[mode]}",
        text=text,
        topic=topic,
        instruction="" if instruction == text else instruction,
        facets={"mode": mode, "core": text, **kept},
    )


class _Folder:
    """The layout as files."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def corpus(self) -> Corpus:
        return read_corpus(self._path)

    def rows(self, name: str) -> Iterator[tuple[str, Record]]:
        for path in (self._path / f"{name}.jsonl", self._path / f"{name}.jsonl.gz"):
            if path.is_file():
                for number, record in read_records(path):
                    yield f"{path}:{number}", record
                return
        raise InputError(f"{self._path} has no {name}.jsonl.")

    def qrels(self, name: str) -> Qrels:
        path = self._path / f"qrels_{name}" / "test.tsv"
        if name == "reversed" and not path.is_file():
            return {}
        return read_beir_qrels(path)

    def candidates(self) -> Candidates | None:
        if not any((self._path / f"top_ranked.jsonl{gz}").is_file() for gz in ("", ".gz")):
            return None
        return _grouped(self.rows("top_ranked"))


class _Hub:
    """The layout as the parts of a dataset on the hub."""

    def __init__(self, name: str) -> None:
        with needs("hub"):
            import datasets
        self._name, self._datasets = name, datasets

    def _part(self, part: str) -> Iterable[Mapping[str, Any]]:
        try:
            splits = self._datasets.load_dataset(self._name, part)
        except (OSError, ValueError) as error:
            reason = (str(error) or type(error).__name__).strip().splitlines()[0]
            raise InputError(
                f"Cannot read {part} of {self._name} from the hub ({reason}). Is there a "
                "connection? Local files in the published layout are read with --data DIR."
            ) from error
        rows: Iterable[Mapping[str, Any]] = next(iter(splits.values()))
        return rows

    def corpus(self) -> Corpus:
        return {
            str(row["_id"]): Document(str(row["_id"]), row["text"], row.get("title") or "")
            for row in self._part("corpus")
        }

    def rows(self, name: str) -> Iterator[tuple[str, Record]]:
        for number, row in enumerate(self._part(name), start=1):
            yield f"{self._name}/{name}:{number}", row

    def qrels(self, name: str) -> Qrels:
        grades: dict[str, dict[str, int]] = {}
        for number, row in enumerate(self._part(f"qrels_{name}"), start=1):
            grade = integer(str(row["score"]), f"{self._name}/qrels_{name}:{number}")
            grades.setdefault(str(row["query-id"]), {})[str(row["corpus-id"])] = grade
        return grades

    def candidates(self) -> Candidates | None:
        parts = self._datasets.get_dataset_config_names(self._name)
        return _grouped(self.rows("top_ranked")) if "top_ranked" in parts else None


def _grouped(rows: Iterable[tuple[str, Record]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for place, row in rows:
        found.setdefault(identifier(row, "qid", place), []).append(identifier(row, "pid", place))
    return {topic: tuple(ids) for topic, ids in found.items()}
