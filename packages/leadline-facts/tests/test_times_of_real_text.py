"""What web pages, reports and notices say of times that they do not imply, beside what they do."""

from __future__ import annotations

import pytest

from derived import SAID, implied, told


@pytest.mark.parametrize(
    "text",
    [
        "Our lines are open Monday to Friday, 8am to 5pm.",
        "Office hours: 9:00 a.m. to 11:30 a.m.",
        "Practice is on Wednesday evenings from 7.30 p.m. to 9 p.m.",
        "The office is open weekdays, 8:30 a.m. to 4:30 p.m., closed for lunch from noon to 1 p.m.",
        "Open Tuesday to Sunday, 10:00-17:00 (last admission 16:15).",
        "Every day from 10:00 to 17:00 somebody is at the desk.",
    ],
)
def test_nobody_asks_how_long_regular_hours_are(text: str) -> None:
    assert not any(fact.startswith("duration") for fact in implied(text))


def test_hours_of_one_day_have_a_length() -> None:
    assert "duration 150 minute" in implied("The lecture ran from 7:00 p.m. to 9:30 p.m.")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A jagged opening at the posterior wall (12 o'clock position).", "time"),
        ("In the midnight hour she cried.", "time"),
        (SAID + "Open daily except Tuesday.", "date"),
        (SAID + "Any day but Monday suits me.", "date"),
        ("As of May 15, 2021, the average monthly pay is $6,763.", "date 2021-06"),
        ("October 17, 2012. It lasts until six weeks after the birth of a baby.", "date 2012-11"),
        ("Sales grew by 88 on average per year between 1996 and 2008.", "duration"),
        ("He came to Virginia sometime between 1663 and 1679.", "duration"),
        ("Compare the 2020 to 2021 models.", "duration"),
        ("She sailed in 1664. Robert Wash landed in Virginia in 1702.", "duration"),
    ],
)
def test_look_alikes_of_real_text_imply_nothing(text: str, kind: str) -> None:
    assert not any(fact.startswith(kind) for fact in implied(text))


def test_two_nights_are_not_told_by_an_earlier_dose() -> None:
    text = "Taken at 0835 hours. Her last dose was at 6 p.m."
    assert not any(fact.startswith("duration") for fact in implied(text))


def test_a_written_stretch_is_stated_and_its_days_are_not_derived() -> None:
    text = "Stock-take, tool museum, 3 to 7 October 2016."
    assert "date_range 2016-10-03..2016-10-07" in told(text)
    assert implied(text) == set()


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Train's due in at half four.", "16:30"),
        ("The flat is free to see at quarter to three.", "14:45"),
        ("I rang them at ten past two and nobody came.", "14:10"),
        ("Tea room, ten till five.", "17:00"),
    ],
)
def test_people_are_about_in_the_afternoon(text: str, time: str) -> None:
    assert f"time {time}" in told(SAID + text)


@pytest.mark.parametrize(
    "text",
    [
        "The alarm went at half four.",
        "He woke up coughing at ten past two.",
        "I start work at six.",
    ],
)
def test_words_of_the_night_leave_the_half_of_the_day_open(text: str) -> None:
    assert not {"time 16:30", "time 14:10", "time 18:00"} & told(text)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("coming to yours fri tho", "2024-03-15"),
        ("Shearer due Fri, weather permitting.", "2024-03-15"),
        ("The boat arrived Chester Tuesday.", "2024-03-12"),
        ("Landlord inspecting Thurs so hide the cat.", "2024-03-14"),
        ("party at mine sat lol", "2024-03-16"),
        ("Ask Bola on Monday, she's off till then.", "2024-03-18"),
        ("The tower paint is due 20th.", "2024-03-20"),
        ("I go back on 27th.", "2024-03-27"),
        ("Lab results expected Monday.", "2024-03-18"),
        ("The school remains closed until Friday.", "2024-03-15"),
        ("From Monday, gates shut at dusk.", "2024-03-18"),
        ("The boiler broke last night. Back Thursday.", "2024-03-14"),
    ],
)
def test_short_names_and_bare_days_are_read_in_notes(text: str, date: str) -> None:
    assert f"date {date}" in told(SAID + text)


@pytest.mark.parametrize(
    "text",
    [
        "We sat in the sun, then it went in.",
        "Sat in the hall, waiting.",
        "They wed in the spring.",
        "She came 2nd and he finished 3rd.",
    ],
)
def test_words_that_look_like_days_are_none(text: str) -> None:
    days = {fact for fact in told(SAID + text) if not fact.endswith("2024-03-13")}
    assert not any(fact.startswith("date ") for fact in days)


def test_a_question_lends_its_tense_to_the_answer_but_a_statement_to_nothing() -> None:
    said = "2024-03-13 10:00, Ann: {}\n2024-03-13 10:01, Bo: {}"
    assert "date 2024-03-11" in told(said.format("When did they come?", "Monday."))
    assert "date 2024-03-18" in told(said.format("They came and went.", "Monday then, half term."))
