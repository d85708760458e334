"""leadline read: a language model answers questions from documents, and is scored."""

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

    Rules classify wrong answers: malformed, no answer, or taken from another document. The rest is
    on the review sheet for you to judge (reading-errors.csv and .html).

    Multiple-choice questions (gpqa) are scored by the letter of the final answer, as the mean of
    several runs.

    Example: leadline read -b implicit-facts --data impliret/ --llm URL --llm-model NAME

    Or: leadline read -b gpqa --data gpqa_diamond.csv --corpus pool.jsonl -s bm25 --llm URL
    --llm-model NAME

    Options:
        k K: How many documents to show. Default: 1, 10 and 30, or 3 for questions with choices.
            Repeatable.
        system SYSTEM: Show the first documents of this system, best first. Default: an oracle that
            always shows the relevant document. Repeatable.
        negatives: Where the oracle takes the other documents from: the same tuple set, or the whole
            pool, as one of the published scripts does.
        rouge: Which ROUGE-1 recall to use: that of the rouge-score package, the same without
            stemming, the formula in the paper, or that of the published script.
        seed: Seed of the drawn documents, their order, and the first run.
        review N: Put this many wrong answers on the review sheet, for each k and part.

    Options (Questions with lettered choices):
        corpus CORPUS: Documents to search for a benchmark that has none, such as gpqa. Without a
            system, the model answers without documents.
        temperature T: Sampling temperature. Default: 0.8, as published. Repeatable.
        runs N: Ask every question this often, with seeds from --seed on. Default: 3.
        judge_model NAME: A model that also judges whether an answer is right. Named as for --llm,
            or by its name at the same endpoint or at that of --judge-llm.
        judge_llm URL: The endpoint of that model.

    Options (Language models):
        max_tokens N: Longest answer in tokens, including the model's reasoning. Default: 256, or
            8192 for questions with choices.
        local MODEL: A model on this machine: a GGUF file, a folder, or a name on the hub.
        prompt FILE: Your own prompt: a text with $documents, $question and, for a forum,
            $forum_question.
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
            raise InputError("--prompt does not apply to questions with lettered choices.")
        if hint and (of_choices or prompt):
            raise InputError(
                "--hint changes only Leadline's own prompt. Leave out --prompt, and use questions "
                "without choices."
            )
        if not of_choices and (corpus or temperature or runs or judge_model or judge_llm):
            raise InputError(
                "--corpus, --temperature, --runs and --judge-model need questions with lettered "
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
    """Return the model with the published sampling if it supports that, and the sampling used."""
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
    """Return a judge that passed its trial on right and wrong choices, or None."""
    from leadline.answering.reader import Judge, judge_rates
    from leadline.llm.account import current
    from leadline.llm.opening import open_llm, place_beside

    if not model:
        if url:
            raise InputError("--judge-llm URL needs --judge-model NAME.")
        return None
    judge = Judge(open_llm("leadline read", place_beside(model, url)))
    rates = judge_rates(judge, queries)
    if (kept := current()) is not None and kept.dry_run:
        return judge
    if rates.is_fit:
        progress.say(f"{rates}.")
        return judge
    progress.warn(f"{rates}. The judge is not used. Answers are scored by their letter.")
    return None


def _local(model: str) -> LLM:
    from leadline.llm.opening import ModelPlace, default_endpoint, open_llm

    if default_endpoint() is not None:
        raise InputError("--local and --llm both name the model. Give only one of them.")
    return open_llm("leadline read", ModelPlace(model=model))
