"""Rerank by the conditions of a query: each one is compared with the sentences of a document.

A document's score is the mean, over conditions, of the best match among its sentences. So another
matching sentence never lowers it, whatever the order and length of the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from leadline.progress import track
from leadline.rerankers.parts.query_reader import QueryReader, ReadingReranker
from leadline.rerankers.parts.verifier import WEIGHTS, Verifier, load_head
from leadline.text.sentences import split_sentences
from leadline.text.words import MONTHS, NUMBER_WORDS, words_of
from leadline.types import (
    LLM,
    Candidates,
    Corpus,
    Document,
    Index,
    Query,
    Reason,
    Reranker,
    Retriever,
    Run,
    best_first,
    candidates_of,
    scores_of,
)

_MOST, _MOST_CHARACTERS = 12, 300
"""Conditions that a model may name, and the length of one: a weak model comes to no end itself."""
_LONGEST = 6
"""Content words from which on a clause of prose counts no more."""


def build(
    scorer: Retriever | None = None,
    exact: bool = True,
    weights: str = "",
    cache: bool = True,
    llm: LLM | None = None,
) -> Reranker:
    """Return a reranker that splits a query into its conditions and checks each.

    scorer   a first stage that scores sentences for a condition, by the name people type: `bm25`,
             `minilm`, any system; by default a small network over the tokens of `minilm`, trained
             to tell a sentence that meets a condition from one that nearly does
    exact    a sentence that gives another number or month than a condition asks for counts less
    weights  other weights of the network, made by studies/learning/verifier
    cache    keep what the network reads of sentences on disk, for other runs
    llm      a language model that splits a query in prose, one call each, by the name people type;
             rules split lists, every query without a model, and what it does not answer as asked

    A query that states a single condition keeps order and scores of the stage before.

    Raises MissingExtraError without torch and the package of `minilm`, unless a scorer is given.
    """
    if scorer is not None:
        judge = by_retriever(scorer, exact=exact)
    else:
        judge = by_verifier(weights, exact=exact, cache=cache)
    condition = {"type": "string", "maxLength": _MOST_CHARACTERS}
    schema = {"conditions": {"type": "array", "items": condition, "maxItems": _MOST}}
    reader = QueryReader(llm, "split_query", schema, _answered, lambda q: split_query(q.content))
    return ByCondition(judge, reader)


@dataclass
class ByCondition(ReadingReranker):
    """A reranker; `build` explains the options."""

    judge: Judge
    reader: QueryReader[list[str]]
    name: str = field(default="by_condition", init=False)

    @property
    def settings(self) -> dict[str, Any]:
        """Every option, and what judges."""
        return {"exact": self.judge.exact, **self.judge.settings, **self.reader.settings}

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of a query with conditions; other queries stay as they are."""
        asked = self._split(queries)
        several = [query for query in queries if _is_several(query, asked[query.id])]
        named = {id: None for query in several for id in candidates_of(query, candidates, corpus)}
        spans = {id: spans_of(corpus[id]) for id in named}
        self._prepare([each for query in several for each in asked[query.id]], spans.values())
        run: dict[str, dict[str, float]] = {
            query.id: dict(scores_of(candidates.get(query.id, ()))) for query in queries
        }
        for query in track(several, "Checking conditions", total=len(several)):
            if ids := candidates.get(query.id, ()):
                degrees = self.judge.degrees(asked[query.id], [spans[id] for id in ids])
                weights = importance(query, asked[query.id])
                run[query.id] = best_first(ids, (degrees @ weights / sum(weights)).tolist())
        return run

    def explain(self, query: Query, documents: Sequence[Document]) -> dict[str, tuple[Reason, ...]]:
        """Return condition, sentence and verdict for every condition of a query."""
        conditions = self._split([query])[query.id]
        spans = [spans_of(document) for document in documents]
        self._prepare(conditions, spans)
        reasons = self.judge.reasons(conditions, spans)
        return {document.id: each for document, each in zip(documents, reasons, strict=True)}

    def _split(self, queries: Sequence[Query]) -> dict[str, list[str]]:
        """Return the conditions of each query by its id."""
        listed = {query.id: list_items(query.content) for query in queries}
        prose = [query for query in queries if not listed[query.id]]
        read = zip(prose, self.reader.read(prose), strict=True)
        return {**listed, **{query.id: conditions for query, conditions in read}}

    def _prepare(self, conditions: Sequence[str], spans: Iterable[Sequence[str]]) -> None:
        texts = dict.fromkeys(span for each in spans for span in each)
        self.judge.prepare(list(dict.fromkeys(conditions)), list(texts))


def _answered(query: Query, value: Any) -> list[str]:
    """Return the conditions that a model names. Raises ValueError for others than the query's."""
    found = value.get("conditions") if isinstance(value, dict) else None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError('it has no list "conditions" of texts')
    said = _said(query.content)
    if not (found and all(map(_said, found))):
        raise ValueError("it has no condition, or one without words")
    for each in found:
        if 2 * len(_said(each) & said) < len(_said(each)) or numbers(each) - numbers(query.content):
            raise ValueError(f"{each[:60]!r} is not in the words of the query")
    if 2 * len(said & _said(" ".join(found))) < len(said):
        raise ValueError("it leaves out most of the query")
    return found


def _said(text: str) -> set[str]:
    """Return the words of a text that say something."""
    return {word.lower() for word in _WORD.findall(text)} - _STOP


def importance(query: Query, conditions: Sequence[str]) -> list[float]:
    """Return what each condition counts: items of a list the same, clauses by what they hold."""
    if list_items(query.content):
        return [1.0] * len(conditions)
    return [float(max(1, min(_LONGEST, content_words(each)))) for each in conditions]


def _is_several(query: Query, conditions: Sequence[str]) -> bool:
    """Tell whether a query has conditions to check: two, or one in the form of a list."""
    return len(conditions) > 1 or bool(list_items(query.content))


_SMOOTH = 0.03
"""Degrees below the best at which a span still counts for about a third."""

_NUMBER = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\d|s\b)")
_SPELT = re.compile(r"[a-z]+", re.IGNORECASE)
_WORDS = NUMBER_WORDS | {"dozen": 12, "twice": 2, "trio": 3, "twins": 2, "pair": 2}
_ABOUT = words_of(
    """
    about around roughly nearly almost over under above below some circa approximately just
    before after least most more less half
    """
)
"""Words that make a number in a condition less than exact."""


@dataclass(frozen=True)
class Judge:
    """Holds conditions against spans.

    matrix    [conditions, spans] of how far each span meets each condition
    prepare   gets ready what many queries need, at once
    settings  what a report tells of it
    exact     whether a number or month that a span gives otherwise counts against it
    met       least degree of that verdict; likewise `doubtful`
    penalty   what a fact given otherwise takes off: about what tells a good match from a chance one
    """

    matrix: Callable[[Sequence[str], Sequence[str]], Any]
    prepare: Callable[[Sequence[str], Sequence[str]], None]
    settings: Mapping[str, Any]
    exact: bool
    met: float
    doubtful: float
    penalty: float

    def degrees(self, conditions: Sequence[str], spans: Sequence[Sequence[str]]) -> Any:
        """Return [documents, conditions]: how far the best of a document's spans meets each."""
        return np.stack([best_of(each) for each in self._judged(conditions, spans)])

    def reasons(
        self, conditions: Sequence[str], spans: Sequence[Sequence[str]]
    ) -> list[tuple[Reason, ...]]:
        """Return the best span of each condition in each document, and the verdict on it."""
        return [
            tuple(map(self._reason, conditions, [each] * len(conditions), scores))
            for each, scores in zip(spans, self._judged(conditions, spans), strict=True)
        ]

    def _judged(self, conditions: Sequence[str], spans: Sequence[Sequence[str]]) -> list[Any]:
        """Return [conditions, spans] for each document; the same span is judged once."""
        texts = list(dict.fromkeys(span for each in spans for span in each))
        places = {span: place for place, span in enumerate(texts)}
        scores = np.array(self.matrix(conditions, texts))
        if self.exact:
            for row, condition in enumerate(conditions):
                wrong = [bool(contradicted(condition, span)) for span in texts]
                scores[row] -= self.penalty * np.array(wrong)
        return [scores[:, [places[span] for span in each]] for each in spans]

    def _reason(self, condition: str, spans: Sequence[str], scores: Any) -> Reason:
        """Return the verdict on the best span, or on the one that would be but for a fact."""
        wrong = [contradicted(condition, span) if self.exact else "" for span in spans]
        alike = [
            float(score) + self.penalty * bool(fact)
            for score, fact in zip(scores, wrong, strict=True)
        ]
        best = int(scores.argmax())
        degree = float(scores[best])
        nearest = max(range(len(spans)), key=alike.__getitem__)
        beaten = not wrong[best] and degree >= self.met
        if wrong[nearest] and not beaten and alike[nearest] >= self.doubtful:
            detail = f"asked for {wrong[nearest]}, which is given otherwise"
            return Reason(condition, spans[nearest], "contradicted", degree, detail)
        if degree < self.doubtful:
            return Reason(condition, "", "not found", degree)
        verdict = "met" if degree >= self.met else "doubtful"
        return Reason(condition, spans[best], verdict, degree)


def by_verifier(weights: str, *, exact: bool, cache: bool) -> Judge:
    """Return what judges by the learned verifier; `weights` is a file, empty for ours."""
    verifier = Verifier(load_head(Path(weights) if weights else WEIGHTS), cache=cache)
    settings = {"model": verifier.encoder.model, "layers": verifier.encoder.layers}
    return Judge(
        verifier.scores,
        lambda conditions, spans: verifier.prepare([*conditions, *spans]),
        {**settings, **({"weights": weights} if weights else {})},
        exact=exact,
        met=0.62,
        doubtful=0.55,
        penalty=0.15,
    )


def by_retriever(scorer: Retriever, *, exact: bool) -> Judge:
    """Return what judges by a first stage that searches the spans, one scale a condition."""
    spans = _Spans(scorer)
    settings = {"scorer": {"name": scorer.name, **scorer.settings}}
    return Judge(
        spans.scores, spans.prepare, settings, exact=exact, met=0.8, doubtful=0.5, penalty=0.3
    )


@dataclass
class _Spans:
    """Spans in an index of a first stage, which is made anew when others are asked about."""

    scorer: Retriever
    _ids: dict[str, str] = field(default_factory=dict)
    _index: Index | None = None

    def prepare(self, conditions: Sequence[str], spans: Sequence[str]) -> None:
        if self._index is None or any(span not in self._ids for span in spans):
            self._ids = {span: str(place) for place, span in enumerate(dict.fromkeys(spans))}
            corpus = {id: Document(id, span) for span, id in self._ids.items()}
            self._index = self.scorer.index(corpus) if corpus else None

    def scores(self, conditions: Sequence[str], spans: Sequence[str]) -> Any:
        """Return [conditions, spans]; the best span of each condition has 1."""
        self.prepare(conditions, spans)
        found = np.zeros((len(conditions), len(spans)), dtype=np.float32)
        if self._index is None:
            return found
        place_of = {self._ids[span]: place for place, span in enumerate(spans)}
        queries = [Query(str(row), text) for row, text in enumerate(conditions)]
        run = self._index.score(queries, {query.id: list(place_of) for query in queries})
        for row, query in enumerate(queries):
            for id, score in run.get(query.id, {}).items():
                found[row, place_of[id]] = score
            found[row] /= max(1e-6, float(found[row].max()))
        return found


def best_of(scores: Any) -> Any:
    """Return [conditions] of [conditions, spans]: the greatest, and a little more for near ones.

    A smooth maximum: it never falls when a span is added or does better, and it tells two
    documents apart whose best spans are the same.
    """
    highest = scores.max(axis=1, keepdims=True)
    near = np.exp((scores - highest) / _SMOOTH).sum(axis=1)
    return highest[:, 0] + _SMOOTH * np.log(near)


def contradicted(condition: str, span: str) -> str:
    """Return the fact of a condition that a span about it gives otherwise, or an empty string.

    A number in digits is given otherwise where the span has numbers and none of the condition's; a
    month, where it names another one. What is only about right contradicts nothing.
    """
    if asked := _asked(condition):
        said = numbers(span)
        if said and not asked & said:
            return ", ".join(f"{value:g}" for value in sorted(asked))
    if named := _months(condition):
        others = _months(span)
        if others and not named & others:
            return ", ".join(sorted(month.capitalize() for month in named))
    return ""


@lru_cache(maxsize=65536)
def numbers(text: str) -> frozenset[float]:
    """Return the numbers of a text, in digits or words; `one` alone is no number."""
    found = set(_digits(text))
    before = 0.0
    for word in map(str.lower, _SPELT.findall(text)):
        value = float(_WORDS.get(word, 1 if word == "one" else 0))
        if value and value < 10 and before >= 20 and before % 10 == 0:
            found -= {before}
            value += before
        if value > 1:
            found.add(value)
        before = value
    return frozenset(found)


def _digits(text: str) -> frozenset[float]:
    return frozenset(
        float(match[1].replace(",", "") + (match[2] or "")) for match in _NUMBER.finditer(text)
    )


@lru_cache(maxsize=65536)
def _months(text: str) -> frozenset[str]:
    return frozenset(month for month in MONTHS if month.capitalize() in text)


@lru_cache(maxsize=4096)
def _asked(condition: str) -> frozenset[float]:
    about = _ABOUT.intersection(map(str.lower, _SPELT.findall(condition)))
    return frozenset() if about else _digits(condition)


_ITEM = re.compile(
    r"(?:^|(?<=[\s:;.?!]))(?:[-*•–]\s+|\(?(?P<number>\d{1,2})[.)]\s+|condition\s+\d{1,2}\s*[:.]\s*)",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands before an item: `1. `, `(1) `, `2) `, a bullet at the start of a line."""

_BULLET = re.compile(r"^[ \t]*[-*•–][ \t]+", re.MULTILINE)
_OPENING = words_of("and but with who whose which that where when whom while plus whereas")

_BREAK = re.compile(
    r"[,;:.?!](?=\s)\s*|\s+(?=(?:" + "|".join(sorted(_OPENING)) + r")\s)|\s+[–—-]\s+",
    re.IGNORECASE,
)

_SEARCHING = re.compile(
    r"^\W*(?:please\s+)?(?:find|search|show|give|get|return|list|locate|retrieve|i['’]?(?:m| am)"
    r"\s+(?:after|looking)|looking\s+for|i\s+(?:want|need|would\s+like|seek)|i['’]d\s+like|is\s+"
    r"there|are\s+there|which|whose|who\s+is\s+the|something|anything|documents?\s|any\s)",
    re.IGNORECASE,
)
"""Openings of a query that asks for a document by what holds of it, and not for an answer."""

_STOP = words_of(
    """
    a an the of in on at to and or was were is are be been by with for from as that this it
    its his her he she they their had has have which who i want looking find need would like
    please something whose where when whom while but not no document text also one there
    am search says say states state reports report mentions mention should same appears
    furthermore addition detail further entry
    """
)
_WORD = re.compile(r"\w[\w'’./-]*")

LEAST = 2
"""Content words that a condition of prose must hold, or it stays with its neighbour."""

_PAIR, _SEVERAL, _MANY = 2, 3, 6
"""Clauses from which on prose states several conditions: with an opening that says what a document
states, with one that asks for a document, and without one. Fewer are one condition with its
circumstances, as in most questions."""


_OF_A_DOCUMENT = re.compile(
    r"^[^.?!]*\b(?:document|text|record|page|passage)\b[^.?!]*\b(?:that|which|where|says|with)\b",
    re.IGNORECASE,
)
"""A first sentence that says what a document must state: from two clauses on there are several."""

LONGEST = 60
"""Words of a span: what an encoder surely reads to its end."""

_REMEMBERED = 4096
"""Documents whose spans stay in memory: candidates of one query are those of the next."""

_LINE = re.compile(r"\n+")
_LABEL = re.compile(r"(?:^|(?<!\s)\s+)(?=[A-Z][\w/-]*(?: [a-z][\w/-]*)?:\s)")
"""What stands before `Release year: 1973` in a text that runs one field after the other."""

_PAUSE = re.compile(r"(?<=[;:,])\s+")


def split_query(text: str) -> list[str]:
    """Return the conditions of a query; a query that states none apart is its own only one.

    A list gives its items, in order, however they are marked. Prose gives its clauses and
    phrases, each with two content words at least.
    """
    items = list_items(text)
    if items:
        return items
    clauses = list(_clauses(text))
    least = _SEVERAL if _SEARCHING.match(text) else _MANY
    if least == _SEVERAL and _OF_A_DOCUMENT.match(text):
        least = _PAIR
    return clauses if len(clauses) >= least else [text.strip()]


def list_items(text: str) -> list[str]:
    """Return the items of a list, without what opens it; empty where there is no list."""
    bullets = [match.span() for match in _BULLET.finditer(text)]
    if len(bullets) > 1:
        return _between(text, bullets)
    numbered: list[tuple[int, int]] = []
    for match in _ITEM.finditer(text):
        if match["number"] and int(match["number"]) == len(numbered) + 1:
            numbered.append(match.span())
    if numbered:
        return _between(text, numbered)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        return lines[1:] if lines[0].endswith(":") else lines
    parts = [part.strip() for part in text.split(";") if part.strip()]
    return parts if len(parts) > 2 else []


def _between(text: str, marks: list[tuple[int, int]]) -> list[str]:
    ends = [start for start, _ in marks[1:]] + [len(text)]
    items = (text[start:end] for (_, start), end in zip(marks, ends, strict=True))
    return [item for each in items if (item := each.strip(" \t\n;,").removesuffix("."))]


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for end in [*(match.end() for match in _BREAK.finditer(text)), len(text)]:
        if content_words(text[start:end]) >= LEAST:
            rest = content_words(text[end:])
            if rest >= LEAST or end == len(text):
                yield text[start:end].strip(" ,;")
                start = end
    if start < len(text) and content_words(text[start:]):
        yield text[start:].strip(" ,;")


def content_words(text: str) -> int:
    """Return how many words of a text say something."""
    return sum(word.lower() not in _STOP for word in _WORD.findall(text))


def spans_of(document: Document) -> list[str]:
    """Return the title and the sentences of a document; a very long one in pieces, cut at pauses.

    A line is a sentence of its own, as in records of `Field: value`. Twice the same counts once.
    """
    return list(_spans(document.title, document.text)) or [document.content]


@lru_cache(maxsize=_REMEMBERED)
def _spans(title: str, text: str) -> tuple[str, ...]:
    found = [title.strip()] if title.strip() else []
    for line in _LINE.split(text):
        for part in _fields(line):
            for sentence in split_sentences(part):
                found += _pieces(sentence.text)
    return tuple(dict.fromkeys(found))


def _fields(line: str) -> list[str]:
    """Cut a line before each label where it has several; else it stays whole."""
    parts = [part for part in _LABEL.split(line) if part.strip()]
    return parts if len(parts) > 2 else [line]


def _pieces(sentence: str) -> Iterator[str]:
    if len(sentence.split()) <= LONGEST:
        yield sentence
        return
    piece: list[str] = []
    for part in _PAUSE.split(sentence):
        words = part.split()
        if piece and len(piece) + len(words) > LONGEST:
            yield " ".join(piece)
            piece = []
        piece += words
        while len(piece) > LONGEST:
            yield " ".join(piece[:LONGEST])
            piece = piece[LONGEST:]
    if piece:
        yield " ".join(piece)
