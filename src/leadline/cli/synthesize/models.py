"""The models of a builder, writer and reader: the options that all builders share, and a run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from leadline.cli import options
from leadline.cli.language_models import with_models

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.pipeline.models import Models
    from leadline.types import Corpus

_PANEL = "Language models"


def _option(kind: Any, about: str, **how: Any) -> Any:
    return Annotated[kind, typer.Option(help=about, rich_help_panel=_PANEL, **how)]


_VERIFY = {
    "verify_model": (
        _option(
            str,
            "The model that reads back what was written, named as for [bold]--llm[/bold], or by "
            "its name at the same endpoint. Without it, the one that wrote it.",
            metavar="NAME",
        ),
        "",
    ),
    "verify_llm": (
        _option(
            str, "Its endpoint, where it is not that of [bold]--llm[/bold].", metavar="URL"
        ),
        "",
    ),
    "verify_key_env": (
        _option(
            str,
            "The environment variable that holds the key of [bold]--verify-llm[/bold].",
            metavar="VARIABLE",
        ),
        "",
    ),
    "attempts": (
        _option(int, "Drafts of a record before it is dropped.", min=1, metavar="N"), 3
    ),
    "max_tokens": (options.MaxTokens, 3_000),
    "assume_refused": (
        _option(
            float | None,
            "For [bold]--dry-run[/bold]: the share of drafts and readings that are refused and "
            "made again; without it what each step assumes.",
            min=0, max=1, metavar="SHARE",
        ),
        None,
    ),
}  # fmt: skip


def with_writers(command: Callable[..., None]) -> Callable[..., None]:
    """Give a builder the options of its models; its parameter `models` is None without --llm."""

    def run(**given: Any) -> None:
        from leadline.llm.account import current

        verify = {name: given.pop(name) for name in _VERIFY}
        refused, kept = verify.pop("assume_refused"), current()
        if kept is not None:
            kept.refused = refused
        command(**given, models=_models(**verify))

    hints = _hints_but_models(command)
    own = [
        each.replace(annotation=hints[each.name])
        for each in inspect.signature(command).parameters.values()
        if each.name in hints
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in _VERIFY.items()
    ]
    run.__doc__, run.__name__ = command.__doc__, command.__name__
    run.__annotations__ = {each.name: each.annotation for each in (*own, *added)}
    as_any: Any = run
    as_any.__signature__ = inspect.Signature([*own, *added])
    return with_models(run)


def _hints_but_models(command: Callable[..., None]) -> dict[str, Any]:
    """Return the types of the parameters that are options."""
    bare = FunctionType(command.__code__, command.__globals__)
    bare.__annotations__ = {
        name: kind
        for name, kind in command.__annotations__.items()
        if name not in ("models", "return")
    }
    return get_type_hints(bare, include_extras=True)


def _models(
    *, verify_model: str, verify_llm: str, verify_key_env: str, attempts: int, max_tokens: int
) -> Models | None:
    """Return writer and verifier; the key of one endpoint never goes to another."""
    from leadline.cli.language_models import the_model
    from leadline.errors import InputError
    from leadline.llm.opening import default_endpoint, effort_of, open_llm, place_beside
    from leadline.llm.pipeline.models import Models

    if default_endpoint() is None:
        if verify_model or verify_llm or verify_key_env:
            raise InputError(
                "--verify-model, --verify-llm and --verify-key-env belong to --llm, which is "
                "missing: by rules, nothing has to be verified."
            )
        return None
    writer = the_model("leadline synthesize")
    if not verify_model and (verify_llm or verify_key_env):
        raise InputError("--verify-llm and --verify-key-env need --verify-model NAME: which model?")
    verifier = writer
    if verify_model:
        place = place_beside(verify_model, verify_llm, verify_key_env)
        verifier = open_llm("leadline synthesize", place)
    return Models(writer, verifier, attempts, max_tokens, effort=effort_of(writer))


def by_model(
    name: str,
    build: Callable[..., Benchmark],
    documents: Corpus,
    models: Models,
    out: Path,
    *,
    dry_run: bool,
    is_tried: bool = True,
    **given: Any,
) -> Benchmark | None:
    """Return what models write, their reader tried first, and say what was left out.

    None in a dry run. Raises InputError when nothing is left.
    """
    from leadline import progress
    from leadline.checking.probes import left_out_of, written
    from leadline.data.writing import output_folder
    from leadline.errors import InputError

    folder = None if dry_run else output_folder(out)
    made = written(name, build, documents, models, folder, is_tried=is_tried, **given)
    if folder is None:
        typer.echo(f"Would write the benchmark to {out}.")
        return None
    if not made.queries:
        reasons = ", ".join(f"{count} {why}" for why, count in made.built["dropped"].items())
        raise InputError(f"{given['source']} gives no {name}: {reasons}.")
    progress.say(left_out_of(made))
    return made
