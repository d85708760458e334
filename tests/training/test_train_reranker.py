"""Training of a small cross-encoder, from the first step to a stage that reranks."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from statistics import pstdev

import pytest

pytest.importorskip("datasets")

import tiny_models
from leadline import progress
from leadline.errors import InputError
from leadline.rerankers import cross_encoder
from leadline.training.reranker import (
    RerankerLoss,
    TrainedReranker,
    _targets,
    train_reranker,
)
from leadline.training.settings import Settings
from leadline.types import Document, Query, TrainingExample

FAST = Settings(learning_rate=3e-3, batch_size=8, steps=60, evaluations=3, warmup=0.0)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    return tiny_models.save(
        folder, "BertForSequenceClassification", tiny_models.word_tokenizer(), num_labels=1
    )


def examples(count: int, seed: int = 0) -> list[TrainingExample]:
    """Ask for a word; the document that answers holds it, the negatives do not."""
    rng = random.Random(seed)
    words = [word for word in tiny_models.WORDS if word.isalpha()][:12]
    made = []
    for _ in range(count):
        wanted, *others = rng.sample(words, 4)
        made.append(TrainingExample(wanted, f"{wanted} {others[0]}", tuple(others[1:])))
    return made


def run(
    base: Path, out: Path, loss: RerankerLoss = "listwise", settings: Settings = FAST
) -> TrainedReranker:
    return train_reranker(
        str(base), examples(120), examples(30, 1), out, loss=loss, settings=settings
    )


@pytest.mark.parametrize("loss", ["listwise", pytest.param("binary", marks=pytest.mark.slow)])
def test_training_puts_answers_first_and_the_result_is_a_stage(
    base: Path, tmp_path: Path, loss: RerankerLoss
) -> None:
    done = run(base, tmp_path / "out", loss)
    assert done.end["nDCG@10"] > done.start["nDCG@10"] + 0.1
    assert done.end["nDCG@10"] > 0.9
    example = examples(1, 7)[0]
    corpus = {"n": Document("n", example.negatives[0]), "p": Document("p", example.positive)}
    stage = cross_encoder.build(str(tmp_path / "out"))
    ranking = stage.rerank([Query("q", example.query)], corpus, {"q": ["n", "p"]})
    assert list(ranking["q"]) == ["p", "n"]
    assert "cross-encoder" in (tmp_path / "out" / "README.md").read_text()


def test_training_from_an_encoder_says_that_it_starts_a_head(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = tiny_models.save(tmp_path / "base", "BertForMaskedLM", tiny_models.word_tokenizer())
    with progress.shown():
        run(base, tmp_path / "out", settings=dataclasses.replace(FAST, steps=1, evaluations=1))
    said = " ".join("".join(capsys.readouterr()).split())
    assert "has no head that scores pairs: training starts one (" in said
    assert "classifier.bias, classifier.weight)." in said


def test_a_distilled_model_follows_its_teacher(base: Path, tmp_path: Path) -> None:
    def taught(count: int, seed: int) -> list[TrainingExample]:
        """The teacher likes the first negative better than the second."""
        return [
            dataclasses.replace(each, negatives=each.negatives[:2], scores=(3.0, 1.0, -1.0))
            for each in preferring(count, seed)
        ]

    train_reranker(
        str(base), taught(120, 0), taught(30, 1), tmp_path, loss="distilled", settings=FAST
    )
    held = taught(30, 2)
    stage = cross_encoder.build(str(tmp_path))
    corpus = {
        f"{place}{name}": Document(f"{place}{name}", text)
        for place, each in enumerate(held)
        for name, text in zip("abc", (each.positive, *each.negatives), strict=True)
    }
    queries = [Query(str(place), each.query) for place, each in enumerate(held)]
    run = stage.rerank(
        queries, corpus, {q.id: [f"{q.id}{name}" for name in "cab"] for q in queries}
    )
    as_taught = [list(run[q.id]) == [f"{q.id}{name}" for name in "abc"] for q in queries]
    assert sum(as_taught) >= 24


def preferring(count: int, seed: int) -> list[TrainingExample]:
    """Groups whose first negative holds a word, and whose second another one."""
    first, second = [word for word in tiny_models.WORDS if word.isalpha()][12:14]
    return [
        dataclasses.replace(
            each, positive=each.positive.split()[0],
            negatives=(f"{first} {each.negatives[0]}", f"{second} {each.negatives[0]}"),
        )
        for each in examples(count, seed)
    ]  # fmt: skip


def test_distilling_without_a_teacher_says_what_to_name(base: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--teacher"):
        run(base, tmp_path, "distilled")


def test_the_positive_is_never_below_a_negative_however_the_teacher_ranks_them() -> None:
    targets = _targets((1.0, 4.0, -2.0))
    assert targets[0] == targets[1] > targets[2]
    assert pstdev(targets) == pytest.approx(2.0)
    assert _targets((1.0, 1.0)) == [0.0, 0.0]


def test_a_finished_model_is_left_as_it_is(base: Path, tmp_path: Path) -> None:
    short = Settings(learning_rate=1e-3, batch_size=8, steps=2, evaluations=1)
    first = run(base, tmp_path / "out", settings=short)
    assert run(base, tmp_path / "out", settings=short) == first
    with pytest.raises(InputError, match="other settings"):
        run(base, tmp_path / "out", "binary", settings=short)


def test_groups_without_negatives_are_refused(base: Path, tmp_path: Path) -> None:
    alone = [TrainingExample("a", "b")]
    with pytest.raises(InputError, match="hard negatives"):
        train_reranker(str(base), alone, alone, tmp_path / "out")
