"""A model that says whether an answer comes to the right choice, tried before it is trusted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from leadline.llm.delimiting import delimited
from leadline.llm.pipeline.trial import Rates
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Request, answers_of
from leadline.types import LLM, Query

_JUDGEMENT_TOKENS = 4096
_MOST = 10
"""Right answers that are judged, and wrong ones."""
_FORMS = ("({letter}) {text}", "The answer is ({letter}).", "{text}", "Answer: {letter}",
          "After some thought: it must be {text}, that is ({letter}).")  # fmt: skip
_CHOICE = re.compile(r"^\((\w)\) (.*)$", re.MULTILINE)
_SAID = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Judge:
    """A language model that says yes or no, at temperature 0."""

    llm: LLM

    @property
    def name(self) -> str:
        """The model's."""
        return self.llm.name

    def __call__(
        self, queries: Sequence[Query], outputs: Mapping[str, str]
    ) -> dict[str, bool | None]:
        """Ask about every answer; what is neither yes nor no is no judgement."""
        prompt = Prompt.load("leadline.answering", "judge_choice")
        asked = [query for query in queries if query.id in outputs]
        requests = [
            Request(
                prompt.fill(
                    letter=query.answer,
                    right=query.facets.get("right", ""),
                    output=delimited(outputs[query.id], "answer"),
                ),
                _JUDGEMENT_TOKENS,
                expected_tokens=2,
            )
            for query in asked
        ]
        said = [
            _SAID.get(each.text.strip().lower().strip(".")) if not each.failure else None
            for each in answers_of(self.llm, requests)
        ]
        return {query.id: value for query, value in zip(asked, said, strict=True)}


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
