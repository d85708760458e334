"""A language model writes rephrasings of queries, and a reader rejects the bad ones."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.kinds.questions import by_model as questions_by_model
from leadline.kinds.questions.by_model import KEPT, is_question, lost_names, names_of, parts
from leadline.kinds.rephrasings.by_rules import drawn_queries
from leadline.kinds.rephrasings.forms import mistyped
from leadline.kinds.rephrasings.kind import KIND
from leadline.kinds.word_rarity import harvest
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Models, Question, RejectedError
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.tokens import content_tokens, normalised
from leadline.text.words import table
from leadline.types import Corpus, Qrels, Query

FEWEST = 3
"""Forms that make a topic."""

T = TypeVar("T")

_PACKAGE = "leadline.kinds.rephrasings"
_SIMPLE = 3  # forms that a weak writer is asked for
_KEYWORDS = 6
_LONGEST = 400
_SHARED = 0.6  # words of a query that a form must have where nobody reads it
_LONG_KEYWORDS, _MORE = 10, 12
"""Words of keywords, and words that a form may have beside three times those of its query."""
_STYLES: Mapping[str, Any] = table(_PACKAGE, "styles")
_RENAMES = ("abbreviated",)  # styles whose task is to write a name otherwise


class Form(BaseModel):
    """One form of a query."""

    style: str = Field(max_length=20)
    text: str = Field(max_length=_LONGEST)


class Forms(BaseModel):
    """What the writer answers."""

    forms: list[Form]


class Judged(BaseModel):
    """What the reader answers."""

    bad: list[int]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    questions: Benchmark | None = None,
) -> Benchmark:
    """Return a benchmark of kind "rephrasings": queries, each with at least three other forms.

    limit      most queries
    source     what the corpus is, for the record
    queries    the user's; without, those of `questions`
    qrels      judgements of the user's queries
    questions  a benchmark of kind "questions" that is built already; without, one is built here

    A form is dropped where it lost a name or a number of the query, says the same words as another
    form, or the reader finds it bad. Raises IncompleteError when calls got no answer.
    """
    dropped: Counter[str] = Counter()
    if not queries:
        if questions is None:
            questions = questions_by_model.build(
                corpus, models, into, seed=seed, limit=limit, source=source, log=log
            )
            dropped.update(questions.built["dropped"])
        queries, qrels = questions.queries, questions.qrels
    fates: dict[str, str] = {}
    originals = [
        dataclasses.replace(each, topic=each.id, facets={
            "document": "", "span": "", **each.facets, "kind": "original", "edit": "",
        })
        for each in drawn_queries(queries, qrels, fates, limit, seed)
    ]  # fmt: skip
    forms = _Forms(corpus, models, seed)
    written = Pipeline("rephrasings", forms.steps, forms.make)
    outcomes = finish(
        written, ((each.id, each) for each in originals), models, into, seed=seed, log=log
    )
    made: list[Query] = []
    for outcome in outcomes:
        fates[outcome.id] = outcome.fault.reason if outcome.fault else KEPT
        if outcome.value:
            made += _topic(outcome.source, outcome.value)
    into.measured = {**into.measured, "rephrasings": fates}
    dropped.update(fate for fate in fates.values() if fate != KEPT)
    judged = {each.id: dict(qrels.get(each.topic, {})) for each in made} if qrels else {}
    return Benchmark(
        name="rephrasings",
        corpus=corpus,
        queries=made,
        qrels={id: grades for id, grades in judged.items() if grades},
        source=source,
        built_by="llm",
        notes=questions.notes if questions else (),
        **KIND.measured(),
        built={
            "builder": __name__,
            "seed": seed,
            "limit": limit,
            "considered": len(fates),
            "kept": sum(fate == KEPT for fate in fates.values()),
            "dropped": dict(sorted(dropped.items())),
            "forms": dict(sorted(forms.counts.items())),
            "writer": models.writer.name,
            "verifier": models.verifier.name if models.reads else "",
            "read": models.reads,
        },
    )


class _Forms:
    """Has the forms of a query written, checked and read, and counts what became of them."""

    def __init__(self, corpus: Corpus, models: Models, seed: int) -> None:
        self.models, self.seed = models, seed
        self.counts: Counter[str] = Counter()
        is_high = models.effort == "high"
        self._styles = [style for style, row in _STYLES.items() if is_high or row["simple"]]
        self._most, self._is_high = len(_STYLES) if is_high else _SIMPLE, is_high
        self._known = harvest(corpus, seed=seed).frequency if corpus else Counter[str]()
        text = "information on the storage of grain in a wet winter"
        usual = [Form(style="verbose", text=text)] * (len(_STYLES) - 1 if is_high else 1)
        self._write = Asks(
            "write", Prompt.load(_PACKAGE, "write_forms"), Forms, usual=Forms(forms=usual),
            max_tokens=models.max_tokens, temperature=models.temperature,
        )  # fmt: skip
        self._judge = Asks(
            "judge", Prompt.load(_PACKAGE, "name_bad_forms"), Judged, usual=Judged(bad=[2]),
            max_tokens=models.max_tokens, model=VERIFIER,
        )  # fmt: skip
        self.steps: tuple[Asks[Any], ...] = (self._write, self._judge)

    async def make(self, record: Record, query: Query) -> list[Form]:
        """Return the forms of a query that are good, at least `FEWEST`."""
        is_short = len(query.text.split()) <= _KEYWORDS
        is_own = "question" if is_question(query.text) else "keywords" if is_short else ""
        styles = [style for style in self._styles if style != is_own][: self._most]

        async def write(part: Record, some: Sequence[str]) -> list[Form]:
            wanted = "\n".join(f"- {style}: {_STYLES[style]['wanted']}" for style in some)
            values = {"styles": wanted, "example": some[0]}
            asked = Question(values, {"query": query.text}, (query.id,))
            answer = await part.ask(self._write, asked)
            if answer is self._write.usual:  # a dry run
                return [Form(style=style, text=f"{query.text} {style}") for style in some]
            return [each for each in answer.forms if each.style in some]

        async def judge(part: Record, some: Sequence[Form]) -> list[Form]:
            lines = "\n".join(f"{number}. {each.text}" for number, each in enumerate(some, 1))

            def check(read: Judged) -> Judged | Fault:
                if all(1 <= number <= len(some) for number in read.bad):
                    return read
                return Fault("a number that no form has")

            texts = {"query": query.text, "forms": lines}
            read = await part.ask(self._judge, Question({}, texts, (query.id,)), check=check)
            return [each for number, each in enumerate(some, 1) if number not in read.bad]

        forms = self._checked(query, await self._each(record, styles, write))
        if self.models.reads:
            good = await self._each(record, forms, judge)
            bad = (each for each in forms if each not in good)
            self.counts.update(f"{each.style}: bad, as its reader says" for each in bad)
            forms = good
        rng = random.Random(f"{self.seed} {query.id}")
        text, edit = mistyped(query.text, rng, frozenset(names_of(query.text)), self._known)
        if edit:
            forms.append(Form(style="typo", text=text))
        if len(forms) < FEWEST:
            raise RejectedError(Fault(f"fewer than {FEWEST} forms"))
        self.counts.update(each.style for each in forms)
        return forms

    async def _each(
        self,
        record: Record,
        items: Sequence[T],
        work: Callable[[Record, Sequence[T]], Awaitable[list[Form]]],
    ) -> list[Form]:
        """Return the forms that all parts give, each style once; a weak model has small parts."""
        found: dict[str, Form] = {}
        for result in await record.each(parts(items, len(items) if self._is_high else 1), work):
            for form in () if isinstance(result, Fault) else result:
                found.setdefault(form.style, form)
        return list(found.values())

    def _checked(self, query: Query, written: Iterable[Form]) -> list[Form]:
        """Return the forms that code finds no fault with."""
        forms: list[Form] = []
        said = {normalised(query.text)}
        for form in written:
            text = " ".join(form.text.split())
            fault = self._fault(query.text, text, form.style)
            if not text or normalised(text) in said:
                fault = "the same words as another form"
            if fault:
                self.counts[f"{form.style}: {fault}"] += 1
            else:
                said.add(normalised(text))
                forms.append(Form(style=form.style, text=text))
        return forms

    def _fault(self, query: str, text: str, style: str) -> str:
        count, most = len(query.split()), len(text.split())
        words, others = set(content_tokens(query)), set(content_tokens(text))
        if most > (max(_LONG_KEYWORDS, count) if style == "keywords" else 3 * count + _MORE):
            return "too long"
        if "query" in text.casefold() and "query" not in query.casefold():
            return "speaks of the query"
        if style not in _RENAMES and (lost_names(query, text) or lost_names(text, query)):
            return "another name or number"
        lost, new = len(words - others), len(others - words)
        if not self.models.reads and (
            lost > (1 - _SHARED) * len(words) or new > max(3, len(words) // 2)
        ):
            return "many other words, and not read"
        return ""


def _topic(query: Query, forms: Iterable[Form]) -> Iterator[Query]:
    yield query
    for form in forms:
        edit = "" if form.style == "typo" else "rephrased by a language model"
        facets = {**query.facets, "kind": form.style, "edit": edit}
        id = f"{query.id}~{form.style}"
        yield dataclasses.replace(query, id=id, text=form.text, facets=facets)
