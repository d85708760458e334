"""Which settings of a call a server refuses, by what it says or by trying without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Set
from dataclasses import dataclass, field

from leadline.llm import wire
from leadline.llm.requests import Failure, Request
from leadline.llm.troubles import IN_ANSWER, Trouble, says_too_long

NO_LOG_PROBABILITIES = "logprobs"

_STEPS: Mapping[str, tuple[str, ...]] = {
    r"max_(?:completion_|new_)?tokens": (wire.RENAMED_LENGTH,),
    r"temperature": (wire.NO_TEMPERATURE,),
    r"response_?format|json(?:[_ ]\w+)?|schemas?|structured[_ ]outputs?|guided\w*|grammar": (
        wire.SCHEMA_IN_OBJECT, wire.OBJECT, wire.NO_SCHEMA,
    ),
    r"seed": (wire.NO_SEED,),
    r"(?:top_)?logprobs|log[- ]?prob\w*": (NO_LOG_PROBABILITIES,),
    r"stop(?:_\w+| (?:sequences?|words?|texts?|strings?))?": (wire.NO_STOP,),
    r"system|roles?": (wire.NO_SYSTEM,),
}  # fmt: skip
"""By the names of a setting in errors: what to do without it, one after the other."""

_SAYS = {
    wire.NO_TEMPERATURE: "takes no temperature: its own default is used.",
    wire.SCHEMA_IN_OBJECT: "takes JSON schemas only as json_object.",
    wire.OBJECT: "takes no JSON schema: it is asked for JSON of any shape.",
    wire.NO_SCHEMA: "takes no response_format: only the prompt asks for JSON.",
    wire.NO_SEED: "takes no seed.",
    wire.NO_STOP: "takes no stop texts: its answers are cut here.",
    wire.NO_SYSTEM: "takes no system message: it goes before the first user message.",
}

_QUOTED = 5
_LONGEST = 300
"""Characters of a message that says what is wrong with a setting; a longer one quotes."""
_MOST_LADDERS = 2
_EXPLAINS = 3
"""Words of a server error that says more than that there was one."""


@dataclass
class Learned:
    """What is known of a server, and what to try when it refuses a call.

    quirks   what it was found to want otherwise
    taken    what it took as it is, by the first quirk that would change it
    ladders  calls so far that were tried in vain without one setting after the other
    """

    mode: str
    extra: Collection[str]
    quirks: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    ladders: int = 0

    def adaptions(
        self,
        request: Request,
        refusal: Trouble,
        known: Set[str],
        no_log_probabilities: Callable[[str], Exception],
    ) -> Generator[Set[str], Trouble, None]:
        """Yield what to try next without what the server may refuse; takes what it says then.

        A setting that it names goes first. If it names none, each setting that it never took is
        left out by itself, then all of them.

        known  the quirks that the refused call was sent with
        """
        quirks: Set[str] = frozenset(self.quirks)
        if quirks != known:  # another call has learned since
            refusal = yield quirks
        while may_be_a_setting(refusal):
            said = refusal.failure.detail
            quirk = _named_in(said, request, self._steps(request, quirks))
            if quirk == NO_LOG_PROBABILITIES:
                raise no_log_probabilities(said)
            if not quirk:
                break
            quirks |= {quirk}
            refusal = yield quirks
        if not may_be_a_setting(refusal) or self.ladders >= _MOST_LADDERS:
            return
        suspects = [
            each
            for step in self._steps(request, quirks)
            if step not in self.taken and step != NO_LOG_PROBABILITIES
            for each in _ladder(step)
        ]
        for quirk in suspects:
            yield quirks | {quirk}
        if len(suspects) > 1:
            yield quirks | set(suspects)
        self.ladders += bool(suspects)

    def learn(self, request: Request, quirks: Set[str]) -> list[str]:
        """Hold what an answer has borne out, and return it in words.

        What the server took before stays: it was refused for one call only.
        """
        new = quirks - self.quirks - self.taken
        self.quirks |= new
        self.taken |= set(self._steps(request, quirks))
        shown = sorted(new - {wire.RENAMED_LENGTH})
        return [_SAYS.get(quirk, f"takes no {quirk}: it is left out.") for quirk in shown]

    def _steps(self, request: Request, quirks: Set[str]) -> list[str]:
        """Return the next quirk for each setting that a call has."""
        in_chat = self.mode == "chat"
        sent = {
            wire.RENAMED_LENGTH: in_chat,
            wire.NO_TEMPERATURE: True,
            wire.NO_SCHEMA: in_chat and request.schema is not None,
            wire.NO_SEED: request.seed is not None,
            NO_LOG_PROBABILITIES: request.top > 0,
            wire.NO_STOP: bool(request.stop) and not request.top,
            wire.NO_SYSTEM: in_chat and any(each.role == "system" for each in request.messages),
        }
        found = []
        for steps in _STEPS.values():
            if sent[steps[-1]] and steps[-1] not in quirks:
                found.append(next(each for each in steps if each not in quirks))
        return [*found, *(each for each in self.extra if each not in quirks)]


def may_be_a_setting(trouble: Trouble) -> bool:
    """Tell whether a setting may be what a server refuses."""
    failure = trouble.failure
    if trouble.end or says_too_long(failure.detail):
        return False
    return failure.is_refusal or failure.kind == IN_ANSWER or _is_explained(failure)


def _named_in(detail: str, request: Request, steps: Iterable[str]) -> str:
    """Return the quirk whose setting an error names; empty if it names none.

    Words of the prompt that the error quotes do not count.
    """
    said = _unquoted(detail, request.text).lower()[:_LONGEST]
    for quirk in steps:
        names = next((names for names, of in _STEPS.items() if quirk in of), re.escape(quirk))
        if re.search(rf"(?<![\w-])(?:{names})(?![\w-])", said):
            return quirk
    return ""


def _ladder(quirk: str) -> tuple[str, ...]:
    """Return a quirk with those that follow where it does not help."""
    return next((of[of.index(quirk) :] for of in _STEPS.values() if quirk in of), (quirk,))


def _is_explained(failure: Failure) -> bool:
    """Tell whether a 500 says what is wrong: some servers answer so to what they do not take."""
    said = failure.detail
    is_plain = said.lower().startswith(("<", "internal server error"))
    return failure.status == 500 and len(said.split()) >= _EXPLAINS and not is_plain


def _unquoted(detail: str, prompt: str) -> str:
    """Return a message without runs of words, five at least, that stand in the prompt as well."""
    words, known = detail.split(), " ".join(prompt.split())
    kept: list[str] = []
    place = 0
    while place < len(words):
        run = 0
        while place + run < len(words) and _joined(words[place : place + run + 1]) in known:
            run += 1
        kept += [] if run >= _QUOTED else words[place : place + 1]
        place += run if run >= _QUOTED else 1
    return " ".join(kept)


def _joined(words: list[str]) -> str:
    return " ".join(words).strip("\"'…")
