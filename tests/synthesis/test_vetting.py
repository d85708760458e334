"""What a model does not find good of the conditions that rules made is left out, and counted."""

from __future__ import annotations

import json
import re

import pytest

from leadline.checking import build_probes
from leadline.enrichers import facts
from leadline.errors import InputError
from leadline.kinds.conditions import by_rules
from leadline.llm.requests import Failure
from leadline.llm.scripted import ScriptedLLM
from leadline.synthesis.implicit_facts import found
from leadline.synthesis.vetting import Reader
from leadline.types import Document
from notes import NOTES

CORPUS = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}


def conditions_of(built):
    return [query.facets["condition"] for query in built.queries if query.facets["style"] == "list"]


def all_good(prompt):
    return json.dumps({"verdicts": ["good"] * prompt.count("Condition: ")})


def all_but_drops(prompt):
    asked = re.findall(r"Condition: (.*)", prompt)
    return json.dumps({"verdicts": ["doubtful" if "drops" in each else "good" for each in asked]})


def test_good_conditions_stay_as_the_rules_made_them():
    plain, read = (
        by_rules.build(CORPUS),
        by_rules.build(CORPUS, reader=Reader(ScriptedLLM(all_good))),
    )
    assert [query.text for query in read.queries] == [query.text for query in plain.queries]
    assert read.built["reader"] == "scripted"
    assert read.built_by == "rules"


def test_what_is_not_good_is_left_out_and_counted():
    llm = ScriptedLLM(all_but_drops)
    built = by_rules.build(CORPUS, reader=Reader(llm)).validated()
    plain = conditions_of(by_rules.build(CORPUS))
    assert any("drops" in each for each in plain)
    assert conditions_of(built) == [each for each in plain if "drops" not in each]
    assert built.built["conditions"]["dropped"]["doubtful, says scripted"] == 1
    assert len(llm.asked) == by_rules.build(CORPUS).built["kept"]  # a call a document


def test_the_model_sees_the_document_the_edit_and_the_control():
    llm = ScriptedLLM(all_good)
    built = by_rules.build(CORPUS, reader=Reader(llm))
    text = "\n".join(llm.asked)
    first = next(query for query in built.queries if query.facets["style"] == "list")
    control = next(query for query in built.queries if query.facets["style"] == "control")
    assert first.facets["condition"] in text
    assert first.facets["after"] in text and control.facets["after"] in text


def test_conditions_without_a_usable_verdict_are_left_out():
    short = by_rules.build(CORPUS, reader=Reader(ScriptedLLM(lambda _: '{"verdicts": ["good"]}')))
    plain = {query.topic for query in by_rules.build(CORPUS).queries}
    assert len({query.topic for query in short.queries}) < len(plain)
    assert "no verdict of scripted" in short.built["conditions"]["dropped"]
    assert "no condition that scripted finds good" in short.built["dropped"]


@pytest.mark.parametrize(
    ("answer", "why"), [(Failure("time-out"), "time-out"), ("They are fine.", "JSON")]
)
def test_a_model_that_gives_no_verdict_at_all_is_named(answer, why):
    with pytest.raises(InputError, match=r"scripted gave no verdict .* leave out --vet") as told:
        by_rules.build(CORPUS, reader=Reader(ScriptedLLM(lambda _: answer)))
    assert why in str(told.value)


def test_only_builders_that_take_a_reader_are_given_one():
    llm = ScriptedLLM(all_good)
    conditions, rephrasings = build_probes(CORPUS, ["conditions", "rephrasings"], reader=llm)
    assert conditions.built["reader"] == "scripted"
    assert "reader" not in rephrasings.built


VISIT = "2024-10-08 09:15, Maeve: We visited the railway museum two days ago."
CHAIRS = "2024-03-05 11:00, Ana: The carpenter repaired four chairs for the theatre yesterday."


def test_implied_facts_that_are_not_good_are_left_out_and_counted():
    corpus = {f"d{i}": Document(f"d{i}", text) for i, text in enumerate((VISIT, CHAIRS))}
    llm = ScriptedLLM(
        lambda prompt: '{"verdicts": ["%s"]}' % ("bad" if "Ana" in prompt else "good")
    )
    built = found.build(corpus, facts.build(cache=False), reader=Reader(llm)).validated()
    assert [query.facets["document"] for query in built.queries] == ["d0"]
    assert built.built["facts"]["dropped"]["bad, says scripted"] == 1
    assert (built.built["kept"], built.built["reader"]) == (1, "scripted")
    assert any("2024-10-06" in prompt and "two days ago" in prompt for prompt in llm.asked)
