"""Instructions by a language model in the paper's way: from core query to reversal, step by step.

Source: Zhou et al., Beyond Content Relevance, section 2.2, steps 1 to 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

from leadline.benchmark import Benchmark
from leadline.data import sheets
from leadline.errors import InputError
from leadline.kinds.instructions.by_model import (
    Passage,
    Source,
    asking,
    asks,
    fault_of_words,
    mentioning,
    outcomes_of,
    spread,
)
from leadline.kinds.instructions.cores import (
    MOST_WORDS,
    Condition,
    Core,
    Said,
    as_benchmark,
    conditions,
    is_so,
)
from leadline.kinds.instructions.documents import holds
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.steps import (
    Fault,
    Question,
    Verify,
)
from leadline.llm.run_record import RunRecord
from leadline.text.tokens import normalised, tokens
from leadline.types import Corpus, Document, Qrels, Query, Run

_FEWEST_WORDS = 5  # of a text


# What the models answer


class _Query(BaseModel):
    query: str


class _Words(BaseModel):
    words: str


class _Instruction(BaseModel):
    instruction: str


class _Instructed(BaseModel):
    query: str
    instruction: str


class _Answers(BaseModel):
    answers: bool


class _Verdict(BaseModel):
    answers: bool
    is_so: bool


class _Wanted(BaseModel):
    wants: Literal["for", "against", "neither"]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    dimensions: Sequence[str] = (),
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    seed: int = 0,
    limit: int = 100,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "instructions" made from a corpus by a language model.

    dimensions      without, all
    queries, qrels  core queries of their first relevant documents; without, the model writes them
    limit           most core queries, of all dimensions together

    Raises InputError when nothing passes, and IncompleteError when calls got no answer.
    """
    dropped: Counter[str] = Counter()
    asked: dict[str, str] = {}
    for query in queries:
        relevant = [id for id, grade in (qrels or {}).get(query.id, {}).items() if grade > 0]
        if relevant and relevant[0] in corpus:
            asked.setdefault(relevant[0], query.text)
    chosen = {id: corpus[id] for id in corpus if not asked or id in asked}
    sources = [
        (id, replace(each, query=asked.get(each.document.id, "")))
        for id, each in spread(chosen, dimensions, limit, seed, dropped, shortest=0)
    ]
    builder = _Builder(models)
    cores: list[Core] = []
    for outcome in outcomes_of(
        builder.steps.values(), builder.make, sources, models, into, seed, log
    ):
        if outcome.value is None:
            dropped[outcome.fault.reason if outcome.fault else "no answer"] += 1
        else:
            cores.append(outcome.value)
    if not cores:
        raise InputError(
            f"No instruction of {models.writer.name} could be used. Take another model, or more "
            "--attempts."
        )
    return as_benchmark(
        cores,
        corpus,
        seed=seed,
        source=source,
        dropped=dropped,
        builder=__name__,
        built_by="llm",
    )


class _Builder:
    """Asks the models, step by step."""

    def __init__(self, models: Models) -> None:
        text = Passage(title="The old mill", text="The old mill grinds flour on Sundays. " * 10)
        asked = _Instructed(
            query="When does the old mill run?", instruction="One sentence, please."
        )
        answers: dict[str, BaseModel] = {
            "write_core": _Query(query="when does the old mill run"),
            "choose_words": _Words(words="flour"),
            "rewrite": text,
            "judge_document": _Verdict(answers=True, is_so=True),
            "write_instruction": asked,
            "reverse_instruction": _Instruction(instruction="Not in one sentence."),
            "write_negative": text,
            "judge_negative": _Answers(answers=False),
            "judge_instruction": _Wanted(wants="for"),
            "judge_reversal": _Wanted(wants="against"),
        }
        self.steps = {
            # What reads an instruction reads its reversal.
            name: asks(models, name, answer, f"paper_{name.replace('reversal', 'instruction')}")
            for name, answer in answers.items()
        }

    async def make(self, record: Record, source: Source) -> Core:
        """Return the core query of a document with all that it needs."""
        document, dimension = source.document, source.dimension
        query = source.query or await self._core(record, document)
        wanted: Sequence[Condition]
        if dimension == "keyword":
            wanted = await self._keywords(record, query, document)
        else:
            wanted = conditions(dimension)
        golds: dict[str, Document] = {}
        said: dict[str, Said] = {}
        for n, each in enumerate(wanted, start=1):
            known = list(golds.values())
            text = await self._rewritten(record, query, document, dimension, each, known)
            golds[each.name] = text.as_document(f"{record.id}~{n}")
            said[each.name] = await self._said(record, query, each)
        negative = await self._negative(record, query, document, list(golds.values()))
        other = negative.as_document(f"{record.id}~negative")
        return Core(
            record.id, query, dimension, golds, negatives=(other,), source=document.id, said=said
        )

    async def _core(self, record: Record, document: Document) -> str:
        def check(draft: _Query) -> _Query | Fault:
            if not 1 < len(draft.query.split()) <= MOST_WORDS:
                return Fault("length of the core query", f"It must have 2 to {MOST_WORDS} words.")
            return draft

        put = asking({"most": str(MOST_WORDS)}, {"document": document.content}, document)
        made = await record.make(self.steps["write_core"], put, check=check)
        return str(made.value.query).strip()

    async def _keywords(self, record: Record, query: str, document: Document) -> list[Condition]:
        """Choose words of the document, then have a version of it that does without them."""

        def check(draft: _Words) -> _Words | Fault:
            return fault_of_words(draft.words.strip(), document, query) or draft

        texts = {"query": query, "document": document.content}
        made = await record.make(
            self.steps["choose_words"], asking({}, texts, document), check=check
        )
        words = str(made.value.words).strip()
        return [
            mentioning(words),
            Condition(
                f"not {words}", f"a text that does without “{words}”", f"it never says “{words}”"
            ),
        ]

    async def _rewritten(
        self,
        record: Record,
        query: str,
        document: Document,
        dimension: str,
        condition: Condition,
        golds: Sequence[Document],
    ) -> Passage:
        """Have the document rewritten so that it meets a condition."""

        def check(draft: Passage) -> Passage | Fault:
            if fault := _fault_of(draft, golds):
                return fault
            if not is_so(dimension, condition.name, draft.text):
                return Fault(f"not {condition.said}", f"It must be {condition.meaning}.")
            wanted = not condition.name.startswith("not ")
            words = condition.name.removeprefix("not ")
            if dimension == "keyword" and holds(draft.content, words) is not wanted:
                return Fault("words of the condition", f"Make sure that {condition.meaning}.")
            return draft

        def compare(read: _Verdict, _: Passage) -> Fault | None:
            if not read.answers:
                return Fault("does not answer", "A reader says that it does not answer the query.")
            if not read.is_so:
                return Fault("not as asked for", f"A reader says that it is not {condition.said}.")
            return None

        told = {"condition": condition.said, "meaning": condition.meaning}
        put = asking(told, {"query": query, "document": document.content}, document)
        read = Verify(self.steps["judge_document"], _shown(told, query, document), compare)
        text: Passage = (
            await record.make(self.steps["rewrite"], put, check=check, verify=read)
        ).value
        return text

    async def _said(self, record: Record, query: str, condition: Condition) -> Said:
        """Have an instruction written that asks for a condition, and its reverse."""
        told = {"condition": condition.said}

        def read(step: str, meant: str) -> Verify[Any, _Wanted]:
            def compare(read: _Wanted, _: Any) -> Fault | None:
                problem = (
                    f"A reader says that it is {read.wants} documents that are {condition.said}."
                )
                return None if read.wants == meant else Fault(f"not {meant} the condition", problem)

            def shown(draft: Any) -> Question:
                return Question(told, {"instruction": draft.instruction})

            return Verify(self.steps[step], shown, compare)

        def differs(draft: _Instructed) -> _Instructed | Fault:
            if not tokens(draft.query) or not tokens(draft.instruction):
                return Fault("empty instruction", "Both sentences must have words.")
            if normalised(draft.query) == normalised(query):
                return Fault("query repeated", "The first sentence must be in other words.")
            if normalised(draft.instruction) in (normalised(query), normalised(draft.query)):
                return Fault(
                    "query as instruction", "The second sentence must ask for the condition."
                )
            return draft

        asked = await record.make(
            self.steps["write_instruction"],
            asking(told, {"query": query}),
            check=differs,
            verify=read("judge_instruction", "for"),
        )
        instruction = asked.value.instruction

        def reverses(draft: _Instruction) -> _Instruction | Fault:
            if not tokens(draft.instruction):
                return Fault("empty instruction", "The instruction has no words.")
            if normalised(draft.instruction) == normalised(instruction):
                return Fault("instruction repeated", "It says the same as the instruction.")
            return draft

        reverse = await record.make(
            self.steps["reverse_instruction"],
            asking(told, {"instruction": instruction}),
            check=reverses,
            verify=read("judge_reversal", "against"),
        )
        return Said(asked.value.query, instruction, reverse.value.instruction)

    async def _negative(
        self, record: Record, query: str, document: Document, golds: Sequence[Document]
    ) -> Passage:
        """Have a document written that looks like an answer to a query and is none."""

        def compare(read: _Answers, _: Passage) -> Fault | None:
            problem = "A reader finds an answer to the query in it."
            return Fault("negative answers", problem) if read.answers else None

        made = await record.make(
            self.steps["write_negative"],
            asking({}, {"query": query}, document),
            check=lambda draft: _fault_of(draft, [document, *golds]) or draft,
            verify=Verify(self.steps["judge_negative"], _shown({}, query, document), compare),
        )
        text: Passage = made.value
        return text


def _shown(values: Mapping[str, str], query: str, document: Document) -> Any:
    """Return what shows a judge a query and what was written of a document."""
    return lambda draft: Question(
        values, {"query": query, "document": draft.content}, (document.id,)
    )


def _fault_of(draft: Passage, others: Sequence[Document]) -> Fault | None:
    """Return what is wrong with a text that has to differ from others."""
    count = len(tokens(draft.text))
    if count < _FEWEST_WORDS:
        problem = f"It has {count} words; at least {_FEWEST_WORDS} are wanted."
        return Fault("empty text" if not count else "text too short", problem)
    if any(normalised(draft.text) == normalised(each.text) for each in others):
        return Fault("text repeated", "It says the same as another document of this query.")
    return None


# Step 7: which documents people should look at

_DEEPEST = 50
_TO_FILL = ("answers the query (y/n)", "meets the condition (y/n)", "remarks")


class Doubt(NamedTuple):
    """A gold document that at least half of the systems do not have among the first 50."""

    query: str
    document: str
    missed: tuple[str, ...]


def doubtful(benchmark: Benchmark, runs: Mapping[str, Run]) -> list[Doubt]:
    """Return golds that at least half of the systems miss.

    runs  system -> its run of the original queries
    """
    found: dict[tuple[str, str], Doubt] = {}
    for query in benchmark.queries:
        if query.facets.get("mode") != "original":
            continue
        first = {system: list(run.get(query.id, {}))[:_DEEPEST] for system, run in runs.items()}
        for id, grade in benchmark.qrels.get(query.id, {}).items():
            missed = tuple(system for system, ids in first.items() if id not in ids)
            if grade > 0 and 2 * len(missed) >= len(runs):
                found.setdefault((query.text, id), Doubt(query.text, id, missed))
    return list(found.values())


def write_sheet(path: str | Path, benchmark: Benchmark, doubts: Sequence[Doubt]) -> None:
    """Write the doubtful golds as `.csv`, with columns for readers to fill in."""
    rows = (
        [query, id, benchmark.corpus[id].content, " ".join(missed), *("" for _ in _TO_FILL)]
        for query, id, missed in doubts
    )
    sheets.write_sheet(path, ["query", "document", "text", "missed by", *_TO_FILL], rows)
