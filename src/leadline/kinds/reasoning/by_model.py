"""Language models write groups of a query and judged passages, from seeds or documents.

Source: LimRank, section 3 and appendix A. `protocol="paper"` follows its steps. By default one call
plans a query's passages. The prompts are our own.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.data.lines import numbered_lines
from leadline.errors import InputError, unknown
from leadline.kinds.reasoning.groups import Group, Passage, Split, as_benchmark
from leadline.llm.delimiting import without_marks
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import (
    VERIFIER,
    Asks,
    Fault,
    Models,
    Question,
    RejectedError,
    question_after,
)
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.tokens import normalised, tokens
from leadline.text.words import table
from leadline.types import Corpus, Document, Query

DIFFERS = "judged unlike intended"

_READ = 6000  # characters of a document
_LONGEST_QUERY = 600  # words
_EXAMPLES = 3
_EACH = 4
"""Relevant passages, and others, of the short protocol."""
_LEAST, _MOST = (3, 1), (7, 5)
"""The same of the paper: fewest and most relevant ones and others."""
_STYLES = {"both": ("daily", "expert"), "daily": ("daily",), "expert": ("expert",),
           "plain": ("plain",)}  # fmt: skip
_LAST_LINE = re.compile(r"\W*relevant\W+(yes|no|true|false)\W*", re.IGNORECASE)
_LAST_WORD = re.compile(r"\b(true|false)\b\W*$", re.IGNORECASE)

Judgement: TypeAlias = tuple[str, bool]
"""The reasoning of the judge, and whether the passage is relevant."""


def _words() -> Any:
    return table("leadline.kinds.reasoning", "words")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is built from each seed query.

    style       `both` (one daily-life and one expert query), `daily`, `expert`, or `plain`, which
                takes the seed as it stands
    difficulty  `simple`, `hard`, or `mixed`: every other query is simple
    traces      length of the reasoning: `adaptive`, `short` or `long`
    protocol    `short`: one plan of four relevant passages and four others for each query;
                `paper`: persona, solution, 3 to 7 and 1 to 5 of them, each in a call of its own
    judge       `own` prompt, or that of `rank1`, for a model that thinks before it answers
    """

    style: str = "both"
    difficulty: str = "mixed"
    traces: str = "adaptive"
    protocol: str = "short"
    judge: str = "own"

    def __post_init__(self) -> None:
        known = {"style": _STYLES, "difficulty": ("mixed", "simple", "hard"),
                 "traces": _words()["traces"], "protocol": ("short", "paper"),
                 "judge": ("own", "rank1")}  # fmt: skip
        for name, choices in known.items():
            if getattr(self, name) not in choices:
                raise unknown(name, getattr(self, name), tuple(choices))

    @property
    def is_as_in_paper(self) -> bool:
        """Whether each step of the paper is a call of its own."""
        return self.protocol == "paper"

    @property
    def words(self) -> tuple[int, int]:
        """Fewest and most words of a passage."""
        return (30, 400) if self.is_as_in_paper else (50, 250)


class Written(BaseModel):
    """A query."""

    query: str


class Person(BaseModel):
    """Somebody who has a need."""

    persona: str


class Situation(BaseModel):
    """A query with what led to it."""

    scenario: str
    query: str


class Material(BaseModel):
    """A relevant passage to be."""

    description: str
    relation: Literal["direct", "indirect"]


class Materials(BaseModel):
    """The relevant passages to be."""

    materials: Annotated[list[Material], Field(min_length=_LEAST[0], max_length=_MOST[0])]


class Negatives(BaseModel):
    """The hard negatives to be."""

    negatives: Annotated[list[str], Field(min_length=_LEAST[1], max_length=_MOST[1])]


class Plan(BaseModel):
    """A solution, and the passages to be."""

    solution: str
    materials: Annotated[list[Material], Field(min_length=_EACH, max_length=_EACH)]
    negatives: Annotated[list[str], Field(min_length=_EACH, max_length=_EACH)]


class Built(NamedTuple):
    """Groups of which every judgement equals the intended label, and what was left out.

    dropped  queries and passages, by reason
    """

    groups: Sequence[Group]
    dropped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Seed:
    """What a group is made from: a query, or a document of which one is made first."""

    text: str
    style: str
    difficulty: str
    is_document: bool


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of queries about a corpus whose passages a model wrote.

    limit  most documents that seeds are made of, drawn by the seed
    """
    ids = list(corpus)
    drawn = random.Random(f"{seed} seeds").sample(ids, min(limit, len(ids)))
    built = build_groups([corpus[id] for id in drawn], models, into, seed=seed, log=log)
    return as_benchmark(
        "reasoning", Split(built.groups, built.groups), seed=seed, source=source,
        writer=models.writer.name, verifier=models.verifier.name, recipe=asdict(Recipe()),
        dropped=dict(built.dropped), read=models.reads,
    )  # fmt: skip


def build_groups(
    sources: Iterable[Query | Document],
    models: Models,
    into: RunRecord,
    *,
    recipe: Recipe | None = None,
    personas: Sequence[str] = (),
    seed: int = 0,
    log: LogFile | None = None,
) -> Built:
    """Return a group for each source and style.

    personas  examples of people; without them our own

    A passage whose judgement is not the intended one is left out, as is a query none of whose
    relevant passages is kept, and one that a step could not be made for in `attempts` drafts.
    Raises InputError if nothing is left, and IncompleteError if calls got no answer.
    """
    recipe = recipe or Recipe()
    make = _Maker(models, recipe, personas or read_personas(), seed)
    pipeline, seeds = Pipeline("", make.steps, make), _seeds(sources, recipe)
    dropped: Counter[str] = Counter()
    groups = []
    for outcome in finish(pipeline, seeds, models, into, seed=seed, log=log):
        group = outcome.value
        if group is None:
            dropped[f"query: {outcome.reason}"] += 1
            continue
        for number, reason in group.refused:
            dropped[f"passage: {reason}"] += 1
            into.note(f"{group.id}/{number}", reason)
        for passage in group.passages:
            into.note(f"{group.id}/{passage.number}")
        if any(each.is_relevant for each in group.passages):
            groups.append(group)
        else:
            dropped["query: no relevant passage kept"] += 1
            into.note(group.id, "no relevant passage kept")
    if not groups:
        told = ", ".join(f"{n} {reason}" for reason, n in dropped.most_common(3)) or "no sources"
        raise InputError(
            f"Nothing that {models.writer.name} wrote passed the checks ({told}). Use another "
            "model, or more --attempts."
        )
    return Built(groups, dict(sorted(dropped.items())))


def read_personas(path: str | Path | None = None) -> list[str]:
    """Return descriptions of people, one a line; without a path our own short list.

    A line may also be a record as in PersonaHub: `{"persona": "..."}`.
    """
    if path is None:
        return list(_words()["personas"])
    found = []
    for number, line in numbered_lines(path):
        if line.startswith("{"):
            try:
                line = " ".join(str(json.loads(line)["persona"]).split())
            except (ValueError, KeyError) as error:
                problem = f'{path}:{number}: a record must be {{"persona": "..."}}.'
                raise InputError(problem) from error
        found += [line.strip()] if line.strip() and not line.startswith("#") else []
    if not found:
        raise InputError(f"{path} has no personas. Write one description of a person on each line.")
    return found


def _seeds(sources: Iterable[Query | Document], recipe: Recipe) -> Iterator[tuple[str, _Seed]]:
    for place, source in enumerate(sources):
        is_document = isinstance(source, Document)
        text = source.content[:_READ] if is_document else source.content
        for number, style in enumerate(_STYLES[recipe.style]):
            mixed = ("hard", "simple")[(place + number) % 2]
            difficulty = mixed if recipe.difficulty == "mixed" else recipe.difficulty
            yield f"{source.id}-{style}", _Seed(text, style, difficulty, is_document)


class _Maker:
    """Makes the group of one seed."""

    def __init__(self, models: Models, recipe: Recipe, personas: Sequence[str], seed: int) -> None:
        self._recipe, self._personas, self._seed = recipe, personas, seed
        self._reads = models.reads  # else a passage is taken for what it was meant to be
        self.steps = _steps(models, recipe)

    async def __call__(self, record: Record, seed: _Seed) -> Group:
        """Ask for everything, in order; passages are written and judged at the same time."""
        seed_query = seed.text
        if seed.is_document:
            made = await self._ask(record, "seed query", {}, {"document": seed.text}, _has_query)
            seed_query = made.query
        query = await self._query(record, seed, seed_query)
        plan = self._planned_in_steps if self._recipe.is_as_in_paper else self._planned
        wanted = list(enumerate(await plan(record, query)))

        async def passage(part: Record, each: tuple[int, tuple[str, str]]) -> Passage:
            return await self._passage(part, query, each[0], *each[1])

        found = await record.each(wanted, passage)
        return Group(
            record.id, query, seed.style, seed.difficulty, seed_query,
            tuple(each for each in found if isinstance(each, Passage)),
            tuple((n, each.reason) for n, each in enumerate(found) if isinstance(each, Fault)),
        )  # fmt: skip

    async def _ask(
        self, record: Record, name: str, values: dict[str, str], texts: dict[str, str], check: Any
    ) -> Any:
        """Return an answer; `check` takes it and says what is wrong with it, if anything."""
        step = next(each for each in self.steps if each.name == name)
        return await record.ask(
            step,
            lambda refusal: question_after(refusal, values, texts, (record.id,)),
            check=lambda draft: check(draft) or draft,
        )

    async def _query(self, record: Record, seed: _Seed, query: str) -> str:
        """Return the query as it will be asked, with what led to it."""
        if seed.style == "plain":
            return query
        told = {key: _words()[key][seed.difficulty] for key in ("difficulty", "length")}
        texts = {"query": query}
        if seed.style == "expert":
            rng = random.Random(f"{self._seed} {record.id} shape")
            told["shape"] = rng.choice(_words()["shapes"])
            made = await self._ask(
                record, "expert query", told, texts, lambda draft: _has_query(draft, query)
            )
            return " ".join(made.query.split())
        drawn = random.Random(f"{self._seed} {record.id}").sample(
            list(self._personas), min(_EXAMPLES, len(self._personas))
        )
        people = "\n".join(f"- {each}" for each in drawn)
        who = (
            "Imagine who has this need: what they do, what they know, and what brings them to it. "
            "Other people, for the tone only:"
        )
        if self._recipe.is_as_in_paper:
            asked = {"examples": people, **texts}
            nobody = Fault("no persona", "It has no words.")
            made = await self._ask(
                record, "persona", {}, asked,
                lambda draft: None if tokens(draft.persona) else nobody,
            )  # fmt: skip
            people = made.persona
            who = "The person:"
        made = await self._ask(
            record, "daily query", {**told, "who": who}, {**texts, "people": people},
            lambda draft: _has_query(draft, query),
        )  # fmt: skip
        return " ".join(f"{made.scenario} {made.query}".split())

    async def _planned(self, record: Record, query: str) -> list[tuple[str, str]]:
        """Return descriptions of passages with their relation, from one call."""

        def check(draft: Plan) -> Fault | None:
            return _is_worked_out(draft.solution) or _differ(_wanted(draft, draft))

        made = await self._ask(record, "plan", {"count": str(_EACH)}, {"query": query}, check)
        return _wanted(made, made)

    async def _planned_in_steps(self, record: Record, query: str) -> list[tuple[str, str]]:
        """Return the same from a solution, materials and negatives, each in a call of its own."""
        (least, fewest), (most, many) = _LEAST, _MOST
        solved = await self._ask(record, "solution", {}, {"query": query}, _is_worked_out)
        none = Negatives.model_construct(negatives=[])
        helpful = await self._ask(
            record, "materials", {"least": str(least), "most": str(most)},
            {"query": query, "solution": solved}, lambda draft: _differ(_wanted(draft, none)),
        )  # fmt: skip
        listed = "\n".join(
            f"{n}. {each.description}" for n, each in enumerate(helpful.materials, 1)
        )
        others = await self._ask(
            record, "negatives", {"least": str(fewest), "most": str(many)},
            {"query": query, "materials": listed}, lambda draft: _differ(_wanted(helpful, draft)),
        )  # fmt: skip
        return _wanted(helpful, others)

    async def _passage(
        self, record: Record, query: str, number: int, description: str, relation: str
    ) -> Passage:
        fewest, most = self._recipe.words

        def check(draft: str) -> Fault | None:
            count = len(draft.split())
            if fewest <= count <= most:
                return None
            problem = f"It has {count} words; {fewest} to {most} are wanted."
            return Fault("passage too " + ("short" if count < fewest else "long"), problem)

        words = {"words": f"{fewest} to {most}"}
        text = await self._ask(record, "passage", words, {"description": description}, check)
        if not self._reads:
            return Passage(text, relation, "", number)
        trace, is_relevant = await self._judged(record, query, text)
        if is_relevant != (relation != "negative"):
            raise RejectedError(Fault(f"{DIFFERS}: {relation}"))
        return Passage(text, relation, trace, number)

    async def _judged(self, record: Record, query: str, text: str) -> Judgement:
        step: Asks[Judgement] = self.steps[-1]
        if self._recipe.judge == "rank1":  # published to the letter, hence without our marks
            shown = {"query": query, "document": text}
            values = {name: without_marks(each, step.prompt.text, ("<think>", "</think>"))
                      for name, each in shown.items()}  # fmt: skip
            return await record.ask(step, Question(values, parents=(record.id,)))
        length = {"length": _words()["traces"][self._recipe.traces]}
        texts = {"query": query, "passage": text}
        judgement: Judgement = await self._ask(record, step.name, length, texts, lambda _: None)
        return judgement


def _steps(models: Models, recipe: Recipe) -> tuple[Asks[Any], ...]:
    """Return every step that asks a model, in order."""
    line = "what holds the wall of an old mill together where it stands in water all year"
    material = Material(description=line, relation="direct")

    def asks(name: str, prompt: str, usual: Any, read: Any = None, **how: Any) -> Asks[Any]:
        how = {"temperature": models.temperature} | how
        shape = read or (_text if isinstance(usual, str) else type(usual))
        package = how.pop("package", __package__)
        return Asks(name, Prompt.load(package, prompt), shape, usual, models.max_tokens, **how)

    plan = Plan(solution=line * 10, materials=[material] * _EACH, negatives=[line] * _EACH)
    planning = (asks("plan", "plan", plan),)
    if recipe.is_as_in_paper:
        planning = (
            asks("solution", "solve", line * 40),
            asks("materials", "materials", Materials(materials=[material] * _MOST[0])),
            asks("negatives", "negatives", Negatives(negatives=[line] * _MOST[1])),
        )  # type: ignore[assignment]
    judging: dict[str, Any] = {"prompt": "judge", "read": _verdict}
    if recipe.judge == "rank1":
        judging = {"prompt": "reason_then_judge", "read": _true_or_false,
                   "package": "leadline.rerankers"}  # fmt: skip
    return (
        asks("seed query", "seed_query", Written(query=line)),
        asks("persona", "persona", Person(persona=line * 3)),
        asks("daily query", "daily_query", Situation(scenario=line * 5, query=line)),
        asks("expert query", "expert_query", Written(query=line * 6)),
        *planning,
        asks("passage", "passage", line * 12),
        asks("judgement", usual=(line * 10, True), model=VERIFIER, takes_thought=True,
             temperature=0.0, **judging),
    )  # fmt: skip


def _text(answer: str) -> str:
    if not answer:
        raise ValueError("it is empty")
    return answer


def _verdict(answer: str, thought: str) -> Judgement:
    """Read a judgement: the model's own thought, or what it wrote before its last line."""
    *lines, last = answer.splitlines() or [""]
    found = _LAST_LINE.fullmatch(last)
    if found is None:
        raise ValueError('the last line is neither "relevant: yes" nor "relevant: no"')
    return _reasoned(thought or "\n".join(lines), found[1])


def _true_or_false(answer: str, thought: str) -> Judgement:
    """Read the answer to Rank1's prompt: a thought, then `true` or `false`."""
    found = _LAST_WORD.search(answer)
    if found is None:
        raise ValueError("it does not end in true or false")
    return _reasoned(thought or answer[: found.start()], found[1])


def _reasoned(trace: str, answer: str) -> Judgement:
    if not tokens(trace):
        raise ValueError("there is no reasoning before the answer")
    return trace.strip(), answer.lower() in ("yes", "true")


def _wanted(helpful: Plan | Materials, others: Plan | Negatives) -> list[tuple[str, str]]:
    """Return descriptions of passages with their relation."""
    materials = [(each.description, each.relation) for each in helpful.materials]
    return materials + [(each, "negative") for each in others.negatives]


def _differ(wanted: Sequence[tuple[str, str]]) -> Fault | None:
    """Return what is wrong with descriptions that must differ and have words."""
    said = {normalised(description) for description, _ in wanted} - {""}
    if len(said) == len(wanted):
        return None
    return Fault("descriptions repeat", "Each description must have words of its own.")


def _has_query(draft: Written | Situation, seed: str = "") -> Fault | None:
    """Return what is wrong with a query that was made of another one."""
    told = draft.scenario if isinstance(draft, Situation) else draft.query
    if not tokens(draft.query) or not tokens(told):
        return Fault("no query", "The query, and what leads to it, must have words.")
    if normalised(draft.query) == normalised(seed):
        return Fault("repeats the seed", "The query repeats the given one: write another.")
    if (count := len(tokens(told))) > _LONGEST_QUERY:
        return Fault("query too long", f"It has {count} words; {_LONGEST_QUERY} are the most.")
    return None


def _is_worked_out(draft: str) -> Fault | None:
    return Fault("no solution", "The solution has no steps.") if len(draft.split()) < 5 else None
