"""Which settings of a call a server refuses, by what it says or by trying without them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Set
from dataclasses import dataclass, field

from leadline.llm import wire
from leadline.llm.requests import Answer, Failure, Request
from leadline.llm.structured import read_json
from leadline.llm.troubles import IN_ANSWER, Trouble, says_too_long

NO_LOG_PROBABILITIES = "logprobs"

NO_JSON = "an answer without JSON"
"""How reports call an answer that holds none, though the server was given a schema."""

_FORMS = (wire.SCHEMA_IN_OBJECT, wire.AS_GRAMMAR, wire.OBJECT, wire.NO_SCHEMA)
_STEPS: Mapping[str, tuple[str, ...]] = {
    r"max_(?:completion_|new_)?tokens": (wire.RENAMED_LENGTH,),
    r"temperature": (wire.NO_TEMPERATURE,),
    r"response_?format|json(?:[_ ]\w+)?|schemas?|structured[_ ]outputs?|guided\w*|grammars?": (
        _FORMS
    ),
    r"(?:random_)?seed": (wire.NO_SEED,),
    r"(?:top_)?logprobs|log[- ]?prob\w*": (NO_LOG_PROBABILITIES,),
    r"stop(?:_\w+| (?:sequences?|words?|texts?|strings?))?": (wire.NO_STOP,),
    r"system|developer|roles?": (wire.NO_SYSTEM,),
}  # fmt: skip
"""By the names of a setting in errors: what to do without it, one after the other."""

_SAYS = {
    wire.NO_TEMPERATURE: "takes no temperature: its own default is used.",
    wire.SCHEMA_IN_OBJECT: "takes JSON schemas only as json_object.",
    wire.AS_GRAMMAR: "takes JSON schemas only as a grammar.",
    wire.OBJECT: "takes no JSON schema: the prompt holds the schema.",
    wire.NO_SCHEMA: "takes no response_format: only the prompt asks for JSON.",
    wire.NO_SEED: "takes no seed.",
    wire.NO_STOP: "takes no stop texts: its answers are cut here.",
    wire.NO_SYSTEM: "takes no system message: it goes before the first user message.",
}

_UNUSABLE = 3
"""Answers in a row that are not JSON, after which a server is asked for it in another way."""
_BY_PROMPT = "does not follow response_format ({count} answers in a row were not JSON): {now}."
_QUOTED = 5
_LONGEST = 300
"""Characters of a message that says what is wrong with a setting; a longer one quotes."""
_MOST_LADDERS = 2
_BREAKS = 2
_READ = 20_000
"""Characters of an answer that are read for whether it holds JSON."""
_EXPLAINS = 3
"""Words of a server error that says more than that there was one."""


@dataclass
class Learned:
    """What is known of a server, and what to try when it refuses a call.

    quirks   what it was found to want otherwise
    taken    what it took as it is, by the first quirk that would change it
    ladders  calls so far that were tried in vain without one setting after the other
    unusable answers in a row that were not JSON, in the form that is asked for now
    follows  whether it ever answered in JSON to the form that is asked for now
    """

    mode: str
    extra: Collection[str]
    quirks: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    ladders: int = 0
    unusable: int = 0
    follows: bool = False

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
        while quirk := _named_in(refusal.failure.detail, request, self._steps(request, quirks)):
            if quirk == NO_LOG_PROBABILITIES:
                raise no_log_probabilities(refusal.failure.detail)
            quirks |= {quirk}
            refusal = yield quirks
        if self.ladders >= _MOST_LADDERS:
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

    def learn(self, request: Request, quirks: Set[str], answer: Answer) -> tuple[list[str], str]:
        """Hold what an answer has borne out.

        What the server took before stays: it was refused for one call only.

        Returns what is new, in words, and `NO_JSON` for an answer that holds none.
        """
        new = quirks - self.quirks - self.taken
        self.quirks |= new
        self.taken |= set(self._steps(request, quirks))
        forms = [each for each in _FORMS if each in new]
        if forms:
            self.unusable, self.follows = 0, False
        shown = [*sorted(new - {*_FORMS, wire.RENAMED_LENGTH}), *forms[-1:]]
        lines = [_SAYS.get(quirk, f"takes no {quirk}: it is left out.") for quirk in shown]
        if self.mode != "chat" or request.schema is None:
            return lines, ""
        if answer.failure is not None or answer.finish == "length":  # it shows nothing
            return lines, ""
        if _is_json(answer.text):
            self.unusable, self.follows = 0, True
            return lines, ""
        is_of_now = not (quirks ^ self.quirks) & set(_FORMS)
        self.unusable += is_of_now
        if self.unusable >= _UNUSABLE and not self.follows and wire.NO_SCHEMA not in self.quirks:
            is_first = not self.quirks & set(_FORMS)
            self.quirks |= {wire.SCHEMA_IN_OBJECT} if is_first else set(_FORMS)
            now = "it is asked for json_object" if is_first else "only the prompt asks for JSON"
            lines.append(_BY_PROMPT.format(count=self.unusable, now=now))
            self.unusable = 0
        return lines, "" if _holds_json(answer.text) else NO_JSON

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
                last = max((steps.index(each) for each in steps if each in quirks), default=-1)
                found.append(steps[last + 1])
        return [*found, *(each for each in self.extra if each not in quirks)]


def may_be_a_setting(trouble: Trouble, request: Request, attempts: int) -> bool:
    """Tell whether a setting may be what a server refuses.

    attempts  those before it: a server that breaks each time may break at a schema
    """
    failure = trouble.failure
    if trouble.end or says_too_long(failure.detail):
        return False
    breaks = failure.status == 500 and attempts >= _BREAKS and request.schema is not None
    return failure.is_refusal or failure.kind == IN_ANSWER or _is_explained(failure) or breaks


def _holds_json(text: str) -> bool:
    """Tell whether there is JSON in a text, so that it may be usable."""
    try:
        read_json(text[:_READ])
    except ValueError:
        return False
    return True


def _is_json(text: str) -> bool:
    """Tell whether a text is JSON and nothing else."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


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
