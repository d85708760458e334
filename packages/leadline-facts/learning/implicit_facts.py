"""What facts at index time do on the six ImpliRet pools, and that they harm nothing elsewhere.

Run: python learning/implicit_facts.py [--first bm25] [--places FILE] [--part PART]
     [--harm] [--speed] [--coverage [--seed 0]]

For each pool nDCG@10 of the first stage alone and with `facts` before it, over the tuple sets that
rules may be looked at with (0-14) and those held out (15-24), for places also over the queries
whose landmark the table holds and the others; and the mean rank of the relevant document within its
tuple set (30 documents, 15.5 by chance). `--harm` instead compares nDCG@10 on collections that have
nothing to do with implied facts, for bm25, minilm and hybrid (or the first stage named), and with
bm25 the time that queries without constraints take. `--speed` instead derives facts from texts of
500 words on one core, with a table of 500,000 names, most of them made up by the seed. `--coverage`
instead keeps 0 to 100 % of the table of places, drawn by the seed, each share within the next, and
gives nDCG@10 on the two pools about places over all queries, those covered and the others.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean

from leadline.benchmark import Benchmark
from leadline.kinds.benchmark_folder import build as folder
from leadline.kinds.implicit_facts.published import PARTS
from leadline.kinds.implicit_facts.published import build as pools
from leadline.metrics.ranking import ndcg
from leadline.systems.chains import load_system
from leadline.types import Document, Enricher, Index, Query, Run
from leadline_facts.facts import build as facts
from leadline_facts.read.places.gazetteer import read_gazetteer

SHARED = os.environ.get("LEADLINE_SHARED", Path(__file__).resolve().parents[3] / "shared")
DATA = Path(SHARED) / "data"
HARM = ("cranfield", "lisa", "medline1033", "vaswani_npl", "trec_dl19_pool", "trec_dl21_pool")
FIRSTS = ("bm25", "minilm", "hybrid")
WORDS, TEXTS, NAMES = 500, 200, 500_000
FIRST_HELD_OUT = 15
SHARES = (0, 25, 50, 75, 100)
ALLOWED_HARM, ALLOWED_TIME, SPEED = 0.005, 1.05, 150


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first")
    parser.add_argument("--places", type=Path, default=DATA / "wikidata_landmarks" / "places.tsv")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--harm", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"{DATA} is not at hand (set LEADLINE_SHARED): skipped")
    elif options.harm:
        _harm([options.first] if options.first else FIRSTS, options.places)
    elif options.speed:
        _speed(options.places, options.seed)
    elif options.coverage:
        _coverage(options.first or "bm25", options.places, options.seed)
    else:
        _pools(options.first or "bm25", options.places, options.part or list(PARTS))


def _pools(first: str, places: Path, parts: list[str]) -> None:
    whole: dict[str, list[float]] = {"alone": [], "facts": []}
    print(f"{'pool':42} {'queries':>22} {'n':>4} {'alone':>7} {'facts':>7} {'rank':>6} {'rank':>6}")
    for part in parts:
        wordings = ["question", "question_released"] if part == "arithmetic-multispeaker" else [""]
        landmarks = _landmarks(part, places)
        for wording in wordings:
            (benchmark,) = pools(part, DATA / "impliret", wording or "question")
            runs = _runs(first, places, benchmark)
            values = {each: ndcg(run, benchmark.qrels, 10) for each, run in runs.items()}
            ranks = {each: _ranks_in_sets(run, benchmark) for each, run in runs.items()}
            for name, belongs in _groups(landmarks).items():
                ids = [query.id for query in benchmark.queries if belongs(query)]
                if ids:
                    row = [
                        mean(of[each][id] for id in ids) for of in (values, ranks) for each in of
                    ]
                    print(f"{part + ' ' + wording:42} {name:>22} {len(ids):4} {row[0]:7.4f} "
                          f"{row[1]:7.4f} {row[2]:6.2f} {row[3]:6.2f}", flush=True)  # fmt: skip
            if wording != "question_released":
                for each, some in values.items():
                    whole[each].append(mean(some.values()))
    print(f"mean of the pools: alone {mean(whole['alone']):.4f}, facts {mean(whole['facts']):.4f}")


def _runs(first: str, places: Path, benchmark: Benchmark) -> dict[str, Run]:
    systems = {"alone": first, "facts": f"facts:places={places}+{first}"}
    every = len(benchmark.corpus)
    return {
        name: load_system(spec, depth=every).run(benchmark.corpus, benchmark.queries).run
        for name, spec in systems.items()
    }


def _landmarks(part: str, places: Path) -> Mapping[str, bool]:
    """Return, for the queries of a pool about places, whether the table holds the landmark."""
    if not part.startswith("wknow"):
        return {}
    table = read_gazetteer(places)
    path = DATA / "impliret" / f"{part.replace('-', '_')}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    held = {}
    for row in rows:
        name = str(row["explicit_hint"]).removeprefix("landmark: ")
        found = [each for each in table.mentions(name) if each.places[0].kind != "country"]
        held[f"{part}-{row['id']}"] = any(each.end == len(name) for each in found)
    return held


def _groups(landmarks: Mapping[str, bool]) -> dict[str, Callable[[Query], bool]]:
    def seen(query: Query) -> bool:
        return int(query.facets["tuple_set"]) < FIRST_HELD_OUT

    if not landmarks:
        return {"seen": seen, "held out": lambda query: not seen(query)}
    return {
        "seen, covered": lambda query: seen(query) and landmarks[query.id],
        "seen, uncovered": lambda query: seen(query) and not landmarks[query.id],
        "held out, covered": lambda query: not seen(query) and landmarks[query.id],
        "held out, uncovered": lambda query: not seen(query) and not landmarks[query.id],
    }


def _ranks_in_sets(run: Run, benchmark: Benchmark) -> dict[str, float]:
    """Return the rank of each query's document among those of its set; last where not found."""
    sets = {id: each.facets["tuple_set"] for id, each in benchmark.corpus.items()}
    sizes: dict[str, int] = {}
    for each in sets.values():
        sizes[each] = sizes.get(each, 0) + 1
    ranks = {}
    for id, found in run.items():
        among = [other for other in found if sets[other] == sets[id]]
        ranks[id] = float(among.index(id) + 1 if id in found else sizes[sets[id]])
    return ranks


def _coverage(first: str, places: Path, seed: int) -> None:
    lines = places.read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(seed).shuffle(lines)
    print(f"{'pool':18} {'table':>6} {'names':>6} {'covered':>8} {'all':>7} {'in':>7} {'out':>7}")
    for part in ("wknow-unispeaker", "wknow-multispeaker"):
        (benchmark,) = pools(part, DATA / "impliret", "question")
        for share in SHARES:
            kept = lines[: len(lines) * share // 100]
            with tempfile.TemporaryDirectory() as folder:
                table = Path(folder) / "places.tsv"
                table.write_text("".join(kept), encoding="utf-8")
                run = _runs(first, table, benchmark)["facts"]
                held = _landmarks(part, table)
            values = ndcg(run, benchmark.qrels, 10)
            inside = [value for id, value in values.items() if held[id]]
            outside = [value for id, value in values.items() if not held[id]]
            row = " ".join(
                f"{mean(some) if some else float('nan'):7.4f}"
                for some in ([*inside, *outside], inside, outside)
            )
            print(f"{part:18} {share:5}% {len(kept):6} {len(inside) / len(values):7.1%} {row}",
                  flush=True)  # fmt: skip


def _harm(firsts: Sequence[str], places: Path) -> None:
    print(f"{'collection':16} {'first':7} {'queries':>7} {'asked':>6} {'alone':>7} {'facts':>7} "
          f"{'change':>8} {'time':>6}")  # fmt: skip
    enricher = facts(places=str(places), cache=False)
    for name in HARM:
        benchmark = folder(DATA / name)
        constraints = enricher.constraints(benchmark.queries)
        plain = [q for q, some in zip(benchmark.queries, constraints, strict=True) if not some]
        for first in firsts:
            alone = load_system(first).index(benchmark.corpus)
            with_facts = load_system(f"facts:places={places}+{first}").index(benchmark.corpus)
            before, after = (
                mean(ndcg(index.search(benchmark.queries, 100), benchmark.qrels, 10).values())
                for index in (alone, with_facts)
            )
            # An encoder takes milliseconds a query, and its time varies by more than is added.
            ratio = _times_as_long(with_facts, alone, plain) if first == "bm25" else float("nan")
            late = " SLOW" if ratio > ALLOWED_TIME else ""
            bad = " HARM" if after < before - ALLOWED_HARM else ""
            print(f"{name:16} {first:7} {len(benchmark.queries):7} "
                  f"{len(benchmark.queries) - len(plain):6} {before:7.4f} {after:7.4f} "
                  f"{after - before:+8.4f} {ratio:6.3f}{bad}{late}", flush=True)  # fmt: skip


def _times_as_long(index: Index, other: Index, queries: list[Query]) -> float:
    """Return how many times as long one index searches, by the least of many turns each."""
    least = [float("inf")] * 2
    started = time.perf_counter()
    for _ in range(300):
        for place, each in enumerate((index, other)):
            before = time.perf_counter()
            each.search(queries, 100)
            least[place] = min(least[place], time.perf_counter() - before)
        if time.perf_counter() - started > 8:
            break
    return least[0] / least[1]


def _speed(places: Path, seed: int) -> None:
    texts = {source: _texts(documents) for source, documents in _sources().items()}
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "places.tsv"
        words = {word for some in texts.values() for text in some for word in _NAME.findall(text)}
        table.write_text(_table(places, sorted(words), seed), encoding="utf-8")
        started = time.process_time()
        enricher = facts(places=str(table), cache=False)
        print(f"table of {NAMES} names loaded in {time.process_time() - started:.1f} s")
    rules = ("temporal", "quantities", "places")
    print(f"{'texts':22} {'n':>4} {'docs/s':>7}   of which " + " ".join(f"{r:>10}" for r in rules))
    for source, some in texts.items():
        documents = [Document(str(number), text) for number, text in enumerate(some)]
        whole = _per_second(enricher, documents)
        alone = [_per_second(each, documents) for each in enricher.providers]  # type: ignore[attr-defined]
        slow = " SLOW" if whole < SPEED else ""
        print(f"{source:22} {len(some):4} {whole:7.0f}            "
              + " ".join(f"{each:10.0f}" for each in alone) + slow, flush=True)  # fmt: skip


def _sources() -> dict[str, list[str]]:
    collections = {
        name: [each.content for each in folder(DATA / name).corpus.values()]
        for name in ("cranfield", "medline1033")
    }
    with gzip.open(DATA / "mtsamples" / "records.jsonl.gz", "rt", encoding="utf-8") as lines:
        collections["mtsamples"] = [str(json.loads(line)["text"]) for line in lines]
    for part in PARTS:
        (benchmark,) = pools(part, DATA / "impliret", "question")
        collections[part] = [each.content for each in benchmark.corpus.values()]
    return collections


_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
_UP_TO = re.compile(rf"\s*(?:\S+\s+){{{WORDS - 1}}}\S+")


def _texts(documents: Sequence[str]) -> list[str]:
    """Return texts of so many words, one document after the other."""
    whole = "\n".join(documents)
    found = (match[0] for match in _UP_TO.finditer(whole))
    return [text for text, _ in zip(found, range(TEXTS), strict=False)]


def _table(places: Path, words: Sequence[str], seed: int) -> str:
    """Return a table of names of made-up syllables, every fourth with a word of the texts."""
    choices = random.Random(seed)
    syllables = [
        first + last for first in "bdfgklmnprstvz" for last in ("a", "e", "in", "or", "un")
    ]
    lines = places.read_text(encoding="utf-8").splitlines()
    for number in range(NAMES - len(lines)):
        parts = [
            "".join(choices.choices(syllables, k=choices.randint(2, 4))).capitalize()
            for _ in range(choices.randint(1, 3))
        ]
        if number % 4 == 0:
            parts = [choices.choice(words), *parts]
        lines.append(f"{' '.join(parts)}\tmuseum\t{choices.choice(('FR', 'DE', 'US', 'JP'))}")
    return "\n".join(lines) + "\n"


def _per_second(enricher: Enricher, documents: Sequence[Document]) -> float:
    least = float("inf")
    for _ in range(3):
        started = time.process_time()
        for _ in enricher.facts(documents):
            pass
        least = min(least, time.process_time() - started)
    return len(documents) / least


if __name__ == "__main__":
    main()
