"""Every table of cases has the test that it is for."""

import re

from shared import ROOT
from tables import yaml_of

TRIED = re.compile(r"^@each_row\n(?:@.*\n)*def test_(\w+)", re.MULTILINE)


def test_every_table_is_tried() -> None:
    for folder in (ROOT / "tests", ROOT / "packages"):
        for path in folder.rglob("test_*.yaml"):
            tried = TRIED.findall(path.with_suffix(".py").read_text("utf-8"))
            assert sorted(yaml_of(path)) == sorted(tried), path
