"""Sheets on which people judge whether checks were right about drafts, and their results."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.data import sheets
from leadline.data.lines import checked_file
from leadline.errors import InputError
from leadline.llm.run_record import LOG_FILE
from leadline.metrics.significance import FEWEST, SHARE, interval_of_mean

EACH = 25
"""Refused drafts, and drafts that passed, of each step."""

RIGHT = "rightly (y/n)"
_COLUMNS = ("line", "record", "step", "from", "draft", "became", "why", RIGHT, "remarks")
_PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Audited:
    """What a filled sheet says of one step.

    wrong      share of the answered drafts of which the checks judged wrongly
    low, high  its 95 % interval
    """

    step: str
    is_refused: bool
    answered: int
    wrong: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return one sentence."""
        what = "refused drafts were good" if self.is_refused else "drafts that passed were bad"
        between = f"{self.low:.0%} to {self.high:.0%}"
        if self.answered < FEWEST:
            between = "too few for an interval"
        return f"{self.step}: {self.wrong:.0%} of {self.answered:,} {what} ({between})."


def write_audit(
    path: str | Path, lines: Sequence[Mapping[str, Any]], *, seed: int = 0, each: int = EACH
) -> int:
    """Write drafts of a log, drawn by the seed, as `.csv` with a column for answers.

    Returns how many rows it has. Raises InputError when the file cannot be written.
    """
    drawn = []
    for step in sorted({line["step"] for line in lines}):
        for kept in (False, True):
            own = [
                number
                for number, line in enumerate(lines, 1)
                if line["step"] == step and line["kept"] is kept
            ]
            rng = random.Random(f"{seed} audit {step} {kept}")
            drawn += rng.sample(own, min(each, len(own)))
    rows = ((number, *_told(lines[number - 1]), "", "") for number in sorted(drawn))
    return sheets.write_sheet(path, _COLUMNS, rows)


def read_audit(path: str | Path, lines: Sequence[Mapping[str, Any]]) -> list[Audited]:
    """Return what a filled sheet says of each step, refused drafts and passed ones apart.

    Raises InputError when it cannot be read, is of another log, or nothing in it is answered.
    """
    rows = sheets.read_sheet(path)
    found: dict[tuple[str, bool], list[float]] = {}
    for row, fields in enumerate(rows, 2):
        answer = (fields.get(RIGHT) or "").strip().lower()
        if not answer:
            continue
        number = fields.get("line") or ""
        if not (number.isascii() and number.isdigit() and 0 < int(number[:9]) <= len(lines)):
            raise InputError(f"{path}, row {row}: {number[:20]!r} is not a line of this log.")
        if answer[:1] not in ("y", "n"):
            raise InputError(f"{path}, row {row}: {answer[:20]!r} is neither y nor n.")
        line = lines[int(number) - 1]
        if line["step"] != (fields.get("step") or ""):
            raise InputError(
                f"{path}, row {row}: line {number} of this log belongs to another step."
            )
        values = found.setdefault((line["step"], not line["kept"]), [])
        values.append(float(answer[0] == "n"))
    if not found:
        raise InputError(f"{path} has no answers in its column {RIGHT!r}.")
    results = []
    for (step, is_refused), values in sorted(found.items()):
        low, high = interval_of_mean(values, bounds=SHARE)
        share = sum(values) / len(values)
        results.append(Audited(step, is_refused, len(values), share, low, high))
    return results


def _told(line: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a draft: record, step, sources, text, what it became, and why."""
    record = f"{line['record']}/{line['part']}" if line["part"] else line["record"]
    judges = [each["by"] for each in line["verdicts"] if each["fault"]]
    became = _PASSED if line["kept"] else f"refused by {judges[0] if judges else 'code'}"
    why = " ".join((line.get("fault", ""), line.get("problem", ""))).strip()
    parents = ", ".join(line["parents"])
    return (str(record), line["step"], parents, line["answer"], became, why)


_TEXTS = ("record", "part", "step", "model", "answer")


def read_log(folder: str | Path) -> list[dict[str, Any]]:
    """Return the lines of a log; a last line that a kill cut off is left out.

    Raises InputError when there is none, or a line is no JSON.
    """
    path = Path(folder) / LOG_FILE
    try:
        checked_file(path)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"There is no {LOG_FILE} in {folder} ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a record log: it is not UTF-8.") from error
    whole, _, _ = text.rpartition("\n")
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a record log: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not _is_draft(line):
            raise InputError(f"{path}:{number} is not a line of a record log.")
    return lines


def _is_draft(line: Any) -> bool:
    try:
        texts = [*(line[name] for name in _TEXTS), *line["parents"]]
        texts += [] if line["kept"] else [line["fault"]]
        texts += [each[name] for each in line["verdicts"] for name in ("by", "step", "fault")]
        return all(isinstance(each, str) for each in texts)
    except (KeyError, TypeError):
        return False


def refusals(lines: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str, str]]:
    """Return how many drafts each judge refused: (step, who, reason) -> drafts."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        given = [each for each in line["verdicts"] if each["fault"]]
        if given:
            counts.update((line["step"], each["by"], each["fault"]) for each in given)
        elif not line["kept"]:
            counts[line["step"], "code", line["fault"]] += 1
    return counts
