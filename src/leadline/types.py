"""The nouns of the field, and the protocols through which the rooms of the house meet."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args, runtime_checkable


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


@runtime_checkable
class Index(Protocol):
    """A searchable corpus. Nothing can be searched before it is indexed."""

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most `k` documents for each query, best first."""
        ...

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        ...


@runtime_checkable
class Retriever(Protocol):
    """A first stage."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def index(self, corpus: Corpus) -> Index:
        """Make a corpus searchable."""
        ...


@runtime_checkable
class Borrowing(Protocol):
    """A first stage that searches an index of its own and can be given documents for a while."""

    @property
    def takes_documents(self) -> bool:
        """Whether it can be given documents as it is set up."""
        ...

    def holding(self, corpus: Corpus, made: Collection[str]) -> AbstractContextManager[None]:
        """Give it documents until the block ends, however that ends.

        corpus  what is searched inside the block
        made    ids of those documents of the corpus that its index does not hold
        """
        ...


@runtime_checkable
class Reranker(Protocol):
    """A second stage: reorders what a first stage found."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        ...


@runtime_checkable
class Reads(Protocol):
    """A retriever or reranker that tells what it reads. One that cannot know needs no `read`."""

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        """Return what is taken in of each query and the document beside it; None if unknown."""
        ...


@runtime_checkable
class Tracing(Protocol):
    """A stage that reasons, and keeps how it came to its scores until that is taken."""

    def take_traces(self) -> Traces:
        """Return the traces since this was called last, and begin anew."""
        ...


@runtime_checkable
class Metric(Protocol):
    """A measure of a run, one value for each unit of it.

    A unit is a query, or a topic when the metric compares variants of a query. A unit whose
    value is undefined is absent from the result, never zero.
    """

    @property
    def name(self) -> str:
        """The name as people type it: `nDCG@10`."""
        ...

    @property
    def unit(self) -> str:
        """`"query"` or `"topic"`: what the keys of the result are."""
        ...

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> Mapping[str, float]:
        """Return the value of each unit."""
        ...


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


@runtime_checkable
class Explaining(Protocol):
    """A stage that tells why it scores a document as it does."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def explain(
        self, query: Query, documents: Sequence[Document]
    ) -> Mapping[str, Sequence[Reason]]:
        """Return the reasons by document id, in the order of what the query asks."""
        ...
