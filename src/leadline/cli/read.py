"""leadline read: a language model answers from the documents that it is shown."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options
from leadline.cli.language_models import the_model, with_models

if TYPE_CHECKING:
    from leadline.answering.choosing import Judge, Sampling
    from leadline.benchmark import Benchmark
    from leadline.report.outcome import Outcome
    from leadline.types import LLM, Corpus, Query

_CHOICES = "Questions with lettered choices"


class Negatives(StrEnum):
    """Where the oracle takes its negatives from."""

    set = "set"
    all = "all"


class Rouge(StrEnum):
    """How answers are compared with the gold answer."""

    plain = "plain"
    plain_nostem = "plain_nostem"
    paper_set = "paper_set"
    published = "published"


@options.reads_corpus
@with_models
def read(
    benchmark: options.Benchmarks,
    data: options.Data = None,
    k: Annotated[
        list[int],
        typer.Option(
            "-k",
            metavar="K",
            help="How many documents are shown; without it 1, 10 and 30, and 3 for questions with "
            "choices. Repeatable.",
        ),
    ] = [],  # noqa: B006  (typer copies it)
    system: Annotated[
        list[str],
        typer.Option(
            "--system",
            "-s",
            metavar="SYSTEM",
            help="Show what this system ranks first, best first, in the place of an oracle that "
            "always has the relevant document. Repeatable.",
        ),
    ] = [],  # noqa: B006
    negatives: Annotated[
        Negatives,
        typer.Option(
            help="Where the oracle takes the other documents from: the same tuple set, or, as one "
            "of the published scripts does, the whole pool."
        ),
    ] = Negatives.set,
    rouge: Annotated[
        Rouge,
        typer.Option(
            help="ROUGE-1 recall: as rouge-score has it, without stemming, the formula as printed, "
            "or as the published script extracts and scores."
        ),
    ] = Rouge.plain,
    corpus: Annotated[
        str,
        typer.Option(
            metavar="CORPUS",
            help="Documents that systems search for a benchmark that has none, such as gpqa. "
            "Without systems the book stays closed.",
            rich_help_panel=_CHOICES,
        ),
    ] = "",
    reading: options.Reading = options.AS_IT_IS,
    temperature: Annotated[
        list[float],
        typer.Option(
            min=0,
            metavar="T",
            help="Of the answers; 0.8 as published. Repeatable.",
            rich_help_panel=_CHOICES,
        ),
    ] = [],  # noqa: B006
    runs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Answers to every question, each with a seed of its own, from --seed on; 3 "
            "without it.",
            rich_help_panel=_CHOICES,
        ),
    ] = None,
    judge_model: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A model that says next to the letter whether an answer is right: named as for "
            "--llm, or by its name at the same endpoint or that of --judge-llm.",
            rich_help_panel=_CHOICES,
        ),
    ] = "",
    judge_llm: Annotated[
        str,
        typer.Option(metavar="URL", help="The judge's endpoint.", rich_help_panel=_CHOICES),
    ] = "",
    max_tokens: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Length of an answer, the reasoning of the model included; 256 without it, and "
            "8192 for questions with choices.",
            rich_help_panel="Language models",
        ),
    ] = None,
    local: Annotated[
        str,
        typer.Option(
            "--local",
            metavar="MODEL",
            help="A model in this process: a GGUF file, a folder, or a name on the hub. "
            "[bold]--llm[/bold] takes the first two, too.",
            rich_help_panel="Language models",
        ),
    ] = "",
    out: options.Out = Path("leadline-out"),
    limit: options.Limit = None,
    seed: Annotated[
        int, typer.Option(help="Of the documents drawn and of their order, and of the first run.")
    ] = 42,
    review: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Wrong answers on the review sheet, of each k and part."
        ),
    ] = 10,
    prompt: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A prompt of your own, such as the released wording: a text with $documents, "
            "$question and, for a forum, $forum_question.",
            rich_help_panel="Language models",
        ),
    ] = None,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Let a language model answer from k documents, and score its answers by ROUGE-1 recall.

    Wrong answers are judged by rule: malformed, no answer, or taken from another document. What no
    rule settles is for a person, on the review sheet (reading-errors.csv and .html).

    Questions with lettered choices (gpqa) are scored by the letter that an answer settles on, as
    the mean of several runs.

    Example: leadline read -b implicit-facts --data impliret/ --llm URL --llm-model NAME

    Or: leadline read -b gpqa --data gpqa_diamond.csv --corpus pool.jsonl -s bm25 --llm URL
    --llm-model NAME
    """  # fmt: skip
    from leadline import progress
    from leadline.answering.choosing import is_of_choices
    from leadline.errors import InputError
    from leadline.systems.benchmarks import load_benchmarks

    with progress.shown(quiet=quiet):
        pools = [part for name in benchmark for part in load_benchmarks(name, data=data)]
        if any(map(is_of_choices, pools)):
            if prompt:
                raise InputError("--prompt is not for questions with lettered choices.")
            place = _Place(local, judge_model, judge_llm)
            documents = reading.read(corpus, seed)[0] if corpus else None
            _choose(
                pools, place, system, k, documents, temperature, runs, max_tokens,
                None if dry_run else out, limit, seed, quiet=quiet, as_json=as_json,
            )  # fmt: skip
            return
        if corpus or temperature or runs or judge_model or judge_llm:
            raise InputError(
                "--corpus, --temperature, --runs and --judge-model are for questions with lettered "
                f"choices, such as gpqa; {pools[0].name} has none."
            )
        _answer(
            pools, local, system, k, negatives, rouge, max_tokens,
            None if dry_run else out, limit, seed, review, prompt, quiet=quiet, as_json=as_json,
        )  # fmt: skip


def _answer(
    pools: Sequence[Benchmark],
    local: str,
    systems: list[str],
    k: list[int],
    negatives: Negatives,
    rouge: Rouge,
    max_tokens: int | None,
    out: Path | None,
    limit: int | None,
    seed: int,
    review: int,
    prompt: Path | None,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read and score by the words of the gold answer; without `out` only count the calls."""
    from leadline.answering.reader import MAX_TOKENS, Reader, read_prompt
    from leadline.answering.runs import KS, Plan, read_benchmarks, write_errors
    from leadline.checking import load_systems
    from leadline.cli.tables import print_shares
    from leadline.data.writing import output_folder
    from leadline.diagnosis.causes import shares
    from leadline.metrics.answers import ROUGE1Recall

    ks = k or list(KS)
    reader = Reader(
        _local(local) if local else the_model("leadline read"),
        max_tokens or MAX_TOKENS,
        ROUGE1Recall(mode=rouge.value),
        read_prompt(prompt) if prompt else None,
    )
    plan = Plan(
        ks=ks,
        negatives=negatives.value,
        systems=load_systems(systems, depth=max(100, *ks)) if systems else (),
        limit=limit,
        seed=seed,
    )
    folder = None if out is None else output_folder(out)
    done = read_benchmarks(reader, pools, plan, out=folder)
    if folder is None:
        return
    sheet = write_errors(folder, done, sample=review, seed=seed)
    facts = {"reader": reader.llm.name, "k": ", ".join(map(str, ks)), "seed": str(seed)}
    _tell(folder, done.outcome, pools, facts, quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        print_shares(shares(done.errors))
    typer.echo(f"Wrong answers: {sheet}", err=True)


@dataclass(frozen=True)
class _Place:
    """Where the reader and its judge run."""

    local: str
    judge_model: str
    judge_llm: str


def _choose(
    pools: Sequence[Benchmark],
    place: _Place,
    systems: list[str],
    k: list[int],
    corpus: Corpus | None,
    temperatures: list[float],
    runs: int | None,
    max_tokens: int | None,
    out: Path | None,
    limit: int | None,
    seed: int,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read and score by the letter chosen; without `out` only count the calls."""
    from leadline.answering.choosing import MAX_TOKENS, Chooser, Sampling
    from leadline.answering.choosing_runs import KS, ChoicePlan, choose_benchmarks
    from leadline.checking import load_systems
    from leadline.data.writing import output_folder

    drawn = Sampling(runs=runs or Sampling().runs, seed=seed)
    if _is_of_transformers(place.local):  # it has its own settings for both
        drawn = replace(drawn, top_p=None, top_k=None)
    ks = k or list(KS)
    chooser = Chooser(
        _sampled(drawn, place.local),
        max_tokens or MAX_TOKENS,
        drawn,
        _tried(_judge(place), [query for pool in pools for query in pool.queries]),
    )
    plan = ChoicePlan(
        ks=ks,
        systems=load_systems(systems, depth=max(100, *ks)) if systems else (),
        corpus=corpus,
        temperatures=temperatures or (drawn.temperature,),
        limit=limit,
    )
    folder = None if out is None else output_folder(out)
    outcome, done = choose_benchmarks(chooser, pools, plan, out=folder)
    if folder is None:
        return
    spreads = {f"{each.name}, {metric}": each.spread(metric)
               for each in done for metric in each.metrics}  # fmt: skip
    facts = {"reader": chooser.llm.name, "seeds": ", ".join(map(str, drawn.seeds)), **spreads}
    _tell(folder, outcome, pools, facts, quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        for name, told in spreads.items():
            typer.echo(f"{name}: {told}")


def _tell(
    folder: Path,
    outcome: Outcome,
    pools: Sequence[Benchmark],
    facts: dict[str, str],
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    from leadline.cli.tables import print_reports
    from leadline.data.addresses import without_keys
    from leadline.report.page import write_report

    page = write_report(
        folder,
        outcome,
        title="Reading of " + ", ".join(pool.name for pool in pools),
        command=shlex.join(["leadline", *map(without_keys, sys.argv[1:])]),
        facts=facts,
    )
    if as_json:
        typer.echo(json.dumps(outcome.as_json(), ensure_ascii=False, indent=1))
    elif not quiet:
        print_reports(outcome.reports)
    typer.echo(f"Report: {page}", err=True)


def _sampled(drawn: Sampling, local: str) -> LLM:
    """Return the model, drawing as published where it can."""
    from leadline.llm.opening import ModelPlace, kept, open_uncached

    if local:
        _local(local)  # which says what does not fit
    else:
        the_model("leadline read")
    extra = {"top_p": drawn.top_p, "top_k": drawn.top_k}
    place = ModelPlace(local)
    return kept(open_uncached("leadline read", place, extra=extra), place)


def _is_of_transformers(local: str) -> bool:
    from leadline.llm.naming import is_gguf
    from leadline.llm.opening import ModelPlace, with_default

    place = with_default(ModelPlace(local))
    return bool(place.model) and not place.llm and not is_gguf(place.model)


def _judge(place: _Place) -> Judge | None:
    from leadline.answering.choosing import LLMJudge
    from leadline.errors import InputError
    from leadline.llm.opening import open_llm, place_beside

    if not place.judge_model:
        if place.judge_llm:
            raise InputError("--judge-llm URL needs --judge-model NAME: which of its models?")
        return None
    return LLMJudge(open_llm("leadline read", place_beside(place.judge_model, place.judge_llm)))


def _tried(judge: Judge | None, queries: Sequence[Query]) -> Judge | None:
    """Return a judge that tells right choices from wrong ones; None where it does not."""
    from leadline import progress
    from leadline.answering.judge_trial import judge_rates
    from leadline.llm.account import current

    if judge is None:
        return None
    rates = judge_rates(judge, queries)
    if (kept := current()) is not None and kept.dry_run:
        return judge
    if rates.is_fit:
        progress.say(f"{rates}.")
        return judge
    progress.warn(f"{rates}. It is not used: answers are scored by their letter alone.")
    return None


def _local(model: str) -> LLM:
    from leadline.errors import InputError
    from leadline.llm.opening import ModelPlace, default_endpoint, open_llm

    if default_endpoint() is not None:
        raise InputError("--local and --llm both name the model that reads: give one of them.")
    return open_llm("leadline read", ModelPlace(model=model))
