"""Tiny checkpoints of real architectures with random weights, saved as published ones are."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

WORDS = [
    *("true", "false", "Yes", "No", "Query", "Document", "Passage", "Relevant", "query"),
    *("document", "passage", "relevant", "the", "cat", "train", "star", "lyon", "leaves"),
    *("at", "nine", "sofa", "sleeps", "old", "mill", "quartet", "played", "far", "away", "stars"),
]

SMALL = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
}


def sentences(seed: int = 0, count: int = 200) -> list[str]:
    """Return sentences of known words."""
    pick = random.Random(seed)
    return [" ".join(pick.choices(WORDS, k=pick.randint(2, 12))) for _ in range(count)]


def byte_tokenizer(texts: Sequence[str] = (), vocabulary: int = 420, **special: Any) -> Any:
    """Return a byte-level tokenizer as Qwen's: a word takes the space before it with it.

    texts  what it learns its words from; sentences of known ones where there are none
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([*(texts or sentences()), *WORDS], trainer)
    tokenizer.add_tokens([" true", " false"])
    names = {"eos_token": "<|endoftext|>", "pad_token": "<|endoftext|>", **special}
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.add_tokens(["<think>", "</think>"])
    return fast


def space_tokenizer(**special: Any) -> Any:
    """Return a tokenizer as Llama's: a word begins with its space, a text with `<s>`."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=["<unk>", "<s>", "</s>"],
        initial_alphabet=[chr(code) for code in range(33, 127)],
        show_progress=False,
    )
    tokenizer.train_from_iterator([*sentences(), *[f"({word}" for word in WORDS]], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)]
    )
    names = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", **special}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def word_tokenizer() -> Any:
    """Return a tokenizer as BERT's: [CLS] query [SEP] document [SEP], words of its own."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[", "]", "CLS", "SEP", *WORDS]
    tokenizer = Tokenizer(
        models.WordLevel({word: place for place, word in enumerate(entries)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=128,
    )


def save(folder: Path, kind: str, tokenizer: Any, **settings: Any) -> Path:
    """Save a tokenizer and a random model of a class such as `Qwen2ForCausalLM`."""
    import torch
    import transformers

    stem = kind.partition("For")[0]
    config_class = getattr(transformers, f"{stem}Config")
    special = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    small = {} if stem == "T5" else SMALL
    config = config_class(vocab_size=len(tokenizer), **{**small, **special, **settings})
    torch.manual_seed(0)
    model = getattr(transformers, kind)(config)
    with torch.no_grad():  # far from zero, so that scores differ
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0.0, 0.3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _t5_tokenizer() -> Any:
    return space_tokenizer(pad_token="<unk>")


_T5 = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2}
KINDS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "Qwen2ForCausalLM": (byte_tokenizer, {}),
    "LlamaForCausalLM": (space_tokenizer, {}),
    "MistralForCausalLM": (space_tokenizer, {"sliding_window": 8}),
    "GemmaForCausalLM": (space_tokenizer, {"head_dim": 8}),
    "BertForSequenceClassification": (word_tokenizer, {"num_labels": 1}),
    "XLMRobertaForSequenceClassification": (
        word_tokenizer,
        {"num_labels": 1, "max_position_embeddings": 66},
    ),
    "ModernBertForSequenceClassification": (word_tokenizer, {"num_labels": 2}),
    "LlamaForSequenceClassification": (space_tokenizer, {"num_labels": 1}),
    "T5ForConditionalGeneration": (_t5_tokenizer, {"decoder_start_token_id": 0, **_T5}),
}
"""The tokenizer and the settings of each class that `model_of` saves."""


def teach(folder: Path, texts: list[str], steps: int = 150) -> Path:
    """Train a saved causal model on whole texts, each ended, until it says them by heart."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    batch = tokenizer(texts, padding=True, padding_side="right", return_tensors="pt")
    ended = torch.full((len(texts), 1), tokenizer.eos_token_id)
    ids = torch.cat([batch["input_ids"], ended], dim=1)
    mask = torch.cat([torch.ones_like(ended), batch["attention_mask"]], dim=1)  # one end is seen
    torch.manual_seed(0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(steps):
        loss = model(
            input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, -100)
        ).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    return folder
