"""The three heavy steps on tiny models: encode a corpus, complete prompts, score pairs."""

import tiny_models
from leadline.systems.chains import load_system
from leadline.types import Document, Query

TEXTS = tiny_models.sentences(seed=1, count=40)
CORPUS = {f"d{n}": Document(f"d{n}", text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(f"q{n}", text) for n, text in enumerate(tiny_models.sentences(seed=2, count=30))]
CANDIDATES = {query.id: list(CORPUS) for query in QUERIES}


def models(folder):
    tokenizer = tiny_models.space_tokenizer()
    tiny_models.save(folder / "causal", "MistralForCausalLM", tokenizer)
    words = tiny_models.word_tokenizer()
    tiny_models.save(
        folder / "pairs",
        "BertForSequenceClassification",
        words,
        num_labels=1,
        hidden_size=16,
        num_attention_heads=2,
    )
    return folder


def encoded():
    """Search with the encoder that installs with the extra `dense`; vectors are kept."""
    return load_system("minilm").run(CORPUS, QUERIES).run


def completed(folder):
    from leadline.llm.local import LocalLLM

    llm = LocalLLM(str(folder / "causal"), batch_size=2, device="cpu")
    return llm.complete(TEXTS, max_tokens=5), llm.log_probabilities(TEXTS, ["true", "false"])


def scored(folder):
    """Score 1200 pairs, which are two blocks."""
    system = load_system(f"cross_encoder:{folder / 'pairs'},device=cpu")
    return system.run(CORPUS, QUERIES, CANDIDATES).run
