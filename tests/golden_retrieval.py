"""The golden families `ir_standard` and `impliret_retrieval`: metrics of one run."""

from statistics import fmean

import published_quirks as published
from leadline.metrics import ranking

AT_CUT_OFF = {
    "nDCG": ranking.ndcg,
    "NDCG": ranking.ndcg,
    "MAP": ranking.average_precision,
    "AP": ranking.average_precision,
    "Recall": ranking.recall,
    "R": ranking.recall,
    "P": ranking.precision,
    "RR": ranking.reciprocal_rank,
    "MRR": ranking.reciprocal_rank,
}


def trec_metrics(inputs, expected):
    as_trec = {"no_relevant": "zero", "absent": "leave_out"}
    per_query = {query_id: {} for query_id in expected["per_query"]}
    present, everywhere = {}, {}
    for name in expected["mean_all"]:
        values = values_of(name, inputs, **as_trec)
        for query_id, value in values.items():
            per_query[query_id][name] = value
        present[name] = mean(values)
        everywhere[name] = mean(values_of(name, inputs, no_relevant="zero"))
    return {"per_query": per_query, "mean_present": present, "mean_all": everywhere}


def mrr_beir(inputs, expected):
    options = {"ties": "stable", "no_relevant": "zero"}
    return {name: rounded(mean(values_of(name, inputs, **options))) for name in expected}


def bright_metrics(inputs, expected):
    options = {"absent": "leave_out", "no_relevant": "zero"}
    return {name: rounded(mean(values_of(name, inputs, **options))) for name in expected}


def ir_measures_aggregate(inputs, expected):
    # ir-measures leaves RR with a cut-off to the MS MARCO script, which breaks ties by id.
    ties = {name: "id" if name.startswith("RR@") else "trec" for name in expected}
    return {
        name: mean(values_of(name, inputs, no_relevant="zero", ties=ties[name]))
        for name in expected
    }


def ranx(inputs, expected):
    names = {"ndcg": "nDCG", "map": "MAP", "recall": "Recall", "mrr": "MRR", "precision": "P"}
    means = {}
    for name in expected:
        stem, _, k = name.partition("@")
        options = {"gain": "exponential"} if stem == "ndcg_burges" else {}
        ours = f"{names[stem.removesuffix('_burges')]}@{k}"
        means[name] = mean(values_of(ours, inputs, no_relevant="zero", **options))
    return means


def litsearch(inputs, expected):
    lists = inputs["retrieved"], inputs["relevant"], inputs["k"]
    return {
        "recall": published.recall_of_list(*lists),
        "ndcg_published": published.ndcg_by_reciprocal_rank(*lists),
    }


def impliret_retrieval(inputs, expected):
    run, qrels = {}, {}
    for number, entry in enumerate(inputs["entries"]):
        qrels[f"q{number}"] = {str(entry["gold"]): 1}
        run[f"q{number}"] = {str(index): score for index, score in entry["index_score"]}
    names = {"recall@10": "Recall@10", "mrr@10": "MRR@10", "ndcg@10": "nDCG@10"}
    inputs = {"run": run, "qrels": qrels}
    return {name: mean(values_of(names[name], inputs, ties="stable")) for name in expected}


def values_of(name, inputs, **options):
    """Return the per-query values of a metric such as `MAP@5`; `RR` has no cut-off."""
    stem, _, k = name.partition("@")
    cut = int(k) if k else None
    return AT_CUT_OFF[stem](inputs["run"], inputs["qrels"], cut, **options)


def mean(values):
    return fmean(values.values()) if values else None


def rounded(value):
    """Round as the published code does before any further averaging."""
    return None if value is None else round(value, 5)


HANDLERS = {
    "ir_standard": {
        ("trec_metrics", "trec_eval"): trec_metrics,
        ("mrr_beir", "beir"): mrr_beir,
        ("bright_metrics", "bright"): bright_metrics,
        ("ir_measures_aggregate", "ir_measures"): ir_measures_aggregate,
        ("ranx", "ranx"): ranx,
        ("litsearch", "litsearch"): litsearch,
    },
    "impliret_retrieval": {("impliret_retrieval", "default"): impliret_retrieval},
}
