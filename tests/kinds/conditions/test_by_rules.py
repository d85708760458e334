"""Which statements are asked for, and what must hold of every ladder that rules make."""

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from leadline.benchmark import Benchmark
from leadline.data.documents import read_corpus
from leadline.kinds.conditions import by_rules
from leadline.kinds.conditions.by_rules import find_conditions
from leadline.kinds.conditions.edits import apply_edits, stock_of
from leadline.text.statements import statements_of
from leadline.types import Document, Query
from shared import shared_data

TEXT = (
    "The queue holds 40 requests for every single client. "
    "The parser reads headers of 90 bytes or a body. "
    "The router can be started by a second process. "
    "The logger can be stopped by an operator. "
    "The upload folder accepts 70 files from a browser."
)


def conditions(text: str, title: str = "", most: int = 10):
    dropped: Counter[str] = Counter()
    statements = list(statements_of(text))
    found = find_conditions(
        title, text, statements, stock_of(statements, 0), dropped, most=most, rng=random.Random(3)
    )
    return found, dropped


def test_one_statement_of_each_kind_of_edit_stays_for_the_controls() -> None:
    found, _ = conditions(TEXT)
    # 3 statements with a number and 2 that can be denied: one of each is left
    assert Counter(each.edit.kind for each in found) == {"number": 2, "negation": 1}


def test_a_control_leaves_every_condition_as_the_text_says_it() -> None:
    found, _ = conditions(TEXT)
    for each in found:
        changed = apply_edits(TEXT, each.controls[:1])
        assert changed != TEXT
        assert all(other.text in changed for other in found)
        assert each.text not in apply_edits(TEXT, [each.edit])


def test_what_the_document_says_twice_is_not_asked_for() -> None:
    again = TEXT + " For every single client the queue holds 40 requests at most."
    found, dropped = conditions(again)
    assert not any("queue" in each.text for each in found)
    assert dropped["said more than once in the document"] >= 1


def test_a_document_with_one_fact_gives_none_for_want_of_a_control() -> None:
    found, dropped = conditions("The queue holds 40 requests for every single client.")
    assert found == []
    assert dropped["nothing else of its kind could be changed as a control"] == 1


_PLACES = ("Lima", "Oslo", "Cairo", "Delhi", "Quito", "Berlin", "Tokyo", "Madrid")


def written_corpus(seed: int, documents: int) -> dict[str, Document]:
    """Return documents with facts drawn at random, each fact in a sentence of its own."""
    rng = random.Random(seed)
    corpus = {}
    for i in range(documents):
        word = "".join(rng.choices("bdfgklmnprstvz", k=3)) + "ano"
        sentences = [
            f"The {word} bridge was finished in the year {rng.randint(1850, 1990)}.",
            f"The {word} river carries {rng.randint(20, 900)} barges to the sea each day.",
            f"The {word} arches are {rng.randint(12, 80)} meters wide at the waterline.",
            f"The {word} engineer came from a workshop in {rng.choice(_PLACES)}.",
            f"The {word} toll house was restored by two masons in {rng.randint(1991, 2009)}.",
            f"The {word} chains are free of rust and paint.",
            f"The {word} towers can be seen from the harbour wall.",
            f"The {word} lanterns burn {rng.randint(20, 90)} litres of oil in winter.",
        ]
        rng.shuffle(sentences)
        kept = " ".join(sentences[: rng.randint(4, 8)])
        beside = "Lazy painters praise pleasant colours, curious shadows and the ancient lamps."
        corpus[f"doc~{i}"] = Document(f"doc~{i}", f"{kept} {beside}")
    return corpus


@pytest.fixture(scope="module", params=range(3))
def benchmark_and_corpus(request) -> tuple[Benchmark, dict[str, Document]]:
    corpus = written_corpus(request.param, 25)
    return by_rules.build(corpus, seed=request.param).validated(), corpus


def test_queries_name_the_topic_of_a_title_before_their_conditions() -> None:
    plain = by_rules.build(written_corpus(0, 25))
    titled = by_rules.build(
        {id: replace(each, title="old bridges of the north")
         for id, each in written_corpus(0, 25).items()}
    )  # fmt: skip
    assert titled.queries
    assert all(" about old bridges of the north" in query.text for query in titled.queries)
    assert not any("old bridges" in query.text for query in plain.queries)
    assert {query.facets["condition"] for query in titled.queries} <= {
        query.facets["condition"] for query in plain.queries
    }


def edits_of(document: Document) -> list[list]:
    return json.loads(document.facets.get("edits", "[]"))


def ladder_queries(benchmark: Benchmark) -> list[Query]:
    return [q for q in stating(benchmark) if q.facets["k"] == q.facets["n"]]


def stating(benchmark: Benchmark) -> list[Query]:
    """Return the queries that are no controls."""
    return [q for q in benchmark.queries if q.facets["style"] != "control"]


def test_neighbours_on_a_ladder_differ_in_one_condition(benchmark_and_corpus) -> None:
    benchmark, _ = benchmark_and_corpus
    for query in ladder_queries(benchmark):
        ladder = sorted(benchmark.qrels[query.id].items(), key=lambda item: item[1])
        assert [grade for _, grade in ladder] == list(range(int(query.facets["n"]) + 1))
        counts = [len(edits_of(benchmark.corpus[document_id])) for document_id, _ in ladder]
        assert counts == list(reversed(range(len(ladder))))
        for (low, _), (high, _) in pairwise(ladder):
            low_edits, high_edits = (edits_of(benchmark.corpus[i]) for i in (low, high))
            assert low_edits[1:] == high_edits


def test_every_condition_stands_in_the_source_and_holds_its_edit(benchmark_and_corpus) -> None:
    benchmark, corpus = benchmark_and_corpus
    for query in stating(benchmark):
        start, end = map(int, query.facets["span"].split("-"))
        sentence = corpus[query.topic].text[start:end]
        assert query.facets["before"] in sentence
        missing = min(benchmark.qrels[query.id], key=benchmark.qrels[query.id].__getitem__)
        edit = next(e for e in edits_of(benchmark.corpus[missing]) if start <= e[0] < end)
        assert edit[2:] == [query.facets[f] for f in ("edit", "before", "after")]


def test_a_query_ranks_the_source_against_the_document_that_misses_its_last_condition(
    benchmark_and_corpus,
) -> None:
    benchmark, _ = benchmark_and_corpus
    for query in stating(benchmark):
        k, n = int(query.facets["k"]), int(query.facets["n"])
        grades = benchmark.qrels[query.id]
        assert grades[query.topic] == k
        if k < n:
            assert sorted(grades.values()) == [k - 1, k]
        assert sorted(benchmark.candidates[query.id]) == sorted(grades)


def test_a_control_stands_where_the_broken_document_stood(benchmark_and_corpus) -> None:
    benchmark, _ = benchmark_and_corpus
    by_key = {(q.topic, q.facets["style"], q.facets["k"]): q for q in benchmark.queries}
    controls = [q for q in benchmark.queries if q.facets["style"] == "control"]
    assert controls
    for control in controls:
        query = by_key[control.topic, "list", control.facets["k"]]
        assert control.text == query.text
        k = int(query.facets["k"])
        pairs = zip(benchmark.candidates[query.id], benchmark.candidates[control.id], strict=True)
        (changed,) = [(one, other) for one, other in pairs if one != other]
        assert benchmark.qrels[query.id][changed[0]] == k - 1
        assert benchmark.qrels[control.id][changed[1]] == k
        words = len(benchmark.corpus[changed[0]].text.split())
        assert len(benchmark.corpus[changed[1]].text.split()) == words


def test_the_order_of_conditions_is_not_that_of_the_text(benchmark_and_corpus) -> None:
    benchmark, _ = benchmark_and_corpus
    first = [q for q in stating(benchmark) if q.facets["k"] == "1" and q.facets["n"] != "1"]
    places = {q.topic: [] for q in first}
    for query in stating(benchmark):
        places.setdefault(query.topic, []).append(int(query.facets["span"].split("-")[0]))
    led = sum(int(q.facets["span"].split("-")[0]) == min(places[q.topic]) for q in first)
    assert led < len(first)


def test_variants_avoid_ids_in_use() -> None:
    corpus = written_corpus(0, 25)
    topic = by_rules.build(corpus).queries[0].topic
    corpus[f"{topic}~d0"] = Document(f"{topic}~d0", "The reserved name was taken in 1932.")
    benchmark = by_rules.build(corpus)
    assert f"{topic}~~d0" in benchmark.corpus
    assert benchmark.corpus[f"{topic}~d0"] == corpus[f"{topic}~d0"]


def test_a_real_collection_gives_ladders_that_fit_together() -> None:
    corpus = read_corpus(shared_data("data", "cranfield/corpus.jsonl.gz"))
    some = {id: corpus[id] for id in list(corpus)[:100]}
    benchmark = by_rules.build(some, limit=12).validated()
    assert benchmark.built["kept"] >= 10
    assert {q.facets["edit"] for q in benchmark.queries} >= {"antonym", "negation"}
