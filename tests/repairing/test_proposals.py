from __future__ import annotations

from pathlib import Path

import pytest

from leadline.repairing.proposals import Cost, Proposal, asked_for, proposals
from leadline.systems.chains import load_system
from leadline.types import Document, Query


def names(chain: str) -> list[str]:
    return [each.name for each in proposals(chain)]


@pytest.mark.parametrize(
    ("chain", "wanted"),
    [
        # Queries are read whole, and documents no further than before.
        ("minilm:max_length=64", "minilm:document_max_length=64"),
        ("minilm", "minilm:max_length=512"),
        ("late_interaction:colbert", "late_interaction:colbert,query_length=128"),
        ("splade-v3", "splade-v3:max_length=512"),
        ("bm25+bge-reranker-large", "bm25+bge-reranker-large:max_length=1024"),
        ("bm25+cross_encoder:m,max_length=64", "bm25+cross_encoder:m"),
    ],
)
def test_reading_more_of_queries_is_proposed_where_something_cuts_them(
    chain: str, wanted: str
) -> None:
    assert wanted in names(chain)


def test_no_length_is_proposed_where_nothing_is_cut() -> None:
    assert not any("length" in name for name in names("bm25"))


def test_whole_queries_and_cut_documents_are_what_the_proposal_says(tmp_path: Path) -> None:
    from tiny_encoders import row, save_encoder

    folder = save_encoder("bert", tmp_path / "bert")
    words = " ".join(["cat", "train"] * 10)
    cut = row("dense", folder, max_length=8)
    mended = row("dense", folder, max_length=40, document_max_length=8)
    (before,), (after,) = (each.read([words], [words]) for each in (cut, mended))
    assert before.query_cut and before.cut
    assert after.cut and not after.query_cut


def test_a_depth_goes_with_every_proposal_and_into_the_file(tmp_path: Path) -> None:
    found = proposals("bm25:k1=0.9@20")
    assert {each.depth for each in found} == {20}
    assert "bm25@20" in [each.name for each in found]
    (tmp_path / "repaired.yaml").write_text(found[0].yaml(tmp_path))
    assert load_system(str(tmp_path / "repaired.yaml")).depth == 20
    assert asked_for("bm25@7").system().depth == 7


def test_a_model_beside_a_system_file_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tiny_encoders import save_encoder

    out = tmp_path / "out"
    out.mkdir()
    save_encoder("bert", out / "coherence")
    monkeypatch.chdir(tmp_path)
    change = Proposal("why", ("dense:out/coherence,cache=false",), Cost.STAGE)
    (out / "repaired.yaml").write_text(change.yaml(Path("out")))
    assert "dense:./coherence" in (out / "repaired.yaml").read_text()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    system = load_system("../out/repaired.yaml")
    run = system.run({"d": Document("d", "cat")}, [Query("q", "cat")]).run
    assert list(run["q"]) == ["d"]


def test_a_chain_in_a_system_file_is_changed_as_if_it_were_typed(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("chain: bm25:k1=0.9\ndepth: 20\n")
    found = names(str(tmp_path / "mine.yaml"))
    assert {"bm25@20", "bm25:k1=0.9,stopwords=none@20"} <= set(found)
    assert f"{tmp_path / 'mine.yaml'}+by_condition@20" in found


def test_the_chains_that_a_system_file_joins_are_changed_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "fusion.yaml"
    path.write_text("fusion:\n  systems: ['bm25:k1=0.9', 'facts+bm25']\n")
    found = names(str(path))
    assert "bm25 & facts+bm25" in found
    assert "bm25:k1=0.9 & facts+bm25:stopwords=none" in found
    # Neither facts nor BM25 are new to it.
    assert not any(name.startswith("facts+") or name.endswith(" & bm25") for name in found)


def test_files_named_in_a_system_file_are_found_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "systems"
    folder.mkdir()
    (folder / "inner.yaml").write_text("chain: bm25\n")
    (folder / "outer.yaml").write_text("fusion:\n  systems: [./inner.yaml, 'bm25:k1=0.9']\n")
    monkeypatch.chdir(tmp_path)
    change = next(each for each in proposals("systems/outer.yaml") if each.chains[1:] == ("bm25",))
    assert change.chains[0] == "systems/inner.yaml"
    run = change.system().run({"d": Document("d", "cat")}, [Query("q", "cat")]).run
    assert list(run["q"]) == ["d"]


@pytest.mark.parametrize(
    "content",
    [
        "fusion: {systems: ['bm25:k1=0.9', bm25], weights: [1, 2]}",
        "fusion: {systems: ['bm25:k1=0.9', {chain: bm25}]}",
        "url: http://localhost:9\n",
    ],
)
def test_what_holds_more_than_chains_is_changed_from_outside_only(
    content: str, tmp_path: Path
) -> None:
    path = tmp_path / "system.yaml"
    path.write_text(content)
    assert not [each for each in proposals(str(path)) if each.cost is Cost.OPTION]
