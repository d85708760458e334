"""Worked by hand: win on edits minus win on controls, over the cases that could be seen."""

from leadline.kinds.conditions.advice import causes_of, marked
from leadline.kinds.conditions.metrics import Compared, Noticed, Unseen
from leadline.types import Document, Query, Reading
from tables import each_row


def query(k: int, style: str, **facets: str) -> Query:
    base = {"style": style, "k": str(k), "n": "2", "edit": "number", "document": "d",
            "before": "4", "after": "7"}  # fmt: skip
    return Query(f"{style}{k}", "q", "t", facets={**base, **facets})


QRELS = {
    "list1": {"d": 1, "not1": 0},
    "control1": {"d": 1, "same1": 1},
    "list2": {"d": 2, "not2": 1},
    "control2": {"d": 2, "same2": 2},
}


def run(one: float, one_control: float, two: float, two_control: float):
    return {
        "list1": {"d": 1.0, "not1": one},
        "control1": {"d": 1.0, "same1": one_control},
        "list2": {"d": 1.0, "not2": two},
        "control2": {"d": 1.0, "same2": two_control},
    }


def four(**seen: str) -> list[Query]:
    made = []
    for k in (1, 2):
        for style in ("list", "control"):
            facet = {"seen": seen[f"{style}{k}"]} if f"{style}{k}" in seen else {}
            made.append(query(k, style, **facet))
    return made


def test_a_longer_document_that_always_falls_is_not_noticing() -> None:
    # Both edits and both controls lose: (1 - 1 + 1 - 1) / 2 = 0.
    assert Noticed()(four(), QRELS, run(0.9, 0.9, 0.9, 0.9)) == {"t": 0.0}


def test_cases_that_could_not_be_seen_are_left_out() -> None:
    # k = 2 is unseen, so only 1 - 0 of k = 1 counts.
    seen = {"list1": "yes", "control1": "yes", "list2": "cut at 256 tokens", "control2": "yes"}
    assert Noticed()(four(**seen), QRELS, run(0.9, 1.0, 1.0, 1.0)) == {"t": 1.0}
    assert Unseen()(four(**seen), QRELS, {}) == {"t": 0.5}


def test_a_control_that_could_not_be_seen_takes_its_case_along() -> None:
    seen = {"list1": "yes", "control1": "yes", "list2": "yes", "control2": "stop word: also"}
    assert Noticed()(four(**seen), QRELS, run(0.9, 1.0, 0.9, 1.0)) == {"t": 1.0}


class Words:
    """Reads the first three words of a document and drops "not" and figures."""

    def read(self, queries, documents):
        return [
            Reading(
                frozenset(
                    word for word in text.split()[:3] if word != "not" and not word.isdigit()
                ),
                "cut at 3 words" if len(text.split()) > 3 else "",
            )
            for text in documents
        ]


@each_row
def test_a_case_says_why_it_could_not_be_seen(text, broken, before, after, expected) -> None:
    corpus = {"d": Document("d", text), "not1": Document("not1", broken)}
    case = query(1, "list", before=before, after=after)
    (found,) = marked([case], QRELS, corpus, Words())
    assert found.facets["seen"] == expected


def compared(edit: str, place: int, broken: float, control: float, seen: str = "") -> Compared:
    return Compared("t", edit, 1, place, 1.0, broken, 1.0, control, seen)


def test_exact_ties_behind_one_word_are_a_cut() -> None:
    cases = [compared("number", place, 0.5, 1.0) for place in range(1, 51)]
    cases += [compared("negation", place, 1.0, 1.0) for place in range(51, 101)]
    (cause,) = causes_of(cases)
    assert (cause.name, cause.share) == ("cut", 0.5)
    assert "word 50" in cause.text


def test_exact_ties_of_one_kind_are_words_that_are_dropped() -> None:
    cases = [compared("number", place, 1.0, 0.5) for place in range(1, 21)]
    cases += [compared("name", place, 0.5, 1.0) for place in range(1, 21)]
    (cause,) = causes_of(cases)
    assert cause.name == "not read: number"


def test_a_kind_that_falls_like_its_controls_is_not_noticed() -> None:
    cases = [compared("negation", place, 0.5, 0.5) for place in range(1, 21)]
    cases += [compared("number", place, 0.5, 1.0) for place in range(1, 21)]
    (cause,) = causes_of(cases)
    assert cause.name == "not noticed: negation"


def test_figures_that_a_tokenizer_drops_are_not_taken_for_stop_words() -> None:
    cases = [compared("number", 1, 1.0, 0.5, f"figure: {each}") for each in range(10)]
    cases += [compared("name", 1, 0.5, 1.0, "yes") for _ in range(10)]
    (cause,) = causes_of(cases)
    assert (cause.name, cause.share) == ("not read: digits", 0.5)
    assert "token_pattern" in cause.advice


def test_stop_words_are_named_with_the_way_out() -> None:
    cases = [compared("negation", 1, 1.0, 0.5, "stop word: not") for _ in range(10)]
    cases += [compared("number", 1, 0.5, 1.0, "yes") for _ in range(10)]
    (cause,) = causes_of(cases)
    assert cause.name == "stop word"
    assert "`not` is a stop word" in cause.text
    assert "stopwords=none" in cause.advice
