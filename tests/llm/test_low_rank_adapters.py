"""LoRA weights on a base model, as several rerankers are published."""

from pathlib import Path
from typing import Any

import pytest

import tiny_models

pytest.importorskip("transformers")
pytest.importorskip("peft")

import peft
import torch
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification

from leadline.llm.local import LocalLLM
from leadline.rerankers import cross_encoder
from leadline.types import Document, Query


def saved_adapter(base: Any, folder: Path, task: str) -> Any:
    """Save random LoRA weights for a model and return the model with them."""
    torch.manual_seed(1)
    config = peft.LoraConfig(
        r=2, target_modules=["q_proj", "v_proj"], task_type=task, init_lora_weights=False
    )
    model = peft.get_peft_model(base, config)
    model.save_pretrained(folder)
    return model.eval()


def test_an_adapter_is_merged_into_a_causal_model(tmp_path: Path) -> None:
    tokenizer = tiny_models.space_tokenizer()
    base = tiny_models.save(tmp_path / "base", "MistralForCausalLM", tokenizer)
    adapted = saved_adapter(
        AutoModelForCausalLM.from_pretrained(base), tmp_path / "lora", "CAUSAL_LM"
    )
    llm = LocalLLM(str(base), adapter=str(tmp_path / "lora"))
    found = llm.log_probabilities(["the cat"], ["true", "false"])[0]
    with torch.no_grad():
        logits = adapted(**tokenizer("the cat", return_tensors="pt")).logits[0, -1]
    wanted = logits.log_softmax(-1)[[llm._id_of("true"), llm._id_of("false")]].tolist()
    assert found == pytest.approx(wanted, abs=1e-5)
    plain = LocalLLM(str(base)).log_probabilities(["the cat"], ["true", "false"])[0]
    assert found != pytest.approx(plain, abs=1e-3)


def test_a_head_may_come_with_the_adapter(tmp_path: Path) -> None:
    # A causal base has no head for scores: `labels` makes one, the adapter fills it.
    tokenizer = tiny_models.space_tokenizer()
    base = tiny_models.save(tmp_path / "base", "LlamaForCausalLM", tokenizer)
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=1)
    model.config.pad_token_id = tokenizer.eos_token_id
    adapted = saved_adapter(model, tmp_path / "lora", "SEQ_CLS")
    reranker = cross_encoder.build(
        str(base),
        labels=1,
        adapter=str(tmp_path / "lora"),
        query_prompt="query: ",
        document_prompt="document: ",
    )
    run = reranker.rerank([Query("q", "cat")], {"d": Document("d", "old mill")}, {"q": ["d"]})
    pair = tokenizer("query: cat", "document: old mill", return_tensors="pt")
    with torch.no_grad():
        wanted = float(adapted(**pair).logits[0, 0])
    assert run["q"]["d"] == pytest.approx(wanted, abs=1e-5)
