"""Tokenizers of the classes that published checkpoints have, made on the spot for some texts.

Special tokens, the blank and what is put around a text are as published; the words are those of
the texts, each one token. No merge or score is learned, so that they are the same everywhere.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

_PIECE = re.compile(r" ?\w+")
_PRINTABLE = [chr(code) for code in range(33, 127)]
LLAMA_3 = [
    "<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"
]  # fmt: skip
_LLAMA_3_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
CHAT_ML = (
    "{% for turn in messages %}<|im_start|>{{ turn.role }}\n{{ turn.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LLAMA_3_CHAT = (
    "{{ bos_token }}{% for turn in messages %}"
    "<|start_header_id|>{{ turn.role }}<|end_header_id|>\n\n{{ turn.content }}<|eot_id|>"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)


def tokenizer(family: str, texts: Iterable[str]) -> Any:
    """Return a tokenizer of a family that knows the words of the texts."""
    pieces = list(dict.fromkeys(piece for text in texts for piece in _PIECE.findall(text)))
    return _FAMILIES[family](pieces)


def _bpe(special: Sequence[str], pieces: Sequence[str], space: str) -> dict[str, Any]:
    """Return a vocabulary and merges in which every piece grows from its first letter."""
    line = "Ċ" if space == "Ġ" else "<0x0A>"
    vocabulary = dict.fromkeys([*special, line, space, *_PRINTABLE])
    merges: dict[tuple[str, str], None] = {}
    if space == "Ġ":  # published byte-level vocabularies have a token for an empty line
        vocabulary[line * 2] = None
        merges[line, line] = None
    spaced = [space + piece.strip() for piece in pieces]
    for piece in (*spaced, *(piece for piece in pieces if not piece.startswith(" "))):
        for end in range(1, len(piece)):
            vocabulary.setdefault(piece[: end + 1])
            merges.setdefault((piece[:end], piece[end]))
    return {"vocab": {token: place for place, token in enumerate(vocabulary)}, "merges": [*merges]}


def _llama(pieces: Sequence[str], **special: Any) -> Any:
    from transformers import LlamaTokenizer

    parts = _bpe(["<unk>", "<s>", "</s>"], pieces, "▁")
    made = LlamaTokenizer(**parts, **special)
    _put_around(made, "<s> $A", "<s> $A <s> $B")
    return made


def _gemma(pieces: Sequence[str]) -> Any:
    from transformers import GemmaTokenizer

    parts = _bpe(["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"], pieces, "▁")
    made = GemmaTokenizer(**parts)
    _put_around(made, "<bos> $A", "<bos> $A <bos> $B")
    return made


def _qwen(pieces: Sequence[str]) -> Any:
    from transformers import Qwen2Tokenizer

    made = Qwen2Tokenizer(**_bpe(QWEN, pieces, "Ġ"))
    made.add_special_tokens({"additional_special_tokens": QWEN})
    made.chat_template = CHAT_ML
    return made


def _qwen_embedding(pieces: Sequence[str]) -> Any:
    made = _qwen(pieces)
    _put_around(made, "$A <|endoftext|>", "$A $B <|endoftext|>")
    return made


def _llama_3(pieces: Sequence[str]) -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE(**_bpe(LLAMA_3, pieces, "Ġ")))
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_LLAMA_3_WORDS), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    inner.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, bos_token="<|begin_of_text|>", eos_token="<|eot_id|>"
    )
    made.add_special_tokens({"additional_special_tokens": LLAMA_3})
    made.chat_template = LLAMA_3_CHAT
    _put_around(made, "<|begin_of_text|> $A", "<|begin_of_text|> $A $B")
    return made


def _modernbert(pieces: Sequence[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    inner = Tokenizer(models.BPE(**_bpe(special, pieces, "Ġ")))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
    _put_around(made, "[CLS] $A [SEP]", "[CLS] $A [SEP] $B [SEP]")
    return made


def _word_pieces(special: Sequence[str], pieces: Sequence[str]) -> dict[str, int]:
    words = [piece.strip().lower() for piece in pieces]
    letters = [letter.lower() for letter in _PRINTABLE]
    every = dict.fromkeys([*special, *words, *letters, *(f"##{letter}" for letter in letters)])
    return {token: place for place, token in enumerate(every)}


def _bert(pieces: Sequence[str]) -> Any:
    from transformers import BertTokenizer

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made = BertTokenizer(vocab=_word_pieces(special, pieces))
    _put_around(made, "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1")
    return made


def _mpnet(pieces: Sequence[str]) -> Any:
    from transformers import MPNetTokenizer

    special = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"]
    made = MPNetTokenizer(vocab=_word_pieces(special, pieces))
    _put_around(made, "<s> $A </s>", "<s> $A </s> </s> $B </s>")
    return made


def _scored(special: Sequence[str], pieces: Sequence[str]) -> list[tuple[str, float]]:
    spaced = ["▁" + piece.strip() for piece in pieces]
    every = dict.fromkeys([*special, "▁", *spaced, *_PRINTABLE])
    return [(token, 0.0 if token in special else -5.0) for token in every]


def _t5(pieces: Sequence[str]) -> Any:
    from transformers import T5Tokenizer

    made = T5Tokenizer(vocab=_scored(["<pad>", "</s>", "<unk>"], pieces), extra_ids=0)
    _put_around(made, "$A </s>", "$A </s> $B </s>")
    return made


def _xlm_roberta(pieces: Sequence[str]) -> Any:
    from transformers import XLMRobertaTokenizer

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made = XLMRobertaTokenizer(vocab=_scored(special, pieces))
    _put_around(made, "<s> $A </s>", "<s> $A </s> </s> $B </s>")
    return made


def _put_around(made: Any, single: str, pair: str) -> None:
    """Put special tokens around texts as the published tokenizer does."""
    from tokenizers import processors

    names = {part.partition(":")[0] for part in (single + " " + pair).split() if "$" not in part}
    ids = [(name, made.convert_tokens_to_ids(name)) for name in sorted(names)]
    made.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=ids
    )


_FAMILIES = {
    "bert": _bert,
    "gemma": _gemma,
    "llama": _llama,
    "llama 3": _llama_3,
    "modernbert": _modernbert,
    "mpnet": _mpnet,
    "qwen": _qwen,
    "qwen embedding": _qwen_embedding,
    "t5": _t5,
    "xlm-roberta": _xlm_roberta,
}
