"""Attention between words, read from tiny cross-encoders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("transformers")

import tiny_models as tiny
from leadline.cli.main import app
from leadline.kinds.conditions.attention import attention, heat_maps, load_attentive

RUN = CliRunner()


def bert(folder: Path) -> Path:
    return tiny.save(folder, "BertForSequenceClassification", tiny.word_tokenizer(), num_labels=1)


def test_attention_is_the_mean_over_heads_and_layers(tmp_path: Path) -> None:
    import torch

    weights = load_attentive(str(bert(tmp_path)))
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
    folder = tiny.save(
        tmp_path, "Qwen2ForSequenceClassification", tiny.byte_tokenizer(), num_labels=1
    )
    found = attention(load_attentive(str(folder)), "cat", " zebra sleeps")
    assert found.document == ("zebra", "sleeps")
    assert found.shown[0] == "document to query"  # a causal query does not see what follows
    assert found.to_query[0][0] > 0


def test_long_documents_are_drawn_in_pieces_and_cut_where_the_model_stops(tmp_path: Path) -> None:
    found = attention(load_attentive(str(bert(tmp_path))), "the cat", "mill " * 200)
    assert found.cut
    maps = heat_maps(found)
    assert [len(each.columns) for each in maps] == [24, 24, 24, 24, 24, 3]  # 128 - 5 tokens
    assert len({each.high for each in maps}) == 1


def test_a_page_and_numbers_are_written(tmp_path: Path) -> None:
    typed = ["analyse", "attention", str(bert(tmp_path / "m")), "--query", "the cat",
             "--document", "the <b>mill</b>", "--out", str(tmp_path / "out")]  # fmt: skip
    done = RUN.invoke(app, typed)
    assert done.exit_code == 0, done.output
    assert "query to document" in done.stdout
    told = json.loads((tmp_path / "out" / "attention.json").read_text())["results"]
    assert len(told["query to document"]) == 2
    page = (tmp_path / "out" / "attention.html").read_text()
    assert "<b>mill" not in page and "&lt;b&gt;" in page


def test_an_empty_document_is_refused(tmp_path: Path) -> None:
    typed = ["analyse", "attention", str(bert(tmp_path / "m")), "--query", "cat",
             "--document", "", "--out", str(tmp_path / "out")]  # fmt: skip
    done = RUN.invoke(app, typed)
    assert done.exit_code == 2 and "document has no word" in done.stderr
