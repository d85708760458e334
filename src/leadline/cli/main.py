"""The leadline command: it runs subcommands, and prints an error as one line with an exit code."""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated, Any

import typer

from leadline import __version__
from leadline.cli import (
    analyse,
    check,
    compare_and_gate,
    diagnose,
    evaluate,
    export,
    judge,
    list,
    llm,
    read,
    repair,
    search,
    show_run,
    test,
    train,
)  # fmt: skip
from leadline.cli.options import Command, Group, described
from leadline.cli.synthesize import (
    conditions,
    implicit_facts,
    instructions,
    questions,
    reasoning,
    rephrasings,
)  # fmt: skip
from leadline.data.locks import holding
from leadline.errors import LeadlineError, unknown
from leadline.plugins import check_installed, find, plugins

_CANNOT_WRITE = (errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EFBIG)
_HELP = """Find out where retrieval breaks on complex queries, why, and repair it.

Start with [bold]leadline check CORPUS[/bold], where CORPUS is a folder of text, Markdown or HTML
files, a .jsonl, .csv or .parquet file, or a BEIR folder. It builds tests from your documents, runs
search systems on them and writes one report.
"""


class _Commands(Group):
    """Our commands and those of installed packages. An error that the user can fix is one line."""

    def list_commands(self, ctx: Any) -> Any:
        return [*super().list_commands(ctx), *plugins("commands")]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or _of_package(cmd_name)

    def invoke(self, ctx: Any) -> Any:
        try:
            with holding():
                return super().invoke(ctx)
        except LeadlineError as error:
            line = " ".join(str(error).split())
            typer.echo(f"leadline: {line}", err=True)
            raise SystemExit(2) from error
        except KeyboardInterrupt:
            typer.echo(
                "leadline: interrupted. Finished steps are saved. Run the same command again to "
                "continue.",
                err=True,
            )
            raise SystemExit(130) from None


def _of_package(name: str) -> Any:
    """Return the command that an installed package adds under a name, or None."""
    if name not in plugins("commands"):
        check_installed("commands", name)
        return None
    command = find("commands", name)
    if not isinstance(command, typer.Typer):
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(cls=Command)(command)
        command = alone
    made = typer.main.get_command(command)
    made.name = name
    return made


class _Builders(Group):
    """The builders. An unknown name is answered with the names that exist."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if found := super().get_command(ctx, cmd_name):
            return found
        known = self.list_commands(ctx)
        raise unknown("kind of benchmark", cmd_name, known, f"There are {', '.join(known)}.")


def _group(cls: type[Group], help_: str, *commands: Any) -> typer.Typer:
    """Return a group of commands. A function called `synthesize` is named after its module."""
    made = typer.Typer(
        cls=cls, no_args_is_help=True, rich_markup_mode="rich", help=help_,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )  # fmt: skip
    for each in commands:
        own = each.__module__ if each.__name__ == "synthesize" else each.__name__
        shown = own.rpartition(".")[2].replace("_", "-")
        made.command(name=shown, cls=Command)(described(each))
    return made


app = _group(
    _Commands, _HELP,
    check.check, evaluate.evaluate, search.search, compare_and_gate.compare, compare_and_gate.gate,
    test.test, judge.judge, read.read, diagnose.diagnose, repair.repair, show_run.show_run,
    export.export,
)  # fmt: skip
app.command(name="errors", hidden=True, cls=Command)(diagnose.diagnose)  # its name before
app.command(name="list", cls=Command)(described(list.show))
app.add_typer(
    _group(
        _Builders,
        "Build a benchmark from documents, by rules or with --llm by a language model. Run it "
        "with `leadline evaluate -b DIR`.\n\nExample: leadline synthesize conditions my-notes/ "
        "--out conditions/ --seed 7",
        conditions.synthesize, implicit_facts.synthesize, instructions.synthesize,
        questions.synthesize, reasoning.synthesize, rephrasings.synthesize,
    ), name="synthesize",
)  # fmt: skip
app.add_typer(
    _group(
        Group, "Study what an encoder or a cross-encoder looks at, and where.",
        analyse.position, analyse.attention, analyse.length,
        analyse.statistics, analyse.agreement, analyse.traces, analyse.spread,
    ), name="analyse",
)  # fmt: skip
app.add_typer(
    _group(Group, "Train a model on your documents.", train.retriever, train.reasoner),
    name="train",
)
app.add_typer(_group(Group, "Language models.", llm.test), name="llm")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"leadline {__version__}")
        raise typer.Exit


@app.callback()
def _leadline(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    if not sys.stderr.isatty():  # progress bars of other libraries would fill a log
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in _CANNOT_WRITE:
            raise
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), 1
        )  # Python would try to write the rest again at exit
        if error.errno == errno.EPIPE:  # the reader, such as `head`, has closed the pipe
            raise SystemExit(1) from None
        typer.echo(f"leadline: cannot write to standard output: {error.strerror}.", err=True)
        raise SystemExit(2) from error


if __name__ == "__main__":
    main()
