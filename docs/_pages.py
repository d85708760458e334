"""Pages of the documentation that are made of the code: commands, metrics, systems, Python names.

`mkdocs build --strict` runs this (see mkdocs.yml); `make docs` runs that.
"""

from __future__ import annotations

import importlib
import inspect
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
ORDER = (
    "index", "check", "conditions", "questions", "rephrasings", "instructions", "implicit-facts",
    "reasoning", "gate", "repair", "systems", "engines", "llms", "scale", "papers",
)  # fmt: skip


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made of the code."""
    for name, text in (
        ("index.md", _home()),
        ("commands.md", _commands()),
        ("metrics.md", _metrics()),
        ("list-of-systems.md", _systems()),
        ("kinds.md", _kinds()),
        ("python.md", _python()),
        ("contributing.md", (ROOT / "CONTRIBUTING.md").read_text("utf-8")),
        ("changelog.md", (ROOT / "CHANGELOG.md").read_text("utf-8")),
    ):
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Name files of the repository that are no pages, in the place of a link to them."""
    within = re.sub(r"\]\(docs/((?:evidence/)?[\w-]+\.md(?:#[\w-]+)?)\)", r"](\1)", markdown)
    if page.file.src_uri.startswith("evidence/"):
        return within  # its links lead to pages only, some of them a folder up
    other = r"(?:\.\./|(?!http|#|(?:evidence/)?[\w-]+\.md))"
    return re.sub(rf"\[([^\]]+)\]\({other}[^)]*\)", r"`\1`", within)


def on_nav(nav: Any, **_: Any) -> Any:
    """Put the pages in the order of a first reading."""
    known = {name: place for place, name in enumerate(ORDER)}
    nav.items.sort(
        key=lambda item: known.get(Path(item.file.src_uri).stem, 99) if item.is_page else 100
    )
    return nav


def _home() -> str:
    return (ROOT / "README.md").read_text("utf-8")


def _commands() -> str:
    import typer

    from leadline.cli.main import app

    root: Any = typer.main.get_command(app)
    parts = ["# Commands\n"]
    for path, command in _walk(root, ["leadline"]):
        parts += [f"## `{' '.join(path)}`\n", _plain(command.help or ""), _options(command)]
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
        rows.append((f"{names} {shown}".strip(), _plain(getattr(each, "help", "") or "")))
    return _table(("option", "what it does"), rows)


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
    from leadline.systems.catalog import systems

    rows = [(f"`{each.name}`", each.kind, each.about) for each in systems()]
    return "# Systems by name\n\n" + _table(("name", "what it is", "about"), rows)


def _kinds() -> str:
    from leadline.kinds.registry import kinds

    rows = [
        (
            f"`{each.name}`",
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
