"""The steps from a seed query to judged passages, and one record's way through them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel

from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.steps import (
    VERIFIER,
    Asks,
    Fault,
    Question,
    RejectedError,
    question_after,
)
from leadline.prompt import Prompt
from leadline.synthesis.reasoning.wishes import DAILY, PLAIN, TRACES, Wishes
from leadline.text.tokens import normalised, tokens

_PACKAGE = "leadline.synthesis.reasoning"
_EXAMPLES = 3
_LONGEST_QUERY = 600
DIFFERS = "judged unlike intended"


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

    materials: list[Material]


class Negatives(BaseModel):
    """The hard negatives to be."""

    negatives: list[str]


class Judgement(BaseModel):
    """What the judge answers, the reasoning first."""

    reasoning: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class Seed:
    """What a record is made from: a query, or a document of which one is made first."""

    text: str
    style: str
    difficulty: str
    is_document: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with its judgement, which is the intended one.

    relation  `direct` or `indirect`; `negative` for a hard negative
    """

    text: str
    relation: str
    trace: str

    @property
    def is_relevant(self) -> bool:
        """Whether it is meant, and judged, to be relevant."""
        return self.relation != "negative"


@dataclass(frozen=True, slots=True)
class Group:
    """A query with its passages.

    id       of its seed, with the style
    seed     the query it grew from
    refused  passages that were not kept, by reason
    """

    id: str
    query: str
    style: str
    difficulty: str
    seed: str
    passages: tuple[Passage, ...]
    refused: tuple[str, ...] = ()


def steps_of(models: Models, wishes: Wishes) -> tuple[Asks[Any], ...]:
    """Return every step that asks a model, in order."""
    how: dict[str, Any] = {"max_tokens": models.max_tokens, "temperature": models.temperature}
    line = "what holds the wall of an old mill together where it stands in water all year"
    usual = sum(wishes.materials) // 2, sum(wishes.negatives) // 2
    material = Material(description=line, relation="direct")
    return (
        Asks("seed query", _prompt("seed_query"), Written, usual=Written(query=line), **how),
        Asks("persona", _prompt("persona"), Person, usual=Person(persona=line * 3), **how),
        Asks("daily query", _prompt("daily_query"), Situation,
             usual=Situation(scenario=line * 5, query=line), **how),
        Asks("expert query", _prompt("expert_query"), Written,
             usual=Written(query=line * 6), **how),
        Asks("solution", _prompt("solve"), _text, usual=line * 40, **how),
        Asks("materials", _prompt("materials"), Materials,
             usual=Materials(materials=[material] * usual[0]), **how),
        Asks("negatives", _prompt("negatives"), Negatives,
             usual=Negatives(negatives=[line] * max(1, usual[1])), **how),
        Asks("passage", _prompt("passage"), _text, usual=line * 12, **how),
        Asks("judgement", _prompt("judge"), Judgement,
             usual=Judgement(reasoning=line * 10, relevant=True), model=VERIFIER,
             max_tokens=models.max_tokens, refused=0.05),
    )  # fmt: skip


@dataclass(frozen=True)
class Maker:
    """Makes the group of one seed.

    personas  lines to draw examples from
    """

    steps: tuple[Asks[Any], ...]
    wishes: Wishes
    personas: Sequence[str]
    seed: int

    async def __call__(self, record: Record, seed: Seed) -> Group:
        """Ask for everything, in order; passages are written and judged beside each other."""
        parents = (record.id,)
        query = seed.text
        if seed.is_document:
            asked = _asking(parents, {}, {"document": seed.text})
            query = (await record.ask(self._step("seed query"), asked, check=_has_query)).query
        told = await self._query(record, seed, query)
        solution = await record.ask(
            self._step("solution"), Question({}, {"query": told}, parents), check=_is_worked_out
        )
        materials = await self._materials(record, told, solution)
        negatives = await self._negatives(record, told, materials)
        wanted = [*materials, *((each, "negative") for each in negatives)]

        async def passage(part: Record, each: tuple[str, str]) -> Passage:
            return await self._passage(part, told, *each)

        found = await record.each(wanted, passage)
        kept = tuple(each for each in found if isinstance(each, Passage))
        refused = tuple(each.reason for each in found if isinstance(each, Fault))
        return Group(record.id, told, seed.style, seed.difficulty, query, kept, refused)

    def _step(self, name: str) -> Asks[Any]:
        return next(step for step in self.steps if step.name == name)

    async def _query(self, record: Record, seed: Seed, query: str) -> str:
        """Return the query as it will be asked, with what led to it."""
        told, parents = self.wishes.told(seed.difficulty), (record.id,)
        if seed.style == PLAIN:
            return query
        if seed.style != DAILY:
            asked = _asking(parents, told, {"query": query})
            made = await record.ask(
                self._step("expert query"), asked, check=lambda draft: _is_expanded(draft, query)
            )
            return " ".join(made.query.split())
        drawn = random.Random(f"{self.seed} {record.id}").sample(
            list(self.personas), min(_EXAMPLES, len(self.personas))
        )
        examples = "\n".join(f"- {each}" for each in drawn)
        asked = _asking(parents, {}, {"examples": examples, "query": query})
        person = await record.ask(self._step("persona"), asked, check=_has_person)
        asked = _asking(parents, told, {"query": query, "persona": person.persona})
        made = await record.ask(
            self._step("daily query"), asked, check=lambda draft: _is_situation(draft, query)
        )
        return " ".join(f"{made.scenario} {made.query}".split())

    async def _materials(self, record: Record, query: str, solution: str) -> list[tuple[str, str]]:
        least, most = self.wishes.materials
        asked = _asking((record.id,), _range(least, most), {"query": query, "solution": solution})

        def check(draft: Materials) -> Materials | Fault:
            found = _distinct([each.description for each in draft.materials])
            if len(found) < least:
                return _too_few(len(found), least)
            kept = [each for each in draft.materials if each.description in found]
            return Materials(materials=kept[:most])

        made = await record.ask(self._step("materials"), asked, check=check)
        return [(each.description, each.relation) for each in made.materials]

    async def _negatives(
        self, record: Record, query: str, materials: Sequence[tuple[str, str]]
    ) -> list[str]:
        least, most = self.wishes.negatives
        helpful = "\n".join(f"{n}. {each}" for n, (each, _) in enumerate(materials, start=1))
        asked = _asking((record.id,), _range(least, most), {"query": query, "materials": helpful})
        taken = {normalised(each) for each, _ in materials}

        def check(draft: Negatives) -> Negatives | Fault:
            found = [each for each in _distinct(draft.negatives) if normalised(each) not in taken]
            if len(found) < least:
                return _too_few(len(found), least)
            return Negatives(negatives=found[:most])

        return list((await record.ask(self._step("negatives"), asked, check=check)).negatives)

    async def _passage(
        self, record: Record, query: str, description: str, relation: str
    ) -> Passage:
        fewest, most = self.wishes.words
        asked = _asking((record.id,), {"words": f"{fewest + 20} to {most}"},
                        {"description": description})  # fmt: skip

        def check(draft: str) -> str | Fault:
            count = len(draft.split())
            if fewest <= count <= most * 3 // 2:
                return draft
            problem = f"It has {count} words; {fewest} to {most} are wanted."
            return Fault("passage too " + ("short" if count < fewest else "long"), problem)

        text = await record.ask(self._step("passage"), asked, check=check)
        question = Question(
            {"length": TRACES[self.wishes.traces]}, {"query": query, "passage": text}, (record.id,)
        )
        read = await record.ask(self._step("judgement"), question, check=_has_trace)
        if read.relevant != (relation != "negative"):
            raise RejectedError(Fault(f"{DIFFERS}: {relation}"))
        return Passage(text, relation, read.reasoning.strip())


def read_personas(path: Any = None) -> list[str]:
    """Return descriptions of people, one a line; without a path our own short list.

    A line may also be a record as in PersonaHub: `{"persona": "..."}`.
    """
    from leadline.errors import InputError
    from leadline.files.lines import numbered_lines

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
    from leadline.errors import InputError

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


def _asking(parents: tuple[str, ...], values: dict[str, str], texts: dict[str, str]) -> Any:
    """Return a question that tells why the draft before was refused."""
    return lambda refusal: question_after(refusal, values, texts, parents)


def _range(least: int, most: int) -> dict[str, str]:
    return {"least": str(least), "most": str(most)}


def _text(answer: str) -> str:
    if not answer:
        raise ValueError("it is empty")
    return answer


def _distinct(texts: Sequence[str]) -> list[str]:
    first = {normalised(each): each for each in reversed(texts) if tokens(each)}
    return [each for each in texts if first.get(normalised(each)) is each]


def _too_few(found: int, least: int) -> Fault:
    return Fault("too few descriptions", f"There are {found} different ones; {least} are wanted.")


def _has_query(draft: Written) -> Written | Fault:
    words = tokens(draft.query)
    if not words:
        return Fault("no query", "The query has no words.")
    if len(words) > _LONGEST_QUERY:
        return Fault("query too long", f"The query has {len(words)} words.")
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
        return Fault("query too long", f"The scenario has {len(words)} words.")
    return draft


def _is_worked_out(draft: str) -> str | Fault:
    if len(draft.split()) < 5:
        return Fault("no solution", "It has no steps.")
    return draft


def _has_trace(read: Judgement) -> Judgement | Fault:
    if not tokens(read.reasoning):
        return Fault("judgement without reasoning", "The reasoning is empty.")
    return read
