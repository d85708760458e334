"""Documents cut into versions that differ in length, or in words that only one of them holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline.kinds.instructions.attributes.lengths import length_class
from leadline.kinds.instructions.attributes.phrases import holds
from leadline.kinds.instructions.attributes.text import (
    sentences_of,
    shape_of,
    without_code,
    word_count,
)
from leadline.kinds.instructions.standing import ANAPHOR, is_whole, stands_alone
from leadline.kinds.instructions.terms import Terms
from leadline.text.tokens import content_tokens
from leadline.text.words import FINITE, STOP_WORDS, words_of
from leadline.types import Document

_PARAGRAPH = 85
_ARTICLE = 300  # words from which on a text is called an article
_DENIED = re.compile(r"\b(?:no|not|nor|never|without|neither|cannot|lack\w*)\b|n't", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]{3,}")
_VAGUE = words_of(
    """
    same other such several various certain many few further next last first second third former
    latter respective different particular possible present general main important own whole paper
    article report study author authors section chapter figure table example case cases number
    kind type sort way ways part parts thing things use result results recent new common similar
    future brief total true better good great large small high low early late year years only
    earlier later satisfactory agreement right left favourable interesting time times problem
    problems aspect aspects factor factors need needs work
    key crucial vital major minor profound considerable appreciable significant essential basic
    practical partial complete exact approximate slight marked strong close special wide broad
    full simple difficult easy potential additional available necessary suitable appropriate
    overall extensive increasing increased growing detailed specific typical useful effective
    role roles effect effects purpose purposes change changes fulfilment fulfillment simplification
    one ones mechanism approach approaches degree amount level levels range ranges set sets view
    views point points basis extent importance influence attention interest development
    developments advantage advantages difference differences conclusion conclusions condition
    conditions consideration considerations requirement requirements situation form forms field
    area areas issue issues question questions reason reasons theory theories method methods
    technique techniques analysis agreement discussion comparison review recommendation
    recommendations experience idea ideas knowledge character term terms order value values
    relevant above below individual finished exploratory unnecessary
    constructive sure thesis resultant dissertation msc phd increases decreases prediction
    predictions following papers
    numerical examples direction directions variation variations region regions
    process processes plan plans procedure procedures single whole entire separate local central
    united chief senior junior
    account description details detail trend trends effort efforts activity activities success
    """
)
"""Words that make a noun chunk hang on what stands around it."""


def by_length(document: Document, topic: str, terms: Terms) -> dict[str, Document] | None:
    """Return the document as a sentence, a paragraph and, if it is long, an article; or None.

    The sentence holds the most words of the topic and stands by itself; the paragraph begins with
    it, or with the sentence before it. Nothing is called an article that has under 300 words, or
    stands in one block: of such an abstract the paragraph is cut and the whole left out.

    topic  of whose words more than half must stand in the sentence, the rarest among them;
           of a document without a title, all
    terms  how rare the words of the corpus are
    """
    whole = length_class(shape_of(document.text))
    sentences = sentences_of(document.text)
    best = _best_sentence(sentences, topic, terms, is_bare=not document.title.strip())
    if whole == "sentence" or len(sentences) < 3 or best is None:
        return None
    versions = {"sentence": sentences[best]}
    shape = shape_of(document.text)
    is_article = shape.words >= _ARTICLE and shape.blocks > 1
    if is_article if whole == "article" else shape.blocks == 1:
        versions[whole] = document.text
    if whole == "article":
        paragraph = _paragraph(sentences, best)
        if paragraph is None:
            return None
        versions["paragraph"] = paragraph
    made = {
        name: replace(document, id=f"{document.id}~{name}", text=text, facets={})
        for name, text in versions.items()
    }
    fits = all(length_class(shape_of(each.text)) == name for name, each in made.items())
    return made if fits and len(made) > 1 else None


def by_words(
    document: Document, topic: str, terms: Terms, most: int = 3
) -> tuple[dict[str, Document], list[Document]] | None:
    """Return parts of a document, each under words that it holds and no other part does.

    Beside them come the parts of which no such words are known; at least two parts in all, one of
    them with words, or None.

    terms  names of things in the corpus: only such words are asked for
    """
    sentences = sentences_of(without_code(document.text)[0])
    if len(sentences) < 3:
        return None
    count = max(2, min(most, len(sentences) // 2))
    size = -(-len(sentences) // count)
    starts = [at for at in range(0, len(sentences), size) if _may_begin(sentences, at)]
    parts = [" ".join(sentences[at : at + size]) for at in starts]
    parts = [part for part in parts if word_count(part) >= 25]
    wanted = [topic] if not document.title.strip() else content_tokens(topic)
    parts = [part for part in parts if any(holds(part, each) for each in wanted)]
    if len(parts) < 2:
        return None
    found: dict[str, Document] = {}
    rest: list[Document] = []
    for number, part in enumerate(parts, start=1):
        others = [each for each in parts if each is not part] + [document.title, topic]
        phrase = _own_phrase(part, others, terms)
        made = replace(document, id=f"{document.id}~part{number}", text=part, facets={})
        if phrase:
            found[phrase] = made
        else:
            rest.append(made)
    return (found, rest) if found else None


def _may_begin(sentences: Sequence[str], place: int) -> bool:
    """Tell whether a part may begin with a sentence: a whole one that goes on from no other."""
    first = sentences[place]
    return is_whole(sentences, place) and len(first.split()) > 3 and not ANAPHOR.match(first)


def _best_sentence(
    sentences: Sequence[str], topic: str, terms: Terms, *, is_bare: bool
) -> int | None:
    """Find the sentence that best answers a topic; in a text without a title, never the first.

    Such a text often begins with its title.
    """
    wanted = set(content_tokens(topic))
    rarest = min(content_tokens(topic), key=lambda word: terms.words[word], default="")
    best, most = None, 0.0
    for place, sentence in enumerate(sentences):
        words = word_count(sentence)
        if not 8 <= words <= 38 or (is_bare and not (place and holds(sentence, topic))):
            continue
        if sentence.rstrip().endswith("?"):
            continue  # which answers nothing
        share = len(wanted & set(content_tokens(sentence))) / max(1, len(wanted))
        if share <= max(0.5, most) or not is_whole(sentences, place):
            continue
        if holds(sentence, rarest) and stands_alone(sentence, wanted):
            best, most = place, share
    return best


def _paragraph(sentences: Sequence[str], best: int) -> str | None:
    start = best
    chosen: list[str] = []
    for sentence in sentences[start:]:
        chosen.append(sentence)
        if word_count(" ".join(chosen)) >= _PARAGRAPH:
            break
    while word_count(" ".join(chosen)) < 50 and start > 0:
        start -= 1
        chosen.insert(0, sentences[start])
    text = " ".join(chosen)
    return text if 50 <= word_count(text) <= 160 and not ANAPHOR.match(text) else None


def _own_phrase(part: str, others: Sequence[str], terms: Terms) -> str:
    """Return the name of a thing that best tells a part from the others, "" for none.

    It is never denied; its last word stands in no other part, and it is a term whose words do not
    stand everywhere. What the part says most often comes first.

    others  the other parts, the title and the topic
    """
    sentences = sentences_of(part)
    counts: Counter[str] = Counter()
    unfit: set[str] = set()
    for sentence in sentences:
        phrases = list(_phrases(sentence))
        counts.update(phrases)
        if _DENIED.search(sentence):
            unfit.update(phrases)
    fit = [
        (count, -sum(terms.words[word] for word in phrase.split()), phrase)
        for phrase, count in counts.items()
        if phrase not in unfit
        and terms.is_term(phrase)
        and not terms.is_common(phrase)
        and not any(holds(each, phrase) for each in others)
        and not any(holds(each, phrase.split()[-1]) for each in others[:-2])
    ]
    return max(fit)[2] if fit else ""


def repeated_thing(text: str) -> str:
    """Return the name of two or three words that a text opens with and uses most, "" for none."""
    sentences = sentences_of(text)
    counts = Counter(phrase for sentence in sentences for phrase in _phrases(sentence))
    opens = set(_phrases(sentences[0])) if sentences else set()
    best = max(((counts[phrase], len(phrase), phrase) for phrase in opens), default=None)
    return best[2] if best and best[0] > 1 else ""


def _phrases(sentence: str) -> Iterator[str]:
    """Yield the runs of two or three words in small letters that each mean something."""
    for piece in re.split(r"[^\w\s-]+", sentence):
        words = piece.split()
        means = [
            bool(_LETTERS.fullmatch(word)) and word not in _VAGUE and not word.endswith("ly")
            and word not in STOP_WORDS | FINITE
            for word in words
        ]  # fmt: skip
        for start in range(len(words)):
            for end in (start + 2, start + 3):
                if end <= len(words) and all(means[start:end]):
                    yield " ".join(words[start:end])
