"""Language models on the command line: their options and costs, and how builders use them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from leadline import progress
from leadline.cli import options
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.account import Account, Endpoint
    from leadline.llm.pipeline.steps import Models
    from leadline.system import System
    from leadline.types import LLM, Corpus


@dataclass(frozen=True, kw_only=True)
class Asking:
    """Options that choose a language model and limit its cost.

    Options (Language models):
        llm MODEL: The language model, for every stage that does not name its own:
            [bold]openai:gpt-5-mini[/bold], [bold]ollama:qwen3:8b[/bold],
            [bold]http://HOST:8000/v1#NAME[/bold], [bold]./model.gguf[/bold],
            [bold]hub:OWNER/NAME[/bold] or a folder of weights. See
            docs/reference/language-models.md.
        llm_model NAME: The model, if [bold]--llm[/bold] is an address without one.
        llm_effort: How much to ask in one call. [bold]low[/bold] asks one small question at a time,
            for weak models. Default: the result of [bold]leadline llm test[/bold], or else low for
            models below 4 billion parameters.
        llm_prices FILE: Your own prices (YAML or JSON). They override the built-in ones.
        llm_concurrency N: Calls to an endpoint at once. Default: 32.
        max_cost USD: Stop before the calls cost more than this. Answers are cached, so that you
            never pay for one twice.
    """

    llm: str = ""
    llm_model: str = ""
    llm_key_env: str = ""
    llm_effort: Literal["low", "high"] | None = None
    llm_prices: Path | None = None
    llm_timeout: Annotated[float, options.Bounds(0.1)] | None = None
    llm_concurrency: options.Count | None = None
    max_cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class Spreading:
    """Options that spread heavy steps over processes or machines.

    Options (Distribution):
        workers N: Use N processes of this machine for slow steps: BM25 and other passes over the
            corpus, facts, encoders, rerankers, and language models on this machine. The results
            are the same, byte for byte.
        ray ADDRESS: Use a Ray cluster for the same steps, such as [bold]auto[/bold] or
            [bold]ray://host:10001[/bold].
    """

    workers: int = 1
    ray: str = ""


@dataclass(frozen=True, kw_only=True)
class Writing:
    """Options for the models that write tests and read them back.

    Options (Language models):
        verify_model NAME: The model that checks what was written, named as for [bold]--llm[/bold],
            or by its name at the same endpoint. Default: the model that wrote it.
        verify_llm URL: The endpoint of that model, if it is not that of [bold]--llm[/bold].
        verify_key_env VARIABLE: The environment variable that holds the key of
            [bold]--verify-llm[/bold].
        attempts N: Try this many drafts of a record, then drop it.
    """

    verify_model: str = ""
    verify_llm: str = ""
    verify_key_env: str = ""
    attempts: options.Count = 3
    max_tokens: options.Count = 3_000

    def models(self) -> Models | None:
        """Return writer and reader, or None without --llm.

        The key of one endpoint is never sent to another.
        """
        from leadline.llm.opening import default_endpoint, effort_of, open_llm, place_beside
        from leadline.llm.pipeline.steps import Models

        of_reader = (self.verify_model, self.verify_llm, self.verify_key_env)
        if default_endpoint() is None:
            if any(of_reader):
                raise InputError(
                    "--verify-model, --verify-llm and --verify-key-env need --llm. Tests built by "
                    "rules are not verified."
                )
            return None
        writer = verifier = the_model("leadline synthesize")
        if self.verify_model:
            verifier = open_llm("leadline synthesize", place_beside(*of_reader))
        elif any(of_reader):
            raise InputError("--verify-llm and --verify-key-env need --verify-model NAME.")
        return Models(writer, verifier, self.attempts, self.max_tokens, effort=effort_of(writer))


def with_models(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of language models and of distribution.

    The command's calls are counted, and its heavy steps run on the workers asked for.
    """
    models, places = map(options.options_of, (Asking, Spreading))

    def run(**given: Any) -> None:
        from leadline.data.spreading import engine, spreading_over

        asking = {each.name: given.pop(each.name) for each in models}
        spread = engine(**{each.name: given.pop(each.name) for each in places})
        dry_run = bool(given.get("dry_run"))
        with language_models(**asking, dry_run=dry_run), spreading_over(spread):
            command(**given)

    return options.with_options(run, command, [*models, *places])


def with_writers(command: Callable[..., None]) -> Callable[..., None]:
    """Give a builder the options of its models. Its parameter `models` is None without --llm."""
    added = options.options_of(Writing)

    def run(**given: Any) -> None:
        writing = Writing(**{each.name: given.pop(each.name) for each in added})
        command(**given, models=writing.models())

    return with_models(options.with_options(run, command, added, "models"))


@contextmanager
def language_models(*, dry_run: bool = False, **given: Any) -> Iterator[Account]:
    """Count the calls made inside the block, and print them at its end.

    Stages that name no model use that of `--llm`. Answers go to the user's cache.

    Raises InputError if the options (`given`) contradict each other.
    """
    from leadline.llm.account import Account
    from leadline.llm.connection import OutageError
    from leadline.llm.prices import Prices

    asking = Asking(**given)
    account = Account(
        Prices(asking.llm_prices),
        max_cost=asking.max_cost,
        dry_run=dry_run,
        default=_endpoint(asking.llm, asking.llm_model, asking.llm_key_env),
        effort=asking.llm_effort,
        concurrency=asking.llm_concurrency or 0,
        timeout=asking.llm_timeout or 0.0,
    )
    try:
        with account.kept():
            yield account
        for line in account.lines:
            if line.silence:
                raise OutageError(line.silence)
    finally:
        for line in account.lines:
            if line.calls or line.hits:
                typer.echo(f"{'Would ask ' if dry_run else ''}{line}", err=True)


def the_model(stage: str) -> LLM:
    """Return the model of `--llm`, with its cache and call counts.

    Raises InputError, which names the `stage` that needs the model, if there is none.
    """
    from leadline.llm import opening
    from leadline.llm.account import current

    kept = current()
    if kept is None or kept.default is None:
        forms = f"--llm NAME, for example {opening.FORMS}"
        raise InputError(f"{stage} needs a language model: {forms}.")
    return opening.open_llm(stage, opening.ModelPlace())


def plan(systems: Sequence[System], benchmarks: Iterable[Benchmark], limit: int | None) -> None:
    """Count the calls that systems would make on benchmarks, for a dry run.

    No model is called. The first search runs all the same: what it finds is what a reranker would
    ask the model about.
    """
    from leadline.evaluation import limited

    asking = [system for system in systems if _asks(system)]
    for benchmark in benchmarks if asking else ():
        part = limited(benchmark.validated(), limit)
        for system in asking:
            system.run(part.corpus, part.queries, part.candidates, seed=part.order(0))


def _asks(system: Any) -> bool:
    from leadline.llm.cached import line_in

    stages = [system.retriever, *system.rerankers]
    stages += [stage.enricher for stage in stages if hasattr(stage, "enricher")]
    return any(
        line_in(getattr(stage, "llm", None)) or (hasattr(stage, "rerankers") and _asks(stage))
        for stage in stages
    )


def _endpoint(url: str, model: str, key_env: str) -> Endpoint | None:
    from leadline.llm import opening
    from leadline.llm.account import Endpoint

    if not url:
        if model or key_env:
            raise InputError("--llm-model and --llm-key-env need --llm.")
        return None
    is_address = opening.is_address(url)
    if is_address and not model:
        raise InputError(
            f"--llm {url} needs a model: write --llm {url}#NAME, or add --llm-model NAME."
        )
    if model and not is_address:
        raise InputError(f"--llm {url} already names a model. Leave out --llm-model {model}.")
    return Endpoint(url, model, key_env) if is_address else opening.find_model(url, key_env)


def built(
    name: str,
    build: Callable[..., Benchmark],
    documents: Corpus,
    models: Models | None,
    out: Path,
    *,
    dry_run: bool,
    is_tried: bool = True,
    **given: Any,
) -> Benchmark | None:
    """Return what rules build, or what models write after a trial of their reader.

    Returns None in a dry run. Raises InputError if every record was dropped.
    """
    from leadline.checking.probes import left_out_of, written
    from leadline.data.writing import output_folder

    if models is None:
        made = build(documents, **given)
    else:
        folder = None if dry_run else output_folder(out)
        made = written(name, build, documents, models, folder, is_tried=is_tried, **given)
    if not made.queries and not (dry_run and models):
        reasons = ", ".join(f"{count} {why}" for why, count in made.built["dropped"].items())
        raise InputError(f"Could not build any {name} from {given['source']}: {reasons}.")
    if dry_run:
        typer.echo(f"Would write the benchmark to {out}.")
        return None
    if told := left_out_of(made):
        progress.say(told)
    return made
