from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tiny_models

pytest.importorskip("transformers")

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from leadline.errors import InputError
from leadline.rerankers import cross_encoder
from leadline.types import Document, Query, Reads

TEXTS = ["the cat sleeps at nine", "train leaves", *tiny_models.sentences(5, 6), "far", "far"]
CORPUS = {f"d{place}": Document(f"d{place}", text) for place, text in enumerate(TEXTS)}
QUERIES = [Query("q", "cat sofa"), Query("r", "the old mill quartet played at nine")]
EVERYTHING = {query.id: list(CORPUS) for query in QUERIES}

KINDS = ("Bert", "XLMRoberta", "ModernBert", "Llama")


@pytest.fixture(scope="session")
def folders(model_of: Callable[[str], Path]) -> dict[str, Path]:
    return {kind: model_of(f"{kind}ForSequenceClassification") for kind in KINDS}


def run_of(folder: Path, **options: Any) -> dict[str, dict[str, float]]:
    reranker = cross_encoder.build(str(folder), **options)
    return {q: dict(scores) for q, scores in reranker.rerank(QUERIES, CORPUS, EVERYTHING).items()}


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_the_logits_that_transformers_gives(folders: dict[str, Path], kind: str) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(folders[kind]).eval()
    tokenizer = AutoTokenizer.from_pretrained(folders[kind])
    run = run_of(folders[kind])
    for query in QUERIES:
        for name, document in CORPUS.items():
            with torch.no_grad():
                logits = model(**tokenizer(query.text, document.text, return_tensors="pt")).logits
            # Of two labels, the second stands for relevant: log odds.
            wanted = logits[0, -1] - (logits[0, 0] if kind == "ModernBert" else 0)
            assert run[query.id][name] == pytest.approx(float(wanted), abs=1e-5)


def test_a_long_document_is_cut_at_its_end(folders: dict[str, Path]) -> None:
    # [CLS] cat sofa [SEP] + 5 words + [SEP] = 10 tokens.
    words = "the old mill quartet played"
    corpus = {"cut": Document("cut", f"{words} far away at nine"), "is": Document("is", words)}
    reranker = cross_encoder.build(str(folders["Bert"]), max_length=10)
    run = reranker.rerank(QUERIES[:1], corpus, {"q": ["is", "cut"]})["q"]
    assert run["cut"] == pytest.approx(run["is"], abs=1e-6)


def test_a_special_token_in_a_document_is_text(folders: dict[str, Path]) -> None:
    # Read as a token, [SEP] would be one of 6; as text it is three: [ SEP ].
    reranker: Any = cross_encoder.build(str(folders["Bert"]))
    encoded = reranker.encoded([(Query("q", "cat"), Document("d", "far [SEP]"))])
    tokens = AutoTokenizer.from_pretrained(folders["Bert"]).convert_ids_to_tokens(
        encoded["input_ids"][0]
    )
    assert tokens == ["[CLS]", "cat", "[SEP]", "far", "[", "SEP", "]", "[SEP]"]


def test_prompts_stand_before_query_and_document(folders: dict[str, Path]) -> None:
    reranker: Any = cross_encoder.build(
        str(folders["Llama"]), query_prompt="query: ", document_prompt="document: "
    )
    encoded = reranker.encoded([(Query("q", "cat"), Document("d", "far", title="star"))])
    text = AutoTokenizer.from_pretrained(folders["Llama"]).decode(encoded["input_ids"][0])
    assert text.replace(" ", "") == "<s>query:cat<s>document:starfar"


def test_query_and_document_may_be_one_text(folders: dict[str, Path]) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folders["Llama"])
    reranker: Any = cross_encoder.build(
        str(folders["Llama"]), pair="query: {query}<s> document: {document}", max_length=12
    )
    long = Document("d", "far <s> {query} star " + "far " * 40)
    encoded = reranker.encoded([(Query("q", "cat"), long)])["input_ids"][0]
    assert len(encoded) == 12  # the document alone is cut
    assert encoded.count(tokenizer.bos_token_id) == 2  # `<s>` in a document is text
    assert tokenizer.decode(encoded).replace(" ", "").startswith("<s>query:cat<s>document:far<")


def test_a_model_of_three_labels_is_refused(tmp_path: Path) -> None:
    folder = tiny_models.save(
        tmp_path, "BertForSequenceClassification", tiny_models.word_tokenizer(), num_labels=3
    )
    with pytest.raises(InputError, match="has 3 labels"):
        run_of(folder)


def test_a_model_reads_no_more_tokens_than_it_has_positions(folders: dict[str, Path]) -> None:
    # Its positions start behind the id of padding, here 0: 65 of 66 are left.
    with pytest.raises(InputError, match="reads at most 65 tokens, got 66"):
        run_of(folders["XLMRoberta"], max_length=66)


def test_a_second_run_loads_no_model_and_a_changed_one_is_asked_anew(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    from leadline.models import weights

    folder = shutil.copytree(folders["Bert"], tmp_path / "model")
    first = run_of(folder)
    load = weights.load
    monkeypatch.setattr(weights, "load", None)  # calling it would fail
    assert run_of(folder) == first
    monkeypatch.setattr(weights, "load", load)
    config = folder / "config.json"
    config.write_text(config.read_text().replace("gelu", "relu"))
    assert run_of(folder) != first


@pytest.mark.parametrize(
    ("kind", "pair"), [("Bert", ""), ("Llama", "query: {query}<s> document: {document}")]
)
def test_it_tells_what_it_reads_of_a_pair(folders: dict[str, Path], kind: str, pair: str) -> None:
    reranker = cross_encoder.build(str(folders[kind]), max_length=16, pair=pair)
    assert isinstance(reranker, Reads)
    short, long = "one two", "one two three four five six seven eight nine ten " * 3
    found = reranker.read(["cat", "cat", "cat", long], [short, long, long + "eleven", short])
    assert found is not None
    assert [each.cut for each in found[:3]] == ["", "cut at 16 tokens", "cut at 16 tokens"]
    assert found[1].document == found[2].document != found[0].document
    # Three quarters of 16; what is around both texts takes 8 of the joined pair, the document one.
    query_cut = "cut at 7 tokens" if pair else "cut at 12 tokens"
    assert [each.query_cut for each in found] == ["", "", "", query_cut]


def test_a_length_without_room_for_query_and_document_is_refused(folders: dict[str, Path]) -> None:
    # [CLS] query [SEP] document [SEP]: three tokens of five are the frame's.
    assert len(run_of(folders["Bert"], max_length=5)["q"]) == len(CORPUS)
    with pytest.raises(InputError, match=r"take 3\. Use at least 5"):
        run_of(folders["Bert"], max_length=4)
