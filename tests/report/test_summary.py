from __future__ import annotations

import pytest
from sample_page import entry, result, results

from leadline.report import Mean, Report
from leadline.report.findings import findings
from leadline.report.tables import overview
from tables import each_row


def told(*reports: Report) -> str:
    (finding,) = findings(results(*reports))
    return " ".join(finding.sentences).replace("\u00a0", " ")


def test_the_summary_names_the_best_system_and_chance() -> None:
    text = told(
        result("bm25", {"WinRate": entry(0.52, 0.48, 0.56)}),
        result("minilm", {"WinRate": entry(0.71, 0.67, 0.75)}),
    )
    assert "minilm puts the document that meets every condition first in 71 % of pairs" in text
    assert "(95 % interval 67 % to 75 %); chance is 50 %." in text
    assert "bm25 is next (52 %)." in text


def test_the_fall_along_the_number_of_conditions_is_told() -> None:
    metrics = {"WinRate": entry(0.7), "WinRate@10": entry(0.55), "WinRate@2": entry(0.88)}
    assert "bm25 falls from 88 % with 2 conditions to 55 % with 10." in told(
        result("bm25", metrics)
    )


def test_a_change_along_k_within_the_intervals_is_called_unclear() -> None:
    metrics = {"WinRate": entry(0.6), "WinRate@1": entry(0.57), "WinRate@8": entry(0.63)}
    text = told(result("bm25", metrics))
    assert (
        "bm25 goes from 57 % with 1 condition to 63 % with 8, but the two intervals overlap."
        in text
    )


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        (9, "Weakest edit “negation” (60\u00a0%, n 30)."),  # too few of names to say
        (10, "Weakest edit “name” (40\u00a0%, n 10)."),
    ],
)
def test_the_weakest_slice_of_every_system_is_told(cases: int, said: str) -> None:
    metrics = {
        "WinRate": entry(0.7),
        "WinRate[edit=name]": entry(0.4, n=cases),
        "WinRate[edit=negation]": entry(0.6, n=30),
        "WinRate[edit=number]": entry(0.9, n=90),
    }
    (finding,) = findings(results(result("bm25", metrics), result("minilm", metrics)))
    assert finding.systems == (("bm25", said), ("minilm", said))


def test_no_slice_is_weakest_whose_interval_overlaps_another() -> None:
    metrics = {
        "WinRate": entry(0.7),
        "WinRate[edit=name]": entry(0.4),
        "WinRate[edit=negation]": entry(0.48),  # 0.43 to 0.53 against 0.35 to 0.45
        "WinRate[edit=number]": entry(0.9),
    }
    (finding,) = findings(results(result("bm25", metrics)))
    assert finding.systems == ()


def test_without_controls_conditions_are_headlined_by_the_win_rate() -> None:
    text = told(
        result("bm25", {"Unseen": entry(0.05), "WinRate": entry(0.68)}),
        result("minilm", {"Unseen": entry(0.17), "WinRate": entry(0.5)}),
        result("reranker", {"WinRate": entry(0.86)}),  # of which is not known what it sees
    )
    assert text.startswith("reranker puts the document that meets every condition first in 86 %")
    assert "bm25 is next (68 %)." in text
    assert "Unseen" not in text


def test_with_controls_they_are_headlined_by_what_the_gate_judges() -> None:
    def metrics(seen: float, unseen: float) -> dict[str, Mean]:
        everything = seen * (1 - unseen)
        return {
            "Noticed[unseen=missed]": entry(everything),
            "Noticed": entry(seen),
            "Unseen": entry(unseen),
            "WinRate": entry(0.9),
        }

    # 0.64 of nine in ten cases is 0.58 of all; that mend sees all, and notices 0.59 of them.
    text = told(result("as it is", metrics(0.64, 0.1)), result("mended", metrics(0.59, 0.0)))
    assert "mended marks down a broken condition more often" in text
    assert "by 0.59 (95 % interval 0.54 to 0.64) of all cases" in text
    assert "as it is is close (0.58): the intervals overlap" in text


@each_row
def test_a_reference_is_compared_and_never_called_best(mean: float, n: int, said: str) -> None:
    reports = [
        result("mine", {"nDCG@10": entry(0.5)}, "mine"),
        result("bm25 (reference)", {"nDCG@10": entry(mean, n=n)}, "mine"),
    ]
    assert told(*reports) == f"mine reaches nDCG@10 0.50 (95 % interval 0.45 to 0.55).{said}"
    cells = [row[0] for _, row in overview(results(*reports), "mine").rows]
    assert cells[1] is not None and not cells[1].best


def test_what_figures_mean_stands_before_what_to_do() -> None:
    words = {"in_words": {"WinRate": "In 2 of 4 cases."}}
    cause = {"causes": [{"text": "the text is cut", "share": 0.5, "advice": "split it"}]}
    report = result("mine", {"WinRate": entry(0.7)}, examined=words | cause)
    (finding,) = findings(results(report))
    assert finding.systems == (
        ("mine", "In 2 of 4 cases. The text is cut (50\u00a0% of cases): split it."),
    )


def test_nothing_is_called_best_below_ten_topics() -> None:
    text = told(
        result("bm25", {"nDCG@10": entry(0.2, n=9)}, "mine"),
        result("minilm", {"nDCG@10": entry(0.9, n=9)}, "mine"),
    )
    assert text == (
        "minilm reaches nDCG@10 0.90 (95 % interval 0.85 to 0.95). bm25 is close (0.20): with "
        "fewer than 10 topics their order is uncertain."
    )


def test_the_order_of_the_others_is_not_told_where_they_overlap() -> None:
    text = told(
        result("a", {"nDCG@10": entry(0.9)}, "mine"),
        result("b", {"nDCG@10": entry(0.5)}, "mine"),
        result("c", {"nDCG@10": entry(0.48)}, "mine"),
    )
    assert text.endswith("Below it: b (0.50), c (0.48).")


def test_means_of_too_few_topics_are_told_with_their_number_and_without_a_claim() -> None:
    text = told(
        result("bm25", {"WinRate": entry(1.0, 0.0, 1.0, n=2)}),
        result("minilm", {"WinRate": entry(0.5, 0.0, 1.0, n=2)}),
    )
    assert text == (
        "Only 2 topics could be built and scored: too few to conclude anything. "
        "WinRate: bm25 1.00 (n 2), minilm 0.50 (n 2)."
    )


def test_nothing_measured_gives_no_finding() -> None:
    assert findings(results()) == []
    assert findings(results(result("bm25", {}))) == []


def test_a_share_that_rounds_to_nothing_is_not_called_nothing() -> None:
    text = told(result("bm25", {"WinRate": entry(0.7), "FlipRate": entry(0.002)}))
    assert "in under 1 % of its comparisons" in text


def test_ranks_are_told_without_an_interval_of_shares() -> None:
    text = told(
        result("bm25", {"MeanRank": entry(4.2, 3, 5)}, "mine"),
        result("minilm", {"MeanRank": entry(9.1, 8, 10)}, "mine"),
    )
    assert text == "bm25 does best: MeanRank 4.2. minilm is next (9.1)."


@pytest.mark.parametrize(
    ("name", "mean", "benchmark", "said"),
    [
        ("WinRate", entry(0.52, 0.48, 0.56), "conditions", "told from chance, which is 50 %"),
        ("WinRate", entry(0.3, 0.25, 0.35), "conditions", "that is below chance, which is 50 %"),
        ("RBO@5", entry(0.82, 0.8, 0.84), "rephrasings", "0.80 to 0.84), where 1 means unchanged."),
        ("nDCG@10", entry(0.4), "mine", "bm25 reaches nDCG@10 0.40 (95 % interval 0.35 to 0.45)."),
        ("WinRate", entry(1.0, n=1), "conditions", "Only one topic could be built and scored"),
        ("WinRate", entry(1.0, n=5), "conditions", "bm25 puts the document"),
    ],
)
def test_one_system_is_told_by_its_headline(
    name: str, mean: Mean, benchmark: str, said: str
) -> None:
    text = told(result("bm25", {name: mean}, benchmark))
    assert said in text
    assert ("too few to conclude anything" in text) == (mean.n < 5)
