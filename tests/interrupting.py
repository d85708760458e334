"""Processes that tests start hear Ctrl-C, also where the shell of the suite ignores it."""

from __future__ import annotations

import signal


def hear_interrupts() -> None:
    """Restore the signal in a child, which inherits that it is ignored (`make test &`)."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
