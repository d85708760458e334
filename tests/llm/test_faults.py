"""Every command that asks a model, against every fault of a server."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from fault_commands import COMMANDS
from faulty_server import FATAL, FAULTS, KEY, OUTAGE, PASSING, USELESS, FaultyServer
from typer.testing import CliRunner, Result

from leadline.cli.main import app
from leadline.kinds.questions import by_model as pooling
from leadline.llm import connection

TIMEOUT = "3"
"""Seconds; the server shares the processor with the command."""

BOUND = 60.0
"""Seconds in which a command ends whatever a server does, at that timeout."""


def run(folder: Path, words: list[str], server: FaultyServer) -> tuple[Result, float]:
    own = ["--llm", server.url, "--llm-model", "toy", "--llm-key-env", "FAULTY_KEY",
           "--llm-timeout", TIMEOUT]  # fmt: skip
    started = time.monotonic()
    done = CliRunner().invoke(app, [*words, *own])
    return done, time.monotonic() - started


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTY_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "400")  # so that one line is one, however long a path
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(pooling, "find_spec", lambda _: None)  # no encoder to be loaded


def check(folder: Path, name: str, command: str) -> None:
    """Run a command against a fault, then again against the same server, mended."""
    line = COMMANDS[command]
    words = line.words(folder)
    with FaultyServer(name, line.good) as server:
        done, seconds = run(folder, words, server)
        said = done.output + done.stderr
        assert seconds < BOUND
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
        assert "Traceback" not in said
        assert "\x1b]" not in said
        effect = FAULTS[name].effect
        if effect in (FATAL, OUTAGE):
            assert done.exit_code == 2, said
            assert len([line for line in done.stderr.splitlines() if line.strip()]) <= 4, said
        elif effect == PASSING and "some" in name and line.is_long:
            assert done.exit_code == 0 or "No document could be used" in said
        elif effect == PASSING:
            assert done.exit_code == 0, said
        else:
            assert done.exit_code in (0, 2), said
        if effect == FATAL:
            assert len(server.bodies) <= 32  # those under way when the first came back
        if effect == OUTAGE:
            assert "run the same command again" in said or "Is the server running" in said
        written = [path for path in folder.rglob("*") if path.is_file()]
        for part in (KEY, KEY[:-2], KEY[2:]):
            assert part not in said
            assert not any(part.encode() in path.read_bytes() for path in written)
        server.fault = None
        before, well = Counter(map(json.dumps, server.bodies)), +server.well
        # What was refused in every attempt stays so; a further attempt goes on from there.
        more = ["--attempts", "6"] if line.attempts and effect == USELESS else []
        again, _ = run(folder, [*words, *more], server)
        assert again.exit_code == 0, again.output + again.stderr
        after = Counter(map(json.dumps, server.bodies)) - before
        # What was answered is not asked again; an attempt at it that was refused is, and what a
        # builder makes of it then is another draft, which is verified anew.
        if not line.attempts or "some" not in name:
            assert all(after[body] <= before[body] - well[body] for body in well)
        assert not after or effect != PASSING or "some" in name


@pytest.mark.parametrize("name", FAULTS)
def test_a_search_ends_in_bounds_with_one_line(tmp_path: Path, name: str) -> None:
    pytest.importorskip("openai")
    check(tmp_path, name, "search")


@pytest.mark.slow
@pytest.mark.parametrize("command", [each for each in COMMANDS if each != "search"])
@pytest.mark.parametrize("name", FAULTS)
def test_every_command_ends_in_bounds_with_one_line(
    tmp_path: Path, name: str, command: str
) -> None:
    pytest.importorskip("openai")
    check(tmp_path, name, command)
