"""Encoders of real architectures, a few thousand random weights each, saved like published ones."""

from pathlib import Path
from typing import Any

from leadline.systems.chains import load_system

WORDS = "a cat train star query passage : Instruct Query Given retrieve documents <| embed |> . ,"
SPECIAL = ["<pad>", "<unk>", "<s>", "</s>"]

VOCABULARY = 320

SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 32,
}
DECODER: dict[str, Any] = {**SIZES, "num_key_value_heads": 2, "max_position_embeddings": 128}

ROW_OF = {
    "bert": "bge-large-en-v1.5",
    "xlm-roberta": "e5-large-v2",
    "modernbert": "modernbert-base",
    "t5": "instructor-xl",
    "qwen2": "gte-qwen2-7b-instruct",
    "qwen3": "qwen3-embedding-8b",
    "llama": "reasonir-8b",
    "mistral": "e5-mistral-7b-instruct",
    "gemma2": "mistral-7b-instruct-mean",
    "latent attention": "nv-embed-v2",
}
"""A row for every kind of checkpoint."""

TEXTS = ["cat", "a cat . a train : star", "train star a"]


def save_tokenizer(folder: Path, *, starts: bool = True, ends: bool) -> None:
    """Save a tokenizer of whole words that puts `<s>` and `</s>` around texts as asked."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *WORDS.split()])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    pattern = ["<s>"] * starts + ["$A"] + ["</s>"] * ends
    inner.post_processor = processors.TemplateProcessing(
        single=" ".join(pattern), special_tokens=[("<s>", 2), ("</s>", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        unk_token="<unk>",
        bos_token="<s>",
        eos_token="</s>",
    ).save_pretrained(folder)


def save_encoder(kind: str, folder: Path) -> Path:
    """Build a random checkpoint of a `kind` and save it as a hub would hold it."""
    import torch

    torch.manual_seed(0)
    model = _model(kind)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # larger than an untrained model's, so that texts differ
            torch.nn.init.normal_(parameter, std=0.3)
    model.save_pretrained(folder)
    if kind == "qwen2":  # transformers gives it a tokenizer of its own, whatever is saved
        _save_byte_tokenizer(folder)
    else:
        save_tokenizer(folder, ends=kind in ("bert", "xlm-roberta", "modernbert", "t5", "jina"))
    return folder


def _save_byte_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import Qwen2Tokenizer

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - 10, special_tokens=SPECIAL, initial_alphabet=alphabet
    )
    inner.train_from_iterator([WORDS] * 3, trainer)
    Qwen2Tokenizer(
        tokenizer_object=inner, pad_token="<pad>", unk_token="<unk>", eos_token="</s>"
    ).save_pretrained(folder)


def _model(kind: str) -> Any:
    import transformers as t

    from leadline.models import latent_attention

    special = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    common = {"vocab_size": VOCABULARY, **special}
    made: dict[str, Any] = {
        "bert": lambda: t.BertModel(
            t.BertConfig(**common, **SIZES, max_position_embeddings=64)
        ),
        "xlm-roberta": lambda: t.XLMRobertaModel(
            t.XLMRobertaConfig(**common, **SIZES, max_position_embeddings=64)
        ),
        "modernbert": lambda: t.ModernBertModel(
            t.ModernBertConfig(
                **common, **SIZES, max_position_embeddings=64, cls_token_id=2, sep_token_id=3,
                local_attention=8,
            )
        ),
        "t5": lambda: t.T5EncoderModel(
            t.T5Config(
                **common, d_model=16, d_kv=4, d_ff=32, num_layers=2, num_heads=4,
            )
        ),
        "jina": lambda: t.JinaEmbeddingsV3Model(
            t.JinaEmbeddingsV3Config(**common, **SIZES, max_position_embeddings=64)
        ),
        "llama": lambda: t.LlamaModel(t.LlamaConfig(**common, **DECODER)),
        "mistral": lambda: t.MistralModel(t.MistralConfig(**common, **DECODER)),
        "qwen2": lambda: t.Qwen2Model(t.Qwen2Config(**common, **DECODER)),
        "qwen3": lambda: t.Qwen3Model(t.Qwen3Config(**common, **DECODER, head_dim=4)),
        "gemma2": lambda: t.Gemma2Model(
            t.Gemma2Config(**common, **DECODER, head_dim=4, query_pre_attn_scalar=4)
        ),
        "latent attention": lambda: latent_attention.LatentAttentionModel(
            latent_attention.LatentAttentionConfig(
                text_config={"model_type": "bidir_mistral", **common, **DECODER},
                latent_attention_config={
                    "num_latents_value": 6, "num_cross_heads": 2, "cross_dim_head": 8,
                },
            )
        ),
    }  # fmt: skip
    return made[kind]()


def row(name: str, folder: Path, **options: Any) -> Any:
    """Return the encoder that a row gives with its checkpoint exchanged for a tiny one."""
    # The tokenizer of bytes makes 65 tokens of the prompt that gte-Qwen2 gives a query.
    given = {"max_length": 100 if "qwen2" in name else 40, "cache": False, **options}
    typed = ",".join(f"{key}={value}" for key, value in given.items())
    return load_system(f"{name}:{folder},{typed}").retriever


def vectors(retriever: Any, texts: list[str], side: str = "document") -> Any:
    return retriever.vectors(retriever.rows(texts, side))
