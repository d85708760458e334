"""Expressions of time read generously, their readings, and the network that chooses among them."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from leadline.enrichers.learned.time_candidates import Passage, add_derived, candidates
from leadline.enrichers.learned.time_facts import chances, grouped
from leadline.enrichers.learned.time_feature_names import FEATURES, FINGERPRINT
from leadline.enrichers.learned.time_features import Features
from leadline.enrichers.learned.time_judging import with_readings
from leadline.enrichers.learned.time_network import read_network, times_network
from leadline.enrichers.temporal import ruled_facts
from leadline.enrichers.times.doubts import Doubts


@pytest.mark.parametrize(
    ("text", "kind", "words", "data"),
    [
        ("due back in three weeks", "length", "three weeks", (Fraction(3), "week")),
        (
            "it took an hour and a quarter",
            "length",
            "an hour and a quarter",
            (Fraction(75), "minute"),
        ),
        ("half a century on", "length", "half a century", (Fraction(50), "year")),
        ("paid by 10th at the latest", "day_of_month", "10th", 10),
        ("a quarter to nine", "clock", "quarter to nine", (525, False, "sided")),
        ("open 8 till 4.30", "clock", "8", (480, False, "bare")),
        ("at 0615 the alarm rang", "clock", "0615", (375, True, "hundred")),
        ("the second Monday of October", "nth", "second Monday of October", (2, 0, 10, None, 0)),
        ("as it was in '47", "short_year", "'47", 47),
        ("her eighty-eighth birthday", "age", "eighty-eighth", 88),
        ("the year before last", "period", "year before last", ("year", -2)),
        ("the day after", "step", "day after", ("day", 1)),
        ("until the end of next month", "edge", "end of next month", ("month", 1, -1)),
        ("on day 5", "day_number", "day 5", 5),
    ],
)
def test_an_expression_is_read_with_what_it_says(
    text: str, kind: str, words: str, data: object
) -> None:
    found = [(each.kind, text[each.start : each.end], each.data) for each in Passage(text).mentions]
    assert (kind, words, data) in found


def test_words_that_are_no_weekday_or_month_are_not_read_as_one() -> None:
    # "sat", "wed" and "may" as ordinary words
    assert Passage("she sat down, they wed, and you may march on").mentions == []


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Friday 3 May 2024: the van comes on Tuesday", "date", "2024-05-07"),
        ("Friday 3 May 2024: the van came on Tuesday", "date", "2024-04-30"),
        ("3 May 2024. Payment by the 1st.", "date", "2024-06-01"),
        ("Opened in 1868. Steam came eleven years later.", "year", "1879"),
        ("Doors 6.45 pm, thirty minutes later it starts.", "time", "19:15"),
        ("Born 30 March 1951, fell on 3 October 2016.", "age", 65),  # 66 from 30 March 2017
        ("In the shop from 10:05 to 11:20.", "duration", {"amount": 75, "unit": "minute"}),
    ],
)
def test_the_right_reading_is_among_the_candidates(text: str, kind: str, value: object) -> None:
    found = [(each.kind, each.told()) for each in candidates(Passage(text))]
    assert (kind, value) in found


def test_a_reading_may_count_from_one_that_was_read_before() -> None:
    passage = Passage("Monday 9 September 2019: drafts by Friday, comments a week after that")
    first = candidates(passage)
    friday = [float(each.value == date(2019, 9, 13)) for each in first]
    fresh = add_derived(passage, first, friday, 0.5)
    later = candidates(passage, fresh=fresh)
    assert date(2019, 9, 20) in [each.value for each in later]
    assert all(passage.anchors[each.anchor].likely > 0.9 for each in later)


def test_each_reading_has_a_number_for_every_feature() -> None:
    text = "[3 May 2024, 14:12] Ann: lunch at half one on Tuesday, if the 8th is no good"
    passage = Passage(text)
    found = candidates(passage)
    rows = Features(passage, Doubts(text)).rows(found)
    assert rows.shape == (len(found), len(FEATURES))
    assert np.isfinite(rows).all()
    assert len(set(FEATURES)) == len(FEATURES)


def test_readings_of_one_expression_share_their_likelihood_with_none() -> None:
    found = candidates(Passage("Friday 3 May 2024: Tuesday"))
    shares = chances(np.zeros(len(found), np.float32), found)
    # next, the one before, and one further on each side: with none five of equal strength
    assert [each.step for each in found] == ["next", "before", "next2", "before2"]
    assert shares == pytest.approx([0.2] * 4)
    assert [len(group) for group in grouped(found, shares)] == [4]


def test_a_network_of_other_features_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "times.npz"
    np.savez(path, fingerprint=np.array("0123"))
    with pytest.raises(ValueError, match=r"times\.npz was taught on features 0123.*learn_times"):
        read_network(path)


def test_the_network_of_the_package_fits_its_features_and_is_small() -> None:
    network = times_network()
    assert network.kept.max() < len(FEATURES)
    assert len(network.kept) == len(network.center) == network.networks[0][0][0].shape[0]
    path = Path(__file__).parents[2] / "src/leadline/enrichers/learned/times.npz"
    assert path.stat().st_size < 300_000
    assert str(np.load(path)["fingerprint"]) == FINGERPRINT


def _derived(text: str) -> set[object]:
    return {
        str(each.value)
        for each in with_readings(text, ruled_facts(text), "")
        if each.role == "derived"
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Note, Thursday 6 June 2019: the plumber is coming on Monday.", "2019-06-10"),
        ("Note, Thursday 6 June 2019: the plumber came on Monday.", "2019-06-03"),
        ("12 March 2021. The rent is due on the 28th.", "2021-03-28"),
        ("Sent: Fri 4 Oct 2019. We leave tomorrow and are back in three weeks.", "2019-10-05"),
        ("4 May 2020: see you at half past seven in the evening.", "19:30"),
        ("The mill opened in 1868. It burned down eleven years later.", "1879"),
    ],
)
def test_a_plain_sentence_gives_its_day(text: str, value: str) -> None:
    assert value in _derived(text)


@pytest.mark.parametrize(
    "text",
    [
        "Reviewed 7 May 2019. 'Saturday Night Fever' is still the best film of its kind.",
        "9 July 2018. Closed Mondays.",
        "6 June 2019. Tomorrow is another day, as they say.",
    ],
)
def test_a_title_a_habit_and_a_saying_give_no_day(text: str) -> None:
    assert _derived(text) == set()
