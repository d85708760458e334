"""Load an encoder with sentence-transformers, and put its prompts around texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from leadline.errors import InputError, needs
from leadline.models.checkpoints import adapted, best_device, loading
from leadline.models.cutting import check_length, fit, let_pad, positions_of
from leadline.models.encoder import TEXT, Encoder

with needs("dense"):
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from sentence_transformers.util import load_file_path

    from leadline.models import latent_attention  # noqa: F401 (makes it known)

_PROMPT_NAMES = {"query": ("query",), "document": ("document", "passage", "corpus")}


def load(encoder: Encoder, folder: Path | None, commit: str) -> Any:
    """Return a SentenceTransformer with the settings of an encoder.

    folder  where the model lies; None when its name is one of the hub
    commit  of the hub, empty for a folder

    Raises InputError when it cannot be loaded or does not take a setting, and MissingExtraError
    when an adapter is asked for without peft.
    """
    device = "cpu" if encoder.backend == "openvino" else encoder.device or best_device()
    dtype = "auto" if encoder.backend == "openvino" else encoder.dtype
    name = encoder.model
    code = {"code_revision": encoder.code_revision} if encoder.code_revision else {}
    with loading(name):
        model = SentenceTransformer(
            str(folder or name),
            device=device,
            trust_remote_code=encoder.trust_remote_code,
            revision=commit or None,
            model_kwargs={"dtype": _dtype(dtype, device), **code},
            config_kwargs=code,
        )
        declared = load_file_path(str(folder or name), "modules.json", revision=commit or None)
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
        _add_task_adapter(model, str(folder or name), adapter, commit)
    return model


def around(model: Any, prompt: str | None, side: str, append_eos: bool) -> tuple[str, str]:
    """Return what stands before and after each text of a side.

    prompt      see `encoder.TEXT`; None for the model's own
    append_eos  end with the end-of-sequence token where the tokenizer does not put one itself
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


def fitted(
    model: Any, before: str, texts: Sequence[str], after: str, max_length: int | None
) -> list[str]:
    """Return the texts with `after` behind them, cut so that it stays whole."""
    room = min(max_length or model.max_seq_length, model.max_seq_length)
    return [fit(model.tokenizer, before, text, after, room) + after for text in texts]


def switch_adapter(model: Any, name: str) -> None:
    """Let a task adapter of the checkpoint work, and no other."""
    model[0].model.set_adapter(_adapter_name(name))


def _dtype(wanted: str, device: str) -> Any:
    """Return the number format; `auto` is float32 on a processor, else what the weights are in."""
    if wanted == "auto":
        return torch.float32 if device == "cpu" else "auto"
    return getattr(torch, wanted)


def _read_as_text(model: Any) -> None:
    """Keep texts out of the chat template that the tokenizer of a language model has.

    sentence-transformers puts every text into it where a checkpoint has no settings for encoding:
    the prompts of an encoder would become turns of a system.
    """
    transformer = model[0]
    if "message" in getattr(transformer, "modality_config", {}):
        kept = {key: way for key, way in transformer.modality_config.items() if key != "message"}
        transformer.modality_config = kept
        transformer.input_formatter.supported_modalities = list(kept)


def _set_pooling(model: Any, encoder: Encoder) -> None:
    """Exchange how the model makes one vector of many."""
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
    raise InputError(f"The model {encoder.model!r} does not pool tokens, so it takes no {asked}.")


def _set_tokenizer(model: Any, encoder: Encoder) -> None:
    tokenizer = model.tokenizer
    if tokenizer is None:
        return
    if not callable(tokenizer):  # static embeddings pad nothing and cut nothing
        _check_static(encoder)
        return
    let_pad(tokenizer, encoder.model)
    tokenizer.truncation_side = "right"  # the prompt stands before the text
    if encoder.append_eos and tokenizer.eos_token is None:
        raise InputError(f"The tokenizer of {encoder.model!r} has no end-of-sequence token.")
    if encoder.padding == "left" and _counts_positions(model):
        raise InputError(
            f"The model {encoder.model!r} counts positions from the first token, padding too, so "
            "it takes no padding=left."
        )
    if encoder.padding:
        tokenizer.padding_side = encoder.padding


def _check_static(encoder: Encoder) -> None:
    lengths = [encoder.max_length, *(part.max_length for part in encoder.parts.values())]
    if encoder.append_eos or encoder.padding or any(lengths):
        raise InputError(
            f"The model {encoder.model!r} is a static embedding, which takes no append_eos, "
            "padding or max_length."
        )


def _counts_positions(model: Any) -> bool:
    """Say whether a text's vectors change when padding stands before it."""
    tables = [
        module
        for module in model.modules()
        if isinstance(getattr(module, "position_embeddings", None), torch.nn.Embedding)
    ]
    # With a padding_idx the position of a token is the number of tokens before it.
    return any(getattr(module, "padding_idx", None) is None for module in tables)


def _set_direction(model: Any, encoder: Encoder) -> None:
    """Let the tokens of a decoder see those behind them, or not."""
    inner = model[0].model
    inner.config.is_causal = not encoder.bidirectional
    ids = torch.tensor([[0, 1], [0, 2]], device=inner.device)
    with torch.inference_mode():
        first = inner(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[:, 0]
    if encoder.bidirectional and torch.allclose(first[0], first[1], rtol=1e-4, atol=1e-6):
        raise InputError(
            f"The model {encoder.model!r} does not let its tokens see those behind them, whatever "
            "bidirectional says."
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


def _add_task_adapter(model: Any, checkpoint: str, adapter: str, commit: str) -> None:
    """Load one of the adapters that lie in folders of a checkpoint."""
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
