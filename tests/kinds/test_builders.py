"""The two builders on corpora small enough to know by heart."""

import pytest

from leadline.kinds.conditions import by_rules as conditions
from leadline.kinds.rephrasings import by_rules as rephrasings
from leadline.types import Corpus, Document, Query

_NAMES = "Amber Birch Cedar Dahlia Elder Fern Gorse Heather Iris Jasmine".split()  # noqa: SIM905


def ten_documents() -> dict[str, Document]:
    """Return ten short records, each with a count, a year, a weight and a plain statement."""
    documents = {}
    for i, name in enumerate(_NAMES):
        text = (
            f"The {name} garden was opened to visitors in {1950 + 3 * i}. "
            f"Some {20 + 7 * i} volunteers water the {name.lower()} beds every evening. "
            f"Its largest {name.lower()} pumpkin weighed {12 + i} kg at harvest. "
            f"The {name.lower()} greenhouse is heated by a wood stove. "
            "Lazy gardeners praise the pleasant smell of ancient furniture near the narrow gate, "
            "which has a curious wooden handle."
        )
        documents[f"g{i}"] = Document(f"g{i}", text, f"A visit to the {name} garden")
    return documents


@pytest.mark.parametrize("build", [conditions.build, rephrasings.build])
def test_ten_documents_give_a_benchmark_that_fits_together_and_again_the_same(build) -> None:
    benchmark = build(ten_documents()).validated()
    assert (benchmark.built["kept"], benchmark.built["dropped"]) == (10, {})
    assert benchmark.built_by == "rules"
    assert build(ten_documents()) == benchmark


@pytest.mark.parametrize("build", [conditions.build, rephrasings.build])
@pytest.mark.parametrize(
    "corpus",
    [
        {"only": Document("only", "The bridge was built in 1910. It carries 40 trains a day.")},
        {"a": Document("a", ""), "b": Document("b", "   ", "a title without any text")},
        {"a": Document("a", "x" * 1_000_000), "b": Document("b", "1" * 100_000)},
        {"a": Document("a", "\x00\x07 12 kg\x1b[2J of\u202e rice were  sold.\r\n" * 3)},
        {"a": Document("a", "値段は1,200円です。東京は2019年に開かれました。駅から5 kmです。")},
    ],
)
def test_small_and_hostile_corpora_do_not_break_it(build, corpus: Corpus) -> None:
    benchmark = build(corpus)
    assert benchmark.built["considered"] == len(corpus)
    if benchmark.queries:
        benchmark.validated()


def test_forms_inherit_the_judgements_of_the_users_query() -> None:
    queries = [Query("q1", "pumpkin weights of the fern"), Query("q2", "unjudged words here")]
    benchmark = rephrasings.build(ten_documents(), queries=queries, qrels={"q1": {"g5": 2}})
    assert {query.topic for query in benchmark.queries} == {"q1"}
    assert all(grades == {"g5": 2} for grades in benchmark.qrels.values())
    assert benchmark.built["dropped"] == {"no qrels": 1}


def test_forms_of_queries_without_judgements_have_none() -> None:
    benchmark = rephrasings.build(ten_documents(), queries=[Query("q1", "fern garden pumpkins")])
    assert benchmark.qrels == {}
    assert len(benchmark.queries) > 3
