"""leadline read: a language model answers from the documents that it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options
from leadline.cli.language_models import the_model, with_models

if TYPE_CHECKING:
    from leadline.answering.reader import Judge, Sampling
    from leadline.types import LLM, Query

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
    split: options.Split = "",
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
    chunks: options.Chunks = "",
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
    from leadline.answering import reader as answering
    from leadline.checking import load_systems
    from leadline.cli.tables import print_shares
    from leadline.data.writing import output_folder
    from leadline.diagnosis.causes import shares
    from leadline.errors import InputError
    from leadline.metrics.answers import ROUGE1Recall
    from leadline.report.page import write_report

    with progress.shown(quiet=quiet):
        pools = options.benchmarks_of(benchmark, data, split=split)
        of_choices = any(map(answering.is_of_choices, pools))
        if of_choices and prompt:
            raise InputError("--prompt is not for questions with lettered choices.")
        if not of_choices and (corpus or temperature or runs or judge_model or judge_llm):
            raise InputError(
                "--corpus, --temperature, --runs and --judge-model are for questions with lettered "
                f"choices, such as gpqa; {pools[0].name} has none."
            )
        drawn = answering.Sampling(runs=runs or answering.Sampling().runs, seed=seed)
        if of_choices:
            llm, drawn = _sampled(drawn, local)
        else:
            llm = _local(local) if local else the_model("leadline read")
        reader = answering.Reader(
            llm,
            max_tokens,
            ROUGE1Recall(mode=rouge.value),
            answering.read_prompt(prompt) if prompt else None,
            drawn,
            _judge(judge_model, judge_llm, [query for pool in pools for query in pool.queries]),
        )
        plan = answering.Plan(
            ks=k,
            negatives=negatives.value,
            systems=load_systems(system, max([100, *k]), chunks) if system else (),
            corpus=reading.read(corpus, seed)[0] if corpus else None,
            temperatures=temperature or (drawn.temperature,),
            limit=limit,
            seed=seed,
        )
        folder = None if dry_run else output_folder(out)
        done = answering.read_benchmarks(reader, pools, plan, out=folder)
        if folder is None:
            return
        sheet = None
        spreads = {f"{each.name}, {metric}": told
                   for each in done.readings for metric, told in each.spreads.items()}  # fmt: skip
        facts = {"reader": llm.name, "seeds": ", ".join(map(str, drawn.seeds)), **spreads}
        if not of_choices:
            sheet = answering.write_errors(folder, done, sample=review, seed=seed)
            ks = ", ".join(dict.fromkeys(str(each.settings["k"]) for each in done.readings))
            facts = {"reader": llm.name, "k": ks, "seed": str(seed)}
        page = write_report(
            folder,
            done.outcome,
            title="Reading of " + ", ".join(pool.name for pool in pools),
            command=options.command_line(),
            facts=facts,
        )
        options.show_outcome(done.outcome, page, quiet=quiet, as_json=as_json)
        if not (quiet or as_json):
            print_shares(shares(done.errors))
            for name, told in spreads.items():
                typer.echo(f"{name}: {told}")
        if sheet is not None:
            typer.echo(f"Wrong answers: {sheet}", err=True)


def _sampled(drawn: Sampling, local: str) -> tuple[LLM, Sampling]:
    """Return the model that draws as published where it can, and how it draws."""
    from dataclasses import replace

    from leadline.llm.opening import ModelPlace, is_gguf, kept, open_uncached, with_default

    _local(local) if local else the_model("leadline read")  # which say what does not fit
    place = ModelPlace(local)
    found = with_default(place)
    if found.model and not found.llm and not is_gguf(found.model):  # transformers has its own
        drawn = replace(drawn, top_p=None, top_k=None)
    extra = {"top_p": drawn.top_p, "top_k": drawn.top_k}
    return kept(open_uncached("leadline read", place, extra=extra), place), drawn


def _judge(model: str, url: str, queries: Sequence[Query]) -> Judge | None:
    """Return a judge that tells right choices from wrong ones; None where it does not."""
    from leadline import progress
    from leadline.answering.reader import Judge, judge_rates
    from leadline.errors import InputError
    from leadline.llm.account import current
    from leadline.llm.opening import open_llm, place_beside

    if not model:
        if url:
            raise InputError("--judge-llm URL needs --judge-model NAME: which of its models?")
        return None
    judge = Judge(open_llm("leadline read", place_beside(model, url)))
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
