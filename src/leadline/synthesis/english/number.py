"""The other number of the noun that a query is about, with the article that goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leadline.synthesis.english.parsing import lemma_of, text_of
from leadline.synthesis.words import words_of

_NO_OTHER = words_of(
    """
    news series species means data media police people physics mathematics statistics economics
    politics ethics dynamics aerodynamics mechanics proceedings goods arts thanks information
    research evidence equipment software hardware literature music work advice progress knowledge
    flow heat pressure use history education management training theory analysis access police
    staff audience behavior behaviour life death growth love nature society science technology
    """
)
_COUNTING = words_of("multiple several many few various numerous different both dual twin paired")
_QUANTITIES = frozenset({"nummod", "det", "predet", "quantmod", "poss"})


def other_number(query: Any, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return a parsed noun phrase with its head in the other number, and what changed.

    "a thin wing" becomes "thin wings", "thin wings on ships" "thin wing on ships". ("", "") where
    the corpus does not use both numbers, or anything in the phrase counts or points.
    frequency  token -> documents
    """
    from lemminflect import getInflection

    head = next((token for token in query if token.dep_ == "ROOT"), None)
    if head is None or head.tag_ not in {"NN", "NNS"} or not head.is_alpha or head.ent_type_:
        return "", ""
    if head.text[0].isupper():
        return "", ""  # in a title, which has one form
    lemma = lemma_of(head)
    if {lemma, head.lower_} & _NO_OTHER or head.lower_.endswith(("ics", "ness", "ism")):
        return "", ""
    if head.lower_.endswith("ing") and len(head) > 5:
        return "", ""
    if any(child.dep_ in {"conj", "cc", "appos", "relcl"} for child in head.children):
        return "", ""
    if any(child.lower_ in _COUNTING for child in head.children):
        return "", ""
    bound = [child for child in head.children if child.dep_ in _QUANTITIES]
    article = bound[0] if len(bound) == 1 and bound[0].lower_ in {"a", "an"} else None
    if bound and article is None:
        return "", ""
    other = next(iter(getInflection(lemma, tag="NNS" if head.tag_ == "NN" else "NN")), "")
    fewest = max(2, frequency.get(head.lower_, 0) // 20)
    if not other or other == head.lower_ or frequency.get(other, 0) < fewest:
        return "", ""
    text = text_of(query)
    other = other.capitalize() if head.is_title else other
    changed = text[: head.idx] + other + text[head.idx + len(head.text) :]
    if article is not None:
        after = changed[article.idx + len(article.text) :].lstrip()
        changed = changed[: article.idx] + after
    return changed.strip(), f"{head.text} -> {other}"
