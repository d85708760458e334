"""Queries of several conditions, written by a language model in two calls a document.

A writer names facts by the number of their sentence, words each twice, and exchanges a few words
to break it; code looks everything up and makes the exchange; a reader says which sentences state
what. A weak writer only words facts that the rules found. Source of the ladders: MultiConIR,
sections 3.2 and 3.3.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from leadline.benchmark import Benchmark
from leadline.kinds.conditions.about import topic_of
from leadline.kinds.conditions.by_rules import Found as Kept
from leadline.kinds.conditions.by_rules import Made, benchmark_of, find, with_room
from leadline.kinds.conditions.choosing import Condition
from leadline.kinds.conditions.drafts import (
    Draft,
    Drafts,
    Found,
    Passage,
    conditions_of,
    invented,
    looked_up,
    lost,
    passage_of,
    plain,
)
from leadline.kinds.conditions.edits import Edit
from leadline.kinds.conditions.fields import Fields, fields_of
from leadline.kinds.conditions.reading import read_back
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import Asks, Fault, Question, Refusal, RejectedError
from leadline.llm.pipeline.trial import reading_step
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.text.tokens import content_tokens
from leadline.types import Corpus, Document, Query, Run

Finds: TypeAlias = Callable[[Sequence[Query], int], Run]
"""What a system finds for queries, so many documents deep."""

WHOLE, _MANY = 3, 30
"""Conditions of a whole ladder; shorter ones are kept where there are fewer ladders than these."""
_ENOUGH = 5
"""Facts that pass, below which faulty ones are asked for again."""
_WORDED = 3
"""Conditions of a document that a weak model words."""
_WITHIN = 50
_FEWEST_SENTENCES = 5
_MOST_WORDS, _FEWEST_SHARED = 20, 3
_PACKAGE = "leadline.kinds.conditions"
_DENIALS = frozenset({"not", "no", "never", "without", "cannot", "none"})
_USUAL = Drafts(
    about="the mills of a river town",
    facts=[
        Draft(
            n=3, short="mill at northern bridge rebuilt in stone 1873",
            long="the mill by the northern bridge got its stone walls back in 1873",
            old="1873", new="1891", kind="date",
            control_n=8, control_old="1902", control_new="1911",
        )
    ] * 8
)  # fmt: skip
_MARK = re.compile(r"</?\w+>")
"""What stands around texts in a prompt, which weak models copy."""
_USUAL_WORDS = "stone mill northern bridge rebuilt"


@dataclass(frozen=True)
class _Work:
    """What was made of one document, and why other facts were left out.

    about  what the document is about, where the writer says so
    """

    document: Document
    conditions: list[Condition]
    left_out: Counter[str] = field(default_factory=Counter)
    about: str = ""


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
    finds: Sequence[Finds] = (),
) -> Benchmark:
    """Return a benchmark of kind "conditions" that a language model wrote of a corpus.

    limit  most documents that a model is shown, drawn by the seed
    finds  systems of which one must find the document by a weak model's words in the first 50

    A fault drops its fact, never the document. Ladders of one or two conditions are kept where
    there are few others. What became of every document stands in the run's record.

    Raises IncompleteError when calls got no answer.
    """
    records = fields_of(corpus)
    dropped: Counter[str] = Counter()
    if models.effort == "low":
        rules = find(corpus, seed=seed, limit=limit)
        dropped.update(rules.documents)
        sources = [(document, conditions[:_WORDED]) for document, conditions in rules.kept]
        steps, make = _wording(models, seed)
    else:
        sources = [(each, []) for each in _drawn(corpus, records, limit, seed, dropped)]
        steps, make = _writing(models, seed)
    outcomes = complete(
        run(
            Pipeline("", steps, make), ((each[0].id, each) for each in sources),
            {"writer": models.writer, "verifier": models.verifier}, into, seed=seed,
            attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    works = [
        each.value
        or _Work(each.source[0], [], Counter({each.fault.reason if each.fault else "": 1}))
        for each in outcomes
    ]
    if models.effort == "low":
        works = _found_again(works, finds)
    return _benchmark(corpus, records, works, dropped, models, into, seed, limit, source)


def _benchmark(
    corpus: Corpus,
    records: Fields,
    works: Sequence[_Work],
    dropped: Counter[str],
    models: Models,
    into: RunRecord,
    seed: int,
    limit: int,
    source: str,
) -> Benchmark:
    small = {word for each in works for word in each.document.text.split() if word.islower()}
    rng = random.Random(f"{seed} conditions by a model")
    kept: list[Made] = []
    topics, left_out, told = [], Counter[str](), {}
    for each in works:
        topic = each.about or topic_of(each.document, small)
        order = rng.sample(each.conditions, len(each.conditions))
        left_out.update(each.left_out)
        if conditions := with_room(order, topic) if order else []:
            kept.append((each.document, conditions))
            topics.append(topic)
        else:
            dropped["no fact that passed"] += 1
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(each.left_out.items()))
        told[each.document.id] = f"{len(conditions)} conditions; left out: {reasons or 'nothing'}"
    whole = [place for place, (_, held) in enumerate(kept) if len(held) >= WHOLE]
    if len(whole) >= _MANY:
        dropped["fewer than three conditions"] += len(kept) - len(whole)
        kept, topics = [kept[place] for place in whole], [topics[place] for place in whole]
    into.measured = {
        **into.measured, "documents": told, "documents with three conditions": len(whole)
    }  # fmt: skip
    return benchmark_of(
        corpus, Kept(records, kept, topics, len(works), dropped, left_out, rng),
        built_by="llm", seed=seed, source=source,
        built={
            "builder": __name__, "seed": seed, "limit": limit, "writer": models.writer.name,
            "reader": models.verifier.name, "read": models.reads, "effort": models.effort,
        },
    )  # fmt: skip


def _drawn(
    corpus: Corpus, records: Fields, limit: int, seed: int, dropped: Counter[str]
) -> list[Document]:
    """Return documents in the order of the seed, without those that are too short."""
    drawn: list[Document] = []
    for id in random.Random(f"{seed} conditions by model").sample(list(corpus), len(corpus)):
        if len(drawn) == limit:
            break
        document = records.shown(corpus[id])
        if _passage(document, seed).sentences < _FEWEST_SENTENCES:
            dropped["not asked: fewer than five sentences"] += 1
        else:
            drawn.append(document)
    return drawn


def _passage(document: Document, seed: int) -> Passage:
    return passage_of(document, random.Random(f"{seed} {document.id}"))


_Make: TypeAlias = Callable[[Record, Made], Awaitable[_Work]]


def _writing(models: Models, seed: int) -> tuple[tuple[Asks[Any], ...], _Make]:
    """Return the steps of a model that finds and words facts, and what makes one document's."""
    write: Asks[Drafts] = Asks(
        "write", Prompt.load(_PACKAGE, "write_conditions"), Drafts, _USUAL, models.max_tokens,
        refused=0.1,
    )  # fmt: skip
    read = reading_step(models)

    async def make(record: Record, source: Made) -> _Work:
        document = source[0]
        passage, left_out = _passage(document, seed), Counter[str]()
        conditions, about = await _written(record, write, passage, left_out)
        if models.reads:
            conditions = await read_back(record, read, document, conditions, left_out, seed)
        return _Work(document, conditions, left_out, about)

    return (write, read) if models.reads else (write,), make


async def _written(
    record: Record, write: Asks[Drafts], passage: Passage, left_out: Counter[str]
) -> tuple[list[Condition], str]:
    """Return what a writer makes of a passage, and what it is about.

    Where little passes, faults are asked for again.
    """
    passed: list[Found] = []
    about: list[str] = []
    faults: list[tuple[Draft, Fault]] = []

    def check(drafts: Drafts) -> Drafts | Fault:
        faults.clear()
        about.append(passage.about(drafts.about))
        for draft in drafts.facts:
            found = looked_up(passage, draft)
            if isinstance(found, Fault):
                faults.append((draft, found))
                left_out[found.reason] += 1
            else:
                passed.append(found)
        few = len(conditions_of(passage, passed)[0]) < min(_ENOUGH, passage.most_facts)
        return Fault("facts to be repaired") if few and faults else drafts

    def question(refusal: Refusal | None) -> Question:
        values = {"count": str(passage.most_facts), "refused": "", "draft": ""}
        title = passage.document.title or "(none)"
        texts = {"title": title, "document": passage.numbered}
        if refusal is not None and faults:
            used = ", ".join(f"[{each.exchange.unit + 1}]" for each in passed)
            problems = [f"- fact {k}: {fault.problem}" for k, (_, fault) in enumerate(faults, 1)]
            used_up = [f"These sentences are used already: {used}."] if used else []
            values["refused"] = "\n".join(["", _REPAIR, *problems, *used_up, ""])
            values["count"] = str(max(1, passage.most_facts - len(passed)))
            del values["draft"]
            texts["draft"] = Drafts(facts=[draft for draft, _ in faults]).model_dump_json()
        return Question(values, texts, (passage.document.id,))

    try:
        drafts = await record.ask(write, question, check=check, attempts=2)
    except RejectedError:
        if not passed and not faults:
            raise
        drafts = None
    if drafts is _USUAL:
        return _planned(passage), ""
    conditions, others = conditions_of(passage, passed)
    left_out.update(others)
    return conditions, next(filter(None, about), "")


_REPAIR = (
    "You have answered once. The facts of that answer which stand below cannot be used, for the "
    "reasons given. Give others in their place, or the same without the fault."
)


def _planned(passage: Passage) -> list[Condition]:
    """Return what a dry run goes on with: sentences of the passage, as long as facts are."""
    found = []
    for unit in passage.units[: min(8, passage.most_facts)]:
        words, edit = unit.text.split(), Edit("number", unit.start, unit.start, "", "x")
        found.append(
            Condition(
                unit.start, unit.end, " ".join(words[:9]), "sentence", edit, (edit,),
                " ".join(words[:15]),
            )
        )  # fmt: skip
    return found


def _wording(models: Models, seed: int) -> tuple[tuple[Asks[Any], ...], _Make]:
    """Return the steps of a model that words facts of the rules, and what makes one document's.

    Where its words will not do, those of the rules stay.
    """
    word: Asks[str] = Asks(
        "word", Prompt.load(_PACKAGE, "word_fact"), _one_line, _USUAL_WORDS, 60,
        temperature=models.temperature,
    )  # fmt: skip
    read = reading_step(models)

    async def make(record: Record, source: Made) -> _Work:
        document, conditions = source
        left_out = Counter[str]()
        worded = await record.each(
            conditions, lambda part, each: _worded(part, word, document, each)
        )
        kept = [
            own if isinstance(each, Fault) else each
            for own, each in zip(conditions, worded, strict=True)
        ]
        left_out.update(
            f"the rules' wording kept: {each.reason}" for each in worded if isinstance(each, Fault)
        )
        if models.reads:
            kept = await read_back(record, read, document, kept, left_out, seed)
        return _Work(document, kept, left_out)

    return (word, read) if models.reads else (word,), make


async def _worded(
    part: Record, word: Asks[str], document: Document, condition: Condition
) -> Condition:
    """Return a condition in a searcher's words."""

    def question(refusal: Refusal | None) -> Question:
        texts = {"fact": condition.text, "title": document.title or "(none)"}
        again = "\nAn earlier answer lacked what the fact says, or added to it.\n"
        return Question({"refused": again if refusal else ""}, texts, (document.id,))

    about = set(content_tokens(f"{condition.text} {document.title}"))

    def check(said: str) -> str | Fault:
        before, held = condition.edit.before, set(plain(said))
        if condition.edit.kind == "negation" and before and not held & _DENIALS:
            return Fault("words: the denial is not in it")
        if lost(before, said) or not set(plain(before)) - _DENIALS <= held:
            return Fault("words: the value is not in it")
        if len(held & about) < min(_FEWEST_SHARED, len(about)):
            return Fault("words: too little of the fact is in it")
        if invented(said, Passage(document, ()).words):
            return Fault("words: names or numbers that the document does not have")
        return said

    said = await part.ask(word, question, check=check, attempts=2)
    return replace(condition, text=said, shape="field", in_sentence=f"“{said}”")


def _one_line(text: str) -> str:
    """Return the search words of an answer, without what stands around them."""
    said = next((line for line in text.splitlines() if line.strip()), "")
    said = _MARK.sub("", said).removeprefix("Search words:").strip(" .\"'`*-“”")
    if not 1 < len(said.split()) <= _MOST_WORDS:
        raise ValueError("one line of 3 to 12 words is wanted")
    return said


def _found_again(works: Sequence[_Work], finds: Sequence[Finds]) -> list[_Work]:
    """Return conditions by whose words a system finds their document; one after the other tries."""
    homes = {
        f"{place} {k}": (work.document.id, each)
        for place, work in enumerate(works)
        for k, each in enumerate(work.conditions)
    }
    missing = dict(homes) if finds else {}
    for search in finds:
        if missing:
            run = search([Query(id, each.text) for id, (_, each) in missing.items()], _WITHIN)
            missing = {id: home for id, home in missing.items() if home[0] not in run.get(id, {})}
    for id in missing:
        works[int(id.split()[0])].left_out[f"words: not found in the first {_WITHIN}"] += 1
    return [
        replace(work, conditions=[
            each for k, each in enumerate(work.conditions) if f"{place} {k}" not in missing
        ])
        for place, work in enumerate(works)
    ]  # fmt: skip
