"""Python in a process of its own: run to its end, or killed while it calls a server."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import leadline
from llm_server import EndpointServer


def python(*words: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run `python words...` to its end and return what it said."""
    command = [sys.executable, *words]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=check)


def kill_after(calls: int, server: EndpointServer, *words: str | Path) -> int:
    """Kill `python words...` once it has made so many calls.

    Returns how many the server got, once it has answered them all.
    """
    child = subprocess.Popen([sys.executable, *words], env=environment(), stderr=subprocess.DEVNULL)
    patience = time.monotonic() + 60
    while server.calls.total() < calls and time.monotonic() < patience:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    while server.at_once:
        time.sleep(0.01)
    return server.calls.total()


def environment() -> dict[str, str]:
    folders = (Path(leadline.__file__).parents[1], Path(__file__).parent)
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}


def hear_interrupts() -> None:
    """Restore Ctrl-C in a child, which inherits that it is ignored (`make test &`)."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
