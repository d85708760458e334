"""What documents are about, in the few words of a core query: their titles, or what they repeat."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from leadline.progress import track
from leadline.synthesis.english.parsing import parse
from leadline.synthesis.instructions.cores import MOST_WORDS, is_name
from leadline.synthesis.instructions.pieces import repeated_thing
from leadline.synthesis.instructions.terms import Terms
from leadline.synthesis.words import words_of
from leadline.types import Corpus

_TRIES = 30  # documents whose title is read for each core query that is wanted
_BARE_TRIES = 6  # and those without a title, of which more is read
_READ = 2000  # characters in which the topic of a document without a title is looked for
_PUNCTUATION = re.compile(r"[:;?!'\"()\[\]/]|\.\s|\s-|-\s|[a-z]\d|\d[a-z]{3}")
_UNSURE_OPENING = re.compile(
    r"(?:some|more|further|another|present|recent|towards?|on|new|one|two|three|four|five|several|"
    r"various|certain|other|current|preliminary|interim|\d+)\b",
    re.IGNORECASE,
)
"""What begins a title that nobody would type: `some features of blunted cones`."""
_OF_THE_TEXT = words_of(
    """
    report reports note notes study studies review reviews survey surveys paper papers article
    articles essay essays letter letters comment comments remark remarks reply introduction
    overview outline summary bibliography symposium proceedings conference meeting seminar
    workshop interview view views viewpoint challenge challenges story stories account experience
    experiences reflections thoughts perspective perspectives case cases consequences example
    examples aspect aspects feature features topic topics problem problems question questions
    issue issues result results discussion debate contribution investigation investigations
    attempt approach update announcement editorial news feature thing things anniversary part
    """
)
"""Heads of titles that say what a text is or do not say what it is about."""
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


class Topic(NamedTuple):
    """A core query.

    is_bare   it would need an article to stand in a sentence
    is_title  the document says it, so that each part of it is on it
    """

    text: str
    is_bare: bool
    is_title: bool = True


def find_topics(
    corpus: Corpus, terms: Terms, dropped: Counter[str], limit: int, rng: random.Random
) -> Mapping[str, Topic]:
    """Return core queries by the document that each is about: its title, else what it repeats.

    Each names one document: a text that two documents have is nobody's.
    """
    ids = list(corpus)
    chosen = rng.sample(ids, min(len(ids), _TRIES * limit))
    texts = {id: " ".join(corpus[id].title.split()).strip(" .,;:") for id in chosen}
    titles = {id: text for id, text in texts.items() if text}
    bare = [id for id in chosen if id not in titles][: _BARE_TRIES * limit]
    kept: dict[str, Topic] = {}
    for (id, text), parsed in zip(titles.items(), parse(map(_small, titles.values())), strict=True):
        if _is_topic(text, parsed) and _hyphens_are_words(text, corpus[id].text):
            kept[id] = Topic(text, is_name(text) or _is_bare(parsed))
        else:
            dropped["title is no noun phrase of at most ten words that tells a topic"] += 1
    openings = (corpus[id].text[:_READ] for id in bare)
    for id, parsed in zip(track(bare, "finding topics"), parse(openings), strict=True):
        topic = repeated_thing(parsed)
        if topic and terms.is_term(topic) and not terms.is_common(topic):
            kept[id] = Topic(topic, is_bare=True, is_title=False)
        else:
            dropped["no title, and no known thing is named at the beginning and again"] += 1
    counts = Counter(topic.text.lower() for topic in kept.values())
    dropped["two documents on one topic"] += sum(count for count in counts.values() if count > 1)
    return {id: topic for id, topic in kept.items() if counts[topic.text.lower()] == 1}


def _is_topic(title: str, parsed: Any) -> bool:
    """Tell whether a title can stand behind "information on": a noun with what belongs to it."""
    if not 2 <= len(title.split()) <= MOST_WORDS:
        return False
    if _PUNCTUATION.search(title) or _UNSURE_OPENING.match(title):
        return False
    roots = [word for word in parsed if word.head.i == word.i]
    if len(roots) != 1 or roots[0].pos_ not in ("NOUN", "PROPN"):
        return False
    if any(word.lower_ in _OF_THE_TEXT and _is_main(word) for word in parsed):
        return False
    return not any(word.tag_ in _FINITE for word in parsed)


def _is_main(word: Any) -> bool:
    """Tell whether a word is the head of a title or is joined to it by "and"."""
    return word.head.i == word.i or word.dep_ in ("conj", "appos") or word.i == len(word.doc) - 1


def _hyphens_are_words(title: str, text: str) -> bool:
    """Tell whether the text writes what the title hyphenates: else it may have been a dash."""
    held = text.lower()
    return all(word in held for word in re.findall(r"\w+(?:-\w+)+", title.lower()))


def _is_bare(parsed: Any) -> bool:
    """Tell whether a title needs an article, for all that can be told: it has none, and no plural.

    `the lens of a lamp` and `public libraries` stand in a sentence as they are, `lens of a lamp`
    does not; nor can one be sure of `harbour hall`, which may be a name.
    """
    root = next(word for word in parsed if word.head.i == word.i)
    return parsed[0].lower_ not in ("the", "a", "an") and root.tag_ != "NNS"


def _small(title: str) -> str:
    """Take the capital off a title's first word, so that it is not read as a name."""
    first, _, rest = title.partition(" ")
    plain = first[:1].isupper() and (first[1:].islower() or len(first) == 1)
    return f"{first.lower()} {rest}" if plain else title
