"""Which other documents hold (nearly) all content words of a case."""

from leadline.kinds.uniqueness import Case, find_matches
from leadline.types import Document


def corpus_of(*texts: str) -> dict[str, Document]:
    return {str(i): Document(str(i), text) for i, text in enumerate(texts)}


def test_another_document_with_all_words_matches() -> None:
    corpus = corpus_of("red kite over hills", "hills where a red kite flew", "blue kite")
    cases = [Case(("red", "kite", "hills"), "0"), Case(("red", "kite", "over"), "0")]
    assert find_matches(cases, corpus, {}) == {0: ["1"]}


def test_nine_words_of_ten_are_enough_and_eight_are_not() -> None:
    words = tuple("abcdefghij")
    corpus = corpus_of("-", " ".join(words[1:]), " ".join(words[2:]))
    # 0.9 of 10 words is 9: document 1 holds 9, document 2 holds 8.
    assert find_matches([Case(words, "0")], corpus, {"a": 1, "b": 1}) == {0: ["1"]}


def test_a_case_without_words_matches_nothing() -> None:
    assert find_matches([Case((), "0")], corpus_of("a", "b"), {}) == {}
