"""leadline analyse: what encoders and cross-encoders look at, and statistics of benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import with_models
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.kinds.conditions.studies import (
        Condition,
        LengthStudy,
        PositionStudy,
    )
    from leadline.models.encoder import Embedder


def _write(
    name: str,
    title: str,
    facts: Mapping[str, str],
    studies: Sequence[Any],
    told: Callable[[Any], str],
    figures: Sequence[Any],
    out: Path,
    *,
    quiet: bool,
    numbers: Any = None,
) -> None:
    """Write the page with the figures of the studies, and print one sentence for each."""
    from leadline.data.writing import output_folder
    from leadline.report.sheets import Study, write_study

    sentences = [line for each in studies for line in told(each).splitlines()]
    numbers = numbers or [each.as_json() for each in studies]
    study = Study(name, title, options.command_line(), facts, sentences, figures, numbers)
    page = write_study(output_folder(out), study)
    if not quiet:
        typer.echo("\n".join(sentences))
    typer.echo(f"Study: {page}", err=True)


def position(
    *,
    system: Sequence[str],
    data: Path | None = None,
    condition: str = "",
    query: str = "",
    move: Literal["document", "query"] = "document",
    places: Annotated[int, options.Bounds(2)] = 10,
    filler: str = "[unused0]",
    repeat: options.Count | None = None,
    limit: options.Count | None = None,
    out: Path = Path("leadline-position"),
    seed: int = 0,
    quiet: bool = False,
) -> None:
    """Show how similarity to a query changes with the place of the matching sentence.

    Example: leadline analyse position -s minilm --data conditions_dev/

    Options:
        data PATH: Take the conditions from here: a [bold]ladders.jsonl[/bold], or a folder with
            one.
        condition TEXT: Use one condition of your own instead.
        query TEXT: The query for --condition; by default its text.
        move: What to move: the sentence in the document, or the condition in the query. A moved
            query is compared with the whole document that meets it.
        places N: Try this many places in the text.
        filler TEXT: The text at the other places.
        repeat N: Repeat the filler this often at each place. By default ten times, or fewer if the
            encoder cannot read that much. With more, the unread places are counted separately.
        limit N: Use the first N ladders.
    """
    from leadline.kinds.conditions.studies import position_figures, study_position

    conditions = _conditions(data, condition, query, limit, whole=move == "query")
    with progress.shown(quiet=quiet):
        studies = [
            study_position(
                name,
                _encoder(name),
                conditions,
                places=places,
                filler=filler,
                repeat=repeat,
                move=move,
                seed=seed,
            )
            for name in system
        ]
    fillers = ", ".join(f"{each.system}: {filler!r} x {each.repeat}" for each in studies)
    facts = {"conditions": str(len(conditions)), "moved in": move, "filler": fillers}
    _write("position", "Position of a condition", facts, studies, _told_position,
           position_figures(studies), out, quiet=quiet)  # fmt: skip


def _conditions(
    data: Path | None, condition: str, query: str, limit: int | None, *, whole: bool
) -> list[Condition]:
    from leadline.kinds.conditions.ladders import read_ladders
    from leadline.kinds.conditions.studies import Condition

    if (data is None) == (not condition):
        raise InputError("Give --data with ladders of conditions, or one --condition.")
    if data is None:
        return [Condition(query or condition, condition, "")]
    path = data / "ladders.jsonl" if data.is_dir() else data
    return [
        Condition(asked, " ".join(record.conditions) if whole else sentence, record.id)
        for record in islice(read_ladders(path), limit)
        for asked, sentence in zip(record.short, record.conditions, strict=True)
    ]


def _encoder(name: str) -> Embedder:
    from leadline.models.encoder import Embedder
    from leadline.systems.chains import load_system

    system = load_system(name)
    encoder: object = system.retriever
    if system.rerankers or not isinstance(encoder, Embedder):
        raise InputError(f"{name}: a position study needs a single dense encoder, such as minilm.")
    return encoder


def _told_position(study: PositionStudy) -> str:
    known = [(each.mean, place) for place, each in enumerate(study.curve(), 1) if each]
    if not known:
        return f"{study.system}: the encoder reads none of the places."
    high, low = max(known), min(known)
    return (
        f"{study.system}: smoothed similarity is highest with the condition at place {high[1]} "
        f"({high[0]:.3f}) and lowest at place {low[1]} ({low[0]:.3f})."
    )


def attention(
    model: str,
    *,
    query: str,
    document: str,
    out: Path = Path("leadline-attention"),
    quiet: bool = False,
) -> None:
    """Show which words of a query and a document a cross-encoder links by attention.

    Example: leadline analyse attention ./my-reranker --query "old mills" --document "The mill ..."

    Options:
        model: A cross-encoder: a folder, or a name on the hub.
        query TEXT: The query.
        document TEXT: The document.
    """
    from leadline.kinds.conditions.attention import AttentionMap, heat_maps, load_attentive
    from leadline.kinds.conditions.attention import attention as read_attention

    found = read_attention(load_attentive(model), query, document)

    def told(it: AttentionMap) -> str:
        pairs = ", ".join(f"{word} / {other} {value:.3f}" for word, other, value in it.strongest())
        cut = (
            "\nThe model does not read the end of the document: the text is too long for it."
            if it.cut
            else ""
        )
        return (
            f"The model's score is {it.score:.3f}. Highest attention, {it.shown[0]}: {pairs}.{cut}"
        )

    facts = {"model": model, "query": query, "document": document}
    _write("attention", "Attention between query and document", facts, [found], told,
           heat_maps(found), out, quiet=quiet, numbers=found.as_json())  # fmt: skip


@with_models
def length(
    *,
    system: Sequence[str],
    data: Path | None = None,
    words: Sequence[Annotated[int, options.Bounds(0)]] | None = None,
    style: str = "list",
    limit: options.Count | None = None,
    out: Path = Path("leadline-length"),
    seed: int = 0,
    quiet: bool = False,
) -> None:
    """Show how longer documents change similarity, and the order of ladders of conditions.

    Example: leadline analyse length -s minilm -s bm25 --data conditions_dev/

    Options:
        data PATH: Queries with more and more conditions: a folder with [bold]ladders.jsonl[/bold],
            or MultiConIR's tables. Default: the published tables on the hub.
        words N: Pad documents to this many words; 0 leaves them as they are. Repeatable. Default:
            0, 512 and 1024.
        style STYLE: Queries as [bold]list[/bold] or [bold]prose[/bold].
        limit N: Use at most N ladders of each domain.
    """
    from leadline.checking import load_systems
    from leadline.evaluation import evaluate, limited
    from leadline.kinds.conditions.studies import (
        in_common,
        length_figures,
        only_ladders,
        study_length,
    )
    from leadline.systems.benchmarks import load_benchmarks

    lengths = sorted(set(words or (0, 512, 1024)))
    systems = load_systems(system)
    with progress.shown(quiet=quiet):
        ladders = in_common({
            words: [
                only_ladders(each, style)
                for each in load_benchmarks(
                    f"conditions:words={words}" if words else "conditions", data=data
                )
            ]
            for words in lengths
        })  # fmt: skip
        parts = {
            words: [limited(each, limit) for each in found] for words, found in ladders.items()
        }
        studies = []
        for each in systems:
            measured = {
                words: [(part, evaluate(each, part, seed=seed)) for part in some]
                for words, some in parts.items()
            }
            studies.append(study_length(each, measured, seed=seed))
    facts = {
        "words": ", ".join(map(str, lengths)),
        "queries": f"all conditions, {style}",
        "seed": str(seed),
    }
    _write("length", "Length of documents", facts, studies, _told_length, length_figures(studies),
           out, quiet=quiet)  # fmt: skip


def _told_length(study: LengthStudy) -> str:
    def shown(values: Mapping[int, Any]) -> str:
        return ", ".join(
            f"{each.mean:.3f} {f'at {words} words' if words else 'as they are'}"
            for words, each in values.items()
        )

    ladders = next(iter(study.adjacent.values())).n
    scores = shown(study.similarity)
    unread = shown({words: each for words, each in study.unread.items() if each.mean})
    return (
        f"{study.system}, {ladders} ladders: adjacent win rate {shown(study.adjacent)}"
        + (f"; similarity {scores}" if scores else "")
        + (f"; the system does not read the altered text of {unread}." if unread else ".")
    )


def statistics(
    *,
    benchmark: Sequence[str],
    data: Path | None = None,
    tokenizer: str = "",
    as_json: bool = False,
) -> None:
    """Count the documents and queries of benchmarks, their words, and what instructions ask for.

    Equal texts count once. The rules of the by_attribute reranker find what an instruction asks
    for: audience, keyword, format, language, length or source.

    Example: leadline analyse statistics -b conditions --data conditions_dev/

    Options:
        tokenizer MODEL: Also count the tokens of this model: a folder, or a name on the hub such as
            [bold]gpt2[/bold].
    """
    from leadline.cli.tables import print_rows
    from leadline.kinds.statistics import sizes_of
    from leadline.models.cutting import counter_of
    from leadline.rerankers.parts.restrictions import dimensions_of

    parts = options.benchmarks_of(benchmark, data)
    count = counter_of(tokenizer) if tokenizer else None
    sizes = [size for part in parts for size in sizes_of(part, count)]
    asked = {part.name: dimensions_of(part.queries) for part in parts}
    asked = {name: found for name, found in asked.items() if found}
    if as_json:
        options.print_json({"sizes": [asdict(each) for each in sizes], "asked for": asked})
        return
    columns = ["benchmark", "what", "texts", "words each"]
    columns += ["tokens", "tokens each"] if count else []
    print_rows(columns, [
        (each.benchmark, each.what, f"{each.texts:,}", f"{each.words:.1f}")
        + (() if each.tokens is None else (f"{each.tokens:,}", f"{each.tokens / each.texts:.0f}"))
        for each in sizes
    ])  # fmt: skip
    for name, found in asked.items():
        shares = ", ".join(f"{what} {share:.1%}" for what, share in found.items())
        typer.echo(f"{name}: what instructions ask for: {shares}.")


def spread(folder: Path, *, as_json: bool = False) -> None:
    """Print the mean of each metric with its standard deviation over queries and over runs.

    Systems whose names differ in [bold]seed-N[/bold] alone, as those of [bold]train retriever
    --seeds[/bold], are runs of one system.

    Example: leadline evaluate -s dense:m/runs/seed-0 -s dense:m/runs/seed-1 -b scifact/

    Then: leadline analyse spread leadline-out/

    Options:
        folder OUT: An output folder of [bold]leadline evaluate[/bold].
    """
    from leadline.cli.tables import print_rows
    from leadline.report.folder import read_folder
    from leadline.report.spread import spreads

    found = spreads(read_folder(folder)[0])
    if as_json:
        options.print_json([asdict(each) for each in found])
        return
    columns = ("benchmark", "metric", "system", "mean", "± queries", "n", "± runs", "runs")
    rows = []
    for each in found:
        over = [_deviation(each.over_queries), f"{each.queries:,}", _deviation(each.over_runs)]
        names = [each.benchmark, each.metric, each.system]
        rows.append((*names, f"{each.mean:.4f}", *over, str(each.runs)))
    print_rows(columns, rows, headings=2)


def _deviation(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def traces(
    files: Sequence[Path],
    *,
    benchmark: str = "",
    data: Path | None = None,
    limit: options.Count = 5,
    as_json: bool = False,
) -> None:
    """Show the traces of two rerankers side by side, pairs whose scores differ most first.

    Example: leadline analyse traces out/walls/traces/one.jsonl out/walls/traces/other.jsonl

    Options:
        files FILE FILE: Traces of two systems, as [bold]leadline evaluate[/bold] writes them.
        benchmark BENCHMARK: The part that was evaluated, to show queries, documents and grades too.
        limit N: Show N pairs.
    """
    from leadline.cli.tables import print_rows
    from leadline.kinds.reasoned import side_by_side

    if len(files) != 2:
        raise InputError(f"Give the traces of two systems, got {len(files)} files.")
    both = side_by_side(files[0], files[1])[:limit]
    if as_json:
        options.print_json(both)
        return
    parts = options.benchmarks_of([benchmark], data) if benchmark else []
    if len(parts) > 1:
        raise InputError(f"{benchmark} has {len(parts)} parts: name the one of these traces.")
    texts = {query.id: query.content for part in parts for query in part.queries}
    typer.echo("".join(f"{place}: {file.name}\n" for place, file in enumerate(files, 1)))
    for pair in both:
        query, id = pair[0]["query-id"], pair[0]["corpus-id"]
        typer.echo(f"Query {query}: {texts.get(query, '')}\nDocument {id}")
        for part in parts:
            grade = part.qrels.get(query, {}).get(id, "none")
            typer.echo(f"Grade {grade}: {part.corpus[id].content if id in part.corpus else ''}")
        rows = [tuple(map(_said, pair)), tuple(each.get("trace", "") for each in pair)]
        print_rows(("1", "2"), rows)


def _said(line: Mapping[str, Any]) -> str:
    answer = line["said"] or "no answer"
    return f"{answer}, score {line['score']:.3f}, rank {line.get('before')} to {line.get('rank')}"


def agreement(
    sheets: Sequence[Path],
    *,
    data: Path | None = None,
    seed: int = 0,
    as_json: bool = False,
) -> None:
    """Report the answers on review sheets, and how far the readers agree (pairs, Fleiss' kappa).

    `leadline synthesize KIND --review` writes the sheets. For sheets of conditions add
    --data PATH: answers on queries, on documents and on the validity of queries then stand apart,
    by domain. In other sheets each yes/no column is counted.

    Example: leadline analyse agreement anna.csv ben.csv

    Ladders: leadline analyse agreement anna.csv ben.csv --data conditions/

    Options:
        sheets SHEET ...: Review sheets as CSV that people filled in, one for each person.
        data PATH: The [bold]ladders.jsonl[/bold] that the sheets were drawn from, or its folder.
    """
    from leadline.data.paths import is_folder
    from leadline.kinds.conditions.ladders import read_ladders
    from leadline.kinds.conditions.sheet import read_sheets
    from leadline.kinds.filled import read_filled

    if data is None:
        answers = read_filled(sheets)
        if as_json:
            options.print_json([asdict(each) for each in answers])
            return
        for one in answers:
            agree = f"; agreement {one.agreement:.3f}, Fleiss' kappa {one.kappa:.3f}"
            typer.echo(
                f"{one.question}: yes {one.yes:.1%} of {one.items} rows, readers: {one.readers}"
                f"{agree if one.readers > 1 else ''}."
            )
        return
    path = data / "ladders.jsonl" if is_folder(data) else data
    found = read_sheets(sheets, list(read_ladders(path)), seed=seed)
    if as_json:
        options.print_json([asdict(each) for each in found])
        return
    for each in found:
        items = f"{each.items} {_READ[each.what]}"
        typer.echo(
            f"{each.domain or 'all domains'}: {each.readers} readers, {items} with an answer from "
            f"everyone: agreement {each.agreement:.3f}, Fleiss' kappa {each.kappa:.3f}. Most "
            f"readers contradict the label of {each.label_error:.1%}."
        )


_READ = {"query": "queries", "document": "documents", "validity": "queries judged as such"}
