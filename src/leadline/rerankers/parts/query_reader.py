"""Ask a language model once about each query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from leadline.llm.pipeline.steps import closed
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Request
from leadline.llm.structured import structured
from leadline.progress import track
from leadline.types import LLM, Query, Reranker

T = TypeVar("T")

_TOKENS, _USUAL_TOKENS = 4096, 300
"""Longest answer, the thought of a model that reasons included, and a usual one."""
_AT_ONCE = 64


@dataclass
class QueryReader(Generic[T]):
    """Reads queries by a language model, and by rules where it does not answer as asked.

    llm       None where rules read all
    prompt    name of the template; a query fills its field `query`
    values    of its other fields
    schema    properties of the answer
    check     (query, parsed answer) -> what it says. Raises ValueError for what cannot be used;
              then the model is asked once more
    rules     what reads a query otherwise
    asked     queries put before the model so far; None without one
    failures  those that rules read in its place, by reason
    """

    llm: LLM | None
    prompt: str
    schema: Mapping[str, Any]
    check: Callable[[Query, Any], T]
    rules: Callable[[Query], T]
    values: Mapping[str, str] = field(default_factory=dict)
    asked: int | None = field(default=None, init=False)
    failures: Counter[str] = field(default_factory=Counter, init=False)
    _known: dict[str, T] = field(default_factory=dict, init=False, repr=False)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What a report tells of it."""
        if self.llm is None:
            return {"reader": "rules"}
        model = getattr(self.llm, "settings", {"model": self.llm.name})
        return {"reader": {**model, "prompt": self._template.hash}}

    def read(self, queries: Sequence[Query]) -> list[T]:
        """Return what queries say; the same content is asked about once."""
        if self.llm is None:
            return [self.rules(each) for each in queries]
        unknown = [each for each in queries if each.content not in self._known]
        fresh = list({each.content: each for each in unknown}.values())
        for start in track(range(0, len(fresh), _AT_ONCE), "Reading queries"):
            self._ask(self.llm, fresh[start : start + _AT_ONCE])
        return [self._known[each.content] for each in queries]

    @property
    def _template(self) -> Prompt:
        return Prompt.load("leadline.rerankers", self.prompt)

    def _ask(self, llm: LLM, queries: Sequence[Query]) -> None:
        schema = closed({"type": "object", "properties": self.schema})
        asked = [self._template.fill(query=each.content, **self.values) for each in queries]
        requests = [
            Request(each, _TOKENS, schema=schema, expected_tokens=_USUAL_TOKENS) for each in asked
        ]
        self.asked = (self.asked or 0) + len(queries)
        found = structured(llm, requests, [partial(self.check, each) for each in queries])
        for query, answered in zip(queries, found, strict=True):
            if answered.is_there:
                self._known[query.content] = answered.value
                continue
            failure = answered.answer.failure
            why = f"no answer ({failure.kind})" if failure else "no usable answer"
            self.failures[f"{why}, so that rules read the query"] += 1
            self._known[query.content] = self.rules(query)


class ReadingReranker(Reranker):
    """A reranker that has its queries read by `reader`, and says how often that failed."""

    reader: QueryReader[Any]

    @property
    def asked(self) -> int | None:
        """Queries put before the model so far."""
        return self.reader.asked

    @property
    def failures(self) -> Mapping[str, int]:
        """Queries that rules read in its place, by reason."""
        return self.reader.failures
