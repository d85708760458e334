"""Queries for facts that a corpus implies: which are asked for, which are dropped, and why."""

from __future__ import annotations

import json

import pytest

from leadline.benchmark import Benchmark
from leadline.kinds import benchmark_folder as folder
from leadline.kinds.implicit_facts import by_rules
from leadline.types import Corpus, Document
from leadline_facts import facts


def corpus_of(*texts: str) -> dict[str, Document]:
    return {f"d{i}": Document(f"d{i}", text) for i, text in enumerate(texts)}


def probe(*texts: str, **options: int) -> Benchmark:
    return by_rules.build(corpus_of(*texts), facts.build(cache=False), **options)


VISIT = "2024-10-08 09:15, Maeve: We visited the railway museum two days ago."
VISIT_LATER = "2024-10-15 18:00, Maeve: We visited the railway museum two days ago."
CHAIRS = "2024-03-05 11:00, Ana: The carpenter repaired four chairs for the theatre yesterday."


def test_a_query_asks_for_the_derived_date_with_words_that_say_of_what() -> None:
    # Two days before 8 October 2024 is the 6th.
    benchmark = probe(VISIT).validated()
    [query] = benchmark.queries
    assert query.facets["value"] == '"2024-10-06"'
    assert "6" in query.text
    assert "October" in query.text
    assert "Maeve" in query.text
    assert "museum" in query.text
    assert benchmark.qrels == {query.id: {"d0": 1}}


def test_the_facets_tell_where_the_fact_stands_and_how_it_follows() -> None:
    [query] = probe(VISIT).queries
    assert query.facets["fact"] == "date"
    assert query.facets["document"] == "d0"
    start, end = map(int, query.facets["span"].split()[0].split("-"))
    assert VISIT[start:end] == "two days ago"
    assert query.facets["derivation"]


def test_the_same_words_on_another_day_are_a_rival_and_no_second_answer() -> None:
    benchmark = probe(VISIT, VISIT_LATER)
    values = {query.facets["document"]: query.facets["value"] for query in benchmark.queries}
    assert values == {"d0": '"2024-10-06"', "d1": '"2024-10-13"'}
    assert [query.facets["rivals"] for query in benchmark.queries] == ["1", "1"]


@pytest.mark.parametrize(
    "other",
    [
        "2024-10-07 20:40, Maeve: We visited the railway museum yesterday.",
        "On 6 October 2024 Maeve took us to the railway museum.",
        "The railway museum had its busiest day on October 6th, says Maeve.",
    ],
)
def test_a_fact_that_another_document_derives_or_states_is_dropped(other: str) -> None:
    benchmark = probe(VISIT, other)
    assert not any(query.facets["document"] == "d0" for query in benchmark.queries)
    assert benchmark.built["facts"]["dropped"]["another document gives it"] >= 1


def test_the_value_in_a_document_about_something_else_is_no_second_answer() -> None:
    other = "On 6 October 2024 the harbour office closed its eastern quay for repairs."
    assert len(probe(VISIT, other).queries) == 1


def test_a_value_that_the_document_writes_out_is_dropped() -> None:
    benchmark = probe(f"{VISIT} It was October 6th.")
    assert benchmark.queries == []
    assert benchmark.built["dropped"] == {"nothing derived that can be asked for": 1}


def test_a_corpus_that_implies_nothing_gives_no_queries_and_says_so() -> None:
    benchmark = probe("The museum is red.", "")
    assert benchmark.queries == []
    assert benchmark.built["considered"] == 2
    assert benchmark.built["dropped"] == {
        "no text": 1,
        "nothing derived that can be asked for": 1,
    }


def test_the_same_seed_gives_the_same_queries() -> None:
    assert probe(VISIT, VISIT_LATER, CHAIRS, seed=3) == probe(VISIT, VISIT_LATER, CHAIRS, seed=3)


def test_at_most_limit_queries_are_kept_and_those_with_rivals_first() -> None:
    for seed in range(5):
        [query] = probe(CHAIRS, VISIT, VISIT_LATER, limit=1, seed=seed).queries
        assert query.facets["document"] in ("d1", "d2")


def test_there_is_no_rank_within_a_tuple_set(tmp_path) -> None:
    benchmark = probe(VISIT, CHAIRS)
    assert "SetRank" not in [metric.name for metric in benchmark.metrics]
    folder.write(tmp_path / "probe", benchmark)
    again = folder.build(tmp_path / "probe")
    assert [metric.name for metric in again.metrics] == [each.name for each in benchmark.metrics]
    assert again.breakdowns == benchmark.breakdowns


def test_an_amount_with_other_amounts_beside_it_is_left_alone() -> None:
    # The discount is taken off already: 12 percent of 79 is 9.48, and 79 - 9.48 = 69.52.
    text = (
        "Instead of €79 the till showed €69.52, thanks to a discount of 12 percent on the kettle."
    )
    assert "money" not in {query.facets["fact"] for query in probe(text).queries}


def test_an_amount_from_one_sentence_is_asked_for() -> None:
    # (355 - 326.60) / 355 = 28.40 / 355 = 8 percent
    text = "A discount for paying on the spot lowered the price of the table from €355 to €326.60."
    [query] = probe(text).queries
    assert (query.facets["fact"], query.facets["value"]) == ("percent", "8")
    assert "8 percent" in query.text


def test_an_amount_from_two_sentences_is_left_alone() -> None:
    text = (
        "2024-05-01 10:00, Lena: The camera from Obrist was marked at $400. "
        "The camera from Velten costs 20 percent more."
    )
    assert "money" not in {query.facets["fact"] for query in probe(text).queries}


def test_a_distance_between_two_stated_dates_gives_no_third_one() -> None:
    # 13 February 2024 and 27 days is 11 March (16 days left in February, and 11).
    text = (
        "The engraver brought the concertina on 13 February 2024. "
        "The repaired concertina was ready on 11 March 2024, after 27 days."
    )
    assert [q.facets["value"] for q in probe(text).queries if "04-07" in q.facets["value"]] == []


def test_a_time_before_an_event_without_a_date_is_not_asked_for() -> None:
    text = "2024-10-08 09:15, Ana: She stopped the tablets one week prior to the clinic visit."
    assert probe(text).queries == []


def test_a_time_before_a_date_that_stands_elsewhere_is_asked_for() -> None:
    # The appointment is on 18 April 2025; 24 hours before is the 17th.
    text = (
        "Your portrait sitting is on Friday 18 April 2025 at 10:40. "
        "Cancelling the sitting is free until 24 hours before, by a call to the studio."
    )
    assert [query.facets["value"] for query in probe(text).queries] == ['"2025-04-17"']


def test_another_activity_of_the_speaker_on_the_same_day_is_a_second_answer() -> None:
    # Yesterday of the 7th and two days before the 8th are both the 6th.
    other = "2024-10-07 20:40, Maeve: I baked a walnut cake yesterday."
    assert probe(VISIT, other).queries == []


def test_a_country_is_asked_for_without_the_place_that_implies_it(tmp_path) -> None:
    table = tmp_path / "places.tsv"
    table.write_text("Thornbury Glass Museum\tmuseum\tGB\n", encoding="utf-8")
    corpus = corpus_of("Pilar entered a baking contest at the Thornbury Glass Museum on Sunday.")
    [query] = by_rules.build(corpus, facts.build(places=str(table), cache=False)).queries
    assert query.facets["fact"] == "country"
    assert "United Kingdom" in query.text
    assert "contest" in query.text
    assert "Thornbury" not in query.text


def test_a_day_named_in_words_counts_as_written_out() -> None:
    text = "2024-04-02 09:15, Ana: The ferry timetable changes on the first of May."
    assert probe(text).queries == []


@pytest.mark.parametrize(
    "corpus",
    [
        {},
        {"a": Document("a", "x" * 100_000), "b": Document("b", "1" * 100_000)},
        {"a": Document("a", "\x00\x07 12 kg\x1b[2J of rice two days ago.\r\n" * 3)},
        {"a": Document("a", "2024-10-08 09:15, Ana: two days ago", "<b>title</b>")},
    ],
)
def test_small_and_hostile_corpora_do_not_break_it(corpus: Corpus) -> None:
    benchmark = by_rules.build(corpus, facts.build(cache=False))
    assert benchmark.built["considered"] == len(corpus)
    json.dumps(benchmark.built)


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Oslo, 25 June 2008\nThe new mill pump for the harbour will start tomorrow.", True),
        ("Date of visit: 25 June 2008. The new mill pump for the harbour starts tomorrow.", True),
        (
            "The mill was closed, and its pump was sold by the harbour master on 25 June 2008. "
            "The new mill pump for the harbour will start tomorrow.",
            False,
        ),
    ],
)
def test_tomorrow_counts_from_the_day_of_writing_only(text: str, is_asked: bool) -> None:
    assert bool(probe(text).queries) == is_asked
