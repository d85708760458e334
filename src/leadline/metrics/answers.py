"""Metrics of written answers: whether they contain the gold answer, or the right choice."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Literal, TypeAlias

from leadline.errors import InputError
from leadline.metrics.record import Recorded
from leadline.metrics.stemming import stem
from leadline.text.letters import composed
from leadline.text.thought import after_thought
from leadline.types import Query

Gold: TypeAlias = str | Sequence[str]
Extraction: TypeAlias = Literal["default", "published"]
RougeMode: TypeAlias = Literal["plain", "plain_nostem", "paper_set", "published"]
ROUGE_MODES: tuple[RougeMode, ...] = ("plain", "plain_nostem", "paper_set", "published")


def extract_answer(output: str, *, mode: Extraction = "default") -> str:
    """Return the part of an output that answers.

    default    the text after the last line start `Answer:` (any case), else everything
    published  if "answer" occurs in any case, the text after the last capitalised `Answer`, so
               `Answer: X` gives `: X`

    Both are stripped. Source of `published`: Taghavi et al., ImpliRet, sync_evaluation.py.
    """
    if mode == "published":
        if "answer" in output.lower():
            return output.rsplit("Answer", 1)[-1].strip()
        return output.strip()
    if mode != "default":
        raise InputError(f"mode must be 'default' or 'published', got {mode!r}.")
    starts = list(_ANSWER_LINE.finditer(output))
    return output[starts[-1].end() if starts else 0 :].strip()


def rouge1_recall(output: str, gold: Gold, *, mode: RougeMode = "plain") -> float:
    """Return the share of the gold answer's words that the output has, in [0, 1].

    plain         each word counts as often as in both, after stemming, as rouge-score has it
    plain_nostem  the same without stemming
    paper_set     distinct words, without stemming: the formula as printed
    published     `plain` on the answer that `extract_answer` finds as published

    Words are runs of a-z and 0-9 after lower-casing; several gold answers are joined by spaces.
    A gold answer without words gives 0.
    Source: Lin 2004, ROUGE; Taghavi et al., ImpliRet, section 4.
    """
    if mode not in ROUGE_MODES:
        raise InputError(f"mode must be one of {', '.join(ROUGE_MODES)}, got {mode!r}.")
    if mode == "published":
        output = extract_answer(output, mode="published")
    with_stems = mode in ("plain", "published")
    found, wanted = _words(output, with_stems), _words(joined(gold), with_stems)
    if mode == "paper_set":
        return _recall(list(set(found)), list(set(wanted)))
    return _recall(found, wanted)


def exact_match(output: str, gold: Gold) -> float:
    """Return 1 if the output is the gold answer, or one of several, else 0.

    Case, punctuation, the articles a, an and the, and white space are ignored, unless nothing else
    is left.
    Source: Rajpurkar et al. 2016, SQuAD, evaluate-v1.1.
    """
    golds = [gold] if isinstance(gold, str) else list(map(str, gold))
    return float(any(_bare(output) == _bare(each) for each in golds))


def joined(gold: Gold) -> str:
    """Return the gold answer as one string; several are joined by spaces."""
    return (gold if isinstance(gold, str) else " ".join(map(str, gold))).strip()


@dataclass(frozen=True)
class _OfAnswers(Recorded):
    """A measure of written answers, by query id. Queries without answer or output are left out.

    extraction  how to extract the answer from an output; None uses all of it
    """

    extraction: Extraction | None = field(default="default", kw_only=True)

    def __call__(self, queries: Sequence[Query], outputs: Mapping[str, str]) -> dict[str, float]:
        """Return the value by query id."""
        return {
            query.id: self._value(query, outputs[query.id])
            for query in queries
            if query.answer and query.id in outputs
        }

    def _value(self, query: Query, output: str) -> float:
        raise NotImplementedError

    def _part(self, output: str) -> str:
        return extract_answer(output, mode=self.extraction) if self.extraction else output


@dataclass(frozen=True)
class ROUGE1Recall(_OfAnswers):
    """ROUGE-1 recall of answers against the `answer` of each query."""

    stem = "ROUGE-1"
    mode: RougeMode = "plain"

    def _value(self, query: Query, output: str) -> float:
        output = output if self.mode == "published" else self._part(output)
        return rouge1_recall(output, query.answer, mode=self.mode)


@dataclass(frozen=True)
class ExactMatch(_OfAnswers):
    """Whether answers are the `answer` of each query, or one of its `accepted`, word for word."""

    stem = "ExactMatch"

    def _value(self, query: Query, output: str) -> float:
        return exact_match(self._part(output), [query.answer, *query.accepted])


@dataclass(frozen=True)
class ChoiceLetter(Recorded):
    """Whether answers settle on the letter that is the `answer` of each query."""

    stem = "ChoiceLetter"

    def __call__(self, queries: Sequence[Query], outputs: Mapping[str, str]) -> dict[str, float]:
        """Return 1 or 0 by query id, 0 if no letter is found.

        A query without lettered choices or output is left out.
        """
        return {
            query.id: float(chosen_letter(outputs[query.id], offered(query)) == query.answer)
            for query in queries
            if offered(query) and query.answer and query.id in outputs
        }


class Judged(Recorded):
    """Judgements of answers by a model: `leadline read --judge-model NAME`."""

    stem = "Judged"


CHOICES = "choices"
"""Facet of a query with lettered choices: how many there are."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to name a choice. X in a pattern stands for the letter, as `B`, `(B)` or `B)`."""

    pattern: str
    example: str
    other: str


WORDINGS: Sequence[Wording] = (
    Wording(
        r"\b(?:answer|choice|option)\s+(?:is|would\s+be|must\s+be)\s*:?\s*X",
        "The correct answer is (B).",
        "The answer is a gas.",
    ),
    Wording(r"^\W*(?:final\s+)?(?:answer|choice)\s*:\s*X", "Answer: B", "Answer: Boron"),
    Wording(r"\\boxed\{(?:\\text\{)?X\}", r"so \boxed{B}", r"so \boxed{2B}"),
    Wording(r"^X\s+is\s+(?:the\s+)?(?:correct|right)\b", "(B) is correct", "Both are correct"),
    Wording(r"\AX\.?\Z", "B.", "Beryllium"),
    Wording(r"^X(?=[ .:]+\S.*\Z)", "It falls.\n(B) 3 m/s", "It falls.\nBy 3 m/s"),
)
"""The most reliable first. Within one, the last match counts."""


def chosen_letter(output: str, count: int = 4) -> str:
    """Return the letter that an answer chooses, or an empty string.

    count  number of choices: only their capital letters count

    Reasoning before the answer is ignored. `A or B` chooses none.
    """
    text = _EMPHASIS.sub("", after_thought(output)).strip()
    for pattern in _patterns(ascii_uppercase[:count]):
        said = [match.group("bare") or match.group("held") for match in pattern.finditer(text)]
        if said:
            return said[-1]
    return ""


def unreadable(queries: Iterable[Query], outputs: Mapping[str, str]) -> int:
    """Count the answers without a letter."""
    return sum(
        not chosen_letter(outputs[query.id], offered(query))
        for query in queries
        if offered(query) and query.id in outputs
    )


def offered(query: Query) -> int:
    """Return how many lettered choices a query offers; 0 for none."""
    count = query.facets.get(CHOICES, "")
    return int(count) if count.isdecimal() else 0


_EMPHASIS = re.compile(r"\*+|`+|\$")
_ARTICLES = frozenset(("a", "an", "the"))
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ANSWER_LINE = re.compile(r"^[ \t]*answer:", re.IGNORECASE | re.MULTILINE)
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def _words(text: str, with_stems: bool) -> list[str]:
    words = [word for word in _SEPARATORS.split(text.lower()) if word]
    return [stem(word) if len(word) > 3 else word for word in words] if with_stems else words


def _bare(text: str) -> str:
    text = composed(text)
    words = text.casefold().translate(_PUNCTUATION).split()
    return " ".join(word for word in words if word not in _ARTICLES) or " ".join(
        text.casefold().split()
    )


def _recall(found: Sequence[Hashable], wanted: Sequence[Hashable]) -> float:
    shared = (Counter(found) & Counter(wanted)).total()
    return shared / len(wanted) if wanted else 0.0


_KNOWN: dict[str, tuple[re.Pattern[str], ...]] = {}


def _patterns(letters: str) -> tuple[re.Pattern[str], ...]:
    if letters not in _KNOWN:
        one = f"[{letters}]"
        not_two = rf"(?!\s*(?:or|and|,|/|&)\s*\(?{one}\b)"
        letter = rf"(?:\((?P<held>{one})\)|(?P<bare>{one})(?![\w'])\)?){not_two}"
        _KNOWN[letters] = tuple(
            re.compile(each.pattern.replace("X", f"(?-i:{letter})"), re.IGNORECASE | re.MULTILINE)
            for each in WORDINGS
        )
    return _KNOWN[letters]
