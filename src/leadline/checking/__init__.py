"""check, evaluate and synthesize: build probes from a corpus, run systems, and write a report."""

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

    `check("my-notes/", ["bm25", "minilm"], out="leadline-out").table()` returns a row for each
    system and probe.

    Args:
        corpus: Documents, or the path of a corpus.
        systems: One system or a list: systems, names, encoders, rerankers or functions, in any
            form that `as_system` takes.
        queries: Your own queries. Default: those of a BEIR folder, or short ones made from
            titles and phrases.
        qrels: Judgements of those queries. Queries without judgements are skipped.
        probes: Names of kinds. None builds the default ones.
        metadata: Give systems the metadata of documents, not only their text.
        text_field: The field of a record that holds the text.
        title_field: The field of a record that holds the title.
        strict: Raise InputError if a file of the folder cannot be read.
        sample: Use only this many documents, drawn by the seed. None uses all.
        out: Folder for probes, runs, scores, report.json and report.html. None writes nothing.
        limit: At most this many topics in each probe.
        seed: Makes every random choice repeatable.
        compress_runs: Write run files as `.trec.gz`.
        llm: A language model or its name, which writes the tests and checks them. `Models`
            names one for each. None builds by rules.
        by: With `rules`, rules build the tests and the model only checks them.
        reference: Also run bm25, marked as a reference.
        command: The command line, for the report.

    Returns:
        The reports, failing cases and notes of all systems and probes.

    Raises:
        InputError: The corpus, a system or an option cannot be used.
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
            progress.warn(f"Could not build the {probe.name} probe: {_why(probe)}.")
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
        progress.warn(f"The {skipped} probe is skipped for {without}: {why}.")
    for probe in instead:
        progress.warn(f"The {probe.name} probe is used instead: {_caution(probe)}.")
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

    `evaluate("bm25", "leadline-out/conditions").mean("Noticed")` is a mean with its interval.

    Args:
        system: A system, its name, an encoder, a reranker or a function (see `as_system`).
        benchmark: A benchmark, its name, or its folder.
        data: Folder with a published benchmark in its published layout.
        limit: Use only the first topics, with all their variants.
        seed: Makes the bootstrap intervals repeatable.

    Returns:
        The scores of the system.

    Raises:
        InputError: The system or the benchmark cannot be loaded, the name stands for several
            benchmarks, or queries, judgements and documents do not belong together.
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
        kind: The name of the kind, such as `conditions`.
        corpus: Documents, or the path of a corpus.
        queries: Your own queries, for kinds that use them.
        qrels: Judgements of those queries.
        llm: A language model or its name, which writes and checks. None builds by rules.
        out: Write the benchmark folder here. None writes nothing.
        limit: At most this many topics.
        seed: Makes every random choice repeatable.

    Returns:
        The benchmark, with at least one query.

    Raises:
        InputError: Nothing can be built. The message says why.
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
    """Return the user's queries and judgements: the given files, or else those of a corpus folder.

    Judgements of several splits are joined. Judgements in the folder never apply to given queries.
    Raises InputError if a file is broken, or no query has a judgement.
    """
    if not queries:
        folder = unzipped(Path(corpus))
        files = query_files(folder)
        if not files:
            if qrels is not None:
                raise InputError("--qrels needs the queries that it judges: --queries FILE.")
            return (), None
        queries = list({each.id: each for path in files for each in read_queries(path)}.values())
        qrels = _judgements(folder) if qrels is None else qrels
    if qrels and not any(query.id in qrels for query in queries):
        raise InputError(
            f"None of the queries has a judgement. The first query is {queries[0].id!r}, the "
            f"first judgement is of {next(iter(qrels))!r}. Do both files come from the same "
            "collection? See docs/how-to/bring-your-own-queries.md."
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
    """Print how much there is to do before systems run."""
    count = f"{documents:,} documents"
    if len(corpus) < documents:
        count = f"a sample of {len(corpus):,} of {count} (search is easier among fewer documents)"
    asked = " and ".join(f"{len(probe.queries):,} of {probe.name}" for probe in probes)
    names = ", ".join(system.name for system in systems)
    return f"{name}: {count}; queries: {asked}; systems: {names}."


def _queries_used(queries: Sequence[Query], qrels: Qrels | None) -> dict[str, str]:
    """Return a note on the user's own queries, with how many were skipped."""
    if not queries:
        return {}
    told = f"{len(queries):,}"
    if qrels is not None and (without := sum(not qrels.get(query.id) for query in queries)):
        told += f", of which {without:,} have no judgement and were skipped"
    return {"own queries": told}


def in_place_of_skipped(
    probes: Sequence[Benchmark], skip: Sequence[NotMeasured], corpus: Corpus
) -> list[Benchmark]:
    """Return probes of real documents that replace those some system cannot run."""
    names = {probe.name for probe in probes}
    skipped = {each.benchmark for each in skip}
    found = stand_ins([probe for probe in probes if probe.name in skipped], corpus)
    return [probe for probe in found if probe.name not in names]


def nothing_to_ask(systems: Sequence[System], probes: Sequence[Benchmark]) -> str:
    """Return the error if no system can run any of the probes, with what would help."""
    names = ", ".join(system.name for system in systems)
    return (
        f"{names} searches its own index. {', '.join(probe.name for probe in probes)} needs "
        "edited copies of documents, which are not in that index. Use --probe rephrasings, "
        "position or neighbours, or add `ingest` and `remove` to the description of the service. "
        "See docs/how-to/connect-an-engine.md."
    )


def load_systems(systems: Any, depth: int = 100, chunks: Chunks | None = None) -> list[System]:
    """Return the systems, each with a first stage of `depth` documents. Names are loaded.

    chunks  how to get document ids from chunk ids, see `as_system`

    Raises InputError if there is no system, or two have the same name.
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


_LARGE = 100_000  # from this many documents on, print how long the reference takes


def reference_for(systems: Sequence[System], benchmarks: Sequence[Benchmark]) -> System | None:
    """Return bm25 as the reference system, or None if it runs anyway."""
    bm25 = load_system("bm25", depth=systems[0].depth)
    if bm25.name in {system.name for system in systems}:
        return None
    documents = sum(len(each.corpus) for each in benchmarks)
    if documents >= _LARGE:
        progress.say(
            f"bm25 also runs as a reference: {documents:,} documents take about "
            f"{max(1, round(documents / 300_000))} min. Leave it out with --no-reference."
        )
    return dataclasses.replace(bm25, name=bm25.name + REFERENCE)


def models_of(llm: str | LLM | Models | None) -> Models | None:
    """Return the models that write and read: one for both, unless two are given."""
    from leadline.llm.opening import effort_of, open_model
    from leadline.llm.pipeline.steps import Models

    if llm is None or isinstance(llm, Models):
        return llm
    model = open_model(llm) if isinstance(llm, str) else llm
    return Models(model, model, effort=effort_of(model))


def _why(probe: Benchmark) -> str:
    dropped = probe.built.get("dropped", {})
    return ", ".join(f"{count} {why}" for why, count in dropped.items()) or "none"


_FEW = 30  # below this many topics, print how to get more
_TRIED = 25  # documents on which other probes are tried, to estimate their topics


def what_would_help(
    built: Sequence[Benchmark], corpus: Corpus, limit: int, *, own: bool
) -> list[str]:
    """Return advice if a probe has few topics, the most reliable first. `own`: own queries."""
    topics = {probe.name: len({query.topic for query in probe.queries}) for probe in built}
    few = {name: count for name, count in topics.items() if count < min(_FEW, limit)}
    if not few:
        return []
    found = ", ".join(f"{count} of {name}" for name, count in few.items())
    steps = [f"These documents give few topics: {found}. To get more, try"]
    if not own:
        steps.append("- your own queries: --queries FILE (and --qrels FILE)")
    if not any("writer" in probe.built for probe in built):
        steps.append("- tests written by a language model: --llm MODEL")
    unread = (each.name in few and each.built.get("considered", 0) < len(corpus) for each in built)
    if not own and any(unread):
        steps.append(f"- a larger --limit (now {limit}): not all documents were read")
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
    """Return the error if no probe could be built, with what would help."""
    reasons = [f"{probe.name}: {_why(probe)}" for probe in probes]
    return (
        f"Could not build any probe from {name} ({'; '.join(reasons)}). Tests need documents with "
        "a few whole sentences, or records with fields. You can also bring your own queries "
        "(--queries FILE)."
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
        facts["probes without queries"] = ", ".join(empty)
    for benchmark in built:
        if benchmark.queries and (caution := _caution(benchmark)):
            facts[benchmark.name] = caution
    return facts


def _read_by(probe: Benchmark) -> str:
    """Return who checked the cases of a probe, and the reader's result in its trial."""
    tried = probe.built.get("reader trial", {})
    if not probe.built.get("read", True):
        told = "no model: checked by code only"
    else:
        told = probe.built.get("reader") or probe.built.get("verifier") or "the model"
    if not tried:
        return told
    return (
        f"{told}. Trial of {tried['model']} on {tried['pairs']} pairs with known answers: it "
        f"accepted {tried['hits']:.0%} of the true ones and {tried['false alarms']:.0%} of the "
        "false ones"
    )


def _caution(probe: Benchmark) -> str:
    how = kind_or_ranking(probe.kind).probe
    return how.caution if how else ""


def _call(name: str, systems: Sequence[System]) -> str:
    named = " ".join(f"-s {shlex.quote(system.name)}" for system in systems)
    return f"leadline check {shlex.quote(name)} {named}"
