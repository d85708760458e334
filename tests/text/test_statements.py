"""Sentences, rows and fields that say something by themselves, and those that do not."""

from leadline.text.statements import headings_of, pieces_of, statements_of
from tables import each_row


@each_row
def test_a_whole_sentence_stands_alone(sentence: str) -> None:
    assert ("sentence", sentence) in said(sentence)


@each_row
def test_what_points_elsewhere_or_is_no_sentence_does_not(sentence: str) -> None:
    assert ("sentence", sentence) not in said(sentence)


def said(text: str) -> list[tuple[str, str]]:
    return [(each.shape, each.text) for each in statements_of(text)]


def test_rows_of_a_table_are_said_with_what_they_are_about() -> None:
    text = "Options\n\nName  Type  Default\nlimit  number  10 requests\nname  string  none at all"
    assert said(text) == [
        ("row", "limit: number; 10 requests"),
        ("row", "name: string; none at all"),
    ]


def test_a_field_is_said_with_the_heading_that_it_stands_under() -> None:
    text = "bodyLimit\n\nDefault: 1048576\n\nThe largest body that a request may have, in bytes."
    [field] = [each for each in statements_of(text) if each.shape == "field"]
    assert field.text == "bodyLimit, default: 1048576"
    assert text[field.start : field.end] == field.value == "1048576"


def test_lines_of_code_are_no_fields() -> None:
    assert said("function f() {\n  path: '/a/b',\n  limit: 5,\n}") == []


def test_a_statement_tells_where_it_stands() -> None:
    text = "A heading\n\n1. The old bridge was closed to all traffic in 1962. It is grey."
    [sentence] = list(statements_of(text))
    assert text[sentence.start : sentence.end] == sentence.text
    assert sentence.text == "The old bridge was closed to all traffic in 1962."


def test_a_break_that_only_wraps_a_paragraph_changes_no_statement() -> None:
    flat = (
        "The ferry to Skarholm leaves at 07:40 from pier 4 in the old harbour. Captain Ingrid "
        "Solberg has sailed the route for 26 years."
    )
    # The break stands behind the first word of a sentence, which is no heading.
    wrapped = flat.replace("Captain ", "Captain\n")
    for read in (statements_of, pieces_of):
        assert [" ".join(each.text.split()) for each in read(wrapped)] == [
            each.text for each in read(flat)
        ]


def test_headings_are_short_lines_before_a_paragraph() -> None:
    paragraph = "This paragraph is long enough to be one, since it has more than sixty letters."
    text = f"Rate limits\n\n{paragraph}\n\nTwitter\n\nFacebook\n\nUse f(x) = 5\n\n{paragraph}"
    assert list(headings_of(text)) == [(0, "Rate limits")]
    assert not list(headings_of(f"Fixed a bug which appeared\naround 0.9: {paragraph}"))
