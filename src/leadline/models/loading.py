"""Load encoders with sentence-transformers, add their prompts, and encode in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from leadline.errors import InputError, needs
from leadline.models.checkpoints import adapted, best_device, loading
from leadline.models.cutting import (
    check_length,
    check_room,
    count,
    fit,
    in_batches,
    let_pad,
    positions_of,
    readable,
)
from leadline.models.encoder import TEXT, Encoder, Side, Tokens

with needs("dense"):
    import numpy as np
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from sentence_transformers.util import load_file_path

    from leadline.models import latent_attention  # noqa: F401 (makes it known)

_PROMPT_NAMES = {"query": ("query",), "document": ("document", "passage", "corpus")}


def load(encoder: Encoder) -> Any:
    """Return a SentenceTransformer with the settings of an encoder."""
    device = "cpu" if encoder.backend == "openvino" else encoder.device or best_device()
    dtype: Any = "auto" if encoder.backend == "openvino" else encoder.dtype
    if dtype != "auto":
        dtype = getattr(torch, dtype)
    elif device == "cpu":  # else what the weights are in
        dtype = torch.float32
    name, commit = encoder.model, encoder.commit or None
    where = str(encoder.folder or name)
    code = {"code_revision": encoder.code_revision} if encoder.code_revision else {}
    with loading(name):
        model = SentenceTransformer(
            where,
            device=device,
            trust_remote_code=encoder.trust_remote_code,
            revision=commit,
            model_kwargs={"dtype": dtype, **code},
            config_kwargs=code,
        )
        declared = load_file_path(where, "modules.json", revision=commit)
    if declared is None:
        _read_as_text(model)
    _set_pooling(model, encoder)
    _set_tokenizer(model, encoder)
    _set_lengths(model, encoder)
    if encoder.bidirectional is not None:
        _set_direction(model, encoder)
    for adapter in encoder.adapter.split():
        model[0].model = adapted(model[0].model, adapter)
    for adapter in sorted({part.adapter for part in encoder.parts.values()} - {""}):
        _add_task_adapter(model, where, adapter, commit)
    return model


def around(model: Any, prompt: str | None, side: str, append_eos: bool) -> tuple[str, str]:
    """Return the text before and after each text of a side.

    prompt      see `encoder.TEXT`; None for the model's own
    append_eos  add the end-of-sequence token if the tokenizer does not
    """
    if prompt is None:
        names = [name for name in _PROMPT_NAMES[side] if name in model.prompts]
        names += [name for name in [model.default_prompt_name] if name]
        prompt = (model.prompts[names[0]] if names else "") or ""
    before, _, after = prompt.partition(TEXT)
    tokenizer = model.tokenizer
    if append_eos and tokenizer("a")["input_ids"][-1] != tokenizer.eos_token_id:
        after += tokenizer.eos_token
    return before, after


def encoded(
    encoder: Encoder, model: Any, texts: Sequence[str], side: Side, compiled: Any = None
) -> Any:
    """Return float32 [len(texts), D]. `compiled` replaces the model's modules."""
    part = encoder.parts[side]
    before, after = around(model, part.prompt, side, encoder.append_eos)
    texts = [readable(text) for text in texts]
    most = min(part.max_length or model.max_seq_length or 0, model.max_seq_length or 0)
    if callable(model.tokenizer) and most:
        check_room(encoder.model, count(model.tokenizer, before + after), 1, most)
    if after:
        texts = [fit(model.tokenizer, before, text, after, most) + after for text in texts]
    if part.adapter:
        model[0].model.set_adapter(_adapter_name(part.adapter))
    if compiled is not None:
        vectors = compiled.encode(texts, before, part.max_length, encoder.batch_size)
        return _finished(vectors[:, : encoder.dimensions], encoder.normalize)
    encode = partial(
        model.encode_query if side == "query" else model.encode_document,
        prompt=before,
        batch_size=encoder.batch_size,
        show_progress_bar=False,
        convert_to_tensor=True,
        normalize_embeddings=encoder.normalize,
        truncate_dim=encoder.dimensions,
    )
    poolings = [module for module in model if not getattr(module, "include_prompt", True)]
    if not (poolings and before and texts):
        return in_token_batches(encode, texts, model.tokenizer, most, encoder.batch_size)
    # The library leaves out as many tokens as the prompt has alone; each text has its own count.
    places: dict[int, list[int]] = {}
    for place, number in enumerate(prompt_tokens(model.tokenizer, before, texts, most)):
        places.setdefault(number, []).append(place)
    found = []
    for number, some in places.items():
        with ExitStack() as hooks:
            for module in poolings:
                hook = module.register_forward_pre_hook(partial(_leave_out, number))
                hooks.callback(hook.remove)
            alike = [texts[place] for place in some]
            found.append(in_token_batches(encode, alike, model.tokenizer, most, encoder.batch_size))
    return in_order([*places.values()], found)


def tokens_read(
    encoder: Encoder, model: Any, texts: Sequence[str], side: Side
) -> list[tuple[Tokens, str]] | None:
    """Return the tokens read of each text and the reason for a cut, for `Encoder.read`."""
    part = encoder.parts[side]
    if not callable(model.tokenizer) or not model.max_seq_length:
        return None
    before, after = around(model, part.prompt, side, encoder.append_eos)
    most = min(part.max_length or model.max_seq_length, model.max_seq_length)
    fresh = list(dict.fromkeys(texts))
    room = most - len(model.tokenizer(after, add_special_tokens=False)["input_ids"])
    whole = [before + readable(text) for text in fresh]
    rows = model.tokenizer(whole, verbose=False)["input_ids"] if fresh else []
    found = {
        text: (tuple(ids[:room]), f"cut at {most} tokens" if len(ids) > room else "")
        for text, ids in zip(fresh, rows, strict=True)
    }
    return [found[text] for text in texts]


def in_token_batches(
    encode: Callable[[list[str]], Any],
    texts: Sequence[str],
    tokenizer: Any,
    most: int,
    size: int,
) -> Any:
    """Return what `encode` gives for the texts, float32 [len(texts), D], in their order.

    tokenizer  counts tokens; without a callable one (static embeddings), texts keep their order
    most       tokens to read of a text; 0 for all
    size       texts of a batch

    sentence-transformers sorts texts by characters, which leaves more padding than tokens do.
    """
    if not callable(tokenizer) or len(texts) <= size:
        return encode(list(texts)).float().cpu().numpy()
    options = {"return_attention_mask": False, "return_token_type_ids": False}
    parts = [*in_batches(tokenized(tokenizer, texts, most, **options)["input_ids"], size)]
    found = [encode([texts[place] for place in part]).float().cpu().numpy() for part in parts]
    return in_order(parts, found)


def tokenized(tokenizer: Any, texts: Sequence[str], most: int, **options: Any) -> Any:
    """Return the output of a tokenizer: lists of numbers by name, such as `input_ids`."""
    cut = {"truncation": True, "max_length": most} if most else {}
    return tokenizer(list(texts), **cut, **options)


def in_order(parts: Sequence[Any], found: Sequence[Any]) -> Any:
    """Return the vectors of batches, [n, D] each, as one array in the order of the texts."""
    joined = np.concatenate(found)
    vectors = np.empty_like(joined)
    vectors[np.concatenate(parts)] = joined
    return vectors


def prompt_tokens(tokenizer: Any, prompt: str, texts: Sequence[str], most: int) -> list[int]:
    """Return how many first tokens of each text are those of the prompt before it."""
    alone = tokenizer(prompt)["input_ids"]
    rows = tokenized(tokenizer, [prompt + text for text in texts], most)["input_ids"]
    return [shared_beginning(alone, row) for row in rows]


def shared_beginning(prompt: Sequence[int], ids: Sequence[int]) -> int:
    """Return how many first tokens of a text belong to its prompt.

    prompt  the tokens of the prompt alone
    ids     the tokens of prompt and text together

    A final space of the prompt may become part of the first word, and then belongs to the text. At
    least one token belongs to the text.
    """
    same = next(
        (place for place, (a, b) in enumerate(zip(prompt, ids, strict=False)) if a != b),
        min(len(prompt), len(ids)),
    )
    return max(0, min(same, len(ids) - 1))


def _leave_out(number: int, _: Any, arguments: tuple[Any, ...]) -> None:
    arguments[0]["prompt_length"] = number


def _finished(vectors: Any, normalize: bool) -> Any:
    if not normalize:
        return vectors
    lengths = (vectors**2).sum(axis=1, keepdims=True) ** 0.5
    return vectors / lengths.clip(min=1e-12)


def _read_as_text(model: Any) -> None:
    """Do not apply the chat template of a language model to texts.

    sentence-transformers does that if a checkpoint has no settings for encoding, and would turn the
    prompts of an encoder into system messages.
    """
    transformer = model[0]
    if "message" in getattr(transformer, "modality_config", {}):
        kept = {key: way for key, way in transformer.modality_config.items() if key != "message"}
        transformer.modality_config = kept
        transformer.input_formatter.supported_modalities = list(kept)


def _set_pooling(model: Any, encoder: Encoder) -> None:
    if not encoder.pooling and encoder.pool_prompt is None:
        return
    for key, module in model.named_children():
        if isinstance(module, Pooling):
            include = module.include_prompt if encoder.pool_prompt is None else encoder.pool_prompt
            mode = encoder.pooling or module.pooling_mode
            setattr(model, key, Pooling(module.embedding_dimension, mode, include))
            return
    asked = (
        f"pooling={encoder.pooling}" if encoder.pooling else f"pool_prompt={encoder.pool_prompt}"
    )
    raise InputError(
        f"The model {encoder.model!r} does not pool tokens, so {asked} does not apply. Leave it "
        "out."
    )


def _set_tokenizer(model: Any, encoder: Encoder) -> None:
    tokenizer = model.tokenizer
    if tokenizer is None:
        return
    if not callable(tokenizer):  # static embeddings pad nothing and cut nothing
        lengths = [encoder.max_length, *(part.max_length for part in encoder.parts.values())]
        if encoder.append_eos or encoder.padding or any(lengths):
            raise InputError(
                f"The model {encoder.model!r} is a static embedding. Leave out append_eos, "
                "padding and max_length."
            )
        return
    let_pad(tokenizer, encoder.model)
    tokenizer.truncation_side = "right"  # the prompt stands before the text
    if encoder.append_eos and tokenizer.eos_token is None:
        raise InputError(f"The tokenizer of {encoder.model!r} has no end-of-sequence token.")
    # With a padding_idx the position of a token is the number of tokens before it.
    counts_padding = any(
        isinstance(getattr(module, "position_embeddings", None), torch.nn.Embedding)
        and getattr(module, "padding_idx", None) is None
        for module in model.modules()
    )
    if encoder.padding == "left" and counts_padding:
        raise InputError(
            f"The model {encoder.model!r} counts positions from the first token, so padding=left "
            "does not work. Leave it out."
        )
    if encoder.padding:
        tokenizer.padding_side = encoder.padding


def _set_direction(model: Any, encoder: Encoder) -> None:
    inner = model[0].model
    inner.config.is_causal = not encoder.bidirectional
    ids = torch.tensor([[0, 1], [0, 2]], device=inner.device)
    with torch.inference_mode():
        first = inner(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[:, 0]
    if encoder.bidirectional and torch.allclose(first[0], first[1], rtol=1e-4, atol=1e-6):
        raise InputError(
            f"The model {encoder.model!r} cannot read in both directions. Leave out bidirectional."
        )


def _set_lengths(model: Any, encoder: Encoder) -> None:
    most = positions_of(getattr(model[0], "model", None))
    for length in (encoder.max_length, *(part.max_length for part in encoder.parts.values())):
        check_length(encoder.model, length, most)
    size = model.get_embedding_dimension()
    if encoder.dimensions is not None and size is not None and encoder.dimensions > size:
        raise InputError(
            f"The vectors of {encoder.model!r} have {size} dimensions, got "
            f"dimensions={encoder.dimensions}."
        )
    if encoder.max_length is not None:
        model.max_seq_length = encoder.max_length
    for side, part in encoder.parts.items():
        if part.max_length is not None:
            setattr(model[0], f"{side}_length", part.max_length)


def _add_task_adapter(model: Any, checkpoint: str, adapter: str, commit: str | None) -> None:
    """Load one of the adapters in the folders of a checkpoint."""
    with needs("train"):
        import peft  # noqa: F401 (transformers needs it)
    where = {"subfolder": adapter, **({"revision": commit} if commit else {})}
    with loading(f"{checkpoint}/{adapter}") as lacking:
        name = _adapter_name(adapter)
        info = model[0].model.load_adapter(checkpoint, adapter_name=name, adapter_kwargs=where)
        missing = getattr(info, "missing_keys", ())  # of the adapters before it, too
        lacking.missing |= {each for each in missing if f".{name}." in each}


def _adapter_name(folder: str) -> str:
    return folder.replace(".", "_").replace("/", "_")  # a part of parameter names
