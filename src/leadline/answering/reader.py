"""Answer from long context: a language model is given k documents and a question about one.

Source: Taghavi et al., ImpliRet, section 4, the reader with an oracle retriever.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, TypeAlias

from leadline.benchmark import Benchmark, of_corpus
from leadline.errors import InputError
from leadline.llm.delimiting import without_labels
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Message, Request, answers_of, cut_off
from leadline.metrics.answers import ExactMatch, ROUGE1Recall
from leadline.metrics.ranking import sets_of
from leadline.report import Report
from leadline.types import LLM, Corpus, Query, Run

Negatives: TypeAlias = Literal["set", "all"]

SEED = 42
MAX_TOKENS = 256
SYSTEM_MESSAGE = "You are a helpful assistant."

_BLANK = "\n\n"
_EXPECTED_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Context:
    """What a reader is shown for one query: ids of documents, in the order shown."""

    query: Query
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """A language model and how it is asked.

    max_tokens  length at which an answer is cut off, reasoning included
    metric      what answers are scored by
    prompt      the user's own, for all documents; None for ours
    """

    llm: LLM
    max_tokens: int = MAX_TOKENS
    metric: ROUGE1Recall = field(default_factory=ROUGE1Recall)
    prompt: Prompt | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting that decides an answer or its score."""
        return {
            "llm": dict(getattr(self.llm, "settings", {"name": self.llm.name})),
            "max_tokens": self.max_tokens,
            "temperature": 0.0,
            "system_message": SYSTEM_MESSAGE,
            "prompts": {
                name: (self.prompt or Prompt.load("leadline.answering", name)).hash
                for name in _LABELS
            },
            "mode": self.metric.mode,
            "extraction": self.metric.extraction or "none",
        }


@dataclass(frozen=True)
class Reading:
    """What a reader made of the contexts of one benchmark.

    answers  in the order of the contexts
    scores   query id -> ROUGE-1 recall; a failed call has none
    exact    query id -> whether the answer is the gold one, 1 or 0
    """

    name: str
    benchmark: Benchmark
    contexts: Sequence[Context]
    answers: Sequence[Answer]
    scores: Mapping[str, float]
    settings: Mapping[str, Any]
    seconds: float
    exact: Mapping[str, float] = field(default_factory=dict)

    @property
    def failures(self) -> dict[str, int]:
        """Calls that brought no answer, and answers that were cut off, by reason."""
        reasons = Counter(
            f"no answer: {answer.failure.kind}" if answer.failure else f"answer {cut_off(answer)}"
            for answer in self.answers
            if answer.failure or answer.finish == "length"
        )
        return dict(reasons)

    def report(self, seed: int = 0) -> Report:
        """Return the scores as the report of one system; `seed` is that of the intervals."""
        return Report(
            system=self.name,
            benchmark=self.benchmark.name,
            scores={"ROUGE-1": self.scores, "ExactMatch": self.exact},
            left_out=dict.fromkeys(
                ("ROUGE-1", "ExactMatch"), len(self.contexts) - len(self.scores)
            ),
            kind="reading",
            built_by=self.benchmark.built_by,
            settings=self.settings,
            seconds={"read": self.seconds},
            failures=self.failures,
            seed=seed,
        )


def oracle_contexts(
    benchmark: Benchmark,
    k: int,
    *,
    negatives: Negatives = "set",
    seed: int = SEED,
    queries: Sequence[Query] | None = None,
) -> list[Context]:
    """Return for each query its positive and k - 1 negatives, shuffled.

    negatives  `set` draws them from the documents relevant to other queries of the same tuple
               set, `all` from the whole corpus, as one of the published scripts does
    queries    those to be asked; None for all of the benchmark

    What a query is shown depends on the seed and the query alone, and a larger k adds to what a
    smaller one shows. Where there are fewer negatives, all of them are shown.
    Raises InputError when k is below 1, or a query has no relevant document or no tuple set.
    """
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")
    sets = (
        sets_of(benchmark.queries, of_corpus(benchmark.qrels, benchmark.corpus))
        if negatives == "set"
        else {}
    )
    everything = list(benchmark.corpus) if negatives == "all" else []
    contexts = []
    for query in benchmark.queries if queries is None else queries:
        positives = _positives(benchmark, query)
        pool = everything if negatives == "all" else _set_of(query, sets)
        others = [id for id in pool if id not in positives]
        drawn = random.Random(f"{seed}/{query.id}/negatives").sample(others, len(others))
        shown = [*positives[:k], *drawn][:k]
        random.Random(f"{seed}/{query.id}/order").shuffle(shown)
        contexts.append(Context(query, tuple(shown)))
    return contexts


def retrieved_contexts(queries: Iterable[Query], run: Run, k: int) -> list[Context]:
    """Return for each query the first k documents of a run, best first."""
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")
    return [Context(query, tuple(run.get(query.id, {}))[:k]) for query in queries]


def read_prompt(path: str | Path) -> Prompt:
    """Return a reader's prompt from a user's file.

    Raises InputError when it cannot be read, lacks a field, or has one that nothing fills.
    """
    prompt = Prompt.read(path)
    fields = set(prompt.fields)
    if not {"documents", "question"} <= fields <= {"documents", "question", "forum_question"}:
        raise InputError(
            f"{path} needs the fields $documents and $question, and may have $forum_question."
        )
    return prompt


def prompt_for(context: Context, corpus: Corpus, own: Prompt | None = None) -> str:
    """Return what the reader is asked, by a prompt of the user's own where one is given.

    Chats are numbered `Conversation 1:`, the replies of a forum `Response 1:` below the
    `Forum Question:` of its opening post, anything else `Document 1:`.
    """
    query = context.query
    opening = query.facets.get("forum_question", "")
    name = "read_documents"
    if opening:
        name = "read_forum"
    elif query.facets.get("style") == "unispeaker":
        name = "read_chats"
    documents = _BLANK.join(
        f"{_LABELS[name]} {number}:\n{without_parts(corpus[id].content)}"
        for number, id in enumerate(context.documents, start=1)
    )
    values = {
        "documents": documents,
        "question": query.content,
        "forum_question": without_parts(opening),
    }
    prompt = own or Prompt.load("leadline.answering", name)
    return prompt.fill(**{field: values[field] for field in prompt.fields})


def without_parts(text: str) -> str:
    """Take from a document what could pass for another part of the prompt."""
    return without_labels(text, (*_LABELS.values(), *_PARTS), only_at_line_start=True)


def read_answers(
    reader: Reader,
    benchmark: Benchmark,
    contexts: Sequence[Context],
    *,
    name: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Reading:
    """Ask the reader about every context and score its answers against those of the queries.

    name      how reports call the reader with these contexts
    settings  how the contexts were made, for the report

    A call that fails or brings only a thought is counted and has no score. An answer that is cut
    off scores 0, except in the mode `published`, as that code has it.

    Raises InputError when no query has an answer.
    """
    if not any(context.query.answer for context in contexts):
        raise InputError(
            f"No query of {benchmark.name!r} has an answer to compare with. Readers need queries "
            'with an "answer".'
        )
    requests = [
        Request(
            _conversation(prompt_for(each, benchmark.corpus, reader.prompt)),
            reader.max_tokens,
            expected_tokens=min(_EXPECTED_TOKENS, reader.max_tokens),
        )
        for each in contexts
    ]
    started = perf_counter()
    answers = answers_of(reader.llm, requests)
    seconds = perf_counter() - started
    scores_whole = reader.metric.mode != "published"
    outputs = {
        context.query.id: "" if answer.finish == "length" and scores_whole else answer.text
        for context, answer in zip(contexts, answers, strict=True)
        if not answer.failure
    }
    asked = [context.query for context in contexts]
    return Reading(
        name=name or reader.llm.name,
        benchmark=benchmark,
        contexts=contexts,
        answers=answers,
        scores=reader.metric(asked, outputs),
        exact=ExactMatch(extraction=reader.metric.extraction)(asked, outputs),
        settings={**reader.settings, **(settings or {})},
        seconds=seconds,
    )


_PARTS = ("Forum Question", "Question", "Answer", "## Task", "## Input", "## Output")
_LABELS = {"read_chats": "Conversation", "read_forum": "Response", "read_documents": "Document"}


def _conversation(prompt: str) -> tuple[Message, ...]:
    return (Message("system", SYSTEM_MESSAGE), Message("user", prompt))


def _positives(benchmark: Benchmark, query: Query) -> list[str]:
    grades = benchmark.qrels.get(query.id, {})
    relevant = (id for id in grades if grades[id] > 0 and id in benchmark.corpus)
    found = sorted(relevant, key=lambda id: -grades[id])
    if not found:
        raise InputError(
            f"Query {query.id!r} of {benchmark.name!r} has no relevant document to be read."
        )
    return found


def _set_of(query: Query, sets: Mapping[str, Collection[str]]) -> Collection[str]:
    if "tuple_set" not in query.facets:
        raise InputError(
            f"Query {query.id!r} belongs to no tuple set to take negatives from. "
            "Take them from the whole corpus: --negatives all."
        )
    return sets[query.facets["tuple_set"]]
