"""Queries made of what stands at the start, in the middle and at the end of long documents."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.position.kind import KIND, depth_of
from leadline.kinds.uniqueness import Case, find_matches
from leadline.kinds.word_rarity import Harvested, Pools, harvest
from leadline.text.repeats import Sentences
from leadline.text.statements import headings_of, statements_of
from leadline.text.tokens import content_tokens
from leadline.types import Corpus, Document, Query

PARTS = ("start", "middle", "end")
_FEWEST_WORDS = 100  # words of a document that has a middle and an end
_FEWEST_CONTENT = {"heading": 2, "sentence": 5}
_SAME = 0.6  # share of a query's words that no sentence of another part may hold
_MOST_OTHERS = 4  # documents besides its own that may answer a query
_TRIES = 4
_RARE = 0.8  # rarity of a word that stands in at most 4 of 100 documents
_MOST_TRIES, _AT_ONCE = 10, 400  # documents that are read for each that is wanted, and at a time
_LONGEST = 200_000  # characters of a document that are read
_TOKEN = re.compile(r"\w+|[^\w\s]")


WORDS_COPIED = (
    "Queries are headings and sentences of the documents, so word match (bm25) is favoured. "
    "Compare depths of one system rather than systems."
)


@dataclass(frozen=True, slots=True)
class _Asked:
    document: str
    part: str
    form: str
    text: str
    start: int
    end: int
    at: int


def build(
    corpus: Corpus,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
) -> Benchmark:
    """Return a benchmark of kind "position" made from a corpus by rules.

    limit  most documents; each is asked for by what stands in its first, second and last third,
           as far as something there stands by itself and nowhere else in the document

    Documents of fewer than 100 words are not asked for. Other documents that hold (nearly) all
    words of a query are relevant, too, up to four; a query with more is dropped. `built` counts
    what was dropped and why. The corpus is the one given, so any search can be asked.
    """
    rng = random.Random(f"{seed} position")
    dropped: Counter[str] = Counter()
    pools = (harvested or partial(harvest, corpus, seed=seed))()
    ids = rng.sample(list(corpus), min(len(corpus), limit * _MOST_TRIES + _AT_ONCE))
    kept: list[tuple[_Asked, tuple[str, ...]]] = []
    topics: set[str] = set()
    considered = 0
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        asked = [each for id in batch for each in _asked(corpus[id], pools, dropped, rng)]
        considered += len(batch)
        matches = find_matches(
            [Case(tuple(content_tokens(each.text)), each.document) for each in asked],
            corpus,
            pools.frequency,
        )
        for place, each in enumerate(asked):
            others = matches.get(place, [])
            if len(others) > _MOST_OTHERS:
                dropped["many documents hold the words of a query"] += 1
            elif len(topics) < limit or each.document in topics:
                kept.append((each, tuple(others)))
                topics.add(each.document)
        if len(topics) >= limit:
            break
    return Benchmark(
        name=KIND.name,
        corpus=corpus,
        queries=[_query(each) for each, _ in kept],
        qrels={
            f"{each.document}~{each.part}": dict.fromkeys((each.document, *others), 1)
            for each, others in kept
        },
        source=source,
        built_by="rules",
        notes=(WORDS_COPIED,),
        **KIND.measured(),
        built={
            "builder": "leadline.kinds.position.by_rules",
            "seed": seed,
            "limit": limit,
            "considered": considered,
            "kept": len(topics),
            "dropped": {why: n for why, n in sorted(dropped.items()) if n},
            "forms": dict(sorted(Counter(each.form for each, _ in kept).items())),
        },
    )


def _asked(
    document: Document, pools: Pools, dropped: Counter[str], rng: random.Random
) -> list[_Asked]:
    """Return a query for each third of a document that has one: the most telling of a few."""
    text = document.text[:_LONGEST]
    if len(text.split()) < _FEWEST_WORDS:
        dropped[f"fewer than {_FEWEST_WORDS} words"] += 1
        return []
    sentences = Sentences(document.title, text)
    thirds = [len(text) * third // 3 for third in range(4)]
    by_part: dict[str, list[tuple[str, str, int, int]]] = {part: [] for part in PARTS}
    for form, said, start, end in _candidates(text):
        if len(content_tokens(said)) >= _FEWEST_CONTENT[form]:
            third = min(2, 3 * start // max(1, len(text)))
            by_part[PARTS[third]].append((form, said, start, end))
    found = []
    for third, part in enumerate(PARTS):
        low, high = thirds[third], thirds[third + 1]
        usable = by_part[part]
        drawn = rng.sample(usable, min(len(usable), _TRIES))
        for form, said, start, end in sorted(
            drawn, key=lambda each: not _is_telling(each[1], pools)
        ):
            words = set(content_tokens(said))
            if any(
                len(words & held) >= _SAME * len(words)
                for begin, _, held in sentences.known
                if not low <= begin < high
            ):
                continue
            at = len(_TOKEN.findall(f"{document.title} {text[:start]}")) + 1
            found.append(_Asked(document.id, part, form, said, start, end, at))
            break
    if not found:
        dropped["no heading or sentence that stands by itself and is said once"] += 1
    return found


def _is_telling(text: str, pools: Pools) -> bool:
    """Return whether two words of a text stand in few documents."""
    rarest = sorted(pools.rarity(word) for word in content_tokens(text))[-2:]
    return min(rarest) >= _RARE


def _candidates(text: str) -> Iterator[tuple[str, str, int, int]]:
    for start, heading in headings_of(text):
        yield "heading", heading, start, start + len(heading)
    for each in statements_of(text):
        if each.shape == "sentence" and not each.text.startswith("("):
            yield "sentence", each.text.rstrip(".! "), each.start, each.end


def _query(asked: _Asked) -> Query:
    return Query(
        f"{asked.document}~{asked.part}",
        asked.text,
        topic=asked.document,
        facets={
            "part": asked.part,
            "depth": depth_of(asked.at),
            "form": asked.form,
            "at": str(asked.at),
            "document": asked.document,
            "span": f"{asked.start}-{asked.end}",
        },
    )
