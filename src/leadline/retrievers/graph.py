"""Search over a graph of facts that a language model read out of the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from leadline.errors import InputError
from leadline.llm.delimiting import delimited
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Request, answers_of
from leadline.models.encoder import Embedder, embed
from leadline.retrievers.ordering.best import best_places
from leadline.retrievers.triples.knowledge_graph import (
    KnowledgeGraph,
    build_graph,
    personalized_pagerank,
    phrases_of,
)
from leadline.retrievers.triples.open_extraction import OpenExtraction, Triple, chosen, why_none
from leadline.retrievers.vectors.store import embedder
from leadline.types import (
    LLM,
    Candidates,
    Corpus,
    Index,
    Query,
    Retriever,
    Run,
    candidates_of,
    check_corpus,
    check_k,
    check_positive,
)

NO_CHOICE = "no choice of facts in the answer"

_NEIGHBOURS = 100
_SHORT = 3
"""Letters below which a phrase has no synonyms."""
_ANSWER, _USUAL_ANSWER = 4096, 512
"""Tokens of the longest answer, the thought of a model included, and of a usual one."""


@takes_model
def build(
    place: ModelPlace,
    *,
    encoder: str | Embedder = "minilm",
    facts: int = 5,
    synonyms: float = 0.8,
    passages: float = 0.05,
    damping: float = 0.5,
    words: int = 1500,
    max_tokens: int = 2048,
) -> Retriever:
    """Return a retriever that links a query to facts and lets importance spread to documents.

    Indexing asks the model twice for each document, searching once for each query.

    place       where the model runs: the options of `ModelPlace`
    encoder     compares queries, facts, phrases and documents: a system of the catalog, a name on
                the hub or a folder
    facts       facts shown to the model for a query, and phrases that importance starts from
    synonyms    cosine from which two phrases are joined; above 1 for never
    passages    weight of a document's own similarity beside that of facts
    damping     probability of following an edge
    words       of a document that the model is shown
    max_tokens  longest answer about a document

    Raises InputError when a value is out of range or no model is named.
    Source: Gutiérrez et al., From RAG to Memory: Non-Parametric Continual Learning for Large
    Language Models; numbers are the defaults of its code, prompts are our own.
    """
    options = GraphOptions(facts, synonyms, passages, damping, words, max_tokens)
    return GraphRetriever(open_llm("graph", place), embedder(encoder), options)


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """Numbers of a `GraphRetriever`, as `build` explains them."""

    facts: int = 5
    synonyms: float = 0.8
    passages: float = 0.05
    damping: float = 0.5
    words: int = 1500
    max_tokens: int = 2048

    def __post_init__(self) -> None:
        check_positive(facts=self.facts, words=self.words, max_tokens=self.max_tokens)
        if not 0 <= self.damping < 1:
            raise InputError(f"damping must be at least 0 and below 1, got {self.damping}.")
        for name, value in (("synonyms", self.synonyms), ("passages", self.passages)):
            if not value > 0:
                raise InputError(f"{name} must be greater than 0, got {value}.")


@dataclass
class GraphRetriever(Retriever):
    """The retriever of `build`, on any language model and encoder.

    asked     questions put so far
    failures  documents and queries whose answer was missing or of no use, by kind. Such a
              document has no facts, such a query ranks documents by similarity
    """

    llm: LLM
    encoder: Embedder
    options: GraphOptions = field(default_factory=GraphOptions)
    name: str = "graph"
    asked: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    _choice: Prompt = field(
        default_factory=lambda: Prompt.load("leadline.retrievers", "choose_facts")
    )

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that decides a score."""
        options = self.options
        extraction = self._extraction().settings
        prompts = {**extraction.pop("prompts"), self._choice.name: self._choice.hash}
        return {
            "llm": dict(getattr(self.llm, "settings", {"name": self.llm.name})),
            "encoder": self.encoder.settings,
            "facts": options.facts,
            "synonyms": options.synonyms,
            "passages": options.passages,
            "damping": options.damping,
            **extraction,
            "prompts": prompts,
        }

    def index(self, corpus: Corpus) -> GraphIndex:
        """Return an index that asks the model when first searched, or by `prepare`."""
        check_corpus(corpus)
        return GraphIndex(self, corpus)

    def graph_of(self, texts: Sequence[str]) -> KnowledgeGraph:
        """Return the graph of the facts that the model finds in the texts."""
        extraction = self._extraction()
        triples = extraction.triples(texts)
        self.asked += 2 * len(texts)
        self.failures.update(extraction.failures)
        return build_graph(triples, self._synonyms(phrases_of(triples)))

    def choose(
        self, queries: Sequence[Query], facts: Sequence[Sequence[Triple]]
    ) -> list[list[int]]:
        """Return which of its facts the model finds helpful for each query, best first."""
        asked = [place for place, of_query in enumerate(facts) if of_query]
        prompts = [self._prompt(queries[place], facts[place]) for place in asked]
        answers = answers_of(
            self.llm,
            [Request(prompt, _ANSWER, expected_tokens=_USUAL_ANSWER) for prompt in prompts],
        )
        choices: list[list[int]] = [[] for _ in queries]
        self.asked += len(asked)
        for place, answer in zip(asked, answers, strict=True):
            choice = chosen(answer, len(facts[place]))
            if choice is None:
                self.failures[why_none(answer, NO_CHOICE)] += 1
            choices[place] = choice or []
        return choices

    def _extraction(self) -> OpenExtraction:
        options = self.options
        return OpenExtraction(self.llm, words=options.words, max_tokens=options.max_tokens)

    def _prompt(self, query: Query, facts: Sequence[Triple]) -> str:
        lines = [f"{number}. {' | '.join(fact)}" for number, fact in enumerate(facts, start=1)]
        most = str(self.options.facts)
        question, told = delimited(query.content, "question"), delimited("\n".join(lines), "facts")
        return self._choice.fill(question=question, facts=told, most=most)

    def _synonyms(self, phrases: Mapping[str, int]) -> dict[tuple[int, int], float]:
        """Return the cosine of phrases that are close enough, by their numbers."""
        from leadline.retrievers.vectors.search import top_k

        if not phrases:
            return {}
        vectors = embed(self.encoder, list(phrases), "document")
        scores, places = top_k(vectors, [vectors], _NEIGHBOURS + 1)
        close: dict[tuple[int, int], float] = {}
        for phrase, one in phrases.items():
            if sum(letter.isalnum() for letter in phrase) >= _SHORT:
                for other, score in zip(places[one].tolist(), scores[one].tolist(), strict=True):
                    if other != one and score >= self.options.synonyms:
                        close[one, other] = score
        return close


@dataclass
class GraphIndex(Index):
    """A corpus, its graph, and the vectors of its documents and facts, once they are needed."""

    retriever: GraphRetriever
    corpus: Corpus
    _graph: KnowledgeGraph | None = None
    _documents: Any = None
    _facts: Any = None

    def prepare(self) -> None:
        """Read the facts out of every document, and encode documents and facts."""
        self._prepared()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k documents where most importance gathers; ties in corpus order."""
        check_k(k)
        names = list(self.corpus)
        return {query.id: _named(scores, names, k) for query, scores in self._scores(queries)}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates, over the graph of the whole corpus; ties in their order."""
        places = {name: place for place, name in enumerate(self.corpus)}
        run: dict[str, Mapping[str, float]] = {}
        for query, scores in self._scores(queries):
            names = list(candidates_of(query, candidates, places))
            of_candidates = scores[np.array([places[name] for name in names], np.int64)]
            run[query.id] = _named(of_candidates, names, len(names))
        return run

    def _prepared(self) -> KnowledgeGraph:
        if self._graph is None:
            texts = [document.content for document in self.corpus.values()]
            encoder = self.retriever.encoder
            self._documents = embed(encoder, texts, "document")
            self._graph = self.retriever.graph_of(texts)
            facts = [" ".join(fact) for fact in self._graph.facts]
            self._facts = embed(encoder, facts, "document") if facts else None
        return self._graph

    def _scores(self, queries: Sequence[Query]) -> list[tuple[Query, Any]]:
        """Return the score of every document for each query."""
        if not queries:
            return []
        graph = self._prepared()
        vectors = embed(self.retriever.encoder, [query.content for query in queries], "query")
        similar = [_stretched(self._documents @ vector) for vector in vectors]
        if self._facts is None:
            return list(zip(queries, similar, strict=True))
        linked = [_stretched(self._facts @ vector) for vector in vectors]
        nearest = [best_places(scores, self.retriever.options.facts) for scores in linked]
        choices = self.retriever.choose(
            queries, [[graph.facts[place] for place in places] for places in nearest]
        )
        found = []
        for number, query in enumerate(queries):
            facts = nearest[number][choices[number]] if choices[number] else ()
            scores = self._spread(graph, facts, linked[number], similar[number])
            found.append((query, scores))
        return found

    def _spread(
        self, graph: KnowledgeGraph, facts: Sequence[int], linked: Any, similar: Any
    ) -> Any:
        """Return the scores of all documents: PageRank, or similarity where no fact was chosen."""
        options = self.retriever.options
        phrases = phrase_weights(graph, facts, linked, options.facts)
        if not phrases.any():
            return similar
        reset = np.concatenate([phrases, options.passages * similar])
        rank = personalized_pagerank(graph, reset, damping=options.damping)
        return rank[len(graph.phrases) :]


def phrase_weights(graph: KnowledgeGraph, facts: Sequence[int], linked: Any, most: int) -> Any:
    """Return where importance starts among the phrases, float64 [phrases].

    A phrase weighs the mean score of the facts that it stands in, divided by the number of
    documents that name it; only the `most` heaviest phrases count.

    facts   numbers of the chosen facts
    linked  the score of every fact, in [0, 1]
    """
    sums, times = np.zeros(len(graph.phrases)), np.zeros(len(graph.phrases))
    for fact in facts:
        subject, _, object_ = graph.facts[fact]
        for phrase in (subject, object_):
            place = graph.phrases[phrase]
            sums[place] += linked[fact] / graph.documents_of[place]
            times[place] += 1
    weights = sums / np.maximum(times, 1)
    kept = best_places(weights, most, above=0)
    heaviest = np.zeros(len(weights))
    heaviest[kept] = weights[kept]
    return heaviest


def _stretched(scores: Any) -> Any:
    """Return scores moved to [0, 1], the least at 0 and the greatest at 1; equal ones are 1."""
    least, greatest = scores.min(), scores.max()
    if greatest == least:
        return np.ones(len(scores))
    return (scores.astype(np.float64) - least) / (greatest - least)


def _named(scores: Any, names: list[str], k: int) -> dict[str, float]:
    values = scores.tolist()
    return {names[place]: values[place] for place in best_places(scores, k).tolist()}
