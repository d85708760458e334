"""What a reader of an HTML page sees: its title and its text, a line for each block."""

from __future__ import annotations

from typing import Any

from leadline.data.limits import DEEPEST_PAGE

_UNSEEN = {"script", "style", "template", "noscript", "iframe"}
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip


class TooDeepError(ValueError):
    """A page whose elements lie deeper in each other than those of any that is read."""


def title_and_text(html: str) -> tuple[str, str]:
    """Return the <title>, else the first <h1>, of a page and its text, blanks joined.

    The parser is libxml2 through lxml: it takes whatever it is given, in time that grows with
    its length (and its depth, which is limited), and never looks anything up elsewhere.

    Raises TooDeepError.
    """
    from lxml.etree import HTMLParser

    page = _Page()
    parser = HTMLParser(target=page, huge_tree=True, remove_comments=True, remove_pis=True)
    parser.feed(html)
    parser.close()
    return page.title(), page.text()


class _Page:
    """Collects what the parser finds."""

    def __init__(self) -> None:
        self._depth = 0
        self._open: list[str] = []
        self._parts: list[str] = []
        self._titles: dict[str, list[str]] = {"title": [], "h1": []}
        self._titled: list[str] = []

    def start(self, tag: str, attributes: Any) -> None:
        self._depth += 1
        if self._depth > DEEPEST_PAGE:
            raise TooDeepError
        if tag in _UNSEEN or tag in self._titles:
            self._open.append(tag)
        if tag not in _INLINE:
            self._parts.append("\0")

    def end(self, tag: str) -> None:
        self._depth -= 1
        if tag in self._open:
            del self._open[self._open.index(tag) :]
            self._titled.append(tag)
        if tag not in _INLINE:
            self._parts.append("\0")

    def data(self, data: str) -> None:
        for tag, parts in self._titles.items():
            if self._open[-1:] == [tag] and tag not in self._titled:  # only the first counts
                parts.append(data)
        if "title" not in self._open and not _UNSEEN.intersection(self._open):
            self._parts.append(data)

    def close(self) -> None:
        """Do nothing: the parser calls this at the end."""

    def title(self) -> str:
        """Return the title, else the first heading, else ""."""
        heading = "".join(self._titles["h1"])
        return " ".join(("".join(self._titles["title"]) or heading).split())

    def text(self) -> str:
        """Return the text, one block a line."""
        lines = (" ".join(line.split()) for line in "".join(self._parts).split("\0"))
        return "\n".join(line for line in lines if line)
