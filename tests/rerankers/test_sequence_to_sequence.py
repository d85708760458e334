from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tiny_models

pytest.importorskip("transformers")

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from leadline.errors import InputError
from leadline.rerankers import sequence_to_sequence
from leadline.types import Document, Query

CORPUS = {f"d{n}": Document(f"d{n}", text) for n, text in enumerate(tiny_models.sentences(1, 6))}
QUERY = Query("q", "old mill", instruction="far away")


@pytest.fixture(scope="session")
def folder(model_of: Callable[[str], Path]) -> Path:
    return model_of("T5ForConditionalGeneration")


def run_of(folder: Path, **options: Any) -> dict[str, float]:
    reranker = sequence_to_sequence.build(str(folder), **options)
    return dict(reranker.rerank([QUERY], CORPUS, {"q": list(CORPUS)})["q"])


def test_the_score_is_the_softmax_of_the_first_word(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    words = [
        tokenizer.get_vocab()[f"\N{LOWER ONE EIGHTH BLOCK}{each}"] for each in ("true", "false")
    ]
    run = run_of(folder)
    for name, document in CORPUS.items():
        text = f"Query: old mill far away Document: {document.text} Relevant:"
        with torch.no_grad():
            logits = model(
                **tokenizer(text, return_tensors="pt"), decoder_input_ids=torch.tensor([[0]])
            ).logits[0, 0, words]
        assert run[name] == pytest.approx(float(logits.softmax(0)[0]), abs=1e-5)


def test_the_document_is_cut_and_the_end_of_the_prompt_stays(folder: Path) -> None:
    reranker: Any = sequence_to_sequence.build(str(folder), max_length=40)
    ids = reranker._ids(QUERY, "quartet " * 100)
    text = AutoTokenizer.from_pretrained(folder).decode(ids)
    assert len(ids) <= 40
    assert text.startswith("<s> Query: old mill far away Document: quartet quartet")
    assert text.endswith(" Relevant:")


def test_a_word_of_several_tokens_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="'indeed' is not a single token"):
        run_of(folder, positive="indeed")
