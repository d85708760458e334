"""What reports, encyclopedias, blurbs and answers say of times, and what only looks alike."""

from __future__ import annotations

import pytest

from derived import implied, told

_NOTE = "The knee had been swollen since a fall. It was tapped twice and the fluid was clear. " * 4


@pytest.mark.parametrize(
    "text",
    [
        # figures that are no ages
        "Hourly sales of the stall hit a record on 6 May 2011.",
        "By 2014 the town had reached 81 402 people.",
        "She enrolled in June 2012, having completed 2 years of nursing school.",
        # ages of others, or of nobody in particular
        "In 1988 the average tenant was 31 years old.",
        "The patient is a 58-year-old carpenter who in 2003 lost a thumb.",
        "Meet the 77-year-old Bruno Keller (1931 – 2012).",
        "Otto is 20, and his teacher is more than twice his age.",
        # how often, how long, and between what
        "On 4 July 2009 she was seen for a burn that happened 2-3 weeks ago.",
        "He lived there in 2004. The fund lost 4 percent for one year.",
        "She wed in 1999. Men now wait four years longer than in 1970.",
        "The Drainage Act 1930 gives the owner a claim after ten years.",
        "In 1931, aged 12, she met him. That summer was hotter than the year before.",
        "A 12-year-old girl found it in 2003. She knits within the next day or so.",
        "She worked in the mill in 1990. He was there for one to two years before he moved.",
        "The canal took eight years to dig. A bridge stood near it in 1846.",
        "She reigned for 12 years until her death, and in 1603 the hall burned.",
        # what the words around a day or a time make of it
        "31 July 2013, Independence Day, is a holiday there.",
        "In bed by 10:00. " + _NOTE + "He recalled it after a 5 minute delay.",
        "Rain is likely around 4:00 PM, and is least likely around 7:00 AM.",
    ],
)
def test_what_looks_like_a_time_and_fixes_none_gives_nothing(text: str) -> None:
    assert implied(text) == set()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("She turned 80 on 6 May 2011.", "year 1931"),
        ("He turned 15 in 1962.", "year 1947"),
        ("The kiln was lit in 1990. He came six years later.", "year 1996"),
        ("Posted 4 July 2009. It happened three weeks ago.", "date 2009-06-13"),
        ("11 May 2015. I fell in the lane last year.", "year 2014"),
        ("In 1931 she met him. They wed the year after.", "year 1932"),
        ("On 3 June 2012 she came in. On the 4th she walked.", "date 2012-06-04"),
        ("The fair was held on Oct 21st '11.", "date 2011-10-21"),
        ("It was signed on July 9 th 1871.", "date 1871-07-09"),
        ("It was signed on July 9,1871.", "date 1871-07-09"),
        ("The march lasted from August 28-30, 1862.", "date 1862-08-28"),
        ("Marsh, A. (2013, June 4). Tides. Read 2 May 2016.", "date 2013-06-04"),
        ("The boat sails at midnight.", "time 00:00"),
        ("The trains stop at one in the morning.", "time 01:00"),
        (
            "In 2011 the port kept the 150th anniversary of its great fire on 3 May 2011.",
            "year 1861",
        ),
    ],
)
def test_what_fixes_a_time_gives_it(text: str, fact: str) -> None:
    assert fact in told(text)


def test_a_date_that_opens_a_text_dates_it() -> None:
    assert "year 1994" in implied("29 November 2003. He moved here nine years ago.")


@pytest.mark.parametrize(
    "text",
    [
        "He arrived on 18 November 1891. The region became a separate county on 1 May 1931.",
        "He said that on 24 October 2008 he fell. He was treated from 5 to 14 November 2008.",
        "Sent in on 17 October 2012. It may last as long as six weeks after.",
    ],
)
def test_two_dates_of_different_things_bound_no_length(text: str) -> None:
    assert not [each for each in implied(text) if each.startswith("duration")]
