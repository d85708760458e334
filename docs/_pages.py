"""Pages of the documentation that are made of the code: commands, metrics, systems, Python names.

`mkdocs build --strict` runs this (see mkdocs.yml); `make docs` runs that.
"""

from __future__ import annotations

import importlib
import inspect
import json
import posixpath
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
NAMES = {
    "leadline": ("Document", "Query", "Benchmark", "System", "Report", "evaluate", "check"),
    "leadline.kinds.kind": ("Kind", "Probe"),
    "leadline.kinds.registry": ("kind_named", "add_kind"),
    "leadline.systems.chains": ("load_system",),
    "leadline.systems.benchmarks": ("load_benchmarks",),
    "leadline.systems.adapters": (),
    "leadline.metrics.ranking": (
        "ndcg", "reciprocal_rank", "average_precision", "recall", "precision",
    ),
    "leadline.metrics.pairs": ("win_rate", "adjacent_win_rates", "flip_rate"),
    "leadline.metrics.compliance": ("wise", "sicr", "p_mrr", "robustness"),
    "leadline.metrics.coherence": ("rbo", "spearman", "reranking_opportunity"),
    "leadline.metrics.answers": ("rouge1_recall", "extract_answer"),
    "leadline.metrics.significance": ("paired_randomization", "bootstrap_interval", "holm"),
    "leadline.comparison.verdict": ("compare_folders", "judge"),
}  # fmt: skip
FOLDERS = {
    "Tutorial": "tutorial",
    "How to": "how-to",
    "Examples": "examples",
    "Reference": "reference",
    "Why": "explanation",
    "Evidence": "evidence",
}
PAGES: dict[str, tuple[str, str]] = {}
OF_THE_TOP = {"../CHANGELOG.md": "changelog.md", "../CONTRIBUTING.md": "contributing.md"}
"""Files of the repository's top that are pages -> the page, each as seen from this folder."""
FIRST = ("check-your-notes", "read-the-report", "compare-two-systems", "gate-in-ci")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made of the code."""
    for name, text in (
        ("reference/commands.md", _commands()),
        ("reference/metrics.md", _metrics()),
        ("reference/list-of-systems.md", _systems()),
        ("reference/list-of-benchmarks.md", _benchmarks()),
        ("reference/kinds/index.md", _kinds()),
        ("reference/python.md", _python()),
        ("contributing.md", (ROOT / "CONTRIBUTING.md").read_text("utf-8")),
        ("changelog.md", (ROOT / "CHANGELOG.md").read_text("utf-8")),
        *_notebooks(),
    ):
        files.append(File.generated(config, name, content=text))
    config.nav = _nav(files)
    return files


def _nav(files: Files) -> list[Any]:
    """Return the pages by the folders they lie in, the first reading first."""

    def under(folder: str) -> list[str]:
        known = {name: place for place, name in enumerate(FIRST)}
        found = [each.src_uri for each in files.documentation_pages()]
        found = [each for each in found if each.startswith(f"{folder}/")]
        return sorted(found, key=lambda each: (known.get(Path(each).stem, 99), each))

    kinds = under("reference/kinds")
    sections = [{title: under(folder)} for title, folder in FOLDERS.items()]
    for each in sections:
        if "Reference" in each:
            rest = [page for page in each["Reference"] if page not in kinds]
            each["Reference"] = [*rest, {"Kinds of tests": kinds}]
    home = {"Home": ["index.md", *OF_THE_TOP.values()]}
    return [home, *[each for each in sections if any(each.values())]]


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """Let links lead to pages; name a file of the repository that is none."""
    here = posixpath.dirname(page.file.src_uri)

    def led(match: re.Match[str]) -> str:
        said, path, anchor = match.groups()
        if not page.file.src_uri.count("/"):  # a file of the repository's top, shown as a page
            path = path.removeprefix("docs/")
        place = posixpath.normpath(posixpath.join(here, path))
        if place in OF_THE_TOP:
            path = posixpath.relpath(OF_THE_TOP[place], here)
            place = OF_THE_TOP[place]
        if files.get_file_from_path(place):
            return f"[{said}]({path}{anchor or ''})"
        return f"`{said.strip('`')}`"

    text = re.sub(r"\[([^\]]+)\]\((?!https?:|#)([^)\s#]+)(#[^)]*)?\)", led, markdown)
    PAGES[page.file.src_uri] = (page.title, text)
    return text


def on_post_build(config: Any) -> None:
    """Write the Markdown of every page next to it, and a list of them as llms.txt."""
    lines = [f"# {config.site_name}\n", f"> {config.site_description}\n"]
    for uri, (title, text) in sorted(PAGES.items()):
        (Path(config.site_dir) / uri).write_text(text, "utf-8")
        lines.append(f"- [{title}]({uri})")
    (Path(config.site_dir) / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def _notebooks() -> Iterable[tuple[str, str]]:
    """Yield a page for each notebook, with the outputs that it holds (docs/_run.py writes them)."""
    for path in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb")):
        parts = []
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                parts.append(source)
                continue
            parts.append(f"```python\n{source}\n```")
            for output in cell["outputs"]:
                data = output.get("data", {"text/plain": output.get("text", [])})
                html, text = "".join(data.get("text/html", [])), "".join(data.get("text/plain", []))
                parts.append(
                    f'<div style="overflow:auto;background:#fff;color:#222">{html}</div>'
                    if html
                    else f"```text\n{text.rstrip()}\n```"
                )
        title, _, rest = "\n\n".join(parts).partition("\n")
        where = f"examples/notebooks/{path.name}"
        yield f"examples/{path.stem}.md", f"{title}\n\nThe notebook is `{where}`.\n\n{rest}\n"


def _commands() -> str:
    import typer

    from leadline.cli.main import app

    root: Any = typer.main.get_command(app)
    parts = ["# Commands\n"]
    for path, command in _walk(root, ["leadline"]):
        about = _plain(command.help or "")
        parts += [f"## `{' '.join(path)}`\n", f"{about}\n", _options(command)]
    return "\n".join(parts)


def _walk(command: Any, path: list[str]) -> Iterable[tuple[list[str], Any]]:
    if not hasattr(command, "list_commands"):
        yield path, command
        return
    for name in command.list_commands(None):
        child = command.get_command(None, name)
        if not getattr(child, "hidden", False):
            yield from _walk(child, [*path, name])


def _options(command: Any) -> str:
    rows = []
    for each in command.params:
        names = ", ".join(f"`{one}`" for one in each.opts) or f"`{each.name}`"
        shown = each.metavar or ""
        about = _plain(getattr(each, "help", "") or "")
        usual = each.default if isinstance(each.default, str | int | float) else ""
        rows.append((f"{names} {shown}".strip(), about, "" if usual is False else str(usual)))
    return _table(("option", "what it does", "default"), rows)


def _metrics() -> str:
    from leadline.kinds.registry import kinds
    from leadline.metrics.names import catalogue

    kinds()  # those that only one of them has
    rows = [
        (f"`{each.name}`", each.range, each.explained(), each.options, each.source)
        for each in catalogue()
    ]
    head = ("metric", "range", "what it says", "options", "source")
    return "# Metrics\n\n" + _table(head, rows)


def _systems() -> str:
    from leadline.systems.catalog import systems_here

    rows = [
        (
            f"`{each.name}`",
            each.family,
            f"{each.parameters:,g} M" if each.parameters else "",
            each.license,
            each.about,
        )
        for each in systems_here()
    ]
    head = ("name", "what it is", "weights", "licence", "about")
    return f"# Systems by name\n\n{_table(head, rows)}"


def _benchmarks() -> str:
    from leadline.systems.catalog import benchmarks

    rows = [
        (
            f"`{each.name}`",
            each.about,
            ", ".join(f"`{part}`" for part in each.parts),
            ", ".join(f"`{option}`" for option in each.options),
        )
        for each in benchmarks()
    ]
    about = (
        "`leadline evaluate -b NAME`, `-b NAME/PART`, `-b NAME:OPTION`. Without `--data DIR` a "
        "data set comes from the hub. `-b FOLDER` takes [your own](files.md#benchmarks)."
    )
    head = ("name", "what it tests", "parts", "options")
    return f"# Benchmarks by name\n\n{about}\n\n{_table(head, rows)}"


def _kinds() -> str:
    from leadline.kinds.registry import kinds

    pages = {each.stem for each in (ROOT / "docs" / "reference" / "kinds").glob("*.md")}
    rows = [
        (
            f"[`{each.name}`]({each.name}.md)" if each.name in pages else f"`{each.name}`",
            each.question,
            ", ".join(each.main),
            "–" if each.probe is None else each.probe.about,
        )
        for each in kinds()
    ]
    return "# Kinds of tests\n\n" + _table(("kind", "question", "main metrics", "probe"), rows)


def _python() -> str:
    parts = ["# Python\n"]
    for module, names in NAMES.items():
        found = importlib.import_module(module)
        shown = names or [name for name in vars(found) if name.startswith("as_")]
        if not shown:
            continue
        parts.append(f"## `{module}`\n")
        parts += [_named(getattr(found, name), name) for name in shown]
    return "\n".join(parts)


def _named(thing: Any, name: str) -> str:
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature = ""
    about = inspect.getdoc(thing) or ""
    assert about, f"{name} has no docstring"
    return f"### `{name}`\n\n```python\n{name}{signature}\n```\n\n```text\n{about}\n```\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(_cell(cell) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _plain(text: str) -> str:
    """Return help without the marks of the terminal."""
    return re.sub(r"\[/?bold\]", "**", text)
