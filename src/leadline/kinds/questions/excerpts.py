"""Parts of documents that a language model is shown: sentences in a row, few enough to read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.text.sentences import Sentence, split_sentences
from leadline.text.tokens import content_tokens
from leadline.types import Corpus, Document

_READ = 20_000
"""Characters of a document that are read."""
_LONGEST = 600
"""Characters of a sentence that are shown: a table without stops is one sentence."""
_FEWEST_WORDS = 20
_FIRST_WORDS = 120
"""Words by which documents are compared."""
_FEW = 6
TOO_SHORT = f"the document has fewer than {_FEWEST_WORDS} words"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Sentences of a document in a row."""

    document: Document
    sentences: tuple[Sentence, ...]

    @property
    def lines(self) -> list[str]:
        """The sentences, each on a line."""
        return [" ".join(each.text.split())[:_LONGEST] for each in self.sentences]

    @property
    def text(self) -> str:
        """Title and sentences on one line."""
        title = " ".join(self.document.title.split())
        return f"{title}: {' '.join(self.lines)}" if title else " ".join(self.lines)


def draw_documents(corpus: Corpus, limit: int, seed: int, fates: dict[str, str]) -> list[Document]:
    """Return at most `limit` documents, so that those in front are of different topics.

    Of the next few of a random order, the one comes first whose words the others before it use
    least. Documents that are too short are left out, which `fates` records.
    """
    rng = random.Random(f"{seed} questions")
    waiting: list[tuple[Document, list[str]]] = []
    for id in rng.sample(list(corpus), len(corpus)):
        document = corpus[id]
        words = document.content[:_READ].split()
        if len(words) < _FEWEST_WORDS:
            fates[id] = TOO_SHORT
            continue
        waiting.append((document, content_tokens(" ".join(words[:_FIRST_WORDS])) or [id]))
        if len(waiting) == limit + _FEW:
            break
    chosen: list[Document] = []
    seen: Counter[str] = Counter()
    while waiting and len(chosen) < limit:
        news = [sum(1 / (1 + seen[word]) for word in words) / len(words)
                for _, words in waiting[:_FEW]]  # fmt: skip
        document, words = waiting.pop(news.index(max(news)))
        chosen.append(document)
        seen.update(words)
    return chosen


def drawn_excerpt(document: Document, words: int, rng: random.Random) -> Excerpt:
    """Return about so many words of a document that begin with a random sentence of it."""
    sentences = split_sentences(document.text[:_READ])
    counts = [_size(each) for each in sentences]
    last = len(sentences) - 1
    while last > 0 and sum(counts[last:]) < words:
        last -= 1
    start = rng.randint(0, max(0, last))
    return Excerpt(document, _from(sentences, start, words))


def excerpt_at(document: Document, place: int, words: int) -> Excerpt:
    """Return about so many words of a document from the sentence before a place of its text."""
    sentences = split_sentences(document.text[:_READ])
    start = next((n for n, each in enumerate(sentences) if each.end > place), 0)
    return Excerpt(document, _from(sentences, max(0, start - 1), words))


def excerpt_for(document: Document, query: str, words: int) -> Excerpt:
    """Return about so many words of a document: those that share most words with a query."""
    sentences = split_sentences(document.text[:_READ])
    wanted = set(content_tokens(query))
    held = [wanted & set(content_tokens(each.text)) for each in sentences]
    best, most = 0, -1
    for start in range(len(sentences)):
        end = start + len(_from(sentences, start, words))
        count = len(set().union(*held[start:end]))
        if count > most:
            best, most = start, count
    return Excerpt(document, _from(sentences, best, words))


def _from(sentences: Sequence[Sentence], start: int, words: int) -> tuple[Sentence, ...]:
    """Return sentences from one on, as many as there is room for, at least that one."""
    end, room = start, words
    while end < len(sentences) and (end == start or _size(sentences[end]) <= room):
        room -= _size(sentences[end])
        end += 1
    return tuple(sentences[start:end])


def _size(sentence: Sentence) -> int:
    return len(sentence.text[:_LONGEST].split())
