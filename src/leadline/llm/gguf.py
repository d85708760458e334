"""Run a GGUF file in this process, with llama.cpp's server as a library.

The server listens on this machine only, for this process, with a secret key. So it supports
everything an endpoint does: JSON schemas, log-probabilities, parallel calls.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, prod
from pathlib import Path
from threading import Lock
from typing import IO, Any
from urllib.request import ProxyHandler, Request, build_opener

from leadline.data.paths import user_path
from leadline.errors import InputError, needs
from leadline.llm import account
from leadline.llm.connection import Connection, Limits
from leadline.llm.openai import Mode, OpenAILLM

with needs("gguf"):
    import xllamacpp

SLOTS = 2
"""Calls that are answered at once: each has its own context, which takes memory."""
LONGEST = 8192
"""Tokens of prompt and answer together, where nobody says and the model reads as many."""
_AROUND = 2
"""Tokens that a tokenizer puts around a text."""
_TOP = 5000
"""Likeliest tokens that are looked at before all of the vocabulary."""
_PART = re.compile(r"-\d{5}-of-(\d{5}\.gguf)$", re.IGNORECASE)
_CONTROL, _USER_DEFINED = 3, 4
"""Kinds of tokens that a tokenizer finds in texts as they are."""

_servers: dict[tuple[int, str, int], tuple[Any, str]] = {}
_starting = Lock()


class GGUF(OpenAILLM):
    """A model of a GGUF file, with all that its file tells; it is loaded when first asked.

    context         tokens of prompt and answer together
    parameters      number of its weights
    thinks          whether its chat template knows thoughts
    special_tokens  texts that the tokenizer reads as one special token, wherever they stand
    """

    where = account.HERE

    def __init__(
        self,
        path: str,
        *,
        mode: Mode = "chat",
        extra: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        max_length: int | None = None,
    ) -> None:
        """Remember a file; nothing is loaded yet.

        max_length  tokens of prompt and answer together; None for 8,192, or what the model reads

        Raises InputError when the file is no GGUF or reads fewer tokens than asked for.
        """
        self.path = user_path(path)
        self.header = header_of(self.path)
        self.parameters = self.header.parameters
        self.thinks = "think" in self.header.chat_template.lower()
        self.special_tokens = self.header.special_tokens
        reads = self.header.reads or LONGEST
        if max_length is not None and not 1 <= max_length <= reads:
            raise InputError(f"{path} reads 1 to {reads} tokens, got max_length={max_length}.")
        self.context = max_length or min(LONGEST, reads)
        super().__init__(
            "http://127.0.0.1", self.path.name, mode=mode, extra=extra, limits=limits
        )  # the port comes with the server

    @cached_property
    def identity(self) -> str:
        """What an answer is kept by: content of the file and settings, not where it runs."""
        how = [digest_of(self.path), self._own, self.context, xllamacpp.__version__]
        return json.dumps(how, sort_keys=True)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the model."""
        shown = {name: value for name, value in super().settings.items() if name != "base_url"}
        return {**shown, "engine": "llama.cpp", "max_length": self.context}

    def fit(self, before: str, text: str, after: str, *, answer: int = 1) -> str:
        """Return the longest beginning of `text` that leaves room for `answer` tokens."""
        room = self.context - answer - _AROUND
        if len((before + text + after).encode("utf-8", "replace")) < room:
            return text  # a token has one byte at least
        while text and (over := len(self._pieces(before + text + after)) - room) > 0:
            pieces = self._pieces(text)
            kept = sum(map(len, pieces[: max(0, len(pieces) - over)]))
            text = text.encode("utf-8", "replace")[:kept].decode("utf-8", "ignore")
        return text

    def log_probability_rows(
        self, prompts: Sequence[str], tokens: Sequence[str], *, top: int = _TOP
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of each prompt with its row, exact also for unlikely tokens.

        tokens  each an entry of the vocabulary, or a text that stands for its first token
        """
        texts = [self._token_of(token) for token in tokens]
        unlikely = []
        for place, row in super().log_probability_rows(prompts, texts, top=top):
            if -inf in row:
                unlikely.append(place)
            else:
                yield place, row
        again = [prompts[place] for place in unlikely]
        vocabulary = len(self.header.tokens)
        for number, row in super().log_probability_rows(again, texts, top=vocabulary):
            yield unlikely[number], row

    def _token_of(self, token: str) -> str:
        if token in self.header.tokens:
            return token
        pieces = self._pieces(token)
        if not pieces:
            raise InputError(f"{token!r} is not a single token of {self.name!r}.")
        return pieces[0].decode("utf-8", "replace")

    def _pieces(self, text: str) -> list[bytes]:
        """Return the tokens of a text."""
        base_url, key = _server_of(self.path, self.context)
        body = {"content": text, "add_special": False, "with_pieces": True}
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        content = json.dumps(body).encode()
        request = Request(f"{base_url}/tokenize", content, headers)
        with build_opener(ProxyHandler({})).open(request) as reply:
            pieces = [each["piece"] for each in json.load(reply)["tokens"]]
        return [bytes(each) if isinstance(each, list) else each.encode() for each in pieces]

    def connected(self) -> Connection:
        """Return the connection to the server of this process, which is started where it is not."""
        if self._connection is None or self._connection.process != os.getpid():
            base_url, self._key = _server_of(self.path, self.context)
            self.base_url = f"{base_url}/v1"
        return super().connected()


@dataclass(frozen=True)
class Header:
    """What a GGUF file tells of its model.

    reads           tokens that it reads at most; 0 where the file does not tell
    parameters      number of its weights
    special_tokens  texts that are one token of control, wherever they stand
    """

    reads: int
    parameters: int
    chat_template: str
    tokens: Mapping[str, int]
    special_tokens: tuple[str, ...]


@cache
def header_of(path: Path) -> Header:
    """Read the header of a GGUF file. Raises InputError when it is none, or not whole."""
    try:
        with path.open("rb") as file:
            magic, version, tensors, pairs = _read(file, "<4sIQQ")
            if magic != b"GGUF" or version < 2:
                raise InputError(f"{path} is not a GGUF file.")
            told = {_text(file): _value(file, *_read(file, "<I")) for _ in range(pairs)}
            parameters = sum(_size_of_tensor(file) for _ in range(tensors))
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error
    except (struct.error, ValueError, KeyError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not a complete GGUF file. Copy it again.") from error
    texts = told.get("tokenizer.ggml.tokens", [])
    kinds = told.get("tokenizer.ggml.token_type", [])
    special = {
        text for text, kind in zip(texts, kinds, strict=False) if kind in (_CONTROL, _USER_DEFINED)
    }
    return Header(
        int(told.get(f"{told.get('general.architecture')}.context_length", 0)),
        parameters,
        str(told.get("tokenizer.chat_template", "")),
        {text: number for number, text in enumerate(texts)},
        tuple(sorted(each for each in special if each.strip())),
    )


@cache
def digest_of(path: Path) -> str:
    """Return 64 hex digits that change with the content of a GGUF file and its further parts."""
    found = _PART.search(path.name)
    parts = (
        sorted(path.parent.glob(f"{path.name[: found.start()]}-*-of-{found[1]}")) if found else ()
    )
    digest = hashlib.sha256()
    for part in parts or [path]:
        with part.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _server_of(path: Path, context: int) -> tuple[str, str]:
    """Return address and key of this process's server for a file, which is started once.

    A process that was forked starts its own.
    """
    where = (os.getpid(), str(path), context)
    with _starting:
        if where not in _servers:
            key = secrets.token_urlsafe(32)
            options = xllamacpp.CommonParams()
            options.model.path = str(path)
            options.hostnames, options.port = ["127.0.0.1"], 0
            options.api_keys = [key]
            options.n_parallel, options.n_ctx = SLOTS, SLOTS * context
            options.cpuparams.n_threads = options.cpuparams_batch.n_threads = _threads()
            options.use_jinja = True
            options.verbosity = -1  # or it fills the terminal
            options.ui = options.endpoint_slots = False
            try:
                _servers[where] = xllamacpp.Server(options), key
            except RuntimeError as error:
                raise InputError(
                    f"llama.cpp cannot load {path}. Memory may be too small (try "
                    "max_length=2048), or this version may not know the model (try a newer "
                    "xllamacpp)."
                ) from error
    server, key = _servers[where]
    return str(server.listening_address), key


def _threads() -> int:
    """Return how many threads compute: one processor is left to whatever else runs.

    They wait for each other at every step, so that one that is held up holds up all: with two
    threads on two busy processors a prompt took four times as long as with one.
    """
    try:
        processors = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        processors = os.cpu_count() or 1
    return max(1, processors - 1)


_FORMS = dict(enumerate(("<B", "<b", "<H", "<h", "<I", "<i", "<f", "<?")))
_FORMS |= {10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9


def _read(file: IO[bytes], form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _text(file: IO[bytes]) -> str:
    (length,) = _read(file, "<Q")
    content = file.read(min(length, 1 << 24))
    if len(content) != length:
        raise ValueError("a text is cut off")
    return content.decode("utf-8", "replace")


def _value(file: IO[bytes], kind: int) -> Any:
    if kind == _STRING:
        return _text(file)
    if kind != _ARRAY:
        return _read(file, _FORMS[kind])[0]
    inner, count = _read(file, "<IQ")
    if inner in _FORMS:
        form = _FORMS[inner]
        content = file.read(min(count * struct.calcsize(form), 1 << 30))
        return [value for (value,) in struct.iter_unpack(form, content)]
    return [_value(file, inner) for _ in range(count)]


def _size_of_tensor(file: IO[bytes]) -> int:
    _text(file)
    (dimensions,) = _read(file, "<I")
    sizes = _read(file, f"<{dimensions}Q")
    _read(file, "<IQ")
    return prod(sizes)
