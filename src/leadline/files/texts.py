"""A folder of text files, each of them a document."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path

from leadline.errors import InputError
from leadline.types import Document

TEXT_ENDINGS = (".txt", ".md", ".html")

_HEADING = re.compile(r"\s*#{1,6}[ \t]+(?P<title>[^\n]*?)[ \t#]*(?:\n|$)")
_UNSEEN = {"script", "style", "template", "noscript"}
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip


def read_texts(folder: Path) -> tuple[dict[str, Document], int]:
    """Return the documents below a folder by id, and the number of files ignored.

    The id is the path below the folder, with "/", and gives the order. The title is the heading
    that a `.md` begins with (taken out of its text) or the <title>, else the first <h1>, of an
    `.html`; a `.txt` has none. HTML is reduced to the text that a reader sees. Hidden files and
    folders, and other endings, are ignored.

    Raises InputError for a file that is not UTF-8, or whose name is not.
    """
    paths, ignored = _found(folder)
    return {path: _document(folder, path) for path in paths}, ignored


def _found(folder: Path) -> tuple[list[str], int]:
    paths, ignored = [], 0
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(parent, name)
            if name.startswith(".") or path.suffix.lower() not in TEXT_ENDINGS:
                ignored += 1
            else:
                paths.append(path.relative_to(folder).as_posix())
    return sorted(paths), ignored


def _document(folder: Path, document_id: str) -> Document:
    path = folder / document_id
    try:
        document_id.encode()
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeEncodeError as error:
        raise InputError(
            f"The name {document_id!r} in {folder} is not UTF-8. Rename it."
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}:{line}: not UTF-8. Save the file as UTF-8, or check that it is text."
        ) from error
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    if path.suffix.lower() == ".html":
        page = _Page()
        page.feed(text)
        page.close()
        return Document(document_id, page.text(), page.title())
    if path.suffix.lower() == ".md" and (heading := _HEADING.match(text)):
        return Document(document_id, text[heading.end() :].strip(), heading["title"].strip())
    return Document(document_id, text.strip())


class _Page(HTMLParser):
    """Collects what a reader of a page sees: a line for each block, blanks joined."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self._parts: list[str] = []
        self._titles: dict[str, list[str]] = {"title": [], "h1": []}
        self._titled: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN or tag in self._titles:
            self._open.append(tag)
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            del self._open[self._open.index(tag) :]
            self._titled.append(tag)
        self._break(tag)

    def handle_data(self, data: str) -> None:
        for tag, parts in self._titles.items():
            if self._open[-1:] == [tag] and tag not in self._titled:  # only the first counts
                parts.append(data)
        if "title" not in self._open and not _UNSEEN.intersection(self._open):
            self._parts.append(data)

    def title(self) -> str:
        """Return the title, else the first heading, else ""."""
        heading = "".join(self._titles["h1"])
        return " ".join(("".join(self._titles["title"]) or heading).split())

    def text(self) -> str:
        """Return the text, one block a line."""
        lines = (" ".join(line.split()) for line in "".join(self._parts).split("\0"))
        return "\n".join(line for line in lines if line)

    def _break(self, tag: str) -> None:
        if tag not in _INLINE:
            self._parts.append("\0")
