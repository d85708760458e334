"""A small world to train in: topics of made-up words, and models that start at random."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.jsonl import write_records
from leadline.kinds.rephrasings import KIND
from leadline.training.data import TrainingExample
from leadline.types import Document, Query

FRAMES = ("find {}", "what is {} please", "tell me of {}", "{} documents wanted")
FILLERS = sorted({word for frame in FRAMES for word in frame.split()} - {"{}"})
TOPICS = 24


def write_examples(path: Path, examples: Iterable[TrainingExample]) -> None:
    """Write examples as `.jsonl`, each with the fields that it has."""
    write_records(path, ({k: v for k, v in asdict(each).items() if v} for each in examples))


def name_of(topic: int) -> str:
    """Return the two words that a topic is known by in queries."""
    return f"q{topic} r{topic % 6}"


def document_of(topic: int) -> str:
    """Return its document, which shares no word with its queries."""
    return f"d{topic} e{topic % 6} common text"


def examples(count: int = TOPICS) -> list[TrainingExample]:
    """Return an example a topic, with three rephrasings and one negative."""
    return [
        TrainingExample(
            FRAMES[0].format(name_of(topic)),
            document_of(topic),
            (document_of((topic + 6) % TOPICS),),
            tuple(frame.format(name_of(topic)) for frame in FRAMES[1:]),
        )
        for topic in range(count)
    ]


def validation(corpus: Any = None) -> Benchmark:
    """Return the same topics as a benchmark of rephrasings."""
    kinds = ("original", "polite", "spoken", "keywords")
    queries = [
        Query(f"{topic}~{kind}", frame.format(name_of(topic)), str(topic), facets={"kind": kind})
        for topic in range(TOPICS)
        for kind, frame in zip(kinds, FRAMES, strict=True)
    ]
    documents = {str(topic): Document(str(topic), document_of(topic)) for topic in range(TOPICS)}
    return Benchmark(
        "tiny", documents if corpus is None else corpus, queries,
        {query.id: {query.topic: 1} for query in queries}, **KIND.measured(),
    )  # fmt: skip


def documents() -> dict[str, Document]:
    """Return the corpus."""
    return {str(topic): Document(str(topic), document_of(topic)) for topic in range(TOPICS)}


def words() -> list[str]:
    """Return every word of the world."""
    texts = [name_of(topic) for topic in range(TOPICS)] + [
        document_of(topic) for topic in range(TOPICS)
    ]
    return sorted({word for text in texts for word in text.split()} | set(FILLERS))


def static_model(seed: int = 0) -> Any:
    """Return a StaticEmbedding of random vectors."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: place for place, word in enumerate(["[UNK]", *words()])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    weights = torch.randn(len(vocabulary), 16, generator=torch.Generator().manual_seed(seed))
    return SentenceTransformer(
        modules=[StaticEmbedding(tokenizer, embedding_weights=weights), Normalize()], device="cpu"
    )


def save_bert(folder: Path) -> Path:
    """Save a BERT of two layers, with dropout, as a sentence-transformers model."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    inner = folder / "inner"
    inner.mkdir(parents=True)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    (inner / "vocab.txt").write_text("\n".join([*special, *words()]), encoding="utf-8")
    BertTokenizerFast(vocab=str(inner / "vocab.txt")).save_pretrained(inner)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(special) + len(words()), hidden_size=16, num_hidden_layers=2,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=40,
    )  # fmt: skip
    BertModel(config).save_pretrained(inner)
    transformer = Transformer(str(inner))
    pooling = Pooling(transformer.get_embedding_dimension(), "mean")
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save_pretrained(
        str(folder / "model")
    )
    return folder / "model"


def open_bert(folder: Path) -> Any:
    """Load it again."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")
