"""Make rephrasings of queries by rules.

The queries are the user's, or titles, headings and phrases of documents.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.rephrasings import KIND
from leadline.kinds.rephrasings.forms import LISTS, Form, form_of_heading, is_same, rephrased
from leadline.kinds.uniqueness import ask_documents
from leadline.kinds.word_rarity import Harvested, Pools, harvest
from leadline.text.statements import headings_of
from leadline.text.tokens import content_tokens, normalised, tokens
from leadline.text.words import STOP_WORDS, words_of
from leadline.types import Corpus, Document, Qrels, Query

_VAGUE, _STATES = words_of(LISTS["vague"]), words_of(LISTS["states"])
_READ = 20_000  # characters of a document that are read for headings and phrases
_MOST_WORDS = 12
_MOST_PHRASE = 4
_WINDOW = 3  # words that stand within so many times the length of a query are about one thing
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
_LINE = 40
"""Characters of a line in which phrases are looked for: shorter ones are code or headings."""
_CODE = re.compile(r"[{}=<>\\`]|\(\)|//|;\s*$")
_PHRASE_BREAK = re.compile(r"[^\w\s'’-]+|\n")


@dataclass(frozen=True, slots=True)
class Need:
    """A short query as people type it.

    topic     the document it was made from
    span      where it stands in its text, `title` where it is (partly) its title, or `link`
    form      what it is, for its rephrasings
    """

    text: str
    topic: str
    span: str
    form: Form


def find_needs(
    corpus: Corpus,
    pools: Pools,
    dropped: Counter[str],
    *,
    limit: int,
    rng: random.Random,
    links: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[tuple[Need, tuple[str, ...]]], int]:
    """Return at most `limit` queries with other documents that answer them; see `ask_documents`.

    A query is what other pages call a document in their links, else its title, else a heading,
    else a phrase of two to four words that it repeats.
    """
    seen: set[str] = set()

    def ask(document: Document) -> list[Need]:
        called = (links or {}).get(document.id, ())
        need = _linked(document, called, rng) or _need(document, pools, rng)
        if need is None:
            dropped["no title, heading or repeated phrase of two words names a topic"] += 1
        elif normalised(need.text) in seen:
            dropped["another document gives the same query"] += 1
        else:
            seen.add(normalised(need.text))
            return [need]
        return []

    return ask_documents(
        corpus, ask, pools.frequency, dropped, limit=limit, rng=rng, answers=_stand_together
    )


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
    return Need(text, document.id, LINK, form_of_heading(text))


def _need(document: Document, pools: Pools, rng: random.Random) -> Need | None:
    title = _cleaned(document.title)
    if _names_topic(title):
        return Need(title, document.id, "title", form_of_heading(title))
    text = document.text[:_READ]
    headings = [
        cleaned for _, heading in headings_of(text) if _names_topic(cleaned := _cleaned(heading))
    ]
    plain = [each for each in headings if form_of_heading(each) == "phrase"]
    if title and plain and len(title.split()) == 1:
        return Need(f"{title} {_small(rng.choice(plain))}", document.id, "title", "phrase")
    first = _FIRST.match(text) if not title else None
    if first and first[0] != first[0].upper() and _names_topic(_cleaned(first[0])):
        return _from_text(_cleaned(first[0]), document)
    if headings:
        return _from_text(rng.choice(headings), document)
    phrase = _repeated(text, pools)
    if not phrase:
        return None
    if len(title.split()) == 1 and normalised(title) not in normalised(phrase).split():
        return Need(f"{title} {phrase}", document.id, "title", "phrase")
    return replace(_from_text(phrase, document), form="phrase")


def _from_text(words: str, document: Document) -> Need:
    """Return a query of words that stand in the text of a document."""
    start = document.text.find(words)
    span = f"{start}-{start + len(words)}" if start >= 0 else "title"
    return Need(words, document.id, span, form_of_heading(words))


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


def _repeated(text: str, pools: Pools) -> str:
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
        words = content_tokens(key)
        if count < 2 or len(words) < 2 or set(words) & _VAGUE:
            continue
        rare = sum(map(pools.rarity, words)) / len(words)
        worth = rare * min(count, 4) * (0.8 + 0.2 * len(words))
        if worth > most:
            best, most = written[key], worth
    return best


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield two to four words in a row, none of which is a stop word."""
    means = [
        len(word) > 2
        and (low := word.casefold()) not in STOP_WORDS
        and word[0].isalpha()
        and not low.endswith(("ly", "'s"))
        for word in words
    ]
    for start in range(len(words)):
        for end in range(start + 2, min(start + _MOST_PHRASE, len(words)) + 1):
            if not all(means[start:end]):
                break
            yield words[start:end]


WORDS_COPIED = (
    "Queries are made of titles, headings and phrases of the documents, so nDCG and MRR favour "
    "word match (bm25). RBO does not."
)


def build(
    corpus: Corpus,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
    links: Mapping[str, Sequence[str]] | None = None,
) -> Benchmark:
    """Return a benchmark of kind "rephrasings" made from a corpus without a language model.

    A topic holds the original and its forms: question, keywords, polite, plural,
    spelling, typo, as far as they can be made well; a form that does not differ in its words is
    dropped. `built` counts what was dropped and why. The corpus is the one given. Forms are
    English; texts in other languages get the frames of English and lose nothing else.

    Args:
        corpus: The documents.
        queries: The user's; without, short needs are made of titles and phrases of documents.
        qrels: Judgements of the user's queries, which their forms inherit; a query without any is
            dropped when others have some; without qrels the benchmark has none.
        seed: Of every random choice.
        limit: Most original queries.
        source: What the corpus is, for the record.
        harvested: Counts the words of the corpus, where other probes need them too.
        links: What other pages call a document in their links.
    """
    rng = random.Random(f"{seed} rephrasings")
    pools = (harvested or partial(harvest, corpus, seed=seed))()
    dropped: Counter[str] = Counter()
    made: dict[str, Form] = {}
    if queries:
        fates: dict[str, str] = {}
        own = {"kind": "original", "document": "", "span": "", "edit": ""}
        originals = [
            replace(each, topic=each.id, facets={**each.facets, **own}, accepted=())
            for each in drawn_queries(queries, qrels, fates, limit, seed)
        ]
        dropped.update(fates.values())
        considered = len(queries)
        judged = {query.id: dict((qrels or {}).get(query.id, {})) for query in originals}
    else:
        found, considered = find_needs(corpus, pools, dropped, limit=limit, rng=rng, links=links)
        originals = [
            Query(each.topic, each.text, each.topic, facets={
                "kind": "original", "document": each.topic, "span": each.span, "edit": "",
            })
            for each, _ in found
        ]  # fmt: skip
        made = {each.topic: each.form for each, _ in found}
        judged = {each.topic: dict.fromkeys((each.topic, *ids), 1) for each, ids in found}
    forms: Counter[str] = Counter()
    variants = _with_forms(originals, pools, seed, forms, made)
    is_judged = qrels is not None or not queries
    return Benchmark(
        name="rephrasings",
        corpus=corpus,
        queries=variants,
        qrels={query.id: dict(judged[query.topic]) for query in variants} if is_judged else {},
        source=source,
        built_by="rules",
        notes=() if queries else (WORDS_COPIED,),
        **KIND.measured(),
        built={
            "builder": "leadline.kinds.rephrasings.by_rules",
            "seed": seed,
            "limit": limit,
            "considered": considered,
            "kept": len(originals),
            "dropped": dict(sorted(dropped.items())),
            "forms": dict(sorted(forms.items())),
        },
    )


def drawn_queries(
    queries: Sequence[Query], qrels: Qrels | None, fates: dict[str, str], limit: int, seed: int
) -> list[Query]:
    """Return at most `limit` of the user's queries, in their order; why not others, by id."""
    usable = []
    for query in queries:
        if not query.text.strip():
            fates[query.id] = "no text"
        elif qrels is not None and not qrels.get(query.id):
            fates[query.id] = "no qrels"
        else:
            usable.append(query)
    rng = random.Random(f"{seed} rephrasings")
    chosen = set(rng.sample(range(len(usable)), min(limit, len(usable))))
    left = (query for place, query in enumerate(usable) if place not in chosen)
    fates.update((query.id, "not needed: the limit was reached") for query in left)
    return [query for place, query in enumerate(usable) if place in chosen]


def _with_forms(
    originals: Sequence[Query],
    pools: Pools,
    seed: int,
    forms: Counter[str],
    made: Mapping[str, Form],
) -> list[Query]:
    """Return every original followed by its forms, and count the forms made and dropped."""
    taken = {query.id for query in originals}
    found: list[Query] = []
    for query in originals:
        found.append(query)
        rng = random.Random(f"{seed} {query.id}")
        texts = [query.text]
        found_forms = rephrased(query.text, pools.frequency, rng, made.get(query.id))
        for kind, (text, edit) in found_forms.items():
            if any(is_same(text, other) for other in texts):
                forms[f"{kind}: equal to another form"] += 1
                continue
            texts.append(text)
            forms[kind] += 1
            variant_id = f"{query.id}~{kind}"
            while variant_id in taken:
                variant_id += "~"
            taken.add(variant_id)
            facets = {**query.facets, "kind": kind, "edit": edit}
            found.append(
                Query(variant_id, text, query.topic, query.instruction, facets, query.answer)
            )
    return found
