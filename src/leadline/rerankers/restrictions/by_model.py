"""A language model tells what a query is about from what it asks of documents beside that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.kinds.instructions.attributes.restrictions import Reading, Restriction, read
from leadline.kinds.instructions.attributes.vocabulary import CONDITIONS
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Request
from leadline.llm.structured import structured
from leadline.progress import track
from leadline.types import LLM, Query

_TOKENS, _USUAL_TOKENS = 4096, 300
"""Longest answer, the thought of a model that reasons included, and a usual one."""
_AT_ONCE = 64
_MOST = 6  # restrictions of a query
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "restrictions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "dimension": {"type": "string"},
                    "condition": {"type": "string"},
                    "refused": {"type": "boolean"},
                },
                "required": ["dimension", "condition", "refused"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["restrictions"],
    "additionalProperties": False,
}


@dataclass
class ModelReader:
    """Reads queries by a language model.

    What it names must be known, or words of the query. A query that it does not answer, or not as
    asked even when it is asked again, is read by rules.

    failures  queries that rules read instead, by reason
    """

    llm: LLM
    failures: Counter[str] = field(default_factory=Counter)
    _known: dict[str, Reading] = field(default_factory=dict, repr=False)

    def read(self, queries: Sequence[Query]) -> list[Reading]:
        """Return the readings of queries; each content is asked about once."""
        new = [each for each in queries if each.content not in self._known]
        fresh = {each.content: each for each in new}
        batches = range(0, len(fresh), _AT_ONCE)
        for start in track(batches, "Reading what queries ask"):
            self._ask(list(fresh.values())[start : start + _AT_ONCE])
        return [self._known[each.content] for each in queries]

    def _ask(self, queries: Sequence[Query]) -> None:
        prompt = Prompt.load("leadline.rerankers", "read_restrictions")
        requests = [
            Request(
                prompt.fill(query=each.content, conditions=_CONDITIONS),
                _TOKENS,
                schema=_SCHEMA,
                expected_tokens=_USUAL_TOKENS,
            )
            for each in queries
        ]
        for query, found in zip(queries, structured(self.llm, requests, _entries), strict=True):
            reading = _reading(query, found.value) if found.is_there else None
            if reading is None:
                failure = found.answer.failure
                why = f"no answer from the model ({failure.kind})" if failure else found.problem
                self.failures[why] += 1
                reading = read(query)
            self._known[query.content] = reading


_CONDITIONS = "\n".join(
    f"  {dimension}: {', '.join(conditions)}" for dimension, conditions in CONDITIONS.items()
)


def _entries(value: Any) -> list[tuple[str, str, bool]]:
    """Return dimension, condition and whether it is refused. Raises ValueError for other JSON."""
    if not isinstance(value, dict) or not isinstance(value.get("restrictions"), list):
        raise ValueError('it has no list "restrictions"')
    found = []
    for entry in value["restrictions"][:_MOST]:
        if not isinstance(entry, dict):
            raise ValueError("an entry is no object")
        dimension, condition = entry.get("dimension"), entry.get("condition")
        refused = entry.get("refused")
        if not (isinstance(dimension, str) and isinstance(condition, str) and condition.strip()):
            raise ValueError("dimension and condition must be strings")
        if not isinstance(refused, bool):
            raise ValueError('"refused" must be true or false')
        known = CONDITIONS.get(dimension)
        if dimension != "keyword" and (known is None or condition not in known):
            raise ValueError(f"{dimension[:40]!r}: {condition[:40]!r} is not in the list")
        found.append((dimension, condition.strip(), refused))
    return found


def _reading(query: Query, entries: Sequence[tuple[str, str, bool]]) -> Reading:
    """Return the reading; words that the query does not have are left out."""
    content = query.content.casefold()
    kept = tuple(
        Restriction(dimension, condition, negated=refused, words=condition)
        for dimension, condition, refused in entries
        if dimension != "keyword" or condition.casefold() in content
    )
    return Reading(query.text, kept)
