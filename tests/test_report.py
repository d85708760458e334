import pytest

from leadline.errors import InputError
from leadline.report import Report, over_parts


def report(values: dict[str, float], benchmark: str = "b", **more: object) -> Report:
    return Report(system="s", benchmark=benchmark, scores={"MRR@10": values}, **more)  # type: ignore[arg-type]


def test_a_mean_lies_inside_its_interval() -> None:
    mean = report({"q1": 0.0, "q2": 1.0, "q3": 1.0, "q4": 0.5}).mean("MRR@10")
    assert mean.mean == 0.625
    assert 0.0 <= mean.low <= 0.625 <= mean.high <= 1.0
    assert mean.n == 4


def test_intervals_resample_whole_clusters() -> None:
    values = {f"q{n}": float(n % 2) for n in range(40)}
    # All of one source document agree, so there are two independent observations, not 40.
    clusters = {unit: "odd" if value else "even" for unit, value in values.items()}
    alone = report(values).mean("MRR@10")
    together = report(values, clusters=clusters).mean("MRR@10")
    assert together.high - together.low > alone.high - alone.low


def test_the_whole_is_the_unweighted_mean_of_its_parts() -> None:
    parts = [
        report({"q1": 1.0}, "whole/one", seconds={"search": 1.0}),
        report({"q2": 0.0, "q3": 0.0, "q4": 0.5}, "whole/two", seconds={"search": 2.0}),
    ]
    whole = over_parts("whole", parts)
    mean = whole.mean("MRR@10")
    assert mean.mean == pytest.approx((1.0 + 0.5 / 3) / 2)
    assert mean.n == 4
    assert whole.seconds == {"search": 3.0}
    assert whole.as_json()["benchmark"] == "whole"


def test_an_unknown_metric_is_answered_with_the_nearest() -> None:
    report = Report("s", "b", {"RBO@5": {"t": 1.0}, "RBO@5[kind=typo]": {"t": 1.0}, "nDCG@10": {}})
    with pytest.raises(InputError) as caught:
        report.mean("RBO")
    said = "Unknown metric 'RBO'. Did you mean 'RBO@5'? 'b' has RBO@5, nDCG@10."
    assert str(caught.value) == said
