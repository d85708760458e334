"""Probes of a corpus: what the builder of each kind makes of it, or left in the cache."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from leadline import progress
from leadline.benchmark import Benchmark
from leadline.benchmarks.protocol import own_documents
from leadline.errors import unknown
from leadline.kinds.kind import Kind, Probe
from leadline.kinds.pools import harvest
from leadline.kinds.registry import is_own, kind_or_ranking, kinds
from leadline.probes.kept import keep_probe, kept_at, kept_probe
from leadline.results.folder import benchmark_folder
from leadline.synthesis.vetting import Reader
from leadline.systems.chains import enricher_named
from leadline.types import LLM, Corpus, Qrels, Query

LIMIT = 200


def default_probes() -> list[str]:
    """Return the names of the kinds whose probes are built unless others are named."""
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
    reader: LLM | None = None,
) -> list[Benchmark]:
    """Build probes from a corpus by rules; one that found nothing has no queries.

    Words are counted once for all of them. A probe that was built of the same corpus with the
    same options by the same rules comes from the cache.

    probes  names of kinds, None for those built by default
    reader  a language model that reads the cases of those builders that take one, which are not
            kept; None: nobody reads them
    """
    wanted = {name: _known(name) for name in probes or default_probes()}
    counted = {each for _, probe in wanted.values() for each in probe.counts}
    given = {
        "queries": queries, "qrels": qrels, "seed": seed, "limit": limit, "source": source,
    }  # fmt: skip
    harvested = cache(partial(harvest, corpus, seed=seed, **dict.fromkeys(counted, True)))
    built, kept = [], []
    for kind, probe in wanted.values():
        benchmark, was_kept = _built(kind, probe, corpus, given, harvested, reader)
        made = [id for id in benchmark.corpus if id not in corpus]
        built.append(dataclasses.replace(benchmark, made=made, excluded=own_documents(benchmark)))
        kept += [kind.name] * was_kept
    if kept:
        progress.say(f"Probes from the cache: {', '.join(kept)}.")
    return built


def _known(name: str) -> tuple[Kind, Probe]:
    known = {kind.name: (kind, kind.probe) for kind in kinds() if kind.probe}
    if name not in known:
        raise unknown("probe", name, known, f"There are {', '.join(known)}.")
    return known[name]


def _built(
    kind: Kind,
    probe: Probe,
    corpus: Corpus,
    given: Mapping[str, Any],
    harvested: Callable[[], Any],
    reader: LLM | None,
) -> tuple[Benchmark, bool]:
    """Return the probe of a kind, and whether it was kept.

    The builder is called with what it takes by name. What a kind of the user's builds is not kept,
    since nothing tells when it changes.
    """
    build = probe.builder
    if isinstance(build, str):
        build = _imported(build)
    taken = inspect.signature(build).parameters
    options = {name: value for name, value in given.items() if name in taken}
    is_read = reader is not None and "reader" in taken
    path = kept_at(corpus, kind, options) if is_own(kind) and not is_read else None
    if path is not None and (kept := kept_probe(path, corpus)) is not None:
        return kept, True
    if is_read and reader is not None:
        options["reader"] = Reader(reader)
    if "harvested" in taken:
        options["harvested"] = harvested
    if probe.reads_with and "enricher" in taken:
        options["enricher"] = enricher_named(probe.reads_with)
    benchmark: Benchmark = build(corpus, **options)
    if path is not None:
        keep_probe(path, benchmark, corpus)
    return benchmark, False


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
    from leadline.benchmarks.folder import write

    for probe in probes:
        write(benchmark_folder(out, probe.name), probe, refer=True)
