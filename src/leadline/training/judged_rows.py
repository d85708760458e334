"""Judged pairs as rows of tokens: a prompt that is not learnt, and a completion that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leadline.kinds.reasoning.pairs import JudgedPair
from leadline.llm.delimiting import without_marks
from leadline.llm.prompt import Prompt

THINK, END = "<think>", "</think>"
ANSWERS = {True: " true", False: " false"}
IGNORED = -100
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One example.

    ids     tokens of prompt and completion
    prompt  how many of them are the prompt
    """

    ids: tuple[int, ...]
    prompt: int

    @property
    def labels(self) -> list[int]:
        """The tokens that are learnt, -100 in the place of the others."""
        return [IGNORED] * self.prompt + list(self.ids[self.prompt :])


def prompt_text(pair: JudgedPair, tokenizer: Any, document: str | None = None) -> str:
    """Return what a model is asked, to the letter what `true_false` with reasoning asks.

    document  a cut one, in the place of the pair's
    """
    text = pair.document if document is None else document
    prompt = Prompt.load("leadline.rerankers", "reason_then_judge")
    tokens = (*tokenizer.all_special_tokens, THINK, END)
    return prompt.fill(
        query=without_marks(pair.query, prompt.text, tokens),
        document=without_marks(text, prompt.text, tokens),
    )


def completion_text(pair: JudgedPair) -> str:
    """Return what is learnt, without the answer: the trace, and the end of thinking."""
    trace = pair.trace.replace(THINK, "< think>").replace(END, "< /think>").strip()
    return f"\n{trace}\n{END}" if trace else f"\n{END}"


def prompt_ids(pair: JudgedPair, tokenizer: Any, document: str | None = None) -> list[int]:
    """Return a prompt as tokens, with the token that begins a text where the model has one."""
    ids: list[int] = tokenizer(prompt_text(pair, tokenizer, document))["input_ids"]
    if ids and tokenizer.eos_token_id is not None and ids[-1] == tokenizer.eos_token_id:
        ids = ids[:-1]
    return ids


def answer_id(tokenizer: Any, *, relevant: bool) -> int:
    """Return the token by which an answer is read: the first of ` true` or ` false`."""
    ids: list[int] = tokenizer(ANSWERS[relevant], add_special_tokens=False)["input_ids"]
    return ids[0]


def row_of(pair: JudgedPair, tokenizer: Any, max_length: int) -> Row | None:
    """Return a pair as tokens; None where even an empty document leaves no room for its trace.

    Prompt, trace and answer are turned into tokens each by itself, as they are when a model is
    asked, and the token that ends a text follows. Only the document is cut.
    """
    ids: list[int] = tokenizer(completion_text(pair), add_special_tokens=False)["input_ids"]
    answer: list[int] = tokenizer(ANSWERS[pair.relevant], add_special_tokens=False)["input_ids"]
    completion = [*ids, *answer]
    if tokenizer.eos_token_id is not None:
        completion.append(tokenizer.eos_token_id)
    room = max_length - len(completion)
    document = pair.document
    for _ in range(_TRIES):
        prompt = prompt_ids(pair, tokenizer, document)
        if len(prompt) <= room:
            return Row((*prompt, *completion), len(prompt))
        if not document:
            return None
        keep = len(document) - max(1, len(document) * (len(prompt) - room) // len(prompt))
        document = document[: max(0, keep)]
    prompt = prompt_ids(pair, tokenizer, "")
    return Row((*prompt, *completion), len(prompt)) if len(prompt) <= room else None


def rows_of(pairs: Sequence[JudgedPair], tokenizer: Any, max_length: int) -> tuple[list[Row], int]:
    """Return the rows of pairs, and how many pairs are too long even without a document."""
    rows = [row_of(pair, tokenizer, max_length) for pair in pairs]
    kept = [row for row in rows if row is not None]
    return kept, len(rows) - len(kept)
