"""Where queries come from when the user has none: what a document's title and phrases are about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.sentences import joined_lines
from leadline.synthesis.english.parsing import parse
from leadline.synthesis.english.phrases import Phrase, find_phrases, phrase_of
from leadline.synthesis.english.verbs import is_finite, sentences_of
from leadline.synthesis.pools import Pools
from leadline.synthesis.sentences import split_sentences
from leadline.synthesis.tokens import content_tokens, normalised, tokens
from leadline.synthesis.uniqueness import Case, find_matches
from leadline.types import Corpus, Document

_SPARE = 2
_READ, _ALL_READ = 700, 280_000
"""Characters of a document, and of a corpus so small that more of each document can be read."""
_FEWEST_CONTENT = 3
_FEWEST_NOUNS = 2
_SAID_AGAIN = 2
"""Content words of a query from a text that the text must repeat."""
_SHORT = 60
_MOST_OTHERS = 4
"""Documents beside its own that may answer a query; with more it is no question at all."""
_WINDOW = 3
"""Words that stand within so many times the length of a query are about one thing."""


@dataclass(frozen=True, slots=True)
class Need:
    """A short query as people type it.

    document  the one it was made from
    span      where it stands in its text, or "title"
    others    further documents that say the same words together
    article   what stood before it, which a sentence needs: "the ", "a ", or nothing
    """

    text: str
    document: str
    span: str
    others: tuple[str, ...] = ()
    article: str = ""


def find_needs(
    corpus: Corpus, pools: Pools, dropped: Counter[str], *, limit: int, rng: random.Random
) -> tuple[list[Need], int]:
    """Return at most `limit` queries of documents taken at random, and how many were looked at.

    A query is a noun phrase of 3 to 10 words, never a whole sentence. What other documents hold
    all its words near each other are relevant too, up to four; where more do, or where they stand
    scattered, so that nobody can tell, the query is dropped. What is dropped is counted.
    """
    ids = rng.sample(list(corpus), min(len(corpus), _SPARE * limit + 20))
    found: list[Need] = []
    documents = [corpus[id] for id in ids]
    room = max(_READ, _ALL_READ // max(1, len(ids)))
    pieces = [_piece(document, rng, room) for document in documents]
    cased = any(text != text.lower() for text in pieces) or any(
        document.title != document.title.lower() for document in documents
    )
    titles = parse((document.title for document in documents), names=cased)
    by_title = [
        _of_title(document, title) for document, title in zip(documents, titles, strict=True)
    ]
    # A text is read only where its title names no topic.
    texts = parse(
        (piece for piece, need in zip(pieces, by_title, strict=True) if need is None), names=cased
    )
    for document, named in zip(documents, by_title, strict=True):
        need = named or _of_text(document, next(texts), pools)
        if need is None:
            dropped["no phrase of three words or more that names a topic"] += 1
        else:
            found.append(need)
    return _settled(corpus, found, pools, dropped, limit), len(ids)


def _piece(document: Document, rng: random.Random, room: int) -> str:
    """Return a text, or what follows its start or one of its sentences, as far as it is read."""
    text = joined_lines(document.text[: 10 * room + 1])
    if len(text) <= room:
        return text
    starts = [each.start for each in split_sentences(text[: 10 * room])]
    start = rng.choice([0, *starts])
    cut = text[start : start + room]
    return cut[: cut.rfind(" ")]


def _of_title(document: Document, title: Any) -> Need | None:
    """Return the title of a document as a query, where it names a topic."""
    phrase = _title(title)
    if phrase is None or len(content_tokens(phrase.text)) < _FEWEST_CONTENT:
        return None
    return Need(phrase.text, document.id, "title", article=phrase.article)


def _of_text(document: Document, text: Any, pools: Pools) -> Need | None:
    """Return a phrase of a document as a query: rare words, said again, of which something is told.

    A phrase whose words the document repeats is what it is about; one said in passing is not
    what anybody would search for. A short record says hardly anything twice: there a subject will
    do.
    """
    is_short = len(document.text.split()) <= _SHORT
    said = Counter(tokens(document.content))
    whole = {normalised(sentence.text) for sentence in text.sents}
    best, most = None, 0.0
    for found in _phrases(text):
        words = content_tokens(found.text)
        if len(words) < _FEWEST_CONTENT or normalised(found.text) in whole:
            continue
        if found.nouns < _FEWEST_NOUNS or "'s " in found.text or "’s " in found.text:
            continue  # "a long needle", "unusual things", "a plane's frantic passengers"
        again = sum(said[word] > 1 for word in words)
        if again < _SAID_AGAIN and not (is_short and found.is_subject):
            continue
        rare = sum(map(pools.rarity, words)) / len(words) * min(1.0, len(words) / 4)
        rare *= 1.0 + 0.5 * min(3, again) + 0.3 * found.is_subject
        if rare > most:
            best, most = found, rare
    if best is None:
        return None
    offset = max(0, joined_lines(document.text).find(best.text[1:]) - 1)
    return Need(best.text, document.id, f"{offset}-{offset + len(best.text)}", (), best.article)


def _phrases(text: Any) -> Iterator[Phrase]:
    for sentence in sentences_of(text):
        yield from find_phrases(sentence)


def _title(title: Any) -> Phrase | None:
    """Return the topic that a title names, where it is a noun phrase as a whole."""
    words = [token for token in title if not token.is_space and token.text not in {".", "..."}]
    if not words or any(is_finite(token) or token.text in {"?", ":"} for token in words):
        return None
    root = next((token for token in words if token.dep_ == "ROOT"), words[0])
    phrase = phrase_of(root)
    if phrase is None or len(phrase.text.split()) < len(words) - 2:
        return None
    return phrase


def _settled(
    corpus: Corpus, found: Sequence[Need], pools: Pools, dropped: Counter[str], limit: int
) -> list[Need]:
    """Keep the queries of which it is known what answers them."""
    cases = [Case(tuple(content_tokens(need.text)), need.document) for need in found]
    matches = find_matches(cases, corpus, pools.frequency)
    kept: list[Need] = []
    for place, need in enumerate(found):
        others = matches.get(place, [])
        together = [id for id in others if _stand_together(need.text, corpus[id])]
        if len(kept) == limit:
            dropped["not needed: the limit was reached"] += 1
        elif len(others) > _MOST_OTHERS:
            dropped["too many documents answer it"] += 1
        elif len(together) < len(others):
            dropped["another document holds its words"] += 1
        else:
            kept.append(replace(need, others=tuple(others)))
    return kept


def _stand_together(query: str, document: Document) -> bool:
    """Tell whether a document holds the words of a query near each other."""
    wanted = set(content_tokens(query))
    room = _WINDOW * len(query.split())
    held = tokens(document.content)
    last: dict[str, int] = {}
    for place, word in enumerate(held):
        if word in wanted:
            last[word] = place
            if len(last) == len(wanted) and place - min(last.values()) < room:
                return True
    return False
