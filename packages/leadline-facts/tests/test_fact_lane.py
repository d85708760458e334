import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.retrievers.bm25 import build as bm25
from leadline.types import Constraint, Document, Fact, Query
from leadline_facts.lane import enriched
from leadline_facts.values_index import FactLane

TEXTS = {
    "ana": "Ana bought the kettle. It was half of sixty dollars.",
    "ben": "Ben bought the kettle. It was a third of sixty dollars.",
    "cleo": "Cleo bought a bicycle for thirty dollars, not the ladder.",
    "dora": "Dora bought the kettle and said nothing of money.",
}
PRICES = {"ana": 30, "ben": 20, "cleo": 30}
CORPUS = {id: Document(id, text) for id, text in TEXTS.items()}
_ASKED = re.compile(r"\$(\d+)")


def dollars(amount: float) -> dict[str, Any]:
    return {"amount": amount, "currency": "USD"}


@dataclass
class Prices:
    """An enricher that knows one price of every buyer, and reads `$30` from a query."""

    name: str = "prices/1"

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        for document in documents:
            price = PRICES.get(document.id)
            start = document.text.find("dollars")
            spans = ((start, start + 7),)
            facts = (Fact("money", dollars(price), document.id, spans=spans),) if price else ()
            yield document.id, facts

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return [
            tuple(
                Constraint("money", dollars(int(match[1])), match.span())
                for match in _ASKED.finditer(query.content)
            )
            for query in queries
        ]


INDEX = enriched(bm25(cache=False), Prices()).index(CORPUS)
PLAIN = bm25(cache=False).index(CORPUS)


def ask(text: str) -> list[Query]:
    return [Query("q", text)]


def test_no_document_is_shut_out() -> None:
    found = INDEX.search(ask("Who bought a kettle for $30"), 4)["q"]
    assert set(found) == set(CORPUS)


def test_the_subject_of_a_fact_decides_between_equal_values() -> None:
    assert list(INDEX.search(ask("what did Cleo get for $30"), 1)["q"]) == ["cleo"]


def test_a_query_without_constraints_has_exactly_the_inner_result() -> None:
    queries = ask("who bought the kettle")
    assert INDEX.search(queries, 3) == PLAIN.search(queries, 3)


def test_a_constraint_that_nothing_meets_leaves_the_inner_result() -> None:
    queries = ask("who bought the kettle for $77")
    assert INDEX.search(queries, 3) == PLAIN.search(queries, 3)


def test_scores_are_the_share_of_the_rest_plus_the_weight_of_the_lane() -> None:
    # Rest "kettle": ana, ben and dora score alike (once in six words), cleo is not found.
    # One document of four costs $20: rarity log(1 + 4/1) / log(1 + 4) = 1; agreement and confidence
    # are 1. `kettle` is in the first sentence and the fact in the second, so the only word is found
    # at 0.6 and 0.8 of the worth hangs on it: 1 - 0.8 + 0.8 * 0.6 = 0.68. 1 + 5 * 0.68 = 4.4.
    scores = INDEX.search(ask("kettle $20"), 4)["q"]
    assert scores["ben"] == pytest.approx(4.4)
    # ana told another price: 1 - 0.3; dora told none.
    assert scores["ana"] == pytest.approx(0.7)
    assert scores["dora"] == pytest.approx(1.0)
    assert "cleo" not in scores


def test_candidates_are_scored_alike() -> None:
    queries = ask("kettle $20")
    run = INDEX.score(queries, {"q": ["dora", "ben", "ana"]})["q"]
    assert next(iter(run)) == "ben"
    assert set(run) == {"dora", "ben", "ana"}


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="weight=-1"):
        enriched(bm25(cache=False), Prices(), weight=-1)


def lane(*facts: Fact) -> FactLane:
    return FactLane([(fact,) for fact in facts])


def met(lane: FactLane, kind: str, value: object, relation: str = "equal") -> list[int]:
    return sorted(lane.met(Constraint(kind, value, relation=relation)))  # type: ignore[arg-type]


TIMES = lane(
    Fact("date", "2024-02-27"),
    Fact("month", "2024-02"),
    Fact("date_range", ["2024-01-01", "2024-12-31"]),
    Fact("interval", ["2024-02-27T23:00", "2024-02-28T01:00"]),
    Fact("date_range", ["1990-01-01", "2030-01-01"]),
    Fact("date", "2025-01-01"),
    Fact("date", "in spring"),
)


def test_the_lane_finds_all_times_that_hold_a_day_or_lie_in_a_month() -> None:
    assert met(TIMES, "date", "2024-02-27") == [0, 1, 2, 3, 4]
    assert met(TIMES, "month", "2025-01") == [4, 5]
    assert met(TIMES, "datetime", "2024-02-28T00:30") == [1, 2, 3, 4]


def test_the_lane_finds_amounts_in_other_units_and_nearly_equal_ones() -> None:
    amounts = lane(
        Fact("duration", {"amount": 90, "unit": "minute"}),
        Fact("duration", {"amount": 1.5, "unit": "hour"}),
        Fact("duration", {"amount": 1.504, "unit": "hour"}),
        Fact("duration", {"amount": 2, "unit": "hour"}),
        Fact("number", 1.5),
    )
    asked = {"amount": 1.5, "unit": "hour"}
    assert met(amounts, "duration", asked) == [0, 1, 2]
    assert met(amounts, "duration", asked, "after") == [0, 1, 2, 3]


@dataclass
class Nearly(Prices):
    """Ana's price is derived with doubt, Ben's and all others' are stated a little off."""

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        exact = Fact("money", dollars(1450), "Ana", "derived", 0.6)
        off = Fact("money", dollars(1449), role="stated")
        for document in documents:
            yield document.id, (exact,) if document.id == "ana" else (off,)


def test_an_exact_derived_price_wins_over_a_near_stated_one() -> None:
    # `kettle` stands in no sentence around Ana's price and in Ben's whole document, so that
    # Ben's has all of the context: 0.1 * 1 for Ben, sqrt(0.6) * (1 - 0.8 + 0.8 * 0.6) for Ana.
    index = enriched(bm25(cache=False), Nearly()).index(CORPUS)
    assert next(iter(index.search(ask("kettle $1450"), 4)["q"])) == "ana"
