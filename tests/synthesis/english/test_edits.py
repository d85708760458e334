import random

import pytest

from leadline.synthesis.conditions.edits import apply_edits, find_breaks, find_controls
from leadline.synthesis.conditions.stock import stock_of
from leadline.synthesis.english.alike import words_of_its_sort
from leadline.synthesis.english.denial import Told
from leadline.synthesis.english.parsing import parse
from leadline.synthesis.tokens import normalised, tokens

_OTHERS = [
    "The old house near the river has a large garden and a narrow door.",
    "A small garden lies beside the narrow house, and the river has a large door.",
    "Joan Baker met Paul Miller in the house.",
]


def broken(text: str) -> dict[str, str]:
    """Return kind -> the text after its first edit."""
    (doc,) = docs = list(parse([text]))
    stock = stock_of([*docs, *parse(_OTHERS)], seed=0)
    sentence = next(doc.sents)
    said = dict.fromkeys(tokens(text), 1)
    found: dict[str, str] = {}
    whole, told = f" {normalised(text)} ", Told.of(text)
    for each in find_breaks(sentence, whole, said, stock, random.Random(0), told):
        found.setdefault(each.edit.kind, apply_edits(text, [each.edit]))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The house was sold in spring.", "The house was not sold in spring."),
        ("Brad moved to the house.", "Brad did not move to the house."),
        ("Brad can't find the door.", "Brad can find the door."),
        ("There was a mass in the lung.", "There was not a mass in the lung."),
        ("The scan shows no masses.", "The scan shows masses."),
    ],
)
def test_a_negation_is_put_in_or_taken_out(text: str, expected: str) -> None:
    assert broken(text)["negation"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The method is to fill a house.",
        "All doors were open.",
        "If it rains, the house is wet.",
        "Was the house sold?",
        "The house could be sold.",
        "Brad does not love the house.",  # "does love" is not what people write
        "Brad moved to the house, which had a garden.",
        "Brad moved to the house and sold it.",
        "Brad quickly moved to the house.",
    ],
)
def test_no_negation_where_it_would_contradict_nothing(text: str) -> None:
    assert "negation" not in broken(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The flow over the plate is laminar.", "The flow over the plate is turbulent."),
        ("He broke his left knee.", "He broke his right knee."),
        ("The pressure increases with height.", "The pressure decreases with height."),
    ],
)
def test_an_antonym_is_of_the_right_sense(text: str, expected: str) -> None:
    assert broken(text)["antonym"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The house is cheaper than the larger barn.",
        "The pressure increases with height because the door is closed.",
        "They sell linear algebra programs.",
        "Things are left with Amy.",
        "There is little doubt left in the house.",
        "Later he sold the house.",
        "Both laminar and turbulent flows are shown.",
    ],
)
def test_a_word_of_another_sense_is_left_alone(text: str) -> None:
    assert "antonym" not in broken(text)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Brad called the office. Nobody answered.", "Brad did not call the office."),
        ("Brad called the office. The office was closed.", ""),
        ("Brad called the office. This took an hour.", ""),
        ("A small house was built. The roof of the house is red.", ""),
        ("The house was sold in spring. The house is red.", "The house was not sold in spring."),
        (
            "The roof was painted, and the house was sold.",
            "The roof was painted, and the house was not sold.",
        ),
    ],
)
def test_a_statement_that_the_rest_of_the_text_needs_is_not_denied(text: str, first: str) -> None:
    assert broken(text).get("negation", "")[: len(first) or None] == first


@pytest.mark.parametrize(
    ("text", "is_free"),
    [
        ("The garden has 40 trees.", True),
        ("The patient moves all four legs.", False),
        ("The two gardens have trees.", False),
        ("The journey took 15 hours and 40 minutes.", False),
        ("Ten boys and 12 girls sang.", False),
        ("The library has more than 40 rooms.", False),
        ("The journey began in room 1970 of the house.", False),
        ("There are four rooms. The first is red.", False),
        ("There are 40 rooms. The first is red.", True),
        ("There are 40 rooms. Ten of these are red.", False),
        ("The house costs $500, and it was built in 1950.", True),
        ("The house falls under title 31 of the code.", False),
        ("The garden has a 100% guarantee.", False),
        ("Scores of 9 and 10 are good.", False),
        ("The endotine 4.5 device was inserted.", False),
        ("The ticket costs 86 kroner.", True),
    ],
)
def test_a_number_on_which_another_hangs_stays(text: str, is_free: bool) -> None:
    assert ("number" in broken(text)) == is_free


def test_a_girl_is_no_state_and_a_place_becomes_a_place() -> None:
    assert "name" not in broken("Virginia runs from the house.")
    changed = broken("They live in Virginia with a dog.")["name"]
    assert changed.startswith("They live in ")
    assert "Virginia" not in changed


@pytest.mark.parametrize(
    ("text", "is_free"),
    [
        ("They live in Spain with a dog.", True),
        ("They live in Spain, close to Madrid.", False),
        ("They live in Spain among Spanish neighbours.", False),
        ("They live in Czechoslovakia, in the Czechoslovak hills.", False),
    ],
)
def test_a_country_that_the_text_tells_in_another_way_stays(text: str, is_free: bool) -> None:
    assert ("name" in broken(text)) == is_free


def controls_of(text: str, kind: str, asked: set[str]) -> list[str]:
    (doc,) = docs = list(parse([text]))
    stock = stock_of([*docs, *parse(_OTHERS)], seed=0)
    (sentence,) = doc.sents
    rng = random.Random(0)
    found = find_breaks(sentence, f" {normalised(text)} ", {}, stock, rng, Told.of(text))
    each = next(one for one in found if one.edit.kind == kind)
    whole = f" {normalised(text)} "
    edits = find_controls(each, sentence, whole, asked, stock, rng, 2)
    return [apply_edits(text, [edit]) for edit in edits]


def test_the_control_of_an_inserted_word_is_a_word_inserted_there() -> None:
    made = controls_of("The house was sold in spring.", "negation", {"house", "sold", "spring"})
    assert len(set(made)) == 2
    for text in made:
        assert len(text.split()) == len(["The", "house", "was", "not", "sold", "in", "spring."])
        assert "not" not in text


def test_the_control_of_an_exchange_changes_what_is_not_asked_for() -> None:
    text = "The house near the river was sold in 1990."
    made = controls_of(text, "date", {"house", "sold", "1990"})
    assert made
    for changed in made:
        assert "1990" in changed and "house" in changed and "sold" in changed
        assert len(changed.split()) == len(text.split())
        assert changed != text


def test_a_control_moves_no_end_of_a_range() -> None:
    text = "The house near the river was sold by 40 boys, who owned it from 1950 to 1960."
    made = controls_of(text, "number", {"house", "river", "sold", "boys"})
    assert all("1950 to 1960" in changed for changed in made)


def test_a_control_puts_a_word_of_one_sort_for_another() -> None:
    (doc,) = parse(["The brave nurse sold her house."])
    held = {word.text: set(words_of_its_sort(word)) for word in doc}
    assert held["nurse"] == {"teacher", "doctor"}
    assert held["house"] == {"cottage", "cabin"}
    assert held["sold"] == set()


def test_a_word_of_a_longer_name_has_no_other_of_its_sort() -> None:
    (doc,) = parse(["They built a stone house."])
    assert not [word for word in doc if word.text == "stone" and list(words_of_its_sort(word))]
