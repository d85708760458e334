"""Queries with equivalent forms of each, made by rules.

Queries are the user's, or titles, headings and phrases of documents. A form is only made where the
query's own words show that it keeps what is asked. The frames are data (`forms.yaml`).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from leadline.benchmark import Benchmark
from leadline.kinds.rephrasings import KIND
from leadline.kinds.uniqueness import Case, find_matches
from leadline.kinds.word_rarity import Harvested, Pools, harvest
from leadline.text.spelling import respelled
from leadline.text.statements import headings_of
from leadline.text.tokens import content_tokens, normalised, tokens
from leadline.text.typing_errors import mistyped
from leadline.text.words import AUXILIARIES, NUMBER_WORDS, STOP_WORDS, table, words_of
from leadline.types import Corpus, Document, Qrels, Query

_WORDS = {str(number): word for word, number in NUMBER_WORDS.items() if number <= 12}
_COUNT = re.compile(r"(?<![\w.,/-])(\w+)(?= (?:[a-z]{3,}s|children|people|men|women)\b)", re.ASCII)


def renumbered(text: str) -> tuple[str, str]:
    """Return a query with a count in figures for words or the reverse, and what changed.

    Counts of two to twelve before a plural; ("", "") where there is none.
    """
    for found in _COUNT.finditer(text):
        written = found[1].lower()
        number = NUMBER_WORDS.get(written, 0)
        other = str(number) if number in range(2, 13) else _WORDS.get(written, "")
        if other and not (found[1].istitle() and found.start()):  # in a title: "The Three Men"
            return text[: found.start(1)] + other + text[found.end(1) :], f"{found[1]} -> {other}"
    return "", ""


def abbreviated(text: str) -> tuple[str, str]:
    """Return a query with a name or a term abbreviated or written out, and what changed."""
    for long, short in _LISTS["short forms"].items():
        found = re.search(rf"(?<![\w-]){re.escape(long)}(?![\w-])", text, re.IGNORECASE)
        if found:
            before = text[: found.start()].rstrip() if short == "%" else text[: found.start()]
            return before + short + text[found.end() :], f"{found.group()} -> {short}"
        if short == "%":
            continue
        found = re.search(rf"(?<![\w.&-]){re.escape(short)}(?![\w.&-])", text)
        if found:
            return text[: found.start()] + long + text[found.end() :], f"{short} -> {long}"
    return "", ""


_LISTS: dict[str, Any] = table("leadline.kinds.rephrasings", "forms")
_TELLING, _NO_PLURAL, _VAGUE, _STATES = (
    words_of(_LISTS[name]) for name in ("telling", "no plural", "vague", "states")
)
_IMPERATIVES = {each.strip() for each in _LISTS["imperatives"].split(",")}
Form = Literal["phrase", "task", "question", "request", "other"]

_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b(?!\s*[:,-])(?!\s+to\b)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:(?:i\s+(?:am|would|want|need|'m|was)|i'm|i'd|find|give|list|show|tell|search|"
    r"retrieve|describe|explain|discuss|get|provide|identify|compare|we\s+(?:are|need|want)|"
    r"looking|(?:can|could|would)\s+you)\b|information\s+(?:on|about)\b)",
    re.IGNORECASE,
)
_TASK = re.compile(r"how\s+to\s+", re.IGNORECASE)
_SENTENCES = re.compile(r"[.?!;]\s+\S")
_LONGEST_PHRASE = 5
"""Words of a user's query that is taken for a topic, where nothing shows that it is one."""
_WORD = re.compile(r"\S+")
_PAIR = re.compile(
    r"(?P<before>^|.*\b(?:of|for|in|on|between|with)\s)(?P<one>[a-z]{4,})\sand\s(?P<other>[a-z]{4,})$"
)


def form_of(text: str) -> Form:
    """Return what a query is, as far as its own words show."""
    words = text.split()
    if _SENTENCES.search(text):
        return "other"
    if _TASK.match(text) and not text.endswith("?"):
        return "task"
    if text.endswith("?") or (_QUESTION.match(text) and len(words) > 3):
        return "question"
    if _REQUEST.match(text) and len(words) > 3:
        return "request"
    states = any(word.lower() in AUXILIARIES for word in words[1:])
    return "other" if states or len(words) > _LONGEST_PHRASE else "phrase"


def tells_what_to_do(heading: str) -> bool:
    """Tell whether a heading begins with a verb: `Get a travel card`."""
    first, *others = heading.lower().split()
    return bool(others) and first in _IMPERATIVES


def rephrased(
    text: str, frequency: Mapping[str, int], rng: random.Random, form: Form | None = None
) -> dict[str, tuple[str, str]]:
    """Return kind -> (text, what changed) for every form of a query that can be made well.

    Plurals and slips are judged by how many documents of the corpus hold a token.
    """
    text = " ".join(text.split())
    found = _forms(text, frequency, rng, form or form_of(text))
    return {kind: (other, edit) for kind, other, edit in found if edit}


def is_same(one: str, other: str) -> bool:
    """Tell whether two queries differ in nothing but case, punctuation and white space."""
    return normalised(one) == normalised(other)


def keywords(text: str) -> str:
    """Return a query without articles, auxiliaries and other small words that ask for nothing."""
    words = _WORD.findall(text.rstrip(" .?!"))
    kept = [
        word
        for place, word in enumerate(words)
        if word.lower().strip(",;:") not in STOP_WORDS - _TELLING
        or (place and word[0].isupper())  # "in May 1990"
    ]
    while kept and kept[0].lower() in _TELLING - {"not", "no", "never", "without"}:
        kept.pop(0)  # "to" of "how to"
    return " ".join(word.strip(",;:") for word in kept)


def _forms(
    text: str, frequency: Mapping[str, int], rng: random.Random, form: Form
) -> Iterator[tuple[str, str, str]]:
    inner = text.rstrip(" .?!,;:") if form != "other" else text
    if form == "task":
        inner = _TASK.sub("", inner, count=1)
        inner = inner[0].lower() + inner[1:]
    for kind, frames in _LISTS[form].items():
        frame = rng.choice(frames)
        yield kind, frame.format(x=inner), frame.format(x="...")
    words = keywords(text)
    if form != "other" and len(words.split()) >= 2:
        yield "keywords", words, "small words left out"
    yield "numeral", *renumbered(text)
    yield "abbreviation", *abbreviated(text)
    if form == "phrase":
        yield "reordered", *_reordered(text)
        yield "plural", *_plural(text, frequency)
    yield "spelling", *respelled(text)
    names = {word for word in re.findall(r"[\w’'-]+", text)[1:] if not word.islower()}
    yield "typo", *mistyped(text, rng, names, frequency)


def _reordered(text: str) -> tuple[str, str]:
    """Return a query with the two words around its last "and" exchanged, and what moved."""
    pair = _PAIR.match(text)
    if pair is None:
        return "", ""
    return f"{pair['before']}{pair['other']} and {pair['one']}", "around 'and'"


def _plural(text: str, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return a query with its last word in the plural, where the corpus has that word."""
    words = text.split()
    last = words[-1]
    if not (last.isascii() and last.isalpha() and last.islower()) or len(last) < 4:
        return "", ""
    if last in _NO_PLURAL or last.endswith(("s", "ics", "ness", "ism", "ed", "ly", "ity")):
        return "", ""
    if {"a", "an", "one", "another", "each", "every"} & set(re.split(r"[\s-]", text.lower())) or (
        len(words) > 1 and words[-2].lower() in STOP_WORDS
    ):
        return "", ""  # "a guide", "how to deploy"
    other = f"{last[:-1]}ies" if last[-1] == "y" and last[-2] not in "aeiou" else f"{last}s"
    if last.endswith(("ch", "sh", "x", "z")):
        other = f"{last}es"
    if frequency.get(other, 0) < 2:
        return "", ""
    return " ".join([*words[:-1], other]), f"{last} -> {other}"


_READ = 20_000  # characters of a document that are read for headings and phrases
_MOST_WORDS = 12
_MOST_PHRASE = 4
_AT_ONCE, _MOST_TRIES = 500, 10
_MOST_OTHERS = 4  # documents besides its own that may answer a query
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

    A topic holds the original and its forms: question, keywords, polite, reordered, plural,
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
            Query(each.document, each.text, each.document, facets={
                "kind": "original", "document": each.document, "span": each.span, "edit": "",
            })
            for each in found
        ]  # fmt: skip
        made = {each.document: each.form for each in found}
        judged = {each.document: dict.fromkeys((each.document, *each.others), 1) for each in found}
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
