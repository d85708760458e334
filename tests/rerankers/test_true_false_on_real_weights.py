"""One model, two ways to run it here: `true_false` puts documents into the same order."""

from pathlib import Path

import numpy as np
import pytest

from leadline.data.jsonl import JsonlCorpus
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


def in_full(file: Path, path: Path) -> Path:
    """Write a GGUF file with the same weights in full precision."""
    gguf = pytest.importorskip("gguf")
    read = gguf.GGUFReader(file)
    written = gguf.GGUFWriter(path, "llama")
    kept_aside = ("general.architecture", "general.file_type", "general.quantization_version")
    for name, each in read.fields.items():
        if name.startswith("GGUF.") or name in kept_aside:
            continue
        if each.types[0] == gguf.GGUFValueType.ARRAY:
            written.add_array(name, each.contents())
        else:
            written.add_key_value(name, each.contents(), each.types[0])
    for each in read.tensors:
        values = gguf.dequantize(each.data, each.tensor_type).astype(np.float32)
        written.add_tensor(each.name, values.reshape([int(size) for size in each.shape[::-1]]))
    written.write_header_to_file()
    written.write_kv_data_to_file()
    written.write_tensors_to_file()
    written.close()
    return path


@pytest.mark.slow
def test_llama_cpp_and_transformers_order_50_pairs_alike(tmp_path: Path) -> None:
    """With equal weights the order is equal; 8-bit activations of a 4-bit file move it a little."""
    from scipy.stats import spearmanr

    file, corpus = smollm2(), JsonlCorpus(EXAMPLE)
    documents = {
        id: Document(id, " ".join(each.text.split()[:25])) for id, each in list(corpus.items())[::9]
    }
    documents = dict(list(documents.items())[:10])
    queries = [Query(text, text, text) for text in QUERIES]
    candidates = {query.id: dict.fromkeys(documents, 1.0) for query in queries}
    found = []
    folder = unpacked(file, tmp_path / "folder")
    for model in (folder, in_full(file, tmp_path / "full.gguf"), file):
        system = load_system(f"bm25+true_false:{model},activation=none")
        run = system.rerankers[0].rerank(queries, documents, candidates)
        assert not system.rerankers[0].failures
        found.append(np.array([[run[q.id][d] for d in documents] for q in queries]))
    theirs, full, short = found
    assert np.abs(full - theirs).max() < 0.02
    assert (full.ravel().argsort() == theirs.ravel().argsort()).all()
    assert np.abs(short - theirs).max() < 0.25
    assert spearmanr(short.ravel(), theirs.ravel())[0] > 0.97
