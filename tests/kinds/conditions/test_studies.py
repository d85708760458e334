"""Studies of length, positions and attention: worked by hand, and on tiny models."""

import csv
import json
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from commands import run
from ladders import a_record
from leadline.cli.main import app
from leadline.errors import InputError
from leadline.kinds.conditions.ladders import write_ladders
from leadline.kinds.conditions.published import build
from leadline.kinds.conditions.studies import (
    Condition,
    moved,
    only_ladders,
    smoothed,
    study_position,
    unread_shares,
)
from leadline.types import Reading


def analysed(out: Path, study: str, *more: str) -> tuple[Any, Any, str]:
    """Return what a study wrote, the result of the command, and the page."""
    done = run("analyse", study, *more, "--out", out)
    results = json.loads((out / f"{study}.json").read_text())["results"]
    return results, done, (out / f"{study}.html").read_text()


def tiny_encoder(folder: Path, more: str = "") -> str:
    pytest.importorskip("sentence_transformers")
    from tiny_encoders import ROW_OF, save_encoder

    return f"{ROW_OF['bert']}:{save_encoder('bert', folder)},max_length=40{more},cache=false"


def test_win_rates_and_similarities_are_told_by_length(tmp_path: Path) -> None:
    write_ladders(tmp_path / "ladders.jsonl", [a_record(id="a"), a_record(id="b")])
    (bm25, encoder), _, page = analysed(
        tmp_path / "out", "length", "-s", "bm25", "-s", tiny_encoder(tmp_path / "model"),
        "--data", str(tmp_path), "--words", "40", "--words", "0",
    )  # fmt: skip
    assert [each["words"] for each in bm25["lengths"]] == [0, 40]
    # "says" stands in j sentences of d_j, and in no negative.
    assert [each["Adjacent"]["mean"] for each in bm25["lengths"]] == [1.0, 1.0]
    assert [each["Adjacent"]["n"] for each in bm25["lengths"]] == [2, 2]
    assert bm25["lengths"][0]["similarity"] is None
    assert all(-1 <= each["similarity"]["mean"] <= 1.0001 for each in encoder["lengths"])
    assert "Adjacent win rate by length" in page and "Similarity by length" in page


class FirstWords:
    """Reads so many words of a document."""

    def __init__(self, words: int) -> None:
        self.words = words

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        return [Reading(" ".join(each.split()[: self.words])) for each in documents]


def test_neighbours_that_differ_behind_the_cut_are_unread(tmp_path: Path) -> None:
    write_ladders(tmp_path / "ladders.jsonl", [a_record()])
    [whole] = [only_ladders(each, "list") for each in build(data=tmp_path)]
    assert unread_shares(whole, FirstWords(1000)) == [0.0]
    # the first sentence alone is read: only d_0 and d_1 differ in it, of three pairs
    first = len(a_record().conditions[0].split())
    assert unread_shares(whole, FirstWords(first)) == [pytest.approx(2 / 3)]


def table(path: Path, *names: str) -> None:
    """Write ladders of two conditions: documents that meet both, one and none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as lines:
        rows = csv.writer(lines)
        rows.writerow(["Query2", "Positive", "HN1", "HN2"])
        rows.writerows([f"{name} film", f"a {name} film", f"a {name}", "none"] for name in names)


def test_only_ladders_that_are_there_at_every_length_are_compared(tmp_path: Path) -> None:
    for domain, names in {"Movies": ("red", "blue", "green"), "Books": ("old", "new")}.items():
        table(tmp_path / f"Task2_&_3/{domain}_Task2_&_3.csv", *names)
    table(tmp_path / "Task4/Movies_512.csv", "green", "red")
    (study,), done, _ = analysed(
        tmp_path / "out", "length", "-s", "bm25", "--data", str(tmp_path),
        "--words", "0", "--words", "512",
    )  # fmt: skip
    # Three films and two books as they are; two of the films have 512 words.
    assert [each["Adjacent"]["n"] for each in study["lengths"]] == [2, 2]
    assert "bm25, 2 ladders: adjacent win rate" in done.stdout
    said = " ".join(done.stderr.split())
    assert "Compared: 2 ladders of 5. The others lack a length." in said
    assert "has no table of 512 words for books: left out." in said


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["length", "-s", "bm25", "--style", "verse"],
         "no query with all conditions in the style 'verse'"),
        (["position", "-s", "bm25"], "needs a single dense encoder"),
    ],
)  # fmt: skip
def test_what_cannot_be_studied_is_refused(tmp_path: Path, typed: list[str], message: str) -> None:
    write_ladders(tmp_path / "ladders.jsonl", [a_record()])
    more = ["--data", str(tmp_path), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, ["analyse", *typed, *more])
    assert done.exit_code == 2 and message in " ".join(done.output.split())


class Early:
    """An encoder of two numbers: how soon `cat` comes, and one. It reads `most` words."""

    def __init__(self, most: int = 1000) -> None:
        self.most = most
        self.encoders: Mapping[Any, Any] = {}
        self.settings: dict[str, Any] = {}

    def rows(self, texts: Sequence[str], side: str) -> Any:
        return list(texts)

    def vectors(self, rows: Any) -> Any:
        return np.array([[1 / (1 + text.split().index("cat")), 1.0] for text in rows])

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        def cut(text: str) -> str:
            return "cut" * (len(text.split()) > self.most)

        return [
            Reading(document, cut(document), cut(query))
            for query, document in zip(queries, documents, strict=True)
        ]


CAT = Condition("cat", "cat", "a")


def test_smoothing_weighs_neighbours_and_passes_over_gaps() -> None:
    near, far = exp(-0.5), exp(-2)
    assert smoothed([1.0, None, 0.0]) == [
        pytest.approx(1 / (1 + far)), None, pytest.approx(far / (1 + far))
    ]  # fmt: skip
    assert smoothed([1.0, 0.0]) == [pytest.approx(1 / (1 + near)), pytest.approx(near / (1 + near))]


def test_similarity_is_the_cosine_at_each_place() -> None:
    assert moved("a cat", 1, 3, "x", 2) == "x x a cat x x"
    study = study_position("early", Early(), [CAT], places=3, filler="x", repeat=1)
    expected = [(1 / (1 + p) + 1) / (2**0.5 * (1 / (1 + p) ** 2 + 1) ** 0.5) for p in range(3)]
    assert study.similarities[0] == pytest.approx(expected)
    unread = study_position("early", Early(2), [CAT], places=3, filler="x", repeat=1)
    assert unread.similarities[0][2] is None


def test_the_condition_may_be_moved_through_the_query() -> None:
    # The document, where cat comes first, stays as it is: (1, 1). The query is (1 / (1 + p), 1).
    asked = Condition("cat", "cat sat", "a")
    study = study_position("early", Early(), [asked], places=3, filler="x", repeat=1, move="query")
    expected = [(1 / (1 + p) + 1) / (2**0.5 * (1 / (1 + p) ** 2 + 1) ** 0.5) for p in range(3)]
    assert study.similarities[0] == pytest.approx(expected)
    short = study_position("early", Early(2), [asked], places=3, filler="x", repeat=1, move="query")
    assert short.similarities[0][2] is None  # the query has three words, the document two


def test_the_filler_is_repeated_as_often_as_the_encoder_can_read() -> None:
    assert study_position("early", Early(), [CAT], places=3, filler="x").repeat == 10
    assert study_position("early", Early(9), [CAT], places=3, filler="x").repeat == 4
    with pytest.raises(InputError, match="early cannot read"):
        study_position("early", Early(2), [CAT], places=3, filler="x")


def test_an_encoder_is_studied_by_position(tmp_path: Path) -> None:
    (told,), _, page = analysed(
        tmp_path / "out", "position", "-s", tiny_encoder(tmp_path / "model", ",pooling=mean"),
        "--condition", "a cat", "--filler", "star", "--places", "4",
    )  # fmt: skip
    assert told["filler repeated"] > 1
    means = [each["similarity"] for each in told["positions"]]
    assert len(set(means)) > 1 and all(-1 <= each <= 1.0001 for each in means)
    assert "Similarity by the position of the condition" in page and 'class="stroke s0"' in page


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("transformers")
    import tiny_models as tiny

    folder = tmp_path_factory.mktemp("cross")
    kind = "BertForSequenceClassification"
    return str(tiny.save(folder, kind, tiny.word_tokenizer(), num_labels=1))


def test_attention_is_the_mean_over_heads_and_layers(cross_encoder: str) -> None:
    import torch

    from leadline.kinds.conditions.attention import attention, load_attentive

    weights = load_attentive(cross_encoder)
    found = attention(weights, "the cat", "the old mill")
    assert found.query == ("the", "cat")
    assert found.document == ("the", "old", "mill")
    pair = weights.tokenizer("the cat", "the old mill", return_tensors="pt")
    with torch.inference_mode():
        layers = weights.model(**pair, output_attentions=True).attentions
    mean = sum(layer[0].sum(0) for layer in layers) / 4  # two layers of two heads
    # [CLS] the cat [SEP] the old mill [SEP]
    assert found.to_document[1][2] == pytest.approx(float(mean[2, 6]), abs=1e-6)
    assert found.to_query[1][2] == pytest.approx(float(mean[6, 2]), abs=1e-6)
    assert not found.cut


def test_a_word_gathers_its_tokens(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    import tiny_models as tiny
    from leadline.kinds.conditions.attention import attention, load_attentive

    kind = "Qwen2ForSequenceClassification"
    folder = tiny.save(tmp_path, kind, tiny.byte_tokenizer(), num_labels=1)
    found = attention(load_attentive(str(folder)), "cat", " zebra sleeps")
    assert found.document == ("zebra", "sleeps")
    assert found.shown[0] == "document to query"  # a causal query does not see what follows
    assert found.to_query[0][0] > 0


def test_a_long_document_is_drawn_in_pieces_and_an_empty_one_refused(
    tmp_path: Path, cross_encoder: str
) -> None:
    typed = [cross_encoder, "--query", "the cat", "--document"]
    told, done, page = analysed(tmp_path / "out", "attention", *typed, "<b>mill</b> " * 200)
    assert told["document cut"] and "query to document" in done.stdout
    assert page.count("document words 1 to 24") and "<b>mill" not in page
    done = CliRunner().invoke(app, ["analyse", "attention", *typed, "", "--out", str(tmp_path)])
    assert done.exit_code == 2 and "no word of the document" in done.stderr
