"""Any BEIR or benchmark folder as a benchmark, and any benchmark as such a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.folder import Folder, queries_file, read_folder, write_folder
from leadline.data.paths import is_file
from leadline.data.zipped import unzipped
from leadline.errors import InputError
from leadline.kinds.registry import kind_named, kind_of
from leadline.kinds.scoring import IdenticalIds, scored_as, with_options
from leadline.metrics.ranking import NoRelevant

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

    Where some queries are judged, those without judgements are left out, and counted in `built`.

    `benchmark.json` gives name, kind, `built_by`, metrics and source; without it the benchmark
    is named like the folder, and of the kind that the facets of its queries tell: then the user's
    own, for nobody publishes these facets. Else it is a `ranking` in the published layout of BEIR.
    `"ranked": true` in it says that candidates.jsonl holds the order of a first stage.

    split     which file of `qrels` judges
    metadata  put the facets of each document before its text, so that systems see them
    identical_ids, no_relevant
              as `protocol.scored_as` takes them

    Raises InputError that names what is missing, broken, or does not fit together.
    """
    folder, unjudged = _judged(read_folder(path, split, metadata=metadata))
    where = Path(path) / "benchmark.json"
    named = _string(folder.settings, "kind", where)
    kind = kind_named(named) if named else kind_of(folder.queries)
    name = _name(folder.settings, where) or Path(path).resolve().name
    measured = kind.measured(_strings(folder.settings, "metrics", where))
    # Modes are compared at one depth, however few documents a run is asked for.
    compared = max((each.depth for each in measured["metrics"]), default=0)
    made = Benchmark(
        name=name if split == "test" else with_options(name, split=split),
        corpus=folder.corpus,
        queries=folder.queries,
        qrels=folder.qrels,
        candidates=folder.candidates,
        source=_string(folder.settings, "source", where),
        notes=tuple(_strings(folder.settings, "notes", where)),
        built_by=_string(folder.settings, "built_by", where)
        or ("published" if kind.name == "ranking" else "own"),
        depth=_whole_number(folder.settings, "depth", where) or compared or None,
        ranked=_yes_or_no(folder.settings, "ranked", where),
        built=_counted(_built(folder.settings, where), unjudged),
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
    """Return the benchmark in a folder, or those in the folders inside it.

    A folder of parts is what `leadline synthesize implicit-facts` and `leadline check` write, or
    a collection in parts, such as CQADupStack. Options are those of `build`.

    Raises what `build` raises.
    """
    path = unzipped(Path(path))
    folders = folders_in(path)
    made = [
        build(each, split=split, identical_ids=identical_ids, no_relevant=no_relevant)
        for each in folders
    ]
    if len({each.kind for each in made}) == 1:
        whole = path.resolve().name
        return [
            each if folder == path or is_file(folder / "benchmark.json")
            else replace(each, name=_in_whole(whole, each.name))
            for folder, each in zip(folders, made, strict=True)
        ]  # fmt: skip
    return made


def folders_in(path: str | Path) -> list[Path]:
    """Return the benchmark folders inside a folder; the folder itself where it is one."""
    path = unzipped(Path(path))
    if queries_file(path):
        return [path]
    settled = sorted(each.parent for each in path.glob("*/benchmark.json"))
    return settled or sorted(each for each in path.glob("*") if queries_file(each)) or [path]


def _in_whole(whole: str, name: str) -> str:
    """Return `whole:options/part` for the name `part:options`."""
    part, colon, options = name.partition(":")
    return f"{whole}{colon}{options}/{part}"


def write(path: str | Path, benchmark: Benchmark, *, refer: bool = False) -> None:
    """Write a benchmark as a folder from which `build` makes it again.

    refer  name the file of a large corpus instead of copying it; see `files.referred`

    The same benchmark gives the same bytes: nothing of the day or the machine is written.
    Raises InputError for an id that the format cannot hold, and when a file cannot be written.
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
    write_folder(
        path,
        Folder(
            benchmark.corpus, benchmark.queries, benchmark.qrels, benchmark.candidates, settings
        ),
        refer=refer,
    )


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
    return replace(folder, queries=kept, candidates=candidates), len(unjudged)


def _counted(built: dict[str, Any], unjudged: int) -> dict[str, Any]:
    if not unjudged:
        return built
    return {**built, "dropped": {**built.get("dropped", {}), WITHOUT_JUDGEMENT: unjudged}}


def _name(settings: Mapping[str, Any], where: Path) -> str:
    """Return the name, which becomes the name of a folder beside the report."""
    name = _string(settings, "name", where)
    if len(name) > _LONGEST_NAME or name.partition("/")[0] in _TAKEN:
        raise InputError(
            f"{where}: 'name' must have at most {_LONGEST_NAME} characters and be none of "
            f"{', '.join(_TAKEN)}, got {name[:60]!r}."
        )
    return name


def _built(settings: Mapping[str, Any], where: Path) -> dict[str, Any]:
    """Return what else the settings say of how it was built; the counts that pages show fit."""
    built = {key: value for key, value in settings.items() if key not in _OWN}
    for key in ("considered", "kept"):
        if built.get(key) is not None and not _is_count(built[key]):
            raise InputError(f"{where}: {key!r} must be a count, got {str(built[key])[:60]!r}.")
    dropped = built.get("dropped", {})
    if not isinstance(dropped, dict) or not all(map(_is_count, dropped.values())):
        raise InputError(
            f"{where}: 'dropped' must give a count for each reason, got {str(dropped)[:60]!r}."
        )
    return built


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MOST_COUNTED


def _string(settings: Mapping[str, Any], key: str, where: Path) -> str:
    value = settings.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{where}: {key!r} must be a string, got {value!r}.")
    return value


def _whole_number(settings: Mapping[str, Any], key: str, where: Path) -> int | None:
    value = settings.get(key)
    if value is not None and (type(value) is not int or value < 1):
        raise InputError(f"{where}: {key!r} must be a whole number from 1, got {value!r}.")
    return value


def _yes_or_no(settings: Mapping[str, Any], key: str, where: Path) -> bool:
    value = settings.get(key, False)
    if not isinstance(value, bool):
        raise InputError(f"{where}: {key!r} must be true or false, got {value!r}.")
    return value


def _strings(settings: Mapping[str, Any], key: str, where: Path) -> list[str]:
    values = settings.get(key, [])
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        what = "names" if key == "metrics" else "sentences"
        raise InputError(f"{where}: {key!r} must be a list of {what}, got {values!r}.")
    return values
