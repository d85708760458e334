"""One cache, many processes: what one of them is asking the others wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from leadline.llm.requests import Answer, Failure
from leadline.llm.troubles import STOPPED

_FIRST_LOOK, _LONGEST_LOOK = 0.02, 0.5
"""Seconds until a process looks again whether another has its answer."""


async def claimed(
    claim: Callable[[], Answer | bool], is_ending: Callable[[], bool]
) -> Answer | None:
    """Wait until a request is ours to ask; return its answer where another process has it first.

    claim      whether the request is ours, or the answer that is there by now
    is_ending  whether nothing more is to be asked
    """
    pause = _FIRST_LOOK
    while (found := claim()) is False:
        if is_ending():
            return Answer("", failure=Failure(STOPPED, transient=True))
        await asyncio.sleep(pause)
        pause = min(_LONGEST_LOOK, pause * 1.5)
    return None if found is True else found
