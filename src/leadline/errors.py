"""The errors that a user can meet. Each message names the thing, the value and the way out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_LONGEST = 1200
_QUOTED = 200


class LeadlineError(Exception):
    """What the user can mend; the command line prints it as one line and exits with 2.

    A message that quotes what a file holds stays one line of readable length.
    """

    def __init__(self, *messages: str) -> None:
        super().__init__(*map(_one_line, messages))


class InputError(LeadlineError, ValueError):
    """A file, an option or a value that does not fit."""


class ServiceError(LeadlineError):
    """A search service or an engine that fails, or answers otherwise than described.

    status   of the answer, 0 when there was none
    passing  whether it may succeed when it is repeated
    wait     seconds that the service asks to wait before that
    """

    def __init__(
        self, reason: str, status: int = 0, *, passing: bool = False, wait: float | None = None
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.passing = passing
        self.wait = wait


class ModelError(LeadlineError):
    """A language model that refuses, falls silent or would cost too much; answers are kept."""


class MissingExtraError(LeadlineError, ImportError):
    """A part that is not installed."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a missing module inside the block into what to install.

    Raises MissingExtraError when a module of the extra cannot be found.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "a module").partition(".")[0]
        raise MissingExtraError(
            f"This needs {module}, which is not installed: pip install 'leadline[{extra}]'"
        ) from error


def unknown(kind: str, name: str, known: Iterable[str], way_out: str = "") -> InputError:
    """Return the error for a name that nothing goes by, with the nearest names."""
    name = name[:_QUOTED]
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(repr(each) for each in near)}?" if near else ""
    return InputError(f"Unknown {kind} {name!r}.{hint}{' ' + way_out if way_out else ''}")


def _one_line(message: str) -> str:
    line = " ".join(message.splitlines()) if "\n" in message else message
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST // 2]} [...] {line[-_LONGEST // 4 :]}"
