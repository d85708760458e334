"""Which cases another document answers as well: one pass over a corpus of any size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leadline.data.parts import over_parts, that_may
from leadline.kinds.case_filter import CaseFilter
from leadline.text.tokens import tokens
from leadline.types import Corpus, Document

SHARE = 0.9
"""A document matches a case when it holds this share of the case's content tokens."""

MOST = 5
"""Matches of a case that are named."""


@dataclass(frozen=True, slots=True)
class Case:
    """Content tokens of a query, and the document it was made from."""

    tokens: tuple[str, ...]
    source: str


def find_matches(
    cases: Sequence[Case], corpus: Corpus, frequency: Mapping[str, int]
) -> dict[int, list[str]]:
    """Return, by place of a case, the other documents that match it (the first five).

    frequency  token -> number of documents, as far as known; it only makes the pass fast

    Every document is read once, title and text. A case is looked up by its rarest tokens: by so
    many that a document which matches must hold one of them. A case without tokens has no match.
    """
    wanted = _Wanted.of(cases, frequency)
    matches: dict[int, list[str]] = {}
    for found in over_parts(wanted.matches, corpus, "looking for second answers"):
        for place, names in found.items():
            known = matches.setdefault(place, [])
            known += [name for name in names if name not in known][: MOST - len(known)]
    return matches


@dataclass(frozen=True)
class _Wanted:
    """Cases by the tokens of which a document that matches must hold one."""

    cases: Sequence[Case]
    by_token: Mapping[str, Sequence[int]]
    filter: CaseFilter

    @classmethod
    def of(cls, cases: Sequence[Case], frequency: Mapping[str, int]) -> _Wanted:
        by_token: dict[str, list[int]] = {}
        for place, case in enumerate(cases):
            may_miss = len(case.tokens) - _needed(case)
            rarest = sorted(case.tokens, key=lambda token: (frequency.get(token, 0), token))
            for token in rarest[: may_miss + 1]:
                by_token.setdefault(token, []).append(place)
        needed = [_needed(case) for case in cases]
        return cls(cases, by_token, CaseFilter.of([c.tokens for c in cases], by_token, needed))

    def matches(self, documents: Iterable[Document]) -> dict[int, list[str]]:
        """Return the documents that match, by place of the case."""
        matches: dict[int, list[str]] = {}
        keys = self.by_token.keys()
        for document in that_may(self.filter.may_match, documents):
            held = set(tokens(document.content))
            for token in sorted(held & keys):
                for place in self.by_token[token]:
                    case = self.cases[place]
                    if case.source != document.id and _holds(held, case):
                        found = matches.setdefault(place, [])
                        if document.id not in found and len(found) < MOST:
                            found.append(document.id)
        return matches


def _needed(case: Case) -> int:
    return math.ceil(SHARE * len(case.tokens))


def _holds(held: set[str], case: Case) -> bool:
    may_miss = len(case.tokens) - _needed(case)
    missing = 0
    for token in case.tokens:
        if token not in held:
            missing += 1
            if missing > may_miss:
                return False
    return True
