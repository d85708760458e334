"""check, the main job: build probes from a corpus, run systems on them, write one report."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leadline import evaluation, progress
from leadline.benchmark import Benchmark
from leadline.checking.probes import (
    LIMIT,
    By,
    build_probes,
    default_probes,
    left_out_of,
    stand_ins,
    write_probes,
)
from leadline.data.documents import read_with_fields, sampled, unzipped
from leadline.data.folder import (
    qrels_files,
    query_files,
    read_beir_qrels,
    read_queries,
)
from leadline.data.locks import holding
from leadline.data.writing import output_folder
from leadline.errors import InputError
from leadline.evaluation import cannot_be_asked, measure
from leadline.kinds.benchmark_folder import write
from leadline.kinds.registry import kind_or_ranking
from leadline.report import REFERENCE, NotMeasured, Report
from leadline.report.outcome import Outcome
from leadline.report.page import write_report
from leadline.system import System
from leadline.systems.adapters import as_system
from leadline.systems.benchmarks import load_benchmarks
from leadline.systems.chains import load_system
from leadline.systems.chunks import Chunks
from leadline.types import LLM, Corpus, Qrels, Query

if TYPE_CHECKING:
    from leadline.llm.pipeline.steps import Models

__all__ = [
    "LIMIT",
    "build_probes",
    "check",
    "default_probes",
    "evaluate",
    "load_systems",
    "write_probes",
]


@holding()
def check(
    corpus: Corpus | str | Path,
    systems: Any = ("bm25",),
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    probes: Sequence[str] | None = None,
    metadata: bool = False,
    text_field: str = "",
    title_field: str = "",
    strict: bool = False,
    sample: int | None = None,
    out: str | Path | None = None,
    limit: int = LIMIT,
    seed: int = 0,
    compress_runs: bool = False,
    llm: str | LLM | Models | None = None,
    by: By = "model",
    reference: bool = True,
    command: str = "",
) -> Outcome:
    """Build probes from a corpus, run systems on them, and report where they break.

    Args:
        corpus: Documents, or the path of a CORPUS.
        systems: Systems, their names, encoders, rerankers or functions (see `as_system`); one
            alone needs no list.
        queries: The user's own queries; without them those of a BEIR folder, or else short ones
            made from titles and phrases.
        qrels: Judgements of those queries; a query without any is skipped and counted.
        probes: Names of kinds; None for those that are built by default.
        metadata: With the other three, how a path is read; see `read_with_fields`.
        text_field: The field that holds the text.
        title_field: The field that holds the title.
        strict: Refuse a folder with a file that cannot be read.
        sample: Look at so many documents, drawn by the seed; None: at all.
        out: Folder for the probes, runs, scores, report.json and report.html; None: nowhere.
        limit: Most topics of a probe.
        seed: Of every random choice.
        compress_runs: Write run files as `.trec.gz`.
        llm: A language model, or its name, that writes the tests and reads them; as `Models` one
            that writes and another that reads; None: rules build all.
        by: `rules`: rules build the tests, and the model only reads them.
        reference: Also run bm25, marked as a reference, where it is not among the systems.
        command: How this was called, for the report.

    Raises InputError when corpus, systems or options cannot be used.
    """
    if limit < 1:
        raise InputError(f"limit must be at least 1, got {limit}.")
    loaded = load_systems(systems)
    folder = output_folder(out) if out is not None else None
    name = str(corpus) if isinstance(corpus, str | Path) else "corpus"
    source = Path(corpus) if isinstance(corpus, str | Path) else None
    if isinstance(corpus, str | Path):
        queries, qrels = own_queries(corpus, queries, qrels)
        corpus = read_with_fields(
            corpus, text=text_field, title=title_field, metadata=metadata, strict=strict
        )
    documents = len(corpus)
    if sample is not None:
        corpus, qrels = sampled(corpus, sample, seed, queries, qrels)
    built = build_probes(
        corpus, probes, queries=queries, qrels=qrels, limit=limit, seed=seed, source=name,
        models=models_of(llm), by=by, out=folder,
    )  # fmt: skip
    for probe in built:
        if told := left_out_of(probe):
            progress.say(told)
    usable = [probe for probe in built if probe.queries]
    if not usable:
        raise InputError(nothing_built(name, built))
    for probe in built:
        if not probe.queries:
            progress.warn(f"Probe {probe.name} could not be built: {_why(probe)}.")
    for step in what_would_help(built, corpus, limit, own=bool(queries)):
        progress.warn(step)
    skip = cannot_be_asked(loaded, usable)
    instead = in_place_of_skipped(usable, skip, corpus)
    built, usable = [*built, *instead], [*usable, *instead]
    progress.say(_begins(name, documents, corpus, usable, loaded))
    if len(skip) == len(loaded) * len(usable):
        raise InputError(nothing_to_ask(loaded, usable))
    for skipped, why in dict.fromkeys((each.benchmark, each.why) for each in skip):
        without = ", ".join(each.system for each in skip if each.benchmark == skipped)
        progress.warn(f"{skipped} is not asked of {without}: {why}.")
    for probe in instead:
        progress.warn(f"{probe.name} is asked instead: {_caution(probe)}.")
    if folder is not None:
        write_probes(folder, usable)
    outcome = measure(
        loaded, usable, out=folder, seed=seed, skip=skip, compress_runs=compress_runs,
        reference=reference_for(loaded, usable) if reference else None,
    )  # fmt: skip
    if folder is not None:
        facts = _facts(name, corpus, limit, seed, built) | _queries_used(queries, qrels)
        if len(corpus) < documents:
            facts["documents"] = f"a sample of {len(corpus):,} of {documents:,}"
        write_report(
            folder,
            outcome,
            title=f"How deep does search go in {Path(name).resolve().name}?",
            command=command or _call(name, loaded),
            facts=facts,
            source=source,
        )
    return outcome


def evaluate(
    system: Any,
    benchmark: Benchmark | str | Path,
    *,
    data: str | Path | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Report:
    """Run one system on one benchmark and score the run with its metrics.

    Args:
        system: A system, its name, an encoder, a reranker or a function (see `as_system`).
        benchmark: A benchmark, or the name or folder of one.
        data: Folder with a published benchmark in its published layout.
        limit: Most topics, the first ones, with all their variants.
        seed: Of the bootstrap intervals.

    Raises InputError when either cannot be loaded, a name stands for several benchmarks, or
    queries, judgements and documents do not fit together.
    """
    if not isinstance(benchmark, Benchmark):
        name = str(benchmark)
        found = load_benchmarks(name, data=None if data is None else Path(data))
        if len(found) > 1:
            parts = ", ".join(each.name for each in found[:4])
            raise InputError(
                f"{name} stands for {len(found)} benchmarks ({parts}{', ...' * (len(found) > 4)}). "
                "Name one of them."
            )
        benchmark = found[0]
    (loaded,) = load_systems([system])
    return evaluation.evaluate(loaded, benchmark, limit=limit, seed=seed)


@holding()
def synthesize(
    kind: str,
    corpus: Corpus | str | Path,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    llm: str | LLM | Models | None = None,
    out: str | Path | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> Benchmark:
    """Build a benchmark of a kind from documents, by rules or with a language model.

    Args:
        kind: Its name, such as `conditions`.
        corpus: Documents, or the path of a CORPUS.
        queries: The user's own queries, for kinds that take some.
        qrels: Judgements of these.
        llm: A language model, or its name, that writes and reads; None: rules build all.
        out: Benchmark folder that is written; None: nowhere.
        limit: Most topics.
        seed: Of every random choice.

    Raises InputError when nothing can be built.
    """
    name = str(corpus) if isinstance(corpus, str | Path) else "corpus"
    documents = read_with_fields(corpus) if isinstance(corpus, str | Path) else corpus
    folder = None if out is None else output_folder(out)
    (made,) = build_probes(
        documents, [kind], queries=queries, qrels=qrels, limit=limit, seed=seed, source=name,
        models=models_of(llm), out=folder,
    )  # fmt: skip
    if not made.queries:
        raise InputError(nothing_built(name, [made]))
    if folder is not None:
        write(folder, made)
    return made


def own_queries(
    corpus: str | Path, queries: Sequence[Query] = (), qrels: Qrels | None = None
) -> tuple[Sequence[Query], Qrels | None]:
    """Return the user's queries and judgements: given ones, or else those in a corpus folder.

    Judgements of several splits are joined; those in the folder are never of given queries.
    Raises InputError when a file is broken, or the judgements fit no query.
    """
    if not queries:
        folder = unzipped(Path(corpus))
        files = query_files(folder)
        if not files:
            if qrels is not None:
                raise InputError("--qrels judges the queries of --queries FILE, which is missing.")
            return (), None
        queries = list({each.id: each for path in files for each in read_queries(path)}.values())
        qrels = _judgements(folder) if qrels is None else qrels
    if qrels and not any(query.id in qrels for query in queries):
        raise InputError(
            f"None of the queries is judged: the first is {queries[0].id!r}, and the judgements "
            f"begin with {next(iter(qrels))!r}. Do both come from the same collection?"
        )
    return queries, qrels


def _judgements(folder: Path) -> Qrels | None:
    joined: dict[str, dict[str, int]] = {}
    splits = qrels_files(folder)
    for split in splits.values():
        for query_id, grades in read_beir_qrels(split).items():
            joined.setdefault(query_id, {}).update(grades)
    return joined if splits else None


def _begins(
    name: str,
    documents: int,
    corpus: Corpus,
    probes: Sequence[Benchmark],
    systems: Sequence[System],
) -> str:
    """Say how much there is to do before systems run."""
    count = f"{documents:,} documents"
    if len(corpus) < documents:
        count = f"a sample of {len(corpus):,} of {count}: fewer rivals, so figures look better"
    asked = " and ".join(f"{len(probe.queries):,} of {probe.name}" for probe in probes)
    names = ", ".join(system.name for system in systems)
    return f"{name}: {count}; queries: {asked}; for each of {names}."


def _queries_used(queries: Sequence[Query], qrels: Qrels | None) -> dict[str, str]:
    """Say that the user's own queries were asked, and how many of them could not be."""
    if not queries:
        return {}
    told = f"{len(queries):,}"
    if qrels is not None and (without := sum(not qrels.get(query.id) for query in queries)):
        told += f", of which {without:,} have no judgement and were skipped"
    return {"own queries": told}


def in_place_of_skipped(
    probes: Sequence[Benchmark], skip: Sequence[NotMeasured], corpus: Corpus
) -> list[Benchmark]:
    """Return probes of real documents in place of those that some system cannot be asked."""
    names = {probe.name for probe in probes}
    skipped = {each.benchmark for each in skip}
    found = stand_ins([probe for probe in probes if probe.name in skipped], corpus)
    return [probe for probe in found if probe.name not in names]


def nothing_to_ask(systems: Sequence[System], probes: Sequence[Benchmark]) -> str:
    """Say why none of the systems can be asked any of the probes, and what would help."""
    names = ", ".join(system.name for system in systems)
    return (
        f"{names} searches an index of its own, and {', '.join(probe.name for probe in probes)} "
        "asks about edited copies of documents, which are not in it. Ask for --probe rephrasings, "
        "position or neighbours, or say in the description of a service how it takes documents "
        "(ingest and remove)."
    )


def load_systems(systems: Any, depth: int = 100, chunks: Chunks | None = None) -> list[System]:
    """Return the systems, loading those that are named, with a first stage of `depth` documents.

    chunks  how ids of chunks are those of documents, see `as_system`

    Raises InputError when there is none, or two go by one name.
    """
    given = list(systems) if isinstance(systems, list | tuple) else [systems]
    loaded = [
        load_system(each, depth=depth, chunks=chunks) if isinstance(each, str)
        else each if isinstance(each, System) else as_system(each, depth=depth, chunks=chunks)
        for each in given
    ]  # fmt: skip
    if not loaded:
        raise InputError("No system to run: name at least one, for example bm25.")
    names = [system.name for system in loaded]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"System {name!r} is named twice.")
    return loaded


_LARGE = 100_000  # documents from which it is said what a reference costs


def reference_for(systems: Sequence[System], benchmarks: Sequence[Benchmark]) -> System | None:
    """Return bm25 as a system that only shows what figures are usual; None where it runs anyway."""
    bm25 = load_system("bm25", depth=systems[0].depth)
    if bm25.name in {system.name for system in systems}:
        return None
    documents = sum(len(each.corpus) for each in benchmarks)
    if documents >= _LARGE:
        progress.say(
            f"bm25 runs too, as a reference: {documents:,} documents, about "
            f"{max(1, round(documents / 300_000))} min. --no-reference leaves it out."
        )
    return dataclasses.replace(bm25, name=bm25.name + REFERENCE)


def models_of(llm: str | LLM | Models | None) -> Models | None:
    """Return who writes and who reads: one model does both, unless two are given."""
    from leadline.llm.opening import effort_of, open_model
    from leadline.llm.pipeline.steps import Models

    if llm is None or isinstance(llm, Models):
        return llm
    model = open_model(llm) if isinstance(llm, str) else llm
    return Models(model, model, effort=effort_of(model))


def _why(probe: Benchmark) -> str:
    dropped = probe.built.get("dropped", {})
    return ", ".join(f"{count} {why}" for why, count in dropped.items()) or "none"


_FEW = 30  # topics of a probe below which it is said what would give more
_TRIED = 25  # documents for which other probes are tried, to say what they would give


def what_would_help(
    built: Sequence[Benchmark], corpus: Corpus, limit: int, *, own: bool
) -> list[str]:
    """Say what gives more topics where some probe has few, the surest first; `own`: queries."""
    topics = {probe.name: len({query.topic for query in probe.queries}) for probe in built}
    few = {name: count for name, count in topics.items() if count < min(_FEW, limit)}
    if not few:
        return []
    found = ", ".join(f"{count} of {name}" for name, count in few.items())
    steps = [f"Few topics came of these documents: {found}. What gives more:"]
    if not own:
        steps.append("- your own queries: --queries FILE (and --qrels FILE)")
    if not any("writer" in probe.built for probe in built):
        steps.append("- tests written by a language model: --llm MODEL")
    unread = (each.name in few and each.built.get("considered", 0) < len(corpus) for each in built)
    if not own and any(unread):
        steps.append(f"- a larger --limit: it is {limit}, and not all documents were read")
    drawn = dict(islice(corpus.items(), _TRIED))
    for name in ("conditions", "rephrasings", "position", "instructions"):
        if name not in topics:
            (probe,) = build_probes(drawn, [name], limit=_TRIED)
            count = len({query.topic for query in probe.queries})
            if count:
                about = min(limit, round(count * len(corpus) / len(drawn)))
                steps.append(f"- another test: --probe {name} (about {about} topics)")
    return steps


def nothing_built(name: str, probes: Sequence[Benchmark]) -> str:
    """Say why no probe came of a corpus, and what would help."""
    reasons = [f"{probe.name}: {_why(probe)}" for probe in probes]
    return (
        f"No probe could be built from {name} ({'; '.join(reasons)}). "
        "Tests need documents of a few whole sentences, or records with fields. You can bring "
        "your own queries (--queries FILE)."
    )


def _facts(
    name: str, corpus: Corpus, limit: int, seed: int, built: Sequence[Benchmark]
) -> dict[str, str]:
    facts = {
        "corpus": name,
        "documents": f"{len(corpus):,}",
        "topics a probe, at most": str(limit),
        "seed": str(seed),
    }
    for probe in built:
        if "read" in probe.built:
            facts[f"{probe.name}, read by"] = _read_by(probe)
    empty = [probe.name for probe in built if not probe.queries]
    if empty:
        facts["probes that found nothing to ask"] = ", ".join(empty)
    for benchmark in built:
        if benchmark.queries and (caution := _caution(benchmark)):
            facts[benchmark.name] = caution
    return facts


def _read_by(probe: Benchmark) -> str:
    """Say who read the cases of a probe, and how well that model read what code knows."""
    tried = probe.built.get("reader trial", {})
    if not probe.built.get("read", True):
        told = "no model (not read): checked by code alone"
    else:
        told = probe.built.get("reader") or probe.built.get("verifier") or "the model"
    if not tried:
        return told
    return (
        f"{told}. {tried['model']} on {tried['pairs']} pairs that code knows: found "
        f"{tried['hits']:.0%} of true ones, took {tried['false alarms']:.0%} of false ones for true"
    )


def _caution(probe: Benchmark) -> str:
    how = kind_or_ranking(probe.kind).probe
    return how.caution if how else ""


def _call(name: str, systems: Sequence[System]) -> str:
    named = " ".join(f"-s {shlex.quote(system.name)}" for system in systems)
    return f"leadline check {shlex.quote(name)} {named}"
