from functools import partial

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.data.spreading import parts_of
from leadline.errors import InputError
from leadline.retrievers.parts.words import LUCENE, TOKEN_PATTERN, Vocabulary, Words, cut
from leadline.types import Document
from tables import each_row

DEFAULTS = Words("en", "", True, TOKEN_PATTERN, pairs=False)
TEXT = st.text(max_size=40) | st.text(alphabet="ab the İßΣ'", max_size=40)


def counted(texts: list[str], words: Words = DEFAULTS) -> list[list[str]]:
    """Cut the texts part by part, number their words, and put the words back in."""
    corpus = {str(n): Document(id=str(n), text=t) for n, t in enumerate(texts)}
    vocabulary = Vocabulary(words)
    found: list[list[str]] = []
    for part in map(partial(cut, words), parts_of(corpus)):
        numbers = iter(vocabulary.of(part).tolist())
        names = {number: word for word, number in vocabulary.numbers.items()}
        found += [[names[next(numbers)] for _ in range(n)] for n in part.lengths.tolist()]
    return found


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXT, max_size=12), st.integers(1, 5))
def test_any_text_gives_the_words_of_bm25s_whatever_the_block(texts: list[str], block: int) -> None:
    expected = bm25s.tokenize(texts, return_ids=False, show_progress=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("leadline.data.spreading.DOCUMENTS", block)
        assert counted(texts) == expected
    assert list(DEFAULTS.of(texts)) == expected


def test_every_character_divides_words_as_bm25s_does() -> None:
    """Texts without letters beyond ASCII are cut by another way."""
    some = [
        chr(each) for each in (*range(0x3000), *range(0xFE00, 0x10000), *range(0x1F100, 0x1F200))
    ]
    texts = [
        f"Ab{each}Cd {each} x{each}{each}9" for each in some if not "\ud800" <= each <= "\udfff"
    ]
    assert counted(texts) == bm25s.tokenize(texts, return_ids=False, show_progress=False)


def test_words_of_one_stem_are_one() -> None:
    words = Words("en", "english", True, TOKEN_PATTERN)
    assert counted(["cats cat", "dogs"], words) == [["cat", "cat"], ["dog"]]
    assert list(words.of(["the dogs"])) == [["dog"]]


@each_row
def test_lucene_words_keep_marks_inside_a_word(text: str, words: list[str]) -> None:
    assert list(LUCENE.of([text])) == [words]
    assert counted([text], LUCENE) == [words]


def test_a_pattern_with_several_groups_is_refused() -> None:
    with pytest.raises(InputError, match="must have at most one group"):
        counted(["a"], Words("en", "", True, r"(\w)(\w)"))
