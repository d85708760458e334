"""The errors a user can meet. Each message says what is wrong, where, and how to fix it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_LONGEST = 1200
_QUOTED = 200


class LeadlineError(Exception):
    """An error that the user can fix. The command line prints it as one line and exits with 2.

    Long messages, such as those that quote a file, are shortened to one readable line.
    """

    def __init__(self, *messages: str) -> None:
        super().__init__(*map(_one_line, messages))


class InputError(LeadlineError, ValueError):
    """A file, an option or a value is wrong."""


class ServiceError(LeadlineError):
    """A search service or an engine fails, or its answer does not match its description.

    Attributes:
        status: HTTP status of the answer, 0 without an answer.
        passing: Whether a retry may succeed.
        wait: Seconds that the service asks to wait before a retry.
    """

    def __init__(
        self, reason: str, status: int = 0, *, passing: bool = False, wait: float | None = None
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.passing = passing
        self.wait = wait


class ModelError(LeadlineError):
    """A language model refuses, does not answer or would cost too much. Answers are cached."""


class MissingExtraError(LeadlineError, ImportError):
    """An optional package is not installed. The message names the `pip install` command."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Raise MissingExtraError if an import in the block fails. It names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "a module").partition(".")[0]
        raise MissingExtraError(
            f"This needs {module}, which is not installed: pip install 'leadline[{extra}]'"
        ) from error


def unknown(kind: str, name: str, known: Iterable[str], way_out: str = "") -> InputError:
    """Return the error for an unknown name, with the most similar known names."""
    name = name[:_QUOTED]
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(repr(each) for each in near)}?" if near else ""
    return InputError(f"Unknown {kind} {name!r}.{hint}{' ' + way_out if way_out else ''}")


def _one_line(message: str) -> str:
    line = " ".join(message.splitlines()) if "\n" in message else message
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST // 2]} [...] {line[-_LONGEST // 4 :]}"
