"""Heads of messages in the shapes that chats, forums, mails and notes have."""

from datetime import date

from leadline_facts.read.messages import read_messages
from tables import each_row


def said(text: str) -> list[tuple[str, date | None, int | None, str]]:
    return [
        (each.speaker, each.day, each.minute, text[each.body : each.end].strip())
        for each in read_messages(text)
        if text[each.body : each.end].strip()
    ]


@each_row
def test_speaker_day_and_time_are_read_from_a_head(head: str) -> None:
    (found,) = said(head + "hello there")
    assert found[1:] == (date(2021, 4, 29), 8 * 60 + 32, "hello there")
    assert found[0].startswith("Dante")


def test_a_time_without_a_date_takes_the_day_before_it() -> None:
    text = "[2022-12-30 23:58] Teo: still awake\n[12:03] Ann: so am I"
    # 12:03 is before 23:58, so a midnight lies between
    assert [each[:3] for each in said(text)] == [
        ("Teo", date(2022, 12, 30), 1438),
        ("Ann", date(2022, 12, 31), 723),
    ]


def test_names_after_a_day_separator_share_its_day() -> None:
    text = "-- Wednesday, August 7, 2024 --\nNia: landed?\nSol: Sunday night"
    assert said(text) == [
        ("Nia", date(2024, 8, 7), None, "landed?"),
        ("Sol", date(2024, 8, 7), None, "Sunday night"),
    ]


def test_a_mail_is_dated_by_its_header() -> None:
    text = "Subject: move\nDate: Sat, 26 Oct 2024 22:10 +0000\n\nWe move on 3 Nov 2024."
    assert said(text)[-1][1:] == (date(2024, 10, 26), 1330, "We move on 3 Nov 2024.")


def test_running_text_is_one_message_dated_by_its_first_date() -> None:
    text = "Harbour Trust, 30 Nov 2023. Doors at 9:30 - all welcome. Founded 1 May 1900."
    assert said(text) == [("", date(2023, 11, 30), None, text)]


def test_text_without_dates_has_no_day_and_names_no_speaker() -> None:
    text = "Note: call the plumber.\nAgenda: none"
    assert said(text) == [("", None, None, text)]
