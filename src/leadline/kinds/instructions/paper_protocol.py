"""Build instructions with a language model, by the steps of the paper.

Source: Zhou et al., Beyond Content Relevance, section 2.2, steps 1 to 7.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

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
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import Asks, Fault, Models, Question, RejectedError, Verify
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.attributes import holds, without_code
from leadline.text.tokens import normalised, tokens
from leadline.types import Corpus, Document, Qrels, Query, Run

_FEWEST_WORDS = 5  # of a text
_NONE = "none so far"
KEYWORDS = NEGATIVES = 3
"""Keywords of a document at most, each with a text of its own; query negatives of each gold.

Source: Zhou et al., table 1 (288 conditions of 100 queries; four documents for each condition).
"""


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
        for id, each in spread(chosen, dimensions, limit, seed, dropped)
    ]
    steps = _steps(models)

    async def make(record: Record, source: Source) -> Core:
        return await _Work(steps, record, source).core()

    cores: list[Core] = []
    pipeline = Pipeline("", tuple(steps.values()), make)
    for outcome in finish(pipeline, sources, models, into, seed=seed, log=log):
        if outcome.value is None:
            dropped[outcome.reason] += 1
        else:
            cores.append(outcome.value)
    if not cores:
        raise InputError(
            f"No instruction of {models.writer.name} passed the checks. Use another model, or "
            "more --attempts."
        )
    return as_benchmark(
        cores, corpus, seed=seed, source=source, dropped=dropped, builder=__name__, built_by="llm"
    )


def _steps(models: Models) -> dict[str, Asks[Any]]:
    text = Passage(title="The old mill", text="The old mill grinds flour on Sundays. " * 10)
    asked = _Instructed(query="When does the old mill run?", instruction="One sentence, please.")
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
    return {
        # What reads an instruction reads its reversal.
        name: asks(models, name, answer, f"paper_{name.replace('reversal', 'instruction')}")
        for name, answer in answers.items()
    }


@dataclass
class _Work:
    """Makes the core query of one document."""

    steps: Mapping[str, Asks[Any]]
    record: Record
    source: Source
    query: str = ""
    words: list[str] = field(default_factory=list)
    golds: dict[str, Document] = field(default_factory=dict)

    async def core(self) -> Core:
        document, dimension, id = self.source.document, self.source.dimension, self.record.id
        self.query = self.source.query or await self._core_query()
        said: dict[str, Said] = {}
        wanted = await self._words() if dimension == "keyword" else conditions(dimension)
        for n, each in enumerate(wanted, start=1):
            self.golds[each.name] = (await self._rewritten(each)).as_document(f"{id}~{n}")
            said[each.name] = await self._said(each)
        negatives: list[Document] = []
        for n in range(1, NEGATIVES * len(self.golds) + 1):
            earlier = "\n\n".join(each.content for each in negatives) or _NONE
            other = await self._made(
                "write_negative",
                lambda draft: _fault_of(draft, [document, *self.golds.values(), *negatives]),
                {}, {"query": self.query, "earlier": earlier}, "judge_negative",
                lambda read: _first(
                    (read.answers, "negative answers",
                     "A reader finds an answer to the query in it.")
                ),
            )  # fmt: skip
            negatives.append(other.as_document(f"{id}~negative{n}"))
        return Core(
            id, self.query, dimension, self.golds,
            negatives=negatives, source=document.id, said=said,
        )  # fmt: skip

    async def _made(
        self,
        step: str,
        faults: Callable[[Any], Fault | None],
        values: Mapping[str, str],
        texts: Mapping[str, str],
        judge: str = "",
        compare: Callable[[Any], Fault | None] = lambda read: None,
    ) -> Any:
        """Return an answer in which neither code nor a judge finds a fault."""

        def shown(draft: Any) -> Question:
            told = {"query": self.query, "document": draft.content} if isinstance(
                draft, Passage
            ) else {"instruction": draft.instruction}  # fmt: skip
            return Question(values, told, (self.source.document.id,))

        made = await self.record.make(
            self.steps[step],
            asking(values, texts, self.source.document),
            check=lambda draft: faults(draft) or draft,
            verify=Verify(self.steps[judge], shown, lambda read, _: compare(read)) if judge else (),
        )
        return made.value

    async def _core_query(self) -> str:
        problem = f"It must have 2 to {MOST_WORDS} words."
        made = await self._made(
            "write_core",
            lambda draft: _first(
                (not 1 < len(draft.query.split()) <= MOST_WORDS, "length of the core query",
                 problem)
            ),
            {"most": str(MOST_WORDS)}, {"document": self.source.document.content},
        )  # fmt: skip
        return str(made.query).strip()

    async def _words(self) -> list[Condition]:
        """Choose words of the document: each is in one version of it and in no other."""
        document, found = self.source.document, self.words
        texts = {"query": self.query, "document": document.content}

        def faults(draft: _Words) -> Fault | None:
            words = draft.words.strip()
            near = any(holds(words, each) or holds(each, words) for each in found)
            return fault_of_words(words, document, self.query) or _first(
                (near, "words chosen before", "Its words were chosen before.")
            )

        while len(found) < KEYWORDS:
            texts["chosen"] = ", ".join(found) or _NONE
            try:
                made = await self._made("choose_words", faults, {}, texts)
            except RejectedError:
                if len(found) < 2:
                    raise
                break
            found.append(made.words.strip())
        others = {each: [f"“{other}”" for other in found if other != each] for each in found}
        return [
            mentioning(each)._replace(
                meaning=f"{mentioning(each).meaning} and nowhere {' or '.join(others[each])}"
            )
            for each in found
        ]

    async def _rewritten(self, condition: Condition) -> Passage:
        name, said, meaning = condition
        dimension, document = self.source.dimension, self.source.document

        def faults(draft: Passage) -> Fault | None:
            is_wrong = any(holds(draft.content, each) is not (each == name) for each in self.words)
            return _fault_of(draft, self.golds.values()) or _first(
                (not is_so(dimension, name, draft.text), f"not {said}", f"It must be {meaning}."),
                (is_wrong, "words of the condition", f"Make sure that {meaning}."),
            )

        if (part := _part_of(document, name)) and not faults(part):
            return part
        told = "A reader says that it"
        made: Passage = await self._made(
            "rewrite", faults, {"condition": said, "meaning": meaning},
            {"query": self.query, "document": document.content}, "judge_document",
            lambda read: _first(
                (not read.answers, "does not answer", f"{told} does not answer the query."),
                (not read.is_so, "not as asked for", f"{told} is not {said}."),
            ),
        )  # fmt: skip
        return made

    async def _said(self, condition: Condition) -> Said:
        """Have an instruction written that asks for a condition, and its reverse."""
        told, query = {"condition": condition.said}, normalised(self.query)

        def reads(meant: str) -> Callable[[_Wanted], Fault | None]:
            return lambda read: _first(
                (read.wants != meant, f"not {meant} the condition",
                 f"A reader says that it is {read.wants} documents that are {condition.said}.")
            )  # fmt: skip

        def differs(draft: _Instructed) -> Fault | None:
            first, second = normalised(draft.query), normalised(draft.instruction)
            return _first(
                (not (tokens(draft.query) and tokens(draft.instruction)), "empty instruction",
                 "Both sentences must have words."),
                (first == query, "query repeated", "The first sentence must be in other words."),
                (second in (query, first), "query as instruction",
                 "The second sentence must ask for the condition."),
            )  # fmt: skip

        def reverses(draft: _Instruction) -> Fault | None:
            said, known = normalised(draft.instruction), normalised(asked.instruction)
            return _first(
                (not tokens(draft.instruction), "empty instruction", "It has no words."),
                (said == known, "instruction repeated", "It says the same as the instruction."),
            )

        asked = await self._made(
            "write_instruction", differs, told, {"query": self.query},
            "judge_instruction", reads("for"),
        )  # fmt: skip
        turned = await self._made(
            "reverse_instruction", reverses, told, {"instruction": asked.instruction},
            "judge_reversal", reads("against"),
        )  # fmt: skip
        return Said(asked.query, asked.instruction, turned.instruction)


def _part_of(post: Document, condition: str) -> Passage | None:
    """Return the part of a forum post that has a condition of `format`; None for a text without.

    A post with code is a forum answer, its code a code snippet, and what it quotes a manual.
    Source: Zhou et al., step 2 (posts of StackOverflow).
    """
    prose, code = without_code(post.text)
    quoted = [line.lstrip("> ") for line in prose.splitlines() if line.startswith(">")]
    parts = {
        "forum answer": post.text, "code snippet": code, "official manual": "\n".join(quoted),
    }  # fmt: skip
    text = parts.get(condition, "") if code else ""
    return Passage(title="", text=text) if text else None


def _first(*faults: tuple[bool, str, str]) -> Fault | None:
    """Return the first fault that there is; each has a reason and a problem."""
    return next((Fault(reason, problem) for is_bad, reason, problem in faults if is_bad), None)


def _fault_of(draft: Passage, others: Iterable[Document]) -> Fault | None:
    """Return what is wrong with a text that has to differ from others."""
    count, known = len(tokens(draft.text)), {normalised(each.text) for each in others}
    is_known = normalised(draft.text) in known
    return _first(
        (not count, "empty text", f"It has no words; at least {_FEWEST_WORDS} are wanted."),
        (count < _FEWEST_WORDS, "text too short", f"At least {_FEWEST_WORDS} words are wanted."),
        (is_known, "text repeated", "It says the same as another document of this query."),
    )


_DEEPEST = 50
LEAST_SCORE = 0.5
"""Below it a gold is missed, in step 7 of the paper."""
_TO_FILL = ("answers the query (y/n)", "meets the condition (y/n)", "remarks")


def write_sheet(
    path: str | Path,
    benchmark: Benchmark,
    runs: Mapping[str, Run],
    least: Mapping[str, float] | None = None,
) -> int:
    """Write the golds that at least half of the systems miss, as `.csv`; readers fill in the rest.

    A gold is missed where it is not among the first 50, or scores too low. It is step 7 of the
    paper.

    runs   system -> its run of the original queries
    least  system -> score below which it misses a gold; by default none counts as too low

    Returns how many golds there are.
    """
    rows: dict[tuple[str, str], list[str]] = {}
    for query in benchmark.queries:
        if query.facets.get("mode") != "original":
            continue
        first = {
            system: dict([*run.get(query.id, {}).items()][:_DEEPEST])
            for system, run in runs.items()
        }
        for id, grade in benchmark.qrels.get(query.id, {}).items():
            missed = [
                system
                for system, found in first.items()
                if id not in found or found[id] < (least or {}).get(system, -math.inf)
            ]
            if grade > 0 and 2 * len(missed) >= len(runs):
                row = [query.text, id, benchmark.corpus[id].content, " ".join(missed)]
                rows.setdefault((query.text, id), [*row, *("" for _ in _TO_FILL)])
    columns = ["query", "document", "text", "missed by", *_TO_FILL]
    return sheets.write_sheet(path, columns, rows.values())
