"""Parsers of HTML and Markdown beside those of Leadline: speed on good pages, time on hostile ones.

    pip install html5lib selectolax markdown-it-py
    python studies/speed/parsers.py

Seconds of processor time; each hostile page has 60,000 characters. What is not installed is left
out, and said. Shows why HTML is read by lxml and Markdown by `leadline.data.markdown`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from html.parser import HTMLParser

from leadline.data import markdown, texts

WORDS = "The harbour crane lifts oak planks every week, and visitors watch from the wall. "
GOOD = {
    "html": "<html><head><title>T</title></head><body>"
    + f"<h1>Crane</h1><p>{WORDS * 5}</p><ul><li>{WORDS}</li></ul>" * 400 + "</body></html>",
    "md": f"# Crane\n\n{WORDS * 5}\n\n- **{WORDS}**\n- [{WORDS}](https://example.org)\n\n" * 400,
}  # fmt: skip
HOSTILE = {
    "html": {"<a ": 20_000, "<!--": 15_000, "<![x": 15_000, "<b>": 20_000, "</p>": 15_000},
    "md": {"# ": 30_000, "> ": 30_000, "[": 60_000, "*a ": 20_000, "|": 60_000, "`": 60_000},
}


def parsers(kind: str) -> dict[str, Callable[[str], object]]:
    """Return the parsers of a kind that are here, by name."""
    if kind == "md":
        found: dict[str, Callable[[str], object]] = {"leadline": markdown.title_and_text}
        try:
            from markdown_it import MarkdownIt

            found["markdown-it-py"] = MarkdownIt().enable("table").render
        except ImportError:
            print("markdown-it-py is not installed")
        return found
    found = {"leadline (lxml)": texts.title_and_text, "html.parser": standard}
    try:
        import html5lib

        found["html5lib"] = html5lib.parse
    except ImportError:
        print("html5lib is not installed")
    try:
        from selectolax.lexbor import LexborHTMLParser

        found["selectolax"] = lambda text: LexborHTMLParser(text).text()
    except ImportError:
        print("selectolax is not installed")
    return found


def standard(text: str) -> None:
    """Read a page with the parser of the standard library."""
    HTMLParser().feed(text)


def seconds(parse: Callable[[str], object], text: str) -> str:
    """Return the processor time of a page, or how the parser gave up."""
    start = time.process_time()
    try:
        parse(text)
    except Exception as error:
        return f"{time.process_time() - start:.2f} ({type(error).__name__})"
    return f"{time.process_time() - start:.2f}"


def main() -> None:
    """Print a table for each kind."""
    for kind, text in GOOD.items():
        print(f"\n| {kind} | good, {len(text) / 1e6:.1f} MB |", end="")
        print("".join(f" `{mark}` |" for mark in HOSTILE[kind]))
        print("|---|" + "---:|" * (1 + len(HOSTILE[kind])))
        for name, parse in parsers(kind).items():
            cells = [seconds(parse, text)]
            cells += [seconds(parse, mark * count) for mark, count in HOSTILE[kind].items()]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
