"""Facts that a document only implies: six pools, one relevant document for each question.

Source: Taghavi et al., ImpliRet: Benchmarking the Implicit Fact Retrieval Challenge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.data_sets import downloaded, rows_in
from leadline.data.json_file import read_json
from leadline.data.jsonl import read_records
from leadline.data.paths import is_file
from leadline.errors import InputError, unknown
from leadline.kinds.implicit_facts import KIND
from leadline.types import Document, Query

PARTS = (
    "arithmetic-unispeaker",
    "arithmetic-multispeaker",
    "temporal-unispeaker",
    "temporal-multispeaker",
    "wknow-unispeaker",
    "wknow-multispeaker",
)
Wording: TypeAlias = Literal["question", "question_released"]
HUB_NAME = "zeinabTaghavi/ImpliRet"

_HUB_FILES = {"arithmetic": "A", "temporal": "T", "wknow": "W"} | {
    "unispeaker": "Uni",
    "multispeaker": "Multi",
}
_PUBLISHED = "Taghavi et al., ImpliRet"
_MAKES = ("published", "own", "rules", "llm")
_FIELDS = ("id", "tuple_set_id", "pos_document", "question", "answer")


def build(
    part: str | None = None, data: str | Path | None = None, wording: Wording = "question"
) -> list[Benchmark]:
    """Return one pool, or all six.

    part     one of PARTS; None for all
    data     folder of `{category}_{style}.jsonl[.gz]`, or of the published `A_Uni.csv` or
             `A_Uni.jsonl`; None reads the hub
    wording  field that holds the question: `question` is what the published figures use,
             `question_released` the mended wording, which the arithmetic forum questions alone
             have; the hub's file holds only that one, under the name `question`

    Raises InputError when a file is missing or a row lacks a field.
    """
    if part is not None and part not in PARTS:
        raise unknown("part of implicit-facts", part, PARTS)
    return [_pool(each, data, wording) for each in ([part] if part else PARTS)]


def _pool(part: str, data: str | Path | None, wording: Wording) -> Benchmark:
    where, rows = _read_local(part, Path(data)) if data else _read_hub(part)
    record = _record(Path(data)) if data else {}
    category, _, style = part.partition("-")
    corpus: dict[str, Document] = {}
    queries: list[Query] = []
    qrels: dict[str, dict[str, int]] = {}
    for line, row in rows:
        if missing := [field for field in _FIELDS if field not in row]:
            raise InputError(
                f"{where}:{line}: no field {', '.join(missing)} (found: {', '.join(row)}). "
                f"The published layout has {', '.join(_FIELDS)}."
            )
        id = f"{part}-{row['id']}"
        if id in corpus:
            raise InputError(f"{where}:{line}: id {row['id']!r} occurs twice.")
        facets = {"tuple_set": str(row["tuple_set_id"]), "category": category, "style": style}
        corpus[id] = Document(id=id, text=str(row["pos_document"]), facets=facets)
        asked = row.get("forum_question")
        opening = {"forum_question": asked} if isinstance(asked, str) and asked.strip() else {}
        question = str(row.get(wording) or row["question"])
        answer = _answer(row["answer"])
        queries.append(
            Query(id, question, id, "", facets | opening, answer, accepted_forms(part, answer))
        )
        qrels[id] = {id: 1}
    made = record.get("built_by", "published")
    garbled = part == "arithmetic-multispeaker" and (data is None or wording != "question")
    departs = "the published figures are over the garbled wording of these questions" * garbled
    return Benchmark(
        name=f"{_whole(wording)}/{part}",
        corpus=corpus,
        queries=queries,
        qrels=qrels,
        depth=len(corpus),  # the relevant document may stand last, and so may others of its set
        **KIND.measured(),
        source=f"{record.get('source', _PUBLISHED)}; {where}; wording: {wording}",
        built_by=made,
        built=record.get("pools", {}).get(part.replace("-", "_"), {}),
        quoted=quoted_results(__package__, f"implicit-facts/{part}", departs=departs)
        if made == "published"
        else (),
    ).validated()


def accepted_forms(part: str, answer: str) -> tuple[str, ...]:
    """Return other forms of an answer that say the same: those in which documents give it.

    `Oakaldo 2021 model` is a `2021 model of Oakaldo`, `Insignia tablet` a `tablet from Insignia`,
    and whoever was scheduled to `host a dinner` was `hosting a dinner`.
    """
    words = answer.split()
    if part == "arithmetic-multispeaker" and (found := _MODEL.fullmatch(answer)):
        return tuple(form.format(brand=found[1], year=found[2]) for form in _MODELS)
    if part == "arithmetic-unispeaker":  # wherever brand and thing part: one place is the right one
        return tuple(
            f"{' '.join(words[place:])} {word} {' '.join(words[:place])}"
            for place in range(1, len(words))
            for word in ("from", "by", "of")
        )
    if part == "temporal-unispeaker":  # of these spellings of the -ing form one is the verb's
        verb = words[0]
        stems = (verb, verb + verb[-1], verb.removesuffix("e"), f"{verb.removesuffix('ie')}y")
        return (f"to {answer}", *(" ".join([f"{stem}ing", *words[1:]]) for stem in stems))
    return ()


_MODEL = re.compile(r"(.+) (\d{4}) model")
_MODELS = (
    "{brand} {year}", "{year} {brand}", "{brand} from {year}", "{brand} model {year}",
    "{year} {brand} model", "{brand} {year} version", "{brand} version {year}",
    *(f"{what} {word} {{brand}}" for what in ("{year} model", "model {year}", "{year} version")
      for word in ("of", "from", "by")),
)  # fmt: skip


def _whole(wording: Wording) -> str:
    """Name all six pools; two wordings of one pool are two benchmarks."""
    return "implicit-facts" if wording == "question" else f"implicit-facts:wording={wording}"


def _record(folder: Path) -> Mapping[str, Any]:
    """Return what benchmark.json says of pools that are not the published ones."""
    path = folder / "benchmark.json"
    if not is_file(path):
        return {}
    record = read_json(path)
    if not isinstance(record, dict) or not isinstance(record.get("pools", {}), dict):
        raise InputError(f"{path} must be one JSON object, and its 'pools' another one.")
    if record.get("built_by", "published") not in _MAKES:
        raise InputError(
            f"{path}: 'built_by' must be one of {', '.join(_MAKES)}, got {record['built_by']!r}."
        )
    return record


def _answer(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _read_local(part: str, folder: Path) -> tuple[str, Iterator[tuple[int, Mapping[str, Any]]]]:
    """Return the rows of our own file, of the repository's JSONL or of the hub's CSV."""
    own, hub = part.replace("-", "_"), Path(_hub_file(part))
    short = hub.stem
    names = (
        f"{own}.jsonl", f"{own}.jsonl.gz", f"{short}.jsonl",
        f"Dataset_Generation/Data/{short}.jsonl", hub, hub.name,
    )  # fmt: skip
    for path in (folder / name for name in names):
        if is_file(path):
            return path.name, enumerate(
                rows_in(path), start=2
            ) if path.suffix == ".csv" else read_records(path)
    raise InputError(
        f"{folder} has no {own}.jsonl, {own}.jsonl.gz, {short}.jsonl or {short}.csv. --data "
        "for implicit-facts is a folder of "
        "{arithmetic,temporal,wknow}_{unispeaker,multispeaker}.jsonl[.gz], or of the published "
        "{A,T,W}_{Uni,Multi}.jsonl or .csv."
    )


def _read_hub(part: str) -> tuple[str, Iterator[tuple[int, Mapping[str, Any]]]]:
    name = _hub_file(part)
    path = downloaded(
        HUB_NAME, name, "Local files in the published layout are read with --data DIR."
    )
    return f"{HUB_NAME}/{name}", _records(path)


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    return enumerate(rows_in(path), start=2) if path.suffix == ".csv" else read_records(path)


def _hub_file(part: str) -> str:
    category, _, style = part.partition("-")
    return f"data/{_HUB_FILES[category]}_{_HUB_FILES[style]}.csv"
