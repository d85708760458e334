"""Implicit facts by a language model: it finds what documents imply; code and a reader check it.

Two calls a document. Days and amounts are worked out anew by code; places are looked up where a
table is given.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.kinds.implicit_facts.formulas import amount_by, day_by, is_near, numbers_in
from leadline.kinds.implicit_facts.kind import KIND
from leadline.kinds.implicit_facts.value_queries import pattern_of
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import VERIFIER, WRITER, Asks, Fault, Question
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.text.fact_values import folded
from leadline.text.sentences import Sentence, split_sentences
from leadline.text.tokens import content_tokens, tokens
from leadline.types import Corpus, Document, Query

MOST = 3
"""Facts of one document."""

SHOWN = 1_000
"""Words of a document that the models are shown."""

SHARE = 1 / 2
"""Another document answers a query if it states the value and holds this share of its words."""

_WORDS = range(3, 21)  # of a query
_SMALL = 20  # a number below it stands in most texts, so that only the reader can say what it means


class Found(BaseModel):
    """What a document implies, as the writer says."""

    kind: Literal["date", "amount", "place"]
    sentences: list[int] = Field(min_length=1, max_length=6)
    formula: str = Field(max_length=200)
    value: str = Field(min_length=1, max_length=80)
    unit: str = Field(max_length=30)
    query: str = Field(min_length=1, max_length=200)


class Facts(BaseModel):
    """What the writer finds in one document."""

    facts: list[Found] = Field(max_length=MOST)


class Verdict(BaseModel):
    """What the reader says of one query."""

    n: int = Field(ge=1, le=MOST)
    working: str = Field(max_length=600)
    answers: bool
    stated: bool


class Read(BaseModel):
    """What the reader says of the queries of one document."""

    queries: list[Verdict] = Field(max_length=MOST)


@dataclass(frozen=True)
class Implied:
    """A fact that passed, in the document that implies it."""

    document: str
    found: Found
    spans: tuple[tuple[int, int], ...]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
    places: Mapping[str, str] | None = None,
) -> Benchmark:
    """Return a benchmark of kind "implicit-facts" that a language model made from a corpus.

    limit   most documents that are read
    places  name of a landmark or city -> name of its country; other places the reader judges

    A fact that fails is dropped, never its document. `built` counts what was dropped and why.
    Raises IncompleteError when calls got no answer.
    """
    dropped: Counter[str] = Counter()
    ids = [id for id in corpus if corpus[id].text.strip()]
    drawn = random.Random(f"{seed} implicit-facts").sample(ids, min(limit, len(ids)))
    steps = _Steps.of(models, {folded(name): folded(each) for name, each in (places or {}).items()})
    outcomes = complete(
        run(
            Pipeline("", steps.every, steps.make),
            ((id, corpus[id]) for id in drawn),
            {WRITER: models.writer, VERIFIER: models.verifier},
            into,
            seed=seed,
            attempts=models.attempts,
            log=log,
        ),
        into,
    )
    kept: list[Implied] = []
    records = {}
    for outcome in outcomes:
        facts, lost = outcome.value or ([], [outcome.fault.reason if outcome.fault else ""])
        kept += facts
        dropped.update(lost)
        records[outcome.id] = {"kept": [each.found.query for each in facts], "dropped": lost}
        if outcome.value is not None and not facts and not lost:
            dropped["documents that imply nothing, says the writer"] += 1
    into.measured = {**into.measured, "records": records}
    alone = _alone(kept, corpus)
    dropped["another document states it"] += len(kept) - len(alone)
    dropped["documents beyond the limit"] += len(ids) - len(drawn)
    dropped["documents without text"] += len(corpus) - len(ids)
    queries = _queries(alone)
    return Benchmark(
        name="implicit-facts",
        corpus=corpus,
        queries=queries,
        qrels={query.id: {query.facets["document"]: 1} for query in queries},
        source=source,
        built_by="llm",
        **KIND.measured(each.name for each in KIND.metrics if each.name != "SetRank"),
        built={
            "builder": __name__,
            "seed": seed,
            "limit": limit,
            "read": models.reads,
            "considered": len(drawn),
            "kept": len(queries),
            "facts": {
                "kept": dict(sorted(Counter(q.facets["fact"] for q in queries).items())),
                "with rivals that hold all words": sum(q.facets["rivals"] != "0" for q in queries),
            },
            "dropped": dict(sorted((+dropped).items())),
        },
    )


@dataclass(frozen=True)
class _Steps:
    """What is asked of the models; places: name -> country, both folded."""

    models: Models
    places: Mapping[str, str]
    find: Asks[Facts]
    read: Asks[Read]

    @property
    def every(self) -> tuple[Asks[Any], ...]:
        return (self.find, self.read) if self.models.reads else (self.find,)

    @classmethod
    def of(cls, models: Models, places: Mapping[str, str]) -> _Steps:
        def asks(name: str, read: type[BaseModel], usual: Any, model: str) -> Asks[Any]:
            return Asks(
                name, Prompt.load(__package__, name), read, usual=usual, model=model, refused=0.02,
                max_tokens=models.max_tokens,
            )  # fmt: skip

        fact = Found(
            kind="date", sentences=[1, 6], formula="2024-03-14 - 2 days", value="2024-03-12",
            unit="", query="harbour crane inspection 12 March 2024",
        )  # fmt: skip
        verdict = Verdict(n=1, working="14 March less two days", answers=True, stated=False)
        return cls(
            models,
            places,
            asks("find", Facts, Facts(facts=[fact]), WRITER),
            asks("read", Read, Read(queries=[verdict]), VERIFIER),
        )

    async def make(self, record: Record, document: Document) -> tuple[list[Implied], list[str]]:
        """Return the facts of a document, and why others were dropped."""
        sentences = _shown(document)
        shown = "\n".join(f"[{n}] {each.text}" for n, each in enumerate(sentences, 1))
        kept: list[Found] | None = None
        lost: list[str] = []

        def check(facts: Facts) -> Facts | Fault:
            nonlocal kept
            faults = [(each, self._fault(each, sentences, document)) for each in facts.facts]
            lost[:] = [fault for _, fault in faults if fault]
            kept = [each for each, fault in faults if not fault]
            return facts

        most = 1 if self.models.effort == "low" else MOST
        question = Question({"most": str(most)}, {"document": shown}, (document.id,))
        facts = await record.ask(self.find, question, check=check)
        found = facts.facts if kept is None else kept
        if found and self.models.reads:
            found = await self._read(record, document, shown, found, lost)
        return [Implied(document.id, each, _spans(each, sentences)) for each in found], lost

    def _fault(self, fact: Found, sentences: Sequence[Sentence], document: Document) -> str:
        """Say why a fact cannot be used, as far as code can tell; nothing if it can."""
        if not all(1 <= n <= len(sentences) for n in fact.sentences):
            return f"{fact.kind}: no such sentence"
        words = " ".join(sentences[n - 1].text for n in sorted(set(fact.sentences)))
        problem = _CHECKS[fact.kind](fact, words)
        if not problem and fact.kind == "place":
            country, value = self.places.get(folded(fact.formula)), folded(fact.value)
            if country != value and not self.models.reads:
                problem = "nobody can look it up"
            elif country != value and country and value in self.places.values():
                problem = "the table has another country"
        if problem:
            return f"{fact.kind}: {problem}"
        pattern = _pattern(fact)
        if len(fact.query.split()) not in _WORDS:
            return f"{fact.kind}: length of the query"
        if not pattern.search(fact.query):
            return f"{fact.kind}: the query lacks the value"
        is_small = fact.kind == "amount" and abs(float(fact.value)) < _SMALL
        if not is_small and pattern.search(document.content):
            return f"{fact.kind}: the document states the value"
        return ""

    async def _read(
        self,
        record: Record,
        document: Document,
        shown: str,
        found: Sequence[Found],
        lost: list[str],
    ) -> list[Found]:
        """Return the facts that the reader works out, too; a weak reader reads one at a time."""
        step = 1 if self.models.effort == "low" else len(found)
        kept: list[Found] = []
        for first in range(0, len(found), step):
            asked = found[first : first + step]
            verdicts: dict[int, Verdict] = {}

            def check(
                read: Read, asked: Sequence[Found] = asked, verdicts: dict[int, Verdict] = verdicts
            ) -> Read | Fault:
                verdicts.update({each.n: each for each in read.queries})
                if set(verdicts) >= set(range(1, len(asked) + 1)):
                    return read
                return Fault("a query without a verdict", f"There must be {len(asked)} entries.")

            listed = "\n".join(f"{n}. {each.query}" for n, each in enumerate(asked, 1))
            texts = {"document": shown, "queries": listed}
            question = Question({"count": str(len(asked))}, texts, (document.id,))
            await record.ask(self.read, question, check=check)
            for n, each in enumerate(asked, 1):
                verdict = verdicts.get(n)  # none in a dry run
                if verdict and not verdict.answers:
                    lost.append(f"{each.kind}: does not follow, says the reader")
                elif verdict and verdict.stated:
                    lost.append(f"{each.kind}: is stated, says the reader")
                else:
                    kept.append(each)
        return kept


def _shown(document: Document) -> list[Sentence]:
    """Return the sentences that the models are shown: all, or the first of a long document."""
    words = 0
    found: list[Sentence] = []
    for sentence in split_sentences(document.content):
        words += len(sentence.text.split())
        if found and words > SHOWN:
            break
        found.append(sentence)
    return found


def _spans(fact: Found, sentences: Sequence[Sentence]) -> tuple[tuple[int, int], ...]:
    chosen = (sentences[n - 1] for n in sorted(set(fact.sentences)) if 1 <= n <= len(sentences))
    return tuple((each.start, each.end) for each in chosen)


def _date_fault(fact: Found, words: str) -> str:
    day = day_by(fact.formula, words)
    if isinstance(day, str):
        return day
    return "" if day.isoformat() == fact.value.strip() else "the formula gives another value"


def _amount_fault(fact: Found, words: str) -> str:
    amount = amount_by(fact.formula, words)
    if isinstance(amount, str):
        return amount
    try:
        value = float(fact.value.replace(",", ""))
    except ValueError:
        return "the value is no number"
    if not is_near(amount, value):
        return "the formula gives another value"
    return "the sentences say the value" if is_near(value, *numbers_in(words)) else ""


def _place_fault(fact: Found, words: str) -> str:
    if folded(fact.formula) not in folded(words):
        return "its name is not in the sentences"
    if folded(fact.value) in folded(words):
        return "the sentences say the value"
    return "" if tokens(fact.value) else "the value is no name"


_CHECKS: Mapping[str, Callable[[Found, str], str]] = {
    "date": _date_fault,
    "amount": _amount_fault,
    "place": _place_fault,
}


def _value_of(fact: Found) -> Any:
    if fact.kind == "date":
        return date.fromisoformat(fact.value.strip()).isoformat()
    if fact.kind == "amount":
        return {"amount": float(fact.value.replace(",", "")), "unit": fact.unit}
    return {"name": fact.value.strip()}


def _pattern(fact: Found) -> Any:
    return pattern_of("city" if fact.kind == "place" else fact.kind, _value_of(fact))


def _alone(kept: Sequence[Implied], corpus: Corpus) -> list[tuple[Implied, int]]:
    """Return the facts that no other document states while it holds half of the query's words.

    With each come its rivals: documents with all words of the query, but not the value.
    """
    patterns = [_pattern(each.found) for each in kept]
    words = [
        frozenset(content_tokens(pattern.sub(" ", each.found.query)))
        - {*tokens(each.found.unit), each.found.value[:4]}  # the unit, the year of a date
        for each, pattern in zip(kept, patterns, strict=True)
    ]
    others: set[int] = set()
    rivals: Counter[int] = Counter()
    for document in corpus.values() if kept else ():
        held = set(tokens(document.content))
        for place, each in enumerate(kept):
            if each.document != document.id and place not in others:
                alike = len(words[place] & held) >= SHARE * len(words[place])
                if alike and patterns[place].search(document.content):
                    others.add(place)
                rivals[place] += words[place] <= held
    return [(each, rivals[i]) for i, each in enumerate(kept) if i not in others]


def _queries(facts: Sequence[tuple[Implied, int]]) -> list[Query]:
    counts: Counter[str] = Counter()
    queries = []
    for each, rivals in facts:
        counts[each.document] += 1
        id = f"{each.document}~{counts[each.document]}"
        facets = {
            "fact": each.found.kind,
            "document": each.document,
            "span": " ".join(f"{start}-{end}" for start, end in each.spans),
            "value": f"{each.found.value} {each.found.unit}".strip(),
            "derivation": each.found.formula,
            "rivals": str(rivals),
        }
        queries.append(Query(id, each.found.query.strip(), id, facets=facets))
    return queries
