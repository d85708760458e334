"""Rerank by asking an LLM whether a document is relevant, directly or after reasoning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from leadline.data.lines import checked_file
from leadline.errors import InputError
from leadline.llm.delimiting import without_marks
from leadline.llm.opening import (
    ModelPlace,
    kept,
    open_uncached,
    takes_model,
    with_default,
)
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Request, raw_answers_of
from leadline.rerankers.parts.pairs import (
    QUERY_PLACE,
    Pair,
    forced_answer_prompt,
    judging_prompt,
    query_text,
    rerank_pairs,
    sigmoid,
    true_false_score,
)
from leadline.types import Candidates, Corpus, Document, Query, Reranker, Run, Trace, Traces

Activation = Literal["softmax", "sigmoid", "none"]

FORCED = "answer forced"
ANSWERED = "answered"
CUT = "cut at the limit, answer forced"
OTHERWISE = "answered otherwise than true or false, answer forced"
ALONE = "answered, but the other answer's likelihood was not told: answer forced"
UNANSWERED = "stopped without an answer, answer forced"
NO_ANSWER = "no answer, scored 0.5"
CALL_FAILED = "call failed, scored 0.5"

_LOOKED_AT = 20
_CLOSING = 32
_CHARACTERS_A_TOKEN = 3
_PATIENCE, _REASONING_PATIENCE = 120.0, 900.0
_TEMPLATES = {False: "judge_document", True: "reason_then_judge"}


@takes_model
def build(
    place: ModelPlace,
    *,
    reasoning: bool = False,
    template: str = "",
    positive: str = "",
    negative: str | None = None,
    activation: Activation = "softmax",
    query_prompt: str = "",
    max_length: int | None = None,
    max_tokens: int = 8192,
    chat: bool = False,
    neutral: bool = True,
) -> Reranker:
    """Return a reranker that takes the probability of `true` against `false` as the score.

    place         where the model runs: the options of `ModelPlace`. An endpoint must return
                  log-probabilities
    reasoning     let the model think until `</think>` first; where it comes to no end, its last
                  complete sentence is followed by `</think>` and one more token
    template      a prompt of this package, or a .txt file with $query and $document; by default
                  judge_document, with reasoning reason_then_judge
    positive      the answer for a relevant document: an entry of the vocabulary, or a text that
                  stands for its first token; by default `true`, with reasoning ` true`
    negative      the other answer; empty to read the positive one's logit alone (local models)
    activation    softmax over both answers, sigmoid (of their difference, or of the one logit),
                  or none for that logit, which does not saturate
    query_prompt  a file with a text around FILL_QUERY_HERE that takes the query's place; without
                  one a query's facet `prompt` does, which `bright:prompts=FILE` sets
    max_length    tokens of prompt and answer together, beyond which the document is cut; None for
                  what the model reads. Of an endpoint, 3 characters count as a token
    max_tokens    tokens of reasoning at most
    chat          put every prompt into the model's chat template

    neutral       take the colon from labels of the prompt that a query or document holds itself
                  (`Relevant: true`); False for the published prompt to the letter

    The reranker's `failures` counts answers that had to be forced, and pairs that have no answer
    at all: their score is 0.5, as if the model could not decide.

    Raises InputError when a value is out of its range or the model cannot be loaded, and
    MissingExtraError when a package is not installed.

    Source: Weller et al., FollowIR; Weller et al., Rank1; LimRank, figure 9.
    """
    if max_tokens < 1:
        raise InputError(f"max_tokens must be at least 1, got {max_tokens}.")
    place = with_default(replace(place, max_length=max_length))
    space = " " if reasoning else ""
    answers = (positive or f"{space}true", f"{space}false" if negative is None else negative)
    if not answers[1] and (activation == "softmax" or reasoning or place.llm):
        raise InputError(
            "With a single answer, only the logit of a local model is known. Use activation=none "
            "or sigmoid, and leave out reasoning and llm."
        )
    # Where `</think>` is a special token, a server leaves it out and never sees the stop text.
    extra = {"skip_special_tokens": False} if reasoning else {}
    patience = _REASONING_PATIENCE if reasoning else _PATIENCE
    scorer = open_uncached("true_false", place, in_template=chat, extra=extra, patience=patience)
    return TrueFalse(
        kept(_LastPlace(scorer), place) if place.cache else scorer,
        judging_prompt(template or _TEMPLATES[reasoning]),
        answers,
        activation=activation,
        reasoning=reasoning,
        query_prompt=_query_prompt(query_prompt),
        max_tokens=max_tokens,
        max_length=max_length,
        neutral=neutral,
    )


@dataclass
class TrueFalse(Reranker):
    """A reranker on any model that tells log-probabilities; see `build` for the settings.

    llm       a `TokenScorer`; with reasoning also an `LLM` whose answers come with the likeliest
              tokens. `fit`, `context`, `special_tokens` and `logits` are used where it has them
    prompt    has $query and $document once each
    answers   the positive and the negative one
    asked     pairs scored so far
    failures  what went wrong so far, by kind
    traces    of reasonings since they were taken last
    """

    llm: Any
    prompt: Prompt
    answers: tuple[str, str] = ("true", "false")
    activation: Activation = "softmax"
    reasoning: bool = False
    query_prompt: str = ""
    max_tokens: int = 8192
    max_length: int | None = None
    neutral: bool = True
    name: str = "true_false"
    asked: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    traces: dict[tuple[str, str], Trace] = field(default_factory=dict, repr=False)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the reranker."""
        return {
            "prompt": self.prompt.name,
            "prompt_hash": self.prompt.hash,
            "positive": self.answers[0],
            "negative": self.answers[1],
            "activation": self.activation,
            "reasoning": self.reasoning,
            **({"max_tokens": self.max_tokens} if self.reasoning else {}),
            "query_prompt": self.query_prompt,
            "max_length": self.max_length,
            **({} if self.neutral else {"neutral": False}),
            **getattr(self.llm, "settings", {"model": self.llm.name}),
        }

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        local = hasattr(self.llm, "fit")
        small = self.reasoning and hasattr(self.llm, "batch_size")
        block = 64 if small else 1024 if local else 4096
        return rerank_pairs(self._scores, queries, corpus, candidates, block=block)

    def take_traces(self) -> Traces:
        """Return how every pair since the last call was judged, where it was reasoned about."""
        taken, self.traces = self.traces, {}
        return taken

    def prompts(self, pairs: Sequence[Pair]) -> list[str]:
        """Return what the model is asked; only the document is cut where it does not fit."""
        texts = {query.id: self._query(query) for query, _ in pairs}
        return [self._filled(texts[query.id], document) for query, document in pairs]

    def _scores(self, pairs: Sequence[Pair]) -> list[float]:
        prompts = self.prompts(pairs)
        if not self.answers[1]:
            logits: list[float] = [row[0] for row in self.llm.logits(prompts, self.answers[:1])]
            return [sigmoid(x) for x in logits] if self.activation == "sigmoid" else logits
        if self.reasoning:
            rows = self._after_reasoning(pairs, prompts)
        else:
            rows = self.llm.log_probabilities(prompts, self.answers)
        return [self._score(true, false) for true, false in rows]

    def _after_reasoning(self, pairs: Sequence[Pair], prompts: Sequence[str]) -> list[list[float]]:
        """Return the log-probabilities of both answers at the last place of each reasoning."""
        stops = tuple(f"</think>{answer}" for answer in self.answers)
        length = self.max_tokens
        if hasattr(self.llm, "context"):
            length = min(length, self._answer_room - _CLOSING)
        # Reasoning that comes to no end is gone on from, so that what was cut off will do.
        requests = [
            Request(prompt, length, stop=stops, top=_LOOKED_AT, is_judged=True)
            for prompt in prompts
        ]
        answers = raw_answers_of(self.llm, requests)
        rows = [self._last_row(answer) for answer in answers]
        endings = [ANSWERED] * len(prompts)
        # A call that failed has no reasoning to go on from.
        open_ended = [
            place
            for place, answer in enumerate(answers)
            if not answer.failure and not _both_told(rows[place])
        ]
        if open_ended:
            self.failures[FORCED] += len(open_ended)
            forced = self.llm.log_probabilities(
                [forced_answer_prompt(prompts[place], answers[place].text) for place in open_ended],
                self.answers,
            )
            for place, row in zip(open_ended, forced, strict=True):
                endings[place] = _ending_of(answers[place], rows[place])
                rows[place] = row
        for (query, document), row, answer, ending in zip(
            pairs, rows, answers, endings, strict=True
        ):
            said = ("true" if row[0] > row[1] else "false") if _both_told(row) else ""
            missing = CALL_FAILED if any(map(math.isnan, row)) else NO_ANSWER
            tokens = answer.completion_tokens, answer.prompt_tokens
            self.traces[query.id, document.id] = Trace(
                answer.text.strip(), said, ending if said else missing, *tokens
            )
        return rows

    def _last_row(self, answer: Answer) -> list[float]:
        """Return the log-probability of each answer at the last place, -inf where it is missing.

        Of a call that failed all are NaN.
        """
        if answer.failure:
            return [math.nan] * len(self.answers)
        likeliest = (answer.log_probabilities or ({},))[-1]
        return [likeliest.get(token, -math.inf) for token in self.answers]

    def _score(self, true: float, false: float) -> float:
        answered = _both_told((true, false))
        self.asked += 1
        if not answered:
            failed = math.isnan(true) or math.isnan(false)
            self.failures[CALL_FAILED if failed else NO_ANSWER] += 1
        if self.activation == "none":
            return true - false if answered else 0.0
        return true_false_score(true, false) if answered else 0.5

    @property
    def _answer_room(self) -> int:
        """Tokens to leave free behind a prompt: for the reasoning and what closes it."""
        return min(self.max_tokens, self.llm.context // 2) + _CLOSING if self.reasoning else 0

    def _query(self, query: Query) -> str:
        """Return the query as it stands in the prompt; a quarter of the room is the document's."""
        text = self._plain(query_text(query, self.query_prompt))
        if not hasattr(self.llm, "fit"):
            return text
        before, after = self.prompt.around("query", document="")
        room = self._answer_room
        quarter = (self.llm.context - room) // 4
        kept: str = self.llm.fit(before, text, after, answer=room + quarter)
        if text and not kept:
            raise InputError(
                f"{self.prompt.name} leaves no room for a query in the {self.llm.context} tokens "
                f"of {self.llm.name!r}. Raise max_length."
            )
        return kept

    def _filled(self, query: str, document: Document) -> str:
        before, after = self.prompt.around("document", query=query)
        text = self._plain(document.content)
        if hasattr(self.llm, "fit"):
            text = self.llm.fit(before, text, after, answer=self._answer_room)
        elif self.max_length is not None:
            room = self.max_length * _CHARACTERS_A_TOKEN - len(before) - len(after)
            text = text[: max(0, room)]
        return before + text + after

    def _plain(self, text: str) -> str:
        thinking = ("<think>", "</think>") if self.reasoning else ()
        tokens = (*getattr(self.llm, "special_tokens", ()), *thinking)
        return without_marks(text, self.prompt.text, tokens, neutral=self.neutral)


def _both_told(row: Sequence[float]) -> bool:
    return all(math.isfinite(value) for value in row)


def _ending_of(answer: Answer, row: Sequence[float]) -> str:
    if "</think>" in answer.text:
        return OTHERWISE
    if any(math.isfinite(value) for value in row):
        return ALONE
    return CUT if answer.finish == "length" else UNANSWERED


class _LastPlace:
    """A model whose answers come with the likeliest tokens of their last place alone.

    Nothing else is read, and those of every place of a long reasoning would fill a cache. What
    else the model offers is passed through.
    """

    def __init__(self, llm: Any) -> None:
        self.llm = llm

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "llm":
            raise AttributeError(name)
        own = getattr(self.llm, name)
        return f"{own} last place" if name == "identity" else own

    @property
    def settings(self) -> dict[str, Any]:
        return {**self.llm.settings, "log_probabilities": "last place"}

    def answers(
        self, requests: Sequence[Request], *submit: Callable[[int], Future[Answer]]
    ) -> Iterator[tuple[int, Answer]]:
        for position, answer in self.llm.answers(requests, *submit):
            yield position, _last_only(answer)

    async def ask(self, request: Request) -> Answer:
        return _last_only(await self.llm.ask(request))


def _last_only(answer: Answer) -> Answer:
    return replace(answer, log_probabilities=answer.log_probabilities[-1:])


def _query_prompt(path: str) -> str:
    if not path:
        return ""
    try:
        checked_file(Path(path))
        text = Path(path).read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read the query prompt {path} as UTF-8 text.") from error
    if QUERY_PLACE not in text:
        raise InputError(f"The query prompt {path} has no {QUERY_PLACE}.")
    return text
