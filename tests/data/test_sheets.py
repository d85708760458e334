import csv
import re
from pathlib import Path

import leadline
from leadline.data.sheets import read_sheet, write_sheet

CELLS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1", "'=1", "''-1"]
PLAIN = ["", "'tis", "a=b", " =1", "5 - 3"]


def test_no_spreadsheet_takes_a_text_for_a_formula_and_it_is_read_back_as_it_was(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sheet.csv"
    assert write_sheet(path, ["text"], [[each] for each in CELLS + PLAIN]) == 15
    with path.open(newline="", encoding="utf-8") as lines:
        written = [row[0] for row in csv.reader(lines)][1:]
    assert written == [f"'{each}" for each in CELLS] + PLAIN
    assert [row["text"] for row in read_sheet(path)] == CELLS + PLAIN


def test_every_sheet_is_written_in_one_place() -> None:
    source = Path(leadline.__file__).parent
    found = [
        each for each in source.rglob("*.py") if re.search(r"csv\.\w*[wW]riter", each.read_text())
    ]
    assert [each.name for each in found] == ["sheets.py"]


def test_the_page_that_saves_answers_guards_the_same_texts() -> None:
    script = (Path(leadline.__file__).parent / "report" / "annotation.js").read_text()
    assert "/^'*[=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20]/" in script
