import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

from commands import run
from leadline.benchmark import Benchmark
from leadline.diagnosis.causes import (
    NO_CANDIDATE,
    NOT_SEEN,
    QUERY_CUT,
    TEXT_CUT,
    Statistics,
    content_words,
    drawn,
    judge_first,
    judge_sight,
    judge_stages,
    misranked,
    shares,
)
from leadline.kinds.benchmark_folder import write
from leadline.kinds.ranking import KIND
from leadline.retrievers import bm25
from leadline.types import Document, Query, Reading, StageRun

# Lighthouses go with lamps and lenses; trains with rails.
TEXTS = [
    "The lighthouse lamp shines through a lens.",
    "A lamp and a lens were carried to the lighthouse.",
    "Every lighthouse keeper cleans lamp and lens.",
    "The train left the rails.",
    "Rails were laid for the train.",
    "No train runs on wet rails.",
]
CORPUS = Statistics.of(TEXTS)


def test_common_words_are_left_out_and_the_rest_stemmed() -> None:
    assert content_words("What were the Lighthouses for?") == ["lighthous"]


def test_the_theme_of_a_word_are_the_words_that_go_with_it() -> None:
    # lamp and lens: in 3 of 3 documents about lighthouses, in 3 of 6 over all: a lift of 2
    assert CORPUS.theme(["lighthous"]) == ("lamp", "len")


def test_more_words_of_the_query_are_word_overlap() -> None:
    found = judge_first("Which lighthouse opened in May?", "The lighthouse in May.",
                        "That lighthouse.", CORPUS)  # fmt: skip
    assert (found.category, found.decided) == ("word overlap", True)
    assert found.why == "only the first has: may"


def test_as_many_words_and_more_of_the_theme_are_a_semantic_cue() -> None:
    found = judge_first("Which lighthouse?", "The lighthouse with lamp and lens.",
                        "The lighthouse of the village.", CORPUS)  # fmt: skip
    assert (found.category, found.decided) == ("semantic cue", True)


def test_a_lead_in_theme_alone_decides_nothing_where_the_other_has_more_words() -> None:
    found = judge_first("Which lighthouse opened?", "Lamp and lens of the lighthouse.",
                        "The lighthouse opened.", CORPUS)  # fmt: skip
    assert (found.category, found.decided) == ("semantic cue", False)


def test_the_clearly_shorter_text_of_two_alike_is_chosen_for_its_length() -> None:
    # 1 content word against 4: below 0.8
    found = judge_first("Which lighthouse?", "Lighthouse.", "Lighthouse, village, harbour, pier.",
                        CORPUS)  # fmt: skip
    assert (found.category, found.decided) == ("length", True)
    # 4 against 5 is not clear
    found = judge_first("Which lighthouse?", "Lighthouse, village, harbour, pier.",
                        "Lighthouse, village, harbour, pier, boat.", CORPUS)  # fmt: skip
    assert (found.category, found.decided) == ("length", False)


def test_what_no_rule_sees_is_unknown_and_left_to_a_person() -> None:
    found = judge_first("Which lighthouse?", "Lighthouse, pier.", "Lighthouse, boat.", CORPUS)
    assert (found.category, found.decided) == ("unknown", False)


def benchmark() -> Benchmark:
    return Benchmark(
        name="trains",
        corpus={f"d{n}": Document(f"d{n}", text) for n, text in enumerate(TEXTS)},
        queries=[Query(f"q{n}", f"Which {n}?", f"q{n}", answer="it") for n in range(4)],
        qrels={f"q{n}": {f"d{n}": 1} for n in range(4)},
        metrics=(),
    )


def test_only_queries_whose_first_document_is_wrong_are_judged() -> None:
    run = {"q0": {"d0": 1.0}, "q1": {"d3": 2.0, "d1": 1.0}, "q2": {}, "q3": {"d0": 1.0}}
    cases = misranked(benchmark(), run, "bm25")
    assert [(c.query_id, c.positive.id, c.other and c.other.id) for c in cases] == [
        ("q1", "d1", "d3"),
        ("q3", "d3", "d0"),
    ]
    [share] = shares(cases)
    assert share.total == 2
    assert all(share.counts.values())


def test_the_sample_is_drawn_by_the_seed() -> None:
    found = {tuple(drawn("abcd", 2, seed, "bm25")) for seed in range(10)}
    assert all(len(each) == 2 for each in found) and len(found) > 1
    assert drawn("abcd", 2, 3, "bm25") == drawn("abcd", 2, 3, "bm25")


def test_a_document_below_what_rerankers_see_was_no_candidate() -> None:
    ranking = {"d2": 3.0, "d3": 2.0, "d1": 1.0}
    found = judge_stages("d1", [ranking, ranking], ["bm25", "reranker"], seen=2)
    assert found is not None
    assert (found.category, found.why) == (NO_CANDIDATE, "not among the first 2 of bm25")


def test_a_reranker_that_helps_without_reaching_the_top_is_not_to_blame() -> None:
    before, after = {"d2": 3.0, "d3": 2.0, "d1": 1.0}, {"d2": 3.0, "d1": 2.0, "d3": 1.0}
    assert judge_stages("d1", [before, after], ["bm25", "reranker"]) is None
    assert judge_stages("d1", [before], ["bm25"]) is None


def test_a_failing_case_shows_the_nearest_variant_that_went_well() -> None:
    queries = [
        Query("a", "train on rails", "t"), Query("b", "trains laid on rails", "t"),
        Query("c", "wet", "t"), Query("d", "train on rails", "u"),
    ]  # fmt: skip
    mine = dataclasses.replace(
        benchmark(), queries=queries, qrels={query.id: {"d4": 1} for query in queries}
    )
    right, wrong = {"d4": 1.0}, {"d0": 1.0}
    run = {"a": right, "b": wrong, "c": right, "d": right}
    [case] = misranked(mine, run, "bm25", stages=[StageRun("bm25", run)])
    assert (case.query_id, case.passing) == ("b", "train on rails")


def test_only_the_highest_grade_is_right_where_the_kind_says_so() -> None:
    mine = dataclasses.replace(benchmark(), qrels={"q0": {"d0": 2, "d1": 1}})
    run = {"q0": {"d1": 2.0, "d0": 1.0}}
    assert misranked(mine, run, "bm25") == []
    assert [case.positive.id for case in misranked(mine, run, "bm25", strict=True)] == ["d0"]


MOST = 4


def first_words(queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
    """Read the first four words of everything."""
    return [
        Reading(
            tuple(document.lower().split()[:MOST]),
            "cut at 4 words" if len(document.split()) > MOST else "",
            "cut at 4 words" if len(query.split()) > MOST else "",
        )
        for query, document in zip(queries, documents, strict=True)
    ]


def test_a_word_behind_the_cut_is_told() -> None:
    judged = judge_sight("harbour lamp", "a b", "the old harbour has a lamp", first_words)
    assert judged is not None and judged.category == TEXT_CUT
    # `harbour` is read, `lamp` is the sixth word.
    assert not judged.decided
    assert (
        judged.why
        == "the system does not read these words of the relevant document: lamp (cut at 4 words)"
    )


def test_documents_that_are_the_same_to_a_system_settle_it() -> None:
    judged = judge_sight("open", "it is open now at last", "it is open now not", first_words)
    assert judged is not None and judged.decided and judged.category == TEXT_CUT
    seen = judge_sight("doors not open", "doors open", "doors not open", bm25.build().read)
    assert seen is not None and (seen.category, seen.decided) == (NOT_SEEN, True)


def test_a_query_that_is_cut_is_told() -> None:
    judged = judge_sight("one two three four five", "one", "five", first_words)
    assert judged is not None and (judged.category, judged.decided) == (QUERY_CUT, True)


def test_a_token_that_is_dropped_is_told() -> None:
    letters = bm25.build(token_pattern="[a-z]{2,}")
    judged = judge_sight("lamp of 1904", "a lamp", "the light of 1904", letters.read)
    assert judged is not None and (judged.category, judged.decided) == (NOT_SEEN, True)
    assert "1904" in judged.why
    assert judge_sight("lamp of 1904", "a lamp", "the light of 1904", bm25.build().read) is None


def test_a_system_that_does_not_tell_what_it_reads_is_not_judged_by_it() -> None:
    assert judge_sight("a", "b", "c", lambda queries, documents: None) is None


def test_diagnose_names_what_a_system_drops(tmp_path: Path) -> None:
    corpus = {id: Document(id, text) for id, text in (("a", "lamp of 1904"), ("b", "lamp of 1905"))}
    queries = [Query("q", "lamp 1905"), Query("r", "lamp 1904")]
    qrels = {"q": {"b": 1}, "r": {"a": 1}}
    write(tmp_path / "mine", Benchmark("mine", corpus, queries, qrels, **KIND.measured()))
    done = run("diagnose", "-s", r"bm25:token_pattern=[a-z]{2\,}", "-b", tmp_path / "mine",
               "--json", "--out", tmp_path / "out")  # fmt: skip
    (case,) = json.loads(done.stdout)["cases"]
    assert (case["query"], case["cause"], case["decided"]) == ("q", "not seen", True)
