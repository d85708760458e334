from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.llm.prompt import Prompt
from tables import each_row


def test_every_field_gets_its_value() -> None:
    prompt = Prompt("p", "Query: $query\nPassage: ${document}s for $$5")
    assert prompt.fill(query="q", document="d") == "Query: q\nPassage: ds for $5"


def test_a_dollar_sign_in_a_value_stays_as_it_is() -> None:
    text = "costs $5, $query and ${document} or $$"
    assert Prompt("p", "$query|$document").fill(query=text, document="d") == f"{text}|d"
    assert Prompt("p", "$query|$document").around("document", query=text) == (f"{text}|", "")


@each_row
def test_fields_and_values_that_do_not_fit_are_named(text: str, values: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Prompt("p", text).fill(**dict.fromkeys(values.split(), "x"))


def test_around_wants_the_field_exactly_once() -> None:
    assert Prompt("p", "a $query b $x c").around("query", x="y") == ("a ", " b y c")
    with pytest.raises(InputError, match=r"\$query must occur once, not 2"):
        Prompt("p", "$query $query").around("query")


def test_only_the_line_feed_that_ends_the_file_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Is $query so? \n\n", encoding="utf-8")
    assert Prompt.read(path).text == "Is $query so? \n"


def test_a_changed_prompt_has_another_hash() -> None:
    assert Prompt("p", "a").hash == Prompt("other", "a").hash != Prompt("p", "b").hash
    # First hex digits of SHA-256("a"), ca978112ca1bbdca...
    assert Prompt("p", "a").hash == "ca978112ca1b"


def test_an_unknown_prompt_is_an_error_that_names_the_others() -> None:
    with pytest.raises(InputError, match=r"no prompt 'nothing'.*judge_document"):
        Prompt.load("leadline.rerankers", "nothing")
