"""Ages at dated events, and the days and years that birthdays and anniversaries tell."""

from __future__ import annotations

import pytest

from derived import times


@pytest.mark.parametrize(
    ("text", "age"),
    [
        # the birthday of the last year has passed in all but those marked
        ("MARY HALE, BORN 17 JUNE 1840, DIED 1 JULY 1902.", 62),
        # two months short of 78 plus one
        ("Margaret Owen was born on 4 May 1921 and died on 2 March 1999.", 77),
        # 30 March is before 12 April
        ("Elsie Tait, b. 12 April 1899, d. 30 March 1978, lies beside him.", 78),
        # one day short, death told first
        ("The poet died on 8 August 1967. He had been born on 9 August 1901.", 65),
        ("Born: 14/02/1960. Admitted to the bar on 1 March 1985.", 25),
        ("Her date of birth is 22 November 1988; she signed on 5 January 2010.", 21),
        ("Mr Iyer (DOB 6 June 1957) retired on 30 June 2017.", 60),
        # months in different parts of the year settle it
        ("Born in March 1950, she joined the orchestra in October 1971.", 21),
        ("The surgeon, whose birthday is 19 July 1944, first cut on 20 July 1980.", 36),
        ("He came into the world on 1 December 1930 and left it on 30 November 2001.", 70),
    ],
)
def test_a_birth_and_an_event_give_an_age(text: str, age: int) -> None:
    assert age in times(text, "age")


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Nana celebrated her 80th birthday on 3 March 2018.", "1938"),
        ("My grandfather, who reached the age of 90 in 2004, drove.", "1914"),
        ("In 2012, the year she turned 30, Ingrid gave up law.", "1982"),
        ("The firm marked its bicentenary in 2010.", "1810"),
        ("In 2014 the shop had been trading for sixty years.", "1954"),
    ],
)
def test_an_anniversary_gives_the_year_that_is_missing(text: str, year: str) -> None:
    assert year in times(text, "year")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Nana celebrated her 80th birthday on 3 March 2018.", "1938-03-03"),
        ("The 75th anniversary of the battle falls on 25 October 2030.", "1955-10-25"),
    ],
)
def test_an_anniversary_gives_the_day_that_is_missing(text: str, day: str) -> None:
    assert day in times(text, "date")


@pytest.mark.parametrize(
    "text",
    [
        "Her passport says she was born in 1971. She married in 1999.",
        "The hospital was opened on 3 May 1950 and closed on 4 June 1990.",
        "On the 50th anniversary of her birth, 3 May 1950, nothing was said.",
        "She is older than him by a good few years.",
    ],
)
def test_no_age_without_a_day_of_birth(text: str) -> None:
    assert times(text, "age") == []
