"""Facts by a language model, of which only those stay that the text and arithmetic bear out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from leadline.errors import InputError
from leadline.llm.delimiting import delimited
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Message, Request
from leadline.llm.structured import Structured, structured
from leadline.llm.troubles import DRY_RUN
from leadline.types import LLM, Constraint, Document, Enricher, Fact, Query
from leadline_facts.llm_facts.answers import claims_in, schema, whole_claims
from leadline_facts.llm_facts.checking import Checking
from leadline_facts.llm_facts.derivation import OPERATIONS
from leadline_facts.llm_facts.windows import Window, windows
from leadline_facts.merging import merged

VERSION = 1

NO_ANSWER = "no answer from the model"
NO_FACTS = "no list of facts in the answer"
CUT_OFF = "answer cut off"
DROPPED = "fact of the model dropped"
"""What is counted: for the first three windows of documents, for the last single facts."""

_BLOCK = 256
"""Windows that are asked for at once, at least."""

_USUAL_ANSWER = 500
"""Tokens, for estimates."""

_SCHEMA = schema(OPERATIONS)


@takes_model
def build(
    place: ModelPlace,
    *,
    window: int = 2000,
    max_tokens: int = 4096,
) -> Enricher:
    """Return an enricher that asks a language model for facts, and checks each by code.

    Queries are read by rules.

    place       where the model runs: the options of `ModelPlace`
    window       tokens of a document, about, that the model sees at once, beside the 2,000 or so
                 that explain what is asked for
    max_tokens   longest answer. A model that reasons needs more

    Raises InputError when a value is out of range or there is no model.
    """
    return asking(place, window, max_tokens)


def asking(place: ModelPlace, window: int, max_tokens: int) -> Enricher:
    """Return what `build` does, from a place."""
    if window < 50 or max_tokens < 50:
        raise InputError(
            "by_llm takes a window and max_tokens of at least 50 tokens, got "
            f"window={window}, max_tokens={max_tokens}."
        )
    return ByLLM(open_llm("by_llm", place), window, max_tokens)


@dataclass
class ByLLM:
    """An enricher on any language model; `build` explains the options.

    failures  what went wrong so far, by kind: windows without an answer that can be used, and
              facts that were dropped because they did not hold
    windows   windows put before the model so far
    """

    llm: LLM
    window: int = 2000
    max_tokens: int = 4096
    failures: Counter[str] = field(default_factory=Counter)
    windows: int = 0

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
            results = iter(self._asked(block))
            for document, parts in block:
                checking = Checking(document.content, self.name)
                found: list[Fact] = []
                for part in parts:
                    records = self._records(next(results))
                    dropped: Counter[str] = Counter()
                    found += checking.facts(records, part.span, dropped)
                    for reason, count in dropped.items():
                        self.failures[f"{DROPPED}: {reason}"] += count
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
    ) -> Iterator[list[tuple[Document, list[Window]]]]:
        block: list[tuple[Document, list[Window]]] = []
        held = 0
        for document in documents:
            parts = windows(document.content, self.window)
            block.append((document, parts))
            held += max(1, len(parts))
            if held >= _BLOCK:
                yield block
                block, held = [], 0
        if block:
            yield block

    def _asked(self, block: Sequence[tuple[Document, list[Window]]]) -> list[Structured]:
        requests = [
            self._request(document.content, part) for document, parts in block for part in parts
        ]
        self.windows += len(requests)
        return structured(self.llm, requests, claims_in) if requests else []

    def _request(self, text: str, part: Window) -> Request:
        shown = delimited(text[slice(*part.span)], "text")
        if part.before:
            shown = delimited("\n".join(part.before), "before") + "\n" + shown
        turns = (Message("system", self._prompt.fill()), Message("user", shown))
        return Request(
            turns,
            self.max_tokens,
            schema=_SCHEMA,
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
            return whole_claims(result.answer.text)
        self.failures[NO_FACTS] += 1
        return []
