"""leadline test: what must hold of single queries."""

from pathlib import Path
from xml.etree import ElementTree

from typer.testing import CliRunner, Result

from leadline.cli.main import app
from tables import each_row

NOTES = {
    "keys.md": "# Keys\n\nRotate an API key every ninety days.",
    "dues.md": "# Dues\n\nHarbour dues are paid in March.",
    "old.md": "# Old dues\n\nHarbour dues were paid in April, before the reform of harbour dues.",
}


def run(folder: Path, tests: str, *more: str) -> Result:
    for name, text in NOTES.items():
        (folder / "notes").mkdir(exist_ok=True)
        (folder / "notes" / name).write_text(text)
    (folder / "tests.yaml").write_text(f"corpus: notes\ntests:\n{tests}")
    return CliRunner().invoke(app, ["test", str(folder / "tests.yaml"), "-s", "bm25", *more])


def test_what_holds_passes_and_what_does_not_says_what_came_instead(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        "  - {query: rotate a key, finds: keys.md, within: 1, never: [old.md]}\n"
        "  - {query: harbour dues, never: old.md, order: [dues.md, old.md]}\n"
        "  - {query: harbour dues, same_as: api key}\n"
        "  - {query: harbour dues, order: [old.md, dues.md, keys.md]}\n",
        "--junit", str(tmp_path / "out.xml"),
    )  # fmt: skip
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "bm25: 'harbour dues': old.md is at rank 2",
        "bm25: 'harbour dues': 'api key' shares 0 of 3 results; only one of the two queries finds "
        "dues.md, keys.md, old.md",
        "bm25: 'harbour dues': old.md (at rank 2) does not rank before dues.md (at rank 1)",
    ]
    assert "1 of 4 tests pass." in done.stderr
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("4", "3")
    assert suite[1][0].attrib["message"] == "old.md is at rank 2"


def test_all_that_holds_is_exit_code_0(tmp_path: Path) -> None:
    done = run(tmp_path, "  - {query: harbour dues, same_as: dues of the harbour, within: 2}\n")
    assert (done.exit_code, done.stdout) == (0, "")


@each_row
def test_a_file_that_does_not_fit_is_one_clear_line(tmp_path: Path, tests: str, said: str) -> None:
    done = run(tmp_path, tests)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
