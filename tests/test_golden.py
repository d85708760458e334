"""Every golden vector of every family, against the functions people call.

A folder of vectors in the same format runs with `pytest tests/test_golden.py --golden DIR`. A
family or a mode that is not known fails; a family that a later issue owns is skipped by name.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from leadline.metrics import published, ranking

LATER = {
    "listwise": "with the listwise reranker",
    "pointwise": "with the true-false reranker",
    "multiconir_bm25": "with the candidate scope of BM25",
    "cr_loss": "with training on rephrasings",
    "multiconir": "with all metrics",
    "infosearch": "with all metrics",
    "robustness": "with all metrics",
    "followir_pmrr": "with all metrics",
    "rouge_recall": "with all metrics",
    "rbo": "with all metrics",
    "spearman": "with all metrics",
    "rerank_opportunity": "with all metrics",
    "paper_tables": "with all metrics",
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
    return {name: round(mean(values_of(name, inputs, **options)), 5) for name in expected}


def bright_metrics(inputs, expected):
    options = {"absent": "leave_out", "no_relevant": "zero"}
    return {name: round(mean(values_of(name, inputs, **options)), 5) for name in expected}


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
}


def values_of(name, inputs, **options):
    """Return the per-query values of a metric such as `MAP@5`; `RR` has no cut-off."""
    stem, _, k = name.partition("@")
    cut = int(k) if k else None
    return AT_CUT_OFF[stem](inputs["run"], inputs["qrels"], cut, **options)


def mean(values):
    return fmean(values.values()) if values else 0.0


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
