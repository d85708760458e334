"""What might mend a chain: other options of its stages, stages around it, a second search."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os.path import relpath
from pathlib import Path

from leadline.errors import LeadlineError
from leadline.files.paths import user_path
from leadline.retrievers.ordering.fusion import fuse
from leadline.system import System
from leadline.systems.catalog import ROWS
from leadline.systems.chains import load_system
from leadline.systems.registry import build_of
from leadline.systems.spec import Stage, is_path, parse, written

_ENCODERS = ("dense", "late_interaction", "sparse")
_NEGATION = "en_but_not"
_LONG = "512"


@dataclass(frozen=True)
class Proposal:
    """A change that may help.

    why     what it is meant to mend, in words
    chains  one chain; or several, whose rankings are joined
    cheap   whether it is another option only, which costs no further stage or index
    """

    why: str
    chains: tuple[str, ...]
    cheap: bool = False

    @property
    def name(self) -> str:
        """The chain as typed; several are joined by `&`."""
        return " & ".join(self.chains)

    def yaml(self, folder: Path = Path()) -> str:
        """Return the content of a system file in `folder` that runs it.

        Paths of files in a chain are made to start at the folder, as a system file reads them.
        """
        chains = [_seen_from(folder, chain) for chain in self.chains]
        quoted = [json.dumps(chain, ensure_ascii=False) for chain in chains]  # YAML reads it
        if len(quoted) == 1:
            return f"# {self.why}\nchain: {quoted[0]}\n"
        members = "".join(f"    - {chain}\n" for chain in quoted)
        return f"# {self.why}\nfusion:\n  systems:\n{members}"

    def system(self, depth: int = 100) -> System:
        """Build the system.

        Raises InputError or MissingExtraError when it cannot run here.
        """
        if len(self.chains) == 1:
            return load_system(self.chains[0], depth=depth)
        members = [load_system(chain, depth=depth) for chain in self.chains]
        return System(fuse(members), depth=depth, name=self.name)


def proposals(chain: str) -> list[Proposal]:
    """Return changes of a chain that Leadline can make, the smallest first, each once."""
    found: dict[tuple[str, ...], Proposal] = {}
    for each in _changes(chain):
        if each.chains != (chain,):
            found.setdefault(each.chains, each)
    return list(found.values())


def runnable(found: list[Proposal]) -> tuple[list[tuple[Proposal, System]], dict[str, str]]:
    """Return those that can be built here, and why others cannot."""
    built, lacking = [], {}
    for each in found:
        try:
            built.append((each, each.system()))
        except LeadlineError as error:
            lacking[each.name] = str(error)
    return built, lacking


def _seen_from(folder: Path, chain: str) -> str:
    return written([
        replace(stage, name=f"./{relpath(user_path(stage.name), folder)}")
        if is_path(stage.name)
        else stage
        for stage in parse(chain)
    ])  # fmt: skip


def _changes(chain: str) -> Iterator[Proposal]:
    stages = parse(chain)
    for place, stage in enumerate(stages):
        for why, changed in _of_stage(stage):
            chain_so = written([*stages[:place], changed, *stages[place + 1 :]])
            yield Proposal(why, (chain_so,), cheap=True)
    names = {stage.name for stage in stages}
    if "by_condition" not in names:
        yield Proposal("score each condition of a query by itself", (f"{chain}+by_condition",))
    if "by_attribute" not in names:
        yield Proposal("follow restrictions on length, language and source",
                       (f"{chain}+by_attribute",))  # fmt: skip
    if "facts" not in names:
        yield Proposal("derive dates, amounts and places at index time", (f"facts+{chain}",))
    for other in ("bm25", "minilm"):
        if other not in names and "hybrid" not in names:
            yield Proposal(f"join its ranking with that of {other}", (chain, other))


def _of_stage(stage: Stage) -> Iterator[tuple[str, Stage]]:
    """Yield the options of one stage that may be at fault, or may help."""
    if is_path(stage.name) or stage.name == "endpoint":
        return
    for option in stage.options:
        rest = {name: value for name, value in stage.options.items() if name != option}
        yield f"take back {option}={stage.options[option]}", replace(stage, options=rest)
    runs = ROWS[stage.name].stage if stage.name in ROWS else stage.name
    known = _options_of(runs)
    if "stopwords" in known and stage.options.get("stopwords") not in ("none", _NEGATION):
        yield "index `no` and `not` too", _with(stage, stopwords=_NEGATION)
        yield "index every word", _with(stage, stopwords="none")
    if runs in _ENCODERS and "max_length" in known and "max_length" not in stage.options:
        yield "read more of long documents", _with(stage, max_length=_LONG)


def _with(stage: Stage, **options: str) -> Stage:
    return replace(stage, options={**stage.options, **options})


def _options_of(name: str) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(build_of(name)).parameters)
    except LeadlineError:
        return frozenset()
