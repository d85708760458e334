"""Cut texts to the length that a model reads, and batch texts of similar length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from typing import Any

from leadline.errors import InputError, needs

_QUIET = {"verbose": False}
"""A tokenizer would warn about a long text, although it is cut."""


def in_batches(rows: Sequence[Sized], size: int) -> Iterator[list[int]]:
    """Yield the row numbers of each batch, the longest first, so that memory errors come early.

    rows  the tokens of each text
    """
    ordered = sorted(range(len(rows)), key=lambda place: -len(rows[place]))
    return (ordered[start : start + size] for start in range(0, len(ordered), size))


def fit(tokenizer: Any, before: str, text: str, after: str, room: int, **options: Any) -> str:
    """Return the longest beginning of `text` with which the prompt has at most `room` tokens.

    If not even an empty text fits, return an empty one.

    options  options of the tokenizer, such as add_special_tokens
    """

    def excess(kept: str) -> int:
        return len(tokenizer(before + kept + after, **_QUIET, **options)["input_ids"]) - room

    over = excess(text)
    while over > 0 and text:
        ends = _ends(tokenizer, text)
        end = ends[-over - 1] if over < len(ends) else 0
        text = text[: min(end, len(text) - 1)]  # tokens of one character end where it ends
        over = excess(text)
    return text


def cut(tokenizer: Any, text: str, room: int) -> str:
    """Return the longest beginning of `text` with at most `room` tokens."""
    ends = _ends(tokenizer, text)
    if len(ends) <= room:
        return text
    return text[: ends[room - 1]] if room > 0 else ""


def readable(text: str) -> str:
    """Return the text without lone surrogates, which tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


def positions_of(model: Any) -> int | None:
    """Return how many tokens a model has positions for, or None without a limit."""
    most = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    if not most:
        return None
    tables = (getattr(each, "position_embeddings", None) for each in model.modules())
    # RoBERTa models count positions from the padding index on.
    padding = [getattr(each, "padding_idx", None) for each in tables]
    return int(most) - max((each + 1 for each in padding if each is not None), default=0)


def count(tokenizer: Any, text: str) -> int:
    """Return the number of tokens of a text, with special tokens."""
    return len(tokenizer(text, **_QUIET)["input_ids"])


def counter_of(name: str) -> Callable[[str], int]:
    """Return a function that counts the tokens of a text, without special tokens.

    Raises InputError if there is no tokenizer in the folder or on the hub.
    """
    from leadline.models.checkpoints import loading

    with needs("dense"):
        import transformers
    with loading(name):
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
    return lambda text: len(tokenizer(text, add_special_tokens=False, **_QUIET)["input_ids"])


def check_length(name: str, wanted: int | None, most: int | None) -> None:
    """Raise InputError if a length exceeds the positions of a model."""
    if wanted is not None and most is not None and wanted > most:
        raise InputError(f"The model {name!r} reads at most {most} tokens, got {wanted}.")


def check_room(name: str, taken: int, least: int, length: int | None) -> None:
    """Raise InputError if a length leaves no tokens for texts.

    taken  tokens of the prompt and special tokens
    least  tokens that the texts need
    """
    if length is not None and length < taken + least:
        raise InputError(
            f"A length of {length} leaves no tokens for a text: prompt and special tokens of "
            f"{name!r} take {taken}. Use at least {taken + least}."
        )


def let_pad(tokenizer: Any, name: str) -> None:
    """Let a tokenizer without a padding token pad with its end token, which is masked."""
    if tokenizer.pad_token is None:
        if tokenizer.eos_token is None:
            raise InputError(
                f"The tokenizer of {name!r} has no padding token and no end token. Name one as "
                "pad_token in its tokenizer_config.json."
            )
        tokenizer.pad_token = tokenizer.eos_token


def _ends(tokenizer: Any, text: str) -> list[int]:
    if not tokenizer.is_fast:
        return _ends_by_counting(tokenizer, text)
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, **_QUIET)
    return [end for _, end in encoded["offset_mapping"]]


def _ends_by_counting(tokenizer: Any, text: str) -> list[int]:
    """Do the same word by word, for a tokenizer without offsets.

    A word alone has at least as many tokens as in its text, so a cut is never too long.
    """
    ends: list[int] = []
    start = 0
    while start < len(text):
        end = text.find(" ", start + 1)
        end = len(text) if end < 0 else end
        count = len(tokenizer(text[start:end], add_special_tokens=False, **_QUIET)["input_ids"])
        ends += [start] * (count - 1) + [end]
        start = end
    return ends
