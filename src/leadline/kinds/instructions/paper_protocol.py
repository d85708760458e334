"""Instructions by a language model in the paper's way: from core query to reversal, step by step.

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
from leadline.kinds.instructions.attributes.phrases import holds
from leadline.kinds.instructions.by_model import spread
from leadline.kinds.instructions.conditions import CONDITIONS, MEASURED, Condition
from leadline.kinds.instructions.cores import MOST_WORDS, Core, Said, as_benchmark
from leadline.kinds.instructions.paper_answers import (
    Answering,
    CoreQuery,
    Instructed,
    Reversed,
    Text,
    Verdict,
    Wanted,
    Words,
)
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Question, Verify, question_after
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.text.tokens import normalised, tokens
from leadline.types import Corpus, Document

_PACKAGE = __package__
_KEYWORDS = 2
_MOST_CHOSEN = 4
_FEWEST_WORDS = 5
"""Words of a text, at least."""
_PHRASE = re.compile(rf"[\w'’.-]+(?: [\w'’.-]+){{0,{_MOST_CHOSEN - 1}}}")
"""Words of a document that may stand in a condition: few, and none that end the quotation."""


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
    limit       most core queries, of all dimensions together

    Raises InputError when nothing passes, and IncompleteError when calls got no answer.
    """
    dropped: Counter[str] = Counter()
    chosen = {id: corpus[id] for id in corpus if not queries or id in queries}
    sources = [
        (id, Source(each.dimension, each.document, (queries or {}).get(each.document.id, "")))
        for id, each in spread(chosen, dimensions, limit, seed, dropped, shortest=0)
    ]
    steps = _Steps.of(models)
    outcomes = complete(
        run(
            Pipeline("", steps.every, _maker(steps, conditions)),
            sources,
            {"writer": models.writer, VERIFIER: models.verifier},
            into,
            seed=seed,
            attempts=models.attempts,
            log=log,
        ),
        into,
    )
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
    judge_negative: Asks[Any]
    judge_instruction: Asks[Any]
    judge_reversal: Asks[Any]

    @property
    def every(self) -> tuple[Asks[Any], ...]:
        return (
            self.core, self.words, self.rewrite, self.judge, self.instruct, self.reverse,
            self.negative, self.judge_negative, self.judge_instruction, self.judge_reversal,
        )  # fmt: skip

    @classmethod
    def of(cls, models: Models) -> _Steps:
        def asks(
            name: str, read: type[BaseModel], usual: Any, model: str = "writer", step: str = ""
        ) -> Asks[Any]:
            return Asks(
                step or name, Prompt.load(_PACKAGE, f"paper_{name}"), read, usual=usual,
                max_tokens=models.max_tokens, model=model, refused=0.05,
                temperature=models.temperature if model == "writer" else 0.0,
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
            asks("judge_negative", Answering, Answering(answers=False), VERIFIER),
            asks("judge_instruction", Wanted, Wanted(wants="for"), VERIFIER),
            asks("judge_instruction", Wanted, Wanted(wants="against"), VERIFIER, "judge_reversal"),
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
            text = await _rewritten(
                record, steps, query, document, source.dimension, condition, list(golds.values())
            )
            id = f"{record.id}~{number}"
            golds[condition.name] = Document(id, text.text, text.title)
            said[condition.name] = await _said(record, steps, query, condition)
        negative = await _negative(record, steps, query, document, list(golds.values()))
        other = Document(f"{record.id}~negative", negative.text, negative.title)
        return Core(
            record.id, query, source.dimension, golds,
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
    golds: Sequence[Document],
) -> Text:
    def check(draft: Text) -> Text | Fault:
        if fault := _fault_of(draft, golds):
            return fault
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
        if not tokens(draft.query) or not tokens(draft.instruction):
            return Fault("empty instruction", "Both sentences must have words.")
        if normalised(draft.query) == normalised(query):
            return Fault("query repeated", "The first sentence must be in other words.")
        if normalised(draft.instruction) in (normalised(query), normalised(draft.query)):
            return Fault("query as instruction", "The second sentence must ask for the condition.")
        return draft

    def read(step: Asks[Any], meant: str) -> Verify[Any, Wanted]:
        def compare(read: Wanted, _: Any) -> Fault | None:
            if read.wants == meant:
                return None
            problem = f"A reader says that it is {read.wants} documents that are {condition.said}."
            return Fault(f"not {meant} the condition", problem)

        return Verify(
            step, lambda draft: Question(told, {"instruction": draft.instruction}), compare
        )

    asked = await record.make(
        steps.instruct, _asking(told, {"query": query}, None), check=differs,
        verify=read(steps.judge_instruction, "for"),
    )  # fmt: skip
    instruction = asked.value.instruction

    def reverses(draft: Reversed) -> Reversed | Fault:
        if not tokens(draft.instruction):
            return Fault("empty instruction", "The instruction has no words.")
        if normalised(draft.instruction) == normalised(instruction):
            return Fault("instruction repeated", "It says the same as the instruction.")
        return draft

    reversed_ = await record.make(
        steps.reverse, _asking(told, {"instruction": instruction}, None), check=reverses,
        verify=read(steps.judge_reversal, "against"),
    )  # fmt: skip
    return Said(asked.value.query, instruction, reversed_.value.instruction)


async def _negative(
    record: Record, steps: _Steps, query: str, document: Document, golds: Sequence[Document]
) -> Text:
    """Have a document written that looks like an answer to a query and is none."""

    def compare(read: Answering, _: Text) -> Fault | None:
        problem = "A reader finds an answer to the query in it."
        return Fault("negative answers", problem) if read.answers else None

    verify = Verify(
        steps.judge_negative,
        lambda draft: Question(
            {}, {"query": query, "document": f"{draft.title}\n{draft.text}"}, (document.id,)
        ),
        compare,
    )
    made = await record.make(
        steps.negative, _asking({}, {"query": query}, document),
        check=lambda draft: _fault_of(draft, [document, *golds]) or draft, verify=verify,
    )  # fmt: skip
    text: Text = made.value
    return text


def _fault_of(draft: Text, others: Sequence[Document]) -> Fault | None:
    """Return what is wrong with a text that has to differ from others."""
    count = len(tokens(draft.text))
    if count < _FEWEST_WORDS:
        problem = f"It has {count} words; at least {_FEWEST_WORDS} are wanted."
        return Fault("empty text" if not count else "text too short", problem)
    if any(normalised(draft.text) == normalised(each.text) for each in others):
        return Fault("text repeated", "It says the same as another document of this query.")
    return None


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
