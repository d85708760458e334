"""Core queries, the documents that answer each under its conditions, and all that is asked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from leadline.benchmark import Benchmark
from leadline.kinds.instructions import DEPTH, KIND, openings, wordings
from leadline.kinds.instructions.attributes.text import word_count
from leadline.types import Corpus, Document, Query

MOST_WORDS = 10
"""Words of a core query, as the paper has them."""


class Said(NamedTuple):
    """The words of one condition: the query in other words, what asks, and what refuses."""

    query: str
    asked: str
    refused: str


@dataclass(frozen=True)
class Core:
    """A core query and the documents that answer it, each with a condition of its own.

    golds      condition -> document
    names      condition -> how it is called (with its article, as many); empty for those of
               `wordings.NAMES`
    others     documents that answer it and meet none of the conditions
    negatives  documents that look on topic and answer nothing
    source     id of the document that it was made from
    said       condition -> its words; without, they are drawn from `wordings`
    rephrased  the text in other words; empty to take one of `openings`
    is_bare    the text is a noun that would need an article to stand in a sentence
    """

    id: str
    text: str
    dimension: str
    golds: Mapping[str, Document]
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    others: Sequence[Document] = ()
    negatives: Sequence[Document] = ()
    source: str = ""
    is_bare: bool = False
    said: Mapping[str, Said] = field(default_factory=dict)
    rephrased: str = ""


def as_benchmark(
    cores: Sequence[Core],
    rest: Corpus,
    *,
    name: str,
    seed: int,
    source: str,
    dropped: Counter[str],
    builder: str,
    built_by: str = "rules",
) -> Benchmark:
    """Return the benchmark of core queries; wordings are drawn by the seed, each in its turn.

    rest  documents beside those of the core queries
    """
    corpus: dict[str, Document] = dict(rest)
    queries: list[Query] = []
    qrels: dict[str, dict[str, int]] = {}
    for core in cores:
        for document in (*core.golds.values(), *core.others, *core.negatives):
            corpus[document.id] = document
    # Ties keep the order of the corpus, which must not say what is asked for.
    ids = random.Random(f"{seed} corpus").sample(sorted(corpus), len(corpus))
    decks = Decks(seed)
    for core in cores:
        for condition in core.golds:
            for query, grades in _topic(core, condition, decks):
                queries.append(query)
                qrels[query.id] = grades
    return Benchmark(
        name=name,
        corpus={id: corpus[id] for id in ids},
        queries=queries,
        qrels=qrels,
        source=source,
        built_by=built_by,
        depth=DEPTH,
        **KIND.measured(),
        built={
            "builder": builder,
            "seed": seed,
            "core queries": dict(sorted(Counter(core.dimension for core in cores).items())),
            "dropped": dict(sorted(dropped.items())),
        },
    )


class Decks:
    """Wordings by what they are for, each deck gone through before it is shuffled anew."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._decks: dict[str, list[str]] = {}
        self._rngs: dict[str, random.Random] = {}

    def draw(self, name: str, wordings_: Iterable[str]) -> str:
        """Return the next wording of a deck."""
        deck = self._decks.get(name)
        if not deck:
            deck = self._decks[name] = list(wordings_)
            rng = self._rngs.setdefault(name, random.Random(f"{self._seed} {name}"))
            rng.shuffle(deck)
        return deck.pop()

    def pick(self, name: str, values: Sequence[tuple[str, str]]) -> tuple[str, str]:
        """Return the next pair of a deck of names."""
        place = self.draw(f"names {name}", [str(each) for each in range(len(values))])
        return values[int(place)]


def _topic(core: Core, condition: str, decks: Decks) -> Iterable[tuple[Query, dict[str, int]]]:
    topic = f"{core.id}:{_slug(condition)}"
    facets = {
        "dimension": core.dimension,
        "condition": condition,
        "core": core.id,
        "document": core.source,
    }
    rephrased, asked, refused = core.said.get(condition) or _drawn(core, condition, decks)
    gold = core.golds[condition]
    others = [d for c, d in core.golds.items() if c != condition] + list(core.others)
    every = dict.fromkeys((gold.id, *(each.id for each in others)), 1)
    return (
        (Query(f"{topic}-original", core.text, topic, "", {**facets, "mode": "original"}), every),
        (
            Query(f"{topic}-instructed", rephrased, topic, asked, {**facets, "mode": "instructed"}),
            {gold.id: 1, **{each.id: 0 for each in others}},
        ),
        (
            Query(f"{topic}-reversed", rephrased, topic, refused, {**facets, "mode": "reversed"}),
            {gold.id: 0, **{each.id: 1 for each in others}},
        ),
    )


def _drawn(core: Core, condition: str, decks: Decks) -> Said:
    """Draw the words of a condition, from decks of its own where it is one of `wordings.NAMES`."""
    dimension = deck = core.dimension
    if condition in core.names:
        one, many = core.names[condition]
    else:
        deck = f"{dimension} {condition}"
        names = wordings.names(dimension, condition, word_count(core.golds[condition].text))
        one, many = decks.pick(f"{deck} {len(names)}", names)
    asked = decks.draw(f"{deck} asked", wordings.asked(dimension))
    refused = decks.draw(f"{deck} refused", wordings.refused(dimension))
    return Said(
        core.rephrased or _rephrased(core.text, decks, is_bare=core.is_bare),
        wordings.filled(asked, one, many),
        wordings.filled(refused, *wordings.in_refusal(one, many)),
    )


def _rephrased(text: str, decks: Decks, *, is_bare: bool) -> str:
    if text.rstrip().endswith("?"):
        question = text.strip()
        wording = decks.draw("questions", openings.OF_QUESTIONS)
        return wording.format(question=question)
    topic = text.strip().rstrip(".")
    if is_bare:
        return decks.draw("things", openings.OF_THINGS).format(topic=_within(topic))
    return decks.draw("titles", openings.OF_TITLES).format(topic=_within(topic))


def is_name(title: str) -> bool:
    """Tell whether a title is written as a name, every word of it with a capital.

    >>> is_name("Millions of Cats"), is_name("Lens of the old lighthouse"), is_name("clocks")
    (True, False, False)
    """
    words = [word for word in title.split() if len(word) > 3] or title.split()
    return len(title.split()) > 1 and all(word[:1].isupper() for word in words)


def _within(title: str) -> str:
    """Write a title as it stands within a sentence: a word that is no name loses its capital."""
    first, _, rest = title.partition(" ")
    plain = first[:1].isupper() and (first[1:].islower() or len(first) == 1)
    return f"{first.lower()} {rest}".strip() if plain and not is_name(title) else title


def _slug(text: str) -> str:
    return "-".join(text.lower().split())
