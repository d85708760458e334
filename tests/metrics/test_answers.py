import random
import re

import pytest

from leadline.errors import InputError
from leadline.metrics.answers import (
    WORDINGS,
    ChoiceLetter,
    ExactMatch,
    ROUGE1Recall,
    chosen_letter,
    exact_match,
    extract_answer,
    rouge1_recall,
    unreadable,
)
from leadline.metrics.stemming import stem
from leadline.types import Query
from tables import each_row


def test_recall_clips_counts():
    # of the, the, cat two are found
    assert rouge1_recall("the cat", "the the cat") == pytest.approx(2 / 3)


def test_recall_stems_words_of_more_than_three_letters():
    assert rouge1_recall("he runs in a shoe", "running shoes") == 1.0
    assert rouge1_recall("he runs in a shoe", "running shoes", mode="plain_nostem") == 0.0


def test_the_printed_formula_counts_distinct_words():
    assert rouge1_recall("the cat", "the the dog", mode="paper_set") == 0.5


def test_letters_outside_ascii_split_words():
    # caf is in both, ller is not
    assert rouge1_recall("caf m", "Café Müller") == pytest.approx(2 / 3)


def test_a_gold_answer_without_words_scores_zero():
    assert rouge1_recall("anything", "") == 0.0
    assert rouge1_recall("答え", "答え") == 0.0


def test_several_gold_answers_are_joined():
    assert rouge1_recall("Brooklyn", ["Maeve", "Brooklyn"]) == 0.5


def test_the_answer_follows_the_last_line_that_starts_with_answer():
    output = "Answer: Prada\nNo, wait.\nanswer: Gucci\nbag"
    assert extract_answer(output) == "Gucci\nbag"


def test_an_accepted_form_of_the_gold_answer_matches_too():
    query = Query("q", "Which?", answer="Oakaldo 2021 model", accepted=("2021 model of Oakaldo",))
    assert ExactMatch()([query], {"q": "The 2021 model of Oakaldo."}) == {"q": 1.0}
    assert ExactMatch()([query], {"q": "2021 Oakaldo"}) == {"q": 0.0}
    assert exact_match("The 2021 model of Oakaldo.", query.answer) == 0.0  # SQuAD, to the letter


def test_everything_is_the_answer_where_no_line_says_so():
    assert extract_answer(" The answer: 42. ") == "The answer: 42."


def test_the_published_extraction_splits_on_the_capitalised_word():
    assert extract_answer("Answer: X", mode="published") == ": X"
    assert extract_answer("Prada. Final Answer", mode="published") == ""
    assert extract_answer("the answer is X", mode="published") == "the answer is X"
    assert rouge1_recall("Answer: Prada. Final Answer", "Prada", mode="published") == 0.0


def test_an_unknown_mode_is_refused():
    with pytest.raises(InputError, match="mode must be one of plain"):
        rouge1_recall("a", "a", mode="best")
    with pytest.raises(InputError, match="mode must be 'default' or 'published'"):
        extract_answer("a", mode="best")


def test_answers_are_scored_by_query_and_missing_ones_left_out():
    queries = [Query("q", "?", answer="Gucci bag"), Query("r", "?", answer="x"), Query("s", "?")]
    outputs = {"q": "It is nice.\nAnswer: a Gucci", "s": "y"}
    assert ROUGE1Recall()(queries, outputs) == {"q": 0.5}
    assert ROUGE1Recall().name == "ROUGE-1"


@each_row
def test_an_exact_match_is_of_all_words_but_articles(output, gold, value):
    assert exact_match(output, gold) == value


def test_exact_matches_are_counted_by_query():
    queries = [Query("q", "?", answer="Gucci bag"), Query("r", "?", answer="x"), Query("s", "?")]
    outputs = {"q": "Hm.\nAnswer: a Gucci bag", "r": "y", "s": "y"}
    assert ExactMatch()(queries, outputs) == {"q": 1.0, "r": 0.0}


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda each: each.pattern)
def test_every_wording_reads_its_example_and_not_the_other(wording) -> None:
    assert chosen_letter(wording.example) == "B"
    assert chosen_letter(wording.other) == ""


@each_row
def test_a_letter_is_read_or_none(output: str, letter: str) -> None:
    assert chosen_letter(output) == letter


def test_only_letters_that_were_offered_count() -> None:
    assert chosen_letter("The answer is E", 5) == "E"
    assert chosen_letter("The answer is D", 3) == ""


def asked(id: str, answer: str) -> Query:
    return Query(id, "?", answer=answer, facets={"choices": "4"})


def test_the_right_letter_scores_and_an_unreadable_answer_is_wrong_and_counted() -> None:
    queries = [asked("a", "B"), asked("b", "B"), asked("c", "C"), asked("d", "D")]
    queries.append(Query("e", "?", answer="B"))  # no choices
    outputs = {"a": "Answer: B", "b": "Answer: C", "c": "Hard to say.", "e": "B"}
    assert ChoiceLetter()(queries, outputs) == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert unreadable(queries, outputs) == 1


@each_row
def test_stems_of_known_words(word, stemmed):
    assert stem(word) == stemmed


def test_stems_equal_those_that_rouge_score_uses():
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    letters = random.Random(0)
    endings = ["", "s", "ed", "ing", "ies", "ied", "alli", "logi", "fulli", "eed", "ement", "ion"]
    words = {
        "".join(letters.choices("aeiouyylsztdnrgbmc0", k=letters.randint(1, 6)))
        + letters.choice(endings)
        for _ in range(5000)
    }
    words |= set(re.findall("[a-z]+", (__doc__ or "") + stem.__module__))
    assert {word: stem(word) for word in words} == {word: porter.stem(word) for word in words}
