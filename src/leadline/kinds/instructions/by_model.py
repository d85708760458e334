"""A language model writes a query and texts of several kinds, and a reader judges them.

It takes two calls for each core query. The instructions themselves come from our own wordings.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any, NamedTuple

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.errors import InputError, unknown
from leadline.kinds.instructions import by_rules
from leadline.kinds.instructions.cores import (
    MOST_WORDS,
    Condition,
    Core,
    as_benchmark,
    conditions,
    is_so,
)
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import (
    VERIFIER,
    WRITER,
    Asks,
    Fault,
    Models,
    Question,
    Refusal,
    RejectedError,
    question_after,
)
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.attributes import holds, word_count
from leadline.text.tokens import normalised, tokens
from leadline.types import Corpus, Document

DIMENSIONS = ("audience", "format", "language", "length", "source", "keyword")
SHOWN = 1_000
"""Words of a document that the writer is shown."""
FEWEST = 2
"""Kinds of text that a core query needs."""
SHORTEST = 40
"""Words of a document, at least."""

_READ = ("audience", "format", "source")
"""Dimensions of which the reader says which kind a text is; code measures the others."""
_NO_KINDS = "   (no kinds here: always 0)"
_SPAN = (80, 500)  # words of a text for which 150 to 350 are asked
_LONGEST_QUERY = 14  # words, where `MOST_WORDS` are asked
_PHRASE = re.compile(r"[\w'’.-]+(?: [\w'’.-]+){0,3}")
_CHOSEN = (
    Condition(
        "",
        "a text with words of your choice",
        '"words" holds 1 to 4 words in a row that stand in the document exactly like this, belong '
        "to the heart of the matter and do not stand in the query; the text holds them too",
    ),
    Condition("", "a text with other words", "the same; no text holds the words of another"),
)
"""Kinds of the dimension keyword, as the writer is told."""


class Passage(BaseModel):
    """A document that a model wrote."""

    title: str = Field(max_length=300)
    text: str = Field(max_length=8_000)

    @property
    def content(self) -> str:
        """Title and text."""
        return f"{self.title}\n{self.text}"

    def as_document(self, id: str) -> Document:
        """Return it as a document of a corpus."""
        return Document(id, self.text, self.title)


class Text(BaseModel):
    """A text of a kind. `words` stand in it and in no other; empty but for keywords."""

    n: int = Field(ge=1, le=3)
    words: str = Field(max_length=100)
    title: str = Field(max_length=300)
    text: str = Field(max_length=8_000)


class Written(BaseModel):
    """All that is written of one document: a query, also in other words, and texts."""

    query: str = Field(max_length=200)
    paraphrase: str = Field(max_length=400)
    texts: list[Text] = Field(max_length=4)
    negative: Passage


class Verdict(BaseModel):
    """What the reader says of one text."""

    n: int = Field(ge=1, le=4)
    kind: int = Field(ge=0, le=3)
    answers: bool


class Judged(BaseModel):
    """What the reader says of all texts of a query."""

    texts: list[Verdict] = Field(max_length=4)


@dataclass(frozen=True)
class Source:
    """A document, the dimension that it serves, and its query, if there is one already."""

    dimension: str
    document: Document
    query: str = ""


def spread(
    corpus: Corpus,
    dimensions: Sequence[str],
    limit: int,
    seed: int,
    dropped: Counter[str],
    *,
    shortest: int = 0,
) -> list[tuple[str, Source]]:
    """Return documents that are drawn by the seed and dealt to the dimensions, each with an id.

    dimensions  without, all
    dropped     counts the documents and dimensions that are left out

    Raises InputError for a dimension that there is not.
    """
    rng = random.Random(f"{seed} instructions")
    if others := set(dimensions) - set(DIMENSIONS):
        raise unknown("dimension", min(others), DIMENSIONS)
    dimensions = dimensions or DIMENSIONS
    if "language" in dimensions and find_spec("lingua") is None:
        dimensions = [each for each in dimensions if each != "language"]
        dropped["language: needs pip install 'leadline[attributes]'"] += 1
    ids = [id for id in corpus if word_count(corpus[id].content) >= shortest]
    drawn = rng.sample(ids, min(limit, len(ids)))
    dealt = rng.sample(list(dimensions), len(dimensions))
    lost = {
        f"documents of fewer than {shortest} words": len(corpus) - len(ids),
        "documents beyond the limit": len(ids) - len(drawn),
        **{f"{each}: no document was left": 1 for each in dealt[len(drawn) :]},
    }
    dropped.update({reason: count for reason, count in lost.items() if count})
    sources = [
        Source(dealt[i % len(dealt)], corpus[id]) for i, id in enumerate(drawn if dealt else ())
    ]
    return [(f"{each.dimension}-{i + 1}", each) for i, each in enumerate(sources)]


def asks(models: Models, name: str, usual: BaseModel, prompt: str = "") -> Asks[Any]:
    """Return a step that asks for answers like a usual one, with a prompt of this folder."""
    model = VERIFIER if name.startswith("judge") else WRITER
    return Asks(
        name,
        Prompt.load("leadline.kinds.instructions", prompt or name),
        type(usual),
        usual=usual,
        max_tokens=models.max_tokens,
        model=model,
        temperature=models.temperature if model == WRITER else 0.0,
    )


def fault_of_words(words: str, document: Document, query: str) -> Fault | None:
    """Return what is wrong with words of a document that are to tell a text from others."""
    if not _PHRASE.fullmatch(words):
        return Fault("words that are no short phrase", 'its "words" must be 1 to 4 words.')
    if not holds(document.content, words) or holds(query, words):
        problem = 'its "words" must stand in the document exactly so, and not in the query.'
        return Fault("words that are not in the document", problem)
    return None


def mentioning(words: str) -> Condition:
    """Return the condition that a text holds words."""
    return Condition(words, f"a text that mentions “{words}”", f"it has the words “{words}”")


class _Kept(NamedTuple):
    """A text and its kind, with the number of the kind."""

    n: int
    kind: Condition
    text: Passage


@dataclass
class _Draft:
    """What was written of a document: kinds with their texts, a negative, and what was left out."""

    query: Written
    texts: list[_Kept]
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
    dimensions: Sequence[str] = (),
) -> Benchmark:
    """Return a benchmark of kind "instructions" that a language model made from a corpus.

    limit       most core queries, of all dimensions together
    dimensions  without, all

    A weak writer is not asked: the rules build. A text that fails drops its kind; a core query
    with two kinds left is kept. `built` counts
    what was dropped and why. Raises IncompleteError when calls got no answer.
    """
    if models.effort == "low":
        if dimensions:
            raise InputError("--dimension needs a strong model: --llm-effort high tries this one.")
        made = by_rules.build(corpus, seed=seed, limit=limit, source=source)
        return replace(made, built={**made.built, "effort": "low"})
    dropped: Counter[str] = Counter()
    sources = spread(corpus, dimensions, limit, seed, dropped, shortest=SHORTEST)
    builder = _Builder(models)
    pipeline = Pipeline("", tuple(builder.steps.values()), builder.make)
    cores, records = [], {}
    for outcome in finish(pipeline, sources, models, into, seed=seed, log=log):
        told: dict[str, Any] = {"document": outcome.source.document.id, "kept": []}
        lost: list[str] = []
        if outcome.fault is not None:
            lost = [f"{outcome.source.dimension}: {outcome.fault.reason}"]
            told["dropped"] = [*lost, outcome.fault.problem]
        elif outcome.value is not None:
            core, lost = outcome.value
            cores.append(core)
            told |= {"kept": list(core.golds), "dropped": lost}
        dropped.update(lost)
        records[outcome.id] = told
    into.measured = {**into.measured, "records": records}
    return as_benchmark(
        cores,
        corpus,
        seed=seed,
        source=source,
        dropped=dropped,
        builder=__name__,
        built_by="llm",
        limit=limit,
        read=models.reads,
    )


class _Builder:
    """Asks the models: two calls a core query."""

    def __init__(self, models: Models) -> None:
        self.models = models
        core = {"query": "old mill opening days", "paraphrase": "When does the old mill open?"}
        usual = Passage(title="The old mill", text="The old mill grinds flour on Sundays. " * 28)
        texts = [Text(n=n, words="", **usual.model_dump()) for n in (1, 2, 3)]
        judged = Judged(texts=[Verdict(n=n, kind=0, answers=False) for n in (1, 2, 3, 4)])
        answers: dict[str, BaseModel] = {"write": Written(**core, texts=texts, negative=usual)}
        if models.reads:
            answers["judge"] = judged
        self.steps = {name: asks(models, name, answer) for name, answer in answers.items()}

    async def make(self, record: Record, source: Source) -> tuple[Core, list[str]]:
        """Return the core query of a document, and why kinds were dropped."""
        draft = await self._at_once(record, source)
        if self.models.reads:
            await self._read(record, source, draft)
        if len(draft.texts) < FEWEST:
            raise RejectedError(Fault("fewer than two kinds are left", "; ".join(draft.dropped)))
        golds = {kind.name: text.as_document(f"{record.id}~{n}") for n, kind, text in draft.texts}
        negatives = [draft.negative.as_document(f"{record.id}~0")] if draft.negative else []
        core = Core(
            record.id,
            draft.query.query.strip(),
            source.dimension,
            golds,
            negatives=negatives,
            source=source.document.id,
            rephrased=draft.query.paraphrase.strip(),
        )
        return core, draft.dropped

    async def _at_once(self, record: Record, source: Source) -> _Draft:
        def check(written: Written) -> Written | Fault:
            faults, good = _faults_of(written, source)
            problems, reason = _problems_of(written), "the query"
            if len(good) < FEWEST:
                reason = next(iter(faults.values())).reason
                problems += [f"Text {n}: {faults[n].problem}" for n in faults]
                problems += [f"At least {FEWEST} texts must be right."]
            return Fault(reason, " ".join(problems)) if problems else written

        values = {
            "most": str(MOST_WORDS),
            "kinds": _listed(_kinds(source.dimension)),
            "words": f'"words": "{"..." if source.dimension == "keyword" else ""}", ',
        }
        texts = {"document": _first_words(source.document)}
        put = asking(values, texts, source.document)
        written = await record.ask(self.steps["write"], put, check=check)
        faults, good = _faults_of(written, source)
        if len(good) < FEWEST:  # in a dry run
            faults, good = {}, _texts_of(written, source.dimension)
        lost = [f"{source.dimension}: {each.reason}" for each in faults.values()]
        return _Draft(written, good, written.negative, lost)

    async def _read(self, record: Record, source: Source, draft: _Draft) -> None:
        """Have all texts read in a drawn order; take out those that are not as they should be."""
        dimension = source.dimension
        texts = [text for _, _, text in draft.texts]
        texts += [draft.negative] if draft.negative else []
        order = random.Random(record.id).sample(range(len(texts)), len(texts))
        verdicts: dict[int, Verdict] = {}

        def check(judged: Judged) -> Judged | Fault:
            known = [each for each in judged.texts if each.n <= len(order)]
            verdicts.update({order[each.n - 1]: each for each in known})
            if len(verdicts) == len(order):
                return judged
            return Fault("a text without a verdict", f"There must be {len(order)} entries.")

        kinds = conditions(dimension) if dimension in _READ else ()
        values = {"count": str(len(texts)), "kinds": _listed(kinds) or _NO_KINDS}
        shown = [f"Text {n}\n{texts[place].content}" for n, place in enumerate(order, 1)]
        marked = {"texts": "\n\n".join(shown), "query": draft.query.query}
        question = Question(values, marked, (source.document.id,))
        await record.ask(self.steps["judge"], question, check=check)
        if not verdicts:  # in a dry run
            return
        kept, lost = [], []
        for place, each in enumerate(draft.texts):
            if not verdicts[place].answers:
                lost.append("a text does not answer")
            elif kinds and verdicts[place].kind != kinds.index(each.kind) + 1:
                lost.append(f"not {each.kind.said}")
            else:
                kept.append(each)
        if draft.negative and verdicts[len(draft.texts)].answers:
            lost.append("the negative answers")
            draft.negative = None
        draft.texts = kept
        draft.dropped += [f"{dimension}: {each}, says the reader" for each in lost]


def asking(
    values: Mapping[str, str], texts: Mapping[str, str], document: Document | None = None
) -> Callable[[Refusal | None], Question]:
    """Return what puts a question, again with what was wrong where an answer was refused."""
    parents = () if document is None else (document.id,)
    return lambda refusal: question_after(refusal, values, texts, parents)


def _first_words(document: Document) -> str:
    words = list(re.finditer(r"\S+", document.content))[:SHOWN]
    return document.content[: words[-1].end()] if words else ""


def _kinds(dimension: str) -> tuple[Condition, ...]:
    return _CHOSEN if dimension == "keyword" else conditions(dimension)


def _listed(kinds: Sequence[Condition]) -> str:
    return "\n".join(f"   {n}. {each.said}: {each.meaning}" for n, each in enumerate(kinds, 1))


def _texts_of(written: Written, dimension: str) -> list[_Kept]:
    of = {each.n: each for each in written.texts}
    kept = []
    for n, kind in enumerate(_kinds(dimension), 1):
        if n in of:
            own = kind if kind.name else mentioning(of[n].words.strip())
            kept.append(_Kept(n, own, _tidy(of[n], own)))
    return kept


def _tidy(text: Passage | Text, kind: Condition) -> Passage:
    """Return a text as one of its kind stands: a sentence has no title, a paragraph no break."""
    title, body = text.title.strip(), text.text.strip()
    if kind.name in ("sentence", "paragraph"):
        body = " ".join(body.split())
    return Passage(title="" if kind.name == "sentence" else title, text=body)


def _problems_of(core: Written) -> list[str]:
    problems = []
    if not 1 < len(core.query.split()) <= _LONGEST_QUERY:
        problems.append(f'The "query" must have 2 to {MOST_WORDS} words.')
    if not tokens(core.paraphrase) or normalised(core.paraphrase) == normalised(core.query):
        problems.append('The "paraphrase" must be a sentence in other words than the query.')
    return problems


def _faults_of(written: Written, source: Source) -> tuple[dict[int, Fault], list[_Kept]]:
    """Return what is wrong with each kind without a usable text, by its number, and the others."""
    faults: dict[int, Fault] = {}
    texts = {each.n: each for each in _texts_of(written, source.dimension)}
    seen = {normalised(written.negative.text)}
    for n, wanted in enumerate(_kinds(source.dimension), 1):
        if n not in texts:
            faults[n] = Fault(f"{wanted.said} was left out", "it is missing.")
            continue
        _, kind, text = texts[n]
        others = [each.kind.name for each in texts.values() if each.n != n]
        fault = _fault_of(text, source.dimension, kind, others)
        if source.dimension == "keyword":
            fault = fault_of_words(kind.name, source.document, written.query) or fault
        if normalised(text.text) in seen:
            fault = Fault("a text repeated", "it says the same as another text.")
        seen.add(normalised(text.text))
        if fault:
            faults[n] = fault
    return faults, [each for n, each in texts.items() if n not in faults]


def _fault_of(
    text: Passage, dimension: str, kind: Condition, others: Sequence[str]
) -> Fault | None:
    """Return what is wrong with a text of a kind; of keywords it must hold none of the others."""
    if not is_so(dimension, kind.name, text.text):
        return Fault(f"not {kind.said}", f"it must be {kind.said}: {kind.meaning}.")
    count, (low, high) = word_count(text.text), _SPAN
    has_own = dimension == "length" or kind.name == "code snippet"
    if not (has_own or low <= count <= high):
        return Fault("length of a text", f"it has {count} words; 150 to 350 are wanted.")
    if dimension == "keyword" and (
        not holds(text.content, kind.name) or any(holds(text.content, each) for each in others)
    ):
        problem = "it must mention its own words and none of the words of another text."
        return Fault("words of another text", problem)
    return None
