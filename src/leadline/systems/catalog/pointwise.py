"""Rerankers that score one document at a time."""

from __future__ import annotations

from leadline.systems.catalog import sources
from leadline.systems.catalog.row import Row, Value

_WEIGHTS = {"revision": sources.NOT_PINNED, "license": sources.NOT_FOUND}
_REASONING: dict[str, Value] = {
    "reasoning": True,
    "max_length": 16000,
    "max_tokens": 8192,
    "dtype": "float16",
    "neutral": False,
}
_M3: dict[str, Value] = {
    "model": "BAAI/bge-reranker-v2-m3",
    "revision": "953dc6f6f85a1b2dbfca4c34a2796e7dde08d41e",
}
_GEMMA: dict[str, Value] = {
    "model": "BAAI/bge-reranker-v2-gemma",
    "template": "predict_yes_or_no",
    "positive": "Yes",
    "negative": "",
}
_RANKLLAMA: dict[str, Value] = {"model": "orionweller/rankllama-7b-merged", "max_length": 4096}
_FOLLOWIR: dict[str, Value] = {
    "model": "jhu-clsp/FollowIR-7B",
    "revision": "4d25d437e38b510c01852070c0731e8f6e1875d1",
    "template": "judge_in_one_word",
    "max_length": 2048,
}
_FOLLOWIR_META = "embeddings-benchmark/mteb mteb/models/rerankers_monot5_based.py, 2024"

ROWS = (
    Row(
        name="bge-reranker-v2-m3",
        stage="cross_encoder",
        about="A multilingual cross-encoder.",
        options={**_M3, "max_length": 8192},
        sources={
            sources.MTEB_RERANKERS: "model revision",
            sources.CONDITIONS_PAPER: "max_length parameters",
        },
        parameters=568,
        unverified={"license": sources.NOT_FOUND},
    ),
    Row(
        name="bge-reranker-v2-m3@released-code",
        stage="cross_encoder",
        about="The same with the library's own 512 tokens, as released code ran it; sigmoid.",
        options={**_M3, "max_length": 512, "activation": "sigmoid"},
        sources={
            sources.MTEB_RERANKERS: "model revision",
            sources.FLAG_PAIRS: "max_length activation",
            sources.CONDITIONS_PAPER: "parameters",
        },
        parameters=568,
        unverified={
            "license": sources.NOT_FOUND,
            "dtype": "float16 there on an accelerator; left to the device here",
        },
    ),
    Row(
        name="bge-reranker-large",
        stage="cross_encoder",
        about="A cross-encoder on XLM-R large.",
        options={"model": "BAAI/bge-reranker-large", "max_length": 512},
        sources={
            f"{sources.REPHRASINGS_PAPER}, footnote 6": "model",
            sources.FLAG_PAIRS: "max_length",
        },
        parameters=560,
        unverified={**_WEIGHTS, "parameters": "those of xlm-roberta-large in MTEB"},
    ),
    Row(
        name="rankllama-7b",
        stage="cross_encoder",
        about="A LLaMA-2 with a head on the last token, query and document as a pair.",
        options={**_RANKLLAMA, "query_prompt": "query: ", "document_prompt": "document: "},
        sources={
            sources.REASONING_LLAMA: "model max_length",
            sources.INSTRUCTIONS_RERANKERS: "query_prompt document_prompt",
        },
        parameters=7000,
        unverified={**_WEIGHTS, "parameters": sources.FROM_NAME},
    ),
    Row(
        name="rankllama-7b@released-code",
        stage="cross_encoder",
        about="The same with query and document in one text, as released code ran it on reasoning.",
        options={**_RANKLLAMA, "pair": "query: {query}<s> document: {document}"},
        sources={sources.REASONING_LLAMA: "model pair max_length"},
        parameters=7000,
        unverified={**_WEIGHTS, "parameters": sources.FROM_NAME},
    ),
    Row(
        name="rankllama-7b@released-code-instructions",
        stage="cross_encoder",
        about="The same as a pair cut at 1024 tokens, as released code ran it on instructions.",
        options={
            **_RANKLLAMA,
            "query_prompt": "query: ",
            "document_prompt": "document: ",
            "max_length": 1024,
        },
        sources={
            sources.INSTRUCTIONS_RERANKERS: "query_prompt document_prompt max_length",
            sources.REASONING_LLAMA: "model",
        },
        parameters=7000,
        unverified={**_WEIGHTS, "parameters": sources.FROM_NAME},
    ),
    Row(
        name="monot5-3b",
        stage="sequence_to_sequence",
        about="A T5 that says true or false.",
        options={
            "model": "castorini/monot5-3b-msmarco",
            "template": "relevant",
            "max_length": 512,
        },
        sources={sources.INSTRUCTIONS_RERANKERS: "template"},
        parameters=3000,
        unverified={
            **_WEIGHTS,
            "model": "one of two; the runs on instructions took castorini/monot5-3b-msmarco-10k",
            "max_length": "what a T5 tokenizer says; the code leaves it to the tokenizer",
            "parameters": sources.FROM_NAME,
        },
    ),
    Row(
        name="followir-7b",
        stage="true_false",
        about="A Mistral tuned to follow instructions, true or false at once.",
        options=_FOLLOWIR,
        sources={
            sources.MTEB_TRUE_FALSE: "model revision template max_length",
            _FOLLOWIR_META: "parameters license",
        },
        parameters=7240,
        license="apache-2.0",
    ),
    Row(
        name="followir-7b@released-code",
        stage="true_false",
        about="The same, cut at 512 tokens as released code ran it on conditions.",
        options={**_FOLLOWIR, "max_length": 512},
        sources={
            sources.CONDITIONS_CODE: "model template max_length",
            sources.MTEB_TRUE_FALSE: "revision",
            _FOLLOWIR_META: "parameters license",
        },
        parameters=7240,
        license="apache-2.0",
    ),
    Row(
        name="mistral-7b-true-false",
        stage="true_false",
        about="Mistral-7B-Instruct-v0.2, zero-shot, true or false at once.",
        options={
            "model": "mistralai/Mistral-7B-Instruct-v0.2",
            "revision": "3ad372fc79158a2148299e3318516c786aeded6c",
            "template": "judge_as_expert",
            "max_length": 2048,
        },
        sources={sources.MTEB_TRUE_FALSE: "model revision template max_length"},
        parameters=7240,
        unverified={"parameters": "those of FollowIR-7B", "license": sources.NOT_FOUND},
    ),
    Row(
        name="llama-3.1-8b-true-false",
        stage="true_false",
        about="Llama-3.1-8B-Instruct, zero-shot, true or false at once, in no chat template.",
        options={
            "model": "meta-llama/Meta-Llama-3.1-8B-Instruct",
            "template": "judge_document",
            "max_length": 2048,
        },
        sources={sources.INSTRUCTIONS_RERANKERS: "model template max_length"},
        parameters=8000,
        unverified={**_WEIGHTS, "parameters": sources.FROM_NAME},
    ),
    Row(
        name="qwen2.5-7b-true-false",
        stage="true_false",
        about="Qwen2.5-7B, zero-shot, with the prompt and the reasoning of Rank1, as released code "
        "ran it.",
        options={"model": "Qwen/Qwen2.5-7B", **_REASONING},
        sources={
            sources.REASONING_MODELS: "model",
            sources.REASONING_RANK1: "reasoning max_length max_tokens dtype neutral",
        },
        parameters=7600,
        unverified={**_WEIGHTS, "parameters": sources.FROM_NAME},
    ),
    Row(
        name="bge-reranker-v2-gemma",
        stage="true_false",
        about="A Gemma whose logit of Yes is the score.",
        options={**_GEMMA, "activation": "none", "max_length": 8192},
        sources={
            sources.CONDITIONS_CODE: "model",
            sources.FLAG_LLM: "template positive negative activation",
            sources.CONDITIONS_PAPER: "max_length parameters",
        },
        parameters=2500,
        unverified=_WEIGHTS,
    ),
    Row(
        name="bge-reranker-v2-gemma@released-code",
        stage="true_false",
        about="The same with the library's own 512 tokens, as released code ran it; sigmoid.",
        options={**_GEMMA, "activation": "sigmoid", "max_length": 580},
        sources={
            sources.CONDITIONS_CODE: "model activation",
            sources.FLAG_LLM: "template positive negative",
            sources.CONDITIONS_PAPER: "parameters",
        },
        parameters=2500,
        unverified={
            **_WEIGHTS,
            "max_length": "512 tokens, and twice what stands behind the document, about 34",
            "dtype": "float16 there on an accelerator; left to the device here",
        },
    ),
    Row(
        name="rank1-7b",
        stage="true_false",
        about="Reasons, then says true or false.",
        options={"model": "jhu-clsp/rank1-7b", **_REASONING},
        sources={
            sources.REASONING_RANK1: "model reasoning max_length max_tokens dtype neutral",
        },
        parameters=7600,
        license="mit",
        unverified={
            "revision": sources.NOT_PINNED,
            "parameters": "those of Qwen2.5-7B",
            "license": "that of its code",
        },
    ),
    Row(
        name="limrank",
        stage="true_false",
        about="Reasons, then says true or false; a Qwen2.5-7B tuned on few examples.",
        options={"model": "songtingyu/limrank", **_REASONING},
        sources={
            sources.REASONING_MODELS: "model",
            sources.REASONING_RANK1: "reasoning max_length max_tokens dtype neutral",
        },
        parameters=7600,
        unverified={**_WEIGHTS, "parameters": "those of Qwen2.5-7B"},
    ),
)
