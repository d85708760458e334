"""The golden families `rbo`, `spearman` and `rerank_opportunity`: lists compared."""

from statistics import fmean, pstdev

from leadline.metrics import coherence
from leadline.types import Query


def rbo(inputs, expected):
    a, b, k, p = inputs["a"], inputs["b"], inputs["k"], inputs["p"]
    return {name: coherence.rbo(a, b, p=p, depth=k, variant=name) for name in expected}


def rbo_cluster(inputs, expected):
    queries, run = [], {}
    for topic, lists in inputs["clusters"].items():
        for number, ids in enumerate(lists):
            facets = {"kind": "rephrasing" if number else "original"}
            queries.append(Query(f"{topic}/{number}", "?", topic=topic, facets=facets))
            run[f"{topic}/{number}"] = {each: float(-rank) for rank, each in enumerate(ids)}
    metric = coherence.RBO(inputs["k"], inputs["p"], inputs["variant"])
    values = metric(queries, {}, run)
    spread = pstdev(values.values())
    return {"per_query": values, "mean": fmean(values.values()), "std_population": spread}


def spearman(inputs, expected):
    a, b, k = inputs["a"], inputs["b"], inputs["k"]
    return {
        "union": coherence.spearman(a, b, depth=k),
        "intersection": coherence.spearman(a, b, depth=k, over="intersection"),
        "overlap": len(set(a[:k]) & set(b[:k])),
    }


def rerank_opportunity(inputs, expected):
    lists, scores, k = inputs["retrieved"], inputs["reranker_scores"], inputs["k"]
    return {
        "d_star": coherence.best_reranked(lists[0], scores, k),
        "others": coherence.reranking_opportunity(lists, scores, k=k),
        "all": coherence.reranking_opportunity(lists, scores, k=k, members="all"),
    }


HANDLERS = {
    "rbo": {("rbo", "default"): rbo, ("rbo_cluster", "default"): rbo_cluster},
    "spearman": {("spearman", "default"): spearman},
    "rerank_opportunity": {("rerank_opportunity", "default"): rerank_opportunity},
}
