from __future__ import annotations

import pytest

from leadline.kinds.registry import kind_named, kind_names
from leadline.metrics.names import (
    MetricName,
    glossary,
    is_better,
    label_of,
    may_rank,
    read_name,
    record_of,
)


def test_a_metric_name_is_taken_apart() -> None:
    assert read_name("WinRate@3[edit=number]") == MetricName("WinRate", 3, {}, "edit", "number")
    assert read_name("nDCG@10") == MetricName("nDCG", 10)
    assert read_name("ROUGE-1") == MetricName("ROUGE-1")
    assert read_name("WinRate[edit=a]b=c]") == MetricName("WinRate", None, {}, "edit", "a]b=c")


def test_what_is_no_metric_name_is_left_whole() -> None:
    assert read_name("[what] is @this") == MetricName("[what] is @this")


@pytest.mark.parametrize(
    "kind", ["ranking", "implicit-facts", "conditions", "rephrasings", "instructions", "reasoning"]
)
def test_every_standard_metric_has_a_meaning(kind: str) -> None:
    for metric in kind_named(kind).metrics:
        assert record_of(metric.name).meaning, metric.name


def test_a_lower_flip_rate_is_better() -> None:
    assert is_better("FlipRate", 0.1, 0.2)
    assert is_better("WinRate@2", 0.2, 0.1)
    assert not is_better("WinRate", 0.2, 0.2)


def test_a_metric_that_only_describes_is_never_better() -> None:
    assert not is_better("ScoreDifference", 2.0, 1.0)


@pytest.mark.parametrize(
    "name",
    [
        "Unseen",
        "TieRate",
        "ScoreDifference",
        "FlipRate",
        "Decline",
        "IdealWISE",
        "GoldRank",
        "mine",
    ],
)
def test_no_system_is_ranked_by_what_only_qualifies_another_metric(name: str) -> None:
    assert not may_rank(name)


def test_systems_are_ranked_by_metrics_that_stand_alone() -> None:
    for name in ("Noticed[unseen=missed]", "WinRate@3", "nDCG@10", "SetRank", "WISE", "RBO@5"):
        assert may_rank(name), name


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Noticed[unseen=missed]", "Noticed, all cases"),
        ("Noticed", "Noticed, seen cases"),
        ("Noticed[unseen=missed,edit=number]", "Noticed, all cases [edit=number]"),
        ("WinRate[edit=number]", "WinRate[edit=number]"),
        ("[what] is @this", "[what] is @this"),
    ],
)
def test_both_sorts_of_noticed_have_a_readable_name(name: str, label: str) -> None:
    assert label_of(name) == label


@pytest.mark.parametrize("kind", kind_names())
def test_a_kind_shows_first_what_systems_can_be_ranked_by(kind: str) -> None:
    assert may_rank(kind_named(kind).main[0])


def test_conditions_are_ranked_by_what_the_gate_judges() -> None:
    kind = kind_named("conditions")
    assert kind.main[0] == kind.decides[0].name == "Noticed[unseen=missed]"


def test_a_value_without_an_upper_bound_has_no_scale() -> None:
    assert record_of("MeanRank").span is None
    assert record_of("p-MRR").span == (-1, 1)


def test_each_metric_is_explained_once() -> None:
    names = [name for name, _ in glossary(["WinRate", "WinRate@1", "FlipRate", "unheard of"])]
    assert names == ["WinRate, WinRate@k", "FlipRate"]
