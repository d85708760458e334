import pytest

from leadline.checking import own_queries
from leadline.data.folder import write_beir_qrels, write_queries
from leadline.errors import InputError
from leadline.types import Query


def test_judgements_of_other_queries_alone_are_refused(tmp_path):
    # Lines of a plain .txt are called 1, 2, ...: no wonder that nothing is judged.
    with pytest.raises(InputError, match=r"the first is '1', and the judgements begin with '301'"):
        own_queries(tmp_path, [Query("1", "crime"), Query("2", "polio")], {"301": {"d": 1}})
    write_queries(tmp_path / "queries.jsonl", [Query("1", "crime")])
    write_beir_qrels(tmp_path / "qrels" / "test.tsv", {"q1": {"d": 1}})
    with pytest.raises(InputError, match="None of the queries is judged"):
        own_queries(tmp_path)


def test_some_judgements_are_enough(tmp_path):
    queries, qrels = [Query("1", "crime"), Query("2", "polio")], {"2": {"d": 1}, "9": {"d": 1}}
    assert own_queries(tmp_path, queries, qrels) == (queries, qrels)
    assert own_queries(tmp_path, queries) == (queries, None)
