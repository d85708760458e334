"""Search over a graph of facts that a language model read out of the documents."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        from leadline.retrievers.parts.search import top_k

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


_CLOSE_ENOUGH = 1e-12
_MOST_STEPS = 1000


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Phrases are the first nodes, documents the nodes behind them.

    phrases       number of each phrase, in order of first appearance
    facts         every triple once, in order of first appearance
    documents     number of documents
    documents_of  int64 [phrases], documents that name a phrase
    ends          int64 [edges, 2], each edge in both directions
    weights       float64 [edges]
    """

    phrases: Mapping[str, int]
    facts: tuple[Triple, ...]
    documents: int
    documents_of: Any
    ends: Any
    weights: Any

    @property
    def nodes(self) -> int:
        """Number of phrases and documents."""
        return len(self.phrases) + self.documents


def phrases_of(triples: Sequence[Sequence[Triple]]) -> dict[str, int]:
    """Return a number for each subject and object, in order of first appearance."""
    phrases: dict[str, int] = {}
    for document in triples:
        for subject, _, object_ in document:
            phrases.setdefault(subject, len(phrases))
            phrases.setdefault(object_, len(phrases))
    return phrases


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
    named = [
        dict.fromkeys(phrases[each] for triple in document for each in (triple[0], triple[2]))
        for document in triples
    ]
    directed: Counter[tuple[int, int]] = Counter()
    for document in triples:
        for subject, _, object_ in document:
            one, other = phrases[subject], phrases[object_]
            directed[one, other] += 1
            directed[other, one] += 1
    edges: dict[tuple[int, int], float] = {**directed, **synonyms}
    for place, members in enumerate(named):
        edges |= {(len(phrases) + place, member): 1.0 for member in members}
    ends = np.array([ends for ends in edges if ends[0] != ends[1]], np.int64).reshape(-1, 2)
    weights = np.array([weight for (a, b), weight in edges.items() if a != b], np.float64)
    naming = [member for members in named for member in members]
    return KnowledgeGraph(
        phrases,
        tuple(dict.fromkeys(triple for document in triples for triple in document)),
        len(triples),
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


Triple: TypeAlias = tuple[str, str, str]
"""Subject, relation, object, each as `phrase` returns it."""

NO_ANSWER = "no answer from the model"
NO_ENTITIES = "no entities in the answer"
NO_TRIPLES = "no triples in the answer"

_PACKAGE = "leadline.retrievers"
_AT_ONCE = 64
_PHRASE_WORD = re.compile(rf"\w+(?:[{MARKS}]+\w*)*")


class OpenExtraction:
    """Asks a model for the entities of each text, then for triples that use them.

    words       of a text that the model is shown, the rest is cut off
    max_tokens  longest answer
    failures    texts whose answer was missing or not in the form asked for, by kind; a text
                whose triples failed has none
    """

    def __init__(self, llm: LLM, *, words: int = 1500, max_tokens: int = 2048) -> None:
        self.failures: Counter[str] = Counter()
        self._llm = llm
        self._words = words
        self._max_tokens = max_tokens
        self._entities = Prompt.load(_PACKAGE, "find_entities")
        self._triples = Prompt.load(_PACKAGE, "find_triples")

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the triples, the model aside."""
        prompts = {prompt.name: prompt.hash for prompt in (self._entities, self._triples)}
        return {"words": self._words, "max_tokens": self._max_tokens, "prompts": prompts}

    def triples(self, texts: Sequence[str]) -> list[tuple[Triple, ...]]:
        """Return the triples of each text, each once, in the order of the answer."""
        found: list[tuple[Triple, ...]] = []
        blocks = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        for block in track(blocks, "Extracting facts", total=len(texts), step=_AT_ONCE):
            begun = (" ".join(text.split()[: self._words]) for text in block)
            shown = [delimited(text, "text") for text in begun]
            entities = self._ask(self._entities.fill(text=text) for text in shown)
            named = [self._names(answer) for answer in entities]
            listed = (delimited(json.dumps(each, ensure_ascii=False), "entities") for each in named)
            answers = self._ask(
                self._triples.fill(text=text, entities=names)
                for text, names in zip(shown, listed, strict=True)
            )
            found += [self._read(answer) for answer in answers]
        return found

    def _ask(self, prompts: Iterable[str]) -> list[Answer]:
        return answers_of(self._llm, [Request(prompt, self._max_tokens) for prompt in prompts])

    def _names(self, answer: Answer) -> list[str]:
        entries = _list_in(answer, "entities")
        if entries is None:
            self.failures[why_none(answer, NO_ENTITIES)] += 1
            return []
        return [entry for entry in entries if isinstance(entry, str)]

    def _read(self, answer: Answer) -> tuple[Triple, ...]:
        entries = _list_in(answer, "triples")
        if entries is None:
            self.failures[why_none(answer, NO_TRIPLES)] += 1
            return ()
        return tuple(dict.fromkeys(_triples(entries)))


def why_none(answer: Answer, otherwise: str) -> str:
    """Return why there is nothing to read: the failure of the call, or what is wrong with it."""
    return f"{NO_ANSWER} ({answer.failure.kind})" if answer.failure else otherwise


def phrase(text: str) -> str:
    """Return a phrase as the graph names it: lower case, words with one space between them."""
    return " ".join(_PHRASE_WORD.findall(comparable(text)))


def chosen(answer: Answer, count: int) -> list[int] | None:
    """Return the places (from 0) that an answer chooses among `count` facts, each once.

    None when there is no answer or it is not in the form asked for.
    """
    entries = _list_in(answer, "facts")
    if entries is None:
        return None
    places = [entry - 1 for entry in entries if isinstance(entry, int)]
    return [place for place in dict.fromkeys(places) if 0 <= place < count]


def _list_in(answer: Answer, key: str) -> list[Any] | None:
    """Return the list that JSON anywhere in an answer holds, alone or under a key."""
    return None if answer.failure else list_in(answer.text, key)


def _triples(entries: Sequence[Any]) -> Iterator[Triple]:
    """Yield what is three texts, none of which is empty."""
    for entry in entries:
        if isinstance(entry, list) and len(entry) == 3 and all(isinstance(e, str) for e in entry):
            subject, relation, object_ = (phrase(each) for each in entry)
            if subject and relation and object_:
                yield subject, relation, object_
