import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

from leadline.errors import InputError
from leadline.retrievers import sparse
from leadline.types import Document, Query
from tiny_bert import TEXTS, save_mlm

CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query("q", "a cat on the old mill"), Query("r", "stars")]


@pytest.fixture(scope="session")
def splade(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_mlm(tmp_path_factory.mktemp("splade")))


def weights(folder: str, text: str) -> np.ndarray:
    """Return max over tokens of ln(1 + relu(logit)), the weights of SPLADE, by transformers."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    inputs = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.no_grad():
        logits = model(**inputs).logits[0]
    return torch.log1p(torch.relu(logits)).max(dim=0).values.numpy()


def test_a_score_is_the_inner_product_of_the_weights_of_words(splade: str) -> None:
    run = sparse.build(splade).index(CORPUS).search(QUERIES, 10)
    for query in QUERIES:
        expected = {
            id: float(weights(splade, query.text) @ weights(splade, document.text))
            for id, document in CORPUS.items()
        }
        best = sorted(expected, key=lambda id: -expected[id])
        assert list(run[query.id]) == best
        assert list(run[query.id].values()) == pytest.approx([expected[id] for id in best], 1e-5)


def test_candidates_get_the_scores_of_a_search(splade: str) -> None:
    index = sparse.build(splade).index(CORPUS)
    found = index.search(QUERIES, 10)
    scored = index.score(QUERIES, {"q": ["d4", "d0", "d2"], "r": []})
    assert scored["r"] == {}
    assert scored["q"] == pytest.approx({id: found["q"][id] for id in ("d4", "d0", "d2")})
    assert list(scored["q"].values()) == sorted(scored["q"].values(), reverse=True)


def test_blocks_of_documents_give_what_one_block_gives(
    splade: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sparse.build(splade).index(CORPUS).search(QUERIES, 3)
    monkeypatch.setattr(sparse, "_BLOCK", 2)
    assert sparse.build(splade).index(CORPUS).search(QUERIES, 3) == whole


def test_a_prompt_is_put_before_the_side_it_is_for(splade: str) -> None:
    prompted = sparse.build(splade, query_prompt="query ").index(CORPUS)
    plain = sparse.build(splade).index(CORPUS)
    written_out = [Query("r", "query stars")]
    assert prompted.search(QUERIES[1:], 9) == plain.search(written_out, 9)


def test_text_behind_max_length_is_not_read(splade: str) -> None:
    corpus = {"a": CORPUS["d4"], "b": Document("b", "a cat sleeps on the sofa")}
    run = sparse.build(splade, max_length=4).index(corpus).search(QUERIES, 2)
    assert run["q"]["a"] == pytest.approx(run["q"]["b"])  # [CLS] a cat [SEP]


def test_documents_without_a_shared_word_are_no_results() -> None:
    nothing = np.empty(0, np.int64), np.empty(0, np.float32), np.array([0, 0])
    postings = sparse._Postings.of(*nothing)
    assert postings.scores(np.array([1]), np.ones(1, np.float32)).tolist() == [0, 0]


def test_lengths_that_the_model_cannot_read_are_refused(splade: str) -> None:
    # 40 positions; [CLS] and [SEP] fill a length of 2.
    for length, what in ((41, "reads at most 40 tokens, got 41"), (2, "take 2. Use at least 3")):
        with pytest.raises(InputError, match=what):
            sparse.build(splade, max_length=length).index(CORPUS).search(QUERIES, 1)
