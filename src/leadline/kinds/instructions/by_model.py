"""Instructions by a language model: it writes a query and texts of each kind; a reader judges them.

Two calls a core query. What asks for a kind, and what refuses it, comes from our own wordings.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

from pydantic import BaseModel

from leadline.benchmark import Benchmark
from leadline.kinds.instructions.attributes.phrases import holds
from leadline.kinds.instructions.attributes.text import word_count
from leadline.kinds.instructions.conditions import CONDITIONS, Condition
from leadline.kinds.instructions.cores import MOST_WORDS, Core, as_benchmark
from leadline.kinds.instructions.texts import (
    CHOSEN,
    CoreQuery,
    Judged,
    Kept,
    Passage,
    Text,
    Verdict,
    Written,
    fault_of,
    faults_of,
    mentioning,
    problems_of,
    texts_of,
    tidy,
)
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import (
    VERIFIER,
    WRITER,
    Asks,
    Fault,
    Question,
    Refusal,
    RejectedError,
)
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.text.tokens import content_tokens
from leadline.types import Corpus, Document

DIMENSIONS = (*CONDITIONS, "keyword")
SHOWN = 1_000
"""Words of a document that the writer is shown."""

FEWEST = 2
"""Kinds of text that a core query needs."""

SHORTEST = 40
"""Words of a document, at least."""

_AGAIN = "\nYou have answered once. That answer stands below and cannot be used. Answer anew."
_NO_KINDS = "   (no kinds here: always 0)"
_READ = ("audience", "format", "source")
"""Dimensions of which the reader says which kind a text is; code measures the others."""


@dataclass(frozen=True)
class Source:
    """A document, and the dimension that it serves."""

    dimension: str
    document: Document


@dataclass
class Draft:
    """What was written of a document: kinds with their texts, a negative, and what was left out."""

    query: CoreQuery
    texts: list[Kept]
    negative: Passage | None
    dropped: list[str]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
    dimensions: Sequence[str] = DIMENSIONS,
) -> Benchmark:
    """Return a benchmark of kind "instructions" that a language model made from a corpus.

    limit  most core queries, of all dimensions together

    A text that fails drops its kind; a core query with two kinds left is kept. `built` counts
    what was dropped and why. Raises IncompleteError when calls got no answer.
    """
    dropped: Counter[str] = Counter()
    if "language" in dimensions and find_spec("lingua") is None:
        dimensions = [each for each in dimensions if each != "language"]
        dropped["language: needs pip install 'leadline[attributes]'"] += 1
    sources = spread(corpus, dimensions, limit, seed, dropped)
    steps = _Steps.of(models)
    outcomes = complete(
        run(
            Pipeline("", steps.every, steps.make),
            sources,
            {WRITER: models.writer, VERIFIER: models.verifier},
            into,
            seed=seed,
            attempts=models.attempts,
            log=log,
        ),
        into,
    )
    cores, records = [], {}
    for outcome in outcomes:
        told: dict[str, Any] = {"document": outcome.source.document.id}
        if outcome.value is not None:
            core, lost = outcome.value
            cores.append(core)
            told |= {"kept": list(core.golds), "dropped": lost}
        elif outcome.fault is not None:
            lost = [f"{outcome.source.dimension}: {outcome.fault.reason}"]
            told |= {"kept": [], "dropped": [*lost, outcome.fault.problem]}
        dropped.update(lost)
        records[outcome.id] = told
    into.measured = {**into.measured, "records": records}
    used = {core.source for core in cores}
    made = as_benchmark(
        cores,
        {id: corpus[id] for id in corpus if id not in used},
        name="instructions",
        seed=seed,
        source=source,
        dropped=dropped,
        builder=__name__,
        built_by="llm",
    )
    return replace(made, built={**made.built, "limit": limit, "read": models.reads})


def spread(
    corpus: Corpus,
    dimensions: Sequence[str],
    limit: int,
    seed: int,
    dropped: Counter[str],
    *,
    shortest: int = SHORTEST,
) -> list[tuple[str, Source]]:
    """Return documents that are drawn by the seed and dealt to the dimensions, each with an id.

    limit     most documents
    dropped   counts the documents and dimensions that are left out
    shortest  words of a document, at least
    """
    rng = random.Random(f"{seed} instructions")
    ids = [id for id in corpus if word_count(corpus[id].content) >= shortest]
    dropped[f"documents of fewer than {shortest} words"] += len(corpus) - len(ids)
    dropped["documents beyond the limit"] += max(0, len(ids) - limit)
    drawn = rng.sample(ids, min(limit, len(ids)))
    dealt = rng.sample(list(dimensions), len(dimensions))
    for dimension in dealt[len(drawn) :]:
        dropped[f"{dimension}: no document was left"] += 1
    for reason in [each for each, count in dropped.items() if not count]:
        del dropped[reason]
    sources = [Source(dealt[i % len(dealt)], corpus[id]) for i, id in enumerate(drawn)]
    return [(f"{each.dimension}-{i + 1}", each) for i, each in enumerate(sources)]


@dataclass(frozen=True)
class _Steps:
    """What is asked of the models; one small question at a time where they are weak."""

    models: Models
    write: Asks[Written]
    core: Asks[CoreQuery]
    text: Asks[Passage]
    negative: Asks[Passage]
    judge: Asks[Judged]

    @property
    def every(self) -> tuple[Asks[Any], ...]:
        small = self.models.effort == "low"
        writing = (self.core, self.text, self.negative) if small else (self.write,)
        return (*writing, *([self.judge] if self.models.reads else []))

    @classmethod
    def of(cls, models: Models) -> _Steps:
        def asks(name: str, read: type[BaseModel], usual: Any, model: str = WRITER) -> Asks[Any]:
            return Asks(
                name, Prompt.load(__package__, name), read, usual=usual, model=model, refused=0.02,
                max_tokens=models.max_tokens,
                temperature=models.temperature if model == WRITER else 0.0,
            )  # fmt: skip

        core = {"query": "old mill opening days", "paraphrase": "When does the old mill open?"}
        usual = Passage(title="The old mill", text="The old mill grinds flour on Sundays. " * 28)
        texts = [Text(n=n, words="", **usual.model_dump()) for n in (1, 2, 3)]
        judged = Judged(texts=[Verdict(n=n, kind=0, answers=False) for n in (1, 2, 3, 4)])
        return cls(
            models,
            asks("write", Written, Written(**core, texts=texts, negative=usual)),
            asks("write_core", CoreQuery, CoreQuery(**core)),
            asks("write_text", Passage, usual),
            asks("write_negative", Passage, usual),
            asks("judge", Judged, judged, VERIFIER),
        )

    async def make(self, record: Record, source: Source) -> tuple[Core, list[str]]:
        """Return the core query of a document, and why kinds were dropped."""
        write = self._in_parts if self.models.effort == "low" else self._at_once
        draft = await write(record, source)
        if self.models.reads:
            await self._read(record, source, draft)
        if len(draft.texts) < FEWEST:
            problem = "; ".join(draft.dropped)
            raise RejectedError(Fault("fewer than two kinds are left", problem))
        golds = {
            kind.name: Document(f"{record.id}~{n}", text.text, text.title)
            for n, kind, text in draft.texts
        }
        negative = draft.negative
        core = Core(
            record.id, draft.query.query.strip(), source.dimension, golds,
            names={each: (each, each) for each in golds} if source.dimension == "keyword" else {},
            negatives=[Document(f"{record.id}~0", negative.text, negative.title)]
            if negative else [],
            source=source.document.id, rephrased=draft.query.paraphrase.strip(),
        )  # fmt: skip
        return core, draft.dropped

    async def _at_once(self, record: Record, source: Source) -> Draft:
        dimension, document = source.dimension, source.document
        passed: list[Draft] = []

        def check(written: Written) -> Written | Fault:
            faults = faults_of(written, dimension, document)
            good = [each for each in texts_of(written, dimension) if each.n not in faults]
            problems = problems_of(written)
            if len(good) < FEWEST:
                problems += [f"Text {n}: {faults[n].problem}" for n in faults]
                problems += [f"At least {FEWEST} texts must be right."]
            if problems:
                reasons = [each.reason for each in faults.values() if len(good) < FEWEST]
                return asking.fault([*reasons, "the query"][0], " ".join(problems))
            lost = [f"{dimension}: {each.reason}" for each in faults.values()]
            passed.append(Draft(written, good, written.negative, lost))
            return written

        values = {
            "most": str(MOST_WORDS),
            "kinds": _listed(CONDITIONS.get(dimension, CHOSEN)),
            "words": f'"words": "{"..." if dimension == "keyword" else ""}", ',
        }
        asking = _Asking(values, document)
        written = await record.ask(self.write, asking, check=check)
        if written is self.write.usual:  # a dry run
            return Draft(written, texts_of(written, dimension), written.negative, [])
        return passed[-1]

    async def _in_parts(self, record: Record, source: Source) -> Draft:
        document = source.document

        def check_query(core: CoreQuery) -> CoreQuery | Fault:
            problems = problems_of(core)
            return asking.fault("the query", " ".join(problems)) if problems else core

        asking = _Asking({"most": str(MOST_WORDS)}, document)
        core = await record.ask(self.core, asking, check=check_query)
        asked = {"query": core.query}
        kinds = _kinds(source, core.query, random.Random(record.id))
        if not kinds:
            raise RejectedError(Fault("no two words that set a text apart"))

        async def write(part: Record, kind: Condition) -> Passage:
            others = [each.name for each in kinds if each is not kind]
            is_keyword = source.dimension == "keyword"
            never = f"; it never mentions “{others[0]}”" if is_keyword else ""

            def check(text: Passage) -> Passage | Fault:
                text = tidy(text, kind)
                fault = fault_of(text, source.dimension, kind, others)
                return asking.fault(fault.reason, fault.problem) if fault else text

            told = {"kind": f"{kind.said} ({kind.meaning}{never})"}
            asking = _Asking({}, document, asked | told)
            return await part.ask(self.text, asking, check=check)

        written = await record.each(kinds, write)
        try:
            negative = await record.ask(self.negative, _Asking({}, document, asked))
        except RejectedError:
            negative = None
        texts = [
            Kept(n, kind, text)
            for n, (kind, text) in enumerate(zip(kinds, written, strict=True), 1)
            if isinstance(text, Passage)
        ]
        lost = [f"{source.dimension}: {each.reason}" for each in written if isinstance(each, Fault)]
        return Draft(core, texts, negative, lost)

    async def _read(self, record: Record, source: Source, draft: Draft) -> None:
        """Have all texts read in a drawn order; take out those that are not as they should be."""
        texts = [text for _, _, text in draft.texts]
        texts += [draft.negative] if draft.negative else []
        order = random.Random(record.id).sample(range(len(texts)), len(texts))
        verdicts: dict[int, Verdict] = {}

        def check(judged: Judged) -> Judged | Fault:
            verdicts.update(
                {order[each.n - 1]: each for each in judged.texts if each.n <= len(order)}
            )
            if len(verdicts) == len(order):
                return judged
            return Fault("a text without a verdict", f"There must be {len(order)} entries.")

        kinds = CONDITIONS[source.dimension] if source.dimension in _READ else ()
        values = {"count": str(len(texts)), "kinds": _listed(kinds) or _NO_KINDS}
        shown = [f"Text {n}\n{texts[place].content}" for n, place in enumerate(order, 1)]
        marked = {"texts": "\n\n".join(shown), "query": draft.query.query}
        question = Question(values, marked, (source.document.id,))
        judged = await record.ask(self.judge, question, check=check)
        if judged is self.judge.usual:  # a dry run
            return
        kept = []
        for place, each in enumerate(draft.texts):
            verdict = verdicts[place]
            if not verdict.answers:
                draft.dropped.append(f"{source.dimension}: a text does not answer, says the reader")
            elif kinds and verdict.kind != kinds.index(each.kind) + 1:
                draft.dropped.append(f"{source.dimension}: not {each.kind.said}, says the reader")
            else:
                kept.append(each)
        if draft.negative and verdicts[len(draft.texts)].answers:
            draft.dropped.append(f"{source.dimension}: the negative answers, says the reader")
            draft.negative = None
        draft.texts = kept


@dataclass
class _Asking:
    """Puts a question on a document again where code refused the answer, and says why.

    told  what code has said of answers: our own words, which stand outside the marks
    """

    values: Mapping[str, str]
    document: Document
    texts: Mapping[str, str] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    def fault(self, reason: str, problem: str) -> Fault:
        """Return a fault of an answer, of which the model is told."""
        self.told.add(problem)
        return Fault(reason, problem)

    def __call__(self, refusal: Refusal | None) -> Question:
        values = {**self.values, "refused": "", "draft": ""}
        texts = {"document": _cut(self.document.content), **self.texts}
        if refusal is not None and refusal.problem in self.told:
            values["refused"] = f"{_AGAIN} {refusal.problem}\n"
            del values["draft"]
            texts["draft"] = refusal.draft
        return Question(values, texts, (self.document.id,))


def _cut(text: str) -> str:
    """Return the first words of a text, as they stand."""
    found = list(re.finditer(r"\S+", text))
    return text if len(found) <= SHOWN else text[: found[SHOWN - 1].end()]


def _listed(kinds: Sequence[Condition]) -> str:
    return "\n".join(f"   {n}. {each.said}: {each.meaning}" for n, each in enumerate(kinds, 1))


def _kinds(source: Source, query: str, rng: random.Random) -> list[Condition]:
    """Return two kinds for a weak model; as keywords the most frequent words of a document."""
    if source.dimension != "keyword":
        return rng.sample(CONDITIONS[source.dimension], FEWEST)
    counts = Counter(
        each for each in content_tokens(source.document.text) if len(each) > 4 and each.isalpha()
    )
    words = [each for each, _ in counts.most_common() if not holds(query, each)]
    return [mentioning(each) for each in words[:FEWEST]] if len(words) >= FEWEST else []
