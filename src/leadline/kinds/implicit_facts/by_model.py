"""A language model finds implicit facts of documents, and code and a reader check them.

It takes two calls for each document. Code computes days and amounts again, and looks up places if
there is a table.
"""

from __future__ import annotations

import ast
import calendar
import operator
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate, product
from typing import Any, Literal

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.kinds.implicit_facts.kind import KIND
from leadline.kinds.implicit_facts.wording import pattern_of
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import VERIFIER, WRITER, Asks, Fault, Models, Question
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.countries import folded
from leadline.text.dates import find_dates, month_of, year_of
from leadline.text.quantities import NUMERAL, figure_of
from leadline.text.sentences import Sentence, split_sentences
from leadline.text.tokens import content_tokens, tokens
from leadline.text.words import NUMBER_WORDS
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
    steps = _Steps(models, {folded(name): folded(each) for name, each in (places or {}).items()})
    pipeline = Pipeline("", steps.every, steps.make)
    sources = ((id, corpus[id]) for id in drawn)
    kept: list[Implied] = []
    records = {}
    for outcome in finish(pipeline, sources, models, into, seed=seed, log=log):
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


class _Steps:
    """What is asked of the models; places: name -> country, both folded."""

    def __init__(self, models: Models, places: Mapping[str, str]) -> None:
        self.places, self.reads = places, models.reads
        self.one_by_one = models.effort == "low"
        fact = Found(
            kind="date", sentences=[1, 6], formula="2024-03-14 - 2 days", value="2024-03-12",
            unit="", query="harbour crane inspection 12 March 2024",
        )  # fmt: skip
        verdict = Verdict(n=1, working="14 March less two days", answers=True, stated=False)
        self.find, self.read = (
            Asks[Any](
                name, Prompt.load(__package__, name), type(usual), usual=usual, model=model,
                max_tokens=models.max_tokens,
            )
            for name, usual, model in (
                ("find", Facts(facts=[fact]), WRITER),
                ("read", Read(queries=[verdict]), VERIFIER),
            )
        )  # fmt: skip
        self.every = (self.find, self.read) if models.reads else (self.find,)

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

        most = 1 if self.one_by_one else MOST
        question = Question({"most": str(most)}, {"document": shown}, (document.id,))
        facts = await record.ask(self.find, question, check=check)
        found = facts.facts if kept is None else kept
        if found and self.reads:
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
            if country != value and not self.reads:
                problem = "nobody can look it up"
            elif country != value and country and value in self.places.values():
                problem = "the table has another country"
        if problem:
            return f"{fact.kind}: {problem}"
        pattern = pattern_of(fact.kind, fact.value.strip())
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
        step = 1 if self.one_by_one else len(found)
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
    sentences = split_sentences(document.content)
    ends = accumulate(len(each.text.split()) for each in sentences)
    return [each for n, (each, end) in enumerate(zip(sentences, ends, strict=True))
            if n == 0 or end <= SHOWN]  # fmt: skip


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
    return "" if is_near(amount, value) else "the formula gives another value"


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


def _alone(kept: Sequence[Implied], corpus: Corpus) -> list[tuple[Implied, int]]:
    """Return the facts that no other document states while it holds half of the query's words.

    With each come its rivals: documents with all words of the query, but not the value.
    """
    patterns = [pattern_of(each.found.kind, each.found.value.strip()) for each in kept]
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


_CONSTANTS = frozenset({7.0, 12.0, 24.0, 60.0, 100.0, 1000.0})
"""Numbers that convert units and need not be written."""

# Words without the s at their end.
_NUMBERS: dict[str, float] = {
    **NUMBER_WORDS,
    "a": 1, "an": 1, "one": 1, "first": 1, "next": 1, "last": 1, "following": 1, "previou": 1,
    "yesterday": 1, "tomorrow": 1, "later": 1, "eve": 1, "day": 1,
    "half": 2, "halve": 2, "halved": 2, "twice": 2, "double": 2, "doubled": 2, "both": 2,
    "pair": 2, "couple": 2, "second": 2, "third": 3, "triple": 3, "tripled": 3, "quarter": 4,
    "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "sixe": 6,
    "dozen": 12, "fortnight": 14, "hundred": 100, "thousand": 1000,
    "million": 1_000_000, "billion": 1_000_000_000,
}  # fmt: skip
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}  # fmt: skip
_STEP = r" ?([+-]) ?(\d{1,4}) ?(day|week|month|year)s?"
_DAY = re.compile(rf"(\d{{4}}-\d\d-\d\d)((?:{_STEP}){{1,3}})")
_LONGEST = 120
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_EXACT = 0.005


def day_by(formula: str, words: str) -> date | str:
    """Return the day of a formula such as `2024-03-14 - 2 days`, or say why there is none.

    words  the sentences it rests on, which must hold the day and the count
    """
    match = _DAY.fullmatch(formula.strip())
    if match is None:
        return "the formula is no day and distance"
    try:
        start = found = date.fromisoformat(match[1])
        steps = re.findall(_STEP, match[2])
        for sign, count, unit in steps:
            found = _moved(found, int(sign + count), unit)
    except (ValueError, OverflowError):
        return "the formula gives no day"
    if start not in set(days_in(words)):
        return "the starting day is not in the sentences"
    weekday = calendar.day_name[found.weekday()].casefold()
    counts = {float(count) for _, count, _ in steps}
    if not counts <= numbers_in(words) and weekday not in words.casefold():
        return "the distance is not in the sentences"
    return found


def amount_by(formula: str, words: str) -> float | str:
    """Return the value of an arithmetic formula, or say why there is none.

    words  the sentences it rests on, which must hold its numbers
    """
    try:
        if len(formula) > _LONGEST:
            raise ValueError
        tree = ast.parse(formula.strip().replace(",", ""), mode="eval").body
        value = _value(tree)
    except (ValueError, SyntaxError, ZeroDivisionError, OverflowError, RecursionError):
        return "the formula is no arithmetic"
    constants = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    used = [float(each) for each in constants if isinstance(each, int | float)]
    written = numbers_in(words)
    if not set(used) <= written | _CONSTANTS:
        return "a number of the formula is not in the sentences"
    if len(used) < 2 or not set(used) & written - {1.0}:
        return "the formula calculates nothing"
    if is_near(value, *written):
        return "the sentences say the value"
    return value


def is_near(value: float, *others: float) -> bool:
    """Tell whether a value is one of others, but for its rounding."""
    return any(abs(value - each) <= _EXACT * max(1.0, abs(value)) for each in others)


def numbers_in(words: str) -> set[float]:
    """Return the numbers that a text holds, in figures and in single words."""
    plain = {each.removesuffix("s") for each in re.findall(r"[a-z]+", words.casefold())}
    spelled = {float(_NUMBERS[each]) for each in plain & _NUMBERS.keys()}
    tens = re.findall(r"\b([a-z]+ty)[- ]([a-z]+)\b", words.casefold())
    joined = {
        float(NUMBER_WORDS[a] + _NUMBERS[b])
        for a, b in tens
        if a in NUMBER_WORDS and 0 < _NUMBERS.get(b, 0) < 10
    }
    return {figure_of(each) for each in re.findall(NUMERAL, words)} | spelled | joined


def days_in(words: str) -> Iterator[date]:
    """Yield the days that a text names; one without its year in each year that the text names."""
    years = {int(each) for each in _YEAR.findall(words)}
    for value in find_dates(words, 0, len(words)):
        written = value.text
        month, numbers = month_of(written), [int(each) for each in re.findall(r"\d+", written)]
        own = [year] if (year := year_of(written)) else sorted(years)
        if month:
            months = [each[:3].casefold() for each in calendar.month_name]
            places = [(months.index(month), each) for each in numbers[:1]]
        elif "/" in written or re.match(r"\d{4}-", written):
            pair = numbers[1:] if numbers[0] > 31 else numbers[:2]
            places = [(pair[0], pair[1]), (pair[1], pair[0])] if len(pair) == 2 else []
        else:
            continue
        for of, (number, day) in product(own, places):
            try:
                yield date(of, number, day)
            except ValueError:
                continue


def _moved(start: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return start + timedelta(days=count * (7 if unit == "week" else 1))
    months = start.year * 12 + start.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last))


def _value(tree: ast.expr) -> float:
    match tree:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.BinOp(left, operation, right) if type(operation) in _OPERATIONS:
            return _OPERATIONS[type(operation)](_value(left), _value(right))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand)
    raise ValueError
