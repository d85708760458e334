"""Instructions by a language model: core query, condition, rewriting, instruction, reversal.

Source: Zhou et al., Beyond Content Relevance, section 2.2, steps 1 to 6; the last, screening, is
`screening.py`. A user's own conditions go into `CONDITIONS` of a call.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.facts.attributes.phrases import holds
from leadline.prompt import Prompt
from leadline.synthesis.engine.log import LogFile
from leadline.synthesis.engine.record import Record
from leadline.synthesis.engine.running import Pipeline, complete, run
from leadline.synthesis.engine.steps import VERIFIER, Asks, Fault, Question, Verify, question_after
from leadline.synthesis.instructions.conditions import CONDITIONS, MEASURED, Condition
from leadline.synthesis.instructions.cores import MOST_WORDS, Core, Said, as_benchmark
from leadline.synthesis.models import Models
from leadline.synthesis.run_record import RunRecord
from leadline.types import Corpus, Document

_PACKAGE = "leadline.synthesis.instructions"
_KEYWORDS = 2
_MOST_CHOSEN = 4
_PHRASE = re.compile(rf"[\w'’.-]+(?: [\w'’.-]+){{0,{_MOST_CHOSEN - 1}}}")
"""Words of a document that may stand in a condition: few, and none that end the quotation."""


class CoreQuery(BaseModel):
    """A query."""

    query: str


class Words(BaseModel):
    """Words of a document."""

    words: str


class Text(BaseModel):
    """A document."""

    title: str
    text: str


class Instructed(BaseModel):
    """A query in other words, and what is asked beside it."""

    query: str
    instruction: str


class Reversed(BaseModel):
    """The opposite of an instruction."""

    instruction: str


class Verdict(BaseModel):
    """What the judge says of a document."""

    answers: bool
    is_so: bool


@dataclass(frozen=True)
class Source:
    """A document of the corpus, and the dimension that it is to serve."""

    dimension: str
    document: Document
    query: str = ""


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    dimensions: Sequence[str] = ("audience", "keyword", "format", "language", "length", "source"),
    queries: Mapping[str, str] | None = None,
    seed: int = 0,
    limit: int = 100,
    source: str = "",
    conditions: Mapping[str, Sequence[Condition]] = CONDITIONS,
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "instructions" made from a corpus by a language model.

    queries     document id -> the core query that it answers; without, the model writes them
    conditions  dimension -> its conditions, the user's own among them
    limit       most core queries of a dimension

    Raises InputError when nothing passes, and IncompleteError when calls got no answer.
    """
    chosen = [id for id in corpus if not queries or id in queries]
    sources = [
        Source(dimension, corpus[id], (queries or {}).get(id, ""))
        for number, dimension in enumerate(dimensions)
        for id in chosen[number * limit : (number + 1) * limit]
    ]
    steps = _Steps.of(models)
    outcomes = complete(
        run(
            Pipeline("", steps.every, _maker(steps, conditions)),
            ((f"{each.dimension}-{each.document.id}", each) for each in sources),
            {"writer": models.writer, VERIFIER: models.verifier},
            into,
            seed=seed,
            attempts=models.attempts,
            log=log,
        ),
        into,
    )
    dropped: Counter[str] = Counter()
    cores: list[Core] = []
    for outcome in outcomes:
        if outcome.fault is not None or outcome.value is None:
            dropped[outcome.fault.reason if outcome.fault else "no answer"] += 1
        else:
            cores.append(outcome.value)
    if not cores:
        raise InputError(
            f"No instruction of {models.writer.name} could be used. Take another model, or more "
            "--attempts."
        )
    used = {core.source for core in cores}
    return as_benchmark(
        cores,
        {id: corpus[id] for id in corpus if id not in used},
        name="instructions",
        seed=seed,
        source=source,
        dropped=dropped,
        builder=__name__,
        built_by="llm",
    )


@dataclass(frozen=True)
class _Steps:
    core: Asks[Any]
    words: Asks[Any]
    rewrite: Asks[Any]
    instruct: Asks[Any]
    reverse: Asks[Any]
    negative: Asks[Any]
    judge: Asks[Any]

    @property
    def every(self) -> tuple[Asks[Any], ...]:
        return (
            self.core, self.words, self.rewrite, self.judge, self.instruct, self.reverse,
            self.negative,
        )  # fmt: skip

    @classmethod
    def of(cls, models: Models) -> _Steps:
        def asks(name: str, read: type[BaseModel], usual: Any, model: str = "writer") -> Asks[Any]:
            return Asks(
                name, Prompt.load(_PACKAGE, name), read, usual=usual, max_tokens=models.max_tokens,
                model=model, temperature=models.temperature if model == "writer" else 0.0,
                refused=0.05,
            )  # fmt: skip

        text = Text(title="The old mill", text="The old mill grinds flour on Sundays. " * 10)
        asked = Instructed(query="When does the old mill run?", instruction="One sentence, please.")
        return cls(
            asks("write_core", CoreQuery, CoreQuery(query="when does the old mill run")),
            asks("choose_words", Words, Words(words="flour")),
            asks("rewrite", Text, text),
            asks("write_instruction", Instructed, asked),
            asks("reverse_instruction", Reversed, Reversed(instruction="Not in one sentence.")),
            asks("write_negative", Text, text),
            asks("judge_document", Verdict, Verdict(answers=True, is_so=True), VERIFIER),
        )


def _maker(steps: _Steps, conditions: Mapping[str, Sequence[Condition]]) -> Any:
    async def make(record: Record, source: Source) -> Core:
        document = source.document
        query = source.query or await _core(record, steps, document)
        golds: dict[str, Document] = {}
        said: dict[str, Said] = {}
        wanted = (
            await _keywords(record, steps, query, document)
            if source.dimension == "keyword"
            else conditions[source.dimension]
        )
        for number, condition in enumerate(wanted, start=1):
            text = await _rewritten(record, steps, query, document, source.dimension, condition)
            id = f"{source.dimension}-{document.id}~{number}"
            golds[condition.name] = Document(id, text.text, text.title)
            said[condition.name] = await _said(record, steps, query, condition)
        negative = await record.make(steps.negative, _asking({}, {"query": query}, document))
        other = Document(
            f"{source.dimension}-{document.id}~negative", negative.value.text, negative.value.title
        )
        return Core(
            f"{source.dimension}-{document.id}", query, source.dimension, golds,
            negatives=(other,), source=document.id, said=said,
        )  # fmt: skip

    return make


async def _core(record: Record, steps: _Steps, document: Document) -> str:
    def check(draft: CoreQuery) -> CoreQuery | Fault:
        if not 1 < len(draft.query.split()) <= MOST_WORDS:
            return Fault("length of the core query", f"It must have 2 to {MOST_WORDS} words.")
        return draft

    asking = _asking({"most": str(MOST_WORDS)}, {"document": document.content}, document)
    made = await record.make(steps.core, asking, check=check)
    return str(made.value.query).strip()


async def _keywords(
    record: Record, steps: _Steps, query: str, document: Document
) -> list[Condition]:
    """Choose words of the document, then have a version of it that does without them."""

    def check(draft: Words) -> Words | Fault:
        words = draft.words.strip()
        if not _PHRASE.fullmatch(words):
            return Fault("no short phrase", f"At most {_MOST_CHOSEN} words, and no marks.")
        if not holds(document.content, words) or holds(query, words):
            return Fault(
                "words that are not in the document",
                "The words must stand in the document exactly so, and not in the query.",
            )
        return draft

    texts = {"query": query, "document": document.content}
    made = await record.make(steps.words, _asking({}, texts, document), check=check)
    words = str(made.value.words).strip()
    return [
        Condition(words, f"texts that mention “{words}”", f"it has the words “{words}”"),
        Condition(f"not {words}", f"texts that do without “{words}”", f"it never says “{words}”"),
    ][:_KEYWORDS]


async def _rewritten(
    record: Record,
    steps: _Steps,
    query: str,
    document: Document,
    dimension: str,
    condition: Condition,
) -> Text:
    def check(draft: Text) -> Text | Fault:
        measured = MEASURED.get(dimension)
        if measured is not None and not measured(draft.text, condition.name):
            return Fault(f"not {condition.said}", f"It must be {condition.meaning}.")
        if dimension == "keyword":
            wanted = not condition.name.startswith("not ")
            words = condition.name.removeprefix("not ")
            if holds(f"{draft.title} {draft.text}", words) is not wanted:
                return Fault("words of the condition", f"Make sure that {condition.meaning}.")
        return draft

    def compare(read: Verdict, draft: Text) -> Fault | None:
        if not read.answers:
            return Fault("does not answer", "A reader says that it does not answer the query.")
        if not read.is_so:
            return Fault("not as asked for", f"A reader says that it is not {condition.said}.")
        return None

    told = {"condition": condition.said, "meaning": condition.meaning}
    verify = Verify(
        steps.judge,
        lambda draft: Question(
            told, {"query": query, "document": f"{draft.title}\n{draft.text}"}, (document.id,)
        ),
        compare,
    )
    texts = {"query": query, "document": document.content}
    made = await record.make(
        steps.rewrite, _asking(told, texts, document), check=check, verify=verify
    )
    text: Text = made.value
    return text


async def _said(record: Record, steps: _Steps, query: str, condition: Condition) -> Said:
    told = {"condition": condition.said}

    def differs(draft: Instructed) -> Instructed | Fault:
        if draft.query.strip().lower() == query.lower():
            return Fault("query repeated", "The first sentence must be in other words.")
        return draft

    asked = await record.make(steps.instruct, _asking(told, {"query": query}, None), check=differs)
    reversed_ = await record.make(
        steps.reverse, _asking(told, {"instruction": asked.value.instruction}, None)
    )
    return Said(asked.value.query, asked.value.instruction, reversed_.value.instruction)


def _asking(values: Mapping[str, str], texts: Mapping[str, str], document: Document | None) -> Any:
    parents = () if document is None else (document.id,)

    return lambda refusal: question_after(refusal, values, texts, parents)


def with_queries(
    corpus: Corpus, queries: Iterable[Any], qrels: Mapping[str, Any]
) -> dict[str, str]:
    """Return a core query by the first document that is relevant to it."""
    found: dict[str, str] = {}
    for query in queries:
        relevant = [id for id, grade in qrels.get(query.id, {}).items() if grade > 0]
        for id in relevant[:1]:
            if id in corpus:
                found.setdefault(id, query.text)
    return found
