"""The size of a report on many systems and cases, which studies/speed/report_size.py also opens."""

from pathlib import Path

import pytest

from leadline.plugins import module_of
from leadline.report.page import page_of, render

SCRIPT = Path(__file__).resolve().parents[2] / "studies" / "speed" / "report_size.py"


@pytest.mark.slow
def test_fifteen_systems_on_six_probes_of_2000_cases_stay_under_15_megabytes() -> None:
    outcome = module_of(SCRIPT).outcome_of(systems=15, cases=2000, limit=4)
    assert len(outcome.benchmarks) == 6 and len(outcome.reports) == 90
    assert all(len(each.queries) >= 2000 for each in outcome.benchmarks)
    html = render(page_of(outcome, "Size", "leadline check", {}))
    assert 200_000 < len(html.encode()) < 15_000_000
