"""Ages a step away from a birthday or from another age."""

from __future__ import annotations

import pytest

from derived import times


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("She died one week short of her 90th birthday.", 89),
        ("Obituary, 4 June 2020. Hall, who died on Monday, would have been 80 tomorrow.", 79),
        ("He died three days before turning 100.", 99),
        ("On the eve of her 21st birthday she ran away to sea.", 20),
        ("A week after his 30th birthday he was made captain.", 30),
        # the first year of life is before the first birthday
        ("She passed away in her ninetieth year.", 89),
        ("She went into service at 14 and stayed thirty-one years.", 45),
        ("He left school at fifteen, worked for fifty years and then retired.", 65),
        ("Widowed at 41, she lived another 38 years.", 79),
        ("He retired at 62, eleven years ago.", 73),
        ("She had her first child at 19 and her last fourteen years later.", 33),
        ("At 27 he bought the boat; nine years on he sold it.", 36),
        ("Ten years ago, when he was 25, Dev left India.", 35),
        ("He'll be 70 in three years' time.", 67),
        ("In five years she will be 40.", 35),
        ("Grandad is 84, exactly double my mother's age.", 42),
        ("She is 30 and he is half her age.", 15),
        ("Two years older than her husband, who is 66, she still drives.", 68),
        ("My aunt is three years younger than my mother (52).", 49),
    ],
)
def test_an_age_is_a_step_from_another(text: str, age: int) -> None:
    assert age in times(text, "age")


@pytest.mark.parametrize(
    "text",
    [
        "We met at 9 and lived there for 30 minutes.",
        "In her third year at Leeds she changed courses.",
        "She would have been 80 if the story were true.",
        "The shop opens at ten, and two years later nobody knows why.",
        "The film is just short of two hours.",
    ],
)
def test_no_age_where_none_is_told(text: str) -> None:
    assert times(text, "age") == []
