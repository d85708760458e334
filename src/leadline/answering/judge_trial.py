"""A judge of answers is tried before it is trusted, on answers that code knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from leadline.answering.choosing import Judge
from leadline.llm.pipeline.trial import Rates
from leadline.types import Query

_MOST = 10
"""Right answers that are judged, and wrong ones."""
_FORMS = ("({letter}) {text}", "The answer is ({letter}).", "{text}", "Answer: {letter}",
          "After some thought: it must be {text}, that is ({letter}).")  # fmt: skip
_CHOICE = re.compile(r"^\((\w)\) (.*)$", re.MULTILINE)


def judge_rates(judge: Judge, queries: Sequence[Query]) -> Rates:
    """Return how a judge does on right and wrong choices of the user's own questions."""
    asked: dict[str, tuple[Query, str]] = {}
    for is_right in (True, False):
        for query, output in islice(_answers(queries, is_right), _MOST):
            asked[f"{is_right} {len(asked)}"] = (query, output)
    said = judge(
        [replace(query, id=id) for id, (query, _) in asked.items()],
        {id: output for id, (_, output) in asked.items()},
    )
    right = [said[id] is True for id in asked if id.startswith("True")]
    wrong = [said[id] is not False for id in asked if id.startswith("False")]
    return Rates(
        judge.name, len(asked), sum(right) / max(1, len(right)), sum(wrong) / max(1, len(wrong))
    )


def _answers(queries: Sequence[Query], is_right: bool) -> Iterator[tuple[Query, str]]:
    """Yield answers to each question in turn, in one form after the other."""
    for form in _FORMS:
        for query in queries:
            for letter, text in _CHOICE.findall(query.content):
                if (letter == query.answer) == is_right:
                    yield query, form.format(letter=letter, text=text)
