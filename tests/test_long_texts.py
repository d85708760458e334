"""A text twice as long takes twice the work, for whatever reads it. Work is counted, not timed."""

import random
import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from leadline.kinds import position
from leadline.kinds.conditions import by_rules as conditions
from leadline.kinds.rephrasings import by_rules as rephrasings
from leadline.rerankers.by_condition import spans_of
from leadline.text.attributes import genres_of, sentences_of
from leadline.types import Document
from leadline_facts import quantities, temporal
from leadline_facts.read import pieces


def chronicle(sentences: int, seed: int = 7) -> str:
    """Return a town chronicle with a year in every sentence, as somebody reported it slow."""
    rng = random.Random(seed)
    who = ("the council", "a guild of weavers", "the harbour board", "a brewer")
    did = ("opened", "bought", "repaired", "sold")
    what = ("mill", "bridge", "library", "granary", "ferry")
    return "".join(
        f"In {rng.randint(1500, 1990)} {rng.choice(who)} {rng.choice(did)} a {rng.choice(what)} "
        f"near the river for {rng.randint(12, 9000)} crowns. "
        for _ in range(sentences)
    )


def work_of(task: Callable[[], Any]) -> int:
    """Count the calls of a task, and the characters of every text that is gone through whole."""
    work = 0

    def count(frame: FrameType, event: str, called: Any) -> None:
        nonlocal work
        work += 1
        if event != "c_call":
            return
        if isinstance(called.__self__, str):
            if called.__name__ in ("count", "replace", "split", "lower", "casefold"):
                work += len(called.__self__)
        elif isinstance(called.__self__, re.Pattern) and called.__name__ in ("findall", "split"):
            texts = (each for each in frame.f_locals.values() if isinstance(each, str))
            work += max(map(len, texts), default=0)

    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(None)
    return work


def twice(task: Callable[[str], Any], sentences: int) -> float:
    """Return how much more work a text of twice the length takes."""
    texts = (chronicle(sentences), chronicle(2 * sentences))
    task(chronicle(20, seed=1))  # what is loaded once is loaded
    first, second = (work_of(lambda text=text: task(text)) for text in texts)
    return second / first


@pytest.mark.parametrize("build", [conditions.build, position.build, rephrasings.build])
def test_tests_of_a_text_twice_as_long_take_twice_the_work(build) -> None:
    assert twice(lambda text: build({"d": Document("d", text)}), 100) < 2.5


@pytest.mark.parametrize("module", [temporal, quantities])
def test_facts_of_a_text_twice_as_long_take_twice_the_work(
    module, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "LONGEST", 2000)
    enricher = module.build()
    assert twice(lambda text: list(enricher.facts([Document("d", text)])), 150) < 2.5


@pytest.mark.parametrize("run", [" ", "\n", "\t", "7", "a", "```\n", "e.g. ", "- "])
def test_what_says_nothing_again_and_again_ends(run: str) -> None:
    # Each of these took minutes: patterns that begin anew at every place of a run.
    text = f"Before. {run * 30_000} After."
    assert all(0 <= value < 1 for value in genres_of(text).values())
    assert spans_of(Document("d", text))
    assert sentences_of(text)
