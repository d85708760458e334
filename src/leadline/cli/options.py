"""The options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

if TYPE_CHECKING:
    from leadline.types import Corpus, Qrels, Query

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
Json = Annotated[
    bool,
    typer.Option("--json", help="Print report.json on standard output, and nothing else there."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done, and do nothing of it.")
]
Llm = Annotated[
    str,
    typer.Option(
        "--llm",
        metavar="MODEL",
        help="The language model of every stage that names none: "
        "[bold]openai:gpt-5-mini[/bold], [bold]ollama:qwen3:8b[/bold], "
        "[bold]http://HOST:8000/v1#NAME[/bold], [bold]./model.gguf[/bold], "
        "[bold]hub:OWNER/NAME[/bold] or a folder of weights. See docs/llms.md.",
        rich_help_panel="Language models",
    ),
]
LlmModel = Annotated[
    str,
    typer.Option(
        "--llm-model",
        metavar="NAME",
        help="The model, if [bold]--llm[/bold] is an address without one.",
        rich_help_panel="Language models",
    ),
]
LlmKeyEnv = Annotated[
    str,
    typer.Option(
        "--llm-key-env",
        metavar="VARIABLE",
        help="The environment variable that holds the key, if it is not the usual one of the "
        "provider. Never the key itself.",
        rich_help_panel="Language models",
    ),
]
LlmEffort = Annotated[
    Literal["low", "high"] | None,
    typer.Option(
        "--llm-effort",
        help="How much the model is asked at once: [bold]low[/bold] is one small question at a "
        "time, for weak models. Without it, what [bold]leadline llm test[/bold] found; else low "
        "for models of less than 4 billion parameters, as weights or name tell.",
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
LlmPrices = Annotated[
    Path | None,
    typer.Option(
        "--llm-prices",
        metavar="FILE",
        help="Your own prices (YAML or JSON), before those that Leadline knows.",
        rich_help_panel="Language models",
    ),
]
LlmTimeout = Annotated[
    float | None,
    typer.Option(
        "--llm-timeout",
        min=0.1,
        metavar="SECONDS",
        help="Seconds for one attempt of a call. Default: 120 for an endpoint, an hour for a "
        "model in this process.",
        rich_help_panel="Language models",
    ),
]
LlmConcurrency = Annotated[
    int | None,
    typer.Option(
        "--llm-concurrency",
        min=1,
        metavar="N",
        help="Calls to an endpoint at once. Default: 32.",
        rich_help_panel="Language models",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        metavar="USD",
        help="Stop before calls cost more; what was answered is kept and not paid twice.",
        rich_help_panel="Language models",
    ),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        metavar="N",
        help="Spread over N processes of this machine what takes long: the passes over a corpus "
        "(words, second answers, BM25), facts, encoders, rerankers and language models run here. "
        "Results are the same, byte for byte.",
        rich_help_panel="Distribution",
    ),
]
Ray = Annotated[
    str,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Spread the same over a Ray cluster, for example "
        "[bold]auto[/bold] or [bold]ray://host:10001[/bold].",
        rich_help_panel="Distribution",
    ),
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

    metadata: bool = False
    text_field: str = ""
    title_field: str = ""
    strict: bool = False
    sample: int | None = None

    def read(
        self,
        corpus: str | Path,
        seed: int = 0,
        queries: Sequence[Query] = (),
        qrels: Qrels | None = None,
    ) -> tuple[Corpus, Qrels | None]:
        """Return the documents, and the judgements of those that a sample keeps."""
        from leadline.data.documents import read_with_fields
        from leadline.data.sample import sampled

        documents = read_with_fields(
            corpus, text=self.text_field, title=self.title_field, metadata=self.metadata,
            strict=self.strict,
        )  # fmt: skip
        if self.sample is None:
            return documents, qrels
        return sampled(documents, self.sample, seed, queries, qrels)


AS_IT_IS = Reading()
_PANEL = "Documents"
_READING = {
    "metadata": (
        Annotated[
            bool,
            typer.Option(
                "--metadata",
                help="Show systems the metadata of documents, not only their text.",
                rich_help_panel=_PANEL,
            ),
        ],
        False,
    ),
    "text_field": (
        Annotated[
            str,
            typer.Option(
                metavar="NAME",
                help="The field of each record that holds its text, where that is not "
                "[bold]text[/bold].",
                rich_help_panel=_PANEL,
            ),
        ],
        "",
    ),
    "title_field": (
        Annotated[
            str,
            typer.Option(
                metavar="NAME",
                help="The field that holds the title, where that is not [bold]title[/bold].",
                rich_help_panel=_PANEL,
            ),
        ],
        "",
    ),
    "strict": (
        Annotated[
            bool,
            typer.Option(
                "--strict",
                help="Refuse a folder with a file that cannot be read; else it is left out.",
                rich_help_panel=_PANEL,
            ),
        ],
        False,
    ),
    "sample": (
        Annotated[
            int | None,
            typer.Option(
                min=1,
                metavar="N",
                help="Take N documents only, drawn by the seed: a first look at a large corpus. "
                "Figures look better on fewer documents.",
                rich_help_panel=_PANEL,
            ),
        ],
        None,
    ),
}


def reads_corpus(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of how its corpus is read, in the place of its `reading`."""

    @wraps(command)
    def run(**given: Any) -> None:
        from leadline.errors import InputError

        reading = Reading(**{name: given.pop(name) for name in _READING})
        if reading != AS_IT_IS and not given["corpus"]:
            raise InputError(
                "--metadata, --text-field, --title-field, --strict and --sample say how a CORPUS "
                "is read, and none is given."
            )
        command(reading=reading, **given)

    return with_options(run, command, _READING, "reading")


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
    hints |= {name: kind for name, (kind, _) in options.items()}
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, (_, default) in options.items()
    ]
    own = list(inspect.signature(command).parameters.values())
    place = next((n for n, each in enumerate(own) if each.name == instead_of), len(own))
    shown = [
        each.replace(annotation=hints[each.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for each in (*own[:place], *added, *own[place + 1 :])
    ]
    as_any: Any = run
    as_any.__signature__ = inspect.Signature(shown)
    run.__annotations__ = {each.name: each.annotation for each in shown}
    return run
