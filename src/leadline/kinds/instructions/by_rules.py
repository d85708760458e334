"""Instructions on documents of a corpus, made by rules from what can be measured."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.instructions.attributes.languages import language_of
from leadline.kinds.instructions.attributes.lengths import length_class
from leadline.kinds.instructions.attributes.readability import reading_level
from leadline.kinds.instructions.attributes.text import shape_of
from leadline.kinds.instructions.cores import Core, as_benchmark
from leadline.kinds.instructions.pieces import by_length, by_words
from leadline.kinds.instructions.terms import Terms, terms_of
from leadline.kinds.instructions.topics import Topic, find_topics
from leadline.kinds.pools import Harvested, harvest
from leadline.progress import track
from leadline.types import Corpus, Document, Qrels, Query

_LANGUAGES = {"zh": "chinese", "en": "english", "fr": "french"}


def build(
    corpus: Corpus,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    fields: Sequence[str] = (),
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "instructions" made from a corpus without a language model.

    queries, qrels  the user's own, with judgements: core queries with two or more relevant
                    documents that differ in an attribute (length, audience, language), none of
                    which is changed
    limit           most core queries of a dimension
    source          what the corpus is, for the record
    fields          fields of metadata, each a dimension of its own: a document stands in the
                    corpus once for each of two values, the field before its text
    harvested       counts words and pairs of the corpus, where other probes need them too

    From documents alone come `length` (a document, its best sentence and, of one over 190 words,
    the paragraph around it) and `keyword` (parts of a document, each with words that no other part
    holds); their source document leaves the corpus. `built` counts what was dropped and why.
    English; audience is told for English text only.
    """
    rng = random.Random(f"{seed} instructions")
    dropped: Counter[str] = Counter()
    cores: list[Core] = []
    if queries and qrels:
        cores += _judged(corpus, queries, qrels, dropped, limit, rng)
    terms = terms_of((harvested or partial(harvest, corpus, seed=seed, pairs=True))())
    sources = find_topics(corpus, terms, dropped, limit, rng)
    half = dict(list(sources.items())[::2])  # so that enough are left to be cut by length
    cores += _of_words(corpus, half, terms, dropped, limit)
    used = {core.source for core in cores}
    cores += _of_length(corpus, sources, terms, dropped, limit, used)
    used |= {core.source for core in cores}
    made = sum(core.dimension == "keyword" for core in cores)
    rest_of = {id: topic for id, topic in sources.items() if id not in used | half.keys()}
    cores += _of_words(corpus, rest_of, terms, dropped, limit - made)
    used |= {core.source for core in cores}
    for field in fields:
        cores += _of_field(corpus, field, sources, dropped, limit, used)
        used |= {core.source for core in cores}
    rest = {id: corpus[id] for id in corpus if id not in used}
    return as_benchmark(
        cores,
        rest,
        name="instructions",
        seed=seed,
        source=source,
        dropped=dropped,
        builder="leadline.kinds.instructions.by_rules",
    )


def _of_length(
    corpus: Corpus,
    sources: Mapping[str, Topic],
    terms: Terms,
    dropped: Counter[str],
    limit: int,
    used: set[str],
) -> list[Core]:
    cores: list[Core] = []
    for id, topic in track(list(sources.items()), "cutting documents by length"):
        if len(cores) == limit:
            break
        if id in used:
            continue
        versions = by_length(corpus[id], topic.text, terms)
        if versions is None:
            dropped["length: too short, or no sentence that tells the topic alone"] += 1
            continue
        golds = _untitled(versions)
        cores.append(
            Core(f"length-{id}", topic.text, "length", golds, source=id, is_bare=topic.is_bare)
        )
    return cores


def _of_words(
    corpus: Corpus,
    sources: Mapping[str, Topic],
    terms: Terms,
    dropped: Counter[str],
    limit: int,
) -> list[Core]:
    cores: list[Core] = []
    for id, topic in track(list(sources.items()), "cutting documents by words"):
        if len(cores) >= limit:
            break
        found = by_words(corpus[id], topic.text, terms)
        if found is None:
            dropped["keyword: no parts with words of their own"] += 1
            continue
        parts, others = found
        names = {phrase: (phrase, phrase) for phrase in parts}
        cores.append(
            Core(
                f"keyword-{id}", topic.text, "keyword", parts, names, others, source=id,
                is_bare=topic.is_bare,
            )
        )  # fmt: skip
    return cores


def _of_field(
    corpus: Corpus,
    field: str,
    sources: Mapping[str, Topic],
    dropped: Counter[str],
    limit: int,
    used: set[str],
) -> list[Core]:
    """Put a document into the corpus once for each of two values of a field."""
    counts = Counter(d.facets[field] for d in corpus.values() if d.facets.get(field))
    values = [value for value, _ in counts.most_common(12) if len(value.split()) <= 4]
    if len(values) < 2:
        dropped[f"{field}: no two values"] += 1
        return []
    cores: list[Core] = []
    for number, (id, topic) in enumerate(sources.items()):
        own = corpus[id].facets.get(field, "")
        if len(cores) == limit or id in used or own not in values:
            continue
        other = [value for value in values if value != own][number % (len(values) - 1)]
        golds = {
            value: _with_field(corpus[id], field, value, number)
            for number, value in enumerate((own, other), start=1)
        }
        names = {value: (f"{field} {value}",) * 2 for value in golds}
        cores.append(
            Core(
                f"{field}-{id}", topic.text, "metadata", golds, names, source=id,
                is_bare=topic.is_bare,
            )
        )  # fmt: skip
    return cores


def _with_field(document: Document, field: str, value: str, number: int) -> Document:
    return replace(
        document,
        id=f"{document.id}~{field}{number}",
        text=f"{field}: {value}\n{document.text}",
        facets={field: value},
    )


def _judged(
    corpus: Corpus,
    queries: Sequence[Query],
    qrels: Qrels,
    dropped: Counter[str],
    limit: int,
    rng: random.Random,
) -> list[Core]:
    """Find queries whose relevant documents differ in what they are like."""
    tellers: dict[str, Callable[[Document], str]] = {
        "length": lambda document: length_class(shape_of(document.text)),
        "audience": lambda document: reading_level(document.content),
        "language": lambda document: _LANGUAGES.get(language_of(document.content), ""),
    }
    cores: list[Core] = []
    for dimension, tell in tellers.items():
        made = 0
        for query in queries:
            grades = qrels.get(query.id, {})
            relevant = [id for id, grade in grades.items() if grade > 0 and id in corpus]
            golds: dict[str, Document] = {}
            for id in rng.sample(relevant, len(relevant)):
                golds.setdefault(tell(corpus[id]), corpus[id])
            golds.pop("", None)
            if len(golds) < 2 or made == limit:
                dropped[f"{dimension}: relevant documents do not differ"] += len(golds) < 2
                continue
            made += 1
            cores.append(Core(f"{dimension}:{query.id}", query.text, dimension, golds))
    return cores


def _untitled(versions: Mapping[str, Document]) -> dict[str, Document]:
    """Take the title off a sentence: with it, it would be two."""
    return {
        name: replace(document, title="") if name == "sentence" else document
        for name, document in versions.items()
    }
