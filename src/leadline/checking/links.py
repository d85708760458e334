"""What other pages of a folder call a page that they link to."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from leadline.data.limits import LARGEST_PAGE

_MARKDOWN = re.compile(r"(?<!!)\[([^\[\]\n]{3,120})\]\(([^()\s]{1,400})(?:\s[^()\n]{0,300})?\)")
_HTML = re.compile(
    r"<a\s[^<>]{0,400}?href=[\"']([^\"'<>]{1,400})[\"'][^<>]{0,400}>([^<>\n]{3,120})</a>",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?:mdx?|markdown|html?)$", re.IGNORECASE)
_NUMBER = re.compile(r"^\d+[-_]")
_MARKS = re.compile(r"[`*]")


def names_in_links(folder: Path, ids: Iterable[str]) -> dict[str, list[str]]:
    """Return by document what other pages of a folder call it in their links, each text once.

    ids  documents, by their paths below the folder

    A link from the root of a site ("/docs/guides/x") leads to the one document whose path ends so;
    numbers that order files ("02-guides") do not count. A link that several documents fit, or
    none, is left out.
    """
    paths = list(ids)
    by_end: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for id in paths:
        parts = _parts(id)
        for length in range(1, len(parts) + 1):
            by_end[parts[-length:]].append(id)
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for id in paths:
        for text, target in _links(folder / id):
            to = _target(target, id, by_end)
            if to and to != id:
                found[to][_MARKS.sub("", text).strip()] = None
    return {id: list(texts) for id, texts in found.items()}


def _links(path: Path) -> Iterator[tuple[str, str]]:
    """Yield text and target of the links of a page; none where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(LARGEST_PAGE)
    except OSError:
        return
    if path.suffix.lower() in (".html", ".htm"):
        yield from ((each[2], each[1]) for each in _HTML.finditer(text))
    else:
        yield from ((each[1], each[2]) for each in _MARKDOWN.finditer(text))


def _target(target: str, source: str, by_end: Mapping[tuple[str, ...], list[str]]) -> str:
    """Return the document that a link leads to; empty where none or several fit."""
    path = re.split(r"[#?]", target, maxsplit=1)[0]
    if not path or ":" in path:
        return ""
    if path.startswith("/"):
        parts = _parts(path)
        ends = (parts[start:] for start in range(len(parts)))
        fitting = next((by_end[end] for end in ends if end in by_end), [])
    else:
        whole = _parts(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
        fitting = [id for id in by_end.get(whole, ()) if _parts(id) == whole]
    return fitting[0] if len(fitting) == 1 else ""


def _parts(path: str) -> tuple[str, ...]:
    """Return the parts of a path as addresses have them: no ending, no number, no index."""
    parts = [_NUMBER.sub("", part).lower() for part in _ENDING.sub("", path).split("/")]
    kept = [part for part in parts if part not in ("", ".")]
    return tuple(kept[:-1] if kept[-1:] in (["index"], ["readme"]) and kept[1:] else kept)
