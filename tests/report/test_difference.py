from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.report.difference import BUDGET, Segment, compare, content_words, shared_ranges


def shown(segments: tuple[Segment, ...]) -> list[tuple[str, str]]:
    return [(segment.kind, segment.text) for segment in segments]


def test_an_exchanged_number_is_marked_as_a_whole_on_both_sides() -> None:
    found = compare("The valve is 4.7 cm wide.", "The valve is 5.2 cm wide.")
    assert found.marked == "differences"
    assert shown(found.expected) == [
        ("same", "The valve is "), ("changed", "4.7"), ("same", " cm wide."),
    ]  # fmt: skip
    assert shown(found.retrieved) == [
        ("same", "The valve is "), ("changed", "5.2"), ("same", " cm wide."),
    ]  # fmt: skip


def test_an_inserted_word_leaves_an_empty_mark_where_it_is_missing() -> None:
    found = compare("It was seen.", "It was not seen.")
    assert shown(found.expected) == [("same", "It was "), ("changed", ""), ("same", "seen.")]
    assert shown(found.retrieved) == [
        ("same", "It was "), ("changed", "not"), ("same", " seen."),
    ]  # fmt: skip


def test_changes_divided_by_punctuation_only_are_one_change() -> None:
    # Words: He met Ann , Bob and me . / He met Eve , Tom and me . Only the comma lies between.
    found = compare("He met Ann, Bob and me.", "He met Eve, Tom and me.")
    assert ("changed", "Ann, Bob") in shown(found.expected)
    assert ("changed", "Eve, Tom") in shown(found.retrieved)


def test_equal_passages_have_nothing_marked() -> None:
    found = compare("One text.", "One text.", "text")
    assert found.marked == "nothing"
    assert shown(found.expected) == [("same", "One text.")]


def test_different_documents_have_the_words_of_the_query_marked() -> None:
    found = compare(
        "Lift of a thin wing at low speed.",
        "Heat flow through wings near a wall.",
        "What is known about the lift of wings?",
    )
    # Content words of the query: know(n), lift, wing(s); "of" and "a" carry no meaning.
    assert found.marked == "query words"
    assert shown(found.expected)[:1] == [("shared", "Lift")]
    assert ("shared", "wing") in shown(found.expected)
    assert ("shared", "wings") in shown(found.retrieved)


def test_neighbouring_words_of_the_query_are_one_mark() -> None:
    #                 0123456789012345
    assert shared_ranges("a thin wing here", content_words("thin wing")) == [(2, 11)]


def test_the_stretch_with_most_words_of_the_query_is_shown() -> None:
    # "wing" alone stands first; 900 characters later stand three different words of the query.
    text = "A wing. " + "Filler goes on. " * 60 + "The lift of a thin wing. " + "More. " * 200
    found = compare(text, "unrelated", "lift thin wing")
    marked = [segment.text for segment in found.expected if segment.kind == "shared"]
    assert marked == ["lift", "thin wing"]
    assert found.expected[0].kind == "cut"


def test_a_long_passage_is_cut_around_the_difference() -> None:
    before, after = "before " * 500, " after" * 500
    found = compare(f"{before}4.7{after}", f"{before}5.2{after}")
    kinds = [segment.kind for segment in found.expected]
    assert kinds == ["cut", "same", "changed", "same", "cut"]
    # At most CONTEXT = 200 characters on each side, ended between two words: 28 * 7 = 196.
    assert found.expected[1].text == "before " * 28
    assert found.expected[2].text == "4.7"


def test_a_difference_behind_a_long_common_beginning_is_found() -> None:
    same = "so it goes on " * 100_000
    found = compare(same + "until 1912", same + "until 1913")
    assert found.expected[-1] == Segment("changed", "1912")
    assert found.retrieved[-1] == Segment("changed", "1913")


def test_megabyte_words_are_cut_to_the_budget() -> None:
    found = compare("a" * 1_000_000, "b" * 1_000_000, "a" * 1_000_000)
    for side in (found.expected, found.retrieved):
        assert sum(len(segment.text) for segment in side) <= 2 * BUDGET


def test_scripts_without_spaces_are_compared_by_character() -> None:
    found = compare("東京は大きい都市です", "京都は大きい都市です")
    assert ("same", "は大きい都市です") in shown(found.expected)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=60))
def test_the_segments_of_a_short_passage_give_the_passage_back(a: str, b: str, query: str) -> None:
    found = compare(a, b, query)
    assert "".join(segment.text for segment in found.expected) == a
    assert "".join(segment.text for segment in found.retrieved) == b
