"""Read a BEIR or benchmark folder as a benchmark, and write a benchmark as a folder.

Rankings are scored as trec_eval, BEIR and MTEB do, unless options change that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.benchmark import Benchmark
from leadline.data.documents import unzipped
from leadline.data.folder import Folder, query_files, read_folder, write_folder
from leadline.data.paths import is_file
from leadline.errors import InputError
from leadline.kinds.registry import kind_named, kind_of
from leadline.metrics.ranking import NoRelevant, RankingMetric
from leadline.metrics.topics import topic_of
from leadline.types import Query

IdenticalIds: TypeAlias = Literal["leave_out", "drop", "keep"]
_IDENTICAL_IDS: tuple[IdenticalIds, ...] = ("leave_out", "drop", "keep")
_NO_RELEVANT: tuple[NoRelevant, ...] = ("zero", "leave_out")
_LONGEST_NAME = 200
_MOST_COUNTED = 10**15
_TAKEN = ("report.json", "report.html")
WITHOUT_JUDGEMENT = "without a judgement"
"""Why queries of a folder are not asked, among what `built` counts as dropped."""
_OWN = ("name", "kind", "built_by", "metrics", "source", "notes", "depth", "ranked")


def build(
    path: str | Path,
    *,
    split: str = "test",
    metadata: bool = False,
    identical_ids: IdenticalIds = "leave_out",
    no_relevant: NoRelevant = "zero",
) -> Benchmark:
    """Return the benchmark in a folder.

    Queries without judgements are left out where others have some, and counted in `built`. Without
    `benchmark.json` the benchmark is named like the folder, and of the kind that the facets of its
    queries show, or else a `ranking` in the published layout of BEIR.

    Args:
        path: The folder.
        split: Which file of `qrels` judges.
        metadata: Put the facets of each document before its text, so that systems see them.
        identical_ids: As `own_documents` takes it.
        no_relevant: As `scored_as` takes it.

    Raises:
        InputError: Something is missing, broken, or does not fit together.
    """
    folder, unjudged = _judged(read_folder(path, split, metadata=metadata))
    settings = _Settings(folder.settings, Path(path) / "benchmark.json")
    named = settings.read("kind", str, "")
    kind = kind_named(named) if named else kind_of(folder.queries)
    name = settings.name() or Path(path).resolve().name
    measured = kind.measured(settings.strings("metrics", "names"))
    # Modes are compared at one depth, however few documents a run is asked for.
    compared = max((each.depth for each in measured["metrics"]), default=0)
    made = Benchmark(
        name=name if split == "test" else with_options(name, split=split),
        corpus=folder.corpus,
        queries=folder.queries,
        qrels=folder.qrels,
        candidates=folder.candidates,
        source=settings.read("source", str, ""),
        notes=tuple(settings.strings("notes", "sentences")),
        built_by=settings.read("built_by", str, "")
        or ("published" if kind.name == "ranking" else "own"),
        depth=settings.read("depth", int, None) or compared or None,
        ranked=settings.read("ranked", bool, False),
        built=settings.built(unjudged),
        **measured,
    )
    return scored_as(made.validated(whole=kind.strict), identical_ids, no_relevant)


def build_parts(
    path: str | Path,
    *,
    split: str = "test",
    identical_ids: IdenticalIds = "leave_out",
    no_relevant: NoRelevant = "zero",
) -> list[Benchmark]:
    """Return the benchmark in a folder, or those in the folders inside it; see `build`.

    A folder of parts is what `leadline synthesize implicit-facts` and `leadline check` write, or
    a collection in parts, such as CQADupStack.
    """
    path = unzipped(Path(path))
    folders = folders_in(path)
    made = [
        build(each, split=split, identical_ids=identical_ids, no_relevant=no_relevant)
        for each in folders
    ]
    if len({each.kind for each in made}) > 1:
        return made
    whole = path.resolve().name
    return [
        each if folder == path or is_file(folder / "benchmark.json")
        else dataclasses.replace(each, name=_in_whole(whole, each.name))
        for folder, each in zip(folders, made, strict=True)
    ]  # fmt: skip


def folders_in(path: str | Path) -> list[Path]:
    """Return the benchmark folders inside a folder; the folder itself where it is one."""
    path = unzipped(Path(path))
    if has_queries(path):
        return [path]
    settled = sorted(each.parent for each in path.glob("*/benchmark.json"))
    return settled or sorted(each for each in path.glob("*") if has_queries(each)) or [path]


def has_queries(path: Path) -> bool:
    """Tell whether a folder is a collection with queries."""
    return bool(query_files(path))


def _in_whole(whole: str, name: str) -> str:
    """Return `whole:options/part` for the name `part:options`."""
    part, colon, options = name.partition(":")
    return f"{whole}{colon}{options}/{part}"


def write(path: str | Path, benchmark: Benchmark, *, refer: bool = False) -> None:
    """Write a benchmark as a folder from which `build` makes it again; the same, byte for byte.

    `refer` names the file of a large corpus instead of copying it. Raises InputError for an id that
    the format cannot hold, and when a file cannot be written.
    """
    if clash := [key for key in _OWN if key in benchmark.built]:
        raise ValueError(f"`built` of {benchmark.name!r} must not have the keys {clash}.")
    settings = {
        "name": benchmark.name,
        "kind": benchmark.kind,
        "built_by": benchmark.built_by,
        "metrics": [metric.name for metric in benchmark.metrics],
        "source": benchmark.source,
        **({} if benchmark.depth is None else {"depth": benchmark.depth}),
        **({"ranked": True} if benchmark.ranked else {}),
        **({"notes": list(benchmark.notes)} if benchmark.notes else {}),
        **benchmark.built,
    }
    folder = Folder(
        benchmark.corpus, benchmark.queries, benchmark.qrels, benchmark.candidates, settings
    )
    write_folder(path, folder, refer=refer)


def scored_as(
    benchmark: Benchmark,
    identical_ids: IdenticalIds = "leave_out",
    no_relevant: NoRelevant = "zero",
) -> Benchmark:
    """Return the benchmark scored as BEIR and MTEB do, or otherwise as the options say.

    Args:
        benchmark: Any benchmark. Its name shows options that are not the default.
        identical_ids: As `own_documents` takes it.
        no_relevant: What a query without relevant documents counts: `zero`, or nothing.
    """
    if identical_ids not in _IDENTICAL_IDS or no_relevant not in _NO_RELEVANT:
        raise InputError(
            f"identical_ids is {identical_ids!r}, and can be {' or '.join(_IDENTICAL_IDS)}; "
            f"no_relevant is {no_relevant!r}, and can be {' or '.join(_NO_RELEVANT)}."
        )
    options: dict[str, str] = {}
    if identical_ids != "leave_out":
        options["identical_ids"] = identical_ids
    metrics = benchmark.metrics
    if no_relevant != "zero":
        options["no_relevant"] = no_relevant
        metrics = [
            dataclasses.replace(each, no_relevant=no_relevant)
            if isinstance(each, RankingMetric) else each
            for each in metrics
        ]  # fmt: skip
    excluded = own_documents(benchmark, identical_ids)
    alike = sum(
        query.id in benchmark.corpus
        and query.id not in excluded
        and benchmark.qrels.get(query.id, {}).get(query.id, 0) <= 0
        for query in benchmark.queries
    )
    notes = list(benchmark.notes)
    if alike and identical_ids == "leave_out":
        notes.append(
            f"Queries with the id of a document that has another text: {alike:,}. Their rankings "
            "keep it (identical_ids=drop leaves it out, as BEIR does)."
        )
    return dataclasses.replace(
        benchmark, name=with_options(benchmark.name, **options), metrics=metrics,
        excluded=excluded, notes=tuple(notes),
    )  # fmt: skip


def with_options(name: str, **options: str) -> str:
    """Return the name of a benchmark with options before its part: `whole:option=value/part`."""
    if not options:
        return name
    whole, slash, part = name.partition("/")
    mark = "," if ":" in whole else ":"
    pairs = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{whole}{mark}{pairs}{slash}{part}"


def own_documents(
    benchmark: Benchmark, identical_ids: IdenticalIds = "leave_out"
) -> dict[str, tuple[str, ...]]:
    """Return the documents that are their own query, by query: rankings go without them.

    `leave_out` takes a document with the id of the query, unless it is judged relevant, or the id
    is a mere number and the texts differ; `drop` takes every document with the id of the query, as
    BEIR does; `keep` takes none. Variants of a query go without its document too.
    """
    if identical_ids == "keep":
        return {}
    own = {
        query.id
        for query in benchmark.queries
        if query.id in benchmark.corpus and (identical_ids == "drop" or _is_own(query, benchmark))
    }
    if not own:
        return {}
    found = {query.id: {query.id, topic_of(query)} & own for query in benchmark.queries}
    return {query_id: tuple(ids) for query_id, ids in found.items() if ids}


def _is_own(query: Query, benchmark: Benchmark) -> bool:
    if benchmark.qrels.get(query.id, {}).get(query.id, 0) > 0:
        return False
    document = benchmark.corpus[query.id]
    texts = (document.text, document.title, document.content)
    return not query.id.isdecimal() or _plain(query.text) in map(_plain, texts)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _judged(folder: Folder) -> tuple[Folder, int]:
    """Leave out queries without judgements where others have some; say how many those are."""
    topics = {query.topic for query in folder.queries if query.id in folder.qrels}
    kept = [q for q in folder.queries if q.id in folder.qrels or q.topic in topics]
    unjudged = {query.id for query in folder.queries} - {query.id for query in kept}
    if not kept or not unjudged:
        return folder, 0
    candidates = folder.candidates
    if candidates is not None:
        candidates = {id: each for id, each in candidates.items() if id not in unjudged}
    return dataclasses.replace(folder, queries=kept, candidates=candidates), len(unjudged)


@dataclasses.dataclass(frozen=True)
class _Settings:
    """What `benchmark.json` says, read with errors that name it."""

    given: Mapping[str, Any]
    where: Path

    def read(self, key: str, kind: type, default: Any) -> Any:
        value = self.given.get(key, default)
        is_right = type(value) is kind
        if value == default or (is_right and (kind is not int or value > 0)):
            return value
        wanted = {str: "a string", int: "a whole number from 1", bool: "true or false"}[kind]
        raise InputError(f"{self.where}: {key!r} must be {wanted}, got {value!r}.")

    def strings(self, key: str, what: str) -> list[str]:
        values = self.given.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise InputError(f"{self.where}: {key!r} must be a list of {what}, got {values!r}.")
        return values

    def name(self) -> str:
        """Return the name, which becomes the name of a folder beside the report."""
        name: str = self.read("name", str, "")
        if len(name) > _LONGEST_NAME or name.partition("/")[0] in _TAKEN:
            raise InputError(
                f"{self.where}: 'name' must have at most {_LONGEST_NAME} characters and be none of "
                f"{', '.join(_TAKEN)}, got {name[:60]!r}."
            )
        return name

    def built(self, unjudged: int) -> dict[str, Any]:
        """Return what else they say of how it was built; the counts that pages show fit."""
        built = {key: value for key, value in self.given.items() if key not in _OWN}
        dropped = built.get("dropped", {})
        wrong = [key for key in ("considered", "kept")
                 if built.get(key) is not None and not _is_count(built[key])]  # fmt: skip
        if not isinstance(dropped, dict) or not all(map(_is_count, dropped.values())):
            wrong.append("dropped")
        if wrong:
            wanted = "give a count for each reason" if wrong == ["dropped"] else "be a count"
            value = str(built[wrong[0]])[:60]
            raise InputError(f"{self.where}: {wrong[0]!r} must {wanted}, got {value!r}.")
        if unjudged:
            built["dropped"] = {**dropped, WITHOUT_JUDGEMENT: unjudged}
        return built


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MOST_COUNTED
