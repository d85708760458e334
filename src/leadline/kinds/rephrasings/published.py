"""Published collections with rephrasings of their queries.

Source: Campese et al., Improving Document Retrieval Coherence for Semantically Equivalent Queries.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.data_sets import downloaded
from leadline.data.documents import read_corpus
from leadline.data.folder import Folder, read_beir_qrels, read_folder, read_queries
from leadline.data.paths import is_folder
from leadline.errors import InputError, unknown
from leadline.kinds.benchmark_folder import IdenticalIds, has_queries, scored_as
from leadline.kinds.rephrasings import KIND
from leadline.kinds.rephrasings.variations import variations_file, with_variations
from leadline.metrics.ranking import NoRelevant, RankingMetric
from leadline.metrics.ranks import check_scores, checked_k
from leadline.metrics.topics import Where, by_topic, is_original, topic_of
from leadline.types import Metric, Qrels, Query, Run

PARTS = (
    "msmarco", "nq", "trec-dl-2019", "trec-dl-2020",
    "scifact", "arguana", "nfcorpus", "webis-touche2020", "fiqa", "dbpedia-entity",
    "climate-fever", "quora", "scidocs", "trec-covid", "hotpotqa",
)  # fmt: skip
METRICS = ("RBO@5", "Spearman@5", "P@1", "nDCG@10", "MRR@10", "MAP@100")
RANKING = METRICS[2:]

_ON_COMPLEX = ("RBO@5", "nDCG@10")

_PUBLISHED = "Campese et al., Improving Document Retrieval Coherence"
_BINARY = ("P@", "MRR@", "MAP@")
_HUB = {"msmarco": ("msmarco", "validation"), "trec-dl-2019": ("msmarco", "test")}
_ONLY_LOCAL = ("trec-dl-2020",)
_GRADED = {"trec-dl-2019": 2, "trec-dl-2020": 2}
_LAYOUT = (
    "--data for rephrasings is a BEIR folder (corpus.jsonl, queries.jsonl, qrels/test.tsv) with "
    "query_variations.jsonl[.gz], or a folder of such folders, named like the parts."
)


def build(
    part: str | None = None,
    data: str | Path | None = None,
    split: str = "test",
    variants: str = "",
    relevant: int = 0,
    complex: float = 0.0,
    identical_ids: IdenticalIds = "leave_out",
    no_relevant: NoRelevant = "zero",
) -> list[Benchmark]:
    """Return one collection, or every one that `data` holds.

    part      one of PARTS, or a folder in `data`; with a hub it must be named
    data      a BEIR folder, or a folder of such; None reads the hub, which has no variations
    split     which file of `qrels` judges
    variants  file of query variations; empty for `query_variations.jsonl[.gz]` of the folder, or
              the queries of a topic that the folder itself has
    relevant  least grade that P@1, MRR and MAP count; 0 for that of the collection: 2 for
              TREC-DL, else 1
    complex   also measure the queries whose first and fiftieth score differ by less than this, as
              `nDCG@10[complex=0.1]`; 0.1 is the paper's, and meant for cosines. 0 for none
    identical_ids, no_relevant
              as `benchmark_folder.scored_as` takes them

    Relevance is measured on the original queries, coherence between them and their variations.
    Raises InputError when a file is missing or a line or an option does not fit.
    """
    if relevant < 0 or complex < 0:
        raise InputError(f"relevant and complex must be 0 or more, got {relevant} and {complex}.")
    if data is None:
        if part is None:
            raise InputError(
                f"Name a collection: rephrasings/PART, where PART is one of {', '.join(PARTS)}."
            )
        found = [_benchmark(part, _from_hub(part), "the hub", variants, relevant)]
    else:
        found = [
            _benchmark(
                name,
                _read(path, split),
                path.name,
                variants or str(variations_file(path) or ""),
                relevant,
            )
            for name, path in _folders(Path(data), part).items()
        ]
    scored = [_with_complex(scored_as(each, identical_ids, no_relevant), complex) for each in found]
    return [_with_quoted(each, complex) for each in scored]


def _folders(data: Path, part: str | None) -> dict[str, Path]:
    """Return the folders to read by the name of their part."""
    if not is_folder(data):
        raise InputError(f"There is no folder {data}. {_LAYOUT}")
    inside = {path.name: path for path in sorted(data.iterdir()) if has_queries(path)}
    if has_queries(data) and (part is None or part not in inside):
        return {part or data.resolve().name: data}
    if part is not None and part not in inside:
        raise unknown("part of rephrasings", part, inside, _LAYOUT)
    if not inside:
        raise InputError(f"{data} has no collection. {_LAYOUT}")
    return {part: inside[part]} if part else inside


def _read(path: Path, split: str) -> Folder:
    folder = read_folder(path, split)
    if not folder.qrels:
        return folder
    topics = {query.topic for query in folder.queries if query.id in folder.qrels}
    kept = [query for query in folder.queries if query.topic in topics]
    return dataclasses.replace(folder, queries=kept, candidates=None)


def _benchmark(name: str, folder: Folder, where: str, variants: str, relevant: int) -> Benchmark:
    dropped: dict[str, int] = {}
    queries: Sequence[Query] = folder.queries
    if variants:
        queries, dropped = with_variations(queries, variants)
    elif not any(len(found) > 1 for found in by_topic(queries).values()):
        queries = [dataclasses.replace(each, facets={**each.facets, "kind": "original"})
                   for each in queries]  # fmt: skip
    varied = any(len(found) > 1 for found in by_topic(queries).values())
    least = relevant or _GRADED.get(name, 1)
    measured = KIND.measured(METRICS if varied else RANKING)
    measured["metrics"] = tuple(_from(metric, least) for metric in measured["metrics"])
    return Benchmark(
        name=f"rephrasings/{name}",
        corpus=folder.corpus,
        queries=queries,
        qrels=_of_originals(folder.qrels, queries),
        **measured,
        source=f"{_PUBLISHED}; {where}",
        built_by="published",
        built={
            "variations": len(queries) - len(by_topic(queries)),
            "left out": dropped,
            "least relevant grade": least,
        },
        depth=100,
    ).validated()


def _with_complex(benchmark: Benchmark, below: float) -> Benchmark:
    if not below:
        return benchmark
    more = [OnComplex(each, below) for each in benchmark.metrics if each.name in _ON_COMPLEX]
    return dataclasses.replace(benchmark, metrics=(*benchmark.metrics, *more))


def _with_quoted(benchmark: Benchmark, complex: float) -> Benchmark:
    asked = f":complex={complex:g}/" if complex else "/"
    name = benchmark.name.replace("/", asked, 1)
    return dataclasses.replace(benchmark, quoted=quoted_results(__package__, name))


def _from(metric: Metric, least: int) -> Metric:
    if isinstance(metric, RankingMetric) and metric.name.startswith(_BINARY):
        return dataclasses.replace(metric, least=least)
    return metric


def _of_originals(qrels: Qrels, queries: Sequence[Query]) -> Qrels:
    asked = {query.id for query in queries}
    return {query_id: grades for query_id, grades in qrels.items() if query_id in asked}


def _from_hub(part: str) -> Folder:
    """Read a collection in the layout that BEIR has on the hub."""
    if part not in PARTS:
        raise unknown("part of rephrasings", part, PARTS)
    if part in _ONLY_LOCAL:
        raise InputError(f"The hub has no {part} in BEIR format. Give its folder with --data DIR.")
    name, split = _HUB.get(part, (part, "test"))
    qrels = read_beir_qrels(_downloaded(f"BeIR/{name}-qrels", f"{split}.tsv"))
    queries = read_queries(_downloaded(f"BeIR/{name}", "queries.jsonl.gz"))
    corpus = read_corpus(_downloaded(f"BeIR/{name}", "corpus.jsonl.gz"))
    return Folder(corpus, [query for query in queries if query.id in qrels], qrels)


def _downloaded(repository: str, name: str) -> Path:
    return downloaded(repository, name, "Local files are read with --data DIR.")


def complex_queries(run: Run, *, k: int = 50, below: float = 0.1) -> list[str]:
    """Return the queries whose first and k-th scores differ by less than `below`.

    The threshold is on the scale of the scores: 0.1 was meant for cosines. Queries with fewer
    than k documents are left out.

    Source: Campese et al., Improving Document Retrieval Coherence, section 4.4.
    """
    if not below > 0:
        raise InputError(f"below must be above 0, got {below}.")
    checked_k(k)
    found = []
    for query_id, ranking in run.items():
        check_scores(query_id, ranking)
        scores = sorted(ranking.values(), reverse=True)
        if len(scores) >= k and scores[0] - scores[k - 1] < below:
            found.append(query_id)
    return found


@dataclass(frozen=True)
class OnComplex(Metric):
    """A metric over the topics whose original query is complex for the system at hand.

    k, below  as `complex_queries` has them: on the scale of the scores, so for cosines only
    """

    metric: Metric
    below: float = 0.1
    k: int = 50

    @property
    def name(self) -> str:
        """`RBO@5[complex=0.1]`."""
        return f"{self.metric.name}[complex={self.below:g}]"

    @property
    def where(self) -> Where:
        """The queries that the metric is about; those that are not complex are left out."""
        return self.metric.where

    @property
    def why_empty(self) -> str:
        """Why no unit has a value, where none has."""
        return (
            f"no query's first and {self.k}th scores differ by less than {self.below:g}, a measure "
            "for cosines"
        )

    @property
    def unit(self) -> str:
        """The unit of the metric."""
        return self.metric.unit

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> Mapping[str, float]:
        """Return what the metric gives for these topics."""
        originals = {query.id: topic_of(query) for query in queries if is_original(query)}
        found = {query_id: run.get(query_id, {}) for query_id in originals}
        hard = complex_queries(found, k=self.k, below=self.below)
        topics = {originals[query_id] for query_id in hard}
        kept = [query for query in queries if topic_of(query) in topics]
        judged = {query.id: qrels[query.id] for query in kept if query.id in qrels}
        return self.metric(kept, judged, run)
