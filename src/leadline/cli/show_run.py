"""leadline show-run: show how a language model built the data in a folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from leadline.cli import options
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.llm.run_record import RunRecord, Step


def show_run(
    folder: Path,
    *,
    as_json: bool = False,
    log: bool = False,
    record: str = "",
    audit: Path | None = None,
    audited: Path | None = None,
    seed: int = 0,
) -> None:
    """Show how many records entered and left each step of a pipeline, why, and at what cost.

    Example: leadline show-run leadline-out/conditions

    Drafts: leadline show-run leadline-out/conditions --log --audit sheet.csv

    Options:
        folder DIR: A folder that a pipeline wrote.
        log: Show how many drafts each check rejected in each step, and why, from log.jsonl.
        record ID: Show every draft of one record, with the verdicts on it.
        audit FILE: Write drafts to a sheet (.csv), on which people mark whether each was rightly
            rejected or accepted.
        audited FILE: Read a filled sheet, and print the shares of wrong verdicts.
    """
    from leadline.cli.tables import print_rows
    from leadline.llm.run_record import RunRecord

    if log or record or audit or audited:
        _show_log(folder, record, audit, audited, seed, counts=log)
        return
    run = RunRecord.read(folder)
    if as_json:
        options.print_json(run.as_json())
        return
    typer.echo(_title(run))
    print_rows(
        ["step", "in", "out", "dropped", "calls", "tokens", "USD", "s"],
        [_row(step) for step in run.steps],
    )
    for step in run.steps:
        for kind, count in sorted(step.unanswered.items(), key=lambda item: (-item[1], item[0])):
            typer.echo(f"{step.name} got no answer {count:,} times: {kind}")
        for reason, count in sorted(step.dropped.items(), key=lambda item: (-item[1], item[0])):
            typer.echo(f"{step.name} dropped {count:,}: {reason}")
    if run.summary:
        typer.echo(run.summary)
    if run.settings:
        typer.echo("Settings: " + json.dumps(dict(run.settings), ensure_ascii=False))


def _show_log(
    folder: Path,
    record: str,
    audit: Path | None,
    audited: Path | None,
    seed: int,
    *,
    counts: bool,
) -> None:
    """Print the log, or write or read a sheet of its drafts."""
    from leadline.cli.tables import print_rows
    from leadline.llm.pipeline.audit import read_audit, read_log, refusals, write_audit

    lines = read_log(folder)
    if counts:
        drafts = Counter(line["step"] for line in lines)
        kept = Counter(line["step"] for line in lines if line["kept"])
        print_rows(
            ["step", "drafts", "kept"],
            [(step, f"{count:,}", f"{kept[step]:,}") for step, count in drafts.items()],
        )
        print_rows(
            ["step", "refused by", "why", "drafts"],
            [(*cause, f"{count:,}") for cause, count in refusals(lines).most_common()],
        )
    own = [line for line in lines if line["record"] == record]
    if record and not own:
        raise InputError(f"{folder} has no record {record!r} in its log.")
    for line in own:
        typer.echo(_draft(line))
    if audit is not None:
        rows = write_audit(audit, lines, seed=seed)
        typer.echo(f"{rows:,} drafts to judge: {audit}", err=True)
    if audited is not None:
        for each in read_audit(audited, lines):
            typer.echo(str(each))


def _draft(line: Mapping[str, Any]) -> str:
    from leadline.llm.cleaning import printable

    part = f" part {line['part']}" if line["part"] else ""
    judged = [
        f"  {each['by']}: {each['fault'] or 'well'}" + (
            f" ({each['problem']})" if each.get("problem") else ""
        )
        for each in line["verdicts"]
    ]  # fmt: skip
    end = "kept" if line["kept"] else f"refused: {line.get('fault', '')}"
    told = f"{line['step']}{part}, attempt {line['attempt']} by {line['model']}: {end}"
    return printable("\n".join([told, f"  {line['answer']}", *judged]))


def _title(run: RunRecord) -> str:
    cost = "price unknown" if run.cost is None else f"{run.cost:.4f} USD"
    title = f"{run.name}, {run.created}: {run.seconds:.1f} seconds, {cost}"
    return f"{title}\nIt did not finish: {run.stopped}" if run.stopped else title


def _row(step: Step) -> tuple[str, ...]:
    dropped = sum(step.dropped.values())
    tokens = step.prompt_tokens + step.completion_tokens
    return (
        step.name,
        f"{step.came_in:,}",
        f"{step.went_out:,}",
        f"{dropped:,}" if dropped else "",
        f"{step.calls:,}" if step.calls else "",
        f"{tokens:,}" if tokens else "",
        "" if step.cost is None else f"{step.cost:.4f}",
        f"{step.seconds:.1f}",
    )
