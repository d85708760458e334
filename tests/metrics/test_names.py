import pytest

from leadline.errors import InputError
from leadline.kinds.registry import kind_named, kind_names
from leadline.metrics.names import (
    MetricName,
    catalogue,
    glossary,
    is_better,
    label_of,
    may_rank,
    parse,
    read_name,
)
from leadline.metrics.ranking import NDCG
from leadline.metrics.topics import by_topic, select, units_of, values_of
from leadline.types import Metric, Query
from tables import each_row

KINDS = ("ranking", "implicit-facts", "conditions", "rephrasings", "instructions", "reasoning")


@each_row
def test_a_metric_goes_by_the_name_it_tells(name):
    metric = parse(name)
    assert isinstance(metric, Metric) and metric.name == name


@each_row
def test_a_name_that_does_not_fit_is_refused_with_the_way_out(name, message):
    with pytest.raises(InputError, match=message):
        parse(name)


def test_ties_written_in_a_name_win_over_those_of_the_benchmark():
    assert parse("nDCG@10[ties=id]", ties="stable") == NDCG(10, ties="id")


def test_every_metric_of_the_catalogue_says_what_it_is():
    for entry in catalogue():
        assert entry.meaning and entry.source
        assert entry.better in ("higher", "lower", "neither")
        assert all(values for option, values in entry.modes.items() if option not in ("p", "k"))
    wise = {entry.name: entry for entry in catalogue()}["WISE"]
    assert (wise.range, wise.options) == ("-1..1", "mode=paper|code_v0.1.0|code_head k=...")


@pytest.mark.parametrize("kind", KINDS)
def test_tables_and_breakdowns_name_metrics_that_the_kind_has(kind):
    names = {metric.name for metric in kind_named(kind).metrics}
    assert names.issuperset(kind_named(kind).main)
    assert names.issuperset(each.partition("[")[0] for each in kind_named(kind).breakdowns)


def test_breakdowns_follow_the_metrics_that_were_asked_for():
    asked = kind_named("rephrasings").named(["nDCG@10"])
    assert kind_named("rephrasings").breakdowns_of(asked) == ("nDCG@10[kind]",)


@pytest.mark.parametrize("kind", KINDS)
def test_no_standard_metric_stumbles_over_nothing(kind):
    for metric in kind_named(kind).metrics:
        assert metric([], {}, {}) == {}


def test_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match="Did you mean 'conditions'"):
        kind_named("condition")


def test_units_are_what_a_metric_is_about():
    queries = [
        Query("o", "?", topic="t", facets={"kind": "original"}),
        Query("v", "?", topic="t", facets={"kind": "typo"}),
    ]
    on_originals = kind_named("rephrasings").named(["nDCG@10"])[0]
    assert units_of(on_originals, queries) == ["o"]
    assert units_of(parse("RBO@5"), queries) == ["t"]


def test_a_metric_name_is_taken_apart() -> None:
    assert read_name("WinRate@3[edit=number]") == MetricName("WinRate", 3, {}, "edit", "number")
    assert read_name("nDCG@10") == MetricName("nDCG", 10)
    assert read_name("ROUGE-1") == MetricName("ROUGE-1")
    assert read_name("WinRate[edit=a]b=c]") == MetricName("WinRate", None, {}, "edit", "a]b=c")


@each_row
def test_no_system_is_ranked_by_what_only_qualifies_another_metric(name: str) -> None:
    assert not may_rank(name)


@each_row
def test_both_sorts_of_noticed_have_a_readable_name(name: str, label: str) -> None:
    assert label_of(name) == label


@pytest.mark.parametrize("kind", kind_names())
def test_a_kind_shows_first_what_systems_can_be_ranked_by(kind: str) -> None:
    assert may_rank(kind_named(kind).main[0])


def test_each_metric_is_explained_once() -> None:
    names = [name for name, _ in glossary(["WinRate", "WinRate@1", "FlipRate", "unheard of"])]
    assert names == ["WinRate, WinRate@k", "FlipRate"]


def test_a_lower_value_may_be_better_and_a_description_never_is() -> None:
    assert is_better("FlipRate", 0.1, 0.2)
    assert is_better("WinRate@2", 0.2, 0.1)
    assert not is_better("WinRate", 0.2, 0.2)
    assert not is_better("ScoreDifference", 2.0, 1.0)


ORIGINAL = Query("o", "?", topic="t", facets={"kind": "original"})
TYPO = Query("v", "?", topic="t", facets={"kind": "typo", "k": "10"})
ALONE = Query("w", "?", facets={"kind": "typo", "k": "9"})


def test_a_query_without_a_topic_is_a_topic_of_its_own():
    assert by_topic([ORIGINAL, TYPO, ALONE]) == {"t": [ORIGINAL, TYPO], "w": [ALONE]}


def test_select_keeps_the_originals_of_the_selected_topics_on_request():
    other = Query("p", "?", topic="u", facets={"kind": "original"})
    queries = [ORIGINAL, TYPO, other]
    assert select(queries, "kind", "typo") == [TYPO]
    assert select(queries, "kind", "typo", keep_originals=True) == [ORIGINAL, TYPO]


def test_values_that_are_all_numbers_are_ordered_as_numbers():
    assert values_of([TYPO, ALONE], "k") == ["9", "10"]
    assert values_of([TYPO, ORIGINAL], "kind") == ["original", "typo"]
    assert values_of([TYPO], "edit") == []
