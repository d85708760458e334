"""The options that several commands share, and what all commands do alike."""

from __future__ import annotations

import inspect
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.report.outcome import Outcome
    from leadline.types import Corpus, Qrels, Query


class _Plain:
    """Shows `--json`, not `--json <bool>`, and fills paragraphs up to the edge of the terminal."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        text: str | None = getattr(self, "help", None)
        if text is not None:
            self.help: Any = "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the flags among them shown without a type."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in parameters:
            if getattr(each, "is_flag", False) and each.metavar is None:
                each.metavar = ""
        return parameters


class Command(_Plain, TyperCommand):
    """A command of Leadline."""


class Group(_Plain, TyperGroup):
    """A group of commands."""


SYSTEM_HELP = (
    "A system, for example [bold]bm25[/bold], [bold]bm25:k1=0.9,b=0.4[/bold], "
    "[bold]minilm[/bold], [bold]dense:intfloat/e5-large-v2[/bold], [bold]hybrid[/bold], "
    "[bold]./mine.py[/bold], [bold]./system.yaml[/bold], [bold]bm25+RERANKER@20[/bold] (a depth of "
    "20); see [bold]leadline list systems[/bold]."
)

Systems = Annotated[
    list[str],
    typer.Option("--system", "-s", metavar="SYSTEM", help=SYSTEM_HELP + " Repeat for several."),
]
Chunks = Annotated[
    str,
    typer.Option(
        metavar="MARK",
        help="Your index holds chunks, whose ids are those of documents, this mark and more: "
        "[bold]#[/bold] cuts [bold]guide.md#3[/bold]. The last mark counts, and the best chunk "
        "of each document. For functions, classes, services and runs.",
    ),
]
Benchmarks = Annotated[
    list[str],
    typer.Option(
        "--benchmark",
        "-b",
        metavar="BENCHMARK",
        help="A name from [bold]leadline list benchmarks[/bold], such as "
        "[bold]implicit-facts[/bold] or [bold]implicit-facts/temporal-multispeaker[/bold], or "
        "a BEIR or benchmark folder. Options follow a colon: "
        "[bold]implicit-facts:wording=question_released[/bold]. Repeat for several.",
    ),
]
Split = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Which judgements of a benchmark folder count: [bold]dev[/bold] is qrels/dev.tsv or "
        "qrels.dev.tsv. Without it, test.",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Read a published benchmark from local files in its published layout, not from a hub.",
    ),
]
Kinds = Annotated[
    list[Path],
    typer.Option(
        "--kind",
        metavar="FILE",
        help="A kind of test of your own: a Python file with a [bold]KIND[/bold]. It is run, so "
        "trust it. Repeatable.",
    ),
]
Out = Annotated[
    Path,
    typer.Option("--out", metavar="DIR", help="Folder for the report and everything behind it."),
]
Seed = Annotated[int, typer.Option("--seed", help="Makes every random choice repeatable.")]
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", help="Use at most N queries (with all their variants)."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table.")]
CompressRuns = Annotated[
    bool,
    typer.Option(
        "--compress-runs",
        help="Write run files as [bold].trec.gz[/bold], about a quarter of the size of [bold].trec"
        "[/bold].",
    ),
]
Reference = Annotated[
    bool,
    typer.Option(
        " /--no-reference",
        help="Leave out bm25, which otherwise runs too and shows what figures are usual.",
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Print the result as JSON on standard output, and nothing else there."
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the plan and exit.")]
CorpusArgument = Annotated[
    str, typer.Argument(metavar="CORPUS", help="Documents, in any form that check takes.")
]
System = Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help=SYSTEM_HELP)]
Junit = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write JUnit XML, for a CI server.")
]
Ladders = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        help="Ladders of conditions: a folder with [bold]ladders.jsonl[/bold], or with the "
        "published tables; without it those of the hub.",
    ),
]
Style = Annotated[
    str,
    typer.Option(metavar="STYLE", help="Queries as [bold]list[/bold] or [bold]prose[/bold]."),
]


@dataclass(frozen=True)
class Reading:
    """How a command reads its corpus."""

    metadata: Annotated[
        bool,
        typer.Option(
            "--metadata", help="Show systems the metadata of documents, not only their text."
        ),
    ] = False
    text_field: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The field of each record that holds its text, where that is not "
            "[bold]text[/bold].",
        ),
    ] = ""
    title_field: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The field that holds the title, where that is not [bold]title[/bold].",
        ),
    ] = ""
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Refuse a folder with a file that cannot be read; else it is left out.",
        ),
    ] = False
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Take N documents only, drawn by the seed: a first look at a large corpus. "
            "Figures look better on fewer documents.",
        ),
    ] = None

    def read(
        self,
        corpus: str | Path,
        seed: int = 0,
        queries: Sequence[Query] = (),
        qrels: Qrels | None = None,
    ) -> tuple[Corpus, Qrels | None]:
        """Return the documents, and the judgements of those that a sample keeps."""
        from leadline.data.documents import read_with_fields, sampled

        documents = read_with_fields(
            corpus, text=self.text_field, title=self.title_field, metadata=self.metadata,
            strict=self.strict,
        )  # fmt: skip
        if self.sample is None:
            return documents, qrels
        return sampled(documents, self.sample, seed, queries, qrels)


AS_IT_IS = Reading()


LlmKeyEnv = Annotated[
    str,
    typer.Option(
        metavar="VARIABLE",
        help="The environment variable that holds the key, if it is not the usual one of the "
        "provider. Never the key itself.",
        rich_help_panel="Language models",
    ),
]
LlmTimeout = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        metavar="SECONDS",
        help="Seconds for one attempt of a call. Default: 120 for an endpoint, an hour for a "
        "model in this process.",
        rich_help_panel="Language models",
    ),
]
MaxTokens = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="N",
        help="Length of an answer, the reasoning of the model included.",
        rich_help_panel="Language models",
    ),
]


@dataclass(frozen=True)
class Asking:
    """The language model of a command, and what it may cost."""

    llm: Annotated[
        str,
        typer.Option(
            "--llm",
            metavar="MODEL",
            help="The language model of every stage that names none: "
            "[bold]openai:gpt-5-mini[/bold], [bold]ollama:qwen3:8b[/bold], "
            "[bold]http://HOST:8000/v1#NAME[/bold], [bold]./model.gguf[/bold], "
            "[bold]hub:OWNER/NAME[/bold] or a folder of weights. More: docs/reference.",
        ),
    ] = ""
    llm_model: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The model, if [bold]--llm[/bold] is an address without one."
        ),
    ] = ""
    llm_key_env: LlmKeyEnv = ""
    llm_effort: Annotated[
        Literal["low", "high"] | None,
        typer.Option(
            help="How much the model is asked at once: [bold]low[/bold] is one small question at "
            "a time, for weak models. Without it, what [bold]leadline llm test[/bold] found; else "
            "low for models of less than 4 billion parameters, as weights or name tell.",
        ),
    ] = None
    llm_prices: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Your own prices (YAML or JSON), before those that Leadline knows.",
        ),
    ] = None
    llm_timeout: LlmTimeout = None
    llm_concurrency: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Calls to an endpoint at once. Default: 32."),
    ] = None
    max_cost: Annotated[
        float | None,
        typer.Option(
            metavar="USD",
            help="Stop before calls cost more; what was answered is kept and not paid twice.",
        ),
    ] = None


@dataclass(frozen=True)
class Spreading:
    """Over what a command spreads its heavy steps."""

    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Spread over N processes of this machine what takes long: the passes over a "
            "corpus (words, second answers, BM25), facts, encoders, rerankers and language models "
            "run here. Results are the same, byte for byte.",
        ),
    ] = 1
    ray: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Spread the same over a Ray cluster, for example "
            "[bold]auto[/bold] or [bold]ray://host:10001[/bold].",
        ),
    ] = ""


_PANELS = {Reading: "Documents", Asking: "Language models", Spreading: "Distribution"}
MODELS = _PANELS[Asking]


def options_of(group: type) -> dict[str, tuple[Any, Any]]:
    """Return the options that the fields of a group stand for: name -> type and default."""
    hints = get_type_hints(group, include_extras=True)
    found = {}
    for each in fields(group):
        if group in _PANELS:
            hints[each.name].__metadata__[0].rich_help_panel = _PANELS[group]
        found[each.name] = (hints[each.name], each.default)
    return found


def reads_corpus(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of how its corpus is read, in the place of its `reading`."""
    added = options_of(Reading)

    @wraps(command)
    def run(**given: Any) -> None:
        from leadline.errors import InputError

        reading = Reading(**{name: given.pop(name) for name in added})
        if reading != AS_IT_IS and not given["corpus"]:
            raise InputError(
                "--metadata, --text-field, --title-field, --strict and --sample say how a CORPUS "
                "is read, and none is given."
            )
        command(reading=reading, **given)

    return with_options(run, command, added, "reading")


def with_options(
    run: Callable[..., None],
    command: Callable[..., None],
    options: Mapping[str, tuple[Any, Any]],
    instead_of: str = "",
) -> Callable[..., None]:
    """Let `run`, which calls a command, show the options of it and further ones.

    options     name -> type and default
    instead_of  the parameter of the command that they stand for; none: they come last
    """
    hints = get_type_hints(command, include_extras=True)  # typer asks the wrapper, not the command
    own = list(inspect.signature(command).parameters.values())
    place = next((n for n, each in enumerate(own) if each.name == instead_of), len(own))
    kind = inspect.Parameter.KEYWORD_ONLY
    shown = [each.replace(annotation=hints.get(each.name), kind=kind) for each in own]
    shown[place : place + 1] = [
        inspect.Parameter(name, kind, default=default, annotation=annotation)
        for name, (annotation, default) in options.items()
    ]
    as_any: Any = run
    as_any.__signature__ = inspect.Signature(shown)
    run.__annotations__ = {each.name: each.annotation for each in shown}
    return run


def command_line() -> str:
    """Return what was typed, for a report, without keys in addresses."""
    from leadline.data.addresses import without_keys

    return shlex.join(["leadline", *map(without_keys, sys.argv[1:])])


def benchmarks_of(
    names: Sequence[str], data: Path | None, kinds: Sequence[Path] = (), split: str = ""
) -> list[Benchmark]:
    """Return the parts of benchmarks, some perhaps of kinds in the user's files."""
    from leadline.systems.benchmarks import load_benchmarks

    add_kinds(kinds)
    return [part for name in names for part in load_benchmarks(name, data, split)]


def add_kinds(paths: Sequence[Path]) -> None:
    """Add the kinds of test in files that the user names."""
    from leadline.kinds.registry import add_kind_at

    for path in paths:
        add_kind_at(path)


def show_outcome(outcome: Outcome, page: Path, *, quiet: bool, as_json: bool) -> None:
    """Print report.json, or tables unless quiet; and where the page lies."""
    from leadline.cli.tables import print_reports

    if as_json:
        print_json(outcome.as_json())
    elif not quiet:
        print_reports(outcome.reports)
    typer.echo(f"Report: {page}", err=True)


def print_json(content: Any) -> None:
    """Print JSON on standard output."""
    typer.echo(json.dumps(content, ensure_ascii=False, indent=1))
