import asyncio
from random import Random

from leadline.llm.connection import LONGEST_WAIT, Pace, wait_before
from leadline.llm.troubles import wait_asked_for
from tables import each_row


def test_waits_double_with_jitter_up_to_a_limit():
    # 0.5, 1, 2, 4 ... seconds, each times a number between 0.5 and 1.
    for attempt, longest in ((1, 0.5), (2, 1.0), (4, 4.0), (1000, LONGEST_WAIT)):
        assert longest / 2 <= wait_before(attempt, Random(0)) <= longest


@each_row
def test_the_wait_that_a_server_asks_for_is_read(headers, seconds):
    assert wait_asked_for(headers) == seconds


def test_calls_that_were_under_way_together_halve_the_limit_once():
    async def main():
        pace = Pace(8)
        started = [await pace.start() for _ in range(8)]
        for each in started:
            pace.slow_down(each)
            pace.end(well=False)
        return pace.limit

    assert asyncio.run(main()) == 4


def test_the_limit_comes_back_call_by_call_and_never_beyond_where_it_began():
    # From 2: +1/2, +1/2.5, +1/2.9 ... gains one call in about as many calls as are allowed.
    async def main():
        pace, limits = Pace(4), []
        pace.slow_down(await pace.start())
        pace.end(well=False)
        for _ in range(30):
            await pace.start()
            pace.end(well=True)
            limits.append(pace.limit)
        return limits

    limits = asyncio.run(main())
    assert limits[:2] == [2.5, 2.9]
    assert limits[-1] == 4
