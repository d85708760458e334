"""Measure what training for coherence does to coherence and to relevance.

    python studies/learning/coherence.py --models static minilm --seeds 3

Trains each model by each loss on queries made of the titles and sentences of real collections,
with rephrasings of four kinds (question, keywords, plural, typo) and mined hard negatives, then
measures it on

* the judged queries of the same collections, none of which was used for training, with
  rephrasings of the other kinds (and, apart, of the four);
* other real queries with variations by people and published tools: the pool of TREC-DL 2019.

Every run is kept in --out as a line of results.jsonl: the same command goes on where it stopped.
The table has the mean over seeds, and paired intervals (bootstrap over queries) against `mnr`.
Collections come from --shared (a folder with data/cranfield, ...), $LEADLINE_SHARED.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shutil
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

SEEN = ("question", "keywords", "plural", "typo")
LOSSES = {"static": ("mnr", "qa", "qq", "cr", "full", "qea", "smc"), "minilm": ("mnr", "qa", "cr")}
PRESETS: dict[str, dict[str, Any]] = {
    "static": {
        "collections": ["cranfield", "medline1033", "lisa"], "steps": 300, "rate": 1e-2,
        "queries": 800, "negatives": 2, "length": 96, "documents": 300, "evaluations": 4,
        "alignment": 5.0,
    },
    "minilm": {
        "collections": ["cranfield", "medline1033"], "steps": 50, "rate": 5e-5,
        "queries": 600, "negatives": 1, "length": 64, "documents": 150, "evaluations": 1,
        "alignment": 2.0,
    },
}  # fmt: skip
"""What a model is trained with where the command line says nothing else."""


def main() -> None:
    given = arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    every: dict[str, Any] = {}
    for model in given.models:
        settings = settings_of(model, given)
        sets = [every.setdefault(each.name, each) for each in benchmarks(settings)]
        for loss in () if given.show else ("none", *(given.losses or LOSSES[model])):
            for seed in range(1 if loss == "none" else given.seeds):
                measure(model, loss, seed, sets, settings)
    show(given.out / "results.jsonl", list(every.values()))


def settings_of(model: str, given: argparse.Namespace) -> argparse.Namespace:
    """Return what was asked for, and the preset of the model for the rest."""
    named = {name: value for name, value in vars(given).items() if value is not None}
    return argparse.Namespace(**{**vars(given), **PRESETS[model], **named})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", nargs="+", default=["static", "minilm"])
    parser.add_argument("--losses", nargs="+", help="instead of those of the table")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--collections", nargs="+", help="to train on; else those of PRESETS")
    parser.add_argument("--transfer", nargs="*", default=["trec_dl19_pool"])
    parser.add_argument("--steps", type=int, help="of each run; 300 static, 50 minilm")
    parser.add_argument("--rate", type=float, help="learning rate; 1e-2 static, 5e-5 minilm")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--queries", type=int, help="training queries a collection")
    parser.add_argument("--negatives", type=int)
    parser.add_argument("--length", type=int, help="tokens read while training")
    parser.add_argument("--documents", type=int, help="of the validation corpus")
    parser.add_argument("--evaluations", type=int, help="of a run")
    parser.add_argument("--alignment", type=float)
    parser.add_argument("--margin", type=float, default=10.0)
    parser.add_argument("--show", action="store_true", help="only print what was measured so far")
    parser.add_argument("--out", type=Path, default=Path("leadline-out/coherence"))
    shared = os.environ.get("LEADLINE_SHARED", "../shared")
    parser.add_argument("--shared", type=Path, default=Path(shared))
    return parser.parse_args()


def benchmarks(given: argparse.Namespace) -> Iterator[Any]:
    """Yield what is measured on: judged queries with their forms, and real variations."""
    from leadline.data.folder import read_folder
    from leadline.kinds.rephrasings import by_rules
    from leadline.kinds.rephrasings import published as rephrasings

    for name in given.collections:
        folder = read_folder(given.shared / "data" / name)
        made = by_rules.build(folder.corpus, queries=folder.queries, qrels=folder.qrels, limit=300)
        yield dataclasses.replace(made, name=name)
    for name in given.transfer:
        (made,) = rephrasings.build("trec-dl-2019", given.shared / "data" / name)
        yield dataclasses.replace(made, name=name)


def measure(model: str, loss: str, seed: int, sets: list[Any], given: argparse.Namespace) -> None:
    """Train, unless that was done; measure; add a line."""
    from leadline import progress
    from leadline.systems.chains import load_system

    path = given.out / "results.jsonl"
    done = [json.loads(line) for line in path.open()] if path.exists() else []
    if any((each["model"], each["loss"], each["seed"]) == (model, loss, seed) for each in done):
        return
    folder = given.out / f"{model}-{loss}-{seed}"
    start = time.perf_counter()
    with progress.shown():
        told = trained(model, loss, seed, folder, given)
    seconds = time.perf_counter() - start
    record: dict[str, Any] = {"model": model, "loss": loss, "seed": seed, "seconds": seconds}
    record["validation"] = told
    for each in sets:
        fast = "" if model == "static" else ",backend=openvino"
        system = load_system(f"dense:{folder},cache=false{fast}")
        record[each.name] = figures(system, each)
        print(model, loss, seed, each.name, short(record[each.name]), flush=True)
    with path.open("a") as handle:
        handle.write(json.dumps(record) + "\n")
    shutil.rmtree(folder)


def trained(model: str, loss: str, seed: int, folder: Path, given: argparse.Namespace) -> Any:
    """Put a model into the folder; return what it reaches on the validation queries."""
    from leadline.systems.chains import encoder_named
    from leadline.training.retriever import train
    from leadline.training.settings import LossSettings, Settings

    encoder = encoder_named("minilm").encoders["document"]

    def opened() -> Any:
        from leadline.training.retriever import distilled

        if model != "static":
            return encoder.opened()
        kept = given.out / "static"
        if not kept.exists():
            distilled(encoder.opened()).save_pretrained(str(kept), create_model_card=False)
        return encoder_named(str(kept)).encoders["document"].opened()

    if loss == "none":
        opened().save_pretrained(str(folder), create_model_card=False)
        return {}
    material = examples(given)
    done = train(
        opened, material.examples, material.validation, folder,
        base=model, loss=LossSettings(loss, given.alignment, given.margin),
        settings=Settings(
            learning_rate=given.rate, batch_size=given.batch,
            steps=given.steps,
            evaluations=given.evaluations,
            max_length=None if model == "static" else given.length, seed=seed,
        ),
    )  # fmt: skip
    return {"start": done.start, "end": done.end, "steps": done.steps, "told": done.warnings}


_MATERIAL: dict[str, Any] = {}


def examples(given: argparse.Namespace) -> Any:
    """Return examples with rephrasings of the four kinds; held-out queries keep them all."""
    from leadline.retrievers import bm25
    from leadline.training.data import Choices, prepare

    key = str((given.collections, given.queries, given.negatives, given.documents))
    if key not in _MATERIAL:
        choices = Choices(limit=given.queries, negatives=given.negatives, documents=given.documents)
        folders = [given.shared / "data" / name / "corpus.jsonl.gz" for name in given.collections]
        _MATERIAL[key] = prepare(folders, bm25.build(), choices, kinds=SEEN)
        for name, told in _MATERIAL[key].facts.items():
            print(Path(name).parent.name, json.dumps(told))
    return _MATERIAL[key]


def figures(system: Any, benchmark: Any) -> dict[str, Any]:
    """Return nDCG by query, RBO by topic and kind, and the mean cosine of two queries."""
    from leadline.metrics.coherence import rbo
    from leadline.metrics.ranking import ndcg
    from leadline.metrics.topics import is_original

    run = system.run(benchmark.corpus, benchmark.queries)
    run = getattr(run, "run", run)
    originals = {query.topic: query for query in benchmark.queries if is_original(query)}
    qrels = {q.id: benchmark.qrels[q.id] for q in originals.values() if q.id in benchmark.qrels}
    overlaps: dict[str, dict[str, list[float]]] = {}
    for query in benchmark.queries:
        if not is_original(query):
            lists = [list(run.get(each.id, {}))[:5] for each in (originals[query.topic], query)]
            kinds = overlaps.setdefault(query.topic, {})
            kinds.setdefault(query.facets["kind"], []).append(rbo(*lists))
    retriever = system.retriever
    rows = retriever.rows([query.content for query in originals.values()], "query")
    vectors = np.asarray(retriever.vectors(rows), dtype=np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    count = len(vectors)
    cosine = ((vectors.sum(0) ** 2).sum() - count) / (count * (count - 1))
    return {
        "nDCG": ndcg({key: run[key] for key in qrels}, qrels, 10),
        "RBO": {t: {k: fmean(v) for k, v in kinds.items()} for t, kinds in overlaps.items()},
        "cosine": float(cosine),
    }


def short(found: dict[str, Any]) -> str:
    by_kind = kind_means(found["RBO"])
    shown = " ".join(f"{kind} {value:.3f}" for kind, value in sorted(by_kind.items()))
    ndcg = fmean(found["nDCG"].values())
    return f"nDCG@10 {ndcg:.3f} cosine {found['cosine']:.2f} RBO@5 {shown}"


def kind_means(by_topic: dict[str, dict[str, float]]) -> dict[str, float]:
    kinds = sorted({kind for found in by_topic.values() for kind in found})
    return {
        kind: fmean(found[kind] for found in by_topic.values() if kind in found) for kind in kinds
    }


def show(path: Path, sets: list[Any]) -> None:
    """Print the table: every model and loss on every set."""
    records = [json.loads(line) for line in path.open()]
    for benchmark in sets:
        measured = [each[benchmark.name]["RBO"] for each in records if benchmark.name in each]
        kinds = sorted(
            {kind for found in measured for by_kind in found.values() for kind in by_kind}
        )
        unseen = [kind for kind in kinds if kind not in SEEN] or kinds
        print(f"\n### {benchmark.name}\n")
        head = ["model", "loss", "seeds", "nDCG@10", "vs mnr", "cosine", "RBO@5 unseen kinds",
                "vs mnr", "vs qa", "all kinds", "vs mnr", *kinds]  # fmt: skip
        print("| " + " | ".join(head) + " |\n|---|---|" + "---:|" * (len(head) - 2))
        for model, loss in dict.fromkeys((each["model"], each["loss"]) for each in records):
            rows = of(records, model, loss, benchmark.name)
            if not rows:
                continue  # its preset does not measure it
            values = [kind_means(each["RBO"]) for each in rows]
            cells = [model, loss, str(len(rows))]
            base, other = (of(records, model, name, benchmark.name) for name in ("mnr", "qa"))
            trained = loss not in ("none", "mnr")
            cells.append(spread([fmean(each["nDCG"].values()) for each in rows]))
            cells.append(ndcg_difference(rows, base) if trained else "")
            cells.append(f"{fmean(each['cosine'] for each in rows):.2f}")
            cells.append(spread([fmean(each[kind] for kind in unseen) for each in values]))
            cells.append(difference(rows, base, unseen) if trained else "")
            cells.append(difference(rows, other, unseen) if loss in ("cr", "full") else "")
            cells.append(spread([fmean(each[kind] for kind in kinds) for each in values]))
            cells.append(difference(rows, base, kinds) if trained else "")
            cells += [f"{fmean(each[kind] for each in values):.3f}" for kind in kinds]
            print("| " + " | ".join(cells) + " |")


def of(records: list[Any], model: str, loss: str, name: str) -> list[Any]:
    kept = [each for each in records if (each["model"], each["loss"]) == (model, loss)]
    return [each[name] for each in kept if name in each]


def spread(values: list[float]) -> str:
    by = f" ± {np.std(values, ddof=1):.3f}" if len(values) > 1 else ""
    return f"{fmean(values):.3f}{by}"


def difference(rows: list[Any], base: list[Any], kinds: list[str]) -> str:
    """Difference of the mean over kinds of RBO, with a 95 % interval over topics."""
    if not base:
        return ""
    topics = sorted(rows[0]["RBO"])

    def table(runs: list[Any]) -> Any:
        return np.array(
            [[[r["RBO"][t].get(kind, np.nan) for kind in kinds] for t in topics] for r in runs]
        ).mean(0)

    return interval(table(rows) - table(base))


def ndcg_difference(rows: list[Any], base: list[Any]) -> str:
    if not base:
        return ""
    queries = sorted(rows[0]["nDCG"])

    def column(runs: list[Any]) -> Any:
        return np.array([[r["nDCG"][query] for query in queries] for r in runs]).mean(0)

    return interval((column(rows) - column(base))[:, None])


def interval(differences: Any) -> str:
    """Mean over columns of means over rows, and its bootstrap interval over rows."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(differences), (2000, len(differences)))

    def value(part: Any) -> Any:
        with warnings.catch_warnings():  # a kind that no query of a draw has
            warnings.simplefilter("ignore", RuntimeWarning)
            return np.nanmean(np.nanmean(part, axis=-2), axis=-1)

    low, high = np.percentile(value(differences[drawn]), [2.5, 97.5])
    return f"{value(differences):+.3f} [{low:+.3f}, {high:+.3f}]"


if __name__ == "__main__":
    main()
