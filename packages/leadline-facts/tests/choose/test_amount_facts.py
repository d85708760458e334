"""How what rules derive of amounts and what the network reads are joined."""

from typing import Any

import pytest

from leadline.types import Document
from leadline_facts import facts, quantities
from leadline_facts.choose import amount_facts
from leadline_facts.choose.amount_facts import UNLIKELY, Reading, judged
from leadline_facts.propose.amount_pairs import Sums
from leadline_facts.propose.comparisons import Ledger
from leadline_facts.read.amounts.passage import Passage, read_passage
from tables import each_row

TEXT = "We held 36 rolls and sold 20 of them. A roll costs £3."


def _network_says(
    monkeypatch: pytest.MonkeyPatch, chances: dict[tuple[str, str, float], float]
) -> None:
    """Let the network find likely what is named by operation, sort and value, and nothing else."""

    def read(passage: Passage) -> list[Reading]:
        return [
            Reading(
                pair, each, chances.get((each.operation, each.sort, each.value), 0.5 * UNLIKELY)
            )
            for pair in Sums(passage).pairs()
            for each in pair.candidates
        ]

    monkeypatch.setattr(amount_facts, "read_amounts", read)


def _judged(text: str = TEXT, *, by_rule: bool = False) -> list[tuple[str, float, str, float]]:
    passage = read_passage(text)
    ledger = Ledger(passage)
    if by_rule:
        whole, sold, _ = passage.amounts
        left = whole.value - sold.value
        words = (whole.start, sold.end)
        ledger.derive(whole, left, (whole, sold), "the rest", relation=words)
    return [
        (each.amount.sort, float(each.amount.value), each.role, each.confidence)
        for each in judged(passage, ledger.entries)
    ]


def test_what_the_network_finds_likely_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    _network_says(monkeypatch, {("difference", "n", 16.0): 0.7})
    assert _judged() == [("n", 16.0, "derived", 0.7)]


def test_a_rule_stands_where_the_network_does_not_find_it_unlikely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _network_says(monkeypatch, {("difference", "n", 16.0): UNLIKELY + 0.01})
    assert _judged(by_rule=True) == [("n", 16.0, "derived", 0.8)]


def test_a_rule_that_is_unlikely_gives_another_reading_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _network_says(monkeypatch, {})
    assert _judged(by_rule=True) == [("n", 16.0, "alternative", 0.8)]


def test_the_network_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    _network_says(monkeypatch, {("difference", "n", 16.0): 0.7})

    def derived(enricher: Any) -> set[str]:
        [(_, found)] = enricher.facts([Document("d", TEXT)])
        return {each.derivation for each in found if each.role == "derived"}

    told = "between 36 and 20 (read)"
    text_rules = derived(quantities.build(learned=False))
    assert told not in text_rules
    assert derived(facts.build(learned=False, cache=False)) >= text_rules
    assert quantities.build().name != quantities.build(learned=False).name


@each_row
def test_plain_texts_are_read_as_people_read_them(text: str, value: float) -> None:
    [(_, found)] = quantities.build().facts([Document("d", text)])
    values = [
        each.value["amount"] if isinstance(each.value, dict) else each.value
        for each in found
        if each.role == "derived"
    ]
    assert value in values


@each_row
def test_figures_that_do_not_belong_together_give_nothing(text: str) -> None:
    [(_, found)] = quantities.build().facts([Document("d", text)])
    assert not [each for each in found if each.role == "derived"]
