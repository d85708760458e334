"""Instructions on documents of a corpus, made by rules from what can be measured.

The words of English that the rules rest on stand in `words.yaml`.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from leadline.benchmark import Benchmark
from leadline.kinds.instructions.cores import MOST_WORDS, Core, as_benchmark, is_name
from leadline.kinds.instructions.documents import (
    LANGUAGES,
    holds,
    language_of,
    length_class,
    reading_level,
    sentences_of,
    shape_of,
    without_code,
    word_count,
)
from leadline.kinds.instructions.tables import table
from leadline.kinds.pools import Harvested, Pools, harvest
from leadline.progress import track
from leadline.text.tokens import content_tokens, tokens
from leadline.text.words import FINITE, PREPOSITIONS, STOP_WORDS
from leadline.types import Corpus, Document, Qrels, Query


def build(
    corpus: Corpus,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    fields: Sequence[str] = (),
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "instructions" made from a corpus without a language model.

    queries, qrels  the user's own, with judgements: core queries with two or more relevant
                    documents that differ in an attribute (length, audience, language), none of
                    which is changed
    limit           most core queries of a dimension
    source          what the corpus is, for the record
    fields          fields of metadata, each a dimension of its own: a document stands in the
                    corpus once for each of two values, the field before its text
    harvested       counts words and pairs of the corpus, where other probes need them too

    From documents alone come `length` (a document, its best sentence and, of one over 190 words,
    the paragraph around it) and `keyword` (parts of a document, each with words that no other part
    holds); their source document leaves the corpus. `built` counts what was dropped and why.
    English; audience is told for English text only.
    """
    rng = random.Random(f"{seed} instructions")
    dropped: Counter[str] = Counter()
    cores: list[Core] = []
    if queries and qrels:
        cores += _judged(corpus, queries, qrels, dropped, limit, rng)
    terms = Terms.of((harvested or partial(harvest, corpus, seed=seed, pairs=True))())
    sources = find_topics(corpus, terms, dropped, limit, rng)

    def left(ids: Collection[str]) -> dict[str, Topic]:
        used = {core.source for core in cores}
        return {id: topic for id, topic in sources.items() if id in ids and id not in used}

    half = list(sources)[::2]  # so that enough are left to be cut by length
    cores += _cut(_by_words, "keyword", corpus, left(half), terms, dropped, limit)
    cores += _cut(_by_length, "length", corpus, left(sources), terms, dropped, limit)
    more = limit - sum(core.dimension == "keyword" for core in cores)
    others = left(sources.keys() - set(half))
    cores += _cut(_by_words, "keyword", corpus, others, terms, dropped, more)
    for name in fields:
        used = {core.source for core in cores}
        cores += _of_field(corpus, name, sources, used, dropped, limit)
    return as_benchmark(cores, corpus, seed=seed, source=source, dropped=dropped, builder=__name__)


class Parts(NamedTuple):
    """Versions of a document by the condition that each meets, and those that meet none."""

    golds: dict[str, Document]
    others: Sequence[Document] = ()


_LOST = {
    "keyword": "keyword: no parts with words of their own",
    "length": "length: too short, or no sentence that tells the topic alone",
}


def _cut(
    cut: Callable[[Document, str, Terms], Parts | None],
    dimension: str,
    corpus: Corpus,
    topics: Mapping[str, Topic],
    terms: Terms,
    dropped: Counter[str],
    limit: int,
) -> list[Core]:
    """Cut documents into parts that differ in a dimension, until there are as many as wanted."""
    cores: list[Core] = []
    for id, topic in track(list(topics.items()), f"cutting documents by {dimension}"):
        if len(cores) >= limit:
            break
        parts = cut(corpus[id], topic.text, terms)
        if parts is None:
            dropped[_LOST[dimension]] += 1
            continue
        names = {each: (each, each) for each in parts.golds} if dimension == "keyword" else {}
        cores.append(
            Core(
                f"{dimension}-{id}", topic.text, dimension, parts.golds, names, parts.others,
                source=id, is_bare=topic.is_bare,
            )
        )  # fmt: skip
    return cores


def _of_field(
    corpus: Corpus,
    name: str,
    topics: Mapping[str, Topic],
    used: Collection[str],
    dropped: Counter[str],
    limit: int,
) -> list[Core]:
    """Put a document into the corpus once for each of two values of a field."""
    counts = Counter(each.facets[name] for each in corpus.values() if each.facets.get(name))
    values = [value for value, _ in counts.most_common(12) if len(value.split()) <= 4]
    if len(values) < 2:
        dropped[f"{name}: no two values"] += 1
        return []
    cores: list[Core] = []
    for number, (id, topic) in enumerate(topics.items()):
        own = corpus[id].facets.get(name, "")
        if len(cores) == limit or id in used or own not in values:
            continue
        other = [value for value in values if value != own][number % (len(values) - 1)]
        golds = {
            value: replace(
                corpus[id],
                id=f"{id}~{name}{place}",
                text=f"{name}: {value}\n{corpus[id].text}",
                facets={name: value},
            )
            for place, value in enumerate((own, other), start=1)
        }
        names = {value: (f"{name} {value}",) * 2 for value in golds}
        cores.append(
            Core(
                f"{name}-{id}", topic.text, "metadata", golds, names, source=id,
                is_bare=topic.is_bare,
            )
        )  # fmt: skip
    return cores


def _judged(
    corpus: Corpus,
    queries: Sequence[Query],
    qrels: Qrels,
    dropped: Counter[str],
    limit: int,
    rng: random.Random,
) -> list[Core]:
    """Find queries whose relevant documents differ in what they are like."""
    tellers: dict[str, Callable[[Document], str]] = {
        "length": lambda document: length_class(document.text),
        "audience": lambda document: reading_level(document.content),
        "language": lambda document: LANGUAGES.get(language_of(document.content), ""),
    }
    cores: list[Core] = []
    for dimension, tell in tellers.items():
        made = 0
        for query in queries:
            grades = qrels.get(query.id, {})
            relevant = [id for id, grade in grades.items() if grade > 0 and id in corpus]
            golds: dict[str, Document] = {}
            for id in rng.sample(relevant, len(relevant)):
                golds.setdefault(tell(corpus[id]), corpus[id])
            golds.pop("", None)
            if len(golds) < 2:
                dropped[f"{dimension}: relevant documents do not differ"] += 1
            elif made < limit:
                made += 1
                cores.append(Core(f"{dimension}:{query.id}", query.text, dimension, golds))
    return cores


# Words of the tables


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table("words")[name])


@cache
def _pattern(name: str, around: str = r"\b(?:%s)\b") -> re.Pattern[str]:
    return re.compile(around % "|".join(table("words")[name]), re.IGNORECASE)


def _begins(name: str, text: str) -> bool:
    """Tell whether a text begins with a row of a table."""
    return _pattern(name, r"(?:%s)\b").match(text) is not None


# Names of things


@dataclass(frozen=True)
class Terms:
    """In how many documents each word and each pair of neighbours stands."""

    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    documents: int = 0

    @classmethod
    def of(cls, pools: Pools) -> Terms:
        """Return the terms of a corpus of which words and pairs were counted."""
        return cls(pools.words, pools.pairs, pools.documents)

    def is_term(self, phrase: str) -> bool:
        """Tell whether a phrase of two or more words is the name of a thing in this corpus.

        `sonic line`: where a document says *sonic*, *line* often stands behind. `single dance`
        is found once; in `information staff` each word mostly goes with others.
        """
        found = tokens(phrase)
        return len(found) > 1 and all(self._are_joined(pair) for pair in pairwise(found))

    def is_common(self, phrase: str) -> bool:
        """Tell whether a word of a phrase stands in too many documents to be asked for."""
        most = max(5, self.documents / 8)
        return any(self.words[word] > most for word in content_tokens(phrase))

    def _are_joined(self, pair: tuple[str, str]) -> bool:
        """Tell whether two documents have a pair, and its rarer word often goes with the other."""
        together = self.pairs[pair]
        share = together / max(1, min(self.words[word] for word in pair))
        return together >= 2 and share >= (0.02 if together >= 3 else 0.12)


# Topics

_TRIES = 30  # documents whose title is read for each core query that is wanted
_BARE_TRIES = 6  # and those without a title, of which more is read
_READ = 2000  # characters in which the topic of a document without a title is looked for
_PUNCTUATION = re.compile(r"[:;?!'\"()\[\]/]|\.\s|\s-|-\s|[a-z]\d|\d[a-z]{3}")


class Topic(NamedTuple):
    """A core query; `is_bare` if it would need an article to stand in a sentence."""

    text: str
    is_bare: bool


def find_topics(
    corpus: Corpus, terms: Terms, dropped: Counter[str], limit: int, rng: random.Random
) -> Mapping[str, Topic]:
    """Return core queries by the document that each is about: its title, else what it repeats.

    Each names one document: a text that two documents have is nobody's.
    """
    ids = list(corpus)
    chosen = rng.sample(ids, min(len(ids), _TRIES * limit))
    titles = {id: " ".join(corpus[id].title.split()).strip(" .,;:") for id in chosen}
    bare = [id for id in chosen if not titles[id]][: _BARE_TRIES * limit]
    kept: dict[str, Topic] = {}
    for id in (id for id in chosen if titles[id]):
        title = titles[id]
        if _is_topic(title) and _hyphens_are_words(title, corpus[id].text):
            kept[id] = Topic(title, is_name(title) or _is_bare(title))
        else:
            dropped["title is no noun phrase of at most ten words that tells a topic"] += 1
    for id in track(bare, "finding topics"):
        topic = _repeated_thing(corpus[id].text[:_READ])
        if topic and terms.is_term(topic) and not terms.is_common(topic):
            kept[id] = Topic(topic, is_bare=True)
        else:
            dropped["no title, and no known thing is named at the beginning and again"] += 1
    counts = Counter(topic.text.lower() for topic in kept.values())
    dropped["two documents on one topic"] += sum(count for count in counts.values() if count > 1)
    return {id: topic for id, topic in kept.items() if counts[topic.text.lower()] == 1}


def _is_topic(title: str) -> bool:
    """Tell whether a title can stand behind "information on", as far as its words show."""
    words = title.lower().split()
    return (
        2 <= len(words) <= MOST_WORDS
        and not _PUNCTUATION.search(title)
        and not _begins("unsure_openings", title)
        and words[0] not in _words("no_nouns")
        and _head(title) not in _words("heads_of_titles")
        and not FINITE.intersection(words)
    )


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


def _repeated_thing(text: str) -> str:
    """Return the name of two or three words that a text opens with and uses most, "" for none."""
    sentences = sentences_of(text)
    counts = Counter(phrase for sentence in sentences for phrase in _phrases(sentence))
    opens = set(_phrases(sentences[0])) if sentences else set()
    best = max(((counts[phrase], len(phrase), phrase) for phrase in opens), default=None)
    return best[2] if best and best[0] > 1 else ""


# Parts of a document

_PARAGRAPH = 85
_ARTICLE = 300  # words from which on a text is called an article
_MOST_PARTS = 3
_DENIED = re.compile(r"\b(?:no|not|nor|never|without|neither|cannot|lack\w*)\b|n't", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]{3,}")


def _by_length(document: Document, topic: str, terms: Terms) -> Parts | None:
    """Return the document as a sentence, a paragraph and, if it is long, an article; or None.

    The sentence holds the most words of the topic and stands by itself; the paragraph begins with
    it, or with the sentence before it. Nothing is called an article that has under 300 words, or
    stands in one block: of such an abstract the paragraph is cut and the whole left out.

    topic  of whose words more than half must stand in the sentence, the rarest among them;
           of a document without a title, all
    terms  how rare the words of the corpus are
    """
    whole = length_class(document.text)
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
        versions["paragraph"] = _paragraph(sentences, best)
    if len(versions) < 2 or any(length_class(text) != name for name, text in versions.items()):
        return None
    return Parts(
        {
            name: replace(
                document,
                id=f"{document.id}~{name}",
                text=text,
                # With its title a sentence would be two.
                title="" if name == "sentence" else document.title,
                facets={},
            )
            for name, text in versions.items()
        }
    )


def _by_words(document: Document, topic: str, terms: Terms) -> Parts | None:
    """Return parts of a document, each under words that it holds and no other part does.

    Beside them come the parts of which no such words are known; at least two parts in all, one of
    them with words, or None.

    terms  names of things in the corpus: only such words are asked for
    """
    sentences = sentences_of(without_code(document.text)[0])
    if len(sentences) < 3:
        return None
    count = max(2, min(_MOST_PARTS, len(sentences) // 2))
    size = -(-len(sentences) // count)
    starts = [at for at in range(0, len(sentences), size) if _may_begin(sentences, at)]
    parts = [" ".join(sentences[at : at + size]) for at in starts]
    wanted = [topic] if not document.title.strip() else content_tokens(topic)
    parts = [
        part
        for part in parts
        if word_count(part) >= 25 and any(holds(part, each) for each in wanted)
    ]
    if len(parts) < 2:
        return None
    found: dict[str, Document] = {}
    rest: list[Document] = []
    for number, part in enumerate(parts, start=1):
        others = [each for each in parts if each is not part]
        phrase = _own_phrase(part, others, [document.title, topic], terms)
        made = replace(document, id=f"{document.id}~part{number}", text=part, facets={})
        if phrase:
            found[phrase] = made
        else:
            rest.append(made)
    return Parts(found, rest) if found else None


def _may_begin(sentences: Sequence[str], place: int) -> bool:
    """Tell whether a part may begin with a sentence: a whole one that goes on from no other."""
    first = sentences[place]
    return _is_whole(sentences, place) and len(first.split()) > 3 and not _begins("anaphors", first)


def _best_sentence(
    sentences: Sequence[str], topic: str, terms: Terms, *, is_bare: bool
) -> int | None:
    """Find the sentence that best answers a topic; in a text without a title, never the first.

    Such a text often begins with its title.
    """
    wanted = set(content_tokens(topic))
    rarest = min(content_tokens(topic), key=lambda word: terms.words[word], default="")
    best, most = None, 0.5
    for place, sentence in enumerate(sentences):
        if not 8 <= word_count(sentence) <= 38 or (
            is_bare and not (place and holds(sentence, topic))
        ):
            continue
        if sentence.rstrip().endswith("?"):
            continue  # which answers nothing
        share = len(wanted & set(content_tokens(sentence))) / max(1, len(wanted))
        if share <= most or not _is_whole(sentences, place):
            continue
        if holds(sentence, rarest) and _stands_alone(sentence, wanted):
            best, most = place, share
    return best


def _paragraph(sentences: Sequence[str], best: int) -> str:
    """Return the sentences from the best one on that make a paragraph; empty where none do."""
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
    return text if 50 <= word_count(text) <= 160 and not _begins("anaphors", text) else ""


def _own_phrase(part: str, others: Sequence[str], known: Sequence[str], terms: Terms) -> str:
    """Return the name of a thing that best tells a part from the others, "" for none.

    It is never denied; its last word stands in no other part, and it is a term whose words do not
    stand everywhere. What the part says most often comes first.

    known  the title and the topic, in which it does not stand either
    """
    counts: Counter[str] = Counter()
    unfit: set[str] = set()
    for sentence in sentences_of(part):
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
        and not any(holds(each, phrase) for each in (*others, *known))
        and not any(holds(each, phrase.split()[-1]) for each in others)
    ]
    return max(fit)[2] if fit else ""


def _phrases(sentence: str) -> Iterator[str]:
    """Yield the runs of two or three words in small letters that each mean something."""
    empty = _words("vague") | STOP_WORDS | FINITE
    for piece in re.split(r"[^\w\s-]+", sentence):
        words = piece.split()
        means = [
            bool(_LETTERS.fullmatch(word)) and word not in empty and not word.endswith("ly")
            for word in words
        ]
        for start in range(len(words)):
            for end in (start + 2, start + 3):
                if end <= len(words) and all(means[start:end]):
                    yield " ".join(words[start:end])


# Whether a sentence says something by itself

_BROKEN = re.compile(r"(?:\b\w\s*\.|\betc\.\W*|,\s*\.|[^.!?\"”')\]])\s*$|\w- \w|\.\.|\w[.!?][A-Z]")
"""An end that was cut at an abbreviation, or is none (`as is borne out by e.`); a word that a line
break had cut (`de- creased`), or two sentences without a space."""
_KNOWN = re.compile(
    r"The (\w+) (?:is|are|was|were|has|have|had|can|could|will|would|must|should|may|does|do|did|"
    r"\w+s|\w+ed)\b"
)
"""A subject that was named before: `the problem`, with nothing added."""
_OF_THE_TEXT = r"(?:(?:the|an?) )?(?:[\w'’-]+ ){0,2}(?:%s)\b"
_REPORTS = r"\b(?:is|are|was|were|been|be) (?:\w+ly |also |then |briefly )?(?:%s)\b"


def _stands_alone(text: str, topic: Collection[str] = ()) -> bool:
    """Tell whether a sentence says something by itself, and points at nothing before it.

    topic  words of what it answers: `the library` is known where a library was asked for
    """
    if (
        _begins("anaphors", text)
        or _pattern("pointers").search(" ".join(text.split()[:5]))
        or _pattern("dangling", r"\b(?:%s)\b|/").search(text)
        or _pattern("of_the_text", _OF_THE_TEXT).match(text)
        or _pattern("reporting", _REPORTS).search(text)
        or _BROKEN.search(text)
    ):
        return False
    known = _KNOWN.match(text)
    return known is None or bool(set(content_tokens(known[1])) & set(topic))


def _is_whole(sentences: Sequence[str], place: int) -> bool:
    """Tell whether a sentence begins where the one before it ends, and not behind `5 g.` of it."""
    return place == 0 or re.search(r"\b(?:\w|etc)\s*\.\W*$", sentences[place - 1]) is None
