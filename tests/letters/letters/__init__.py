"Letters, for a test."

from dataclasses import dataclass

from leadline import Benchmark, Document, Query
from leadline.kinds.kind import Kind, Probe
from leadline.metrics.ranking import NDCG
from leadline.metrics.record import Measure, Record
from leadline.retrievers import bm25


def build_retriever(k1: float = 1.0):
    return bm25.build(k1=k1)


class Backwards:
    name = "letters_last"

    def rerank(self, queries, corpus, candidates):
        return {
            q.id: {d: -float(n) for n, d in enumerate(sorted(candidates[q.id])[::-1])}
            for q in queries
        }


def build_reranker():
    return Backwards()


def probe(corpus, *, limit):
    queries = [Query(f"q{id}", corpus[id].text, topic=id) for id in sorted(corpus)[:limit]]
    qrels = {query.id: {query.topic: 1} for query in queries}
    return Benchmark("letters", corpus, queries, qrels, built_by="rules", **KIND.measured())


KIND = Kind(
    name="letters",
    question="Is the text itself found?",
    metrics=(NDCG(1),),
    main=("nDCG@1",),
    probe=Probe(probe, "the text itself"),
)


@dataclass(frozen=True)
class Letters(Measure):
    k: int = 1
    records = (Record("Letters@k", "letters of the first k ids"),)

    def __call__(self, queries, qrels, run):
        return {q.id: float(len("".join([*run[q.id]][: self.k]))) for q in queries}


def build_benchmark(part=None, data=None):
    corpus = {each: Document(each, f"a {each} cat") for each in ("red", "sad", "wet")}
    query = Query("q", "red cat", topic="q")
    return [
        Benchmark(
            "letters", corpus, [query], {"q": {"wet": 1}}, **KIND.measured(["nDCG@1", "Letters@2"])
        )
    ]


def greet(name: str) -> None:
    "Say hello to somebody."
    print(f"Hello {name}")  # noqa: T201
