"""One model, two ways to run it here: `true_false` puts documents into the same order."""

from pathlib import Path

import numpy as np
import pytest

from leadline.files.jsonl import JsonlCorpus
from leadline.systems.chains import load_system
from leadline.types import Document, Query
from real_weights import smollm2

EXAMPLE = Path(__file__).parents[2] / "examples" / "harbour_town" / "corpus.jsonl"
QUERIES = [
    "a film set in a lighthouse",
    "a recipe for bread",
    "a trip by train",
    "a museum",
    "a dog",
]


def unpacked(file: Path, folder: Path) -> Path:
    """Write a GGUF file as a folder of weights in full precision."""
    pytest.importorskip("gguf")
    torch = pytest.importorskip("torch")
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    AutoTokenizer.from_pretrained(**place).save_pretrained(folder)
    read = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
    if hasattr(read.config, "quantization_config"):
        del read.config.quantization_config  # with it a model refuses to be saved
    fresh = AutoModelForCausalLM.from_config(read.config, dtype=torch.float32)
    fresh.load_state_dict(read.state_dict())
    fresh.save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_llama_cpp_and_transformers_order_50_pairs_alike(tmp_path: Path) -> None:
    from scipy.stats import spearmanr

    file, corpus = smollm2(), JsonlCorpus(EXAMPLE)
    documents = {
        id: Document(id, " ".join(each.text.split()[:25])) for id, each in list(corpus.items())[::9]
    }
    documents = dict(list(documents.items())[:10])
    queries = [Query(text, text, text) for text in QUERIES]
    candidates = {query.id: dict.fromkeys(documents, 1.0) for query in queries}
    found = []
    for model in (file, unpacked(file, tmp_path / "folder")):
        system = load_system(f"bm25+true_false:{model},activation=none")
        run = system.rerankers[0].rerank(queries, documents, candidates)
        assert not system.rerankers[0].failures
        found.append(np.array([[run[q.id][d] for d in documents] for q in queries]))
    ours, theirs = found
    # llama.cpp multiplies with 8-bit activations: logits differ by some hundredths.
    assert np.abs(ours - theirs).max() < 0.25
    assert spearmanr(ours.ravel(), theirs.ravel())[0] > 0.97
    alike = [spearmanr(a, b)[0] for a, b in zip(ours, theirs, strict=True)]
    assert min(alike) > 0.9
