"""What the options of language models mean for a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import typer

from leadline.cli import options

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.account import Account, Endpoint
    from leadline.system import System
    from leadline.types import LLM


def with_models(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of language models and of distribution.

    It runs inside their account, as a dry run where it is called as one, and with its heavy steps
    spread over the workers asked for.
    """
    models, places = map(options.options_of, (options.Asking, options.Spreading))

    @wraps(command)
    def run(**given: Any) -> None:
        from leadline.data.spreading import engine, spreading_over

        asking = {name: given.pop(name) for name in models}
        spread = engine(**{name: given.pop(name) for name in places})
        dry_run = bool(given.get("dry_run"))
        with language_models(**asking, dry_run=dry_run), spreading_over(spread):
            command(**given)

    return options.with_options(run, command, {**models, **places})


@contextmanager
def language_models(*, dry_run: bool = False, **given: Any) -> Iterator[Account]:
    """Keep an account for what runs inside the block, and say at its end what was asked.

    given  the options of `options.Asking`

    Stages that name no model take that of `--llm`; answers are kept in the user's cache.

    Raises InputError when the options do not fit each other.
    """
    from leadline.llm.account import Account
    from leadline.llm.connection import OutageError
    from leadline.llm.prices import Prices

    asking = options.Asking(**given)
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
    """Return the model of `--llm`, its answers kept and its calls booked.

    stage  what needs it, for the error

    Raises InputError when there is none.
    """
    from leadline.errors import InputError
    from leadline.llm import opening
    from leadline.llm.account import current

    kept = current()
    if kept is None or kept.default is None:
        forms = f"--llm NAME, for example {opening.FORMS}"
        raise InputError(f"{stage} needs a language model: {forms}.")
    return opening.open_llm(stage, opening.ModelPlace())


def plan(systems: Sequence[System], benchmarks: Iterable[Benchmark], limit: int | None) -> None:
    """Count what systems would ask on benchmarks, inside the account of a dry run.

    First stages run, since what a reranker is asked depends on what they find; no model is asked.
    Systems without a language model are left alone.
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
    from leadline.errors import InputError
    from leadline.llm import opening
    from leadline.llm.account import Endpoint

    if not url:
        if model or key_env:
            raise InputError("--llm-model and --llm-key-env belong to --llm, which is missing.")
        return None
    is_address = opening.is_address(url)
    if is_address and not model:
        raise InputError(f"--llm {url} needs a model: --llm {url}#NAME, or --llm-model NAME.")
    if model and not is_address:
        raise InputError(f"--llm {url} names its model already: leave out --llm-model {model}.")
    return Endpoint(url, model, key_env) if is_address else opening.find_model(url, key_env)
