"""Facts that a text states, as triples of phrases, read out by a language model."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from leadline.llm.delimiting import delimited
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Request, answers_of
from leadline.llm.structured import list_in
from leadline.progress import track
from leadline.text.letters import MARKS, comparable
from leadline.types import LLM

Triple: TypeAlias = tuple[str, str, str]
"""Subject, relation, object, each as `phrase` returns it."""

NO_ANSWER = "no answer from the model"
NO_ENTITIES = "no entities in the answer"
NO_TRIPLES = "no triples in the answer"

_PACKAGE = "leadline.retrievers"
_AT_ONCE = 64
_PHRASE_WORD = re.compile(rf"\w+(?:[{MARKS}]+\w*)*")


class OpenExtraction:
    """Asks a model for the entities of each text, then for triples that use them.

    words       of a text that the model is shown, the rest is cut off
    max_tokens  longest answer
    failures    texts whose answer was missing or not in the form asked for, by kind; a text
                whose triples failed has none
    """

    def __init__(self, llm: LLM, *, words: int = 1500, max_tokens: int = 2048) -> None:
        self.failures: Counter[str] = Counter()
        self._llm = llm
        self._words = words
        self._max_tokens = max_tokens
        self._entities = Prompt.load(_PACKAGE, "find_entities")
        self._triples = Prompt.load(_PACKAGE, "find_triples")

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the triples, the model aside."""
        prompts = {prompt.name: prompt.hash for prompt in (self._entities, self._triples)}
        return {"words": self._words, "max_tokens": self._max_tokens, "prompts": prompts}

    def triples(self, texts: Sequence[str]) -> list[tuple[Triple, ...]]:
        """Return the triples of each text, each once, in the order of the answer."""
        found: list[tuple[Triple, ...]] = []
        blocks = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        for block in track(blocks, "Extracting facts", total=len(texts), step=_AT_ONCE):
            begun = (" ".join(text.split()[: self._words]) for text in block)
            shown = [delimited(text, "text") for text in begun]
            entities = self._ask(self._entities.fill(text=text) for text in shown)
            named = [self._names(answer) for answer in entities]
            listed = (delimited(json.dumps(each, ensure_ascii=False), "entities") for each in named)
            answers = self._ask(
                self._triples.fill(text=text, entities=names)
                for text, names in zip(shown, listed, strict=True)
            )
            found += [self._read(answer) for answer in answers]
        return found

    def _ask(self, prompts: Iterable[str]) -> list[Answer]:
        return answers_of(self._llm, [Request(prompt, self._max_tokens) for prompt in prompts])

    def _names(self, answer: Answer) -> list[str]:
        entries = _list_in(answer, "entities")
        if entries is None:
            self.failures[why_none(answer, NO_ENTITIES)] += 1
            return []
        return [entry for entry in entries if isinstance(entry, str)]

    def _read(self, answer: Answer) -> tuple[Triple, ...]:
        entries = _list_in(answer, "triples")
        if entries is None:
            self.failures[why_none(answer, NO_TRIPLES)] += 1
            return ()
        return tuple(dict.fromkeys(_triples(entries)))


def why_none(answer: Answer, otherwise: str) -> str:
    """Return why there is nothing to read: the failure of the call, or what is wrong with it."""
    return f"{NO_ANSWER} ({answer.failure.kind})" if answer.failure else otherwise


def phrase(text: str) -> str:
    """Return a phrase as the graph names it: lower case, words with one space between them."""
    return " ".join(_PHRASE_WORD.findall(comparable(text)))


def chosen(answer: Answer, count: int) -> list[int] | None:
    """Return the places (from 0) that an answer chooses among `count` facts, each once.

    None when there is no answer or it is not in the form asked for.
    """
    entries = _list_in(answer, "facts")
    if entries is None:
        return None
    places = [entry - 1 for entry in entries if isinstance(entry, int)]
    return [place for place in dict.fromkeys(places) if 0 <= place < count]


def _list_in(answer: Answer, key: str) -> list[Any] | None:
    """Return the list that JSON anywhere in an answer holds, alone or under a key."""
    return None if answer.failure else list_in(answer.text, key)


def _triples(entries: Sequence[Any]) -> Iterator[Triple]:
    """Yield what is three texts, none of which is empty."""
    for entry in entries:
        if isinstance(entry, list) and len(entry) == 3 and all(isinstance(e, str) for e in entry):
            subject, relation, object_ = (phrase(each) for each in entry)
            if subject and relation and object_:
                yield subject, relation, object_
