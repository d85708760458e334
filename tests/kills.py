"""Python processes of their own that call a server: run to their end, or killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import leadline
from llm_server import EndpointServer


def python(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run `python words...` to its end and return what it said; it must succeed."""
    options = {"check": True, "capture_output": True} | options
    return subprocess.run([sys.executable, *words], env=_environment(), **options)


def kill_after(calls: int, server: EndpointServer, *words: str | Path) -> int:
    """Kill `python words...` once it has made so many calls.

    Returns how many the server got, once it has answered them all.
    """
    child = subprocess.Popen(
        [sys.executable, *words], env=_environment(), stderr=subprocess.DEVNULL
    )
    patience = time.monotonic() + 60
    while server.calls.total() < calls and time.monotonic() < patience:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    while server.at_once:
        time.sleep(0.01)
    return server.calls.total()


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(leadline.__file__).parents[1])}
