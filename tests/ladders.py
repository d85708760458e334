"""A ladder of conditions for tests."""

from leadline.kinds.conditions.ladders import LadderRecord


def a_record(n=3, id="a"):
    return LadderRecord(
        id=id,
        domain="books",
        conditions=[f"It says {k}." for k in range(1, n + 1)],
        short=[f"says {k}" for k in range(1, n + 1)],
        negatives=[f"It denies {k}." for k in range(1, n + 1)],
        edits=["negation"] * n,
        prose={n: "I want all of it."},
    )
