from __future__ import annotations

from statistics import fmean

import pytest

from leadline.benchmark import quoted_results
from leadline.kinds.implicit_facts.published import PARTS

# The "Average" columns of the paper's Tables 2 and 7, in percent.
PRINTED = {
    "BM25": (12.24, 7.93),
    "ColBERT v2": (14.25, 9.26),
    "Contriever": (14.31, 9.50),
    "Dragon+": (14.91, 9.90),
    "ReasonIR": (13.64, 9.71),
    "HippoRAG 2": (14.53, 9.72),
}


@pytest.mark.parametrize("system", PRINTED)
def test_the_six_pools_average_to_what_the_paper_prints(system: str) -> None:
    pools = [
        {each.system: each for each in quoted_results("leadline.kinds.implicit_facts", p)}
        for p in PARTS
    ]
    for metric, printed in zip(("nDCG@10", "MRR@10"), PRINTED[system], strict=True):
        mean = fmean(pool[system].metrics[metric] for pool in pools)
        assert 100 * mean == pytest.approx(printed, abs=0.0051)
