from __future__ import annotations

import pytest

from leadline.answering.reader import Given, judge_answer, misread
from leadline.benchmark import Benchmark
from leadline.types import Document, Query

POSITIVE = "Ann: I bought the Insignia tablet, not the Sony radio."
OTHERS = {
    "d1": ("Bea: I bought a Philips lamp near the harbour.", "Philips lamp"),
    "d2": ("Cid: mine is the Insignia radio.", ""),
}


@pytest.mark.parametrize(
    ("output", "category", "decided"),
    [
        ("", "no answer", True),
        ("Answer:", "no answer", True),
        ("Answer: It is not mentioned.", "no answer", True),
        ("The conversations do not specify it.", "no answer", True),
        ("Answer: zebra", "no answer", True),
        ("Answer: Philips lamp", "distraction", True),
        ("Answer: the Philips lamps", "distraction", True),
        ("Answer: harbour", "distraction", False),
        ("Answer: tablet", "malformed", True),
        ("The Insignia tablet.\nAnswer: see above, Ann", "malformed", True),
        ("Answer: Sony radio", "malformed", False),
        ("Answer: Sony harbour", "no answer", False),
    ],
)
def test_an_answer_is_judged_by_where_its_words_stand(
    output: str, category: str, decided: bool
) -> None:
    found, _ = judge_answer(output, "Insignia tablet", POSITIVE, OTHERS)
    assert (found.category, found.decided) == (category, decided), found.why


def test_a_distraction_names_the_document_that_it_is_from() -> None:
    found, source = judge_answer("Philips lamp", "Insignia tablet", POSITIVE, OTHERS)
    assert source == "d1"
    assert found.why == "'Philips lamp' is the answer of d1"


def test_an_answer_that_was_cut_off_is_malformed() -> None:
    found, _ = judge_answer("Let me see what", "Ann", POSITIVE, OTHERS, cut_off=True)
    assert (found.category, found.decided) == ("malformed", True)


def test_only_wrong_answers_whose_document_was_shown_are_judged() -> None:
    queries = [Query(f"q{n}", "Who?", f"q{n}", answer=name) for n, name in enumerate("ABC")]
    benchmark = Benchmark(
        name="who",
        corpus={f"d{n}": Document(f"d{n}", f"It was {name}.") for n, name in enumerate("ABC")},
        queries=queries,
        qrels={f"q{n}": {f"d{n}": 1} for n in range(3)},
        metrics=(),
    )
    given = [
        Given(queries[0], "B", ("d0", "d1"), False, 0.0),
        Given(queries[1], "B", ("d0", "d1"), False, 1.0),
        Given(queries[2], "B", ("d0", "d1"), False, 0.0),
    ]
    [case] = misread(benchmark, "reader", given)
    assert (case.query_id, case.given, case.judgement.category) == ("q0", "B", "distraction")
    assert case.other is not None
    assert case.other.text == "It was B."
