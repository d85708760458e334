from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sentence_transformers")

import tiny_models
from leadline.errors import InputError
from leadline.models.encoder import Encoder
from leadline.models.weights import load
from leadline.rerankers import cross_encoder, listwise, sequence_to_sequence, setwise, true_false
from leadline.retrievers import dense, late_interaction, sparse
from leadline.systems.chains import encoder_named
from leadline.types import Document, Query
from tiny_bert import save_colbert, save_mlm

CORPUS = {"d": Document("d", "the cat sleeps")}
QUERIES = [Query("q", "cat")]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder without a head and without a pooler, which token vectors do not need."""
    from transformers import BertModel

    folder = tmp_path_factory.mktemp("encoder")
    tiny_models.save(folder, "BertForMaskedLM", tiny_models.word_tokenizer())
    BertModel.from_pretrained(folder, add_pooling_layer=False).save_pretrained(folder)
    return folder


def renamed(folder: Path, to: Path, name: Callable[[str], str]) -> Path:
    """Copy a checkpoint with other names of its weights; an empty name leaves one out."""
    import shutil

    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, to)
    weights = load_file(to / "model.safetensors")
    kept = {name(key): value.clone() for key, value in weights.items() if name(key)}
    save_file(kept, to / "model.safetensors", {"format": "pt"})
    return to


def encoded(folder: Path) -> Any:
    return dense.build(str(folder), cache=False).index(CORPUS).search(QUERIES, 1)


def test_an_encoder_is_no_cross_encoder_and_the_error_says_what_it_is(encoder: Path) -> None:
    # BertForSequenceClassification reads the pooler, which is missing like the classifier.
    with pytest.raises(InputError) as caught:
        cross_encoder.build(str(encoder)).rerank(QUERIES, CORPUS, {"q": ["d"]})
    assert str(caught.value) == (
        f"{encoder} has no weights for bert.pooler.dense.bias, bert.pooler.dense.weight, "
        "classifier.bias, classifier.weight, so it is not a cross-encoder. "
        f"As an encoder it is dense:{encoder}."
    )


def test_an_unused_pooler_may_be_missing(encoder: Path) -> None:
    assert list(encoded(encoder)["q"]) == ["d"]


def test_weights_whose_names_have_a_prefix_are_refused(encoder: Path, tmp_path: Path) -> None:
    folder = renamed(encoder, tmp_path / "prefixed", "module.{}".format)
    # BERT has 5 tensors of embeddings and 16 of each of its 2 layers: 37, of which 4 are named.
    with pytest.raises(InputError, match=r"and 33 others, which would be random"):
        encoded(folder)


@pytest.mark.parametrize(
    ("build", "what"),
    [(sparse.build, "sparse encoder"), (late_interaction.build, "late-interaction model")],
)
def test_an_encoder_is_not_what_needs_a_head(encoder: Path, build: Any, what: str) -> None:
    with pytest.raises(InputError, match=f"so it is not a {what}. As an encoder"):
        build(str(encoder), cache=False).index(CORPUS).search(QUERIES, 1)


@pytest.mark.parametrize("tied", [True, False])
def test_a_causal_model_needs_its_last_layer_unless_it_is_tied(tmp_path: Path, tied: bool) -> None:
    from transformers import AutoModel

    tokenizer = tiny_models.byte_tokenizer()
    tiny_models.save(tmp_path, "Qwen2ForCausalLM", tokenizer, tie_word_embeddings=tied)
    AutoModel.from_pretrained(tmp_path).save_pretrained(tmp_path)  # the decoder alone
    if tied:
        assert load("CausalLM", str(tmp_path)).max_length == 512
    else:
        with pytest.raises(InputError, match=r"lm_head\.weight, so it is not a language model"):
            load("CausalLM", str(tmp_path))


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = tiny_models.byte_tokenizer()
    return tiny_models.save(tmp_path_factory.mktemp("decoder"), "Qwen2ForCausalLM", tokenizer)


def adapted(decoder: Path, folder: Path, kind: str, **config: Any) -> Path:
    """Save an adapter of the decoder's first layer, as PEFT does."""
    peft = pytest.importorskip("peft")
    import transformers

    model = getattr(transformers, kind).from_pretrained(decoder)
    lora = peft.LoraConfig(target_modules=["q_proj"], r=2, **config)
    peft.get_peft_model(model, lora).save_pretrained(folder)
    return folder


def test_an_adapter_brings_the_head_that_its_base_lacks(decoder: Path, tmp_path: Path) -> None:
    kind = "AutoModelForSequenceClassification"
    adapter = adapted(decoder, tmp_path / "head", kind, task_type="SEQ_CLS")
    assert load("SequenceClassification", str(decoder), adapter=str(adapter), num_labels=2)
    headless = adapted(decoder, tmp_path / "headless", "AutoModelForCausalLM")
    with pytest.raises(InputError, match=r"no weights for score\.weight, so it is not a cross-"):
        load("SequenceClassification", str(decoder), adapter=str(headless), num_labels=2)


def without(folder: Path, to: Path, left_out: str) -> Path:
    import shutil

    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, to)
    weights = load_file(to / "adapter_model.safetensors")
    kept = {key: value for key, value in weights.items() if left_out not in key}
    save_file(kept, to / "adapter_model.safetensors", {"format": "pt"})
    return to


@pytest.mark.parametrize(
    ("device", "what"),
    [("nonsense", "device=nonsense is unknown. Use cpu"), ("cuda:99", "finds .* cuda device")],
)
@pytest.mark.parametrize(
    "build",
    [
        dense.build, sparse.build, late_interaction.build, cross_encoder.build,
        sequence_to_sequence.build, true_false.build, listwise.build, setwise.build,
    ],
)  # fmt: skip
def test_a_device_that_is_not_here_is_refused_before_anything_is_read(
    build: Any, device: str, what: str
) -> None:
    with pytest.raises(InputError, match=what):
        build("no-model-of-this-name", device=device)


@pytest.mark.parametrize("build", [dense.build, sparse.build, late_interaction.build])
def test_a_tokenizer_that_cannot_pad_is_refused(tmp_path: Path, build: Any) -> None:
    import json

    folder = save_colbert(tmp_path)
    if build is sparse.build:
        save_mlm(tmp_path)
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "pad_token": None}))
    with pytest.raises(InputError, match=r"has no padding token and no end token\. Name one as"):
        build(str(folder), cache=False).index(CORPUS).search(QUERIES, 1)


def test_every_setting_of_an_encoder_is_in_its_key_unless_it_changes_no_vector(tmp_path) -> None:
    minilm = encoder_named("minilm").encoders["document"]
    assert isinstance(minilm, Encoder)
    (tmp_path / "adapter_config.json").write_text("{}")
    others = {
        "device": "cpu:0",
        "adapter": str(tmp_path),
        "dtype": "bfloat16",
        "backend": "other",
        "padding": "left",
    }
    same = set()
    for each in fields(Encoder):
        if each.name in ("model", "parts"):  # the key holds the content of the one, not of both
            continue
        value = others.get(each.name, "other" if isinstance(getattr(minilm, each.name), str) else 7)
        if replace(minilm, **{each.name: value}).key() == minilm.key():
            same.add(each.name)
    assert same == {"batch_size", "revision"}  # a revision counts by its commit
