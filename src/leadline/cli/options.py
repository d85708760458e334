"""How a function becomes a command, and the options that commands share.

A command is a plain function. Parameters before `*` are arguments, those after it are options.
Their help is in its docstring, or in `_SHARED` if several commands take them:

    Options (heading in the help, perhaps):
        max_drop X: The largest loss that passes.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce, wraps
from operator import or_
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)  # fmt: skip

import typer
from typer.core import TyperCommand, TyperGroup

from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.report.outcome import Outcome
    from leadline.types import Corpus, Qrels, Query


class _Plain:
    """Shows `--json`, not `--json <bool>`, and wraps paragraphs at the width of the terminal."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        text: str | None = getattr(self, "help", None)
        if text is not None:
            self.help: Any = "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters. Flags are shown without a type."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in parameters:
            if getattr(each, "is_flag", False) and each.metavar is None:
                each.metavar = ""
        return parameters


class Command(_Plain, TyperCommand):
    """A command of Leadline."""


class Group(_Plain, TyperGroup):
    """A group of commands."""


class Bounds(NamedTuple):
    """The smallest and largest value that an option takes."""

    least: float
    most: float | None = None


Count = Annotated[int, Bounds(1)]

_SHARED = """Options that several commands take.

Options:
    corpus: Your documents, in any format of [bold]leadline check[/bold].
    system SYSTEM: A system, for example [bold]bm25[/bold], [bold]bm25:k1=0.9,b=0.4[/bold],
        [bold]minilm[/bold], [bold]dense:intfloat/e5-large-v2[/bold], [bold]hybrid[/bold],
        [bold]./mine.py[/bold], [bold]./system.yaml[/bold], [bold]bm25+RERANKER@20[/bold] (a depth
        of 20). See [bold]leadline list systems[/bold].
    chunks MARK: Your search returns chunks. Their ids are a document id, this mark and a suffix:
        with [bold]#[/bold], [bold]guide.md#3[/bold] belongs to guide.md. The best chunk of each
        document counts. For functions, classes, services and runs.
    benchmark BENCHMARK: A name from [bold]leadline list benchmarks[/bold], such as
        [bold]implicit-facts[/bold] or [bold]implicit-facts/temporal-multispeaker[/bold], or a BEIR
        or benchmark folder. Options follow a colon:
        [bold]implicit-facts:wording=question_released[/bold]. Repeat for several.
    split NAME: Which judgements of a benchmark folder count: [bold]dev[/bold] is qrels/dev.tsv or
        qrels.dev.tsv. Without it, test.
    data DIR: Read a published benchmark from local files in its published layout, not from a hub.
    kind FILE: Your own kind of test: a Python file with a [bold]KIND[/bold]. The file is executed,
        so use only one that you trust. Repeatable.
    queries FILE: Your own queries, in any format of [bold]leadline check[/bold].
    qrels FILE: Judgements of those queries.
    out DIR: Folder for the report and its data.
    seed: Makes every random choice repeatable.
    limit N: Use at most N queries (with all their variants).
    quiet: No progress, no table.
    compress_runs: Write run files as [bold].trec.gz[/bold], about a quarter of the size.
    no_reference: Do not also run bm25, which shows how hard the tests are.
    as_json: Print the result as JSON on standard output, and nothing else there.
    dry_run: Print the plan and exit.
    junit FILE: Also write JUnit XML, for a CI server.
    base: The output folder to compare with.
    new: The output folder to judge.
    metric METRIC: Compare this metric, not the main ones of each kind. Repeatable.
    base_system SYSTEM: The system of BASE. By default systems are paired by name; single systems
        are paired with each other.
    new_system SYSTEM: The system of NEW.
    markdown FILE: Also write a table in Markdown, for a pull request.

Options (Language models):
    llm_key_env VARIABLE: The environment variable that holds the key, if it is not the usual one of
        the provider. Never the key itself.
    llm_timeout SECONDS: Seconds for one attempt of a call. Default: 120 for an endpoint, one hour
        for a model on this machine.
    max_tokens N: Longest answer in tokens, including the model's reasoning.
"""
_FLAGS = {
    "system": ("--system", "-s"), "benchmark": ("--benchmark", "-b"), "k": ("-k",),
    "quiet": ("--quiet", "-q"), "as_json": ("--json",),
}  # fmt: skip
_REPEATED = {"system": " Repeat for several."}


def _documented(text: str) -> dict[str, dict[str, Any]]:
    """Return the help, metavar and panel of each option, as its docstring gives them."""
    found: dict[str, dict[str, Any]] = {}
    for panel, block in re.findall(r"^Options(?: \((.*)\))?:\n((?:    .*\n?|\n)+)", text, re.M):
        for each in re.split(r"\n(?=    \w)", block.rstrip()):
            option = re.match(r"    (\w+)(?: ([^:\n]+))?: (.*)", each, re.DOTALL)
            assert option is not None, each
            name, metavar, help_ = option.groups()
            shown = {"metavar": metavar, "rich_help_panel": panel}
            told = {key: value for key, value in shown.items() if value}
            found[name] = {"help": " ".join(help_.split()), **told}
    return found


_COMMON = _documented(_SHARED)


def options_of(shown: Any) -> list[inspect.Parameter]:
    """Return the parameters of a command or a class of options, each with its help."""
    told = _COMMON | _documented(inspect.cleandoc(shown.__doc__ or ""))
    hints = get_type_hints(shown, include_extras=True)
    found = []
    for each in inspect.signature(shown).parameters.values():
        kind, bounds = _plain(hints[each.name])
        default, how = each.default, dict(told.get(each.name, {}))
        if get_origin(kind) is list:
            default = list(default) if isinstance(default, tuple) else default
            if told.get(each.name) is _COMMON.get(each.name):
                how["help"] += _REPEATED.get(each.name, "")
        if bounds is not None:
            how |= {"min": bounds.least, "max": bounds.most}
        if how and each.kind is each.KEYWORD_ONLY:
            flags = _FLAGS.get(each.name, (f"--{each.name.replace('_', '-')}",))
            kind = Annotated[kind, typer.Option(*flags, **how)]
        elif how:
            kind = Annotated[kind, typer.Argument(**{"metavar": each.name.upper(), **how})]
        found.append(each.replace(annotation=kind, default=default))
    return found


def _plain(hint: Any) -> tuple[Any, Bounds | None]:
    """Return a type that typer understands, and the bounds of its values."""
    if get_origin(hint) in (Union, UnionType):
        parts = [_plain(each) for each in get_args(hint)]
        bounds = next((each for _, each in parts if each), None)
        return reduce(or_, [kind for kind, _ in parts]), bounds
    if get_origin(hint) is Annotated:
        kind, about = get_args(hint)
        return (kind, about) if isinstance(about, Bounds) else (hint, None)
    if get_origin(hint) is Sequence:
        kind, bounds = _plain(get_args(hint)[0])
        return list[kind], bounds  # type: ignore[valid-type]
    return hint, None


def described(command: Callable[..., None]) -> Any:
    """Give typer the help of the parameters, which is in the docstring of a command."""
    if not hasattr(command, "is_described"):
        _show(command, options_of(command))
        text = inspect.cleandoc(command.__doc__ or "")
        command.__doc__ = re.split(r"^Options.*:$", text, flags=re.MULTILINE)[0].rstrip()
        vars(command)["is_described"] = True
    return command


def with_options(
    run: Callable[..., None],
    command: Callable[..., None],
    added: Sequence[inspect.Parameter],
    instead_of: str = "",
) -> Callable[..., None]:
    """Let `run`, which calls a command, show the command's options and further ones.

    The further ones replace the parameter `instead_of`; if it is empty, they come last.
    """
    own = list(inspect.signature(described(command)).parameters.values())
    place = next((n for n, each in enumerate(own) if each.name == instead_of), len(own))
    shown = [*own[:place], *added, *own[place + 1 :]]
    run = wraps(command)(run)
    _show(run, [each.replace(kind=each.KEYWORD_ONLY) for each in shown])
    return run


def _show(run: Any, parameters: Sequence[inspect.Parameter]) -> None:
    run.__signature__ = inspect.Signature(parameters)
    run.__annotations__ = {each.name: each.annotation for each in parameters}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a command reads its corpus.

    Options (Documents):
        metadata: Give systems the metadata of documents, not only their text.
        text_field NAME: The field of each record that holds its text, if it is not
            [bold]text[/bold].
        title_field NAME: The field that holds the title, if it is not [bold]title[/bold].
        strict: Stop if a file of the folder cannot be read. By default it is left out.
        sample N: Use only N documents, drawn by the seed, for a first look at a large corpus.
            Search is easier among fewer documents, so expect better figures.
    """

    metadata: bool = False
    text_field: str = ""
    title_field: str = ""
    strict: bool = False
    sample: Count | None = None

    def read(
        self,
        corpus: str | Path,
        seed: int = 0,
        queries: Sequence[Query] = (),
        qrels: Qrels | None = None,
    ) -> tuple[Corpus, Qrels | None]:
        """Return the documents (a sample if asked), and the judgements that still apply to them."""
        from leadline.data.documents import read_with_fields, sampled

        documents = read_with_fields(
            corpus, text=self.text_field, title=self.title_field, metadata=self.metadata,
            strict=self.strict,
        )  # fmt: skip
        if self.sample is None:
            return documents, qrels
        return sampled(documents, self.sample, seed, queries, qrels)


AS_IT_IS = Reading()


def reads_corpus(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Reading` in place of its parameter `reading`."""
    added = options_of(Reading)

    def run(**given: Any) -> None:

        reading = Reading(**{each.name: given.pop(each.name) for each in added})
        if reading != AS_IT_IS and not given["corpus"]:
            raise InputError(
                "--metadata, --text-field, --title-field, --strict and --sample need a CORPUS."
            )
        command(reading=reading, **given)

    return with_options(run, command, added, "reading")


def command_line() -> str:
    """Return the command line for a report, without keys in addresses."""
    from leadline.data.addresses import without_keys

    return shlex.join(["leadline", *map(without_keys, sys.argv[1:])])


def benchmarks_of(
    names: Sequence[str], data: Path | None, kinds: Sequence[Path] = (), split: str = ""
) -> list[Benchmark]:
    """Return the benchmarks by name (one for each part), those of `--kind` files included."""
    from leadline.systems.benchmarks import load_benchmarks

    add_kinds(kinds)
    return [part for name in names for part in load_benchmarks(name, data, split)]


def add_kinds(paths: Sequence[Path]) -> None:
    """Add the kinds of test from files that the user names."""
    from leadline.kinds.registry import add_kind_at

    for path in paths:
        add_kind_at(path)


def show_outcome(outcome: Outcome, page: Path, *, quiet: bool, as_json: bool) -> None:
    """Print report.json, or tables unless quiet, and the path of the page."""
    from leadline.cli.tables import print_reports

    if as_json:
        print_json(outcome.as_json())
    elif not quiet:
        print_reports(outcome.reports)
    typer.echo(f"Report: {page}", err=True)


def print_json(content: Any) -> None:
    """Print JSON on standard output."""
    typer.echo(json.dumps(content, ensure_ascii=False, indent=1))
