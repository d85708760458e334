"""Where queries come from when the user has none: titles, else salient sentences."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.synthesis.clauses import cleaned, split_units
from leadline.synthesis.pools import LONGEST_SENTENCE, Pools
from leadline.synthesis.sentences import salience, split_sentences
from leadline.synthesis.tokens import content_tokens
from leadline.synthesis.uniqueness import Case, find_matches
from leadline.synthesis.words import DETERMINERS, FINITE, LINKERS, PREPOSITIONS
from leadline.types import Corpus, Document

_MOST_TRIES = 8
_SENTENCES = 60
_MOST_WORDS = 20
_WANTED_WORDS = 12


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
    best: tuple[float, PseudoQuery] | None = None
    for sentence in split_sentences(document.text)[:_SENTENCES]:
        if len(sentence.text) > LONGEST_SENTENCE:
            continue
        for unit in split_units(sentence, most_words=_MOST_WORDS):
            text = _shortened(cleaned(unit.text), pools)
            weight = salience(text, pools.rarity)
            if len(content_tokens(text)) >= 3 and (best is None or weight > best[0]):
                best = weight, PseudoQuery(text, document.id, f"{unit.start}-{unit.end}")
    return best[1] if best else None


def _shortened(text: str, pools: Pools) -> str:
    """Return the run of 5 to 12 words of a text that says most, cut where a phrase ends."""
    words = text.split()
    if len(words) <= _WANTED_WORDS:
        return text
    best = ""
    weight = 0.0
    for first in range(len(words) - 4):
        if first and not _opens(words[first - 1], words[first]):
            continue
        for last in range(first + 5, min(first + _WANTED_WORDS, len(words)) + 1):
            if last < len(words) and not _opens(words[last - 1], words[last]):
                continue
            piece = cleaned(" ".join(words[first:last]))
            each = salience(piece, pools.rarity)
            if each > weight and not _hangs(piece):
                best, weight = piece, each
    return best or cleaned(" ".join(words[:_WANTED_WORDS]))


def _opens(before: str, word: str) -> bool:
    """Tell whether a phrase may begin with a word."""
    if before[-1] in ",;:.)":
        return True
    if before.lower() in DETERMINERS | PREPOSITIONS | {"and", "or", "of"}:
        return False
    return word.lower() in LINKERS | FINITE | PREPOSITIONS | DETERMINERS - {"of"}


def _hangs(piece: str) -> bool:
    words = piece.lower().split()
    return not words or words[0] in FINITE | PREPOSITIONS | LINKERS or words[-1] in FINITE
