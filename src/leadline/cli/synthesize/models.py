"""The models of a builder, writer and reader: the options that all builders share, and a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options
from leadline.cli.language_models import with_models

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.pipeline.steps import Models
    from leadline.types import Corpus


def _option(about: str, **how: Any) -> Any:
    return typer.Option(help=about, rich_help_panel=options.MODELS, **how)


@dataclass(frozen=True)
class Writing:
    """How models write and read what is built."""

    verify_model: Annotated[
        str,
        _option(
            "The model that reads back what was written, named as for [bold]--llm[/bold], or by "
            "its name at the same endpoint. Without it, the one that wrote it.",
            metavar="NAME",
        ),
    ] = ""
    verify_llm: Annotated[
        str,
        _option("Its endpoint, where it is not that of [bold]--llm[/bold].", metavar="URL"),
    ] = ""
    verify_key_env: Annotated[
        str,
        _option(
            "The environment variable that holds the key of [bold]--verify-llm[/bold].",
            metavar="VARIABLE",
        ),
    ] = ""
    attempts: Annotated[
        int, _option("Drafts of a record before it is dropped.", min=1, metavar="N")
    ] = 3
    max_tokens: options.MaxTokens = 3_000
    assume_refused: Annotated[
        float | None,
        _option(
            "For [bold]--dry-run[/bold]: the share of drafts and readings that are refused and "
            "made again; without it what each step assumes.",
            min=0, max=1, metavar="SHARE",
        ),
    ] = None  # fmt: skip

    def models(self) -> Models | None:
        """Return writer and reader, None without --llm; a key never goes to another endpoint."""
        from leadline.cli.language_models import the_model
        from leadline.errors import InputError
        from leadline.llm.account import current
        from leadline.llm.opening import default_endpoint, effort_of, open_llm, place_beside
        from leadline.llm.pipeline.steps import Models

        if (account := current()) is not None:
            account.refused = self.assume_refused
        of_reader = (self.verify_model, self.verify_llm, self.verify_key_env)
        if default_endpoint() is None:
            if any(of_reader):
                raise InputError(
                    "--verify-model, --verify-llm and --verify-key-env belong to --llm, which is "
                    "missing: by rules, nothing has to be verified."
                )
            return None
        writer = verifier = the_model("leadline synthesize")
        if self.verify_model:
            verifier = open_llm("leadline synthesize", place_beside(*of_reader))
        elif any(of_reader):
            raise InputError(
                "--verify-llm and --verify-key-env need --verify-model NAME: which model?"
            )
        return Models(writer, verifier, self.attempts, self.max_tokens, effort=effort_of(writer))


def with_writers(command: Callable[..., None]) -> Callable[..., None]:
    """Give a builder the options of its models; its parameter `models` is None without --llm."""
    added = options.options_of(Writing)

    @wraps(command)
    def run(**given: Any) -> None:
        writing = Writing(**{name: given.pop(name) for name in added})
        command(**given, models=writing.models())

    return with_models(options.with_options(run, command, added, "models"))


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
