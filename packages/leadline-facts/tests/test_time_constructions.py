"""Constructions that tell a time by another one. 13 March 2024 is a Wednesday."""

from __future__ import annotations

import pytest

from derived import SAID, told


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (SAID + "I'm 34 today.", "date 1990-03-13"),
        (SAID + "Gran will be ninety tomorrow.", "date 1934-03-14"),
        (SAID + "The plaster comes off after exactly six weeks.", "date 2024-04-24"),
        (SAID + "The Monday before last she rang.", "date 2024-03-04"),
        (SAID + "He was 70 last Sunday.", "date 1954-03-10"),
        (SAID + "Next meeting: the second Monday of the coming month.", "date 2024-04-08"),
        (SAID + "The twins are five tomorrow.", "date 2019-03-14"),
        (SAID + "Get your entries in by month end.", "date 2024-03-31"),
        (SAID + "It happened a week last Saturday.", "date 2024-03-02"),
        (SAID + "Happy 30th birthday to my sister, today of all days!", "date 1994-03-13"),
        (SAID + "Payment falls due 14 days from today's date.", "date 2024-03-27"),
        (SAID + "Friday gone we lost the dog.", "date 2024-03-08"),
        (SAID + "Ten days from today we fly.", "date 2024-03-23"),
        (SAID + "Early next week, Tuesday, they deliver.", "date 2024-03-19"),
        (SAID + "I proposed to her two years ago today.", "date 2022-03-13"),
        (SAID + "A year ago tomorrow we opened the shop.", "date 2023-03-14"),
        (SAID + "Stitches to be removed in ten days.", "date 2024-03-23"),
        (SAID + "Get your entries in by the end of the week.", "date 2024-03-17"),
        (SAID + "The lease ends exactly one year hence.", "date 2025-03-13"),
        (SAID + "She turned 90 yesterday.", "date 1934-03-12"),
        (SAID + "The show runs till the end of May.", "date 2024-05-31"),
        (SAID + "A fortnight today I retire.", "date 2024-03-27"),
        (SAID + "Two weeks on Friday we close.", "date 2024-03-29"),
        (SAID + "It lapsed on the last day of the preceding month.", "date 2024-02-29"),
        (SAID + "Returns are due by the 10th of the succeeding month.", "date 2024-04-10"),
        (SAID + "Three days from now is the vote.", "date 2024-03-16"),
        (SAID + "Old Mr Pell, who turned ninety on Tuesday, still swims.", "date 1934-03-12"),
        (SAID + "She arrived on Monday of this week.", "date 2024-03-11"),
        (SAID + "It is seventy years ago today that the mill burned.", "date 1954-03-13"),
        (SAID + "A year ago yesterday the shop opened.", "date 2023-03-12"),
    ],
)
def test_a_day_follows_from_the_message(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("His father died on 3 May 2001, his mother a year and a day later.", "date 2002-05-04"),
        ("On 4 May 2019 she turned 31.", "date 1988-05-04"),
        ("Minutes, 3 May 2021. The next meeting will be held in nineteen days.", "date 2021-05-22"),
        ("LEEDS, Wednesday 5 June 2019. He died overnight on Monday.", "date 2019-06-03"),
        ("He died on 12 March 1866, his wife nine years later to the day.", "date 1875-03-12"),
        ("Dated this 3rd day of February 2019. Works start in a week.", "date 2019-02-10"),
        ("[2019-06-07 18:02] zed: pub next tues?", "date 2019-06-11"),
        ("[2019-06-07 18:02] zed: got back yday", "date 2019-06-06"),
        ("LEEDS, 5 June 2019. Polling is four weeks tomorrow.", "date 2019-07-04"),
        ("Dear Bob,\nWe lost the dog yesterday.\nAnn\n3 March 2020", "date 2020-03-02"),
        ("[2019-06-07 18:02] zed: cya tmw", "date 2019-06-08"),
        ("On 4 May 2019 she turned 31.", "date 1988-05-04"),
        ("[2019-06-07 18:02] zed: happy birthday for yesterday!", "date 2019-06-06"),
        ("Notice of 3rd Feb '19. Works start in a week.", "date 2019-02-10"),
        ("3 March 2020. My mother was born ninety years ago today.", "date 1930-03-03"),
        ("The mill burned down on 3 May 2021. It reopened on 4 April.", "date 2022-04-04"),
        ("The sale is on 20 May 2021, with viewing on the previous afternoon.", "date 2021-05-19"),
        ("Minutes of 3 May 2021. DONM: last Thursday of the month, 7pm.", "date 2021-05-27"),
        ("[2019-06-07 18:02] zed: landed 3 days ago", "date 2019-06-04"),
        ("12 June 1911\n\nDear Kit, We leave on the morrow.", "date 1911-06-13"),
        ("He joined on 3 May 2020. Exactly one year later he left.", "date 2021-05-03"),
        ("Ann, who was 31 on 4 May 2019, wrote it.", "date 1988-05-04"),
        ("The bond, issued 1 June 2010, matures after 90 days.", "date 2010-08-30"),
        ("[2019-06-07 18:02] zed: exam in 2 wks", "date 2019-06-21"),
        ("Circular dt. 25-11-2019\nOffice shut tomorrow.", "date 2019-11-26"),
        ("Work began on 3 May 2021 and took 12 days.", "date 2021-05-15"),
        ("Snow on 3 March 2020. It had also snowed a week earlier.", "date 2020-02-25"),
        ("[2019-06-07 18:02] zed: sunday?\n[2019-06-07 18:03] ann: day before", "date 2019-06-08"),
        ("Email\nDate: 3 May 2021\n\nThe eldest was 13 on Tuesday last.", "date 2008-04-27"),
        ("Feb 3rd, 2019. Works start in a week.", "date 2019-02-10"),
        ("3-Feb-2019. Works start in a week.", "date 2019-02-10"),
        ("2019/02/03. Works start in a week.", "date 2019-02-10"),
        ("Seeds sown 1 May 2016, up nine days after.", "date 2016-05-10"),
    ],
)
def test_a_day_follows_from_an_event(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Monthly report, March 2021. Sales rose on the previous month.", "month 2021-02"),
        ("He started in October 2015 and left seven months later.", "month 2016-05"),
        (SAID + "The year before last was worse.", "year 2022"),
        ("He turned 70 in 2015.", "year 1945"),
        ("The chapel was built in 1841. Fifty years later it burned.", "year 1891"),
        ("Yearbook 1987. Last year's captain is now at sea.", "year 1986"),
        ("The strike ended in March 2014, having begun eight months earlier.", "month 2013-07"),
        ("LEEDS, 5 June 2019. The museum opened a decade ago.", "year 2009"),
        ("She was born in 1950, two years after her brother.", "year 1948"),
        ("The club turns 100 in 2025.", "year 1925"),
        ("The mill was built in 1840 and burned down ten years later.", "year 1850"),
        ("The strike began in March 2014 and ended five months later.", "month 2014-08"),
        (SAID + "Last August we swam.", "month 2023-08"),
        ("The bridge opened in 1932; the tunnel came two decades later.", "year 1952"),
        ("He turned 70 in the spring of 2015.", "year 1945"),
        (SAID + "In two months we are done.", "month 2024-05"),
        ("Founded in 1840, it moved here twelve years after that.", "year 1852"),
        (SAID + "Three months ago we had none.", "month 2023-12"),
        ("He was elected in 1992 and again five years later.", "year 1997"),
        ("In March 2014 it shut. It had opened ten months before.", "month 2013-05"),
        ("He arrived in 1912. Twelve months later he was gone.", "year 1913"),
        (SAID + "Back in November it was fine.", "month 2023-11"),
    ],
)
def test_a_year_or_month_follows_from_another(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Born 3 September 1801, died 12 March 1866.", "age 64"),
        ("She was born on 3 May 1950 and married on 4 May 1970.", "age 20"),
        ("My grandfather (b. 3 May 1899, d. 10 May 1970) was a baker.", "age 71"),
        ("Ann Pell, born 4 May 1931, died on 3 May 2001.", "age 69"),
        ("Joe was born on 12 June 1989. He started school on 3 September 1994.", "age 5"),
        ("Born on 29 February 2000, she had her first real birthday on 29 February 2004.", "age 4"),
    ],
)
def test_an_age_follows(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("[2019-06-07 18:02] zed: left an hour ago", "time 17:02"),
        ("The 14:05 from Hull takes 2 hrs 40 mins.", "time 16:45"),
        ("Gates close 15 minutes before the 18:40 kick-off.", "time 18:25"),
        ("[2019-06-07 18:02] zed: train gets in at ten past eight tonight", "time 20:10"),
        ("He left Hull at 8:15 am and was in Leeds 75 minutes later.", "time 09:30"),
        (SAID + "Back in an hour and a half.", "time 11:30"),
        ("He slept from 23:10 to 06:40.", "duration 450 minute"),
        ("Be there twenty minutes before the 14:05.", "time 13:45"),
        ("The ferry sails at 09:40 and the crossing takes two hours and a quarter.", "time 11:55"),
        ("It ran from eight till ten last night.", "time 20:00, time 22:00, duration 120 minute"),
        ("Sunset was 20:14, and it is dark forty minutes after sunset.", "time 20:54"),
        ("Ticket raised 3 May 2021 at 16:00, fixed 26 hours later.", "date 2021-05-04, time 18:00"),
        ("Fall in at 0600 hours.", "time 06:00"),
        ("We were in the water from 7:20 am until 8:05 am.", "duration 45 minute"),
        ("Train at 1435 hrs.", "time 14:35"),
        ("Webinar 15:00 GMT, that's an hour later in Berlin.", "time 16:00"),
        ("Lunch is at one in the afternoon and tea three hours after.", "time 13:00, time 16:00"),
        (SAID + "I called twenty minutes ago.", "time 09:40"),
        ("The bell rang at five minutes to midnight.", "time 23:55"),
        ("Shift 07:00-19:30.", "duration 750 minute"),
        ("The tide turns at 04:10; low water is six hours and twelve minutes later.", "time 10:22"),
        ("We left at 6.15 am and drove for three hours without a stop.", "time 09:15"),
        ("[2019-06-07 18:02] zed: be there in 20 mins", "time 18:22"),
    ],
)
def test_a_clock_time_or_its_length_follows(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (SAID + "This weekend we camp.", "date_range 2024-03-16..2024-03-17"),
        (SAID + "We camped last weekend.", "date_range 2024-03-09..2024-03-10"),
        ("The show runs from 1 February to 14 July 2026.", "date_range 2026-02-01..2026-07-14"),
        ("We were in Wales 3-10 August 2019.", "date_range 2019-08-03..2019-08-10"),
        ("We were in Wales Aug 3 to Sept 2, 2019.", "date_range 2019-08-03..2019-09-02"),
        (SAID + "Away 18th-22nd March.", "date_range 2024-03-18..2024-03-22"),
        ("The visa is valid for 90 days from 1 June 2010.", "date_range 2010-06-01..2010-08-29"),
        ("It rained from 3 May 2021 for six days.", "date_range 2021-05-03..2021-05-08"),
    ],
)
def test_a_stretch_of_days_follows(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("NAGPUR, 22 January 2019. Flag hoisting on Republic Day.", "date 2019-01-26"),
        ("Toronto, 10 May 2019. We are closed on Victoria Day.", "date 2019-05-20"),
        ("Boston, April 10, 2019. The race is on Patriots' Day.", "date 2019-04-15"),
        ("12 June 1911\n\nDear Kit, I shall be home by Michaelmas.", "date 1911-09-29"),
    ],
)
def test_a_holiday_has_its_day(text: str, facts: str) -> None:
    assert set(facts.split(", ")) <= told(text)
