"""Run what the pages show: files with a title are written, lines after `$` are run, in order.

    python docs/_run.py [PAGE ...]     run them and write their output into the pages

Notebooks of examples/notebooks are run too, and hold what they show. A block with `{.not-run}` is
shown only. Lines of `...` stand for output that is left out.
tests/test_pages.py runs the same, and compares.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
BLOCK = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """Return the pages whose commands are run."""
    return sorted([*DOCS.glob("tutorial/*.md"), *DOCS.glob("how-to/*.md"), DOCS / "index.md"])


def run(page: Path, folder: Path) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each block of commands of a page, and what it prints today."""
    (folder / "examples").symlink_to(ROOT / "examples")
    for block in BLOCK.finditer(page.read_text("utf-8")):
        language, more, body = block.groups()
        title = re.search(r'title="([^"]+)"', more)
        if title:
            (folder / title[1]).write_text(body, "utf-8")
        elif language == "console" and ".not-run" not in more:
            yield block, "".join(_printed(each, folder) for each in _commands(body))


def _commands(body: str) -> Iterator[str]:
    for found in re.finditer(r"^\$ ((?:.*\\\n)*.*)$", body, re.MULTILINE):
        yield found[1]


def _printed(command: str, folder: Path) -> str:
    programs = folder / ".bin"
    programs.mkdir(exist_ok=True)
    shim = programs / "leadline"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m leadline "$@"\n')
    shim.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, cwd=folder, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "COLUMNS": "80", "PATH": path, "HF_HUB_OFFLINE": "1",
             "LEADLINE_CACHE": str(folder / ".cache")},
    )  # fmt: skip
    said = "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n"))
    return f"$ {command}\n{said}\n" if said else f"$ {command}\n"


def shortened(shown: str, printed: str) -> str:
    """Return what is printed today, with the parts left out that the page leaves out."""
    if "\n...\n" not in shown:
        return printed
    kept: list[str] = []
    lines, at = printed.split("\n"), 0
    for part in re.split(r"^\.\.\.$\n?", shown, flags=re.MULTILINE):
        if not part:
            kept.append("...")
            continue
        first = part.split("\n")[0]
        at = next((n for n in range(at, len(lines)) if _like(lines[n]) == _like(first)), at)
        length = len(part.rstrip("\n").split("\n"))
        kept += [*(["..."] if kept else []), *lines[at : at + length]]
        at += length
    return "\n".join(kept) + "\n"


def _like(line: str) -> str:
    return re.sub(r"[\d.]+", "0", line).strip()


def notebooks() -> list[Path]:
    """Return the notebooks that are pages."""
    return sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def run_notebook(path: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield each cell of code of a notebook, and the outputs that it gives today."""
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.chdir(path.parent), contextlib.redirect_stdout(printed):
                value = _value_of("".join(cell["source"]), names)
            outputs: list[dict[str, Any]] = []
            if printed.getvalue():
                said = printed.getvalue().splitlines(keepends=True)
                outputs.append({"name": "stdout", "output_type": "stream", "text": said})
            if value is not None:
                html = getattr(value, "_repr_html_", None)
                data = {"text/plain": [repr(value)]} if html is None else {"text/html": [html()]}
                outputs.append({"data": data, "execution_count": None, "metadata": {},
                                "output_type": "execute_result"})  # fmt: skip
            yield cell, outputs


def _value_of(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of the expression that it ends in."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def _write_notebook(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    code = [each for each in notebook["cells"] if each["cell_type"] == "code"]
    for cell, (_, outputs) in zip(code, run_notebook(path), strict=True):
        cell["outputs"] = outputs
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    """Write today's output into the pages."""
    given = [Path(each).resolve() for each in sys.argv[1:]]
    for page in given or [*pages(), *notebooks()]:
        if page.suffix == ".ipynb":
            _write_notebook(page)
            continue
        text = page.read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            for block, printed in run(page, Path(folder)):
                body = shortened(block[3], printed)
                text = text.replace(block[0], f"```{block[1]}{block[2]}\n{body}```")
        page.write_text(text, "utf-8")
        sys.stdout.write(f"{page.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
