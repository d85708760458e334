"""A language model answers questions from documents, in words or by a lettered choice.

Source: Taghavi et al., ImpliRet, section 4, the reader with an oracle retriever. Song et al.,
LimRank, sections 4 and B.5, and its released code: the prompt and the sampling of choices. The
line that asks for the letter is our own.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, Literal, TypeAlias

from leadline.benchmark import Benchmark, of_corpus
from leadline.data.writing import atomic_file, file_name
from leadline.diagnosis.causes import ErrorCase, Judgement, Shown, content_words, drawn
from leadline.diagnosis.review import write_review
from leadline.errors import InputError
from leadline.evaluation import limited
from leadline.kinds.registry import by_name
from leadline.llm.delimiting import delimited, without_labels
from leadline.llm.pipeline.trial import Rates
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Message, Request, answers_of, cut_off
from leadline.metrics.answers import (
    ChoiceLetter,
    ExactMatch,
    ROUGE1Recall,
    chosen_letter,
    extract_answer,
    offered,
    rouge1_recall,
    unreadable,
)
from leadline.metrics.names import of_facet
from leadline.metrics.ranking import sets_of
from leadline.metrics.topics import values_of
from leadline.progress import track
from leadline.report import Report, wholes
from leadline.report.folder import benchmark_folder, write_scores
from leadline.report.outcome import Outcome, now
from leadline.system import System
from leadline.types import LLM, Corpus, Query

Negatives: TypeAlias = Literal["set", "all"]

SEED = 42
SYSTEM_MESSAGE = "You are a helpful assistant."
LETTER, JUDGED = "ChoiceLetter", "Judged"
CLOSED_BOOK = "closed-book"

_BLANK = "\n\n"
_PARTS = ("Forum Question", "Question", "Answer", "## Task", "## Input", "## Output")
HINT = (
    " It may not be written down as such: take account of who said what and when, what amounts "
    "follow from others, and what you know of the world."
)
_LABELS = {"read_chats": "Conversation", "read_forum": "Response", "read_documents": "Document"}


@dataclass(frozen=True, slots=True)
class Context:
    """The documents that a reader sees for one query: their ids, in order."""

    query: Query
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are sampled.

    runs   answers to every question, each with its own seed
    seed   seed of the first run
    top_p, top_k  only reported; set them where the model is opened
    """

    temperature: float = 0.8
    runs: int = 3
    seed: int = 0
    top_p: float | None = 0.95
    top_k: int | None = 20

    @property
    def seeds(self) -> list[int]:
        """The seed of every run. At temperature 0 there is one run."""
        return [self.seed + run for run in range(self.runs if self.temperature > 0 else 1)]


@dataclass(frozen=True, slots=True)
class Reader:
    """A language model and how it is asked.

    max_tokens  longest answer, including reasoning; None for 256, or 8192 for choices
    metric      scores answers in words
    prompt      the user's own prompt, or None for ours
    hint        tell the model to infer, which the published prompt does not
    sampling    sampling of choices; answers in words use temperature 0
    judge       judges choices; None to use the letter only
    """

    llm: LLM
    max_tokens: int | None = None
    metric: ROUGE1Recall = field(default_factory=ROUGE1Recall)
    prompt: Prompt | None = None
    hint: bool = False
    sampling: Sampling = field(default_factory=Sampling)
    judge: Judge | None = None


@dataclass(frozen=True)
class Answered:
    """The answers of one seed, in the order of the contexts, and metric -> query id -> value."""

    seed: int
    answers: Sequence[Answer]
    scores: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Reading:
    """A reader's answers to the contexts of one benchmark, in all runs."""

    name: str
    benchmark: Benchmark
    contexts: Sequence[Context]
    runs: Sequence[Answered]
    settings: Mapping[str, Any]
    failures: Mapping[str, int]
    seconds: float

    def spread(self, metric: str) -> str:
        """Return mean and standard deviation over the runs with an answer, as text."""
        found = [run.scores[metric] for run in self.runs]
        means = [fmean(values.values()) for values in found if values]
        if len(means) < 2:
            return f"one run: {means[0]:.3f}" if means else "no answers"
        each = ", ".join(f"{mean:.3f}" for mean in means)
        return f"{fmean(means):.3f} ± {stdev(means):.3f} over {len(means)} runs ({each})"

    @property
    def spreads(self) -> dict[str, str]:
        """The spread of each metric of choices. Answers in words have one run and no spread."""
        return {name: self.spread(name) for name in self.runs[0].scores if name in (LETTER, JUDGED)}

    def report(self, seed: int = 0) -> Report:
        """Return the mean of the runs, question by question, and each run by itself."""
        scores: dict[str, Mapping[str, float]] = {}
        metrics = list(self.runs[0].scores)
        for metric in metrics:
            runs = [run.scores[metric] for run in self.runs]
            ids = dict.fromkeys(id for values in runs for id in values)
            mean = {id: fmean(values[id] for values in runs if id in values) for id in ids}
            scores[metric] = mean
            for domain in values_of(self.benchmark.queries, "domain") if self.spreads else ():
                scores[of_facet(metric, "domain", domain)] = {
                    each.query.id: mean[each.query.id]
                    for each in self.contexts
                    if each.query.facets.get("domain") == domain and each.query.id in mean
                }
            for run in self.runs if len(self.runs) > 1 else ():
                scores[of_facet(metric, "seed", str(run.seed))] = run.scores[metric]
        return Report(
            system=self.name,
            benchmark=self.benchmark.name,
            scores={n: values for n, values in scores.items() if values or not self.spreads},
            left_out={name: len(self.contexts) - len(scores[name]) for name in metrics},
            kind="reading",
            built_by=self.benchmark.built_by,
            settings={**self.settings, **{f"{k} over runs": v for k, v in self.spreads.items()}},
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
    queries    queries to ask; None for all of the benchmark

    The documents depend only on the seed and the query. A larger k adds documents to those of a
    smaller k. If there are fewer negatives, all are shown.
    Raises InputError if a query has no relevant document or no tuple set.
    """
    sets = (
        sets_of(benchmark.queries, of_corpus(benchmark.qrels, benchmark.corpus))
        if negatives == "set"
        else {}
    )
    everything = list(benchmark.corpus) if negatives == "all" else []
    contexts = []
    for query in benchmark.queries if queries is None else queries:
        grades = benchmark.qrels.get(query.id, {})
        relevant = [id for id in grades if grades[id] > 0 and id in benchmark.corpus]
        positives = sorted(relevant, key=lambda id: -grades[id])
        if not positives:
            raise InputError(
                f"Query {query.id!r} of {benchmark.name!r} has no relevant document to show."
            )
        if negatives == "set" and "tuple_set" not in query.facets:
            raise InputError(
                f"Query {query.id!r} belongs to no tuple set. Take the other documents from the "
                "whole corpus: --negatives all."
            )
        pool = everything if negatives == "all" else sets[query.facets["tuple_set"]]
        others = [id for id in pool if id not in positives]
        drawn = random.Random(f"{seed}/{query.id}/negatives").sample(others, len(others))
        shown = [*positives[:k], *drawn][:k]
        random.Random(f"{seed}/{query.id}/order").shuffle(shown)
        contexts.append(Context(query, tuple(shown)))
    return contexts


def read_prompt(path: str | Path) -> Prompt:
    """Return a reader's prompt from a user's file.

    Raises InputError if it cannot be read, lacks a field, or has an unknown field.
    """
    prompt = Prompt.read(path)
    fields = set(prompt.fields)
    if not {"documents", "question"} <= fields <= {"documents", "question", "forum_question"}:
        raise InputError(
            f"{path} needs the fields $documents and $question. The only other field is "
            "$forum_question."
        )
    return prompt


def prompt_for(
    context: Context, corpus: Corpus, own: Prompt | None = None, *, hint: bool = False
) -> str:
    """Return the prompt for the reader, from the user's own prompt if there is one.

    Ours paraphrases the published one, whose repository has no licence.

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
        "hint": HINT if hint else "",
    }
    prompt = own or Prompt.load("leadline.answering", name)
    return prompt.fill(**{field: values[field] for field in prompt.fields})


def without_parts(text: str) -> str:
    """Remove from a document anything that looks like another part of the prompt."""
    return without_labels(text, (*_LABELS.values(), *_PARTS), only_at_line_start=True)


@dataclass(frozen=True)
class _Words:
    """Answers in words, compared with the gold answer."""

    reader: Reader
    sampling = Sampling(temperature=0.0)
    expected_tokens, most_tokens, ks = 32, 256, (1, 10, 30)

    @property
    def settings(self) -> dict[str, Any]:
        own, metric = self.reader.prompt, self.reader.metric
        return {
            "temperature": 0.0,
            "hint": self.reader.hint,
            "prompts": {
                name: (own or Prompt.load("leadline.answering", name)).hash for name in _LABELS
            },
            "mode": metric.mode,
            "extraction": metric.extraction or "none",
        }

    def asked(self, context: Context, corpus: Corpus) -> str:
        return prompt_for(context, corpus, self.reader.prompt, hint=self.reader.hint)

    def scored(
        self, queries: Sequence[Query], answers: Sequence[Answer], failures: Counter[str]
    ) -> dict[str, Mapping[str, float]]:
        """Return the scores. A cut answer has one only in the mode `published`."""
        metric = self.reader.metric
        outputs = _outputs(queries, answers, whole=metric.mode != "published")
        exact = ExactMatch(extraction=metric.extraction)
        return {"ROUGE-1": metric(queries, outputs), "ExactMatch": exact(queries, outputs)}

    def line(self, run: Answered, query: Query, answer: Answer) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class _Letters:
    """Lettered choices. The final letter of an answer counts."""

    reader: Reader
    expected_tokens, most_tokens, ks = 512, 8192, (3,)

    @property
    def sampling(self) -> Sampling:
        return self.reader.sampling

    @property
    def settings(self) -> dict[str, Any]:
        drawn, judge = self.sampling, self.reader.judge
        prompts = ("choose", "choose_closed_book")
        return {
            "temperature": drawn.temperature,
            "top_p": drawn.top_p,
            "top_k": drawn.top_k,
            "seeds": ", ".join(map(str, drawn.seeds)),
            "prompts": {name: Prompt.load("leadline.answering", name).hash for name in prompts},
            **({"judge": judge.name} if judge else {}),
        }

    def asked(self, context: Context, corpus: Corpus) -> str:
        return choosing_prompt(context, corpus)

    def scored(
        self, queries: Sequence[Query], answers: Sequence[Answer], failures: Counter[str]
    ) -> dict[str, Mapping[str, float]]:
        """Return the scores. An answer that is cut or has no letter counts as wrong."""
        outputs = _outputs(queries, answers)
        failures["without a letter, counted as wrong"] += unreadable(queries, outputs)
        scores: dict[str, Mapping[str, float]] = {LETTER: ChoiceLetter()(queries, outputs)}
        if self.reader.judge is not None:
            said = self.reader.judge(queries, outputs)
            failures["where the judge said neither yes nor no, counted as wrong"] += sum(
                value is None for value in said.values()
            )
            scores[JUDGED] = {id: float(bool(value)) for id, value in said.items()}
        return scores

    def line(self, run: Answered, query: Query, answer: Answer) -> dict[str, Any]:
        letter = "" if answer.finish == "length" else chosen_letter(answer.text, offered(query))
        return {"seed": run.seed, "letter": letter}


def _outputs(
    queries: Sequence[Query], answers: Sequence[Answer], *, whole: bool = True
) -> dict[str, str]:
    """Return the answers by query id, without failed calls. `whole`: without cut answers."""
    return {
        query.id: "" if whole and answer.finish == "length" else answer.text
        for query, answer in zip(queries, answers, strict=True)
        if not answer.failure
    }


def _task(reader: Reader, benchmark: Benchmark) -> _Words | _Letters:
    return _Letters(reader) if is_of_choices(benchmark) else _Words(reader)


def is_of_choices(benchmark: Benchmark) -> bool:
    """Return whether the questions of a benchmark have lettered choices."""
    return any(map(offered, benchmark.queries))


def choosing_prompt(context: Context, corpus: Corpus) -> str:
    """Return the prompt for a question with choices, with or without documents."""
    question = context.query.content
    if not context.documents:
        return Prompt.load("leadline.answering", "choose_closed_book").fill(question=question)
    documents = "\n".join(
        f"Document {number}: {without_parts(corpus[id].content)}"
        for number, id in enumerate(context.documents, start=1)
    )
    prompt = Prompt.load("leadline.answering", "choose")
    return prompt.fill(question=question, documents=documents)


def read_answers(
    reader: Reader,
    benchmark: Benchmark,
    contexts: Sequence[Context],
    *,
    name: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Reading:
    """Ask the reader about every context in every run, and score its answers.

    name      the reader's name in reports, with these contexts
    settings  how the contexts were made, for the report

    A failed call, or one that returns only reasoning, is counted and has no score.

    Raises InputError if no query has an answer.
    """
    queries = [context.query for context in contexts]
    if not any(query.answer for query in queries):
        raise InputError(f'No query of {benchmark.name!r} has an "answer" to compare with.')
    task = _task(reader, benchmark)
    drawn, most = task.sampling, reader.max_tokens or task.most_tokens
    system = Message("system", SYSTEM_MESSAGE)
    turns = [(system, Message("user", task.asked(each, benchmark.corpus))) for each in contexts]
    failures: Counter[str] = Counter()
    runs = []
    started = perf_counter()
    for seed in drawn.seeds:
        requests = [
            Request(
                turn, most, drawn.temperature, seed=seed if drawn.temperature > 0 else None,
                expected_tokens=min(task.expected_tokens, most),
            )
            for turn in turns
        ]  # fmt: skip
        answers = answers_of(reader.llm, requests)
        for answer in answers:
            if answer.failure:
                failures[f"no answer: {answer.failure.kind}"] += 1
            elif answer.finish == "length":
                failures[f"answer {cut_off(answer)}"] += 1
        runs.append(Answered(seed, answers, task.scored(queries, answers, failures)))
    return Reading(
        name=name or reader.llm.name,
        benchmark=benchmark,
        contexts=contexts,
        runs=runs,
        settings={
            "llm": dict(getattr(reader.llm, "settings", {"name": reader.llm.name})),
            "max_tokens": most,
            "system_message": SYSTEM_MESSAGE,
            **task.settings,
            **(settings or {}),
        },
        failures={reason: count for reason, count in failures.items() if count},
        seconds=perf_counter() - started,
    )


@dataclass(frozen=True)
class Plan:
    """The documents to show to readers.

    ks            numbers of documents; empty for those of the papers
    negatives     `set` or `all`, for the oracle
    systems       retrievers instead of the oracle; without any, questions with choices get no
                  documents
    corpus        documents to search for a benchmark of choices, which has none
    temperatures  sampling temperatures of choices; each gives a separate result
    limit         at most this many topics of each benchmark
    seed          seed of the drawn documents and their order
    """

    ks: Sequence[int] = ()
    negatives: Negatives = "set"
    systems: Sequence[System] = ()
    corpus: Corpus | None = None
    temperatures: Sequence[float] = (0.8,)
    limit: int | None = None
    seed: int = SEED


@dataclass(frozen=True)
class Read:
    """The results: the outcome for the report, the readings, and every judged error."""

    outcome: Outcome
    readings: Sequence[Reading] = ()
    errors: Sequence[ErrorCase] = ()


def read_benchmarks(
    reader: Reader, benchmarks: Sequence[Benchmark], plan: Plan, *, out: Path | None = None
) -> Read:
    """Let a reader answer the queries of every benchmark, for every k and temperature.

    out  folder for answers and scores, written as soon as each run is finished

    Wrong answers in words are judged if the relevant document was shown. Raises InputError if a
    system has no documents to search, or only some questions have choices.
    """
    readings: list[Reading] = []
    reports: list[Report] = []
    errors: list[ErrorCase] = []
    several = len(plan.temperatures) > 1
    of_choices = any(map(is_of_choices, benchmarks))
    for given in track(benchmarks, "Reading"):
        benchmark = _with_documents(given, plan) if of_choices else given.validated()
        queries = limited(benchmark, plan.limit).queries
        for name, contexts, settings in _contexts(reader, benchmark, queries, plan):
            for temperature in plan.temperatures if of_choices else (0.0,):
                drawn = replace(reader.sampling, temperature=temperature)
                told = f"{name},t={temperature:g}" if of_choices and several else name
                reading = read_answers(
                    replace(reader, sampling=drawn), benchmark, contexts,
                    name=f"{told}+{reader.llm.name}", settings=settings,
                )  # fmt: skip
                report = reading.report()
                found = [] if of_choices else _errors(reading)
                if out is not None:
                    write_scores(out, report)
                    _write_answers(out, reader, reading, found)
                readings.append(reading)
                reports.append(report)
                errors += found
    read = [replace(each, kind="reading", quoted=()) for each in benchmarks]
    return Read(
        Outcome(read, reports + wholes(reports), (), now(), kinds=by_name()), readings, errors
    )


def _with_documents(benchmark: Benchmark, plan: Plan) -> Benchmark:
    if not is_of_choices(benchmark):
        raise InputError(f"{benchmark.name!r} has no lettered choices. Read it in a separate run.")
    if plan.corpus is not None:
        benchmark = replace(benchmark, corpus=plan.corpus)
    if plan.systems and not benchmark.corpus:
        raise InputError(
            f"{benchmark.name!r} has no documents. Name those that {plan.systems[0].name} should "
            "search with --corpus CORPUS, or leave out -s to answer without documents."
        )
    return benchmark


def _contexts(
    reader: Reader, benchmark: Benchmark, queries: Sequence[Query], plan: Plan
) -> Iterator[tuple[str, list[Context], dict[str, Any]]]:
    """Yield name, contexts and settings of every run on a benchmark."""
    ks = plan.ks or _task(reader, benchmark).ks
    if min(ks) < 1:
        raise InputError(f"k must be at least 1, got {min(ks)}.")
    of_choices = is_of_choices(benchmark)
    if not plan.systems and of_choices:
        closed = {"retriever": "none: answered without documents", "k": 0}
        yield CLOSED_BOOK, [Context(query, ()) for query in queries], closed
    elif not plan.systems:
        oracle = {"retriever": "oracle", "negatives": plan.negatives, "seed": plan.seed}
        for k in ks:
            contexts = oracle_contexts(
                benchmark, k, negatives=plan.negatives, seed=plan.seed, queries=queries
            )
            yield f"oracle@{k}", contexts, oracle | _sizes(benchmark, contexts, k)
    for system in plan.systems:
        run = system.run(
            benchmark.corpus,
            queries,
            benchmark.candidates,
            excluded=benchmark.excluded,
            seed=benchmark.order(plan.seed),
        ).run
        for k in ks:
            contexts = [Context(query, tuple(run.get(query.id, {}))[:k]) for query in queries]
            sizes = _sizes(benchmark, contexts, k)
            if of_choices:
                without = sum(not each.documents for each in contexts)
                sizes = {"k": k, "documents": len(benchmark.corpus),
                         "questions without a document": without}  # fmt: skip
            yield f"{system.name}@{k}", contexts, {"retriever": system.settings, **sizes}


def _sizes(benchmark: Benchmark, contexts: Sequence[Context], k: int) -> dict[str, Any]:
    """Return how many documents were shown, and how often the relevant one was among them."""
    held = sum(
        any(benchmark.qrels.get(each.query.id, {}).get(id, 0) > 0 for id in each.documents)
        for each in contexts
    )
    fewer = sum(len(each.documents) < k for each in contexts)
    return {"k": k, "contexts with a relevant document": f"{held} of {len(contexts)}"} | (
        {"contexts with fewer than k documents": fewer} if fewer else {}
    )


def _errors(reading: Reading) -> list[ErrorCase]:
    """Judge every wrong answer whose relevant document was shown."""
    (run,) = reading.runs
    benchmark, scores = reading.benchmark, run.scores["ROUGE-1"]
    golds = {
        document: query.answer
        for query in benchmark.queries
        for document, grade in benchmark.qrels.get(query.id, {}).items()
        if grade > 0
    }
    found = []
    for context, answer in zip(reading.contexts, run.answers, strict=True):
        query, texts = context.query, {id: benchmark.corpus[id].content for id in context.documents}
        grades = benchmark.qrels.get(query.id, {})
        right = [id for id in texts if grades.get(id, 0) > 0]
        if scores.get(query.id, RIGHT_FROM) >= RIGHT_FROM or not right:
            continue
        best = max(right, key=grades.__getitem__)
        judgement, source = judge_answer(
            answer.text,
            query.answer,
            texts[best],
            {id: (text, golds.get(id, "")) for id, text in texts.items() if id != best},
            cut_off=answer.finish == "length",
        )
        found.append(
            ErrorCase(
                stage="reading",
                system=reading.name,
                benchmark=benchmark.name,
                query_id=query.id,
                question=query.content,
                gold=query.answer,
                given=extract_answer(answer.text),
                positive=Shown(best, texts[best]),
                other=Shown(source, texts[source]) if source else None,
                judgement=judgement,
            )
        )
    return found


def _write_answers(
    out: Path, reader: Reader, reading: Reading, errors: Sequence[ErrorCase]
) -> None:
    """Write one line for each answer: documents, answer, score, and why it is wrong."""
    folder = benchmark_folder(out, reading.benchmark.name) / "answers"
    judged = {case.query_id: case.judgement for case in errors}
    task = _task(reader, reading.benchmark)
    with atomic_file(folder / f"{file_name(reading.name)}.jsonl") as file:
        for run in reading.runs:
            for context, answer in zip(reading.contexts, run.answers, strict=True):
                query = context.query
                line: Mapping[str, Any] = {
                    "query-id": query.id,
                    "documents": context.documents,
                    "gold": query.answer,
                    "output": answer.text,
                    "failure": str(answer.failure or ""),
                    **task.line(run, query, answer),
                    **{name: values.get(query.id) for name, values in run.scores.items()},
                }
                if why := judged.get(query.id):
                    line = {**line, "error": why.category, "why": why.why}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


def write_errors(out: Path, read: Read, *, sample: int, seed: int = SEED) -> Path:
    """Write the review sheet with `sample` wrong answers of each reader and benchmark.

    Answers that no rule explains are drawn first. The table counts every wrong answer. Returns the
    path of the page.
    """
    groups: dict[tuple[str, str], list[ErrorCase]] = {}
    for case in read.errors:
        groups.setdefault((case.system, case.benchmark), []).append(case)
    shown: list[ErrorCase] = []
    for (system, benchmark), cases in groups.items():
        left = sample
        for decided in (False, True):
            some = [case for case in cases if case.judgement.decided is decided]
            chosen = drawn(some, left, seed, f"{benchmark}/{system}")
            shown += chosen
            left -= len(chosen)
    return write_review(out, "reading-errors", "Wrong answers", shown, read.errors)


_JUDGEMENT_TOKENS = 4096
_MOST = 10
"""Right and wrong answers for the trial of a judge."""
_FORMS = ("({letter}) {text}", "The answer is ({letter}).", "{text}", "Answer: {letter}",
          "After some thought: it must be {text}, that is ({letter}).")  # fmt: skip
_CHOICE = re.compile(r"^\((\w)\) (.*)$", re.MULTILINE)
_SAID = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Judge:
    """A language model that answers yes or no, at temperature 0."""

    llm: LLM

    @property
    def name(self) -> str:
        """The model's."""
        return self.llm.name

    def __call__(
        self, queries: Sequence[Query], outputs: Mapping[str, str]
    ) -> dict[str, bool | None]:
        """Judge every answer. A reply that is neither yes nor no is no judgement."""
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


def judge_rates(judge: Judge, queries: Sequence[Query]) -> Rates:
    """Return how often a judge is right on known choices of the user's questions."""
    asked: dict[str, tuple[Query, str]] = {}
    for is_right in (True, False):
        for query, output in islice(_answers(queries, is_right), _MOST):
            asked[f"{is_right} {len(asked)}"] = (query, output)
    said = judge(
        [replace(query, id=id) for id, (query, _) in asked.items()],
        {id: output for id, (_, output) in asked.items()},
    )
    right = [said[id] is True for id in asked if id.startswith("True")]
    wrong = [said[id] is not False for id in asked if id.startswith("False")]
    return Rates(
        judge.name, len(asked), sum(right) / max(1, len(right)), sum(wrong) / max(1, len(wrong))
    )


def _answers(queries: Sequence[Query], is_right: bool) -> Iterator[tuple[Query, str]]:
    """Yield answers to each question, in alternating forms."""
    for form in _FORMS:
        for query in queries:
            for letter, text in _CHOICE.findall(query.content):
                if (letter == query.answer) == is_right:
                    yield query, form.format(letter=letter, text=text)


RIGHT_FROM = 1.0
"""Recall from which an answer counts as right."""

_REFUSAL = re.compile(
    r"\b(?:cannot|can ?not|can't|could ?n[o']t|unable|impossible|unknown|unclear|undetermined|"
    r"no (?:answer|information|mention|one|conversation|response|document)|none|nobody|"
    r"not? (?:\w+ )?(?:mentioned|specified|stated|provided|given|available|found|enough|possible|"
    r"clear|sure|known)|n/?a|does ?n[o']t (?:say|mention|specify|state|contain|provide))\b",
    re.IGNORECASE,
)


def judge_answer(
    output: str,
    gold: str,
    positive: str,
    others: Mapping[str, tuple[str, str]],
    *,
    cut_off: bool = False,
) -> tuple[Judgement, str]:
    """Return why an answer is wrong, and which other document it comes from, if any.

    others  id -> text and gold answer (or an empty one) of the other documents shown

    distraction  it is the answer of another document, or its words are only in another one
    malformed    it has part of the answer, or all of it in the wrong place; or it was cut; or it
                 is something else from the right document
    no answer    it is empty, refuses, or has no words of the documents
    """
    answer = extract_answer(output)
    words = content_words(answer)
    if not words:
        return Judgement("no answer", True, "the answer is empty"), ""
    own = rouge1_recall(answer, gold)
    for id, (_, theirs) in others.items():
        if own < 1.0 and theirs and theirs != gold and rouge1_recall(answer, theirs) == 1.0:
            return Judgement("distraction", True, f"{theirs!r} is the answer of {id}"), id
    if own > 0:
        return Judgement("malformed", True, f"has {own:.0%} of the words of the answer"), ""
    if rouge1_recall(output, gold) == 1.0:
        return Judgement("malformed", True, "the answer is before the last 'Answer:'"), ""
    if cut_off:
        return Judgement("malformed", True, "cut off before it was complete"), ""
    if _REFUSAL.search(answer):
        return Judgement("no answer", True, "says that there is no answer"), ""
    return _by_place(set(words), positive, others)


def _by_place(
    words: set[str], positive: str, others: Mapping[str, tuple[str, str]]
) -> tuple[Judgement, str]:
    """Judge an answer that shares no word with the gold answer, by where its words occur."""
    own = set(content_words(positive))
    if words <= own:
        why = "its words are in the right document, but are not the answer"
        return Judgement("malformed", False, why), ""
    for id, (text, _) in others.items():
        theirs = set(content_words(text))
        own |= theirs
        if words <= theirs:
            return Judgement("distraction", False, f"its words are in {id}"), id
    if words.isdisjoint(own):
        return Judgement("no answer", True, "none of its words is in the documents"), ""
    return Judgement("no answer", False, "no document has all of its words"), ""
