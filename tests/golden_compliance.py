"""The golden families `infosearch`, `robustness` and `followir_pmrr`: instructions."""

from statistics import fmean

from golden_retrieval import mean
from leadline.metrics import compliance, ranking
from leadline.metrics.ranks import rank_of
from leadline.types import Query
from published_quirks import p_mrr_of_runs


def wise_document(mode):
    def handler(inputs, expected):
        assert inputs["columns"] == ["R_ori", "R_ins", "R_rev", "N"]
        return [compliance.wise(*row, mode=mode) for row in inputs["rows"]]

    return handler


def sicr_document(mode):
    def handler(inputs, expected):
        assert inputs["columns"] == ["R_ori", "R_ins", "R_rev", "S_ori", "S_ins", "S_rev"]
        return [compliance.sicr(*row[:3], tuple(row[3:]), mode=mode) for row in inputs["rows"]]

    return handler


def p_mrr_document(inputs, expected):
    assert inputs["columns"] == ["R_og", "R_new"]
    return [compliance.p_mrr(*row) for row in inputs["rows"]]


def qrel_match(inputs, expected):
    changes = {
        query_id: compliance.judged_changes(inputs["qrels_ori"][query_id], grades)
        for query_id, grades in inputs["qrels_ins"].items()
    }
    return {
        "gold": {query_id: gold for query_id, (gold, _) in changes.items()},
        "became_nonrelevant": {query_id: became for query_id, (_, became) in changes.items()},
    }


def infosearch_full(mode):
    def handler(inputs, expected):
        queries, qrels, run = instructed_benchmark(inputs)
        sicr_mode = "paper" if mode == "paper" else "code_head"
        metrics = {
            "WISE": compliance.WISE(mode),
            "SICR": compliance.SICR(sicr_mode),
            "p-MRR": compliance.PairwiseMRR(),
        }
        ours = {name: mean(metric(queries, qrels, run)) for name, metric in metrics.items()}
        return {**ours, **rank_statistics(inputs, mode)} if mode != "paper" else ours

    return handler


def instructed_benchmark(inputs):
    """Write the three runs and the two lists as queries with modes, qrels and one run."""
    queries, qrels, run = [], {}, {}
    names = {"original": "run_ori", "instructed": "run_ins", "reversed": "run_rev"}
    for topic in inputs["gold"].keys() | inputs["became_nonrelevant"].keys():
        gold, became = inputs["gold"].get(topic, []), inputs["became_nonrelevant"].get(topic, [])
        for mode, name in names.items():
            query = Query(f"{topic}/{mode}", "?", topic=topic, facets={"mode": mode})
            queries.append(query)
            if topic in inputs[name]:
                run[query.id] = inputs[name][topic]
        qrels[f"{topic}/original"] = dict.fromkeys([*gold, *became], 1)
        qrels[f"{topic}/instructed"] = {**dict.fromkeys(gold, 1), **dict.fromkeys(became, 0)}
    return queries, qrels, run


def rank_statistics(inputs, mode):
    """Mean ranks that the released code prints beside its metrics: by query id, then over ids."""
    gold, became = inputs["gold"], inputs["became_nonrelevant"]

    def mean_rank(name, documents):
        runs = inputs[f"run_{name}"]
        return mean(
            {
                query_id: fmean(rank_of(runs[query_id], each) for each in ids)
                for query_id, ids in documents.items()
                if ids
            }
        )

    def ideal(query_id, document_id):
        n_relevant = len(gold[query_id]) + len(became.get(query_id, []))
        original = rank_of(inputs["run_ori"][query_id], document_id)
        return compliance.ideal_wise(original, n_relevant, mode=mode)

    distances = {
        query_id: fmean(
            rank_of(inputs["run_ins"][query_id], positive)
            - rank_of(inputs["run_ins"][query_id], negative)
            for positive in ids
            for negative in became[query_id]
        )
        for query_id, ids in gold.items()
        if ids and became.get(query_id)
    }
    return {
        **{f"{name}_pos_rank": mean_rank(name, gold) for name in ("ori", "ins", "rev")},
        **{f"{name}_neg_rank": mean_rank(name, became) for name in ("ori", "ins", "rev")},
        "pos_neg_rank": mean(distances),
        "ideal_WISE": mean(
            {q: fmean(ideal(q, each) for each in ids) for q, ids in gold.items() if ids}
        ),
    }


def robustness(inputs, expected):
    run, qrels, k = inputs["runs"], inputs["qrels"], inputs["k"]
    per_variant = ranking.ndcg(run, qrels, k)
    worst = compliance.robustness(run, qrels, inputs["groups"], k=k)
    return {
        "per_variant": per_variant,
        "min_per_group": worst,
        "robustness": mean(worst),
        "mean_ndcg": mean(per_variant),
    }


def followir_p_mrr(inputs, expected):
    def renamed(run, ending):
        return {name.removesuffix(ending): ranking for name, ranking in run.items()}

    before, after = renamed(inputs["run_og"], "-og"), renamed(inputs["run_changed"], "-changed")
    return mean(p_mrr_of_runs(before, after, inputs["qrel_diff"]))


HANDLERS = {
    "infosearch": {
        **{("wise_document", mode): wise_document(mode) for mode in compliance.WISE_MODES},
        **{("sicr_document", mode): sicr_document(mode) for mode in compliance.SICR_MODES},
        **{("infosearch_full", mode): infosearch_full(mode) for mode in compliance.WISE_MODES},
        ("p_mrr_document", "default"): p_mrr_document,
        ("qrel_match", "default"): qrel_match,
    },
    "robustness": {("robustness", "default"): robustness},
    "followir_pmrr": {("p_mrr", "default"): followir_p_mrr},
}
