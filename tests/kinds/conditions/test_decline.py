from statistics import fmean

from leadline.kinds.conditions.metrics import FIRST, FOUND, Decline
from leadline.types import Query


def ladder(topic, wins):
    """Queries of 1, 2, ... conditions; the document that meets all wins where it says so."""
    queries, qrels, run = [], {}, {}
    for k, won in enumerate(wins, 1):
        query = Query(f"{topic}{k}", "", topic, facets={"style": "list", "k": str(k)})
        queries.append(query)
        qrels[query.id] = {"all": k, "but": k - 1}
        run[query.id] = {"all": 1.0 + won, "but": 1.5}
    return queries, qrels, run


def joined(*ladders):
    queries = [query for each in ladders for query in each[0]]
    return (queries, *({k: v for each in ladders for k, v in each[i].items()} for i in (1, 2)))


def test_the_decline_is_the_first_win_rate_minus_the_last():
    # WR_1 = 1, WR_3 = 1/2
    values = Decline()(*joined(ladder("a", [1, 1, 0]), ladder("b", [1, 0, 1])))
    assert values == {"a": 1.0, "b": 0.0}
    assert fmean(values.values()) == 1 - 1 / 2


def test_a_topic_of_one_query_has_no_decline():
    assert Decline()(*ladder("a", [1])) == {}
    assert Decline(style="prose")(*ladder("a", [1, 1])) == {}


def test_only_the_document_that_meets_most_conditions_counts_as_found():
    queries, qrels, run = ladder("a", [1, 0])
    # under the second query the one that meets 1 of 2 stands first
    assert FIRST(queries, qrels, run) == {"a1": 1.0, "a2": 0.0}
    assert FOUND(queries, qrels, run) == {"a1": 1.0, "a2": 1.0}
    assert (FIRST.name, FOUND.name) == ("P@1", "Recall@10")
