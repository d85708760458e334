"""What documents are about, in the few words of a core query: their titles, or what they repeat."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from leadline.kinds.instructions.cores import MOST_WORDS, is_name
from leadline.kinds.instructions.pieces import repeated_thing
from leadline.kinds.instructions.terms import Terms
from leadline.progress import track
from leadline.text.words import FINITE, PREPOSITIONS, words_of
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
_NO_NOUN = words_of("how why what when where who which is are can should using to let getting use")


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
    for id, text in titles.items():
        if _is_topic(text) and _hyphens_are_words(text, corpus[id].text):
            kept[id] = Topic(text, is_name(text) or _is_bare(text))
        else:
            dropped["title is no noun phrase of at most ten words that tells a topic"] += 1
    for id in track(bare, "finding topics"):
        topic = repeated_thing(corpus[id].text[:_READ])
        if topic and terms.is_term(topic) and not terms.is_common(topic):
            kept[id] = Topic(topic, is_bare=True, is_title=False)
        else:
            dropped["no title, and no known thing is named at the beginning and again"] += 1
    counts = Counter(topic.text.lower() for topic in kept.values())
    dropped["two documents on one topic"] += sum(count for count in counts.values() if count > 1)
    return {id: topic for id, topic in kept.items() if counts[topic.text.lower()] == 1}


def _is_topic(title: str) -> bool:
    """Tell whether a title can stand behind "information on", as far as its words show."""
    words = title.lower().split()
    if not 2 <= len(words) <= MOST_WORDS:
        return False
    if _PUNCTUATION.search(title) or _UNSURE_OPENING.match(title) or words[0] in _NO_NOUN:
        return False
    return _head(title) not in _OF_THE_TEXT and not FINITE.intersection(words)


def _head(title: str) -> str:
    """Return the last word before the first preposition: of "loss of heat", "loss"."""
    words = title.lower().split()
    end = next((place for place, word in enumerate(words) if place and word in PREPOSITIONS), None)
    return words[:end][-1]


def _hyphens_are_words(title: str, text: str) -> bool:
    """Tell whether the text writes what the title hyphenates: else it may have been a dash."""
    held = text.lower()
    return all(word in held for word in re.findall(r"\w+(?:-\w+)+", title.lower()))


def _is_bare(title: str) -> bool:
    """Tell whether a title needs an article, for all that can be told: it has none, and no plural.

    `the lens of a lamp` and `public libraries` stand in a sentence as they are, `lens of a lamp`
    does not; nor can one be sure of `harbour hall`, which may be a name.
    """
    head = _head(title)
    is_plural = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return title.split()[0].lower() not in ("the", "a", "an") and not is_plural
