from pathlib import Path

import pytest
from test_runs import part

from leadline.answering.reader import Reader, oracle_contexts, read_answers
from leadline.llm.local import LocalLLM
from tiny_models import byte_tokenizer, save

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model")
    return save(path, "Qwen2ForCausalLM", byte_tokenizer(), max_position_embeddings=4096)


def test_a_local_model_reads(folder: Path) -> None:
    benchmark = part("a")
    reader = Reader(LocalLLM(str(folder), device="cpu"), max_tokens=4)
    reading = read_answers(reader, benchmark, oracle_contexts(benchmark, 2))
    assert set(reading.runs[0].scores["ROUGE-1"]) == {"q0", "q1", "q2"}
    assert reading.failures == {"answer cut off, at 4 tokens: max_tokens=4096": 3}
