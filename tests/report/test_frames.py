"""What reports, outcomes and cases show in Python."""

import sys

import pytest
from test_measuring import CATS, DOGS, both

from leadline.errors import MissingExtraError
from leadline.evaluation import measure
from leadline.report.outcome import Outcome
from leadline.systems.adapters import as_system

COLUMNS = ["system", "benchmark", "metric", "mean", "low", "high", "n", "left_out"]


@pytest.fixture
def outcome() -> Outcome:
    return measure([as_system(both), as_system("bm25")], [CATS, DOGS])


def test_a_frame_has_a_row_for_every_metric_and_no_bounds_of_few_units(outcome: Outcome) -> None:
    pytest.importorskip("pandas")
    frame = outcome.to_frame()
    assert list(frame.columns) == COLUMNS
    assert len(frame) == sum(len(report.means()) for report in outcome.reports)
    rows = outcome.reports[0].to_frame()
    (row,) = rows[rows.metric == "MRR@10"].to_dict("records")
    assert (row["system"], row["benchmark"], row["mean"], row["n"]) == ("both", "set/cats", 1.0, 1)
    assert rows[["low", "high"]].isna().all(axis=None)


def test_without_pandas_and_polars_the_error_says_what_to_install(
    outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        outcome.to_frame()


def test_text_shows_n_in_at_most_twelve_lines_and_no_document(outcome: Outcome) -> None:
    assert "\n  both on set/cats: nDCG@10 1.000 (n 1, too few)" in repr(outcome)
    assert "MRR@10 1.000 (n 1, too few)" in repr(outcome.reports[0])
    many = Outcome([], [*outcome.reports] * 3, [], "")
    lines = repr(many).splitlines()
    assert len(lines) == 12 and lines[-1] == "  ... 8 more: to_frame() has all"
    assert outcome.cases
    for case in outcome.cases:
        assert case.query in repr(case) and case.retrieved.text not in repr(case)
