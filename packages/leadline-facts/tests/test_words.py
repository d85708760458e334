"""Tables of words and patterns."""

import importlib
import pkgutil
import re
from importlib import resources

import leadline_facts as enrichers
from leadline_facts import words

TABLES = sorted(
    each.name.removesuffix(".txt")
    for each in (resources.files(words) / "patterns").iterdir()
    if each.name.endswith(".txt")
)


def test_every_expression_finds_the_example_above_it() -> None:
    modules = {
        each.name.rpartition(".")[2]: module
        for each in pkgutil.walk_packages(enrichers.__path__, f"{enrichers.__name__}.")
        if hasattr(module := importlib.import_module(each.name), "_P")
    }
    for name in TABLES:
        text = (resources.files(words) / "patterns" / f"{name}.txt").read_text("utf-8")
        entries = re.findall(r"(.*)\n(\w+):\n(?=[ ]{4})", "\n" + text)
        assert len(entries) == len(re.findall(r"^\w+:$", text, re.MULTILINE))
        for remark, entry in entries:
            example = re.fullmatch(r"# `(.+)`", remark)
            assert example, f"{name}: {entry} has no example above it"
            found = re.search(modules[name]._P[entry], example[1], re.IGNORECASE)
            assert found, f"{name}: {entry} does not find {example[1]!r}"
