"""Where queries come from when the user has none: titles, else salient sentences."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.synthesis.clauses import cleaned, is_clause
from leadline.synthesis.pools import LONGEST_SENTENCE, Pools
from leadline.synthesis.sentences import Sentence, salience, split_sentences
from leadline.synthesis.tokens import content_tokens
from leadline.synthesis.uniqueness import Case, find_matches
from leadline.synthesis.words import (
    CONJUNCTIONS,
    DETERMINERS,
    FINITE,
    LINKERS,
    PREPOSITIONS,
)
from leadline.types import Corpus, Document

_MOST_TRIES = 8
_SENTENCES = 60
_MOST_WORDS = 20
_WANTED_WORDS = 14
_LONGEST_OPENING = 16


@dataclass(frozen=True, slots=True)
class PseudoQuery:
    """A query that a document answers. span: where it stands in the text, or "title"."""

    text: str
    document: str
    span: str


def find_pseudo_queries(
    corpus: Corpus, pools: Pools, dropped: Counter[str], *, limit: int, rng: random.Random
) -> tuple[list[PseudoQuery], int]:
    """Return at most `limit` queries of documents taken at random, and how many were looked at.

    A query has at least three content words, and no document but its own holds (nearly) all of
    them; what is dropped is counted by reason.
    """
    found: list[PseudoQuery] = []
    ids = list(corpus)
    considered = 0
    wanted = 3 * limit + 5
    for document_id in rng.sample(ids, min(len(ids), wanted * _MOST_TRIES)):
        if len(found) >= wanted:
            break
        considered += 1
        query = _from_document(corpus[document_id], pools)
        if query is None:
            dropped["no title or sentence of three content words"] += 1
        else:
            found.append(query)
    return _unique(corpus, found, pools, dropped, limit), considered


def _unique(
    corpus: Corpus,
    found: Sequence[PseudoQuery],
    pools: Pools,
    dropped: Counter[str],
    limit: int,
) -> list[PseudoQuery]:
    cases = [Case(tuple(content_tokens(query.text)), query.document) for query in found]
    matches = find_matches(cases, corpus, pools.frequency)
    kept: list[PseudoQuery] = []
    for place, query in enumerate(found):
        if len(kept) == limit:
            dropped["not needed: the limit was reached"] += 1
        elif place in matches:
            dropped["another document matches it"] += 1
        else:
            kept.append(query)
    return kept


def _from_document(document: Document, pools: Pools) -> PseudoQuery | None:
    title = cleaned(document.title)
    if len(content_tokens(title)) >= 3 and len(title.split()) <= _MOST_WORDS:
        return PseudoQuery(title, document.id, "title")
    sentences = [
        sentence
        for sentence in split_sentences(document.text)[:_SENTENCES]
        if len(sentence.text) <= LONGEST_SENTENCE
    ]
    return _from_sentences(document.id, sentences, pools) or _from_opening(document.id, sentences)


def _from_sentences(
    document_id: str, sentences: Sequence[Sentence], pools: Pools
) -> PseudoQuery | None:
    """Return the sentence of at most 14 words that says most, those with a verb first."""
    best: tuple[bool, float] = (False, 0.0)
    query = None
    for sentence in sentences:
        text = cleaned(sentence.text)
        if not 4 <= len(text.split()) <= _WANTED_WORDS or len(content_tokens(text)) < 3:
            continue
        each = (is_clause(text), salience(text, pools.rarity))
        if each > best:
            best = each
            query = PseudoQuery(text, document_id, f"{sentence.start}-{sentence.end}")
    return query


def _from_opening(document_id: str, sentences: Sequence[Sentence]) -> PseudoQuery | None:
    """Return the words up to where the first phrase ends: in bare text often its title."""
    for sentence in sentences:
        words = sentence.text.split()
        stop = next((i for i in range(5, len(words)) if _begins_anew(words, i)), len(words))
        if stop > _LONGEST_OPENING:
            stop = next(
                (i for i in range(_LONGEST_OPENING, 4, -1) if words[i].lower() in PREPOSITIONS),
                _LONGEST_OPENING,
            )
        text = cleaned(" ".join(words[:stop]))
        if len(content_tokens(text)) >= 3:
            end = sentence.start + sentence.text.find(words[stop - 1]) + len(words[stop - 1])
            return PseudoQuery(text, document_id, f"{sentence.start}-{max(end, sentence.start)}")
    return None


def _begins_anew(words: Sequence[str], i: int) -> bool:
    """Tell whether a sentence seems to begin, without a full stop, where a determiner stands."""
    before, word = words[i - 1].lower(), words[i].lower()
    if before[-1] in ",;:." or word in LINKERS | FINITE:
        return True
    bound = PREPOSITIONS | CONJUNCTIONS | DETERMINERS | FINITE
    return word in {"a", "an", "the", "this", "it"} and before not in bound
