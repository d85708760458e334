"""Read a folder of text files, each as one document."""

from __future__ import annotations

import io
import logging
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from leadline import progress
from leadline.data import markdown
from leadline.data.limits import (
    DEEPEST_PAGE,
    LARGEST_OFFICE,
    LARGEST_PAGE,
    LARGEST_TEXT,
    mebibytes,
    unpacked_limit,
)
from leadline.errors import InputError, needs
from leadline.types import Document

_MARKDOWN, _HTML, _MARKED = (".md", ".markdown", ".mdx"), (".html", ".htm"), (".rst", ".adoc")
TEXT_ENDINGS = (".txt", *_MARKDOWN, *_HTML, *_MARKED)
_OFFICE = {".pdf": "pypdf", ".docx": "docx"}
"""File types that need an optional package."""
OUTPUT = "leadline-out"
"""The default output folder."""

_RESULTS = ("report.json", "report.html")
_ADOC_HEADING = re.compile(r"={1,6}[ \t]+(\S.*)$")
_LISTED = re.compile(r"^\s+\S|^[-*+|]|^\d+[.)]|^\S.*\n\s+\S", re.MULTILINE)
"""A block whose lines are not joined: a list, a table, code, a definition."""
_ROLE = re.compile(r"(?::[\w:+-]+:)?`{1,2}([^`<\n]{1,200}?)(?:\s*<[^<>`\n]{0,200}>)?`{1,2}_{0,2}")
_DIRECTIVE = re.compile(
    r"\s*(?:\.\. |:[\w-]+:(?:\s|$)|(?:image|include|ifdef|endif)::|\[[^\]]*\]$)"
)
_USUAL = 1 << 16
_SHOWN = 8
"""Number of ignored file types that are named."""


def read_texts(folder: Path, *, strict: bool = False) -> tuple[dict[str, Document], str]:
    """Return the documents below a folder by id, and a note on ignored files: 2 (.pdf).

    The id is the path below the folder, with "/", and gives the order. The title is the first
    heading of Markdown, reStructuredText and AsciiDoc (removed from the text), the <title> or else
    first <h1> of HTML, or that of a .pdf or .docx. A `.txt` has none. All are reduced to the
    visible text. .pdf and .docx need the extra `office`. Hidden files and folders, other types, and
    result folders of Leadline are ignored. Files are left out, with a note, if they are not regular
    files in the folder (pipes, devices, links to elsewhere), too large or too deeply nested, not
    UTF-8, or unreadable.

    strict  refuse a file that is not UTF-8 or unreadable

    Raises InputError for a name that is not UTF-8, an unreadable folder, and with `strict`.
    """
    found = _Found(folder)
    documents = {}
    for path in sorted(_paths(found, folder)):
        try:
            document = _document(found, path)
        except _UnreadableError as error:
            if strict:
                raise
            found.left_out.append((path, error.why))
            continue
        if document is not None:
            documents[path] = document
    _tell(found)
    if documents and found.ignored:
        progress.warn(f"{folder}: {_ignored(found.ignored)}.")
    return documents, _ignored(found.ignored + Counter({"left out": len(found.left_out)}))


class _UnreadableError(InputError):
    """A file that cannot be read. `why` is a short reason."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why


@dataclass
class _Found:
    """The files of a folder that were not read.

    ignored   files by type, `hidden` for names that begin with a dot
    left_out  files of a known type that were left out, and why
    """

    folder: Path
    ignored: Counter[str] = field(default_factory=Counter)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def _paths(found: _Found, folder: Path) -> Iterator[str]:
    """Yield the path of each possible document below the folder, in any order."""
    waiting = [str(folder)]
    root = len(str(folder)) + 1
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and not _is_ours(entry.path, entry.name):
                            waiting.append(entry.path)
                        continue
                    ending = os.path.splitext(entry.name)[1].lower()  # noqa: PTH122 (no Path each)
                    if entry.name.startswith(".") or not _is_read(ending):
                        hidden = entry.name.startswith(".")
                        found.ignored["hidden" if hidden else ending or "no ending"] += 1
                    elif why := _no_file(entry, folder):
                        found.left_out.append((entry.path[root:], why))
                    else:
                        yield entry.path[root:].replace(os.sep, "/")
        except OSError as error:
            raise InputError(
                f"Cannot read the folder {error.filename}: {error.strerror or error}."
            ) from error


@cache
def _is_read(ending: str) -> bool:
    return ending in TEXT_ENDINGS or (ending in _OFFICE and bool(find_spec(_OFFICE[ending])))


def _is_ours(folder: str, name: str) -> bool:
    return name == OUTPUT or all(
        os.path.isfile(os.path.join(folder, each))  # noqa: PTH113, PTH118 (no Path each)
        for each in _RESULTS
    )


def _no_file(entry: os.DirEntry[str], folder: Path) -> str:
    """Return why an entry of a folder is not read, or an empty string if it is."""
    if entry.is_symlink():
        target = Path(os.path.realpath(entry.path))
        if not target.is_relative_to(os.path.realpath(folder)):
            return "a link that leaves the folder"
        return "" if target.is_file() else "a broken link"
    return "" if entry.is_file(follow_symlinks=False) else "a pipe, a device or a socket"


def _document(found: _Found, document_id: str) -> Document | None:
    path = found.folder / document_id
    ending = path.suffix.lower()
    most = LARGEST_PAGE if ending in (*_MARKDOWN, *_HTML) else LARGEST_TEXT
    most = LARGEST_OFFICE if ending in _OFFICE else most
    try:
        document_id.encode()
        with path.open("rb", buffering=0) as handle:
            content = handle.read(_USUAL)
            if len(content) == _USUAL:  # a larger buffer is allocated only if it may be needed
                content += io.BufferedReader(handle).read(most)
        if len(content) > most:
            found.left_out.append((document_id, f"over {mebibytes(most)}"))
            return None
        if ending in _OFFICE:
            return _office_document(document_id, content, path)
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeEncodeError as error:
        raise InputError(
            f"The name {document_id!r} in {found.folder} is not UTF-8. Rename it."
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise _UnreadableError(
            f"{path}:{line}: not UTF-8. Save the file as UTF-8, or check that it is text.",
            f"not UTF-8 in line {line}",
        ) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise _UnreadableError(f"Cannot read {path}: {why}.", why) from error
    if ending in _HTML:
        try:
            title, text = title_and_text(text)
        except TooDeepError:
            found.left_out.append((document_id, f"nested more than {DEEPEST_PAGE} elements deep"))
            return None
        return Document(document_id, text, title)
    if ending in _MARKDOWN:
        title, text = markdown.title_and_text(text)
        return Document(document_id, text, title)
    if ending in _MARKED:
        title, text = _without_markup(text)
        return Document(document_id, text, title)
    return Document(document_id, text.strip())


def _without_markup(text: str) -> tuple[str, str]:
    """Return the first heading and the rest of reStructuredText or AsciiDoc.

    Markup lines are removed (underlines, fences, directives, attributes), and so are the marks
    before a heading and around words. Lines of a paragraph are joined.
    """
    title, before = "", ""
    kept: list[str] = []
    for line in (*text.split("\n"), ""):
        mark = line.strip()
        is_rule = len(mark) > 2 and not mark[0].isalnum() and mark == mark[0] * len(mark)
        if heading := _ADOC_HEADING.match(before):
            before = heading[1]
        if before and (heading or is_rule) and not title and not "".join(kept).strip():
            title = before.strip()
        elif not _DIRECTIVE.match(before):
            kept.append(before.rstrip())
        before = "" if is_rule else line
    blocks = re.split(r"\n\s*\n", "\n".join(kept))
    joined = (
        " ".join(block.split()) if not _LISTED.search(block) else block.strip("\n")
        for block in blocks if block.strip()
    )  # fmt: skip
    return title, _ROLE.sub(r"\1", "\n\n".join(joined)).strip()


def _office_document(document_id: str, content: bytes, path: Path) -> Document:
    """Return the text of a .pdf or .docx, page by page or paragraph by paragraph."""
    read = _of_pdf if path.suffix.lower() == ".pdf" else _of_docx
    try:
        title, text = read(content)
    except Exception as error:  # libraries raise anything for a damaged file
        why = f"not a readable {path.suffix.lower()} ({type(error).__name__})"
        raise _UnreadableError(f"{path}: {why}.", why) from error
    if not text.strip():
        raise _UnreadableError(f"{path} has no text. Perhaps its pages are images.", "no text")
    return Document(document_id, text.strip(), title.strip())


def _of_pdf(content: bytes) -> tuple[str, str]:
    with needs("office"):
        import pypdf
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings are replaced by one note
    reader = pypdf.PdfReader(io.BytesIO(content))
    title = (reader.metadata.title if reader.metadata else "") or ""
    return title, "\n\n".join(page.extract_text() for page in reader.pages)


def _of_docx(content: bytes) -> tuple[str, str]:
    with needs("office"):
        import docx
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if is_bomb(packed, len(content)):
            raise ValueError("it unpacks to far more than its size")
    read = docx.Document(io.BytesIO(content))
    parts = [each.text for each in read.paragraphs]
    parts += ["  ".join(cell.text for cell in row.cells) for t in read.tables for row in t.rows]
    styled = ((each.style.name if each.style else "", each.text) for each in read.paragraphs)
    heading = next((text for style, text in styled if style in ("Title", "Heading 1")), "")
    return read.core_properties.title or heading, "\n\n".join(filter(str.strip, parts))


def is_bomb(packed: zipfile.ZipFile, size: int) -> bool:
    """Return whether a .zip of this size unpacks to more than texts plausibly do."""
    return sum(each.file_size for each in packed.infolist()) > unpacked_limit(size)


def _tell(found: _Found) -> None:
    if found.left_out:
        shown = ", ".join(f"{name[:80]} ({why})" for name, why in found.left_out[:3])
        more = f" and {len(found.left_out) - 3:,} more" if len(found.left_out) > 3 else ""
        progress.warn(f"Left out of {found.folder}: {shown}{more}.")


def _ignored(files: Counter[str]) -> str:
    """Return how many files were ignored, by type, most frequent first."""
    count = files.total()
    if not count:
        return ""
    endings = sorted(files, key=lambda ending: (-files[ending], ending))
    shown = ", ".join(endings[:_SHOWN]) + ", ..." * (len(endings) > _SHOWN)
    were = "file was" if count == 1 else "files were"
    hint = any(each in files and not _is_read(each) for each in _OFFICE)
    way_out = "; pip install 'leadline[office]' reads .pdf and .docx" if hint else ""
    return f"{count:,} other {were} ignored ({shown}){way_out}"


_UNSEEN = {"script", "style", "template", "noscript", "iframe"}
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip


class TooDeepError(ValueError):
    """A page whose elements are nested too deeply."""


def title_and_text(html: str) -> tuple[str, str]:
    """Return the <title>, else the first <h1>, of a page, and its text.

    The parser (libxml2 through lxml) accepts any input in linear time, and loads nothing else.

    Raises TooDeepError.
    """
    from lxml.etree import HTMLParser

    page = _Page()
    parser = HTMLParser(target=page, huge_tree=True, remove_comments=True, remove_pis=True)
    parser.feed(html)
    parser.close()
    return page.title(), page.text()


class _Page:
    """Collects the title and text from the parser."""

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
