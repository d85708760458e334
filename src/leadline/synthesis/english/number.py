"""The plural of the noun that a query is about, without the article that goes with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leadline.synthesis.english.articles import is_counted
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


def plural_of(query: Any, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return a parsed noun phrase with its head in the plural, and what changed.

    "a thin wing" becomes "thin wings". ("", "") where the corpus hardly uses the plural, or
    anything in the phrase counts or points. A plural is left alone: without an article its
    singular is nothing that people type.
    frequency  token -> documents
    """
    from lemminflect import getInflection

    head = next((token for token in query if token.dep_ == "ROOT"), None)
    if head is None or head.tag_ != "NN" or not head.is_alpha or head.ent_type_:
        return "", ""
    if head.text[0].isupper():
        return "", ""  # in a title, which has one form
    lemma = lemma_of(head)
    if {lemma, head.lower_} & _NO_OTHER or head.lower_.endswith(("ics", "ness", "ism")):
        return "", ""
    if any(child.dep_ in {"conj", "cc", "appos", "relcl"} for child in head.children):
        return "", ""
    if any(child.lower_ in _COUNTING for child in head.children):
        return "", ""
    bound = [child for child in head.children if child.dep_ in _QUANTITIES]
    article = bound[0] if len(bound) == 1 and bound[0].lower_ in {"a", "an"} else None
    if bound and article is None:
        return "", ""
    other = next(iter(getInflection(lemma, tag="NNS")), "")
    if not is_counted(head, frequency):
        return "", ""
    text = text_of(query)
    other = other.capitalize() if head.is_title else other
    changed = text[: head.idx] + other + text[head.idx + len(head.text) :]
    if article is not None:
        after = changed[article.idx + len(article.text) :].lstrip()
        changed = changed[: article.idx] + after
    return changed.strip(), f"{head.text} -> {other}"
