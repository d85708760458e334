"""Models that `repair --train` makes of the first half of the documents."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("datasets")

import tiny_models
from leadline.benchmark import Benchmark
from leadline.checking import build_probes
from leadline.cli.main import app
from leadline.data.documents import read_corpus
from leadline.preparing import Choices
from leadline.repairing.halves import falls_first, halves
from leadline.repairing.proposals import Cost
from leadline.repairing.training import (
    LEARNT_FROM,
    Course,
    courses,
    first_half,
    told_trying,
    train_proposals,
)
from leadline.training.settings import LossSettings, Settings
from leadline.types import Document

TOWN = Path(__file__).parents[2] / "examples" / "harbour_town"
FEW = Settings(0.01, batch_size=8, steps=4, evaluations=1)


@pytest.fixture(scope="module")
def town() -> dict[str, Document]:
    return dict(read_corpus(TOWN))


@pytest.fixture(scope="module")
def probes(town: dict[str, Document]) -> list[Benchmark]:
    return build_probes(town, ["rephrasings"], limit=60)


def tiny_encoder(folder: Path) -> Path:
    """Save a static embedding of random vectors over the words of the tokenizer of BERT."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    from leadline.preparing import opener

    torch.manual_seed(0)
    tokenizer = opener("minilm")().tokenizer.backend_tokenizer
    vectors = torch.randn(tokenizer.get_vocab_size(), 8)
    embedding = StaticEmbedding(tokenizer, embedding_weights=vectors)
    SentenceTransformer(modules=[embedding], device="cpu").save_pretrained(
        str(folder), create_model_card=False
    )
    return folder


def test_what_is_trained_fits_the_chain() -> None:
    joined, reranker = courses("bm25")
    assert joined.static and joined.base == "minilm" and joined.place is None
    assert joined.proposal("bm25", Path("out/c")).chains == ("bm25", "dense:out/c")
    reranked = reranker.proposal("bm25", Path("out/r"))
    assert reranked.name == "bm25+cross_encoder:out/r@20"
    assert reranked.cost is Cost.TRAINING
    own, _ = courses("facts+minilm:max_length=64")
    assert not own.static and own.base == "minilm"
    assert own.proposal("facts+minilm:max_length=64", Path("c")).name == (
        "facts+dense:c,max_length=64"
    )
    assert courses("dense:my/model")[0].base == "my/model"
    # A row with prompts of its own, which no trained folder would hold.
    assert courses("e5-large-v2")[0].static


def test_nothing_of_the_second_half_is_learnt_from(
    town: dict[str, Document], probes: list[Benchmark]
) -> None:
    learnt = first_half(town, probes, seed=3)
    assert 50 < len(learnt) < 270
    (probe,) = probes
    _, second = halves(probe, 3)
    assert second.queries
    judged = {id for grades in second.qrels.values() for id in grades}
    sources = {query.facets["document"] for query in second.queries}
    assert not learnt.keys() & (judged | sources)
    assert all(falls_first(id, 3) for id in learnt)


def test_models_are_made_and_proposed(
    town: dict[str, Document], probes: list[Benchmark], tmp_path: Path
) -> None:
    encoder = tiny_encoder(tmp_path / "encoder")
    judge = tiny_models.save(
        tmp_path / "judge", "BertForSequenceClassification", tiny_models.word_tokenizer(),
        num_labels=1,
    )  # fmt: skip
    choices = Choices(limit=40, negatives=2, documents=50)
    wanted = [
        Course("coherence", "c", str(encoder), 1, FEW, choices, loss=LossSettings("cr")),
        Course("reranker", "r", str(judge), 1, dataclasses.replace(FEW, max_length=32), choices),
        Course("none", "n", str(judge), 1, FEW, dataclasses.replace(choices, negatives=0)),
    ]
    out = tmp_path / "out"
    learnt = train_proposals("bm25", wanted, town, probes, out)
    assert [each.chains for each in learnt.proposals] == [
        ("bm25", f"dense:{out / 'coherence'}"),
        (f"bm25+cross_encoder:{out / 'reranker'}",),
    ]
    assert list(learnt.lacking) == ["none"] and "hard negatives" in learnt.lacking["none"]
    read = {json.loads(line)["_id"] for line in (out / LEARNT_FROM / "corpus.jsonl").open()}
    assert read == first_half(town, probes).keys()
    asked = probes[0].queries[:2]
    for proposal in learnt.proposals:
        assert proposal.system().run(town, asked).run[asked[0].id]


def test_the_cost_is_told_before_anything_is_done(tmp_path: Path) -> None:
    out = tmp_path / "out"
    given = ["repair", str(TOWN), "-s", "bm25", "--train", "--dry-run", "--out", str(out)]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output
    assert "Training takes time of one processor core: coherence about" in done.stderr
    assert f"bm25 & dense:{out / 'coherence'}" in done.stdout
    assert not out.exists()
    assert "Training" not in CliRunner().invoke(app, [*given[:4], "--dry-run"]).stderr


def test_trying_a_reranker_costs_by_the_query(probes: list[Benchmark]) -> None:
    # 20 documents a query, 40 pairs a second, 60 seconds a minute.
    minutes = max(1, round(20 * sum(len(each.queries) for each in probes) / 40 / 60))
    assert told_trying(courses("bm25"), probes) == (
        f"Trying the reranker takes up to {minutes} min more."
    )
    assert told_trying(courses("bm25")[:1], probes) == ""
