from sample_page import entry, result, results

from leadline.report.findings import findings
from leadline.report.tables import overview
from tables import each_row


@each_row
def test_what_was_measured_is_told_in_words(
    benchmark: str, means: dict[str, dict[str, list]], said: list[str]
) -> None:
    """`means` has a mean, its bounds and the number of topics for every metric of a system."""
    reports = [
        result(system, {name: entry(*mean) for name, mean in of.items()}, benchmark)
        for system, of in means.items()
    ]
    (finding,) = findings(results(*reports))
    text = " ".join(finding.sentences).replace("\u00a0", " ")
    for each in said:
        assert each in text


def test_a_reference_is_never_marked_as_best() -> None:
    reports = [
        result("mine", {"nDCG@10": entry(0.5)}, "mine"),
        result("bm25 (reference)", {"nDCG@10": entry(0.9)}, "mine"),
    ]
    cells = [row[0] for _, row in overview(results(*reports), "mine").rows]
    assert cells[1] is not None and not cells[1].best


@each_row
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


def test_what_figures_mean_stands_before_what_to_do() -> None:
    words = {"in_words": {"WinRate": "In 2 of 4 cases."}}
    cause = {"causes": [{"text": "the text is cut", "share": 0.5, "advice": "split it"}]}
    report = result("mine", {"WinRate": entry(0.7)}, examined=words | cause)
    (finding,) = findings(results(report))
    assert finding.systems == (
        ("mine", "In 2 of 4 cases. The text is cut (50\u00a0% of cases): split it."),
    )


def test_nothing_measured_gives_no_finding() -> None:
    assert findings(results()) == []
    assert findings(results(result("bm25", {}))) == []
