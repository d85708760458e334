"""The OpenAI protocol: a request as a call's arguments, a server's reply as an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from leadline.llm.requests import Answer, Failure, Message, Request
from leadline.llm.structured import with_schema_in_words
from leadline.llm.troubles import REFUSED_BY_MODEL
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
    choice, usage = _choice_of(reply)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise UnreadableError("the reply has no message")
    finish = str(choice.get("finish_reason") or "")
    if message.get("refusal"):
        return Answer(
            "",
            failure=Failure(REFUSED_BY_MODEL, 200, detail=str(message["refusal"])),
            finish=finish,
            prompt_tokens=usage[0],
            completion_tokens=usage[1],
        )
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
    if content is None and not reasoning and finish != "length":
        raise UnreadableError("the message is empty")
    return Answer(
        text,
        reasoning,
        None,
        finish,
        _chat_tops(choice.get("logprobs")),
        prompt_tokens=usage[0],
        completion_tokens=usage[1],
    )


def completion_answer(reply: Any) -> Answer:
    """Read the reply to a plain completion. Raises UnreadableError when it holds no answer."""
    choice, usage = _choice_of(reply)
    text = choice.get("text")
    if not isinstance(text, str):
        raise UnreadableError("the reply has no text")
    finish = str(choice.get("finish_reason") or "")
    return Answer(
        text,
        "",
        None,
        finish,
        _completion_tops(choice.get("logprobs")),
        prompt_tokens=usage[0],
        completion_tokens=usage[1],
    )


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


def _choice_of(reply: Any) -> tuple[Mapping[str, Any], tuple[int, int]]:
    if not isinstance(reply, Mapping):
        raise UnreadableError("the reply is no JSON object")
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise UnreadableError("the reply has no choices")
    usage = reply.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    return choices[0], (
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
    )


def _count(value: Any) -> int:
    """Return a number of tokens, -1 for what is none."""
    return value if type(value) is int and 0 <= value < _MOST_TOKENS else -1


def _chat_tops(logprobs: Any) -> tuple[dict[str, float], ...]:
    """Return the likeliest tokens at each place; the token itself is always among them."""
    if not isinstance(logprobs, Mapping) or not isinstance(logprobs.get("content"), list):
        return ()
    try:
        return tuple(
            {
                str(each["token"]): float(each["logprob"])
                for each in (place, *(place.get("top_logprobs") or ()))
            }
            for place in logprobs["content"]
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableError("the log-probabilities are malformed") from error


def _completion_tops(logprobs: Any) -> tuple[dict[str, float], ...]:
    """Do the same for a plain completion, which llama.cpp answers in the form of a chat."""
    if isinstance(logprobs, Mapping) and isinstance(logprobs.get("content"), list):
        return _chat_tops(logprobs)
    if not isinstance(logprobs, Mapping) or not isinstance(logprobs.get("top_logprobs"), list):
        return ()
    try:
        return tuple(
            {str(token): float(value) for token, value in (place or {}).items()}
            for place in logprobs["top_logprobs"]
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise UnreadableError("the log-probabilities are malformed") from error
