"""Make instructions about documents of a corpus by rules, from measurable attributes.

The English words of the rules are in `words.yaml`.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from leadline.benchmark import Benchmark
from leadline.kinds.instructions.cores import MOST_WORDS, Core, as_benchmark, is_name, table
from leadline.kinds.word_rarity import Harvested, Pools, harvest
from leadline.progress import track
from leadline.text.attributes import (
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
from leadline.text.tokens import content_tokens, tokens
from leadline.text.words import FINITE, PREPOSITIONS, STOP_WORDS
from leadline.types import Corpus, Document, Qrels, Query

_TRIES = 30  # documents whose title is read for each core query that is wanted
_BARE_TRIES = 6  # and those without a title, of which more is read
_READ = 2000  # characters in which the topic of a document without a title is looked for
_PARAGRAPH = 85
_ARTICLE = 300  # words from which on a text is called an article
_MOST_PARTS = 3
_PUNCTUATION = re.compile(r"[:;?!'\"()\[\]/]|\.\s|\s-|-\s|[a-z]\d|\d[a-z]{3}")
_DENIED = re.compile(r"\b(?:no|not|nor|never|without|neither|cannot|lack\w*)\b|n't", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]{3,}")
_BROKEN = re.compile(r"(?:\b\w\s*\.|\betc\.\W*|,\s*\.|[^.!?\"”')\]])\s*$|\w- \w|\.\.|\w[.!?][A-Z]")
"""An end that was cut at an abbreviation, or is none (`as is borne out by e.`); a word that a line
break had cut (`de- creased`), or two sentences without a space."""
_OF_THE_TEXT = r"(?:(?:the|an?) )?(?:[\w'’-]+ ){0,2}(?:%s)\b"
_REPORTS = r"\b(?:is|are|was|were|been|be) (?:\w+ly |also |then |briefly )?(?:%s)\b"


def build(
    corpus: Corpus,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "instructions" made from a corpus without a language model.

    queries, qrels  the user's own, with judgements: core queries with two or more relevant
                    documents that differ in an attribute (length, audience, language), none of
                    which is changed
    limit           most core queries of a dimension
    source          what the corpus is, for the record
    harvested       counts words and pairs of the corpus, where other probes need them too

    From documents alone come `length` (a document, its best sentence and, of one over 190 words,
    the paragraph around it) and `keyword` (parts of a document, each with words that no other part
    holds); their source document leaves the corpus. `built` counts what was dropped and why.
    English; audience is told for English text only.
    """
    rng = random.Random(f"{seed} instructions")
    dropped: Counter[str] = Counter()
    cores = _judged(corpus, queries, qrels or {}, limit, dropped, rng)
    pools = (harvested or partial(harvest, corpus, seed=seed, pairs=True))()
    topics = find_topics(corpus, pools, dropped, limit, rng)

    def cut(
        dimension: str,
        ids: Sequence[str],
        parts_of: Callable[[Document, str, Pools], Parts | None],
        why_not: str,
    ) -> None:
        used = {core.source: core.dimension for core in cores if core.source}
        room = limit - list(used.values()).count(dimension)
        for id in track(ids, f"cutting documents by {dimension}"):
            if id in used or room == 0:
                continue
            topic = topics[id]
            parts = parts_of(corpus[id], topic.text, pools)
            if parts is None:
                dropped[f"{dimension}: {why_not}"] += 1
                continue
            room -= 1
            cores.append(
                Core(
                    f"{dimension}-{id}", topic.text, dimension, parts.golds, parts.others,
                    source=id, is_bare=topic.is_bare,
                )
            )  # fmt: skip

    half = list(topics)[::2]  # so that enough are left to be cut by length
    no_parts = "no parts with words of their own"
    cut("keyword", half, cut_by_words, no_parts)
    no_sentence = "too short, or no sentence that tells the topic alone"
    cut("length", list(topics), cut_by_length, no_sentence)
    cut("keyword", [id for id in topics if id not in half], cut_by_words, no_parts)
    return as_benchmark(cores, corpus, seed=seed, source=source, dropped=dropped, builder=__name__)


def _judged(
    corpus: Corpus,
    queries: Sequence[Query],
    qrels: Qrels,
    limit: int,
    dropped: Counter[str],
    rng: random.Random,
) -> list[Core]:
    """Return core queries whose relevant documents differ in what they are like."""
    tellers: dict[str, Callable[[Document], str]] = {
        "length": lambda document: length_class(document.text),
        "audience": lambda document: reading_level(document.content),
        "language": lambda document: LANGUAGES.get(language_of(document.content), ""),
    }
    cores = []
    for dimension, tell in tellers.items() if qrels else ():
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
                cores.append(Core(f"{dimension}:{query.id}", query.text, dimension, golds))
                made += 1
    return cores


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table("words")[name])


@cache
def _pattern(name: str, around: str) -> re.Pattern[str]:
    return re.compile(around % "|".join(table("words")[name]), re.IGNORECASE)


def _begins(name: str, text: str) -> bool:
    return _pattern(name, r"(?:%s)\b").match(text) is not None


def is_term(pools: Pools, phrase: str) -> bool:
    """Tell whether a phrase of two or more words is the name of a thing in a corpus.

    `sonic line`: where a document says *sonic*, *line* often stands behind. `single dance`
    is found once; in `information staff` each word mostly goes with others.
    """
    found = tokens(phrase)

    def are_joined(pair: tuple[str, str]) -> bool:
        together = pools.pairs[pair]
        share = together / max(1, min(pools.words[word] for word in pair))
        return together >= 2 and share >= (0.02 if together >= 3 else 0.12)

    return len(found) > 1 and all(map(are_joined, pairwise(found)))


def is_common(pools: Pools, phrase: str) -> bool:
    """Tell whether a word of a phrase stands in too many documents to be asked for."""
    most = max(5, pools.documents / 8)
    return any(pools.words[word] > most for word in content_tokens(phrase))


class Topic(NamedTuple):
    """A core query; `is_bare` if it would need an article to stand in a sentence."""

    text: str
    is_bare: bool


def find_topics(
    corpus: Corpus, pools: Pools, dropped: Counter[str], limit: int, rng: random.Random
) -> Mapping[str, Topic]:
    """Return core queries by the document that each is about: its title, else what it repeats.

    Each names one document: a text that two documents have is nobody's.
    """
    ids = list(corpus)
    chosen = rng.sample(ids, min(len(ids), _TRIES * limit))
    titles = {id: " ".join(corpus[id].title.split()).strip(" .,;:") for id in chosen}
    bare = [id for id in chosen if not titles[id]][: _BARE_TRIES * limit]
    kept: dict[str, Topic] = {}
    for id, title in titles.items():
        if title and _is_topic(title):
            kept[id] = Topic(title, is_name(title) or _is_bare(title))
        elif title:
            dropped["title is no noun phrase of at most ten words that tells a topic"] += 1
    for id in track(bare, "finding topics"):
        topic = _repeated_thing(corpus[id].text[:_READ])
        if topic and is_term(pools, topic) and not is_common(pools, topic):
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


def _is_bare(title: str) -> bool:
    """Tell whether a title has no article and no plural: `lens of a lamp`, not `public libraries`.

    One cannot be sure of `harbour hall`, which may be a name.
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


class Parts(NamedTuple):
    """Versions of a document by the condition that each meets, and those that meet none."""

    golds: dict[str, Document]
    others: Sequence[Document] = ()


def cut_by_length(document: Document, topic: str, pools: Pools) -> Parts | None:
    """Return the document as a sentence, a paragraph and, if it is long, an article; or None.

    The sentence holds the most words of the topic and stands by itself; the paragraph begins with
    it, or with the sentence before it. Nothing is called an article that has under 300 words, or
    stands in one block: of such an abstract the paragraph is cut and the whole left out.

    topic  of whose words more than half must stand in the sentence, the rarest among them;
           of a document without a title, all
    """
    whole = length_class(document.text)
    sentences = sentences_of(document.text)
    best = _best_sentence(sentences, topic, pools, is_bare=not document.title.strip())
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
    title = {"sentence": ""}  # with its title a sentence would be two
    return Parts(
        {
            name: Document(f"{document.id}~{name}", text, title.get(name, document.title))
            for name, text in versions.items()
        }
    )


def cut_by_words(document: Document, topic: str, pools: Pools) -> Parts | None:
    """Return parts of a document, each under words that it holds and no other part does.

    Beside them come the parts of which no such words are known; at least two parts in all, one of
    them with words, or None. Only names of things in the corpus are asked for.
    """
    sentences = sentences_of(without_code(document.text)[0])
    if len(sentences) < 3:
        return None
    count = max(2, min(_MOST_PARTS, len(sentences) // 2))
    size = -(-len(sentences) // count)
    starts = [at for at in range(0, len(sentences), size) if _may_begin(sentences[at])]
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
        made = replace(document, id=f"{document.id}~part{number}", text=part, facets={})
        if phrase := _own_phrase(part, others, [document.title, topic], pools):
            found[phrase] = made
        else:
            rest.append(made)
    return Parts(found, rest) if found else None


def _may_begin(sentence: str) -> bool:
    return len(sentence.split()) > 3 and not _begins("anaphors", sentence)


def _best_sentence(
    sentences: Sequence[str], topic: str, pools: Pools, *, is_bare: bool
) -> int | None:
    """Find the sentence that best answers a topic; in a text without a title, never the first.

    Such a text often begins with its title.
    """
    wanted = set(content_tokens(topic))
    rarest = min(content_tokens(topic), key=lambda word: pools.words[word], default="")
    best, most = None, 0.5
    for place, sentence in enumerate(sentences):
        if not 8 <= word_count(sentence) <= 38 or sentence.endswith("?"):
            continue
        if is_bare and not (place and holds(sentence, topic)):
            continue
        share = len(wanted & set(content_tokens(sentence))) / max(1, len(wanted))
        if share > most and holds(sentence, rarest) and _stands_alone(sentence):
            best, most = place, share
    return best


def _paragraph(sentences: Sequence[str], best: int) -> str:
    """Return the sentences from the best one on that make a paragraph; empty where none do."""
    start = end = best
    while end < len(sentences) and word_count(" ".join(sentences[start:end])) < _PARAGRAPH:
        end += 1
    while word_count(" ".join(sentences[start:end])) < 50 and start > 0:
        start -= 1
    text = " ".join(sentences[start:end])
    return text if 50 <= word_count(text) <= 160 and not _begins("anaphors", text) else ""


def _own_phrase(part: str, others: Sequence[str], known: Sequence[str], pools: Pools) -> str:
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
        (count, -sum(pools.words[word] for word in phrase.split()), phrase)
        for phrase, count in counts.items()
        if phrase not in unfit
        and is_term(pools, phrase)
        and not is_common(pools, phrase)
        and not any(holds(each, phrase) for each in known)
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


def _stands_alone(text: str) -> bool:
    """Tell whether a sentence says something by itself, and points at nothing before it."""
    return not (
        _begins("anaphors", text)
        or _pattern("dangling", r"\b(?:%s)\b|/").search(text)
        or _pattern("of_the_text", _OF_THE_TEXT).match(text)
        or _pattern("reporting", _REPORTS).search(text)
        or _BROKEN.search(text)
    )
