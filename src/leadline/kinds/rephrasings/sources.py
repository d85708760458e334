"""Where queries come from when the user has none: titles, headings and phrases of documents."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.kinds.pools import Pools
from leadline.kinds.rephrasings.forms import Form, form_of, tells_what_to_do
from leadline.kinds.uniqueness import Case, find_matches
from leadline.text.statements import headings_of
from leadline.text.tokens import content_tokens, normalised, tokens
from leadline.text.words import STOP_WORDS, words_of
from leadline.types import Corpus, Document

_READ = 20_000
"""Characters of a document that are read for headings and phrases."""
_MOST_WORDS = 12
_MOST_PHRASE = 4
_AT_ONCE, _MOST_TRIES = 500, 10
_MOST_OTHERS = 4
"""Documents besides its own that may answer a query."""
_WINDOW = 3
"""Words that stand within so many times the length of a query are about one thing."""
_FIRST = re.compile(r"[^.:;,(\n]{10,120}?(?=\s?[.:]\s|\n)")
"""A first line or sentence without a comma, as a heading is."""
_TITLE_ENDS = re.compile(r"\s+(?:[|–—·»]|-{1,2})\s+|:\s|\s\(|\s*\[")
"""Where the topic of a title ends and a site's name, a subtitle or a source begins."""
_LINK_ENDS = re.compile(
    r"\s+(?:guides?|sections?|references?|documentation|docs?|pages?|article|chapter)$",
    re.IGNORECASE,
)
"""Words at the end of a link that say where it leads, not what about."""
LINK = "link"
"""The span of a query that stands in links of other pages."""
_LEAD = re.compile(
    r"(?:\d+(?:\.\d+)*[.)]?|step \d+:?|chapter \d+:?|appendix \w:?|part \w+:?)\s+"
    r"|(?:(?:learn|read|find out)\s+more\s+)?(?:on|about)\s+",
    re.IGNORECASE,
)
_ODD = re.compile(r"[?!\"“”{}<>|=*#@\\_;\[\]]|\d[.)]|://|^\W")
_STATES = words_of("is are was were has have had will would can could should must does did")
_VAGUE = words_of(
    """
    introduction overview summary conclusion conclusions preface foreword contents index notes note
    references reference abstract background chapter section part appendix faq changelog readme
    untitled home page document draft test news editorial letter usage example examples options
    parameters returns return version history details resources good know more further see also
    getting started start installation install requirements prerequisites next steps step api
    related links learn definition syntax when use default fail pass rule configuration props type
    types table features how what why where troubleshooting caveats limitations migration support
    contributing license status other general information guide welcome about considered problems
    following patterns secondary primary various several certain usual using used made given left
    right use uses case cases tips good new old large small high low patient patients normal
    """
)
_LINE = 40
"""Characters of a line in which phrases are looked for: shorter ones are code or headings."""
_CODE = re.compile(r"[{}=<>\\`]|\(\)|//|;\s*$")
_PHRASE_BREAK = re.compile(r"[^\w\s'’-]+|\n")


@dataclass(frozen=True, slots=True)
class Need:
    """A short query as people type it.

    document  the one it was made from
    span      where it stands in its text, `title` where it is (partly) its title, or `link`
    form      what it is, for its rephrasings
    others    further documents that say the same words together
    """

    text: str
    document: str
    span: str
    form: Form
    others: tuple[str, ...] = ()


def find_needs(
    corpus: Corpus,
    pools: Pools,
    dropped: Counter[str],
    *,
    limit: int,
    rng: random.Random,
    links: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[Need], int]:
    """Return at most `limit` queries of documents taken at random, and how many were looked at.

    A query is what other pages call a document in their links, else its title, else a heading,
    else a phrase of two to four words that it repeats. Other documents that hold all its words
    near each other are relevant, too, up to four; a query with more is dropped, since nobody can
    tell what answers it.
    """
    ids = rng.sample(list(corpus), min(len(corpus), limit * _MOST_TRIES + _AT_ONCE))
    kept: dict[str, Need] = {}
    considered = 0
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        considered += len(batch)
        found: dict[str, Need] = {}
        for document in map(corpus.__getitem__, batch):
            called = (links or {}).get(document.id, ())
            need = _linked(document, called, rng) or _need(document, pools, rng)
            if need is None:
                dropped["no title, heading or repeated phrase of two words names a topic"] += 1
            elif normalised(need.text) in kept.keys() | found.keys():
                dropped["another document gives the same query"] += 1
            else:
                found[normalised(need.text)] = need
        for key, need in _settled(corpus, found, pools, dropped):
            if len(kept) < limit:
                kept[key] = need
        if len(kept) == limit:
            break
    return list(kept.values()), considered


def _settled(
    corpus: Corpus, found: Mapping[str, Need], pools: Pools, dropped: Counter[str]
) -> Iterator[tuple[str, Need]]:
    """Yield the queries of which it is known what answers them."""
    cases = [Case(tuple(content_tokens(each.text)), each.document) for each in found.values()]
    matches = find_matches(cases, corpus, pools.frequency)
    for place, (key, need) in enumerate(found.items()):
        others = [id for id in matches.get(place, ()) if _stand_together(need.text, corpus[id])]
        if len(others) > _MOST_OTHERS:
            dropped["many documents hold the words of a query"] += 1
        else:
            yield key, replace(need, others=tuple(others))


def _stand_together(query: str, document: Document) -> bool:
    """Tell whether a document holds the words of a query near each other."""
    wanted = set(content_tokens(query))
    room = _WINDOW * len(query.split())
    last: dict[str, int] = {}
    for place, word in enumerate(tokens(document.content)):
        if word in wanted:
            last[word] = place
            if len(last) == len(wanted) and place - min(last.values()) < room:
                return True
    return False


def _linked(document: Document, called: Sequence[str], rng: random.Random) -> Need | None:
    """Return a query of a link to a document that says more than its title, with its own words."""
    title, held = set(content_tokens(document.title)), set(content_tokens(document.content))
    texts = []
    for each in called:
        text = _LINK_ENDS.sub("", _cleaned(each))
        words = set(content_tokens(text))
        if _names_topic(text) and words - title and words & held:
            texts.append(text)
    if not texts:
        return None
    text = rng.choice(texts)
    return Need(text, document.id, LINK, _form(text))


def _need(document: Document, pools: Pools, rng: random.Random) -> Need | None:
    title = _cleaned(document.title)
    if _names_topic(title):
        return Need(title, document.id, "title", _form(title))
    text = document.text[:_READ]
    headings = [heading for _, heading in headings_of(text) if _names_topic(_cleaned(heading))]
    plain = [each for each in headings if _form(_cleaned(each)) == "phrase"]
    if title and plain and len(title.split()) == 1:
        heading = rng.choice(plain)
        return Need(f"{title} {_small(_cleaned(heading))}", document.id, "title", "phrase")
    first = _FIRST.match(text) if not title else None
    if first and first[0] != first[0].upper() and _names_topic(_cleaned(first[0])):
        return _from_text(_cleaned(first[0]), document, _form(_cleaned(first[0])))
    if headings:
        heading = _cleaned(rng.choice(headings))
        return _from_text(heading, document, _form(heading))
    phrase = _repeated(document, text, pools)
    if not phrase:
        return None
    if len(title.split()) == 1 and normalised(title) not in normalised(phrase).split():
        return Need(f"{title} {phrase}", document.id, "title", "phrase")
    return _from_text(phrase, document, "phrase")


def _from_text(words: str, document: Document, form: Form) -> Need:
    """Return a query of words that stand in the text of a document."""
    start = document.text.find(words)
    span = f"{start}-{start + len(words)}" if start >= 0 else "title"
    return Need(words, document.id, span, form)


def _form(text: str) -> Form:
    """Return what a title or heading is: a task, a question, or else a topic."""
    if tells_what_to_do(text):
        return "task"
    form = form_of(text)
    return form if form in ("task", "question") else "phrase"


def _cleaned(title: str) -> str:
    """Return a title without its number, the site's name and what is said in brackets."""
    title = " ".join(title[:400].split())
    lead = _LEAD.match(title)
    title = title[lead.end() :] if lead else title
    return _TITLE_ENDS.split(title, maxsplit=1)[0].strip(" .,:-")


def _names_topic(title: str) -> bool:
    words = title.split()
    if not 2 <= len(words) <= _MOST_WORDS or _ODD.search(title):
        return False
    if any(word.lower() in _STATES for word in words[1:]):
        return False
    meaning = set(content_tokens(title)) - _VAGUE
    return bool(meaning) and sum(map(str.isalpha, title)) >= 6 and len(content_tokens(title)) >= 2


def _small(heading: str) -> str:
    return heading[0].lower() + heading[1:] if heading[1:2].islower() else heading


def _repeated(document: Document, text: str, pools: Pools) -> str:
    """Return the phrase of two to four words that a document repeats, the rarest; "" for none."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for line in text.split("\n"):
        if len(line) < _LINE or _CODE.search(line):
            continue
        for piece in _PHRASE_BREAK.split(line):
            for phrase in _runs(piece.split()):
                key = " ".join(phrase).casefold()
                counts[key] += 1
                written.setdefault(key, " ".join(phrase))
    best, most = "", 0.0
    for key, count in counts.items():
        if count < 2:
            continue
        words = content_tokens(key)
        if len(words) < 2 or set(words) & _VAGUE:
            continue
        rare = sum(map(pools.rarity, words)) / len(words)
        worth = rare * min(count, 4) * (0.8 + 0.2 * len(words))
        if worth > most:
            best, most = written[key], worth
    return best


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield runs of two to four words that begin and end with a word that means something."""
    means = [_means(word) for word in words]
    for start in range(len(words)):
        for length in range(2, _MOST_PHRASE + 1):
            end = start + length
            if end > len(words) or not all(means[start:end]):
                break
            yield words[start:end]


def _means(word: str) -> bool:
    low = word.casefold()
    return (
        len(word) > 2
        and low not in STOP_WORDS
        and word[0].isalpha()
        and not low.endswith(("ly", "'s"))
    )
