"""Why single cases failed: each way of telling, on cases small enough to follow by hand."""

import dataclasses
from collections.abc import Sequence
from dataclasses import asdict

from leadline.benchmark import Benchmark
from leadline.evaluation import measure, with_causes
from leadline.kinds.conditions.advice import Cause
from leadline.kinds.registry import kind_named
from leadline.report import Report
from leadline.report.shapes import Case, Passage
from leadline.systems.chains import load_system
from leadline.types import Document, Query, Reading, StageRun

TEXTS = {"good": "ferries sail at noon", "bad": "ferries sail ferries to noon island harbours"}
RUN = {"q": {"bad": 2.0, "good": 1.0}}


def nothing_told(queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
    return None


def benchmark(grade: int = 1, **facets: str) -> Benchmark:
    corpus = {id: Document(id, text) for id, text in TEXTS.items()}
    queries = [Query("q", "ferries at noon to an island", "t", facets=facets)]
    return Benchmark("b", corpus, queries, {"q": {"good": grade}}, ())


def causes(of: Report, on: Benchmark, read=nothing_told) -> dict[str, str]:
    passages = [Passage(id, TEXTS[id]) for id in ("good", "bad")]
    case = Case("s", "b", "headline", "ferries", *passages, facts={"query": "q"})
    [found] = with_causes([case], on, of, read)
    return dict(found.causes)


def report(**more) -> Report:
    return Report("s", "b", {}, run=RUN, **more)


def test_the_stage_that_lost_the_document_is_named() -> None:
    first, last = StageRun("bm25", {"q": {"good": 2.0, "bad": 1.0}}), StageRun("judge", RUN)
    told = "judge moved it from rank 1 to 2"
    assert causes(report(stages=(first, last)), benchmark()) == {"put down": told}
    lost = StageRun("bm25", {"q": {"bad": 1.0}})
    told = "not among the first 1 of bm25"
    assert causes(report(stages=(lost, last)), benchmark()) == {"not a candidate": told}


def test_the_order_of_given_candidates_is_no_ranking_that_a_stage_could_spoil() -> None:
    given = StageRun("candidates", {"q": {"good": 2.0, "bad": 1.0}})
    assert "put down" not in causes(report(stages=(given, StageRun("judge", RUN))), benchmark())


def test_what_the_system_did_not_read_is_named() -> None:
    def blind(queries: Sequence[str], documents: Sequence[str]) -> list[Reading] | None:
        return [Reading("the same") for _ in documents]

    found = causes(report(), benchmark(), blind)
    assert found == {"not seen": "the system reads the same of both documents"}


def test_words_of_the_query_that_only_the_other_document_has_are_named() -> None:
    assert causes(report(), benchmark()) == {"word overlap": "only the first has: island"}


def test_what_a_system_could_not_see_bears_the_name_that_diagnose_gives_it() -> None:
    for seen, name in (
        ("stop word: not", "not seen"),
        ("cut at 64 tokens", "text cut"),
        ("query cut at 64 tokens", "query cut"),
    ):
        assert causes(report(unseen={"q": seen}), benchmark()) == {name: seen}


def test_edits_of_a_kind_that_the_system_does_not_notice_are_named() -> None:
    numbers = Cause("not noticed: number", 0.5, "numbers weigh nothing", "")
    digits = Cause("not read: digits", 0.5, "digits make no difference", "")
    of = report(examined={"causes": [asdict(numbers), asdict(digits)]})

    def named(**facets: str) -> list[str]:
        pair = {"good": 1, "bad": 0}
        query = Query("q", "ferries", "t", facets={"k": "1", "style": "list", **facets})
        on = dataclasses.replace(benchmark(), queries=[query], qrels={"q": pair})
        [failure] = kind_named("conditions").failures(on, of)
        return list(failure.case.causes)

    assert named(edit="number", before="five") == ["not noticed: number"]
    assert named(edit="date", before="5 May") == ["not read: digits"]
    assert "not noticed: number" not in named(edit="negation", before="5")


def test_a_document_that_is_not_wanted_has_no_cause() -> None:
    assert causes(report(), benchmark(grade=0)) == {}


def test_measured_cases_carry_causes_and_reports_no_longer_hold_their_stages() -> None:
    on = dataclasses.replace(benchmark(), metrics=kind_named("ranking").metrics)
    outcome = measure([load_system("bm25")], [on])
    assert [list(case.causes) for case in outcome.cases] == [["word overlap"]]
    assert [each.stages for each in outcome.reports] == [()]
