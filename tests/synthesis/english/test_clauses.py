import pytest

from leadline.synthesis.english.clauses import clause_about
from leadline.synthesis.english.mentions import mention_of
from leadline.synthesis.english.parsing import parse
from leadline.synthesis.english.verbs import sentences_of


def clause(text: str, word: str):
    (doc,) = parse([text])
    return clause_about([next(token for token in doc if token.text == word)])


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        (
            "The patient was admitted in May 1990, but he left.",
            "admitted",
            "the patient was admitted in May 1990",
        ),
        (
            "However, the old library, which had burnt down, was rebuilt in 1975.",
            "1975",
            "the old library was rebuilt in 1975",
        ),
        ("Anna Brown moved to Paris in 1990.", "1990", "Anna Brown moved to Paris in 1990"),
        (
            "It was found that the steam engine works with 40 wings.",
            "40",
            "the steam engine works with 40 wings",
        ),
        (
            "Describes the library of a small town.",
            "library",
            "describes the library of a small town",
        ),
    ],
)
def test_a_clause_says_what_the_sentence_says_of_a_fact(
    text: str, word: str, expected: str
) -> None:
    found = clause(text, word)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("If the wing is cooled, the flow separates at 40 degrees.", "40"),
        ("The author may have moved to Paris in 1990.", "1990"),
        ("Was the library rebuilt in 1975?", "1975"),
        ("He gave it to them in 1990.", "1990"),
        ("The man who moved to Paris in 1990 died.", "1990"),
        ("The machine that was built in Bonn has 40 wheels.", "40"),
        ("A version of NT for DEC's Alpha machines was planned (September 1993).", "1993"),
        ('SI also specifies a list of prefixes (multipliers like "k" for 1000).', "1000"),
    ],
)
def test_what_only_holds_in_part_is_no_clause(text: str, word: str) -> None:
    assert clause(text, word) is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("She was treated with penicillin in 1950.", "penicillin"),
        ("The changes were measured in 1950.", "1950"),
        ("These changes of colour were measured in 1950.", "1950"),
        ("The book follows the strange lives of six eccentric – and rich – sisters.", "six"),
        ("A ten-year-old orphan comes to live in a lonely house.", "ten"),
        ("The mean weight of the eggs was 14% Marcaine of all.", "14"),
        ("The new house is slightly smaller in 1990.", "1990"),
        ("The old law requires 40 companies to develop and keep plans.", "40"),
        ("A mild sprain feels better 48 hours after you start treatment.", "48"),
        ("The Government bought 40 old ships in 1990.", "1990"),
        ("Anna Brown moved to Paris on May 3 last year.", "May"),
        ("The minister says a young man in 1990.", "1990"),
        ("Robert Mac (born 1956) FRS is a man of letters from Paris.", "Paris"),
        ("3 Hazelnuts were used in old Paris for 40 years.", "40"),
    ],
)
def test_there_is_no_clause_where_its_reader_would_miss_something(text: str, word: str) -> None:
    assert clause(text, word) is None


def test_a_clause_of_a_negation_is_not_cut_behind_its_verb() -> None:
    (doc,) = parse(["A long rope was closed using black silk."])
    assert clause_about([doc[4]], whole=True) is None
    assert clause_about([doc[4]]) is not None


def test_no_sentence_begins_or_ends_at_an_abbreviation() -> None:
    (doc,) = parse(
        ["The cells of the lens require 16 hr. to pass. Some died in case no. 1 of them."]
    )
    for sentence in sentences_of(doc):
        assert not sentence.text.endswith("hr.")
        assert not sentence.text.startswith("1")


def test_a_sentence_that_does_not_end_is_passed_over() -> None:
    (doc,) = parse(["The roof was repaired last year. The walls were painted by the"])
    assert [sentence.text for sentence in sentences_of(doc)] == ["The roof was repaired last year."]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("After a Danish homesteader dies, his son seeks revenge.", "Danish",
         "a Danish homesteader"),
        ("While hunting, two friends meet a 45-day-old bear cub.", "45", None),
        ("He wants to move in with a rural family of farmers, unaware of its past.", "rural",
         "a rural family of farmers"),
        ("They ask Danish superstar Peter Schmeichel for help.", "Danish", None),
        ("They never met a Danish homesteader.", "Danish", None),
        ("It was built at the end of 1981.", "1981", None),
        ("It rained, and this took four days.", "four", None),
    ],
)  # fmt: skip
def test_a_mention_brings_in_persons_whom_nothing_denies(
    text: str, word: str, expected: str | None
) -> None:
    (doc,) = parse([text])
    found = mention_of([next(token for token in doc if token.text.startswith(word))])
    assert (found and found.text) == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("A solution is expected in 1990.", "1990"),  # of what?
        ("Normal values were reached after 40 days.", "40"),
        ("Some 60% is written in Russian.", "Russian"),
        ("There was no evidence of constriction 3.", "no"),
        ("The first battle took place in July 1990.", "1990"),
    ],
)
def test_a_clause_leaves_nothing_open(text: str, word: str) -> None:
    assert clause(text, word) is None


def test_an_open_noun_that_is_told_of_what_serves() -> None:
    assert clause("A solution of the housing problem is expected in 1990.", "1990") is not None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The old model is a formal way to express local costs.", "formal"),
        ("The population of Switzerland is 7,655,628 (2012).", "2012"),
    ],
)
def test_a_clause_is_not_cut_before_its_point(text: str, word: str) -> None:
    assert clause(text, word) is None
