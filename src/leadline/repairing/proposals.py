"""Changes that may repair a chain: other options, further stages, a second search."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from os.path import relpath
from pathlib import Path

from leadline.data.paths import is_file, is_folder, user_path
from leadline.errors import LeadlineError
from leadline.retrievers.parts.rankings import fuse
from leadline.system import System
from leadline.systems.catalog import ROWS, build_of
from leadline.systems.chains import load_system, members_in, without_depth
from leadline.systems.chunks import Chunks
from leadline.systems.spec import Stage, is_path, parse, written

_NEGATION = "en_but_not"
_READ = {
    "dense": {"max_length": ("512", "read more of long documents and queries")},
    "sparse": {"max_length": ("512", "read more of long documents and queries")},
    "late_interaction": {
        "document_length": ("512", "read more of long documents"),
        "query_length": ("128", "read more of long queries"),
    },
}
"""Options by which an encoder reads more: option -> tokens to try, and why."""
_PAIRS = ("cross_encoder", "true_false", "sequence_to_sequence")
DEPTH = 100


class Cost(IntEnum):
    """What a change needs. Cheaper changes are recommended first."""

    OPTION = 0
    STAGE = 1


@dataclass(frozen=True)
class Proposal:
    """A change that may help.

    why     what it should improve, in words
    chains  one chain, or several whose rankings are fused
    cost    whether it changes only an option, or adds a stage or a search
    depth   documents that the first stage finds
    """

    why: str
    chains: tuple[str, ...]
    cost: Cost = Cost.STAGE
    depth: int = DEPTH

    @property
    def name(self) -> str:
        """The chain as typed. Several are joined by `&`."""
        return " & ".join(self.chains) + (f"@{self.depth}" if self.depth != DEPTH else "")

    def yaml(self, folder: Path = Path()) -> str:
        """Return the content of a system file in `folder` that runs it.

        Paths in the chain are made relative to that folder.
        """
        chains = [_seen_from(folder, chain) for chain in self.chains]
        quoted = [json.dumps(chain, ensure_ascii=False) for chain in chains]  # YAML reads it
        depth = f"depth: {self.depth}\n" if self.depth != DEPTH else ""
        if len(quoted) == 1:
            return f"# {self.why}\nchain: {quoted[0]}\n{depth}"
        members = "".join(f"    - {chain}\n" for chain in quoted)
        return f"# {self.why}\nfusion:\n  systems:\n{members}{depth}"

    def system(self, chunks: Chunks | None = None) -> System:
        """Build the system. Raises InputError or MissingExtraError if it cannot run here."""
        if len(self.chains) == 1:
            return load_system(self.name, chunks=chunks)
        members = [load_system(chain, depth=self.depth, chunks=chunks) for chain in self.chains]
        return System(fuse(members), depth=self.depth, name=self.name)


def proposals(chain: str) -> list[Proposal]:
    """Return the changes that Leadline can make to a chain, the smallest first, each once.

    The chains inside a system file are changed like a typed chain. Raises InputError if the file
    cannot be read.
    """
    chain, own = without_depth(chain)
    members, depth = _members(chain)
    found: dict[tuple[str, ...], Proposal] = {}
    for each in _changes(chain, members):
        if each.chains not in ((chain,), members):
            found.setdefault(each.chains, replace(each, depth=own or depth or DEPTH))
    return list(found.values())


def asked_for(chain: str) -> Proposal:
    """Return a system that the user names as a proposal."""
    chain, own = without_depth(chain)
    return Proposal("asked for", (chain,), depth=own or DEPTH)


def runnable(
    found: list[Proposal], chunks: Chunks | None = None
) -> tuple[list[tuple[Proposal, System]], dict[str, str]]:
    """Return the proposals that can be built here, and why the others cannot."""
    built, lacking = [], {}
    for each in found:
        try:
            built.append((each, each.system(chunks)))
        except LeadlineError as error:
            lacking[each.name] = str(error)
    return built, lacking


def _seen_from(folder: Path, chain: str) -> str:
    def seen(path: str) -> str:
        return f"./{relpath(user_path(path), folder)}"

    return _with_paths(chain, seen)


def _with_paths(chain: str, moved: Callable[[str], str], folder: Path = Path()) -> str:
    """Return the chain with changed paths of its files and model folders.

    folder  where paths in the chain start
    """
    return written([
        replace(stage, name=moved(stage.name)) if is_path(stage.name)
        else replace(stage, model=moved(stage.model))
        if stage.model and is_folder(folder / stage.model)
        else stage
        for stage in parse(chain)
    ])  # fmt: skip


def _members(chain: str) -> tuple[tuple[str, ...], int | None]:
    """Return the chain itself, or those in a system file with the depth that the file gives."""
    if not chain.endswith((".yaml", ".yml")) or not is_file(user_path(chain)):
        return (chain,), None
    path = user_path(chain)
    inside, depth = members_in(path)

    def seen(inner: str) -> str:
        return str(path.parent / user_path(inner))

    return tuple(_with_paths(each, seen, path.parent) for each in inside) or (chain,), depth


def _changes(chain: str, members: tuple[str, ...]) -> Iterator[Proposal]:
    """Yield changes of a chain, including other options of the chains that its file fuses."""
    for place, member in enumerate(members):
        for why, changed in _with_other_options(member):
            chains = (*members[:place], changed, *members[place + 1 :])
            yield Proposal(why, chains, cost=Cost.OPTION)
    names = {stage.name for member in members for stage in parse(member)}
    if "by_condition" not in names:
        yield Proposal("score each condition of a query separately", (f"{chain}+by_condition",))
    if "by_attribute" not in names:
        yield Proposal("follow restrictions on length, language and source",
                       (f"{chain}+by_attribute",))  # fmt: skip
    if "facts" not in names:
        yield Proposal("derive dates, amounts and places at index time", (f"facts+{chain}",))
    for other in ("bm25", "minilm"):
        if other not in names and "hybrid" not in names:
            yield Proposal(f"join its ranking with that of {other}", (chain, other))


def _with_other_options(chain: str) -> Iterator[tuple[str, str]]:
    stages = parse(chain)
    for place, stage in enumerate(stages):
        for why, changed in _of_stage(stage):
            yield why, written([*stages[:place], changed, *stages[place + 1 :]])


def _of_stage(stage: Stage) -> Iterator[tuple[str, Stage]]:
    """Yield other options of one stage that may help."""
    if is_path(stage.name) or stage.name == "endpoint":
        return
    for option in stage.options:
        rest = {name: value for name, value in stage.options.items() if name != option}
        yield f"take back {option}={stage.options[option]}", replace(stage, options=rest)
    row = ROWS.get(stage.name)
    runs = row.stage if row else stage.name
    known = _options_of(runs)
    if "stopwords" in known and stage.options.get("stopwords") not in ("none", _NEGATION):
        yield "index `no` and `not` too", _with(stage, stopwords=_NEGATION)
        yield "index every word", _with(stage, stopwords="none")
    for option, (length, why) in _READ.get(runs, {}).items():
        if option in known and option not in stage.options:
            yield why, _with(stage, **{option: length})
    yield from _of_queries(stage, runs, row.options if row else {})


def _of_queries(
    stage: Stage, runs: str, preset: Mapping[str, object]
) -> Iterator[tuple[str, Stage]]:
    """Yield options that read more of a query, if it is cut."""
    given = stage.options
    if runs == "dense" and "max_length" in given and "document_max_length" not in given:
        rest = {name: value for name, value in given.items() if name != "max_length"}
        longer = {**rest, "document_max_length": given["max_length"]}
        yield "read whole queries, and equally long documents", replace(stage, options=longer)
    if runs == "dense" and "query_max_length" in preset and "query_max_length" not in given:
        length = given.get("max_length", preset.get("max_length", preset["query_max_length"]))
        yield "read equally long queries and documents", _with(stage, query_max_length=str(length))
    length = preset.get("max_length")
    if runs in _PAIRS and isinstance(length, int) and "max_length" not in given:
        yield "read more of queries and documents", _with(stage, max_length=str(2 * length))


def _with(stage: Stage, **options: str) -> Stage:
    return replace(stage, options={**stage.options, **options})


def _options_of(name: str) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(build_of(name)).parameters)
    except LeadlineError:
        return frozenset()
