"""Implicit facts by rules: queries for what an enricher derives from documents of a corpus."""

from __future__ import annotations

import json
import math
import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import Any

from leadline.benchmark import Benchmark
from leadline.kinds.implicit_facts.kind import KIND
from leadline.kinds.implicit_facts.pools import lines
from leadline.kinds.implicit_facts.wording import MONTHS, names_the_day, pattern_of
from leadline.kinds.pools import Harvested, Pools, harvest
from leadline.progress import track
from leadline.text.fact_values import agreement, canonical
from leadline.text.sentences import Sentence, split_sentences
from leadline.text.tokens import content_tokens, tokens
from leadline.text.words import FINITE, STOP_WORDS, WEEKDAYS
from leadline.types import Constraint, Corpus, Enricher, Fact, Query

LONGEST = 50_000
"""Characters of a document that may give a case."""
MOST_OF_ONE = 2
"""Cases of one document."""
SHARE = 1 / 2
"""A document may be a second answer if it holds this share of a query's words."""
SAME = 0.5
"""Agreement from which two facts say the same."""

LEAST_CONFIDENCE: Mapping[str, float] = {
    "date": 0.85, "duration": 0.85, "money": 0.8, "percent": 0.85,
    "country": 0.8, "region": 0.8, "city": 0.8,
}  # fmt: skip
"""Kinds of fact that are asked for, and how sure of one its enricher must be."""

_TEMPLATE = {"percent": "amount", "country": "place", "region": "place", "city": "place"}
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "XXX": ""}
_MOST_WORDS = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CONTRACTED = re.compile(r"['’](?:ll|d|m|ve|re|t)$")
_OPEN = re.compile(r"\b(?:from|after|before|since|of|until)$", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+(?:to|than|from)\s", re.IGNORECASE)
_SPOKEN = re.compile(
    r"today|tonight|tomorrow|yesterday|.*\bago|in .*"
    rf"|(?:this|next|last|on)?\s*(?:{'|'.join(WEEKDAYS)})"
    r"|(?:this|last|tomorrow|yesterday) (?:morning|afternoon|evening|night|weekend)",
    re.IGNORECASE,
)
"""Words that count from when they are written: three days ago, this Friday, in two weeks."""
_HEADING = re.compile(r"(?:^|\n)[^\n]{0,30}$|\bdated?\b[^.\d\n]{0,25}$", re.IGNORECASE)
"""What stands before a date that opens a line, or is called the date of something."""


@dataclass(frozen=True)
class _Case:
    """A derived fact of a document with the words that say of what."""

    document: str
    fact: Fact
    words: tuple[str, ...]

    @property
    def tokens(self) -> frozenset[str]:
        return frozenset(token for word in self.words for token in tokens(word))


def build(
    corpus: Corpus,
    enricher: Enricher,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "implicit-facts" made from a corpus by rules.

    enricher  derives the facts; a query is as right as its reading of the document
    limit  most queries
    harvested  counts words of the corpus, also as written, if other probes need them too

    A query asks for a derived date, length of time, price, share or place of one document with
    two or three words that say of what. A fact is dropped if its document or another one that
    holds half of those words states it, writes it out, or lets it be derived. `built` counts what
    was dropped and why; of more than `limit`, those come first whose words alone would also bring
    another document. A system that derives facts with the same enricher is measured by its own
    readings.
    """
    rng = random.Random(f"{seed} implicit-facts")
    pools = (harvested or partial(harvest, corpus, seed=seed, written=True))()
    wanted = int(limit * 1.5) + 5
    chosen = rng.sample(list(corpus), min(len(corpus), wanted * 8))
    documents, lost = Counter[str](), Counter[str]()
    cases: list[_Case] = []
    readable = (
        corpus[id] for id in track(chosen, "deriving facts") if _is_readable(corpus[id], documents)
    )
    for id, facts in enricher.facts(readable):
        found = _cases(id, corpus[id].content, facts, pools, lost)
        documents["nothing derived that can be asked for" if not found else "read"] += 1
        cases += rng.sample(found, min(len(found), MOST_OF_ONE))
        lost["enough of one document"] += max(0, len(found) - MOST_OF_ONE)
        if len(cases) >= wanted:
            break
    rivals = _rivals(cases, corpus, enricher, pools)
    alone = [(case, rivals[n]) for n, case in enumerate(cases) if n in rivals]
    lost["another document gives it"] += len(cases) - len(alone)
    lost["not needed: the limit was reached"] += max(0, len(alone) - limit)
    queries = _queries(sorted(alone, key=lambda each: each[1] == 0)[:limit], seed)
    considered = documents.total()
    del documents["read"]
    return Benchmark(
        name="implicit-facts",
        corpus=corpus,
        queries=queries,
        qrels={query.id: {query.facets["document"]: 1} for query in queries},
        source=source,
        built_by="rules",
        **KIND.measured(each.name for each in KIND.metrics if each.name != "SetRank"),
        built={
            "builder": __name__,
            "enricher": enricher.name,
            "seed": seed,
            "limit": limit,
            "considered": considered,
            "kept": len(queries),
            "dropped": dict(sorted(documents.items())),
            "facts": {
                "kept": dict(sorted(Counter(query.facets["fact"] for query in queries).items())),
                "with rivals that hold all words": sum(q.facets["rivals"] != "0" for q in queries),
                "dropped": dict(sorted((+lost).items())),
            },
        },
    )


def _is_readable(document: Any, dropped: Counter[str]) -> bool:
    reason = "" if document.text.strip() else "no text"
    if len(document.content) > LONGEST:
        reason = f"more than {LONGEST:,} characters"
    if reason:
        dropped[reason] += 1
    return not reason


def _cases(
    id: str, text: str, facts: Sequence[Fact], pools: Pools, lost: Counter[str]
) -> list[_Case]:
    """Return the derived facts of a document that can be asked for, each value once."""
    found: dict[Any, _Case] = {}
    sentences = split_sentences(text)
    for fact in facts:
        if fact.role != "derived" or fact.kind not in LEAST_CONFIDENCE or not fact.spans:
            continue
        key = canonical(fact.kind, fact.value)
        reason = "the same value again" if key in found else _unfit(fact, facts, text, sentences)
        about = () if reason else _words_about(fact, text, sentences, pools)
        if about:
            found[key] = _Case(id, fact, about)
        else:
            lost[reason or "too few words say of what"] += 1
    return list(found.values())


def _unfit(fact: Fact, facts: Sequence[Fact], text: str, sentences: Sequence[Sentence]) -> str:
    """Say why a derived fact cannot be asked for; nothing if it can."""
    if fact.confidence < LEAST_CONFIDENCE[fact.kind]:
        return "not sure enough"
    others = [other for other in facts if other.role == "alternative"]
    if any(_overlap(other.spans[:1], fact.spans[:1]) for other in others):
        return "another reading of the same words"
    try:
        written(fact.kind, fact.value, random.Random(0))
        is_written = pattern_of(fact.kind, fact.value).search(text) is not None
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError):
        return "a value that cannot be written"
    stated = [other for other in facts if other.role == "stated"]
    same = (agreement(Constraint(fact.kind, fact.value), other) >= SAME for other in stated)
    if is_written or any(same):
        return "the document writes it out"
    if fact.kind == "date":
        return _unclear_date(fact, stated, text)
    if fact.kind in ("money", "percent", "duration"):
        return _unclear_amount(fact, stated, sentences)
    return ""


def _unclear_date(fact: Fact, stated: Sequence[Fact], text: str) -> str:
    """Say why a date is doubtful: from what its words count may not be told.

    "One week prior to the visit" needs the day of the visit. "Tomorrow" in a letter of 25 June is
    the 26th; after "a culture of 25 June" it is no such day. "Ready on 11 March, after 27 days" of
    what began on 13 February says nothing of 7 April.
    """
    (start, end), *bases = fact.spans
    day = date.fromisoformat(fact.value)
    if any(names_the_day(text[a:b], day) for a, b in fact.spans):
        return "the document writes it out"
    is_open = _GOES_ON.match(text, end) or (
        _OPEN.search(text[start:end]) and re.match(r"\s+\w", text[end : end + 9])
    )
    if is_open and not any(end <= base <= end + 40 for base, _ in bases):
        return "its words tell from what, and that has no date"
    is_spoken = _SPOKEN.fullmatch(text[start:end].strip())
    if is_spoken and not any(_HEADING.search(text[max(0, a - 60) : a]) for a, _ in bases):
        return "counts from the day of writing, which is not told"
    dates = [each for each in stated if each.kind == "date"]
    known = {date.fromisoformat(each.value).toordinal() for each in dates}
    own = [date.fromisoformat(d.value).toordinal() for d in dates if _overlap(d.spans, fact.spans)]
    if any(2 * base - day.toordinal() in known for base in own):
        return "two stated dates lie as far apart"
    return ""


def _unclear_amount(fact: Fact, stated: Sequence[Fact], sentences: Sequence[Sentence]) -> str:
    """Say why an amount is doubtful: other amounts beside its evidence may be meant."""
    starts = [sentence.start for sentence in sentences]
    places = {max(0, bisect_right(starts, start) - 1) for start, _ in fact.spans}
    if len(places) > 1:
        return "its amounts stand in different sentences"
    sentence = sentences[places.pop()]
    for other in stated:
        inside = [each for each in other.spans if sentence.start <= each[0] < sentence.end]
        if other.kind == fact.kind and inside and not _overlap(inside, fact.spans):
            return "other amounts beside it"
    return ""


def _words_about(fact: Fact, text: str, sentences: list[Sentence], pools: Pools) -> tuple[str, ...]:
    """Return two or three words that say what a fact is about; () if there are no two.

    They are the subject and the word nearest to the evidence, or the three nearest if no subject
    is known: content words of the sentence, neither numbers nor words that lead to a value ("ago",
    "Monday", "twice"), nor the evidence itself. Words of more than a fifth of all documents, and
    those of this one alone, come last: else the words would find the document without its fact.
    """
    start, end = fact.spans[0]
    place = bisect_right(sentences, start, key=lambda sentence: sentence.start) - 1
    if place < 0:
        return ()
    left, right = sentences[place].start, max(end, sentences[place].end)
    closed = {token for a, b in fact.spans if b - a <= 40 for token in content_tokens(text[a:b])}
    subject = _subject(fact, text, closed, pools)
    known = set(tokens(fact.about))
    found: dict[str, tuple[bool, int, int, str]] = {}
    for match in _WORD.finditer(text, left, right):
        word = match.group().casefold()
        if word not in known and word not in found and _tells(word, closed):
            common = pools.documents >= 10 and pools.frequency[word] > pools.documents / 5
            distance = max(start - match.end(), match.start() - end, 0)
            last = common or not _is_shared(word, pools)
            found[word] = (last, distance, match.start(), match.group())
    nearest = sorted(found.values())[: 1 if subject else _MOST_WORDS]
    near = [_uncapitalised(each[3], pools) for each in sorted(nearest, key=lambda each: each[2])]
    chosen = (*subject, *near)
    return chosen if near and len(chosen) >= 2 else ()


def _subject(fact: Fact, text: str, closed: set[str], pools: Pools) -> tuple[str, ...]:
    """Return at most two words of the subject that other documents hold too: names, if any."""
    told = [word for word in _WORD.findall(fact.about) if word in text]
    told = [word for word in told if _tells(word.casefold(), closed)]
    names = [word for word in told if word[0].isupper()]
    subject = tuple(dict.fromkeys(names or told))[: _MOST_WORDS - 1]
    return subject if all(_is_shared(word, pools) for word in subject) else ()


def _is_shared(word: str, pools: Pools) -> bool:
    held = min((pools.frequency[token] for token in tokens(word)), default=0)
    return pools.documents < 10 or held > 1


def _tells(word: str, closed: set[str]) -> bool:
    if len(word) < 3 or word in STOP_WORDS or word in FINITE or _CONTRACTED.search(word):
        return False
    idle = closed | _cues()
    return word not in idle and idle.isdisjoint(tokens(word))


@cache
def _cues() -> frozenset[str]:
    return frozenset(" ".join(lines("cues")).split())


def _uncapitalised(word: str, pools: Pools) -> str:
    is_title = word[1:].islower() and word[0].isupper()
    return word.lower() if is_title and not pools.is_name(word) else word


def _rivals(
    cases: Sequence[_Case], corpus: Corpus, enricher: Enricher, pools: Pools
) -> dict[int, int]:
    """Return the places of the cases that no other document gives, and their rivals.

    A rival is another document with all words of a query, but not the value. Every document is
    read once; facts are derived of those only that hold half of the words of some case.
    """
    held = [case.tokens for case in cases]
    needed = [math.ceil(SHARE * len(each)) for each in held]
    patterns = [pattern_of(case.fact.kind, case.fact.value) for case in cases]
    by_token: dict[str, list[int]] = {}
    for n, each in enumerate(held):  # a match must hold one of so many of the rarest
        rarest = sorted(each, key=lambda token: (pools.frequency[token], token))
        for token in rarest[: len(each) - needed[n] + 1]:
            by_token.setdefault(token, []).append(n)
    rivals: dict[int, int] = dict.fromkeys(range(len(cases)), 0)
    perhaps: dict[str, list[int]] = {}

    def alike() -> Iterator[Any]:
        for document in track(corpus.values(), "looking for second answers", total=len(corpus)):
            own = set(tokens(document.content))
            for n in sorted({n for token in own & by_token.keys() for n in by_token[token]}):
                shared = len(held[n] & own)
                if n not in rivals or cases[n].document == document.id or shared < needed[n]:
                    continue
                if patterns[n].search(document.content):
                    del rivals[n]
                    continue
                rivals[n] += shared == len(held[n])
                perhaps.setdefault(document.id, []).append(n)
            if document.id in perhaps:
                yield document

    for id, facts in enricher.facts(alike()):
        for n in perhaps[id]:
            asked = Constraint(cases[n].fact.kind, cases[n].fact.value)
            if n in rivals and any(agreement(asked, fact) >= SAME for fact in facts):
                del rivals[n]
    return rivals


def _queries(kept: Sequence[tuple[_Case, int]], seed: int) -> list[Query]:
    queries: dict[str, Query] = {}
    counts: Counter[str] = Counter()
    for case, rivals in kept:
        fact = case.fact
        counts[case.document] += 1
        query_id = f"{case.document}~{counts[case.document]}"
        while query_id in queries:
            query_id += "~"
        rng = random.Random(f"{seed} {query_id}")
        value = written(fact.kind, fact.value, rng)
        frame = rng.choice(lines("queries", _TEMPLATE.get(fact.kind, fact.kind)))
        facets = {
            "fact": fact.kind,
            "document": case.document,
            "span": " ".join(f"{start}-{end}" for start, end in fact.spans),
            "value": json.dumps(fact.value, ensure_ascii=False, sort_keys=True),
            "derivation": fact.derivation,
            "rivals": str(rivals),
        }
        text = frame.format(value=value, words=" ".join(case.words))
        queries[query_id] = Query(query_id, text, query_id, facets=facets)
    return list(queries.values())


def written(kind: str, value: Any, rng: random.Random) -> str:
    """Return a value as a query writes it: "6 October 2024", "€61.18", "5 hours 40 minutes".

    Raises KeyError, TypeError or ValueError if the value has not the form of its kind.
    """
    if kind == "date":
        day = date.fromisoformat(value)
        month = MONTHS[day.month - 1]
        return rng.choice([f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"])
    if _TEMPLATE.get(kind) == "place":
        return str(value["name"])
    if kind == "percent":
        return rng.choice([f"{_figures(value)}%", f"{_figures(value)} percent"])
    amount = float(value["amount"])
    if kind == "money":
        currency = str(value["currency"]).upper()
        figures = f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}"
        return f"{_SIGNS[currency]}{figures}" if currency in _SIGNS else f"{figures} {currency}"
    if value["unit"] == "minute" and amount > 60:
        hours, minutes = divmod(amount, 60)
        return _counted(hours, "hour") + (f" {_counted(minutes, 'minute')}" if minutes else "")
    return _counted(amount, str(value["unit"]))


def _counted(amount: float, unit: str) -> str:
    plural = "" if amount == 1 or len(unit) < 4 or unit.endswith("s") else "s"
    return f"{_figures(amount)} {unit}{plural}"


def _figures(number: Any) -> str:
    return f"{float(number):,.4f}".rstrip("0").rstrip(".")


def _overlap(some: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> bool:
    return any(a < d and c < b for a, b in some for c, d in others)
