"""Draw sentences that people read, for a reading by somebody who does not know the project.

    python studies/reading/draw_sentences.py --seed 1 [--count 100] > sheet.txt

Equal shares come from the pages of docs/ (without docs/evidence) and README.md, from the help of
commands, from messages (errors and warnings) and from docstrings. Each stands with the sentence
before it, as a reader would meet it, and with its place. `{}` stands for what code fills in.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "leadline"
_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*\"(])")
_MESSAGES = re.compile(r"(Error|Warning|warn|say|refuse|Fault)$")
_FEWEST = 5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    sorts = {"docs": _docs(), "help": _help(), "message": _messages(), "docstring": _docstrings()}
    number = 0
    for sort, texts in sorts.items():
        found = sorted(set(_sentences(texts)))
        for place, before, sentence in rng.sample(
            found, min(len(found), given.count // len(sorts))
        ):
            number += 1
            print(f"{number}. [{sort}, {place}]")
            print(f"   (before it: {before})" * bool(before) + "\n" * bool(before), end="")
            print(f"   {sentence}\n")


def _sentences(texts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    for place, text in texts:
        for block in re.split(r"\n\s*\n|\n(?=\s*[-*|] )|\n(?=\s*\w[\w, ]*(?:  +|$))", text):
            pieces = _END.split(" ".join(block.split()))
            for before, piece in zip(["", *pieces], pieces, strict=False):
                if len(piece.split()) >= _FEWEST and "|" not in piece:
                    yield place, before, piece


def _docs() -> Iterator[tuple[str, str]]:
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if "evidence" not in path.parts:
            prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
            text = re.sub(r"^ {4}\S.*$|^#.*$|<[^>\n]*>", "", prose, flags=re.M)
            yield str(path.relative_to(ROOT)), text


def _parsed() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield str(path.relative_to(PACKAGE)), ast.parse(path.read_text("utf-8"))


def _help() -> Iterator[tuple[str, str]]:
    for place, tree in _parsed():
        if not place.startswith("cli"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "help" and (text := _text(node.value)):
                yield place, text
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield place, ast.get_docstring(node) or ""


def _messages() -> Iterator[tuple[str, str]]:
    for place, tree in _parsed():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and node.args
                and _MESSAGES.search(ast.unparse(node.func))
            ):
                yield place, _text(node.args[0])


def _docstrings() -> Iterator[tuple[str, str]]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for place, tree in _parsed():
        for node in ast.walk(tree):
            if isinstance(node, kinds) and not place.startswith("cli"):
                yield place, ast.get_docstring(node) or ""


def _text(node: ast.AST) -> str:
    """Return a text as it stands in the code, with {} for what is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _text(each) if isinstance(each, ast.Constant) else "{}" for each in node.values
        )
    return ""


if __name__ == "__main__":
    main()
