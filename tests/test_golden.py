"""Every golden vector of every family, against the functions people call.

A folder of vectors in the same format runs with `pytest tests/test_golden.py --golden DIR`. A
family or a mode that is not known fails; a family that a later issue owns is skipped by name.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

import golden_listwise
import golden_multiconir_bm25
import golden_pointwise
from leadline.metrics import answers, coherence, compliance, pairs, published, ranking
from leadline.metrics.ranks import rank_of
from leadline.types import Query

LATER = {"cr_loss": "with training on rephrasings"}

OF_SYSTEMS = {
    "listwise": golden_listwise.check,
    "pointwise": golden_pointwise.check,
    "multiconir_bm25": golden_multiconir_bm25.check,
}

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


def win_rate(nan):
    def handler(inputs, expected):
        better, worse = transposed(inputs["pos"]), transposed(inputs["hn"])
        rates = [pairs.win_rate(*pair, nan=nan) for pair in zip(better, worse, strict=True)]
        return {
            "win_rate": rates,
            "avg_diff": [mean_difference(*pair, nan) for pair in zip(better, worse, strict=True)],
            "decline": pairs.decline(rates),
        }

    return handler


def mean_difference(better, worse, nan):
    """The published tables leave NaN differences out of the mean, as pandas does."""
    kept = [(a, b) for a, b in zip(better, worse, strict=True) if nan != "loss" or a - b == a - b]
    return pairs.mean_difference(*transposed(kept)) if kept else None


def wr_adjacent(nan):
    def handler(inputs, expected):
        rates = pairs.adjacent_win_rates(inputs["scores"], nan=nan)
        named = {f"d{k}_vs_d{k - 1}": rate for k, rate in enumerate(rates, 1)}
        return {"wr": named, "mean": fmean(rates)}

    return handler


def flip_rate(nan):
    def handler(inputs, expected):
        return pairs.flip_rate(inputs["scores_inst"], inputs["scores_desc"], nan=nan)

    return handler


def wr_adjacent_macro(inputs, expected):
    means = {
        domain: fmean(pairs.adjacent_win_rates(ladders))
        for domain, ladders in inputs["domains"].items()
    }
    return {"per_domain_mean": means, "macro_mean": fmean(means.values())}


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
    return mean(compliance.p_mrr_of_runs(before, after, inputs["qrel_diff"]))


def rouge_recall(mode):
    def handler(inputs, expected):
        gold, output = inputs["gold"], inputs["response"]
        ours = {"rouge-1-recall": answers.rouge1_recall(output, gold, mode=mode)}
        if mode == "published":
            found = answers.extract_answer(output, mode="published")
            ours["EM"] = int(found == answers.joined(gold))
            ours["contains"] = int(answers.joined(gold) in found)
            ours["rouge-2-recall"] = answers.rouge2_recall(found, gold)
            ours["rouge-l-recall"] = answers.rouge_l_recall(found, gold)
        return ours

    return handler


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


def paper_table(inputs, expected):
    values, printed = inputs["values"], expected["printed"]
    # JSON drops trailing zeros: the longest number says how many decimals the table prints.
    decimals = max(len(str(value).partition(".")[2]) for value in (*values, printed))
    cells = [f"{value:.{decimals}f}" for value in values]
    agrees = published.follows_from_cells(f"{printed:.{decimals}f}", cells)
    return {"mean": fmean(values), "printed": printed, "agrees": agrees}


HANDLERS: dict[str, dict[tuple[str, str], Callable[[Any, Any], Any]]] = {
    "ir_standard": {
        ("trec_metrics", "trec_eval"): trec_metrics,
        ("mrr_beir", "beir"): mrr_beir,
        ("bright_metrics", "bright"): bright_metrics,
        ("ir_measures_aggregate", "ir_measures"): ir_measures_aggregate,
        ("ranx", "ranx"): ranx,
        ("litsearch", "litsearch"): litsearch,
    },
    "impliret_retrieval": {("impliret_retrieval", "default"): impliret_retrieval},
    "multiconir": {
        ("win_rate", "default"): win_rate("reject"),
        ("win_rate", "nan_as_loss"): win_rate("loss"),
        ("wr_adjacent", "default"): wr_adjacent("reject"),
        ("wr_adjacent", "nan_as_loss"): wr_adjacent("loss"),
        ("flip_rate", "default"): flip_rate("reject"),
        ("flip_rate", "nan_as_loss"): flip_rate("loss"),
        ("wr_adjacent_macro", "default"): wr_adjacent_macro,
    },
    "infosearch": {
        **{("wise_document", mode): wise_document(mode) for mode in compliance.WISE_MODES},
        **{("sicr_document", mode): sicr_document(mode) for mode in compliance.SICR_MODES},
        **{("infosearch_full", mode): infosearch_full(mode) for mode in compliance.WISE_MODES},
        ("p_mrr_document", "default"): p_mrr_document,
        ("qrel_match", "default"): qrel_match,
    },
    "robustness": {("robustness", "default"): robustness},
    "followir_pmrr": {("p_mrr", "default"): followir_p_mrr},
    "rouge_recall": {("rouge_recall", mode): rouge_recall(mode) for mode in answers.ROUGE_MODES},
    "rbo": {("rbo", "default"): rbo, ("rbo_cluster", "default"): rbo_cluster},
    "spearman": {("spearman", "default"): spearman},
    "rerank_opportunity": {("rerank_opportunity", "default"): rerank_opportunity},
    "paper_tables": {
        (name, "default"): paper_table
        for name in (
            "bright_macro_mean",
            "followir_score_mean",
            "followir_pmrr_mean",
            "flip_rate_domain_mean",
            "wr_adjacent_mean",
            "impliret_average",
            "impliret_category",
        )
    },
}


def transposed(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def mean(values):
    return fmean(values.values()) if values else None


def rounded(value):
    """Round as the published code does before any further averaging."""
    return None if value is None else round(value, 5)


def values_of(name, inputs, **options):
    """Return the per-query values of a metric such as `MAP@5`; `RR` has no cut-off."""
    stem, _, k = name.partition("@")
    cut = int(k) if k else None
    return AT_CUT_OFF[stem](inputs["run"], inputs["qrels"], cut, **options)


def golden_folder(config) -> Path | None:
    given = config.getoption("--golden")
    if given is not None:
        return given
    shared = os.environ.get("LEADLINE_SHARED")
    folder = Path(shared) if shared else Path(__file__).parents[2] / "shared"
    return folder / "golden" if (folder / "golden").is_dir() else None


def pytest_generate_tests(metafunc):
    if "case" not in metafunc.fixturenames:
        return
    folder = golden_folder(metafunc.config)
    if folder is None:
        reason = pytest.mark.skip(reason="no golden vectors: set LEADLINE_SHARED or --golden")
        metafunc.parametrize("case", [pytest.param(None, marks=reason)])
        return
    metafunc.parametrize("case", [each for path in files_of(folder) for each in params_of(path)])


def files_of(folder: Path) -> list[Path]:
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise pytest.UsageError(f"--golden: no .json file in {folder}")
    return paths


def params_of(path: Path):
    data = json.loads(path.read_text("utf-8"), object_hook=number)
    family = data["family"]
    if family in LATER:
        later = pytest.mark.skip(reason=f"{family}: comes {LATER[family]}")
        return [pytest.param((family, None), id=family, marks=later)]
    return [pytest.param((family, case), id=case["id"]) for case in data["cases"]]


def number(item):
    return float(item["$float"]) if set(item) == {"$float"} else item


def test_golden_vector(case):
    family, vector = case
    if family in OF_SYSTEMS:
        OF_SYSTEMS[family](vector)
        return
    handlers = HANDLERS.get(family)
    assert handlers is not None, f"unknown family {family!r}"
    handler = handlers.get((vector["metric"], vector["mode"]))
    assert handler, f"unknown metric and mode {vector['metric']!r}, {vector['mode']!r} in {family}"
    expected = vector["expected"]
    check(handler(vector["inputs"], expected), expected, vector["tolerance"], "expected")


def check(ours, expected, tolerance, where):
    """Compare, item by item, what we compute with what is expected."""
    if isinstance(expected, dict):
        assert isinstance(ours, dict) and set(expected) <= set(ours), (where, ours)
        for key in expected:
            check(ours[key], expected[key], tolerance, f"{where}.{key}")
    elif isinstance(expected, list):
        assert isinstance(ours, list | tuple) and len(ours) == len(expected), (where, ours)
        for index, item in enumerate(expected):
            check(ours[index], item, tolerance, f"{where}[{index}]")
    elif isinstance(expected, bool | str) or expected is None:
        assert ours == expected and type(ours) is type(expected), (where, ours, expected)
    else:
        allowed = max(tolerance, tolerance * abs(expected))
        assert ours is not None and abs(ours - expected) <= allowed, (where, ours, expected)
