"""Questions with lettered choices, read with the documents that a system ranks first, or none.

Source: Song et al., LimRank, sections 4 and B.5, and its released code: the reader's prompt and
sampling. A line that asks for the letter is ours, and so is the judge's wording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, Protocol

from leadline.answering.reader import SYSTEM_MESSAGE, Context, without_parts
from leadline.benchmark import Benchmark
from leadline.llm.delimiting import delimited
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Message, Request, answers_of, cut_off
from leadline.metrics.answers import ChoiceLetter, chosen_letter, offered, unreadable
from leadline.metrics.names import of_facet
from leadline.metrics.topics import values_of
from leadline.report import Report
from leadline.types import LLM, Corpus, Query

LETTER, JUDGED = "ChoiceLetter", "Judged"
CLOSED_BOOK = "closed-book"
MAX_TOKENS = 8192

_EXPECTED_TOKENS = 512
_JUDGEMENT_TOKENS = 4096
_PROMPTS = ("choose", "choose_closed_book")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn; the published settings by default.

    runs   how many answers to every question, each with a seed of its own
    seed   of the first run
    top_p, top_k  are told, not set: whoever opens the model sets them
    """

    temperature: float = 0.8
    runs: int = 3
    seed: int = 0
    top_p: float | None = 0.95
    top_k: int | None = 20

    @property
    def seeds(self) -> list[int]:
        """The seed of every run; one run where nothing is drawn."""
        return [self.seed + run for run in range(self.runs if self.temperature > 0 else 1)]


class Judge(Protocol):
    """Says whether answers come to the right choice, by more than their letter."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def __call__(
        self, queries: Sequence[Query], outputs: Mapping[str, str]
    ) -> Mapping[str, bool | None]:
        """Return it by query id; None where the judge gives no judgement."""
        ...


@dataclass(frozen=True, slots=True)
class LLMJudge:
    """A language model that says yes or no, at temperature 0."""

    llm: LLM

    @property
    def name(self) -> str:
        """The model's."""
        return self.llm.name

    def __call__(
        self, queries: Sequence[Query], outputs: Mapping[str, str]
    ) -> dict[str, bool | None]:
        """Ask about every answer; what is neither yes nor no is no judgement."""
        prompt = Prompt.load("leadline.answering", "judge_choice")
        asked = [query for query in queries if query.id in outputs]
        requests = [
            Request(
                prompt.fill(
                    letter=query.answer,
                    right=query.facets.get("right", ""),
                    output=delimited(outputs[query.id], "answer"),
                ),
                _JUDGEMENT_TOKENS,
                expected_tokens=2,
            )
            for query in asked
        ]
        said = [
            _SAID.get(each.text.strip().lower().strip(".")) if not each.failure else None
            for each in answers_of(self.llm, requests)
        ]
        return {query.id: value for query, value in zip(asked, said, strict=True)}


_SAID = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Chooser:
    """A language model that chooses, and how it is asked.

    max_tokens  length at which an answer is cut off, reasoning included
    judge       None for the letter alone
    """

    llm: LLM
    max_tokens: int = MAX_TOKENS
    sampling: Sampling = field(default_factory=Sampling)
    judge: Judge | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting that decides an answer or its score."""
        drawn = self.sampling
        return {
            "llm": dict(getattr(self.llm, "settings", {"name": self.llm.name})),
            "max_tokens": self.max_tokens,
            "temperature": drawn.temperature,
            "top_p": drawn.top_p,
            "top_k": drawn.top_k,
            "seeds": ", ".join(map(str, drawn.seeds)),
            "system_message": SYSTEM_MESSAGE,
            "prompts": {name: Prompt.load("leadline.answering", name).hash for name in _PROMPTS},
            **({"judge": self.judge.name} if self.judge else {}),
        }


@dataclass(frozen=True)
class Run:
    """The answers of one seed.

    letter, judged  query id -> 1 or 0; a call that failed has none, and `judged` is empty
                    without a judge
    """

    seed: int
    answers: Sequence[Answer]
    letter: Mapping[str, float]
    judged: Mapping[str, float]


@dataclass(frozen=True)
class Choosing:
    """What a chooser made of the contexts of one benchmark, in all runs."""

    name: str
    benchmark: Benchmark
    contexts: Sequence[Context]
    runs: Sequence[Run]
    settings: Mapping[str, Any]
    failures: Mapping[str, int]
    seconds: float

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of what was measured."""
        return (LETTER, JUDGED) if any(run.judged for run in self.runs) else (LETTER,)

    def by_run(self, metric: str) -> list[float]:
        """Return the mean over the questions, of each run that has any answer."""
        found = [_values(run, metric) for run in self.runs]
        return [fmean(values.values()) for values in found if values]

    def spread(self, metric: str) -> str:
        """Say mean and standard deviation over the runs."""
        means = self.by_run(metric)
        if len(means) < 2:
            return f"one run: {means[0]:.3f}" if means else "no answers"
        each = ", ".join(f"{mean:.3f}" for mean in means)
        return f"{fmean(means):.3f} ± {stdev(means):.3f} over {len(means)} runs ({each})"

    def report(self, seed: int = 0) -> Report:
        """Return the mean of the runs, question by question, and each run by itself."""
        scores: dict[str, Mapping[str, float]] = {}
        for metric in self.metrics:
            values = _mean_by_question([_values(run, metric) for run in self.runs])
            scores[metric] = values
            for domain in values_of(self.benchmark.queries, "domain"):
                scores[of_facet(metric, "domain", domain)] = {
                    each.query.id: values[each.query.id]
                    for each in self.contexts
                    if each.query.facets.get("domain") == domain and each.query.id in values
                }
            if len(self.runs) > 1:
                for run in self.runs:
                    scores[of_facet(metric, "seed", str(run.seed))] = _values(run, metric)
        return Report(
            system=self.name,
            benchmark=self.benchmark.name,
            scores={name: values for name, values in scores.items() if values},
            left_out={name: len(self.contexts) - len(scores[name]) for name in self.metrics},
            kind="reading",
            built_by=self.benchmark.built_by,
            settings={
                **self.settings,
                **{f"{metric} over runs": self.spread(metric) for metric in self.metrics},
            },
            seconds={"read": self.seconds},
            failures=self.failures,
            seed=seed,
        )


def is_of_choices(benchmark: Benchmark) -> bool:
    """Tell whether the questions of a benchmark have lettered choices."""
    return any(map(offered, benchmark.queries))


def choosing_prompt(context: Context, corpus: Corpus) -> str:
    """Return what the reader is asked; without documents the question alone."""
    question = context.query.content
    if not context.documents:
        return Prompt.load("leadline.answering", "choose_closed_book").fill(question=question)
    documents = "\n".join(
        f"Document {number}: {without_parts(corpus[id].content)}"
        for number, id in enumerate(context.documents, start=1)
    )
    prompt = Prompt.load("leadline.answering", "choose")
    return prompt.fill(question=question, documents=documents)


def choose(
    chooser: Chooser,
    benchmark: Benchmark,
    contexts: Sequence[Context],
    *,
    name: str,
    settings: Mapping[str, Any] | None = None,
) -> Choosing:
    """Ask the reader about every context in every run, and score its answers.

    An answer that is cut off, or of which no letter can be read, is wrong, and counted; a call
    that fails or brings only a thought is counted and has no score.
    """
    turns = [
        (
            Message("system", SYSTEM_MESSAGE),
            Message("user", choosing_prompt(each, benchmark.corpus)),
        )
        for each in contexts
    ]
    failures: Counter[str] = Counter()
    started = perf_counter()
    runs = [_run(chooser, seed, contexts, turns, failures) for seed in chooser.sampling.seeds]
    return Choosing(
        name=f"{name}+{chooser.llm.name}",
        benchmark=benchmark,
        contexts=contexts,
        runs=runs,
        settings={**chooser.settings, **(settings or {})},
        failures=failures,
        seconds=perf_counter() - started,
    )


def _run(
    chooser: Chooser,
    seed: int,
    contexts: Sequence[Context],
    turns: Sequence[tuple[Message, ...]],
    failures: Counter[str],
) -> Run:
    drawn = chooser.sampling
    requests = [
        Request(
            turn,
            chooser.max_tokens,
            drawn.temperature,
            seed=seed if drawn.temperature > 0 else None,
            expected_tokens=min(_EXPECTED_TOKENS, chooser.max_tokens),
        )
        for turn in turns
    ]
    answers = answers_of(chooser.llm, requests)
    queries = [each.query for each in contexts]
    outputs = {
        query.id: "" if answer.finish == "length" else answer.text
        for query, answer in zip(queries, answers, strict=True)
        if not answer.failure
    }
    failures.update(f"no answer: {each.failure.kind}" for each in answers if each.failure)
    failures.update(
        f"answer {cut_off(each)}"
        for each in answers
        if each.finish == "length" and not each.failure
    )
    failures["no letter to be read, counted as wrong"] += unreadable(queries, outputs)
    judged: dict[str, float] = {}
    if chooser.judge is not None:
        said = chooser.judge(queries, outputs)
        failures["the judge said neither yes nor no, counted as wrong"] += sum(
            value is None for value in said.values()
        )
        judged = {id: float(bool(value)) for id, value in said.items()}
    for reason in [reason for reason, count in failures.items() if not count]:
        del failures[reason]
    return Run(seed, answers, ChoiceLetter()(queries, outputs), judged)


def lines_of(done: Choosing) -> list[dict[str, Any]]:
    """Return a line for every answer: what was shown, said, read of it and scored."""
    return [
        {
            "query-id": context.query.id,
            "seed": run.seed,
            "documents": context.documents,
            "gold": context.query.answer,
            "output": answer.text,
            "letter": ""
            if answer.finish == "length"
            else chosen_letter(answer.text, offered(context.query)),
            "failure": str(answer.failure or ""),
            **{name: _values(run, name).get(context.query.id) for name in done.metrics},
        }
        for run in done.runs
        for context, answer in zip(done.contexts, run.answers, strict=True)
    ]


def _values(run: Run, metric: str) -> Mapping[str, float]:
    return run.letter if metric == LETTER else run.judged


def _mean_by_question(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    ids = dict.fromkeys(id for values in runs for id in values)
    return {id: fmean(values[id] for values in runs if id in values) for id in ids}
