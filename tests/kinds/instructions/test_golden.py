"""The golden families on instructions, through a benchmark on disk, a system and `evaluate`."""

import json
from dataclasses import dataclass

import pytest

import golden_compliance
from golden_retrieval import mean
from leadline.evaluation import evaluate
from leadline.kinds import benchmark_folder as folder
from leadline.kinds.instructions import published as instructions
from leadline.kinds.instructions import published_narratives as narratives
from leadline.system import System
from shared import shared_folder
from test_golden import number


def vectors(family):
    path = shared_folder() / "golden" / f"{family}.json"
    if not path.is_file():
        return []
    cases = json.loads(path.read_text("utf-8"), object_hook=number)["cases"]
    return [pytest.param(case, id=case["id"]) for case in cases]


@dataclass(frozen=True)
class Remembered:
    """A first stage that returns the run of a vector, by query id."""

    run: dict
    name: str = "remembered"

    def index(self, corpus):
        return self

    def search(self, queries, k):
        return {query.id: self.run.get(query.id, {}) for query in queries}

    def score(self, queries, candidates):
        return self.search(queries, 0)


def scored(benchmark, run):
    system = System(Remembered(run), depth=10_000)
    return evaluate(system, benchmark).scores


def published(path, gold, became, modes):
    topics = sorted(gold.keys() | became.keys())
    documents = {id for ids in (*gold.values(), *became.values()) for id in ids}
    names = {"original": "og", "instructed": "changed", "reversed": "reversed"}
    asked = {f"instruction_{names[mode]}": mode for mode in modes}
    lines(path / "queries.jsonl", [{"_id": each, "text": "?", **asked} for each in topics])
    for mode in modes[:2]:
        rows = ["query-id\tcorpus-id\tscore"]
        for topic in topics:
            rows += [f"{topic}\t{each}\t1" for each in gold.get(topic, [])]
            grade = int(mode == "original")
            rows += [f"{topic}\t{each}\t{grade}" for each in became.get(topic, [])]
        file = path / f"qrels_{names[mode]}" / "test.tsv"
        file.parent.mkdir(parents=True)
        file.write_text("\n".join(rows) + "\n")
    return documents


def lines(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def write_documents(path, *found):
    ids = sorted({id for runs in found for id in runs})
    lines(path / "corpus.jsonl", [{"_id": id, "text": "text"} for id in ids])


@pytest.mark.parametrize(
    "case",
    [each for each in vectors("infosearch") if each.values[0]["metric"] == "infosearch_full"],
)
def test_a_published_folder_gives_the_golden_values_of_instructions(case, tmp_path):
    inputs, mode = case["inputs"], case["mode"]
    path = tmp_path / "Audience-v1"
    modes = ("original", "instructed", "reversed")
    judged = published(path, inputs["gold"], inputs["became_nonrelevant"], modes)
    runs = [inputs[name] for name in ("run_ori", "run_ins", "run_rev")]
    write_documents(path, judged, *(run for by_query in runs for run in by_query.values()))
    run = {
        f"{topic}-{ending}": ranking
        for ending, by_query in zip(("og", "changed", "reversed"), runs, strict=True)
        for topic, ranking in by_query.items()
    }
    [benchmark] = instructions.build("audience", data=tmp_path, mode=mode, depth=0)
    scores = scored(benchmark, run)
    option = "" if mode == "paper" else f"[mode={mode}]"
    ours = {
        "WISE": mean(scores[f"WISE{option}"]),
        "SICR": mean(scores["SICR" if mode == "paper" else "SICR[mode=code_head]"]),
        "p-MRR": mean(scores["p-MRR"]),
    }
    if mode != "paper":
        ours["ideal_WISE"] = mean(scores[f"IdealWISE{option}"])
        for name, of in (("ori", ""), ("ins", "[mode=instructed]"), ("rev", "[mode=reversed]")):
            ours[f"{name}_pos_rank"] = mean(scores[f"GoldRank{of}"])
    expected = {name: case["expected"][name] for name in ours}
    assert ours == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("case", vectors("robustness"))
def test_a_benchmark_folder_gives_the_golden_values_of_robustness(case, tmp_path):
    inputs = case["inputs"]
    core = {id: name for name, ids in inputs["groups"].items() for id in ids}
    judged = {id for grades in inputs["qrels"].values() for id in grades}
    write_documents(tmp_path, judged, *inputs["runs"].values())
    lines(
        tmp_path / "queries.jsonl",
        [
            {"_id": id, "text": "?", "facets": {"mode": "instructed", "core": core[id]}}
            for id in inputs["qrels"]
            if id in core
        ],
    )
    (tmp_path / "qrels").mkdir()
    rows = [f"{q}\t{d}\t{g}" for q in core for d, g in inputs["qrels"].get(q, {}).items()]
    (tmp_path / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))
    name = f"Robustness@{inputs['k']}"
    settings = {"kind": "instructions", "metrics": [name]}
    (tmp_path / "benchmark.json").write_text(json.dumps(settings))
    values = scored(folder.build(tmp_path), inputs["runs"])[name]
    expected = case["expected"]
    assert values == pytest.approx(expected["min_per_group"])
    assert mean(values) == pytest.approx(expected["robustness"])


@pytest.mark.parametrize("case", vectors("followir_pmrr"))
def test_a_published_folder_gives_the_golden_values_of_changed_narratives(case, tmp_path):
    inputs = case["inputs"]
    path = tmp_path / "robust04"
    judged = published(path, {}, inputs["qrel_diff"], ("original", "instructed"))
    run = {**inputs["run_og"], **inputs["run_changed"]}
    write_documents(path, judged, *run.values())
    [benchmark] = narratives.build("robust04", data=tmp_path)
    expected = golden_compliance.followir_p_mrr(inputs, case["expected"])
    assert mean(scored(benchmark, run)["p-MRR"]) == pytest.approx(expected)
