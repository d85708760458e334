from __future__ import annotations

import pytest

from leadline_facts.read.scope import reasons, unasserted


def why(text: str, part: str) -> set[str]:
    start = text.index(part)
    return set(reasons(unasserted(text), start, start + len(part)))


@pytest.mark.parametrize(
    ("text", "part", "reason"),
    [
        ("If it were 40% off I'd buy it.", "40%", "hypothetical"),
        ("We did not take the 10% cut.", "10%", "negated"),
        ("Perhaps 40 came.", "40", "doubtful"),
        ('It is "100% off", they say.', "100%", "quoted"),
        ("It is six of one and half a dozen of the other.", "half a dozen", "idiom"),
    ],
)
def test_a_part_that_is_not_vouched_for_says_why(text: str, part: str, reason: str) -> None:
    assert reason in why(text, part)


def test_a_negation_ends_with_its_clause() -> None:
    text = "She did not wait, but paid 30."
    assert why(text, "30") == set()


def test_a_condition_does_not_reach_the_next_sentence() -> None:
    assert why("If only. It cost 30.", "30") == set()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("The minister denied that a tenth of the 3,000 would go.", "a tenth"),
        ("Mr Jones denied taking half of the £600.", "half"),
        ("A bloke at the bus stop says they shut on the 30th.", "the 30th"),
        ("Another bloke said they'd gone last week.", "last week"),
        ("Someone told me it was 40.", "40"),
        ("The water company last night declined to say when it ends.", "last night"),
        ("He claims to have finished it yesterday.", "yesterday"),
        ("They say you use ten per cent of your brain.", "ten per cent"),
        ("My horoscope says I shall win 40 on Wednesday.", "40"),
        ("The petition asks that the market be moved to Sunday.", "Sunday"),
        ("There was talk of 300 new homes.", "300"),
        ("He'd be a wagon, in ten years or in a hundred.", "ten years"),
        ("In the film a man buys 3 horses.", "3"),
        ("I read 'Yesterday's Tiffin' on the train.", "Yesterday"),
    ],
)
def test_what_is_denied_heard_or_made_up_is_not_vouched_for(text: str, part: str) -> None:
    assert why(text, part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("A spokesman said 300 would go on Friday.", "300"),
        ("I said that 40 came.", "40"),
        ("Somebody paid 40 for it.", "40"),
        ("She'd had 40 of them by Friday.", "40"),
        ("I'd be glad to see you on Friday.", "Friday"),
        ("She talks of nothing else; 40 came.", "40"),
        ("The dentist's bill was 40 and the driver's 30.", "40"),
        ("In the game on Friday 40 came.", "40"),
        ("The world record fell on Friday.", "Friday"),
    ],
)
def test_what_a_writer_tells_is_vouched_for(text: str, part: str) -> None:
    assert not why(text, part)
