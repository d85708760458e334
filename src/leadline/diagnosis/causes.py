"""Why the first result is not the relevant document: a stage, unread text, or the words.

Source: Taghavi et al., ImpliRet, section 4, error analysis. In the paper people judge. The rules
here are our own.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Literal, TypeAlias, TypeVar

from leadline.benchmark import Benchmark, of_corpus
from leadline.metrics.stemming import stem
from leadline.text.letters import MARKS, WORD, comparable, composed
from leadline.types import Query, Reading, Run, StageRun

Stage: TypeAlias = Literal["retrieval", "reading"]

NO_CANDIDATE = "not a candidate"
PUT_DOWN = "put down"
QUERY_CUT = "query cut"
TEXT_CUT = "text cut"
NOT_SEEN = "not seen"
OVERLAP = "word overlap"
RETRIEVAL = (
    NO_CANDIDATE,
    PUT_DOWN,
    QUERY_CUT,
    TEXT_CUT,
    NOT_SEEN,
    OVERLAP,
    "semantic cue",
    "length",
    "unknown",
)
READING = ("malformed", "no answer", "distraction")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The cause that a rule finds.

    decided  whether the rule is certain; else a person should confirm it
    why      the evidence, in words
    """

    category: str
    decided: bool
    why: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A document as evidence."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """One error.

    given     the reader's answer; empty for a retrieval error
    positive  the document that should be first, or that holds the answer
    other     the document that was first, or that the answer came from, if any
    passing   the most similar variant of the query that passed; empty if there is none
    """

    stage: Stage
    system: str
    benchmark: str
    query_id: str
    question: str
    gold: str
    given: str
    positive: Shown
    other: Shown | None
    judgement: Judgement
    passing: str = ""


@dataclass(frozen=True, slots=True)
class Shares:
    """The categories of the errors of one system on one benchmark.

    counts   category -> errors, including those that a person should confirm
    decided  errors of which a rule is certain
    """

    stage: Stage
    system: str
    benchmark: str
    counts: dict[str, int]
    decided: int

    @property
    def total(self) -> int:
        """All errors."""
        return sum(self.counts.values())


def shares(cases: Iterable[ErrorCase]) -> list[Shares]:
    """Count the categories for each stage, system and benchmark, largest first."""
    groups: dict[tuple[Stage, str, str], list[ErrorCase]] = {}
    for case in cases:
        groups.setdefault((case.stage, case.system, case.benchmark), []).append(case)
    return [
        Shares(*key, _counts(group), sum(each.judgement.decided for each in group))
        for key, group in groups.items()
    ]


def drawn(cases: Sequence[T], count: int, seed: int, label: str) -> list[T]:
    """Return at most `count` cases, drawn by the seed, in their original order."""
    if len(cases) <= count:
        return list(cases)
    places = random.Random(f"{seed}/{label}").sample(range(len(cases)), count)
    return [cases[place] for place in sorted(places)]


def _counts(cases: Iterable[ErrorCase]) -> dict[str, int]:
    found = Counter(case.judgement.category for case in cases)
    order = (*RETRIEVAL, *READING)
    return dict(sorted(found.items(), key=lambda each: (-each[1], order.index(each[0]))))


MOST_DOCUMENTS = 20_000
"""Number of documents, the first of the corpus, that word statistics come from."""
MOST_TERMS = 20
_FEWEST = 3
_LIFT = 2.0
_ABOUT = 0.5

_WORD = re.compile(WORD)
_COMMONEST = (
    "a about after all also am an and any are as at be because been before being both but by can "
    "could did do does doing down during each few for from further had has have having he her here "
    "hers him his how i if in into is it its just me more most my no nor not now of off on once "
    "only or other our out over own s same she should so some such t than that the their them then "
    "there these they this those through to too under until up very was we were what when where "
    "which while who whom whose why will with would you your"
)
_STOP = frozenset(_COMMONEST.split())


def content_words(text: str) -> list[str]:
    """Return the stems of all words except the most common English ones, in order."""
    return [_stem(word) for word in _WORD.findall(comparable(text)) if word not in _STOP]


@dataclass(frozen=True)
class Statistics:
    """Which words occur in which documents of a corpus."""

    documents: tuple[frozenset[str], ...]
    frequency: Counter[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Statistics:
        """Count the words of the first texts."""
        documents = tuple(frozenset(content_words(text)) for text in islice(texts, MOST_DOCUMENTS))
        return cls(documents, Counter(word for words in documents for word in words))

    def theme(self, words: Collection[str]) -> tuple[str, ...]:
        """Return other words that go with the given ones, the strongest first.

        They are at least twice as frequent in the documents about the given words as in all
        documents. A document is about them if it holds at least half of the weight of the best
        document. Rare words weigh more.
        """
        weights = {word: self._weight(word) for word in words if word in self.frequency}
        held = [sum(weights[word] for word in weights if word in each) for each in self.documents]
        most = max(held, default=0.0)
        near = [
            each
            for each, weight in zip(self.documents, held, strict=True)
            if weight and weight >= _ABOUT * most
        ]
        together = Counter(word for each in near for word in each if word not in weights)
        strength = {}
        for word, count in together.items():
            lift = count * len(self.documents) / (len(near) * self.frequency[word])
            if count >= _FEWEST and lift >= _LIFT:
                strength[word] = count * math.log(lift)
        return tuple(sorted(strength, key=lambda word: (-strength[word], word))[:MOST_TERMS])

    def _weight(self, word: str) -> float:
        return math.log(len(self.documents) / self.frequency[word])


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return stem(word) if len(word) > 3 else word


GIVEN = "candidates"
"""Name of the stage for given candidates. Their order has no meaning."""

_CLEARLY_MORE = 1.5
_CLEARLY_SHORTER = 0.8


def misranked(
    benchmark: Benchmark,
    run: Run,
    system: str,
    *,
    stages: Sequence[StageRun] = (),
    seen: int | None = None,
    read: Read | None = None,
    strict: bool = False,
) -> list[ErrorCase]:
    """Find the causes for queries whose first result is not relevant.

    stages  the run after every stage, to find the one that lost the relevant document
    seen    how many documents of the first stage the others see; None for all
    read    returns what the system reads of a query and a document, if known
    strict  only documents of the highest grade count as relevant
    """
    benchmark = replace(benchmark, qrels=of_corpus(benchmark.qrels, benchmark.corpus))
    right = {query.id for query in benchmark.queries if not _missed(query, benchmark, run, strict)}
    wrong = [query for query in benchmark.queries if query.id not in right]
    statistics = Statistics.of(document.content for document in benchmark.corpus.values())
    passed = [query for query in benchmark.queries if query.id in right]
    ran = [stage for stage in stages if stage.stage != GIVEN]
    return [
        _case(benchmark, run, system, query, statistics, ran, seen, read, passed) for query in wrong
    ]


def judge_stages(
    positive: str,
    stages: Sequence[Mapping[str, float] | None],
    names: Sequence[str],
    seen: int | None = None,
) -> Judgement | None:
    """Return the stage that lost a document, or None if the last rank is as good as the first.

    stages  the ranking of one query after every stage, or None if a stage has none
    seen    how many documents of the first stage the others see; None for all
    """
    ranks = [_rank(positive, stage or {}) for stage in stages]
    if len(ranks) < 2:
        return None
    found = min(len(stages[0] or {}), seen or len(stages[0] or {}))
    if ranks[0] is None or ranks[0] > found:
        return Judgement(NO_CANDIDATE, True, f"not among the first {found} of {names[0]}")
    worst = None
    for name, before, after in zip(names[1:], ranks, ranks[1:], strict=False):
        if before is not None and (after is None or after > before):
            worst = f"{name} moved it from rank {before} to {after or 'nowhere'}"
    fell = worst is not None and (ranks[-1] is None or ranks[-1] > ranks[0])
    return Judgement(PUT_DOWN, True, worst) if fell and worst else None


def judge_first(query: str, first: str, positive: str, statistics: Statistics) -> Judgement:
    """Return why a text was ranked before the relevant one, judged by their words.

    word overlap  it has more words of the query
    semantic cue  it has equally many, and more words of the query's theme
    length        neither, and it is shorter
    unknown       none of these

    A small difference does not decide, nor do fewer words of the query.
    """
    asked = list(dict.fromkeys(content_words(query)))
    here, there = content_words(first), content_words(positive)
    if (overlap := judge_overlap(query, first, positive)) is not None:
        return overlap
    theme = statistics.theme(asked)
    cues, expected = _among(theme, here), _among(theme, there)
    level = len(_among(asked, here)) == len(_among(asked, there))
    if len(cues) > len(expected):
        extra = [word for word in cues if word not in expected]
        clear = level and len(cues) >= _CLEARLY_MORE * len(expected)
        why = f"theme words {len(cues)} against {len(expected)}; extra: {', '.join(extra)}"
        return Judgement("semantic cue", clear, why)
    if len(here) < len(there):
        clear = level and len(here) < _CLEARLY_SHORTER * len(there)
        return Judgement("length", clear, f"{len(here)} content words against {len(there)}")
    return Judgement(
        "unknown", False, "it has no more words of the query or its theme, and is not shorter"
    )


def judge_overlap(query: str, first: str, positive: str) -> Judgement | None:
    """Return the query words that only the first text has, if it has more of them."""
    asked = list(dict.fromkeys(content_words(query)))
    shared, missed = (_among(asked, content_words(text)) for text in (first, positive))
    if len(shared) <= len(missed):
        return None
    extra = [word for word in shared if word not in missed]
    return Judgement(OVERLAP, True, f"only the first has: {', '.join(extra)}")


def _among(words: Sequence[str], text: Sequence[str]) -> list[str]:
    present = set(text)
    return [word for word in words if word in present]


def _rank(document: str, ranking: Mapping[str, float]) -> int | None:
    return next((place for place, id in enumerate(ranking, 1) if id == document), None)


def _missed(query: Query, benchmark: Benchmark, run: Run, strict: bool) -> bool:
    grades = benchmark.qrels.get(query.id, {})
    best = max(grades.values(), default=0)
    first = next(iter(run.get(query.id, {})), None)
    return first is not None and best > 0 and grades.get(first, 0) < (best if strict else 1)


def _case(
    benchmark: Benchmark,
    run: Run,
    system: str,
    query: Query,
    statistics: Statistics,
    stages: Sequence[StageRun],
    seen: int | None,
    read: Read | None,
    passed: Sequence[Query],
) -> ErrorCase:
    grades = benchmark.qrels[query.id]
    positive = benchmark.corpus[max(grades, key=grades.__getitem__)]
    first = benchmark.corpus[next(iter(run[query.id]))]
    lost = judge_stages(
        positive.id,
        [stage.run.get(query.id) for stage in stages],
        [stage.stage for stage in stages],
        seen,
    )
    if lost is None and read is not None:
        lost = judge_sight(query.content, first.content, positive.content, read)
    return ErrorCase(
        stage="retrieval",
        system=system,
        benchmark=benchmark.name,
        query_id=query.id,
        question=query.content,
        gold=query.answer,
        given="",
        positive=Shown(positive.id, positive.content),
        other=Shown(first.id, first.content),
        judgement=lost or judge_first(query.content, first.content, positive.content, statistics),
        passing=_nearest(query, passed),
    )


def _nearest(query: Query, passed: Sequence[Query]) -> str:
    """Return the passing variant of a query that shares most words with it."""
    words = set(content_words(query.content))
    variants = [other for other in passed if query.topic and other.topic == query.topic]
    if not variants:
        return ""
    best = max(variants, key=lambda other: len(words & set(content_words(other.content))))
    return best.content


Read: TypeAlias = Callable[[Sequence[str], Sequence[str]], list[Reading] | None]
"""Returns what a system reads of queries and their documents, see `System.read`."""

_MOST_WORDS = 32


def judge_sight(query: str, first: str, positive: str, read: Read) -> Judgement | None:
    """Return what the system did not read of a case, or None if it read all or this is unknown.

    query cut  the end of the query is not read
    text cut   the deciding part of the relevant document comes after its length limit
    not seen   the deciding words are dropped, such as stop words and unknown characters

    Deciding words are those of the query that only the relevant document has. The cause is certain
    if the system reads the same of both documents, the query is cut, or all those words are unseen.
    """
    query, first, positive = map(composed, (query, first, positive))
    words = _deciding(query, first, positive)
    without = [_without(positive, word) for word in words]
    texts = [positive, first, *without]
    readings = read([query] * len(texts), texts)
    if readings is None:
        return None
    of_positive, of_first, *others = readings
    cut, cause = of_positive.cut, TEXT_CUT if of_positive.cut else NOT_SEEN
    if of_positive.document == of_first.document:
        why = f"the system reads the same of both documents{f': {cut}' if cut else ''}"
        return Judgement(cause, True, why)
    if of_positive.query_cut:
        return Judgement(QUERY_CUT, True, f"the query is {of_positive.query_cut}")
    pairs = zip(words, others, strict=True)
    unseen = [word for word, each in pairs if each.document == of_positive.document]
    if not unseen:
        return None
    why = f"the system does not read these words of the relevant document: {', '.join(unseen)}"
    return Judgement(cause, len(unseen) == len(words), f"{why} ({cut})" if cut else why)


def _deciding(query: str, first: str, positive: str) -> list[str]:
    """Return query words that the relevant document has and the first result lacks."""
    here = {each.casefold() for each in _WORD.findall(first)}
    there = {each.casefold() for each in _WORD.findall(positive)}
    asked = dict.fromkeys(each.casefold() for each in _WORD.findall(query))
    alone = [word for word in asked if word in there and word not in here and content_words(word)]
    return alone[:_MOST_WORDS]


def _without(text: str, word: str) -> str:
    return re.sub(
        rf"(?<![^\W_]){re.escape(word)}(?![^\W_]|[{MARKS}])", " ", text, flags=re.IGNORECASE
    )
