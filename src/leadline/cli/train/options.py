"""Options that every kind of training takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Folders = Annotated[
    list[str],
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="What to train on: a BEIR or benchmark folder with judged queries and their "
        "rephrasings, a corpus (queries are made of its documents), or a file or folder with "
        "[bold]examples.jsonl[/bold]. Repeat for several.",
    ),
]
Split = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The split of judged queries to learn from, qrels/NAME.tsv; [bold]train[/bold] "
        "where none is named. A model that learnt from [bold]test[/bold] must be tested on other "
        "folders.",
        rich_help_panel="Data",
    ),
]
Variations = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Rephrasings of the queries, such as [bold]synthesize rephrasings --queries[/bold] "
        "writes; without it the query_variations.jsonl of a folder.",
        rich_help_panel="Data",
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder for the model. The same command goes on with a run that was stopped.",
    ),
]
Negatives = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="Hard negatives mined for each query.",
                 rich_help_panel="Data"),
]  # fmt: skip
NegativeMargin = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        help="Leave out documents that score within this share of the positive's score: they may "
        "be answers.",
        rich_help_panel="Data",
    ),
]
Miner = Annotated[
    str,
    typer.Option(
        metavar="SYSTEM", help="The system that finds hard negatives.", rich_help_panel="Data"
    ),
]
Scale = Annotated[
    float,
    typer.Option(metavar="X", help="What cosines are multiplied by.", rich_help_panel="Loss"),
]
Divisor = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="The distances are divided by the size of the [bold]cluster[/bold], or by the number "
        "of [bold]rephrasings[/bold].",
        rich_help_panel="Loss",
    ),
]
PerDimension = Annotated[
    bool,
    typer.Option(
        "--per-dimension",
        help="Distances as means over dimensions, not sums.",
        rich_help_panel="Loss",
    ),
]
Normalize = Annotated[
    bool,
    typer.Option("--normalize", help="Distances of unit vectors.", rich_help_panel="Loss"),
]
ComparedWith = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="Margins against the [bold]own[/bold] hard negatives, or all documents of the "
        "[bold]batch[/bold].",
        rich_help_panel="Loss",
    ),
]
Reduction = Annotated[
    str,
    typer.Option(
        metavar="HOW",
        help="Differences of margins as [bold]sum[/bold], which grows with rephrasings times "
        "negatives, or as [bold]mean[/bold].",
        rich_help_panel="Loss",
    ),
]
RankedAgainst = Annotated[
    str,
    typer.Option(
        "--candidates",
        metavar="WHAT",
        help="Positives are ranked against all documents of the [bold]batch[/bold], or the "
        "[bold]own[/bold] hard negatives.",
        rich_help_panel="Loss",
    ),
]
LearningRate = Annotated[float, typer.Option(metavar="R", rich_help_panel="Optimisation")]
BatchSize = Annotated[
    int, typer.Option(min=2, metavar="N", help="Rows of a step.", rich_help_panel="Optimisation")
]
Epochs = Annotated[
    float,
    typer.Option(metavar="N", help="At most so often over the rows.",
                 rich_help_panel="Optimisation"),
]  # fmt: skip
Steps = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="At most so many steps, instead of epochs.",
        rich_help_panel="Optimisation",
    ),
]  # fmt: skip
Warmup = Annotated[
    float,
    typer.Option(metavar="SHARE", help="Share of the steps over which the learning rate rises.",
                 rich_help_panel="Optimisation"),
]  # fmt: skip
Patience = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="Stop after so many evaluations without a better score.",
                 rich_help_panel="Optimisation"),
]  # fmt: skip
Evaluations = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="Evaluate and save so often in a run.",
                 rich_help_panel="Optimisation"),
]  # fmt: skip
Precision = Annotated[
    str,
    typer.Option(metavar="FORMAT", help="float32, bfloat16 or float16, of the computations.",
                 rich_help_panel="Hardware"),
]  # fmt: skip
MaxLength = Annotated[
    int | None,
    typer.Option(min=8, metavar="N", help="Read so many tokens of a text while training.",
                 rich_help_panel="Hardware"),
]  # fmt: skip
GradientCache = Annotated[
    int,
    typer.Option(
        min=0, metavar="N",
        help="Keep the activations of only N texts in memory at a time, for large batches.",
        rich_help_panel="Hardware",
    ),
]  # fmt: skip
Tensorboard = Annotated[
    bool,
    typer.Option("--tensorboard", help="Also log for TensorBoard (must be installed).",
                 rich_help_panel="Hardware"),
]  # fmt: skip
