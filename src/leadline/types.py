"""The nouns of the field, and the base classes of the parts that a system is made of."""

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
        """A property that a class attribute, a dataclass field or a property may replace."""

        def __init__(self, value: Callable[[Any], Any]) -> None:
            self._value = value

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:  # a dataclass would take it for the default value of a field
                raise AttributeError
            return self._value(instance)


@dataclass(frozen=True, slots=True)
class Document:
    """One unit of retrieval. `facets` is its metadata, which no system sees unless asked to."""

    id: str
    text: str
    title: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """What a system is given: title, a space, text."""
        return f"{self.title} {self.text}".strip() if self.title else self.text


@dataclass(frozen=True, slots=True)
class Query:
    """A query, or a variant of one: variants share a `topic` and differ in their `facets`.

    accepted  other forms of its answer that are as right
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
        """What a system is given: text, a space, instruction."""
        return f"{self.text} {self.instruction}".strip() if self.instruction else self.text


@dataclass(frozen=True, slots=True)
class Reading:
    """What a system takes in of a query and a document.

    document  equal for two documents that the system cannot tell apart
    cut       why the end of the document is not read: `cut at 256 tokens`; empty where it is
    query_cut why the end of the query is not read
    """

    document: Hashable
    cut: str = ""
    query_cut: str = ""


FactRole = Literal["stated", "derived", "alternative"]
"""How a fact comes to be known, see `Fact`."""

FACT_ROLES: tuple[FactRole, ...] = get_args(FactRole)


@dataclass(frozen=True, slots=True)
class Fact:
    """A typed statement that a document makes, or that follows from it.

    kind        `date`, `date_range`, `month`, `year`, `time`, `age`, `duration`, `money`, `number`,
                `percent`, `quantity`, `country`, `city`, `region`, or an enricher's own
    value       canonical and JSON: `"2024-10-06"`, `["2024-10-06", "2024-10-08"]`, `"2024-10"`,
                `"16:00"`, `25`, `{"amount": 1450, "currency": "USD"}`,
                `{"amount": 9.5, "unit": "hour"}`, `{"code": "DE", "name": "Germany"}`,
                `{"name": "Hamburg"}`
    about       the speaker or thing the fact is about, in the document's words
    role        `stated` in the text, `derived` from it, or an `alternative` reading of it
    confidence  in [0, 1]
    spans       (start, end) in the text for every piece of evidence: the base and the relation
    derivation  how the value follows, in words
    provider    name and version of what found it
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

    kind, value  as those of a `Fact`
    span         (start, end) in the query's text
    relation     of the facts asked for to the value; `not` asks for facts of the kind with another
    """

    kind: str
    value: Any
    span: tuple[int, int] = (0, 0)
    relation: Literal["equal", "before", "after", "within", "not"] = "equal"


Corpus: TypeAlias = Mapping[str, Document]
"""Document id -> document. May live on disk: read each document once, in order."""

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""Query id -> document id -> grade."""

Run: TypeAlias = Mapping[str, Mapping[str, float]]
"""Query id -> document id -> score, higher is better; best first, so that order breaks ties."""

Candidates: TypeAlias = Mapping[str, Sequence[str]]
"""Query id -> ids of the documents to be ranked for it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """How a stage that reasons came to the score of one document.

    text           its reasoning
    said           `true` or `false`; empty where there is no answer
    ending         `answered`, or why the answer was forced or is missing
    tokens         of reasoning and answer, as whoever ran the model counts them
    prompt_tokens  of what it was asked
    """

    text: str
    said: str
    ending: str
    tokens: int = 0
    prompt_tokens: int = 0


Traces: TypeAlias = Mapping[tuple[str, str], Trace]
"""(query id, document id) -> how its score came about. May live on disk."""


@dataclass(frozen=True)
class StageRun:
    """What one stage of a system made of the queries.

    stage   its name; `candidates` for those that were given and enter as they stand
    traces  how it came to its scores, where it reasons
    """

    stage: str
    run: Run = field(repr=False)
    traces: Traces = field(default_factory=dict, repr=False)


class Stage:
    """What first stages and rerankers have in common. Each attribute has a default."""

    @default
    def name(self) -> str:
        """Return what reports call it."""
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
        """How many cases it has put before its language model; None if it has none."""
        return None

    @default
    def scores_are_ranks(self) -> bool:
        """Whether it only orders documents, so that its scores say nothing more."""
        return False

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what it takes in of each query and its document; None if it cannot tell."""
        return None

    def explain(
        self, query: Query, documents: Sequence[Document]
    ) -> Mapping[str, Sequence[Reason]] | None:
        """Return, by document id, why it scores them as it does; None if it cannot tell.

        The reasons of a document stand in the order of what the query asks.
        """
        return None

    def take_traces(self) -> Traces:
        """Return how it came to its scores since the last call, if it reasons."""
        return {}


class Index:
    """A searchable corpus. Nothing can be searched before it is indexed."""

    @default
    def index_bytes(self) -> int | None:
        """Return the bytes that it takes on disk or in memory; None if it cannot tell."""
        return None

    def prepare(self) -> None:
        """Do now what it would put off until the first search."""

    def close(self) -> None:
        """Let go of what it holds outside of this process for the time of a test."""

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most `k` documents for each query, best first."""
        raise NotImplementedError

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        raise NotImplementedError


class Retriever(Stage):
    """A first stage."""

    @default
    def own_corpus(self) -> bool:
        """Whether it searches documents of its own, whatever corpus it is given."""
        return False

    @default
    def chunks_found(self) -> Mapping[str, Mapping[str, str]]:
        """Return, by query and document, the chunk that counted; empty without chunks."""
        return {}

    @default
    def query_seconds(self) -> Mapping[str, float]:
        """Return what each answered query of the last search took; empty if not asked singly."""
        return {}

    def index(self, corpus: Corpus) -> Index:
        """Make a corpus searchable."""
        raise NotImplementedError


class Reranker(Stage):
    """A second stage: reorders what a first stage found."""

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        raise NotImplementedError


@runtime_checkable
class Reads(Protocol):
    """Anything that tells what it reads, see `Stage.read`."""

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what is taken in of each query and the document beside it; None if unknown."""
        ...


class Metric:
    """A measure of a run, one value for each unit of it.

    A unit is a query, or a topic when the metric compares variants of a query. A unit whose
    value is undefined is absent from the result, never zero.
    """

    @default
    def name(self) -> str:
        """Return the name as people type it: `nDCG@10`."""
        return type(self).__name__

    @default
    def unit(self) -> str:
        """`"query"` or `"topic"`: what the keys of the result are."""
        return "query"

    @default
    def where(self) -> tuple[tuple[str, str], ...]:
        """Facets and values of the queries that it is about; empty for all."""
        return ()

    @default
    def depth(self) -> int:
        """Rank to which all modes of a query are compared; 0 for as far as they go."""
        return 0

    def units(self, queries: Sequence[Query]) -> Sequence[str] | None:
        """Return the units that it is about; None for those that `unit` and `where` name."""
        return None

    def within(self, queries: Sequence[Query], qrels: Qrels) -> Metric:
        """Return the metric that knows all queries of a benchmark, before some are left out."""
        return self

    def by_rank(self) -> Metric:
        """Return the metric that reads ranks, if it would compare scores across queries."""
        return self

    def in_words(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> str:
        """Say what its mean over a run means to a reader; empty where it has no words for it."""
        return ""

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> Mapping[str, float]:
        """Return the value of each unit."""
        raise NotImplementedError


T = TypeVar("T", bound=Stage | Index | Metric)


def adopted(thing: Any, base: type[T], name: str = "") -> T:
    """Return an object as one of a base class, whose defaults stand in for what it lacks.

    name  what messages call it

    Raises InputError when it lacks a method that a base class asks for. A retriever that searches
    itself is asked for the methods of an index too, before anything is indexed.
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
                f"{needed}; a search alone can be a function: def search(query, k)."
            )
    defaults: Any = base()
    defaults.name = type(thing).__name__
    return cast(T, _Adopted(thing, defaults))


def _taken(thing: Any, method: str) -> list[str] | None:
    """Return the parameters of a method; None where there is none, empty if it cannot tell."""
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
"""Methods that a base class asks for, with their arguments."""


def check_k(k: int) -> None:
    """Raise InputError unless at least one document is asked for."""
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")


def check_positive(**values: float | None) -> None:
    """Raise InputError for the first option that is given and below 1."""
    for name, value in values.items():
        if value is not None and value < 1:
            raise InputError(f"{name} must be at least 1, got {value}.")


def check_corpus(corpus: Corpus) -> None:
    """Raise InputError for a corpus without documents."""
    if not corpus:
        raise InputError("The corpus has no documents, so there is nothing to index.")


def candidates_of(query: Query, candidates: Candidates, known: Collection[str]) -> Sequence[str]:
    """Return the candidates of a query.

    known  ids of the corpus, or a mapping by them
    """
    names = candidates.get(query.id, ())
    for name in names:
        if name not in known:
            raise InputError(
                f"The candidates of query {query.id!r} name document {name!r}, which is not in the "
                "corpus."
            )
    return names


def best_first(names: Sequence[str], scores: Sequence[float]) -> dict[str, float]:
    """Return id -> score, best first; ties in their order."""
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
    """A language model that tells how likely given next tokens are."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return, for each prompt, the log-probability of each token as the next one."""
        ...


@runtime_checkable
class Enricher(Protocol):
    """Derives facts from documents, and reads the same kinds of value from queries.

    Facts are kept beside the corpus, never written into its text.
    """

    @property
    def name(self) -> str:
        """Name and version; facts are kept under it."""
        ...

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        """Yield document id and facts, in the order of the documents."""
        ...

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        """Return what each query asks for, in the order of the queries."""
        ...


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a document scored as it did, in one respect.

    asked    what the query asks for, in its words
    found    the words of the document that answer to it best; empty for none
    verdict  `met`, `doubtful`, `contradicted` or `not found`
    degree   how far the words found say what is asked, in the units of the stage
    detail   what decided, where more can be said
    """

    asked: str
    found: str
    verdict: str
    degree: float = 0.0
    detail: str = ""


Named = TypeVar("Named")

Seed: TypeAlias = int | None
"""Of the order of candidates; None where they stand in the order of a first stage."""


class Ranked(tuple[str, ...]):
    """The candidates of a query as a stage left them, best first, with its scores.

    Documents with equal scores are ties, whatever their order.
    """

    scores: Mapping[str, float]

    def __new__(cls, scores: Mapping[str, float]) -> Ranked:
        """Take a ranking, best first."""
        ranked = super().__new__(cls, scores)
        ranked.scores = scores
        return ranked


def scores_of(candidates: Sequence[str]) -> Mapping[str, float]:
    """Return the scores that candidates came with; for a plain list, scores that fall by one."""
    if isinstance(candidates, Ranked):
        return candidates.scores
    return {id: float(len(candidates) - place) for place, id in enumerate(candidates)}


def shuffled(queries: Sequence[Query], candidates: Candidates, seed: int) -> dict[str, Ranked]:
    """Return the candidates of each query as ties, in an order that says nothing of them.

    It is that of the seed, the topic and the number of conditions (facet `k`): variants of a query
    have the same documents in the same order, and where one variant has another document in a
    place, that place stays. The order in which candidates are given does not matter.
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
    """Return a run, best first, whose ties stand in an order that says nothing of them."""
    places = shuffled(queries, {query: tuple(scores) for query, scores in run.items()}, seed)
    return {
        query: dict(sorted(((id, run[query][id]) for id in ids), key=lambda pair: -pair[1]))
        for query, ids in places.items()
    }


def shared_ranks(ranking: Mapping[Named, float]) -> dict[Named, int]:
    """Return the rank, from 1, of everything in a ranking, which stands best first.

    Equal scores share the best of their ranks: 1, 2, 2, 4. NaN equals nothing.
    """
    ranks: dict[Named, int] = {}
    last, shared = math.nan, 0
    for place, (each, score) in enumerate(ranking.items(), start=1):
        if score != last:
            last, shared = score, place
        ranks[each] = shared
    return ranks


def first(scores: Mapping[str, float], most: int | None) -> dict[str, float]:
    """Return the first documents of a ranking; None for all."""
    return dict(islice(scores.items(), most))


def among(run: Run, queries: Sequence[Query], candidates: Candidates) -> Run:
    """Return what a search found of the candidates of each query."""
    asked = {query.id: set(candidates.get(query.id, ())) for query in queries}
    return {
        query: {id: score for id, score in run.get(query, {}).items() if id in ids}
        for query, ids in asked.items()
    }


def followed(above: Mapping[str, float], found: Mapping[str, float]) -> Mapping[str, float]:
    """Put below a ranking what else was found, in its order.

    Where its scores are no lower as 32-bit floats, as which metrics compare them, they fall by one
    a rank from the lowest score above; ties stay ties.
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
