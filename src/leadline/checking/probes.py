"""Tests of a corpus: what the builder of each kind makes of it."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from leadline import progress
from leadline.benchmark import Benchmark
from leadline.data.limits import LARGEST_PAGE
from leadline.data.paths import is_file
from leadline.errors import unknown
from leadline.kinds.benchmark_folder import own_documents, write
from leadline.kinds.kind import Kind
from leadline.kinds.registry import is_own, kind_named, kind_names, kind_or_ranking, kinds
from leadline.kinds.word_rarity import harvest
from leadline.report.folder import benchmark_folder
from leadline.types import Corpus, Qrels, Query

if TYPE_CHECKING:
    from leadline.llm.pipeline.steps import Models
    from leadline.llm.run_record import LogFile, RunRecord

LIMIT = 200
By = Literal["model", "rules"]
_WRITTEN = ("conditions", "questions", "rephrasings")  # built by default if a model writes
UNFIT = (
    "It is not used as a judge: only code checks the tests, and they are marked as not read. Name "
    "another model with --verify-model. Models with 30 billion parameters and small hosted models "
    "usually pass."
)


def default_probes(*, written: bool = False) -> list[str]:
    """Return the kinds that are built by default, by rules or (`written`) by a language model."""
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
    """Return a benchmark for every probe of a corpus. One without queries found nothing to ask.

    Args:
        corpus: The documents. Their words are counted once for all probes.
        probes: Names of kinds. None builds the default ones.
        queries: The user's own queries, for kinds that use them.
        qrels: Judgements of those queries.
        limit: At most this many topics in each probe.
        seed: Makes every random choice repeatable.
        source: A description of the corpus, for the record.
        models: Language models that write tests. None builds by rules.
        by: With `rules`, rules build the tests and the models only check them.
        out: Folder for the record of the models' work. None writes nothing.
    """
    writes = models is not None and by == "model"
    wanted = [_known(name, writes) for name in probes or default_probes(written=writes)]
    counts = dict.fromkeys((each for kind in wanted if kind.probe for each in kind.probe.counts),
                           True)  # fmt: skip
    given: dict[str, Any] = {
        "queries": queries, "qrels": qrels, "seed": seed, "limit": limit, "source": source,
        "harvested": cache(partial(harvest, corpus, seed=seed, **counts)),
    }  # fmt: skip
    builders = [_builder(kind, writes) for kind in wanted]
    reader: Mapping[str, Any] = {}
    if models is not None and any("models" in _takes(build) for build in builders):
        with _recorded("check", models, given, reader, out) as (into, log):
            models, reader = _tried(corpus, models, seed, into, log)
    built = []
    for kind, build in zip(wanted, builders, strict=True):
        if models is not None and "models" in _takes(build):
            folder = None if out is None else benchmark_folder(out, kind.name)
            with _recorded(kind.name, models, given, reader, folder) as (into, log):
                asked = {**given, "models": models, "into": into, "log": log}
                probe = _with_trial(build(corpus, **_taken(build, asked)), reader)
        else:
            probe = _by_rules(corpus, build, given)
        if kind.name == "questions":
            given["questions"] = probe  # rephrasings start from its queries
        made = [id for id in probe.corpus if id not in corpus]
        built.append(dataclasses.replace(probe, made=made, excluded=own_documents(probe)))
    return built


def written(
    name: str,
    build: Callable[..., Benchmark],
    corpus: Corpus,
    models: Models,
    folder: Path | None,
    *,
    is_tried: bool = True,
    **given: Any,
) -> Benchmark:
    """Return the benchmark that models write from a corpus, after a trial of the reader.

    Args:
        name: What is built, for the record.
        build: The builder of a kind. It takes `models`, `into`, `log` and some of `given`.
        corpus: The documents.
        models: Writer and reader. A reader that fails its trial is not used.
        folder: Folder for `run.json` and the log. None writes nothing, as in a dry run.
        is_tried: False for a paper's protocol, which has no trial.
        given: Further options of the builder.
    """
    if folder is not None and models.writer is models.verifier:
        progress.say("The writer checks its own work. Name another reader with --verify-model.")
    given = {"seed": 0, "limit": LIMIT, "source": "", **given}
    reader: Mapping[str, Any] = {}
    with _recorded(name, models, given, reader, folder) as (into, log):
        if is_tried:
            models, reader = _tried(corpus, models, given["seed"], into, log)
        asked = {**given, "models": models, "into": into, "log": log}
        return _with_trial(build(corpus, **_taken(build, asked)), reader)


def left_out_of(probe: Benchmark) -> str:
    """Return how much of a model's work was left out, and why. Empty if no model took part."""
    if not probe.built.get("writer") and "reader" not in probe.built:
        return ""
    dropped: dict[str, int] = dict(probe.built.get("dropped", {}))
    dropped |= probe.built.get("conditions", {}).get("dropped", {})
    worst = sorted(dropped.items(), key=lambda each: -each[1])[:_TOLD]
    reasons = "; ".join(f"{count:,} {why}" for why, count in worst) or "nothing"
    read = "" if probe.built.get("read", True) else ", not checked by a model"
    topics = len({query.topic for query in probe.queries})
    return f"{probe.name}: {topics:,} topics{read}. Left out: {reasons}."


_TOLD = 5


def _known(name: str, writes: bool) -> Kind:
    known = {kind.name: kind for kind in kinds() if kind.probe or (writes and _writer_of(kind))}
    if name not in known:
        hint = f"There are {', '.join(known)}."
        if name in kind_names() and _writer_of(kind_named(name)):
            hint = f"{name} needs a language model. Name one with --llm. {hint}"
        raise unknown("probe", name, known, hint)
    return known[name]


def _writer_of(kind: Kind) -> Callable[..., Benchmark] | None:
    """Return the builder of a kind that uses a language model: `build` of its `by_model`."""
    name = f"leadline.kinds.{kind.name.replace('-', '_')}"
    if not is_own(kind) or not getattr(importlib.import_module(name), "__path__", None):
        return None
    if importlib.util.find_spec(f"{name}.by_model") is None:
        return None
    return _imported(f"{name}.by_model:build")


def _builder(kind: Kind, writes: bool) -> Callable[..., Benchmark]:
    writer = _writer_of(kind) if writes else None
    build = writer or (kind.probe and kind.probe.builder) or ""
    return _imported(build) if isinstance(build, str) else build


def _takes(build: Callable[..., Benchmark]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(build).parameters


def _taken(build: Callable[..., Benchmark], given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in _takes(build)}


def _by_rules(
    corpus: Corpus, build: Callable[..., Benchmark], given: Mapping[str, Any]
) -> Benchmark:
    options, source = _taken(build, given), Path(given["source"])
    is_folder = given["source"] and corpus and is_file(source / next(iter(corpus)))
    if "links" in _takes(build) and is_folder and (links := names_in_links(source, corpus)):
        options["links"] = links
    return build(corpus, **options)


def _tried(
    corpus: Corpus, models: Models, seed: int, into: RunRecord, log: LogFile | None
) -> tuple[Models, Mapping[str, Any]]:
    """Return the models that passed, with the result of the reader's trial, and print it."""
    from leadline.kinds.conditions.by_model import trials_of
    from leadline.llm.pipeline.trial import tried

    models, rates = tried(models, trials_of(corpus, seed), into, log)
    if rates is None:  # a dry run
        return models, {}
    if rates.is_fit:
        progress.say(f"{rates}.")
    else:
        progress.warn(f"{rates}. {UNFIT}")
    return models, rates.as_json()


def _with_trial(probe: Benchmark, reader: Mapping[str, Any]) -> Benchmark:
    tried = {"reader trial": reader} if reader else {}
    return dataclasses.replace(probe, built={**probe.built, **tried})


@contextmanager
def _recorded(
    name: str,
    models: Models,
    given: Mapping[str, Any],
    reader: Mapping[str, Any],
    folder: Path | None,
) -> Iterator[tuple[RunRecord, LogFile | None]]:
    """Write the record of a run and its log into a folder, even if the run fails."""
    from leadline.llm.run_record import LogFile, RunRecord

    how = {key: given[key] for key in ("seed", "limit", "source")}
    how |= {"writer": models.writer.name, "reader": models.verifier.name}
    how |= {"effort": models.effort, "read": models.reads}
    into = RunRecord(name, how | ({"reader trial": reader} if reader else {}))
    if folder is None:
        yield into, None
        return
    folder.mkdir(parents=True, exist_ok=True)
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        yield into, log


def stand_ins(probes: Sequence[Benchmark], corpus: Corpus) -> list[Benchmark]:
    """Return probes that replace those whose edited documents a search cannot index.

    The replacements use only documents of the corpus. Probes without a replacement are skipped.
    """
    named = [(each, kind_or_ranking(each.kind).probe) for each in probes]
    found = [_imported(how.stand_in)(each, corpus) for each, how in named if how and how.stand_in]
    return [made for made in found if made.queries]


def _imported(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    called: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return called


def write_probes(out: Path, probes: Sequence[Benchmark]) -> None:
    """Write each probe as a benchmark folder below the output folder.

    A probe of a large JSON lines corpus refers to that file and does not copy it.
    """
    for probe in probes:
        write(benchmark_folder(out, probe.name), probe, refer=True)


_MARKDOWN = re.compile(r"(?<!!)\[([^\[\]\n]{3,120})\]\(([^()\s]{1,400})(?:\s[^()\n]{0,300})?\)")
_HTML = re.compile(
    r"<a\s[^<>]{0,400}?href=[\"']([^\"'<>]{1,400})[\"'][^<>]{0,400}>([^<>\n]{3,120})</a>",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?:mdx?|markdown|html?)$", re.IGNORECASE)
_NUMBER = re.compile(r"^\d+[-_]")
_MARKS = re.compile(r"[`*]")


def names_in_links(folder: Path, ids: Iterable[str]) -> dict[str, list[str]]:
    """Return the link texts that other pages of a folder use for each document, without duplicates.

    ids  document ids by their paths below the folder

    A link from the root of a site ("/docs/guides/x") is matched by the end of the path, without
    numbers that order files ("02-guides"). A link that matches no document, or several, is skipped.
    """
    paths = list(ids)
    by_end: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for id in paths:
        parts = _parts(id)
        for length in range(1, len(parts) + 1):
            by_end[parts[-length:]].append(id)
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for id in paths:
        for text, target in _links_in(folder / id):
            to = _target(target, id, by_end)
            if to and to != id:
                found[to][_MARKS.sub("", text).strip()] = None
    return {id: list(texts) for id, texts in found.items()}


def _links_in(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the text and target of each link of a page. An unreadable page has none."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(LARGEST_PAGE)
    except OSError:
        return
    if path.suffix.lower() in (".html", ".htm"):
        yield from ((each[2], each[1]) for each in _HTML.finditer(text))
    else:
        yield from ((each[1], each[2]) for each in _MARKDOWN.finditer(text))


def _target(target: str, source: str, by_end: Mapping[tuple[str, ...], list[str]]) -> str:
    """Return the document that a link leads to, or an empty string if none or several match."""
    path = re.split(r"[#?]", target, maxsplit=1)[0]
    if not path or ":" in path:
        return ""
    if path.startswith("/"):
        parts = _parts(path)
        ends = (parts[start:] for start in range(len(parts)))
        fitting = next((by_end[end] for end in ends if end in by_end), [])
    else:
        whole = _parts(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
        fitting = [id for id in by_end.get(whole, ()) if _parts(id) == whole]
    return fitting[0] if len(fitting) == 1 else ""


def _parts(path: str) -> tuple[str, ...]:
    """Return the parts of a path as in web addresses, without suffix, order number and index."""
    parts = [_NUMBER.sub("", part).lower() for part in _ENDING.sub("", path).split("/")]
    kept = [part for part in parts if part not in ("", ".")]
    return tuple(kept[:-1] if kept[-1:] in (["index"], ["readme"]) and kept[1:] else kept)
