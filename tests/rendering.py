"""What the model of a catalog row reads, from the row's own code with a tiny model in its place.

`python tests/rendering.py` writes the golden files; look at what changed before you keep it.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from leadline.llm.prompt import Prompt
from leadline.rerankers.listwise import chat_template
from leadline.systems.catalog import ROWS, Row
from leadline.systems.chains import load_system
from leadline.types import Document, Query
from real_tokenizers import tokenizer
from tables import yaml_of

TEXTS = Path(__file__).parent / "systems" / "rendered_inputs.txt"
TOKENS = Path(__file__).parent / "systems" / "rendered_tokens.txt"

QUERY = Query("q", "what keeps bread fresh")
INSTRUCTED = Query("i", QUERY.text, instruction="Skip recipes.")
DOCUMENT = Document("d", "A linen bag keeps it for days.", title="Bread")
OTHER = Document("e", "Freeze it.")
EXAMPLES = {
    "query": QUERY,
    "query with an instruction": INSTRUCTED,
    "document": DOCUMENT,
}

_KNOWN = yaml_of(Path(__file__))
FAMILY = {name: family for family, names in _KNOWN["family"].items() for name in names}
"""The kind of tokenizer that each checkpoint has."""

ARCHITECTURE = _KNOWN["architecture"]
"""Where it does not follow from the tokenizer."""

_USUAL = {
    "bert": "Bert", "mpnet": "MPNet", "modernbert": "ModernBert", "t5": "T5",
    "xlm-roberta": "XLMRoberta", "llama": "Mistral", "llama 3": "Llama", "qwen": "Qwen2",
    "qwen embedding": "Qwen3", "gemma": "Gemma",
}  # fmt: skip
_HEADS = {
    "cross_encoder": "ForSequenceClassification",
    "sequence_to_sequence": "ForConditionalGeneration",
    "true_false": "ForCausalLM",
    "listwise": "ForCausalLM",
    "setwise": "ForCausalLM",
    "sparse": "ForMaskedLM",
    "dense": "Model",
}
_ORDERING = ("listwise", "setwise")
AS_IT_STANDS = ("bm25", "okapi_candidates", "fusion", "reformulated", "graph", "late_interaction")
"""Stages that put nothing around a text themselves; their models' parts are rows of their own."""


@dataclass(frozen=True)
class Read:
    """What a model reads of one example.

    text    as it is handed to the tokenizer; turns of a conversation one after another
    tokens  with every special token; empty for a model at an endpoint
    pooled  whether a token goes into the vector; empty for a model that makes none
    """

    text: str
    tokens: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()
    pooled: tuple[bool, ...] = ()


def rendered(row: Row, folder: Path) -> dict[str, Read]:
    """Return what a row's model reads of every example, by what the example is.

    folder  an empty one, for the tiny model
    """
    if row.stage in AS_IT_STANDS:
        return {name: Read(each.content) for name, each in EXAMPLES.items()}
    if row.stage in _ORDERING:
        return _orders(row)
    made = _save(row, folder)
    typed = f"{row.name}:{folder},device=cpu,dtype=float32,cache=False"
    system = load_system(typed + _typed_beside(row, folder))
    if row.stage == "dense":
        return _vectors(system.retriever, made)
    if row.stage == "sparse":
        return _sparse(system.retriever, made)
    (reranker,) = system.rerankers
    return _pairs(row.stage, reranker, made)


def _typed_beside(row: Row, folder: Path) -> str:
    """Return options that keep the row from asking for more checkpoints than the tiny one."""
    typed = f",query_model={folder}" if "query_model" in row.options else ""
    absent = [each for each in row.options if each.endswith("adapter")]
    return typed + "".join(f",{each}=" for each in absent)


def _vectors(retriever: Any, made: Any) -> dict[str, Read]:
    from leadline.models.cutting import fit
    from leadline.models.loading import around

    found = {}
    for name, each in EXAMPLES.items():
        side = "document" if name == "document" else "query"
        text = each.content if isinstance(each, Document) else retriever.query_text(each)
        encoder = retriever.encoders[side]
        model, part = encoder._loaded, encoder.parts[side]
        before, after = around(model, part.prompt, side, encoder.append_eos)
        most = min(part.max_length or model.max_seq_length, model.max_seq_length)
        kept = fit(model.tokenizer, before, text, after, most) + after if after else text
        with _watched(model) as seen:
            encoder.encode([text], side)
        found[name] = Read(before + kept, *_tokens(made, seen["ids"]), _pooled(model, seen))
    return found


def _pooled(model: Any, seen: Mapping[str, Any]) -> tuple[bool, ...]:
    (pooling,) = [each for each in model if hasattr(each, "pooling_mode")]
    n = len(seen["ids"])
    if pooling.pooling_mode == "lasttoken":
        return (*[False] * (n - 1), True)
    if pooling.pooling_mode == "cls":
        return (True, *[False] * (n - 1))
    left_out = 0 if pooling.include_prompt else seen["prompt_length"] or 0
    return tuple(place >= left_out for place in range(n))


def _sparse(retriever: Any, made: Any) -> dict[str, Read]:
    import torch

    ids: list[Any] = []

    def keep(module: Any, given: Any) -> None:
        if isinstance(module, torch.nn.Embedding) and module.num_embeddings == len(made):
            ids.append(given[0][0].tolist())

    corpus = {DOCUMENT.id: DOCUMENT}
    handle = torch.nn.modules.module.register_module_forward_pre_hook(keep)
    try:
        index = retriever.index(corpus)
        found: dict[str, Read] = {}
        document: list[int] = []
        for name, query in (("query", QUERY), ("query with an instruction", INSTRUCTED)):
            ids.clear()
            index.score([query], {query.id: [DOCUMENT.id]})
            rows = [each for each in ids if each]
            found[name] = Read(query.content, *_tokens(made, rows[-1]))
            document = document or rows[0]
        found["document"] = Read(DOCUMENT.content, *_tokens(made, document))
    finally:
        handle.remove()
    return found


def _pairs(stage: str, reranker: Any, made: Any) -> dict[str, Read]:
    from leadline.llm.local import prompt_ids
    from leadline.llm.requests import Request

    found = {}
    for name, query in (("query", QUERY), ("query with an instruction", INSTRUCTED)):
        pair = (query, DOCUMENT)
        if stage == "true_false":
            (text,) = reranker.prompts([pair])
            ids = prompt_ids(made, Request(text, 1))
        elif stage == "cross_encoder":
            ids = reranker.encoded([pair])["input_ids"][0]
            text = made.decode(ids)
        else:
            ids = reranker.encoded([pair])["input_ids"][0]
            text = made.decode(ids)
        found[f"{name} and a document"] = Read(text, *_tokens(made, ids))
    return found


def _orders(row: Row) -> dict[str, Read]:
    from leadline.llm.local import prompt_ids
    from leadline.rerankers.listwise import Listwise
    from leadline.rerankers.setwise import Setwise

    corpus = {each.id: each for each in (DOCUMENT, OTHER)}
    found = {}
    for name, query in (("query", QUERY), ("query with an instruction", INSTRUCTED)):
        options = dict(row.options)
        made = _tokenizer_of(row) if row.parameters else None
        llm: Any = _Cutting(made) if made else object()
        if row.stage == "listwise":
            listwise = Listwise(llm, template=options.get("template", "default"))
            request = listwise._request(query, [each.content for each in corpus.values()], 1.0)
        else:
            kept = ("k", "children", "template", "query_tokens", "document_tokens")
            setwise = Setwise(llm, **{each: options[each] for each in kept})
            search = SimpleNamespace(query=query, asked=list(corpus))
            request = setwise._request(search, corpus, 1.0)
        text = "\n".join(f"({turn.role})\n{turn.content}" for turn in request.messages)
        tokens = _tokens(made, prompt_ids(made, request)) if made else ()
        found[f"{name} and two documents"] = Read(text, *tokens)
    return found


class _Cutting:
    """A tokenizer where a stage wants a model that cuts by tokens; it is never asked."""

    special_tokens = ()

    def __init__(self, made: Any) -> None:
        self.made = made

    def cut(self, text: str, room: int) -> str:
        from leadline.models.cutting import cut

        return cut(self.made, text, room)


@contextmanager
def _watched(model: Any) -> Iterator[dict[str, Any]]:
    """Keep what reaches the model, and how many tokens the pooling leaves out."""
    seen: dict[str, Any] = {}

    def ids(_: Any, given: Any) -> None:
        seen["ids"] = given[0]["input_ids"][0].tolist()

    def length(_: Any, given: Any, __: Any) -> None:
        seen["prompt_length"] = given[0].get("prompt_length")

    hooks = [model[0].register_forward_pre_hook(ids)]
    hooks += [each.register_forward_hook(length) for each in model if hasattr(each, "pooling_mode")]
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


def _tokens(made: Any, ids: Any) -> tuple[tuple[str, ...], tuple[int, ...]]:
    return tuple(made.convert_ids_to_tokens(ids)), tuple(ids)


def _tokenizer_of(row: Row) -> Any:
    return tokenizer(FAMILY[row.name.partition("@")[0]], _words(row))


def _words(row: Row) -> list[str]:
    """Return every text whose words the row's tokenizer should know."""
    texts = [each.content for each in (*EXAMPLES.values(), OTHER)]
    texts += [str(value).replace("{", " ").replace("}", " ") for value in row.options.values()]
    if "template" in row.options or row.stage in ("true_false", "listwise", "sequence_to_sequence"):
        from importlib.resources import files

        folder = files("leadline.rerankers") / "prompts"
        names = sorted(each.name.removesuffix(".txt") for each in folder.iterdir())
        texts += [Prompt.load("leadline.rerankers", name).text for name in names]
        texts.append(chat_template("vicuna"))
    return [*texts, "true false Yes No"]


def _save(row: Row, folder: Path) -> Any:
    """Save a random model of the row's architecture with its kind of tokenizer; return that."""
    import torch
    import transformers

    name = row.name.partition("@")[0]
    made = _tokenizer_of(row)
    stem = ARCHITECTURE.get(name) or _USUAL[FAMILY[name]]
    torch.manual_seed(0)
    head = _HEADS[row.stage]
    if stem == "T5" and head == "Model":
        head = "EncoderModel"
    _model(stem, head, made, transformers).save_pretrained(folder)
    made.save_pretrained(folder)
    return transformers.AutoTokenizer.from_pretrained(folder)


def _model(stem: str, head: str, made: Any, transformers: Any) -> Any:
    special = {
        "vocab_size": len(made),
        "pad_token_id": 0 if made.pad_token_id is None else made.pad_token_id,
        "bos_token_id": made.bos_token_id,
        "eos_token_id": made.eos_token_id,
    }
    if stem == "latent attention":
        from leadline.models import latent_attention

        sizes = {"num_latents_value": 4, "num_cross_heads": 2, "cross_dim_head": 8}
        return latent_attention.LatentAttentionModel(
            latent_attention.LatentAttentionConfig(
                text_config={**special, **_SIZES, "num_key_value_heads": 2},
                latent_attention_config=sizes,
            )
        )
    config = getattr(transformers, f"{stem}Config")
    sizes = dict(_T5_SIZES if stem == "T5" else _SIZES)
    if stem in _TABLES:
        sizes |= {"max_position_embeddings": 8194}
    if stem in ("Mistral", "Llama", "Qwen2", "Qwen3", "Gemma"):
        sizes |= {"num_key_value_heads": 2}
    if stem in ("Qwen3", "Gemma"):
        sizes |= {"head_dim": 8}
    if head == "ForSequenceClassification":
        sizes |= {"num_labels": 1}
    return getattr(transformers, f"{stem}{head}")(config(**special, **sizes))


_SIZES = {
    "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
    "max_position_embeddings": 131072,
}  # fmt: skip
_T5_SIZES = {
    "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2,
    "decoder_start_token_id": 0,
}  # fmt: skip
_TABLES = ("Bert", "MPNet", "XLMRoberta", "ModernBert", "JinaEmbeddingsV3")


def shown_texts(read: Mapping[str, Mapping[str, Read]]) -> str:
    """Return the golden file of texts."""
    lines = ["# What the model of each row reads; a bar begins a line of it.", ""]
    for name, cases in read.items():
        lines.append(name)
        for case, each in cases.items():
            lines += [f"  {case}:", *(f"    | {line}" for line in each.text.split("\n"))]
        lines.append("")
    return "\n".join(lines)


def shown_tokens(read: Mapping[str, Mapping[str, Read]]) -> str:
    """Return the golden file of tokens: one example a row."""
    lines = [
        "# The tokens of a row's first example, and below those that go into its vector (^).",
        "",
    ]
    for name, cases in read.items():
        first = next(iter(cases.values()))
        if not first.tokens:
            continue
        marks = [
            ("^" if kept else "").ljust(len(token))
            for token, kept in zip(first.tokens, first.pooled or [], strict=False)
        ]
        lines += [name, "  " + " ".join(first.tokens)]
        lines += [("  " + " ".join(marks)).rstrip()] if marks else []
        lines.append("")
    return "\n".join(lines)


def every_row() -> Iterator[tuple[str, dict[str, Read]]]:
    """Yield each row's name and what its model reads."""
    for row in ROWS.values():
        with tempfile.TemporaryDirectory() as folder:
            yield row.name, rendered(row, Path(folder))


if __name__ == "__main__":
    read = dict(every_row())
    TEXTS.write_text(shown_texts(read), encoding="utf-8")
    TOKENS.write_text(shown_tokens(read), encoding="utf-8")
