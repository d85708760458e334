"""The OpenAI protocol: a request as a call's arguments, a server's reply as an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from leadline.llm.requests import Answer, Failure, Message, Request
from leadline.llm.structured import read_json, with_schema_in_words
from leadline.llm.troubles import IN_ANSWER, NO_JSON, REFUSED_BY_MODEL, Trouble, says_too_long
from leadline.text.thought import parted

RENAMED_LENGTH = "max_completion_tokens"
NO_TEMPERATURE = "temperature"
SCHEMA_IN_OBJECT, AS_GRAMMAR = "json_schema", "schema in json_object"
OBJECT, NO_SCHEMA = "schema", "response_format"
NO_SEED = "seed"
NO_STOP = "stop"
NO_SYSTEM = "system message"
"""What a server was found to want otherwise: members of `quirks`."""


_MOST_TOKENS = 10_000_000


class UnreadableError(ValueError):
    """A reply that holds no answer: cut off, not JSON, or of another form."""


def chat_arguments(request: Request, quirks: Set[str] = frozenset()) -> dict[str, Any]:
    """Return the arguments of a chat call, the model left out."""
    form = None if request.schema is None else _form(dict(request.schema), quirks)
    if form is None or form["type"] == "json_object":
        request = with_schema_in_words(request)
    messages = _without_system(request.messages) if NO_SYSTEM in quirks else request.messages
    turns = [{"role": turn.role, "content": _sendable(turn.content)} for turn in messages]
    arguments: dict[str, Any] = {"messages": turns, **_common(request, quirks)}
    if RENAMED_LENGTH in quirks:
        arguments[RENAMED_LENGTH] = arguments.pop("max_tokens")
    if request.top:
        arguments |= {"logprobs": True, "top_logprobs": request.top}
    return arguments | ({} if form is None else {"response_format": form})


def _form(schema: dict[str, Any], quirks: Set[str]) -> dict[str, Any] | None:
    """Return how a server is asked for JSON; None where the prompt alone asks."""
    if NO_SCHEMA in quirks:
        return None
    if OBJECT in quirks:
        return {"type": "json_object"}
    if AS_GRAMMAR in quirks:  # text-generation-inference
        return {"type": "json_object", "value": schema}
    if SCHEMA_IN_OBJECT in quirks:  # llama-cpp-python
        return {"type": "json_object", "schema": schema}
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": True},
    }


def completion_arguments(request: Request, quirks: Set[str] = frozenset()) -> dict[str, Any]:
    """Return the arguments of a plain completion, the model left out."""
    arguments: dict[str, Any] = {"prompt": _sendable(request.text), **_common(request, quirks)}
    if request.top:
        arguments["logprobs"] = request.top
    return arguments


def chat_answer(reply: Any) -> Answer:
    """Read the reply to a chat call. Raises UnreadableError when it holds no answer."""
    choice, told = _choice_of(reply)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise UnreadableError("the reply has no message")
    if message.get("refusal"):
        failure = Failure(REFUSED_BY_MODEL, 200, detail=str(message["refusal"]))
        return Answer("", failure=failure, **told)
    content = message.get("content")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(content, list):
        reasoning = _text_of(content, "thinking") or reasoning
        content = _text_of(content, "text")
    if not isinstance(content, str | None):
        raise UnreadableError("the message is no text")
    text = content or ""
    if not isinstance(reasoning, str):
        answer, reasoning = parted(text)
        text = text if answer is None else answer
    if content is None and not reasoning and told["finish"] != "length":
        raise UnreadableError("the message is empty")
    return Answer(text, reasoning, log_probabilities=_tops(choice.get("logprobs")), **told)


def completion_answer(reply: Any) -> Answer:
    """Read the reply to a plain completion. Raises UnreadableError when it holds no answer."""
    choice, told = _choice_of(reply)
    text = choice.get("text")
    if not isinstance(text, str):
        raise UnreadableError("the reply has no text")
    return Answer(text, log_probabilities=_tops(choice.get("logprobs")), **told)


CALLS = {
    "chat": ("/chat/completions", chat_arguments, chat_answer),
    "completion": ("/completions", completion_arguments, completion_answer),
}
"""By mode: the path, what makes the arguments of a call, and what reads the reply."""


def up_to_stop(text: str, request: Request, quirks: Set[str]) -> str:
    """Cut an answer at its stop text, for a server that takes none."""
    places = [text.find(each) for each in request.stop if NO_STOP in quirks and each in text]
    return text[: min(places)] if places else text


def _common(request: Request, quirks: Set[str]) -> dict[str, Any]:
    arguments: dict[str, Any] = {"max_tokens": request.max_tokens}
    if NO_TEMPERATURE not in quirks:
        arguments["temperature"] = request.temperature
    if request.seed is not None and NO_SEED not in quirks:
        arguments["seed"] = request.seed
    if request.stop and NO_STOP not in quirks:
        arguments["stop"] = list(request.stop)
    return arguments


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """Put what the system says before the first words of the user."""
    system = [each.content for each in messages if each.role == "system"]
    rest = [each for each in messages if each.role != "system"]
    if not rest or rest[0].role != "user":
        return [Message("user", "\n\n".join(system)), *rest]
    return [Message("user", "\n\n".join([*system, rest[0].content])), *rest[1:]]


def _text_of(parts: Any, kind: str) -> str:
    """Join the texts in the parts of one kind; a thought may hold parts of its own."""
    if isinstance(parts, str):
        return parts
    found = [each for each in parts if isinstance(each, Mapping)] if parts else []
    texts = [each.get(kind) for each in found if each.get("type") in (kind, None)]
    return "".join(each if isinstance(each, str) else _text_of(each, "text") for each in texts)


def _sendable(text: str) -> str:
    """Replace lone surrogates, which a corpus may hold and no request can carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _choice_of(reply: Any) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Return the first choice of a reply, and how it ended with its counts of tokens."""
    if not isinstance(reply, Mapping):
        raise UnreadableError("the reply is no JSON object")
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise UnreadableError("the reply has no choices")
    usage = reply.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    return choices[0], {
        "finish": str(choices[0].get("finish_reason") or ""),
        "prompt_tokens": _count(counts.get("prompt_tokens")),
        "completion_tokens": _count(counts.get("completion_tokens")),
    }


def _count(value: Any) -> int:
    """Return a number of tokens, -1 for what is none."""
    return value if type(value) is int and 0 <= value < _MOST_TOKENS else -1


def _tops(logprobs: Any) -> tuple[dict[str, float], ...]:
    """Return the likeliest tokens at each place; those of a chat hold the token itself, too.

    llama.cpp answers a plain completion in the form of a chat.
    """
    told = logprobs if isinstance(logprobs, Mapping) else {}
    try:
        if isinstance(told.get("content"), list):
            places = [(place, *(place.get("top_logprobs") or ())) for place in told["content"]]
            pairs = [[(each["token"], each["logprob"]) for each in place] for place in places]
        elif isinstance(told.get("top_logprobs"), list):
            pairs = [list((place or {}).items()) for place in told["top_logprobs"]]
        else:
            return ()
        return tuple({str(token): float(value) for token, value in place} for place in pairs)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableError("the log-probabilities are malformed") from error


NO_LOG_PROBABILITIES = "logprobs"

_FORMS = (SCHEMA_IN_OBJECT, AS_GRAMMAR, OBJECT, NO_SCHEMA)
_STEPS: Mapping[str, tuple[str, ...]] = {
    r"max_(?:completion_|new_)?tokens": (RENAMED_LENGTH,),
    r"temperature": (NO_TEMPERATURE,),
    r"response_?format|json(?:[_ ]\w+)?|schemas?|structured[_ ]outputs?|guided\w*|grammars?": (
        _FORMS
    ),
    r"(?:random_)?seed": (NO_SEED,),
    r"(?:top_)?logprobs|log[- ]?prob\w*": (NO_LOG_PROBABILITIES,),
    r"stop(?:_\w+| (?:sequences?|words?|texts?|strings?))?": (NO_STOP,),
    r"system|developer|roles?": (NO_SYSTEM,),
}  # fmt: skip
"""By the names of a setting in errors: what to do without it, one after the other."""

_SAYS = {
    NO_TEMPERATURE: "takes no temperature: its own default is used.",
    SCHEMA_IN_OBJECT: "takes JSON schemas only as json_object.",
    AS_GRAMMAR: "takes JSON schemas only as a grammar.",
    OBJECT: "takes no JSON schema: the prompt holds the schema.",
    NO_SCHEMA: "takes no response_format: only the prompt asks for JSON.",
    NO_SEED: "takes no seed.",
    NO_STOP: "takes no stop texts: its answers are cut here.",
    NO_SYSTEM: "takes no system message: it goes before the first user message.",
}

_UNUSABLE = 3
"""Answers in a row that are not JSON, after which a server is asked for it in another way."""
_BY_PROMPT = "does not follow response_format ({count} answers in a row were not JSON): {now}."
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
        while quirk := _named_in(refusal.failure.detail, self._steps(request, quirks)):
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
        shown = [*sorted(new - {*_FORMS, RENAMED_LENGTH}), *forms[-1:]]
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
        if self.unusable >= _UNUSABLE and not self.follows and NO_SCHEMA not in self.quirks:
            is_first = not self.quirks & set(_FORMS)
            self.quirks |= {SCHEMA_IN_OBJECT} if is_first else set(_FORMS)
            now = "it is asked for json_object" if is_first else "only the prompt asks for JSON"
            lines.append(_BY_PROMPT.format(count=self.unusable, now=now))
            self.unusable = 0
        return lines, "" if _holds_json(answer.text) else NO_JSON

    def _steps(self, request: Request, quirks: Set[str]) -> list[str]:
        """Return the next quirk for each setting that a call has."""
        in_chat = self.mode == "chat"
        sent = {
            RENAMED_LENGTH: in_chat,
            NO_TEMPERATURE: True,
            NO_SCHEMA: in_chat and request.schema is not None,
            NO_SEED: request.seed is not None,
            NO_LOG_PROBABILITIES: request.top > 0,
            NO_STOP: bool(request.stop) and not request.top,
            NO_SYSTEM: in_chat and any(each.role == "system" for each in request.messages),
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


def _named_in(detail: str, steps: Iterable[str]) -> str:
    """Return the quirk whose setting an error names; empty if it names none."""
    said = detail.lower()
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
