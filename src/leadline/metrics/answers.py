"""Does a written answer hold the gold answer? ROUGE recall, exact match, and what to compare."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from leadline.errors import InputError
from leadline.metrics.naming import labelled
from leadline.metrics.stemming import stem
from leadline.text.letters import composed
from leadline.types import Query

Gold: TypeAlias = str | Sequence[str]
Extraction: TypeAlias = Literal["default", "published"]
RougeMode: TypeAlias = Literal["plain", "plain_nostem", "paper_set", "published"]
ROUGE_MODES: tuple[RougeMode, ...] = ("plain", "plain_nostem", "paper_set", "published")


def extract_answer(output: str, *, mode: Extraction = "default") -> str:
    """Return the part of an output that answers.

    default    what follows the last line that starts with `Answer:` (any case), else everything
    published  where "answer" occurs in any case, what follows the last capitalised `Answer`: so
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
    """Share of the words of the gold answer that the output holds, in [0, 1].

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


def rouge2_recall(output: str, gold: Gold) -> float:
    """Share of the word pairs of the gold answer that the output holds, stemmed."""
    found, wanted = _words(output, True), _words(joined(gold), True)
    return _recall(list(pairwise(found)), list(pairwise(wanted)))


def rouge_l_recall(output: str, gold: Gold) -> float:
    """Length of the longest common subsequence of words over that of the gold, stemmed."""
    found, wanted = _words(output, True), _words(joined(gold), True)
    return _longest_common(found, wanted) / len(wanted) if wanted else 0.0


def exact_match(output: str, gold: Gold) -> float:
    """Return 1 if the output is the gold answer, or one of several, else 0.

    Case, punctuation, the articles a, an and the, and white space do not count. An output and a
    gold answer without any other word are compared as they are.
    Source: Rajpurkar et al. 2016, SQuAD, evaluate-v1.1.
    """
    golds = [gold] if isinstance(gold, str) else list(map(str, gold))
    return float(any(_bare(output) == _bare(each) for each in golds))


def joined(gold: Gold) -> str:
    """Return the gold answer as one string; several are joined by spaces."""
    return (gold if isinstance(gold, str) else " ".join(map(str, gold))).strip()


@dataclass(frozen=True)
class ROUGE1Recall:
    """ROUGE-1 recall of answers against the `answer` of each query."""

    mode: RougeMode = "plain"
    extraction: Extraction | None = "default"
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`ROUGE-1`, `ROUGE-1[mode=published]`."""
        return labelled(self, "ROUGE-1", "mode", "extraction")

    def __call__(self, queries: Sequence[Query], outputs: Mapping[str, str]) -> dict[str, float]:
        """Return the recall by query id; a query without gold answer or output is left out."""
        values = {}
        for query in queries:
            if query.answer and query.id in outputs:
                output = outputs[query.id]
                if self.extraction and self.mode != "published":
                    output = extract_answer(output, mode=self.extraction)
                values[query.id] = rouge1_recall(output, query.answer, mode=self.mode)
        return values


@dataclass(frozen=True)
class ExactMatch:
    """Whether answers are the `answer` of each query, or one of its `accepted`, word for word."""

    extraction: Extraction | None = "default"
    unit: str = field(default="query", init=False)

    @property
    def name(self) -> str:
        """`ExactMatch`."""
        return labelled(self, "ExactMatch", "extraction")

    def __call__(self, queries: Sequence[Query], outputs: Mapping[str, str]) -> dict[str, float]:
        """Return 1 or 0 by query id; a query without gold answer or output is left out."""
        values = {}
        for query in queries:
            if query.answer and query.id in outputs:
                output = outputs[query.id]
                if self.extraction:
                    output = extract_answer(output, mode=self.extraction)
                values[query.id] = exact_match(output, [query.answer, *query.accepted])
        return values


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


def _longest_common(a: Sequence[str], b: Sequence[str]) -> int:
    row = [0] * (len(b) + 1)
    for word in a:
        previous = row
        row = [0]
        for j, other in enumerate(b):
            row.append(previous[j] + 1 if word == other else max(row[j], previous[j + 1]))
    return row[-1]
