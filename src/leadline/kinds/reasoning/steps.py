"""The steps from a seed query to judged passages, and one record's way through them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field

from leadline.data.lines import numbered_lines
from leadline.errors import InputError
from leadline.kinds.reasoning.groups import Group, Passage
from leadline.kinds.reasoning.recipe import DAILY, PLAIN, TRACES, Recipe, shape_of
from leadline.llm.delimiting import without_marks
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.steps import (
    VERIFIER,
    Asks,
    Fault,
    Question,
    RejectedError,
    all_of,
    question_after,
)
from leadline.llm.prompt import Prompt
from leadline.text.tokens import normalised, tokens

_PACKAGE = "leadline.kinds.reasoning"
_EXAMPLES = 3
_LONGEST_QUERY = 600
_EACH = 4
"""Relevant passages, and others, of the short protocol."""
_LEAST, _MOST = (3, 1), (7, 5)
"""The same of the paper: fewest and most relevant ones and others."""
DIFFERS = "judged unlike intended"

Judgement: TypeAlias = tuple[str, bool]
"""The reasoning of the judge, and whether the passage is relevant."""
_LAST_LINE = re.compile(r"\W*relevant\W+(yes|no|true|false)\W*", re.IGNORECASE)
_LAST_WORD = re.compile(r"\b(true|false)\b\W*$", re.IGNORECASE)
_THOUGHT = ("<think>", "</think>")


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


@dataclass(frozen=True, slots=True)
class Seed:
    """What a record is made from: a query, or a document of which one is made first."""

    text: str
    style: str
    difficulty: str
    is_document: bool = False


def steps_of(models: Models, recipe: Recipe) -> tuple[Asks[Any], ...]:
    """Return every step that asks a model, in order."""
    how: dict[str, Any] = {"max_tokens": models.max_tokens, "refused": 0.03}
    write: dict[str, Any] = {**how, "temperature": models.temperature}
    line = "what holds the wall of an old mill together where it stands in water all year"
    material = Material(description=line, relation="direct")
    planning: tuple[Asks[Any], ...] = (
        Asks("plan", _prompt("plan"), Plan, usual=Plan(
            solution=line * 10, materials=[material] * _EACH, negatives=[line] * _EACH), **write),
    )  # fmt: skip
    if recipe.is_as_in_paper:
        planning = (
            Asks("solution", _prompt("solve"), _text, usual=line * 40, **write),
            Asks("materials", _prompt("materials"), Materials,
                 usual=Materials(materials=[material] * _MOST[0]), **write),
            Asks("negatives", _prompt("negatives"), Negatives,
                 usual=Negatives(negatives=[line] * _MOST[1]), **write),
        )  # fmt: skip
    judging = (_prompt("judge"), _verdict)
    if recipe.judge == "rank1":
        judging = (Prompt.load("leadline.rerankers", "reason_then_judge"), _true_or_false)
    return (
        Asks("seed query", _prompt("seed_query"), Written, usual=Written(query=line), **write),
        Asks("persona", _prompt("persona"), Person, usual=Person(persona=line * 3), **write),
        Asks("daily query", _prompt("daily_query"), Situation,
             usual=Situation(scenario=line * 5, query=line), **write),
        Asks("expert query", _prompt("expert_query"), Written,
             usual=Written(query=line * 6), **write),
        *planning,
        Asks("passage", _prompt("passage"), _text, usual=line * 12, **write),
        Asks("judgement", *judging, usual=(line * 10, True), model=VERIFIER, takes_thought=True,
             **how),
    )  # fmt: skip


@dataclass(frozen=True)
class Maker:
    """Makes the group of one seed.

    personas  lines to draw examples from
    reads     whether there is a judge; without one a passage is taken for what it was meant to be
    """

    steps: tuple[Asks[Any], ...]
    recipe: Recipe
    personas: Sequence[str]
    seed: int
    reads: bool = True

    async def __call__(self, record: Record, seed: Seed) -> Group:
        """Ask for everything, in order; passages are written and judged at the same time."""
        seed_query = seed.text
        if seed.is_document:
            made = await self._ask(record, "seed query", {}, {"document": seed.text}, _has_query)
            seed_query = made.query
        query = await self._query(record, seed, seed_query)
        plan = self._planned_in_steps if self.recipe.is_as_in_paper else self._planned
        wanted = list(enumerate(await plan(record, query)))

        async def passage(part: Record, each: tuple[int, tuple[str, str]]) -> Passage:
            number, (description, relation) = each
            return await self._passage(part, query, description, relation, number)

        found = await record.each(wanted, passage)
        return Group(
            record.id, query, seed.style, seed.difficulty, seed_query,
            tuple(each for each in found if isinstance(each, Passage)),
            tuple((n, each.reason) for n, each in enumerate(found) if isinstance(each, Fault)),
        )  # fmt: skip

    async def _ask(
        self, record: Record, name: str, values: dict[str, str], texts: dict[str, str], check: Any
    ) -> Any:
        step = next(each for each in self.steps if each.name == name)
        return await record.ask(
            step, lambda refusal: question_after(refusal, values, texts, (record.id,)), check=check
        )

    async def _query(self, record: Record, seed: Seed, query: str) -> str:
        """Return the query as it will be asked, with what led to it."""
        if seed.style == PLAIN:
            return query
        told, texts = self.recipe.instructions(seed.difficulty), {"query": query}
        if seed.style != DAILY:
            told["shape"] = shape_of(record.id, self.seed)
            made = await self._ask(
                record, "expert query", told, texts, lambda draft: _is_expanded(draft, query)
            )
            return " ".join(made.query.split())
        drawn = random.Random(f"{self.seed} {record.id}").sample(
            list(self.personas), min(_EXAMPLES, len(self.personas))
        )
        people = "\n".join(f"- {each}" for each in drawn)
        who = (
            "Imagine who has this need: what they do, what they know, and what brings them to it. "
            "Other people, for the tone only:"
        )
        if self.recipe.is_as_in_paper:
            asked = {"examples": people, **texts}
            people = (await self._ask(record, "persona", {}, asked, _has_person)).persona
            who = "The person:"
        made = await self._ask(
            record, "daily query", {**told, "who": who}, {**texts, "people": people},
            lambda draft: _is_situation(draft, query),
        )  # fmt: skip
        return " ".join(f"{made.scenario} {made.query}".split())

    async def _planned(self, record: Record, query: str) -> list[tuple[str, str]]:
        """Return descriptions of passages with their relation, from one call."""
        made = await self._ask(
            record, "plan", {"count": str(_EACH)}, {"query": query}, _is_planned
        )  # fmt: skip
        return _wanted(made.materials, made.negatives)

    async def _planned_in_steps(self, record: Record, query: str) -> list[tuple[str, str]]:
        """Return the same from a solution, materials and negatives, each in a call of its own."""
        (least, fewest), (most, many) = _LEAST, _MOST
        solved = await self._ask(record, "solution", {}, {"query": query}, _is_worked_out)
        texts = {"query": query, "solution": solved}
        helpful = await self._ask(
            record, "materials", _range(least, most), texts,
            lambda draft: _apart([each.description for each in draft.materials]) or draft,
        )  # fmt: skip
        found = [each.description for each in helpful.materials]
        listed = "\n".join(f"{n}. {each}" for n, each in enumerate(found, 1))
        others = await self._ask(
            record, "negatives", _range(fewest, many), {"query": query, "materials": listed},
            lambda draft: _apart(found, draft.negatives) or draft,
        )  # fmt: skip
        return _wanted(helpful.materials, others.negatives)

    async def _passage(
        self, record: Record, query: str, description: str, relation: str, number: int
    ) -> Passage:
        fewest, most = self.recipe.words

        def check(draft: str) -> str | Fault:
            count = len(draft.split())
            if fewest <= count <= most:
                return draft
            problem = f"It has {count} words; {fewest} to {most} are wanted."
            return Fault("passage too " + ("short" if count < fewest else "long"), problem)

        words = {"words": f"{fewest} to {most}"}
        text = await self._ask(record, "passage", words, {"description": description}, check)
        if not self.reads:
            return Passage(text, relation, "", number)
        trace, is_relevant = await self._judged(record, query, text)
        if is_relevant != (relation != "negative"):
            raise RejectedError(Fault(f"{DIFFERS}: {relation}"))
        return Passage(text, relation, trace, number)

    async def _judged(self, record: Record, query: str, text: str) -> Judgement:
        step = self.steps[-1]
        judgement: Judgement
        if self.recipe.judge == "rank1":  # published to the letter, hence without our marks
            shown = {"query": query, "document": text}
            values = {name: without_marks(each, step.prompt.text, _THOUGHT)
                      for name, each in shown.items()}  # fmt: skip
            judgement = await record.ask(step, Question(values, parents=(record.id,)))
            return judgement
        length, texts = {"length": TRACES[self.recipe.traces]}, {"query": query, "passage": text}
        judgement = await self._ask(record, step.name, length, texts, None)
        return judgement


def read_personas(path: str | Path | None = None) -> list[str]:
    """Return descriptions of people, one a line; without a path our own short list.

    A line may also be a record as in PersonaHub: `{"persona": "..."}`.
    """
    if path is None:
        return _own_personas()
    lines = [
        _description(line.strip(), f"{path}:{number}")
        for number, line in numbered_lines(path)
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        raise InputError(f"{path} holds no personas: one description of a person a line.")
    return lines


def _description(line: str, place: str) -> str:
    if not line.startswith("{"):
        return line
    try:
        told = json.loads(line)["persona"]
    except (ValueError, KeyError) as error:
        raise InputError(f'{place}: a record must be {{"persona": "..."}}.') from error
    return " ".join(str(told).split())


@cache
def _own_personas() -> list[str]:
    text = (files(_PACKAGE) / "personas.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _prompt(name: str) -> Prompt:
    return Prompt.load(_PACKAGE, name)


def _range(least: int, most: int) -> dict[str, str]:
    return {"least": str(least), "most": str(most)}


def _wanted(materials: Sequence[Material], negatives: Sequence[str]) -> list[tuple[str, str]]:
    return [(each.description, each.relation) for each in materials] + [
        (each, "negative") for each in negatives
    ]


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


def _is_planned(draft: Plan) -> Plan | Fault:
    fault = _apart([each.description for each in draft.materials], draft.negatives)
    return all_of([each for each in (_is_worked_out(draft.solution), fault)
                   if isinstance(each, Fault)]) or draft  # fmt: skip


def _apart(*lists: Sequence[str]) -> Fault | None:
    """Return what is wrong with descriptions that must differ and have words."""
    said = [normalised(each) for each in (text for texts in lists for text in texts)]
    if len(set(said) - {""}) == len(said):
        return None
    return Fault("descriptions repeat", "Each description must have words of its own.")


def _has_query(draft: Written) -> Written | Fault:
    words = tokens(draft.query)
    if not words:
        return Fault("no query", "The query has no words.")
    if len(words) > _LONGEST_QUERY:
        problem = f"The query has {len(words)} words; {_LONGEST_QUERY} are the most."
        return Fault("query too long", problem)
    return draft


def _is_expanded(draft: Written, seed: str) -> Written | Fault:
    if normalised(draft.query) == normalised(seed):
        return Fault("repeats the seed", "The query repeats the given one: expand it.")
    return _has_query(draft)


def _has_person(draft: Person) -> Person | Fault:
    return draft if tokens(draft.persona) else Fault("no persona", "It has no words.")


def _is_situation(draft: Situation, seed: str) -> Situation | Fault:
    words = tokens(draft.scenario)
    if not words or not tokens(draft.query):
        return Fault("no situation", "Both scenario and query must have words.")
    if normalised(draft.query) == normalised(seed):
        return Fault("repeats the seed", "The query repeats the given one: ask another.")
    if len(words) > _LONGEST_QUERY:
        problem = f"The scenario has {len(words)} words; {_LONGEST_QUERY} are the most."
        return Fault("query too long", problem)
    return draft


def _is_worked_out(draft: str) -> str | Fault:
    if len(draft.split()) < 5:
        return Fault("no solution", "The solution has no steps.")
    return draft
