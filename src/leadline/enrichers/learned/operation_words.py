"""Operations in words, for people who ask why a value was derived."""

from __future__ import annotations

from leadline.enrichers.learned.operations import Candidate

_WORDS = {
    "sum": "{a} and {b} together",
    "plus": "{b} more or {a} more, on top of the other",
    "times_more": "{a} and {b}: once more than the multiple",
    "add_one": "one more than {a}",
    "sum_of_run": "all from {a} to {b} together",
    "one_more_of": "{a} and {b}, for one more",
    "difference": "between {a} and {b}",
    "rest_of_run": "what the others leave of the largest or first, from {a} to {b}",
    "less": "{a} and {b}: what is left after the share",
    "take_one": "one less than {a}",
    "product": "{a} times {b}",
    "rate": "{a} times {b}",
    "square": "{a} by {b}",
    "distance": "{a} for {b}",
    "twice": "twice {a}",
    "yearly": "twelve times {a}",
    "weekly": "seven times {a}",
    "one_less_of": "{a} and {b}, for one less",
    "share_of": "the share {a} of {b}, or the other way round",
    "quotient": "{a} divided by {b}, or the other way round",
    "per_time": "{a} and {b}: how much in one",
    "part_of_time": "{a} and {b}: how long for one",
    "price_per": "{a} and {b}: how much for one",
    "how_often": "how often the smaller of {a} and {b} goes into the larger",
    "mean_of_run": "mean of all from {a} to {b}",
    "one_more_way": "{a} and {b}, divided among one more",
    "halve": "half of {a}",
    "monthly": "a twelfth of {a}",
    "daily": "a seventh of {a}",
    "speed": "{a} and {b}: one for each of the other",
    "hours": "{a} and {b}: how long it takes",
    "one_less_way": "{a} and {b}, divided among one less",
    "percent_of": "the smaller of {a} and {b} in per cent of the larger",
    "percent_change": "from {a} to {b} in per cent",
    "as_percent": "{a} in per cent",
    "rest_percent": "what {a} leaves of all, in per cent",
    "whole_of_part": "the whole of which {a} and {b} tell a part",
    "whole_before_cut": "{a} and {b}: before it was lowered",
    "whole_before_rise": "{a} and {b}: before it was raised",
    "rest_beside_part": "{a} and {b}: the rest beside the part",
}


def in_words(candidate: Candidate, first: str, second: str) -> str:
    """Return how a candidate comes from what is written for its first and second amount.

    The amount beside a count that a word implies is named where only one counts.
    """
    if candidate.second is not None and candidate.first.sort == "k":
        first, second = second, first
    return _WORDS[candidate.operation].format(a=first, b=second)
