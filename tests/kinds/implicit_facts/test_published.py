import csv
import gzip
import json
from dataclasses import replace
from math import log2
from pathlib import Path
from statistics import fmean

import pytest

from leadline.benchmark import quoted_results
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.implicit_facts.pools import lines
from leadline.kinds.implicit_facts.published import PARTS, accepted_forms, build
from leadline.metrics.answers import exact_match
from leadline.report import wholes
from leadline.systems.chains import load_system
from shared import shared_data
from tables import each_row

ROW = {
    "id": 0,
    "tuple_set_id": 3,
    "pos_document": "2024-10-13 09:00, Maeve: I went there seven days ago.",
    "question": "Where was Maeve on October 06, 2024?",
    "answer": "museum",
}


def write(folder: Path, *rows: dict[str, object], packed: bool = False) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if packed:
        (folder / "temporal_unispeaker.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    else:
        (folder / "temporal_unispeaker.jsonl").write_text(text)
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_a_row_is_a_document_with_its_question(tmp_path: Path, packed: bool) -> None:
    [pool] = build("temporal-unispeaker", data=write(tmp_path, ROW, packed=packed))
    assert pool.name == "implicit-facts/temporal-unispeaker"
    [query] = pool.queries
    assert query.text == "Where was Maeve on October 06, 2024?"
    assert query.answer == "museum"
    assert query.facets["tuple_set"] == "3"
    assert pool.qrels == {query.id: {query.id: 1}}
    assert pool.corpus[query.id].text.endswith("seven days ago.")


def published(folder: Path, part: str, name: str) -> Path:
    """Write one row as published: the columns are those of the hub's data set.

    ZeinabTaghavi/ImpliRet at 090a0f5 keeps its `dataset_info.json` (revision 5ba6044); the
    repository has the same fields a line in Dataset_Generation/Data/{A,T,W}_{Uni,Multi}.jsonl.
    """
    speaks = {"forum_question": "Where was everybody?"} if "multi" in part else {}
    row = {
        "id": 0, "tuple_set_id": 3, **speaks, "pos_document": ROW["pos_document"],
        "question": ROW["question"], "answer": "museum", "explicit_hint": "a ** b",
    }  # fmt: skip
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as lines:
        if path.suffix == ".csv":
            table = csv.DictWriter(lines, row)
            table.writeheader()
            table.writerow(row)
        else:
            lines.write(json.dumps(row) + "\n")
    return folder


@each_row
def test_the_files_of_the_hub_and_the_repository_load(tmp_path: Path, part: str, name: str) -> None:
    [pool] = build(part, data=published(tmp_path, part, name))
    [query] = pool.queries
    assert (query.answer, query.facets["tuple_set"]) == ("museum", "3")
    assert query.facets.get("forum_question", "") == ("Where was everybody?" * ("multi" in part))
    assert pool.built_by == "published"
    with pytest.raises(InputError, match=r"has no .*_unispeaker\.jsonl"):
        build("arithmetic-unispeaker", data=tmp_path)


def test_categories_are_means_of_their_two_pools(tmp_path: Path) -> None:
    # Tables 2 and 7. Alone in its pool a document is first; the second of the temporal pools has
    # another document before it, which makes nDCG 1 / log2(3) and MRR 1 / 2.
    for part in PARTS:
        short = part[0].upper() + ("_Uni" if "uni" in part else "_Multi")
        published(tmp_path, part, f"{short}.jsonl")
    first = {"id": 1, "pos_document": "Where was Maeve on October 06, 2024?", "question": "x"}
    with (tmp_path / "T_Multi.jsonl").open("a") as lines:
        lines.write(json.dumps(ROW | first) + "\n")
    pools = [replace(pool, queries=pool.queries[:1]) for pool in build(data=tmp_path)]
    [whole] = wholes([evaluate(load_system("bm25"), pool) for pool in pools])
    means = {name: round(mean.mean, 4) for name, mean in whole.means().items()}
    assert means["MRR@10[category=temporal]"] == 0.75
    assert means["nDCG@10[category=temporal]"] == round((1 + 1 / log2(3)) / 2, 4)
    assert means["nDCG@10[category=wknow]"] == 1.0
    assert means["MRR@10"] == round((5 + 1 / 2) / 6, 4)


def test_a_row_without_a_field_is_named_by_line(tmp_path: Path) -> None:
    broken = {name: value for name, value in ROW.items() if name != "pos_document"}
    with pytest.raises(InputError, match=r"temporal_unispeaker\.jsonl:2: no field pos_document"):
        build("temporal-unispeaker", data=write(tmp_path, ROW, broken | {"id": 1}))


def test_the_hub_out_of_reach_names_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="--data DIR"):
        build("temporal-unispeaker")


def test_all_six_pools_load_and_their_released_wording_is_an_option() -> None:
    folder = shared_data("data", "impliret")
    pools = build(data=folder)
    assert [pool.name for pool in pools] == [f"implicit-facts/{part}" for part in PARTS]
    assert all(len(pool.queries) == len(pool.corpus) == 750 for pool in pools)
    published = pools[list(PARTS).index("arithmetic-multispeaker")]
    [released] = build("arithmetic-multispeaker", data=folder, wording="question_released")
    assert published.queries[0].text != released.queries[0].text
    assert released.queries[0].text == (
        "What is the brand and model of the smartphone that cost $1,950?"
    )
    assert "wording: question_released" in released.source
    # Published figures are over the garbled wording.
    assert [each.departs for each in published.quoted if not each.parts] == [""] * 6
    assert all("garbled" in each.departs for each in released.quoted)


def test_a_forum_thread_keeps_its_opening_question_with_the_query(tmp_path: Path) -> None:
    write(tmp_path, ROW | {"forum_question": "Where were you?"})
    [pool] = build("temporal-unispeaker", data=tmp_path)
    assert pool.queries[0].facets["forum_question"] == "Where were you?"
    assert "forum_question" not in pool.corpus[pool.queries[0].id].facets


@each_row
def test_an_answer_in_the_form_of_the_document_is_right(part: str, gold: str, said: str) -> None:
    assert exact_match(said, [gold, *accepted_forms(part, gold)]) == 1.0


@each_row
def test_no_other_answer_is_accepted(part: str, gold: str, said: str) -> None:
    assert exact_match(said, [gold, *accepted_forms(part, gold)]) == 0.0


def test_a_scheduled_activity_is_accepted_as_its_document_says_it() -> None:
    for line in lines("chat_activities"):
        do, doing = line.split(" | ")
        assert doing in accepted_forms("temporal-unispeaker", do)


# The "Average" columns of the paper's Tables 2 and 7, in percent.
PRINTED = {
    "BM25": (12.24, 7.93),
    "ColBERT v2": (14.25, 9.26),
    "Contriever": (14.31, 9.50),
    "Dragon+": (14.91, 9.90),
    "ReasonIR": (13.64, 9.71),
    "HippoRAG 2": (14.53, 9.72),
}


@pytest.mark.parametrize("system", PRINTED)
def test_the_six_pools_average_to_what_the_paper_prints(system: str) -> None:
    pools = [
        {
            each.system: each
            for each in quoted_results("leadline.kinds.implicit_facts", f"implicit-facts/{p}")
            if not each.parts
        }
        for p in PARTS
    ]
    for metric, printed in zip(("nDCG@10", "MRR@10"), PRINTED[system], strict=True):
        mean = fmean(pool[system].metrics[metric] for pool in pools)
        assert 100 * mean == pytest.approx(printed, abs=0.0051)
