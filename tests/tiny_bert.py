"""Tiny BERT checkpoints with random weights: a SPLADE head, and ColBERT as its authors save it."""

import json
import string
from pathlib import Path
from typing import Any

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"]
WORDS = [
    *("a", "cat", "sleeps", "on", "the", "sofa", "train", "to", "leaves", "at", "nine", "stars"),
    *("are", "far", "away", "old", "mill", "query", *string.punctuation),
]
TEXTS = [
    "A cat sleeps on the sofa.",
    "The train leaves at nine, at nine!",
    "Stars are far away.",
    "The old mill",
    "A cat",
]


def save_mlm(folder: Path) -> Path:
    """Save a masked language model, which a sparse encoder makes weights of words of."""
    from transformers import BertForMaskedLM

    _save_tokenizer(folder)
    model = _random(BertForMaskedLM)
    model.save_pretrained(folder)
    return folder


def save_colbert(folder: Path, **metadata: Any) -> Path:
    """Save ColBERT in the layout of its authors, `metadata` as `artifact.metadata`."""
    import torch
    from safetensors.torch import save_file
    from transformers import BertModel

    _save_tokenizer(folder)
    model = _random(BertModel)
    state = {f"bert.{name}": tensor for name, tensor in model.state_dict().items()}
    linear = torch.randn(6, 16, generator=torch.Generator().manual_seed(1))
    save_file({**state, "linear.weight": linear}, folder / "model.safetensors", {"format": "pt"})
    config = {**model.config.to_dict(), "architectures": ["HF_ColBERT"]}
    (folder / "config.json").write_text(json.dumps(config))
    told = {"query_maxlen": 8, "doc_maxlen": 12, "attend_to_mask_tokens": False, **metadata}
    (folder / "artifact.metadata").write_text(json.dumps(told))
    return folder


def _save_tokenizer(folder: Path) -> None:
    from transformers import BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join([*SPECIAL, *WORDS]), encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)


def _random(kind: Any) -> Any:
    import torch
    from transformers import BertConfig

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=40,
    )
    model = kind(config).eval()
    with torch.no_grad():  # far from zero, so that scores differ
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0.0, 0.4)
    return model
