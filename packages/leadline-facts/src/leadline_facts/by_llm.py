"""Facts from a language model, kept only if code can compute them again.

The model sees numbered sentences and answers with their numbers and a formula. Code looks up the
numbers and days of the formula in these sentences and computes the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from leadline.errors import InputError
from leadline.kinds.implicit_facts.by_model import amount_by, day_by, is_near
from leadline.llm.delimiting import delimited
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.prices import estimated_tokens
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Message, Request
from leadline.llm.structured import Structured, structured, whole_entries
from leadline.llm.troubles import DRY_RUN
from leadline.text.countries import CODES, country, folded
from leadline.text.sentences import Sentence, split_sentences
from leadline.types import LLM, Constraint, Document, Enricher, Fact, Query
from leadline_facts.merging import merged

VERSION = 2

NO_ANSWER = "no answer from the model"
NO_FACTS = "no list of facts in the answer"
CUT_OFF = "answer cut off"
DROPPED = "fact of the model dropped"
"""What is counted: for the first three windows of documents, for the last single facts."""

_BLOCK = 256  # windows that are asked for at once, at least
_USUAL_ANSWER = 300  # tokens, for estimates
_SHARED = 2  # sentences that a window repeats from the one before it
_CHECKED, _KNOWN = (
    0.85,
    0.7,
)  # confidence: what code worked out, and what the model knows of a place

_OTHER = "its formula gives another value"
T = TypeVar("T")
_Amount = Literal["money", "quantity", "duration", "number", "percent", "age"]
_Place = Literal["country", "city", "region"]


class _UnfitError(ValueError):
    """Why a claim cannot be taken for a fact."""


class Claim(BaseModel):
    """A fact as the model puts it."""

    kind: _Amount | _Place | Literal["date"]
    value: str = Field(min_length=1, max_length=80)
    unit: str = Field(default="", max_length=30)
    about: str = Field(default="", max_length=120)
    sentences: list[int] = Field(min_length=1, max_length=6)
    formula: str = Field(default="", max_length=200)


class _Claims(BaseModel):
    facts: list[Claim]


@takes_model
def build(place: ModelPlace, *, window: int = 2000, max_tokens: int = 4096) -> Enricher:
    """Return an enricher that asks a language model for facts, and checks each by code.

    Queries are read by rules.

    place       where the model runs: the options of `ModelPlace`
    window      tokens of a document, about, that the model sees at once
    max_tokens  longest answer. A model that reasons needs more

    Raises InputError when a value is out of range or there is no model.
    """
    return asking(place, window, max_tokens)


def asking(place: ModelPlace, window: int, max_tokens: int) -> Enricher:
    """Return what `build` does, from a place."""
    if window < 50 or max_tokens < 50:
        raise InputError(
            f"by_llm needs a window and max_tokens of at least 50 tokens, got window={window}, "
            f"max_tokens={max_tokens}."
        )
    return ByLLM(open_llm("by_llm", place), window, max_tokens)


@dataclass
class ByLLM:
    """An enricher on any language model; `build` explains the options.

    failures  what went wrong so far, by kind: windows without an answer that can be used, and
              facts that were dropped because they did not hold
    """

    llm: LLM
    window: int = 2000
    max_tokens: int = 4096
    failures: Counter[str] = field(default_factory=Counter)

    @cached_property
    def name(self) -> str:
        """Version of the code, model, and hash of the prompt."""
        return f"by_llm/{VERSION}-{self.llm.name}-{self._prompt.hash}"

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that decides what is asked."""
        return {
            "llm": getattr(self.llm, "settings", {"name": self.llm.name}),
            "prompt": self._prompt.hash,
            "window": self.window,
            "max_tokens": self.max_tokens,
        }

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        """Yield document id and facts, in the order of the documents.

        A document whose answer is missing or cannot be used has the facts of its other windows,
        or none, and is counted in `failures`.
        """
        for block in self._blocks(documents):
            requests = [self._request(part) for _, parts in block for part in parts]
            results = iter(
                structured(self.llm, requests, [_claims_in] * len(requests)) if requests else ()
            )
            for document, parts in block:
                found: list[Fact] = []
                for part in parts:
                    for record in self._records(next(results)):
                        try:
                            found.append(self._fact(record, part))
                        except _UnfitError as why:
                            self.failures[f"{DROPPED}: {why}"] += 1
                yield document.id, merged(found)

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        """Return what the rules read in each query."""
        return self._rules.constraints(queries)

    @cached_property
    def _prompt(self) -> Prompt:
        return Prompt.load("leadline_facts", "find_facts")

    @cached_property
    def _rules(self) -> Enricher:
        from leadline_facts import facts

        return facts.build(cache=False)

    def _blocks(
        self, documents: Iterable[Document]
    ) -> Iterator[list[tuple[Document, list[list[Sentence]]]]]:
        block: list[tuple[Document, list[list[Sentence]]]] = []
        for document in documents:
            block.append((document, list(windows(document.content, self.window))))
            if sum(max(1, len(parts)) for _, parts in block) >= _BLOCK:
                yield block
                block = []
        if block:
            yield block

    def _request(self, part: Sequence[Sentence]) -> Request:
        shown = "\n".join(f"[{n}] {each.text}" for n, each in enumerate(part, 1))
        return Request(
            (Message("system", self._prompt.fill()), Message("user", delimited(shown, "text"))),
            self.max_tokens,
            schema=_Claims.model_json_schema(),
            expected_tokens=min(_USUAL_ANSWER, self.max_tokens),
        )

    def _records(self, result: Structured) -> list[Any]:
        """Return the claims of an answer; of one that was cut off those that stand whole."""
        if result.is_there:
            records: list[Any] = result.value
            return records
        if failure := result.answer.failure:
            if failure.kind != DRY_RUN:
                self.failures[f"{NO_ANSWER} ({failure.kind})"] += 1
            return []
        if result.answer.finish == "length":
            self.failures[CUT_OFF] += 1
            return [each for each in whole_entries(result.answer.text) if "kind" in each]
        self.failures[NO_FACTS] += 1
        return []

    def _fact(self, record: Any, part: Sequence[Sentence]) -> Fact:
        """Return the fact of a claim that holds. Raises _UnfitError for one that does not."""
        try:
            claim = Claim.model_validate(record)
        except ValidationError as error:
            raise _UnfitError("it does not have the form of a fact") from error
        if not all(1 <= n <= len(part) for n in claim.sentences):
            raise _UnfitError("there is no such sentence")
        chosen = [part[n - 1] for n in sorted(set(claim.sentences))]
        words = " ".join(each.text for each in chosen)
        is_place = claim.kind in ("country", "city", "region")
        read = _day if claim.kind == "date" else _name if is_place else _amount
        value = read(claim, words)
        return Fact(
            claim.kind,
            value,
            about=claim.about if folded(claim.about) in folded(words) else "",
            confidence=_KNOWN if is_place else _CHECKED,
            spans=tuple((each.start, each.end) for each in chosen),
            derivation=claim.formula,
            provider=self.name,
        )


def windows(text: str, tokens: int) -> Iterator[list[Sentence]]:
    """Yield the sentences of a text in windows of at most about so many tokens.

    A window repeats the last two sentences of the one before it.
    """
    part: list[Sentence] = []
    fresh = held = 0
    for each in _pieces(text, 4 * tokens):
        length = estimated_tokens(each.text)
        if fresh and held + length > tokens:
            yield part
            part = part[-_SHARED:] if len(part) > _SHARED else []
            fresh, held = 0, sum(estimated_tokens(one.text) for one in part)
        part.append(each)
        fresh, held = fresh + 1, held + length
    if fresh:
        yield part


def _pieces(text: str, most: int) -> Iterator[Sentence]:
    """Yield the sentences of a text, one that is too long for a window in parts."""
    for each in split_sentences(text):
        for start in range(each.start, each.end, most):
            end = min(each.end, start + most)
            yield Sentence(start, end, text[start:end])


def _claims_in(answer: Any) -> list[Any]:
    facts = answer.get("facts") if isinstance(answer, Mapping) else answer
    if not isinstance(facts, list):
        raise ValueError('it has no list "facts"')
    return facts


def _day(claim: Claim, words: str) -> str:
    day = _worked_out(day_by(claim.formula, words)).isoformat()
    if day != claim.value.strip():
        raise _UnfitError(_OTHER)
    return day


def _amount(claim: Claim, words: str) -> Any:
    amount = _worked_out(amount_by(claim.formula, words))
    try:
        told = float(claim.value.replace(",", ""))
    except ValueError as error:
        raise _UnfitError("its value is no number") from error
    if not is_near(amount, told):
        raise _UnfitError(_OTHER)
    plain = int(told) if told.is_integer() else told
    unit = claim.unit.strip()
    if claim.kind == "money":
        if len(unit) != 3 or not unit.isalpha():
            raise _UnfitError("it has no currency")
        return {"amount": plain, "currency": unit.upper()}
    if claim.kind in ("quantity", "duration"):
        if not unit:
            raise _UnfitError("it has no unit")
        return {"amount": plain, "unit": unit}
    return plain


def _name(claim: Claim, words: str) -> dict[str, str]:
    if not claim.formula or folded(claim.formula) not in folded(words):
        raise _UnfitError("its words are not in the sentences")
    if claim.kind != "country":
        return {"name": claim.value.strip()}
    if folded(claim.value) not in CODES:
        raise _UnfitError("its country is not known")
    return country(CODES[folded(claim.value)])


def _worked_out(value: T | str) -> T:
    """Return what a formula gives. Raises _UnfitError with what is wrong with it."""
    if isinstance(value, str):
        raise _UnfitError(value)
    return value
