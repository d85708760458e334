"""Dense retrieval with any encoder that sentence-transformers loads, from a hub or a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from leadline.data.memory import warn_beyond
from leadline.errors import InputError
from leadline.models.encoder import (
    INSTRUCTION,
    TEXT,
    Backend,
    Dtype,
    Encoder,
    Padding,
    Part,
    Pooling,
    Side,
)
from leadline.retrievers.parts.search import VectorIndex
from leadline.retrievers.parts.store import EncodedCorpus, Stored, VectorStore
from leadline.types import (
    Corpus,
    Query,
    Reading,
    Retriever,
    check_positive,
)

Similarity = Literal["cosine", "dot"]

QUERY_FORM = f"{TEXT} {INSTRUCTION}"
"""How every system joins a query and its own instruction unless its row says otherwise."""

_FIELD = re.compile(f"{re.escape(TEXT)}|{re.escape(INSTRUCTION)}")

_USUAL_WIDTH = 768
_MEMORY_A_DOCUMENT = 250
"""Bytes, for its key and its place: texts and vectors stay on disk."""


def build(
    model: str,
    *,
    query_model: str = "",
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    instruction: str = "",
    pooling: Pooling = "",
    pool_prompt: bool | None = None,
    normalize: bool | None = None,
    dimensions: int | None = None,
    max_length: int | None = None,
    query_max_length: int | None = None,
    document_max_length: int | None = None,
    query_form: str = QUERY_FORM,
    missing_instruction: str = "",
    append_eos: bool = False,
    padding: Padding = "",
    bidirectional: bool | None = None,
    adapter: str = "",
    query_adapter: str = "",
    document_adapter: str = "",
    batch_size: int | None = None,
    device: str = "",
    dtype: Dtype = "auto",
    backend: Backend = "torch",
    similarity: Similarity = "cosine",
    trust_remote_code: bool = False,
    revision: str = "",
    query_revision: str = "",
    code_revision: str = "",
    cache: bool = True,
) -> Retriever:
    """Return a dense retriever; the model is loaded when something must be encoded.

    model             name on the hub, folder of a model, or `package:NAME` for an installed
                      package with a function get_model_path
    query_model       another model for queries, where documents have their own
    query_prompt      put before a query, or around it where it holds `{text}`; None for the
                      model's own, empty for none
    document_prompt   put before or around a document; likewise
    instruction       what `{instruction}` in a prompt stands for: the task, the same for all texts
    pooling           how token vectors become one: mean, cls, lasttoken, max or weightedmean;
                      empty for the model's own, which is mean where a folder says nothing
    pool_prompt       False leaves the tokens of what stands before a text out of the pooling
    normalize         bring vectors to length 1; by default when the similarity is cosine
    dimensions        keep so many numbers of a vector, for models trained to be cut off so
    max_length        tokens read of a text with its prompt, the rest of the text is cut off; None
                      for the model's own
    query_max_length, document_max_length
                      tokens read of a query, or of a document, when they are fewer
    query_form        how a query's text and its own instruction are joined
    missing_instruction
                      what stands for the instruction of a query that has none, or with {text} in it
                      the whole query; empty for its text alone
    append_eos        end with the end-of-sequence token where the tokenizer puts none itself
    padding           side on which shorter texts are filled up; empty for the tokenizer's own
    bidirectional     True lets a decoder's tokens see those behind them; None for its own way
    adapter           LoRA weights merged into the model: names on the hub or folders, separated by
                      blanks, merged in turn; needs peft
    query_adapter     folder in the checkpoint with the adapter that queries are read with;
                      needs peft
    document_adapter  the same for documents
    batch_size        texts encoded at once; 32 by default, 16 with openvino
    device            `cpu`, `cuda`, ...; empty for the best there is
    dtype             number format of the weights; auto is float32 on a processor and that of the
                      checkpoint on an accelerator, and the processor's fastest with openvino;
                      int8 is faster still and less exact, with openvino only
    backend           openvino is faster on a processor, with vectors that differ a little
    similarity        cosine, or the inner product as it comes (dot)
    revision          branch, tag or commit on the hub, of `model`
    query_revision    the same of `query_model`
    trust_remote_code run the Python that a checkpoint of the hub brings
    code_revision     commit of that Python, where it lies in another repository than the weights
    cache             keep vectors on disk, by text, model and setting

    Raises InputError when a value is out of its range or the model cannot be found, and
    MissingExtraError without torch and sentence-transformers.
    """
    check_positive(
        batch_size=batch_size,
        max_length=max_length,
        query_max_length=query_max_length,
        document_max_length=document_max_length,
        dimensions=dimensions,
    )
    if dtype == "int8" and backend != "openvino":
        raise InputError("dtype=int8 needs backend=openvino.")
    if backend == "openvino" and device not in ("", "cpu"):
        raise InputError(f"backend=openvino runs on the CPU, not on {device!r}. Leave out device.")
    if backend == "openvino" and (query_adapter or document_adapter):
        raise InputError("backend=openvino does not support query_adapter and document_adapter.")
    query_prompt, document_prompt = _told([query_prompt, document_prompt], instruction)
    encoder = Encoder(
        model=model,
        parts={
            "query": Part(query_prompt, query_max_length, query_adapter),
            "document": Part(document_prompt, document_max_length, document_adapter),
        },
        pooling=pooling,
        pool_prompt=pool_prompt,
        normalize=similarity == "cosine" if normalize is None else normalize,
        dimensions=dimensions,
        max_length=max_length,
        append_eos=append_eos,
        padding=padding,
        bidirectional=bidirectional,
        adapter=adapter,
        batch_size=batch_size or (16 if backend == "openvino" else 32),
        device=device,
        dtype=dtype,
        backend=backend,
        trust_remote_code=trust_remote_code,
        revision=revision,
        code_revision=code_revision,
    )
    for_queries = (
        replace(encoder, model=query_model, revision=query_revision) if query_model else encoder
    )
    if TEXT not in query_form or INSTRUCTION not in query_form:
        raise InputError(f"query_form must contain {TEXT} and {INSTRUCTION}, got {query_form!r}.")
    encoders: dict[Side, Encoder] = {"query": for_queries, "document": encoder}
    return _Dense(encoders, similarity, cache, query_form, missing_instruction)


def _told(prompts: Sequence[str | None], instruction: str) -> list[str | None]:
    if instruction and not any(prompt and INSTRUCTION in prompt for prompt in prompts):
        raise InputError(
            f"No prompt contains {INSTRUCTION}, so an instruction has no effect. Leave it out."
        )
    for prompt in prompts:
        if prompt and prompt.count(TEXT) > 1:
            raise InputError(f"A prompt may contain {TEXT} only once, got {prompt!r}.")
        if prompt and INSTRUCTION in prompt and not instruction:
            raise InputError(
                f"The prompt {prompt!r} needs an instruction. To run without one, give another "
                "prompt, which may be empty."
            )
    return [prompt and prompt.replace(INSTRUCTION, instruction) for prompt in prompts]


@dataclass
class _Dense(Retriever):
    """`encoders` has one model for both sides, or one for each."""

    encoders: Mapping[Side, Encoder]
    similarity: Similarity
    cache: bool
    query_form: str = QUERY_FORM
    missing_instruction: str = ""
    name: str = "dense"
    _stored: Stored = field(init=False)

    def __post_init__(self) -> None:
        def key() -> str:
            return "-".join(sorted({encoder.key() for encoder in self.encoders.values()}))

        self._stored = Stored("vectors", key, self.cache)

    @property
    def settings(self) -> dict[str, Any]:
        encoder, for_queries = self.encoders["document"], self.encoders["query"]
        set_by = "model" if encoder.max_length is None else "option"
        return {
            **encoder.settings,
            **({"query_model": for_queries.model} if for_queries is not encoder else {}),
            "similarity": self.similarity,
            "query_form": self.query_form,
            "missing_instruction": self.missing_instruction,
            "max_length_set_by": set_by,
            **self._stored.about,  # with the length that the model itself sets
        }

    @property
    def store(self) -> VectorStore:
        return self._stored.store

    def index(self, corpus: Corpus) -> _Index:
        return _Index(self, corpus)

    def query_text(self, query: Query) -> str:
        """Return a query's text with its own instruction, as the model is to see them."""
        instruction = query.instruction or self.missing_instruction
        if not instruction:
            return query.text
        whole = not query.instruction and TEXT in instruction
        parts = {TEXT: query.text, INSTRUCTION: instruction}
        form = instruction if whole else self.query_form
        return _FIELD.sub(lambda found: parts[found[0]], form).strip()

    def vectors_of(self, queries: Sequence[Query]) -> Any:
        """Return float32 [queries, D]."""
        return self.vectors(self.rows([self.query_text(query) for query in queries], "query"))

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        asked = self.encoders["query"].read(queries, "query")
        held = self.encoders["document"].read(documents, "document")
        if asked is None or held is None:
            return None
        return [
            Reading(tokens, cut, query_cut)
            for (_, query_cut), (tokens, cut) in zip(asked, held, strict=True)
        ]

    def rows(self, texts: Sequence[str], side: Side) -> Any:
        """Return where in the store the vectors of the texts are, once they are all there."""
        return self.spans(texts, side)[:, 0]

    def spans(self, texts: Sequence[str], side: Side) -> Any:
        """Return `rows` and the rows after them, int64 [len(texts), 2]."""
        encoder = self.encoders[side]
        return self.store.spans(
            texts,
            partial(encoder.encode, side=side),
            kind=encoder.kind(side),
            about=encoder.about,
            label="Encoding documents" if side == "document" else "Encoding queries",
            spreads=True,
        )

    def vectors(self, rows: Any) -> Any:
        """Return float32 [len(rows), D], of length 1 when the similarity is cosine."""
        vectors = np.asarray(self.store.values[rows])
        if self.similarity == "cosine" and not self.encoders["document"].normalize:
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        return vectors


class _Index(VectorIndex):
    def __init__(self, dense: _Dense, corpus: Corpus) -> None:
        documents = EncodedCorpus(corpus, partial(dense.spans, side="document"))
        device = dense.encoders["query"].device
        super().__init__(documents, dense.vectors, dense.vectors_of, device)
        self._store = dense.store

    def prepare(self) -> None:
        if not self.documents.is_whole:
            store, corpus = self._store, self.documents.corpus
            disk = 4 * (store.dimension or _USUAL_WIDTH) * max(0, len(corpus) - store.count)
            memory = _MEMORY_A_DOCUMENT * len(corpus)
            warn_beyond("encoding", corpus, memory=memory, disk=disk, folder=store.folder)
            super().prepare()
