"""Find where the reasoning of a model ends and its answer begins."""

from __future__ import annotations

import re

_SURE = r"(?:\w+:)?think(?:ing)?"
_LIKELY = r"reason(?:ing)?|thoughts?|reflection|scratchpad"
_MARK = re.compile(
    rf"(?P<at_start>^[ \t]*)?(?:(?P<open><(?:{_SURE}|(?P<likely>{_LIKELY}))>"
    r"|\[(?-i:THINK)\]|◁think▷|<\|begin_of_thought\|>|<\|start_thinking\|>|<\|channel\|>\s*(?:analysis|commentary)"
    r"|\A\s*(?-i:analysis(?=[A-Z])))"
    rf"|(?P<close></{_SURE}>|\[/(?-i:THINK)\]|◁/think▷|<\|end_of_thought\|>|<\|end_thinking\|>"
    r"|<\|channel\|>\s*final[^<]{0,99}(?:<\|constrain\|>[^<]{0,99})?<\|message\|>"
    rf"|(?-i:assistantfinal))|(?P<likely_close></(?:{_LIKELY})>))",
    re.IGNORECASE | re.MULTILINE,
)
"""The tags of most models; `[THINK]` of Magistral, `◁think▷` of Kimi, the channels of gpt-oss (also
as a server leaves them that drops special tokens)."""

_ENDS = re.compile(r"\s*<\|(?:return|end|end_of_solution|begin_of_solution)\|>\s*")


def parted(text: str, *, is_cut: bool = False) -> tuple[str | None, str]:
    """Split what a model wrote into answer and thought.

    The answer is None if a thought does not end. A mark inside a line opens a thought only in a
    text that was cut off: an answer may quote it.

    is_cut  whether the text was cut off at its greatest length
    """
    answer: list[str] = []
    thought: list[str] = []
    place = 0
    opened = -1
    for mark in _MARK.finditer(text):
        if mark["open"]:
            begins = mark["at_start"] is not None or (is_cut and not mark["likely"])
            opened = mark.start() if opened < 0 and begins else opened
        elif opened >= 0:
            answer.append(text[place:opened])
            thought.append(text[opened : mark.start()])
            place, opened = mark.end(), -1
        elif mark["close"]:  # the template of the model has opened it
            thought += [*answer, text[place : mark.start()]]
            answer, place = [], mark.end()
    if opened >= 0:
        return None, text[opened:]
    if not thought:
        return text, ""
    rest = _ENDS.sub("", "".join([*answer, text[place:]])).strip()
    return rest, _MARK.sub("", "".join(thought)).strip()


def after_thought(text: str) -> str:
    """Return the answer in what a model wrote; empty if its thought does not end."""
    return parted(text)[0] or ""
