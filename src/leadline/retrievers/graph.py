"""Search over a graph of facts that a language model extracts from the documents."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from leadline.errors import InputError
from leadline.llm.delimiting import delimited
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Request, answers_of
from leadline.llm.structured import list_in
from leadline.models.encoder import Embedder, embed
from leadline.progress import track
from leadline.retrievers.parts.rankings import best_places
from leadline.retrievers.parts.store import embedder
from leadline.text.letters import MARKS, comparable
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

Triple: TypeAlias = tuple[str, str, str]
"""Subject, relation, object, each as `phrase` returns it."""

_NEIGHBOURS = 100
_SHORT = 3
"""Letters below which a phrase has no synonyms."""
_ANSWER, _USUAL_ANSWER = 4096, 512
"""Tokens of the longest answer, the thought of a model included, and of a usual one."""
_AT_ONCE = 64
_PHRASE_WORD = re.compile(rf"\w+(?:[{MARKS}]+\w*)*")
_CLOSE_ENOUGH = 1e-12
_MOST_STEPS = 1000


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
    llm = open_llm("graph", place)
    return Graph(llm, embedder(encoder), facts, synonyms, passages, damping, words, max_tokens)


@dataclass
class Graph(Retriever):
    """The retriever of `build`, on any language model and encoder.

    asked     questions put so far
    failures  documents and queries whose answer was missing or of no use, by kind. Such a
              document has no facts, such a query ranks documents by similarity
    """

    llm: LLM
    encoder: Embedder
    facts: int = 5
    synonyms: float = 0.8
    passages: float = 0.05
    damping: float = 0.5
    words: int = 1500
    max_tokens: int = 2048
    name: str = "graph"
    asked: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        check_positive(facts=self.facts, words=self.words, max_tokens=self.max_tokens)
        if not 0 <= self.damping < 1:
            raise InputError(f"damping must be at least 0 and below 1, got {self.damping}.")
        for name in ("synonyms", "passages"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} must be greater than 0, got {getattr(self, name)}.")
        self._entities, self._triples, self._choice = (
            Prompt.load("leadline.retrievers", name)
            for name in ("find_entities", "find_triples", "choose_facts")
        )

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that decides a score."""
        names = ("facts", "synonyms", "passages", "damping", "words", "max_tokens")
        prompts = (self._entities, self._triples, self._choice)
        return {
            "llm": dict(getattr(self.llm, "settings", {"name": self.llm.name})),
            "encoder": self.encoder.settings,
            **{name: getattr(self, name) for name in names},
            "prompts": {prompt.name: prompt.hash for prompt in prompts},
        }

    def index(self, corpus: Corpus) -> Index:
        """Return an index that asks the model when first searched, or by `prepare`."""
        check_corpus(corpus)
        return _Index(self, corpus)

    def graph_of(self, texts: Sequence[str]) -> KnowledgeGraph:
        """Return the graph of the facts that the model finds in the texts."""
        triples = self.triples(texts)
        return build_graph(triples, self._synonyms(phrases_of(triples)))

    def triples(self, texts: Sequence[str]) -> list[tuple[Triple, ...]]:
        """Return the triples of each text, each once, in the order of the answer."""
        found: list[tuple[Triple, ...]] = []
        blocks = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        for block in track(blocks, "Extracting facts", total=len(texts), step=_AT_ONCE):
            begun = (" ".join(text.split()[: self.words]) for text in block)
            shown = [delimited(text, "text") for text in begun]
            entities = self._lists(
                (self._entities.fill(text=text) for text in shown), "entities", self.max_tokens
            )
            named = [[each for each in some or () if isinstance(each, str)] for some in entities]
            prompts = (
                self._triples.fill(
                    text=text,
                    entities=delimited(json.dumps(names, ensure_ascii=False), "entities"),
                )
                for text, names in zip(shown, named, strict=True)
            )
            listed = self._lists(prompts, "triples", self.max_tokens)
            found += [read_triples(entries or ()) for entries in listed]
        return found

    def choose(
        self, queries: Sequence[Query], facts: Sequence[Sequence[Triple]]
    ) -> list[list[int]]:
        """Return which of its facts the model finds helpful for each query, best first."""
        prompts = [
            self._choice.fill(
                question=delimited(query.content, "question"),
                facts=delimited("\n".join(f"{n}. {' | '.join(f)}" for n, f in lines), "facts"),
                most=str(self.facts),
            )
            for query, of_query in zip(queries, facts, strict=True)
            if (lines := list(enumerate(of_query, start=1)))
        ]
        answers = iter(self._lists(prompts, "facts", _ANSWER, _USUAL_ANSWER))
        return [chosen(next(answers), len(some)) if some else [] for some in facts]

    def _lists(
        self, prompts: Iterable[str], key: str, most: int, usual: int = 0
    ) -> list[list[Any] | None]:
        """Return the list that each answer holds, None where there is none, which is counted."""
        requests = [Request(prompt, most, expected_tokens=usual) for prompt in prompts]
        self.asked += len(requests)
        answers = answers_of(self.llm, requests)
        found = [None if each.failure else list_in(each.text, key) for each in answers]
        for answer, entries in zip(answers, found, strict=True):
            if entries is None:
                self.failures[_why_none(answer, key)] += 1
        return found

    def _synonyms(self, phrases: Mapping[str, int]) -> dict[tuple[int, int], float]:
        """Return the cosine of phrases that are close enough, by their numbers."""
        from leadline.retrievers.parts.search import top_k

        if not phrases:
            return {}
        vectors = embed(self.encoder, list(phrases), "document")
        scores, places = top_k(vectors, [vectors], _NEIGHBOURS + 1)
        return {
            (one, other): score
            for phrase, one in phrases.items()
            if sum(letter.isalnum() for letter in phrase) >= _SHORT
            for other, score in zip(places[one].tolist(), scores[one].tolist(), strict=True)
            if other != one and score >= self.synonyms
        }


def _why_none(answer: Answer, key: str) -> str:
    if answer.failure:
        return f"no answer from the model ({answer.failure.kind})"
    return f"no {'choice of facts' if key == 'facts' else key} in the answer"


def phrase(text: str) -> str:
    """Return a phrase as the graph names it: lower case, words with one space between them."""
    return " ".join(_PHRASE_WORD.findall(comparable(text)))


def chosen(entries: Sequence[Any] | None, count: int) -> list[int]:
    """Return the places (from 0) that an answer chooses among `count` facts, each once."""
    places = [entry - 1 for entry in entries or () if isinstance(entry, int)]
    return [place for place in dict.fromkeys(places) if 0 <= place < count]


def read_triples(entries: Sequence[Any]) -> tuple[Triple, ...]:
    """Return what is three texts, none of which is empty, each once."""
    triples = [
        (phrase(entry[0]), phrase(entry[1]), phrase(entry[2]))
        for entry in entries
        if isinstance(entry, list) and len(entry) == 3 and all(isinstance(e, str) for e in entry)
    ]
    return tuple(dict.fromkeys(triple for triple in triples if all(triple)))


@dataclass
class _Index(Index):
    """A corpus, its graph, and the vectors of its documents and facts, once they are needed."""

    retriever: Graph
    corpus: Corpus
    _graph: KnowledgeGraph | None = None
    _documents: Any = None
    _facts: Any = None

    def prepare(self) -> None:
        self._prepared()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        names = list(self.corpus)
        return {query.id: _named(scores, names, k) for query, scores in self._scores(queries)}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
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
        if not queries:
            return []
        graph = self._prepared()
        vectors = embed(self.retriever.encoder, [query.content for query in queries], "query")
        similar = [_stretched(self._documents @ vector) for vector in vectors]
        if self._facts is None:
            return list(zip(queries, similar, strict=True))
        linked = [_stretched(self._facts @ vector) for vector in vectors]
        nearest = [best_places(scores, self.retriever.facts) for scores in linked]
        choices = self.retriever.choose(
            queries, [[graph.facts[place] for place in places] for places in nearest]
        )
        facts = [
            near[choice] if choice else () for near, choice in zip(nearest, choices, strict=True)
        ]
        spread = map(self._spread, facts, linked, similar)
        return list(zip(queries, spread, strict=True))

    def _spread(self, facts: Sequence[int], linked: Any, similar: Any) -> Any:
        """Return the scores of all documents: PageRank, or similarity where no fact was chosen."""
        graph, retriever = self._prepared(), self.retriever
        phrases = phrase_weights(graph, facts, linked, retriever.facts)
        if not phrases.any():
            return similar
        reset = np.concatenate([phrases, retriever.passages * similar])
        return personalized_pagerank(graph, reset, damping=retriever.damping)[len(phrases) :]


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


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Phrases are the first nodes, documents the nodes behind them.

    phrases       number of each phrase, in order of first appearance
    facts         every triple once, in order of first appearance
    nodes         number of phrases and documents
    documents_of  int64 [phrases], documents that name a phrase
    ends          int64 [edges, 2], each edge in both directions
    weights       float64 [edges]
    """

    phrases: Mapping[str, int]
    facts: tuple[Triple, ...]
    nodes: int
    documents_of: Any
    ends: Any
    weights: Any


def phrases_of(triples: Sequence[Sequence[Triple]]) -> dict[str, int]:
    """Return a number for each subject and object, in order of first appearance."""
    ends = (each for document in triples for one, _, other in document for each in (one, other))
    return {phrase: number for number, phrase in enumerate(dict.fromkeys(ends))}


def build_graph(
    triples: Sequence[Sequence[Triple]], synonyms: Mapping[tuple[int, int], float]
) -> KnowledgeGraph:
    """Return the graph of the triples of documents.

    Two phrases of a triple are joined with weight 2 for each document that states one, a
    document and each of its phrases with weight 1. Synonyms are joined with the sum of the
    weights of both directions; a direction that is given takes the place of half the weight that
    the triples would give.

    synonyms  weight by the numbers of two phrases, in `phrases_of` the triples

    Source: Gutiérrez et al., From RAG to Memory; the weights are those of its code.
    """
    phrases = phrases_of(triples)
    pairs = [[(phrases[one], phrases[other]) for one, _, other in some] for some in triples]
    named = [dict.fromkeys(each for pair in some for each in pair) for some in pairs]
    directed = Counter(each for some in pairs for a, b in some for each in ((a, b), (b, a)))
    edges: dict[tuple[int, int], float] = {**directed, **synonyms}
    for place, members in enumerate(named):
        edges |= {(len(phrases) + place, member): 1.0 for member in members}
    ends = np.array([ends for ends in edges if ends[0] != ends[1]], np.int64).reshape(-1, 2)
    weights = np.array([weight for (a, b), weight in edges.items() if a != b], np.float64)
    naming = [member for members in named for member in members]
    return KnowledgeGraph(
        phrases,
        tuple(dict.fromkeys(triple for document in triples for triple in document)),
        len(phrases) + len(triples),
        np.bincount(np.array(naming, np.int64), minlength=len(phrases)),
        np.concatenate([ends, ends[:, ::-1]]),
        np.concatenate([weights, weights]),
    )


def personalized_pagerank(graph: KnowledgeGraph, reset: Any, *, damping: float = 0.5) -> Any:
    """Return how often a walker is at each node, float64 [nodes], with sum 1.

    At each step it follows an edge with probability `damping`, chosen by weight, and else starts
    anew at a node drawn by `reset`, as it does where no edge leads on.

    reset    float [nodes] >= 0, not all 0

    Source: Haveliwala, Topic-Sensitive PageRank.
    """
    start = reset / reset.sum()
    sources, targets = graph.ends[:, 0], graph.ends[:, 1]
    leaving = np.bincount(sources, weights=graph.weights, minlength=graph.nodes)
    shares = graph.weights / leaving[sources]
    stuck = leaving == 0
    rank = start
    for _ in range(_MOST_STEPS):
        moved = np.bincount(targets, weights=rank[sources] * shares, minlength=graph.nodes)
        follow = moved + rank[stuck].sum() * start
        following = damping * follow + (1 - damping) * start
        if np.abs(following - rank).sum() < _CLOSE_ENOUGH:
            return following
        rank = following
    return rank
