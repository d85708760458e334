"""Core queries, the documents that answer each under its conditions, and all queries.

The wordings of instructions are drawn from `wordings.yaml`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from leadline.benchmark import Benchmark
from leadline.kinds.instructions.kind import DEPTH, KIND
from leadline.text import words
from leadline.text.attributes import LANGUAGES, language_of, length_class, shape_of, word_count
from leadline.types import Corpus, Document, Query

MOST_WORDS = 10
"""Words of a core query, as the paper has them."""


def table(name: str) -> Any:
    """Return what `NAME.yaml` of this folder holds."""
    return words.table("leadline.kinds.instructions", name)


class Condition(NamedTuple):
    """A condition of a dimension.

    said     as it is asked for, with its article
    meaning  what a writer and a judge are told
    """

    name: str
    said: str
    meaning: str


def conditions(dimension: str) -> tuple[Condition, ...]:
    """Return the conditions of a dimension for which a language model writes texts."""
    return tuple(
        Condition(name, told["said"], told["meaning"])
        for name, told in table("wordings")["conditions"][dimension].items()
        if "said" in told
    )


def is_so(dimension: str, condition: str, text: str) -> bool:
    """Tell whether a text meets a condition, as far as code can measure it."""
    if dimension == "length":
        return length_class(text) == condition
    if dimension == "language":
        return LANGUAGES.get(language_of(text)) == condition
    return condition != "code snippet" or shape_of(text).share_of_code > 0.6


class Said(NamedTuple):
    """The words of one condition: the query in other words, what asks, and what refuses."""

    query: str
    asked: str
    refused: str


@dataclass(frozen=True)
class Core:
    """A core query and the documents that answer it, each with a condition of its own.

    golds      condition -> document; of `keyword` a condition is words
    others     documents that answer it and meet none of the conditions
    negatives  documents that look on topic and answer nothing
    source     id of the document that it was made from
    said       condition -> its words; without, they are drawn from `wordings.yaml`
    rephrased  the text in other words; empty to take one of our own
    is_bare    the text is a noun that would need an article to stand in a sentence
    """

    id: str
    text: str
    dimension: str
    golds: Mapping[str, Document]
    others: Sequence[Document] = ()
    negatives: Sequence[Document] = ()
    source: str = ""
    is_bare: bool = False
    said: Mapping[str, Said] = field(default_factory=dict)
    rephrased: str = ""


def as_benchmark(
    cores: Sequence[Core],
    corpus: Corpus,
    *,
    seed: int,
    source: str,
    dropped: Counter[str],
    builder: str,
    built_by: str = "rules",
    **built: object,
) -> Benchmark:
    """Return the benchmark of core queries; wordings are drawn by the seed, each in its turn.

    corpus  of which the documents that core queries were made from are left out
    """
    used = {core.source for core in cores}
    documents = {id: corpus[id] for id in corpus if id not in used}
    for core in cores:
        for document in (*core.golds.values(), *core.others, *core.negatives):
            documents[document.id] = document
    # Ties keep the order of the corpus, which must not say what is asked for.
    ids = random.Random(f"{seed} corpus").sample(sorted(documents), len(documents))
    decks = Decks(seed)
    asked = [
        each
        for core in cores
        for condition in core.golds
        for each in _topic(core, condition, decks)
    ]
    return Benchmark(
        name="instructions",
        corpus={id: documents[id] for id in ids},
        queries=[query for query, _ in asked],
        qrels={query.id: grades for query, grades in asked},
        source=source,
        built_by=built_by,
        depth=DEPTH,
        **KIND.measured(),
        built={
            "builder": builder,
            "seed": seed,
            "core queries": dict(sorted(Counter(core.dimension for core in cores).items())),
            "dropped": dict(sorted(dropped.items())),
            **built,
        },
    )


class Decks:
    """Wordings by what they are for, each deck gone through before it is shuffled anew."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._decks: dict[str, list[str]] = {}
        self._rngs: dict[str, random.Random] = {}

    def draw(self, name: str, wordings: Sequence[str]) -> str:
        """Return the next wording of a deck."""
        deck = self._decks.get(name)
        if not deck:
            deck = self._decks[name] = list(wordings)
            self._rngs.setdefault(name, random.Random(f"{self._seed} {name}")).shuffle(deck)
        return deck.pop()


def wordings(what: str, dimension: str) -> list[str]:
    """Return the wordings of a dimension: `asked` for a condition, or `refused`."""
    own: dict[str, list[str]] = table("wordings")[what]
    common = own["any"] if dimension in ("source", "format") else []
    return common + own[dimension]


def names(dimension: str, condition: str, words: int) -> list[tuple[str, str]]:
    """Return what a condition is called, one and many, of a text with a number of words."""
    return [
        (each["one"], each["many"])
        for each in table("wordings")["conditions"][dimension][condition]["called"]
        if words >= each.get("words", 0)
    ]


def filled(wording: str, one: str, many: str) -> str:
    """Put a condition into a wording, with a capital where it begins a sentence."""
    capitals = {"One": one[:1].upper() + one[1:], "Many": many[:1].upper() + many[1:]}
    return wording.format(one=one, many=many, **capitals)


def in_refusal(one: str, many: str) -> tuple[str, str]:
    """Return what a condition is called where it is refused.

    "I don't want a single sentence" would mean none at all: it is `a one-sentence answer`.
    """
    for kind in ("sentence", "paragraph"):
        if one in (f"one {kind}", f"a single {kind}"):
            return f"a one-{kind} answer", f"one-{kind} answers"
    return one, many


def _topic(core: Core, condition: str, decks: Decks) -> list[tuple[Query, dict[str, int]]]:
    """Return a core query with no instruction, one for a condition and one against it, judged."""
    topic = f"{core.id}:{'-'.join(condition.lower().split())}"
    rephrased, asked, refused = core.said.get(condition) or _drawn(core, condition, decks)
    gold = core.golds[condition].id
    others = [each.id for name, each in core.golds.items() if name != condition]
    others += [each.id for each in core.others]
    facets = {"dimension": core.dimension, "condition": condition, "core": core.id,
              "document": core.source}  # fmt: skip
    return [
        (Query(f"{topic}-{mode}", text, topic, instruction, {**facets, "mode": mode}), grades)
        for mode, text, instruction, grades in (
            ("original", core.text, "", dict.fromkeys((gold, *others), 1)),
            ("instructed", rephrased, asked, {gold: 1, **dict.fromkeys(others, 0)}),
            ("reversed", rephrased, refused, {gold: 0, **dict.fromkeys(others, 1)}),
        )
    ]


def _drawn(core: Core, condition: str, decks: Decks) -> Said:
    """Draw the words of a condition, from decks of its own where it has a name of ours."""
    dimension = deck = core.dimension
    one = many = condition
    if dimension != "keyword":
        deck = f"{dimension} {condition}"
        called = names(dimension, condition, word_count(core.golds[condition].text))
        numbers = [str(place) for place in range(len(called))]
        one, many = called[int(decks.draw(f"names {deck} {len(called)}", numbers))]
    asked = decks.draw(f"{deck} asked", wordings("asked", dimension))
    refused = decks.draw(f"{deck} refused", wordings("refused", dimension))
    return Said(
        core.rephrased or _rephrased(core, decks),
        filled(asked, one, many),
        filled(refused, *in_refusal(one, many)),
    )


def _rephrased(core: Core, decks: Decks) -> str:
    topic = core.text.strip()
    kind = "questions" if topic.endswith("?") else "things" if core.is_bare else "titles"
    wording = decks.draw(kind, table("wordings")["openings"][kind])
    first, _, rest = (within := topic.rstrip(".")).partition(" ")
    plain = first[:1].isupper() and (first[1:].islower() or len(first) == 1)
    if plain and not is_name(within):  # within a sentence a word that is no name has no capital
        within = f"{first.lower()} {rest}".strip()
    return wording.format(question=topic, topic=within)


def is_name(title: str) -> bool:
    """Tell whether a title is written as a name, every word of it with a capital.

    >>> is_name("Millions of Cats"), is_name("Lens of the old lighthouse"), is_name("clocks")
    (True, False, False)
    """
    words = [word for word in title.split() if len(word) > 3] or title.split()
    return len(title.split()) > 1 and all(word[:1].isupper() for word in words)
