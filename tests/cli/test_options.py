"""Every command that reads documents reads them as the user says."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from leadline.cli.main import app

GROUP = {"--metadata", "--text-field", "--title-field", "--strict", "--sample"}


def commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Yield every command, those of groups too, with its name."""

    def below(name: str, command) -> Iterator[tuple[str, typer.core.TyperCommand]]:
        context = typer.Context(command)
        if not hasattr(command, "list_commands"):
            yield name, command
            return
        for each in command.list_commands(context):
            yield from below(f"{name} {each}".strip(), command.get_command(context, each))

    yield from below("", typer.main.get_command(app))


def test_every_command_that_reads_a_corpus_has_the_whole_group_with_the_same_help() -> None:
    helps: dict[str, set[str]] = {}
    names = set()
    for name, command in commands():
        shown = [each for each in command.params if each.name != "help"]
        assert name.startswith("train") or all(each.help for each in shown), name
        parameters = {option: each for each in command.params for option in each.opts}
        if "corpus" not in {each.name for each in command.params}:
            continue
        names.add(name)
        assert parameters.keys() >= GROUP, name
        assert "--probe" not in parameters or "--kind" in parameters, name
        for option in GROUP:
            helps.setdefault(option, set()).add(parameters[option].help)
    assert names >= {
        "check", "repair", "search", "enrich", "read", "synthesize conditions",
        "synthesize implicit-facts", "synthesize instructions", "synthesize questions",
        "synthesize reasoning",
        "synthesize rephrasings",
    }  # fmt: skip
    assert {len(each) for each in helps.values()} == {1}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Return ten records whose text is in `body`, and whose other field is `town`."""
    path = tmp_path / "records.jsonl"
    lines = [
        {"_id": f"r{n}", "name": f"Mill {n}", "town": "Ystad",
         "body": f"The mill was built in {1900 + n}. It grinds {20 + n} tons of rye a year."}
        for n in range(10)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return path


def run(*arguments: str | Path):
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_search_reads_named_fields_metadata_and_a_sample(records: Path) -> None:
    named = ("--text-field", "body", "--title-field", "name", "-s", "bm25", "--json", "-q")
    assert run("search", *named, records, "Ystad").stdout == ""
    found = run("search", *named, "--metadata", records, "Ystad")
    assert len(found.stdout.splitlines()) == 10
    assert json.loads(found.stdout.splitlines()[0])["title"].startswith("Mill")
    few = run("search", *named, "--metadata", "--sample", "3", records, "Ystad")
    assert len(few.stdout.splitlines()) == 3


def test_a_field_that_no_record_has_is_named(records: Path, tmp_path: Path) -> None:
    done = run("check", records, "--text-field", "bodies", "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert "no record has text in a field 'bodies'" in done.output


def test_how_a_corpus_is_read_cannot_be_said_where_none_is(tmp_path: Path) -> None:
    done = run("synthesize", "implicit-facts", "--strict", "--out", tmp_path)
    assert done.exit_code == 2
    assert "need a CORPUS" in done.output
