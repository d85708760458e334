from leadline.benchmark import Benchmark, Quoted
from leadline.report.outcome import quoted_beside
from leadline.types import Document, Query


def pool(name: str, *quoted: Quoted) -> Benchmark:
    return Benchmark(
        name=name,
        corpus={"a": Document("a", "one"), "b": Document("b", "two")},
        queries=[Query("q", "one?")],
        qrels={"q": {"a": 1}},
        metrics=(),
        quoted=quoted,
    )


def result(value: float, documents: int = 2, departs: str = "") -> Quoted:
    sizes = {"documents": documents, "queries": 1, "topics": 1}
    return Quoted("Them", {"nDCG@10": value}, "A paper", sizes, departs)


def test_results_on_a_benchmark_of_the_same_size_are_comparable() -> None:
    assert quoted_beside([pool("p", result(0.5))]) == [
        {
            "system": "Them",
            "benchmark": "p",
            "metrics": {"nDCG@10": 0.5},
            "source": "A paper",
            "comparable": True,
            "why": "",
        }
    ]


def test_another_size_is_said() -> None:
    [entry] = quoted_beside([pool("p", result(0.5, documents=1500))])
    assert not entry["comparable"]
    assert entry["why"] == "published over 1,500 documents, measured over 2"


def test_the_whole_is_the_mean_of_the_parts_and_shares_their_doubts() -> None:
    # (0.2 + 0.4) / 2
    whole, *parts = quoted_beside(
        [pool("w/a", result(0.2)), pool("w/b", result(0.4, departs="other words"))]
    )
    assert (whole["benchmark"], whole["metrics"]) == ("w", {"nDCG@10": 0.3})
    assert whole["why"] == "other words"
    assert [each["comparable"] for each in parts] == [True, False]


def test_a_system_that_was_published_on_some_parts_has_no_whole() -> None:
    entries = quoted_beside([pool("w/a", result(0.2)), pool("w/b")])
    assert [entry["benchmark"] for entry in entries] == ["w/a"]
