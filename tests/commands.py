"""The command line, run in this process."""

from pathlib import Path

from typer.testing import CliRunner, Result

from leadline.cli.main import app


def run(*words: str | Path, code: int = 0) -> Result:
    """Run a command, which has to end with an exit code."""
    done = CliRunner().invoke(app, [str(each) for each in words])
    assert done.exit_code == code, done.output
    return done
