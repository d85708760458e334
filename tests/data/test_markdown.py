"""Markdown is reduced to what a reader of the page sees."""

from __future__ import annotations

import pytest

from leadline.data.markdown import title_and_text


def text(markdown: str) -> str:
    return title_and_text(markdown)[1]


def test_the_lines_of_a_paragraph_are_joined() -> None:
    assert text("The valve\nwas closed.\n\nIt leaked\nagain.") == (
        "The valve was closed.\n\nIt leaked again."
    )


def test_a_break_that_was_asked_for_stays() -> None:
    assert text("12 Quay Road  \nHarbour Town\\\nEngland") == "12 Quay Road\nHarbour Town\nEngland"


def test_the_heading_above_everything_is_the_title() -> None:
    assert title_and_text("\n# Big *trip* ##\ntext\n## Next\nmore") == (
        "Big trip", "text\n\nNext\n\nmore",
    )  # fmt: skip
    assert title_and_text("Big trip\n===\ntext") == ("Big trip", "text")
    assert title_and_text("text\n\n# Late") == ("", "text\n\nLate")


def test_front_matter_is_not_seen_and_gives_the_title_where_no_heading_does() -> None:
    front = '---\ntitle: "Port rules"\ntags: [a, b]\n---\n'
    assert title_and_text(front + "text") == ("Port rules", "text")
    assert title_and_text(front + "# Rules\ntext") == ("Rules", "text")
    assert title_and_text("---\n\ntext: below a rule\n\n---\n") == ("", "text: below a rule")


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("* one\n  more\n* two\n\n1. three\n2. four", "one more\n\ntwo\n\nthree\n\nfour"),
        ("- [x] done\n- [ ] open", "done\n\nopen"),
        ("It was built in\n1986. It burned down.", "It was built in 1986. It burned down."),
        ("> a quote\n> goes on\n\nend", "a quote goes on\n\nend"),
        ("above\n\n---\n\nbelow", "above\n\nbelow"),
        ("a <!-- hidden\nthing --> b", "a  b"),
        ("seen\n\n[ref]: https://a.example", "seen"),
        ("| Port | Berths |\n|---|--:|\n| Ayr | 7 |\n\nend", "Port  Berths\nAyr  7\n\nend"),
        ("a | b\n--- | ---\n`x` | *y*", "a  b\nx  y"),
    ],
)
def test_blocks(written: str, seen: str) -> None:
    assert text(written) == seen


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("the **old** *quay* and __two__ _more_ ~~gone~~", "the old quay and two more gone"),
        ("2*3*4 and snake_case_name and a * b", "2*3*4 and snake_case_name and a * b"),
        ("`max_length=*` and ``a`b``", "max_length=* and a`b"),
        ('[docs](https://a.example/x "t") and [one][1]', "docs and one"),
        ("[![badge](a.svg)](https://a.example) ![alt text](b.png)", "badge alt text"),
        ("<https://a.example> a<br>b <kbd>C</kbd> x < y > z", "https://a.example a b C x < y > z"),
        ("1 \\* 2 \\_ 3", "1 * 2 _ 3"),
    ],
)
def test_marks_inside_a_line(written: str, seen: str) -> None:
    assert text(written) == seen


def test_code_keeps_its_lines_and_its_marks() -> None:
    assert text("Run\n\n```sh\n# first\n*  two*\n```\nend") == "Run\n\n# first\n*  two*\n\nend"
    assert text("Run\n\n    one *x*\n    two\n\nend") == "Run\n\none *x*\ntwo\n\nend"
    assert text("~~~\nnever closed") == "never closed"


def test_plain_text_stays_as_it_is() -> None:
    plain = "Dr. Lund (aged 54) paid $3.50, i.e. 10 % less; see a/b_c."
    assert text(plain) == plain


@pytest.mark.parametrize(
    "piece",
    ["[", "[a](", "*a ", "`a ", "``a", "<a ", "_", "|\n", "> ", "- ", "<!--", "\\", "![[", "a|b\n",
     "    x\n\n", "---\na:\n", "~~a", "# "],
)  # fmt: skip
def test_marks_without_end_are_read(piece: str) -> None:
    assert isinstance(text(piece * (1_000_000 // len(piece))), str)
