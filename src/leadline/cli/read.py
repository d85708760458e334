"""leadline read: a language model answers from the documents that it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import the_model, with_models
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.answering.reader import Judge, Sampling
    from leadline.types import LLM, Query


@options.reads_corpus
@with_models
def read(
    *,
    benchmark: Sequence[str],
    data: Path | None = None,
    split: str = "",
    k: Sequence[int] = (),
    system: Sequence[str] = (),
    chunks: str = "",
    negatives: Literal["set", "all"] = "set",
    rouge: Literal["plain", "plain_nostem", "paper_set", "published"] = "plain",
    corpus: str = "",
    reading: options.Reading = options.AS_IT_IS,
    temperature: Sequence[Annotated[float, options.Bounds(0)]] = (),
    runs: options.Count | None = None,
    judge_model: str = "",
    judge_llm: str = "",
    max_tokens: options.Count | None = None,
    local: str = "",
    out: Path = Path("leadline-out"),
    limit: int | None = None,
    seed: int = 42,
    review: Annotated[int, options.Bounds(0)] = 10,
    prompt: Path | None = None,
    hint: bool = False,
    dry_run: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Let a language model answer from k documents, and score its answers by ROUGE-1 recall.

    Wrong answers are judged by rule: malformed, no answer, or taken from another document. What no
    rule settles is for a person, on the review sheet (reading-errors.csv and .html).

    Questions with lettered choices (gpqa) are scored by the letter that an answer settles on, as
    the mean of several runs.

    Example: leadline read -b implicit-facts --data impliret/ --llm URL --llm-model NAME

    Or: leadline read -b gpqa --data gpqa_diamond.csv --corpus pool.jsonl -s bm25 --llm URL
    --llm-model NAME

    Options:
        k K: How many documents are shown; without it 1, 10 and 30, and 3 for questions with
            choices. Repeatable.
        system SYSTEM: Show what this system ranks first, best first, in the place of an oracle that
            always has the relevant document. Repeatable.
        negatives: Where the oracle takes the other documents from: the same tuple set, or, as one
            of the published scripts does, the whole pool.
        rouge: ROUGE-1 recall: as rouge-score has it, without stemming, the formula as printed, or
            as the published script extracts and scores.
        seed: Of the documents drawn and of their order, and of the first run.
        review N: Wrong answers on the review sheet, of each k and part.

    Options (Questions with lettered choices):
        corpus CORPUS: Documents that systems search for a benchmark that has none, such as gpqa.
            Without systems the book stays closed.
        temperature T: Of the answers; 0.8 as published. Repeatable.
        runs N: Answers to every question, each with a seed of its own, from --seed on; 3 without
            it.
        judge_model NAME: A model that says next to the letter whether an answer is right: named as
            for --llm, or by its name at the same endpoint or that of --judge-llm.
        judge_llm URL: The judge's endpoint.

    Options (Language models):
        max_tokens N: Length of an answer, the reasoning of the model included; 256 without it, and
            8192 for questions with choices.
        local MODEL: A model in this process: a GGUF file, a folder, or a name on the hub.
            [bold]--llm[/bold] takes the first two, too.
        prompt FILE: A prompt of your own, such as the released wording: a text with $documents,
            $question and, for a forum, $forum_question.
        hint: Tell the model that the answer may have to be inferred. The published prompt does not.
    """
    from leadline.answering import reader as answering
    from leadline.checking import load_systems
    from leadline.cli.tables import print_shares
    from leadline.data.writing import output_folder
    from leadline.diagnosis.causes import shares
    from leadline.metrics.answers import ROUGE1Recall
    from leadline.report.page import write_report

    with progress.shown(quiet=quiet):
        pools = options.benchmarks_of(benchmark, data, split=split)
        of_choices = any(map(answering.is_of_choices, pools))
        if of_choices and prompt:
            raise InputError("--prompt is not for questions with lettered choices.")
        if hint and (of_choices or prompt):
            raise InputError("--hint is for our own prompt of questions without choices.")
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
            ROUGE1Recall(mode=rouge),
            answering.read_prompt(prompt) if prompt else None,
            hint,
            drawn,
            _judge(judge_model, judge_llm, [query for pool in pools for query in pool.queries]),
        )
        plan = answering.Plan(
            ks=k,
            negatives=negatives,
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
    from leadline.answering.reader import Judge, judge_rates
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
    from leadline.llm.opening import ModelPlace, default_endpoint, open_llm

    if default_endpoint() is not None:
        raise InputError("--local and --llm both name the model that reads: give one of them.")
    return open_llm("leadline read", ModelPlace(model=model))
