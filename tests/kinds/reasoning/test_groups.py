"""What is left out of groups, and what is written of the rest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from leadline.kinds.reasoning.groups import (
    Group,
    Leaks,
    Passage,
    as_benchmark,
    balanced,
    by_words,
    filtered,
    near_duplicates,
    pairs_of,
    split,
    statistics,
)
from leadline.types import Corpus, Query, Run


def group(id: str, query: str, *passages: tuple[str, str], seed: str = "") -> Group:
    found = tuple(Passage(text, relation, f"why {text}") for text, relation in passages)
    return Group(id, query, "daily", "hard", seed or id, found)


ONE = group(
    "one", "why does the cellar stay wet", ("water rises in fine pores", "indirect"),
    ("it comes through the floor slab", "direct"), ("paint for dry walls", "negative"),
)  # fmt: skip
TWO = group(
    "two", "which beam carries the roof", ("the purlin carries the rafters", "direct"),
    ("beams of light in fog", "negative"),
)  # fmt: skip


def numbered(group: Group) -> Group:
    passages = [replace(each, number=n) for n, each in enumerate(group.passages)]
    return replace(group, passages=tuple(passages))


def test_texts_with_most_runs_of_words_in_common_are_near_duplicates() -> None:
    # Runs of three: a b c, b c d against a b c, b c d, c d e: 2 of 3 are shared.
    texts = ["aa bb cc dd", "aa bb cc dd ee", "AA, bb cc dd!", "xx yy zz"]
    assert near_duplicates(texts, 0.7) == {2}
    assert near_duplicates(texts, 0.6) == {1, 2}


def test_an_evaluation_query_leaks_by_the_same_words_or_half_its_runs() -> None:
    leaks = Leaks(["wet cellar", "why does the cellar of the mill stay wet"])
    assert leaks("Wet cellar?")
    assert not leaks("a wet cellar is no pleasure")  # too short to tell
    # Seven runs of three; the text below holds four of them.
    assert leaks("they asked why does the cellar of the barn, then of the mill stay wet today")
    assert not leaks("why does the roof leak")


def test_what_leaks_or_repeats_is_left_out_and_counted() -> None:
    again = group("three", "Why does the cellar stay wet?", ("anything else", "direct"))
    lone = group("four", "who built the barn", ("the purlin carries the rafters", "direct"))
    dropped: Counter[str] = Counter()
    kept = filtered([ONE, TWO, again, lone], dropped, leaks=Leaks(["Paint for dry walls"]))
    assert [each.id for each in kept] == ["one", "two"]
    assert [each.text for each in kept[0].passages] == [
        "water rises in fine pores", "it comes through the floor slab",
    ]  # fmt: skip
    assert dropped == {
        "query: near-duplicate": 1, "passage: in an evaluation": 1,
        "passage: near-duplicate": 1, "query: no relevant passage left": 1,
    }  # fmt: skip


def test_queries_that_words_alone_solve_are_labelled_and_counted() -> None:
    def by_common_words(corpus: Corpus, queries: Sequence[Query]) -> Run:
        return {
            query.id: {
                id: float(len(set(query.text.split()) & set(document.text.split())))
                for id, document in corpus.items()
            }
            for query in queries
        }

    # "carries the roof" against "the purlin carries the rafters": two words; fog has none. Of the
    # cellar's passages "the" stands in one alone, and in the purlin of the other query.
    one, two = by_words([numbered(ONE), numbered(TWO)], by_common_words)
    assert (one.words, two.words) == ("not enough", "enough")
    assert statistics([one, two], [])["queries that words alone solve"] == 1
    made = as_benchmark("reasoning", split([one, two], 0, 0))
    assert [query.facets["words"] for query in made.queries] == ["not enough", "enough"]


def test_pairs_are_balanced_by_the_seed() -> None:
    pairs = list(pairs_of([ONE, TWO]))
    assert [each.relevant for each in pairs] == [True, True, False, True, False]
    kept = balanced(pairs, 0)
    assert sum(each.relevant for each in kept) == 2
    assert len(kept) == 4
    assert kept == balanced(pairs, 0)
    assert len(balanced(pairs, 0, size=2)) == 2


def test_all_of_a_held_out_seed_is_held_out() -> None:
    same = group("one-b", "another", ("text", "direct"), seed="one")
    parts = split([ONE, TWO, same], 0.5, 0)
    assert not {each.seed for each in parts.training} & {each.seed for each in parts.held_out}
    assert len(parts.training) + len(parts.held_out) == 3
    assert split([ONE], 0.5, 0).training == split([ONE], 0.5, 0).held_out


def test_the_benchmark_asks_what_is_held_out_in_all_passages() -> None:
    made = as_benchmark("b", split([ONE, TWO], 0.5, 0), seed=0)
    assert len(made.queries) == 1
    assert len(made.corpus) == 5
    query = made.queries[0]
    assert made.kind == "reasoning"
    relevant = 2 if query.id == "one" else 1
    assert query.facets["relevant"] == str(relevant)
    assert sum(made.qrels[query.id].values()) == relevant
    assert query.facets["relation"] == ("both" if query.id == "one" else "direct")
