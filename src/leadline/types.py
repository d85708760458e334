"""The data types (Document, Query, ...) and the base classes of the parts of a system."""

from __future__ import annotations

import inspect
import math
import random
from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    runtime_checkable,
)

from leadline.errors import InputError

if TYPE_CHECKING:
    default = property
else:

    class default:  # noqa: N801
        """A property that subclasses may replace by an attribute, a field or a property."""

        def __init__(self, value: Callable[[Any], Any]) -> None:
            self._value = value

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:  # a dataclass would use it as the default value of a field
                raise AttributeError
            return self._value(instance)


@dataclass(frozen=True, slots=True)
class Document:
    """One unit of retrieval. `facets` is its metadata, which systems see only on request."""

    id: str
    text: str
    title: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """The text that systems see: title, a space, text."""
        return f"{self.title} {self.text}".strip() if self.title else self.text


@dataclass(frozen=True, slots=True)
class Query:
    """A query, or a variant of one. Variants share a `topic` and differ in their `facets`.

    Attributes:
        accepted: Other forms of its answer that are also right.
    """

    id: str
    text: str
    topic: str = ""
    instruction: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""
    accepted: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        """The text that systems see: text, a space, instruction."""
        return f"{self.text} {self.instruction}".strip() if self.instruction else self.text


@dataclass(frozen=True, slots=True)
class Reading:
    """What a system reads of a query and a document.

    Attributes:
        document: Equal for two documents that the system cannot tell apart.
        cut: Why the end of the document is not read: `cut at 256 tokens`. Empty if it is read.
        query_cut: Why the end of the query is not read.
    """

    document: Hashable
    cut: str = ""
    query_cut: str = ""


FactRole = Literal["stated", "derived", "alternative"]
"""Where a fact comes from, see `Fact`."""

FACT_ROLES: tuple[FactRole, ...] = get_args(FactRole)


@dataclass(frozen=True, slots=True)
class Fact:
    """A typed statement that a document makes, or that follows from it.

    Attributes:
        kind: `date`, `date_range`, `month`, `year`, `time`, `age`, `duration`, `money`, `number`,
            `percent`, `quantity`, `country`, `city`, `region`, or an enricher's own.
        value: Canonical JSON: `"2024-10-06"`, `["2024-10-06", "2024-10-08"]`, `"2024-10"`,
            `"16:00"`, `25`, `{"amount": 1450, "currency": "USD"}`,
            `{"amount": 9.5, "unit": "hour"}`, `{"code": "DE", "name": "Germany"}`,
            `{"name": "Hamburg"}`.
        about: The speaker or thing that the fact is about, in the document's words.
        role: `stated` in the text, `derived` from it, or an `alternative` reading of it.
        confidence: From 0 to 1.
        spans: (start, end) in the text for every piece of evidence.
        derivation: How the value follows, in words.
        provider: Name and version of the part that found it.
    """

    kind: str
    value: Any
    about: str = ""
    role: FactRole = "derived"
    confidence: float = 1.0
    spans: tuple[tuple[int, int], ...] = ()
    derivation: str = ""
    provider: str = ""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A typed value that a query asks for.

    Attributes:
        kind: As in `Fact`.
        value: As in `Fact`.
        span: (start, end) in the query's text.
        relation: How the fact must relate to the value. `not` asks for a different value.
    """

    kind: str
    value: Any
    span: tuple[int, int] = (0, 0)
    relation: Literal["equal", "before", "after", "within", "not"] = "equal"


Corpus: TypeAlias = Mapping[str, Document]
"""Document id -> document. It may be on disk, so read each document once, in order."""

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""Query id -> document id -> grade."""

Run: TypeAlias = Mapping[str, Mapping[str, float]]
"""Query id -> document id -> score. Higher is better, best first; the order breaks ties."""

Candidates: TypeAlias = Mapping[str, Sequence[str]]
"""Query id -> ids of the documents to rank for it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The reasoning of a stage about one document.

    Attributes:
        text: The reasoning.
        said: `true` or `false`, or empty without an answer.
        ending: `answered`, or why the answer was forced or is missing.
        tokens: Tokens of reasoning and answer.
        prompt_tokens: Tokens of the prompt.
    """

    text: str
    said: str
    ending: str
    tokens: int = 0
    prompt_tokens: int = 0


Traces: TypeAlias = Mapping[tuple[str, str], Trace]
"""(query id, document id) -> trace. It may be on disk."""


@dataclass(frozen=True)
class StageRun:
    """The run of one stage of a system.

    Attributes:
        stage: Its name, or `candidates` for given candidates.
        traces: Its reasoning, if it reasons.
    """

    stage: str
    run: Run = field(repr=False)
    traces: Traces = field(default_factory=dict, repr=False)


class Stage:
    """The base of first stages and rerankers. Each attribute has a default."""

    @default
    def name(self) -> str:
        """Return its name in reports."""
        return type(self).__name__

    @default
    def settings(self) -> Mapping[str, Any]:
        """Every setting that a report shows."""
        return {}

    @default
    def failures(self) -> Mapping[str, int]:
        """How often it failed so far, by reason."""
        return {}

    @default
    def asked(self) -> int | None:
        """How many cases it has put to its language model; None if it has none."""
        return None

    @default
    def scores_are_ranks(self) -> bool:
        """Whether it only orders documents, so that its scores are ranks."""
        return False

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what it reads of each query and its document, or None if unknown."""
        return None

    def explain(
        self, query: Query, documents: Sequence[Document]
    ) -> Mapping[str, Sequence[Reason]] | None:
        """Return the reasons for its scores by document id, or None if it cannot explain them.

        The reasons for a document are in the order of the query's conditions.
        """
        return None

    def take_traces(self) -> Traces:
        """Return its reasoning since the last call, if it reasons."""
        return {}


class Index:
    """A searchable corpus, which a `Retriever` returns."""

    @default
    def index_bytes(self) -> int | None:
        """Return its size in bytes, on disk or in memory, or None if unknown."""
        return None

    def prepare(self) -> None:
        """Do now the work that would otherwise delay the first search."""

    def close(self) -> None:
        """Release resources outside this process, such as documents in an engine."""

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most `k` documents for each query, best first."""
        raise NotImplementedError

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        raise NotImplementedError


class Retriever(Stage):
    """A first stage: `index` a corpus, then search the result."""

    @default
    def own_corpus(self) -> bool:
        """Whether it always searches its own documents, whatever corpus it gets."""
        return False

    @default
    def chunks_found(self) -> Mapping[str, Mapping[str, str]]:
        """Return the best chunk by query and document; empty without chunks."""
        return {}

    @default
    def query_seconds(self) -> Mapping[str, float]:
        """Return the seconds of each query of the last search, if it ran one at a time."""
        return {}

    def index(self, corpus: Corpus) -> Index:
        """Make a corpus searchable."""
        raise NotImplementedError


class Reranker(Stage):
    """A second stage, which reorders the documents of a first stage."""

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        raise NotImplementedError


@runtime_checkable
class Reads(Protocol):
    """Anything that reports what it reads, see `Stage.read`."""

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what is read of each query and its document, or None if unknown."""
        ...


class Metric:
    """A measure of a run, with one value for each unit.

    A unit is a query, or a topic if the metric compares variants of a query. A unit without a
    defined value is absent from the result, never zero.
    """

    @default
    def name(self) -> str:
        """Return the name as people type it: `nDCG@10`."""
        return type(self).__name__

    @default
    def unit(self) -> str:
        """`"query"` or `"topic"`: the keys of the result."""
        return "query"

    @default
    def where(self) -> tuple[tuple[str, str], ...]:
        """Facets and values of the queries that it applies to; empty for all."""
        return ()

    @default
    def depth(self) -> int:
        """Rank to which all variants of a query are compared; 0 for all ranks."""
        return 0

    def units(self, queries: Sequence[Query]) -> Sequence[str] | None:
        """Return the units that it applies to, or None for those that `unit` and `where` name."""
        return None

    def within(self, queries: Sequence[Query], qrels: Qrels) -> Metric:
        """Return the metric prepared with all queries of a benchmark, before some are left out."""
        return self

    def by_rank(self) -> Metric:
        """Return a version that uses ranks, if the metric compares scores across queries."""
        return self

    def in_words(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> str:
        """Return a sentence that explains its mean over a run, or an empty string."""
        return ""

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> Mapping[str, float]:
        """Return the value of each unit."""
        raise NotImplementedError


T = TypeVar("T", bound=Stage | Index | Metric)


def adopted(thing: Any, base: type[T], name: str = "") -> T:
    """Return an object as an instance of a base class, with defaults for what it lacks.

    name  its name in messages

    Raises InputError if it lacks a method that the base class requires. A retriever that returns
    itself as the index is checked for the methods of an index too.
    """
    if isinstance(thing, base):
        return thing
    methods = _METHODS[base]
    own = [name for each in _SEARCHES for name in _taken(thing, each) or ()]
    if base is Retriever and ("queries" in own or "query" in own):
        methods = methods | _SEARCHES
    for method, arguments in methods.items():
        taken = _taken(thing, method)
        if taken is None or 0 < len(taken) < len(arguments.split(", ")):
            what = "The index of " if base is Index else ""
            needed = " and ".join(f"{each}({given})" for each, given in methods.items())
            raise InputError(
                f"{what}{name or type(thing).__name__} has no {method}({arguments}). It needs "
                f"{needed}. A search alone can be written as a function: search(query, k). See "
                "docs/how-to/test-your-own-search.md."
            )
    defaults: Any = base()
    defaults.name = type(thing).__name__
    return cast(T, _Adopted(thing, defaults))


def _taken(thing: Any, method: str) -> list[str] | None:
    """Return the parameters of a method: None without a method, empty if they are unknown."""
    found = getattr(thing, method, None)
    if not callable(found):
        return None
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return []
    several = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    return [] if several else [each.name for each in parameters]


class _Adopted:
    def __init__(self, thing: Any, defaults: Any) -> None:
        self._thing = thing
        self._defaults = defaults

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._thing if hasattr(self._thing, name) else self._defaults, name)

    def __call__(self, *given: Any) -> Any:
        return self._thing(*given)


_SEARCHES = {"search": "queries, k", "score": "queries, candidates"}
_METHODS: dict[type, dict[str, str]] = {
    Retriever: {"index": "corpus"},
    Reranker: {"rerank": "queries, corpus, candidates"},
    Index: _SEARCHES,
    Metric: {"__call__": "queries, qrels, run"},
}
"""Methods that a base class requires, with their arguments."""


def check_k(k: int) -> None:
    """Raise InputError if `k` is below 1."""
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")


def check_positive(**values: float | None) -> None:
    """Raise InputError for the first given option below 1."""
    for name, value in values.items():
        if value is not None and value < 1:
            raise InputError(f"{name} must be at least 1, got {value}.")


def check_corpus(corpus: Corpus) -> None:
    """Raise InputError if the corpus has no documents."""
    if not corpus:
        raise InputError("The corpus has no documents, so there is nothing to index.")


def candidates_of(query: Query, candidates: Candidates, known: Collection[str]) -> Sequence[str]:
    """Return the candidates of a query. Raise InputError if one is not in `known`."""
    names = candidates.get(query.id, ())
    for name in names:
        if name not in known:
            raise InputError(
                f"The candidates of query {query.id!r} name document {name!r}, which is not in the "
                "corpus."
            )
    return names


def best_first(names: Sequence[str], scores: Sequence[float]) -> dict[str, float]:
    """Return id -> score, best first. Ties keep their order."""
    return dict(sorted(zip(names, scores, strict=True), key=lambda pair: -pair[1]))


@runtime_checkable
class LLM(Protocol):
    """A language model that completes prompts."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def complete(
        self, prompts: Sequence[str], *, max_tokens: int, temperature: float = 0.0
    ) -> list[str]:
        """Return one completion for each prompt, in order."""
        ...


@runtime_checkable
class TokenScorer(Protocol):
    """A language model that returns the probabilities of given next tokens."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return, for each prompt, the log-probability of each token as the next one."""
        ...


@runtime_checkable
class Enricher(Protocol):
    """Derives facts from documents, and finds the same kinds of value in queries.

    Facts are stored separately and never added to the text of documents.
    """

    @property
    def name(self) -> str:
        """Name and version, under which facts are cached."""
        ...

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        """Yield document id and facts, in the order of the documents."""
        ...

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        """Return the constraints of each query, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for the score of a document.

    Attributes:
        asked: The requirement, in the words of the query.
        found: The best matching words of the document; empty for none.
        verdict: `met`, `doubtful`, `contradicted` or `not found`.
        degree: How well the words match, in units of the stage.
        detail: More on the decision, if there is any.
    """

    asked: str
    found: str
    verdict: str
    degree: float = 0.0
    detail: str = ""


Named = TypeVar("Named")

Seed: TypeAlias = int | None
"""Seed of the order of candidates. None keeps the order of a first stage."""


class Ranked(tuple[str, ...]):
    """The candidates of a query after a stage, best first, with scores. Equal scores are ties."""

    scores: Mapping[str, float]

    def __new__(cls, scores: Mapping[str, float]) -> Ranked:
        """Take a ranking, best first."""
        ranked = super().__new__(cls, scores)
        ranked.scores = scores
        return ranked


def scores_of(candidates: Sequence[str]) -> Mapping[str, float]:
    """Return the scores of candidates. For a plain list, scores fall by one per rank."""
    if isinstance(candidates, Ranked):
        return candidates.scores
    return {id: float(len(candidates) - place) for place, id in enumerate(candidates)}


def shuffled(queries: Sequence[Query], candidates: Candidates, seed: int) -> dict[str, Ranked]:
    """Return the candidates of each query as ties, in a pseudo-random order.

    The order depends on the seed, the topic and the number of conditions (facet `k`), so variants
    of a query have the same documents in the same places. The given order does not matter.
    """
    found = {}
    for query in queries:
        if query.id in candidates:
            ids = sorted(set(candidates[query.id]))
            source = f"{seed} {query.topic or query.id} {query.facets.get('k', '')}"
            random.Random(source).shuffle(ids)
            found[query.id] = Ranked(dict.fromkeys(ids, 0.0))
    return found


def ties_shuffled(queries: Sequence[Query], run: Run, seed: int) -> Run:
    """Return a run, best first, with its ties in a pseudo-random order."""
    places = shuffled(queries, {query: tuple(scores) for query, scores in run.items()}, seed)
    return {
        query: dict(sorted(((id, run[query][id]) for id in ids), key=lambda pair: -pair[1]))
        for query, ids in places.items()
    }


def shared_ranks(ranking: Mapping[Named, float]) -> dict[Named, int]:
    """Return the rank, from 1, of every document in a ranking that is sorted best first.

    Equal scores share their best rank: 1, 2, 2, 4. NaN never ties.
    """
    ranks: dict[Named, int] = {}
    last, shared = math.nan, 0
    for place, (each, score) in enumerate(ranking.items(), start=1):
        if score != last:
            last, shared = score, place
        ranks[each] = shared
    return ranks


def first(scores: Mapping[str, float], most: int | None) -> dict[str, float]:
    """Return the first documents of a ranking, or all for None."""
    return dict(islice(scores.items(), most))


def among(run: Run, queries: Sequence[Query], candidates: Candidates) -> Run:
    """Return the found documents that are candidates of their query."""
    asked = {query.id: set(candidates.get(query.id, ())) for query in queries}
    return {
        query: {id: score for id, score in run.get(query, {}).items() if id in ids}
        for query, ids in asked.items()
    }


def followed(above: Mapping[str, float], found: Mapping[str, float]) -> Mapping[str, float]:
    """Append further documents to a ranking, in their order.

    If their scores are not lower as 32-bit floats, which metrics compare, they get scores that
    fall by one per rank from the lowest score above. Ties stay ties.
    """
    below = {document: score for document, score in found.items() if document not in above}
    if not above or not below:
        return {**above, **below}
    floor = min(above.values())
    highest, lowest = array("f", (max(below.values()), floor))
    if highest >= lowest:
        step = max(1.0, abs(floor) * 1e-6)
        below = {id: floor - step * rank for id, rank in shared_ranks(below).items()}
    return {**above, **below}
