"""Links from a report to the source files of documents, if they are known."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote, urlsplit

from leadline.benchmark import Benchmark
from leadline.data.paths import is_file, is_folder
from leadline.report.shapes import Case
from leadline.types import Document

Links: TypeAlias = Mapping[tuple[str, str], str]
"""(probe, document id) -> address, relative to the folder of the report or of the web."""

TOLD_BY = ("url", "uri", "link", "path", "file", "filename", "file_path", "source")
"""Fields of a record that may give the address of its document, in this order."""

_LONGEST = 2_000
_WEB = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_RELATIVE = re.compile(r"(?!/)[A-Za-z0-9_.~%/-]+")
_OF_ADDRESSES = "!#$%&'()*+,/:;=?@[]~"


def links_of(
    cases: Iterable[Case], benchmarks: Sequence[Benchmark], source: Path | None, out: Path
) -> dict[tuple[str, str], str]:
    """Return the address of every document in the cases whose file is known.

    source  path of the corpus, or None if unknown
    out     folder of the report
    """
    corpora = {benchmark.name: benchmark.corpus for benchmark in benchmarks}
    found = {}
    for case in cases:
        corpus = corpora.get(case.probe, {})
        for id in _documents(case):
            if id in corpus and (link := link_to(corpus[id], source, out)):
                found[case.probe, id] = link
    return found


def link_to(document: Document, source: Path | None, out: Path) -> str:
    """Return the address of the file of a document, or an empty string if it is unknown.

    It is a web address or a file below the corpus folder, named by a field of the record; in a
    folder of texts it is the file that gave the document its id.
    """
    told = [document.facets[name] for name in TOLD_BY if document.facets.get(name)]
    for value in told:
        if link := _of_the_web(value):
            return link
    if source is None:
        return ""
    folder = source if is_folder(source) else source.parent
    ids = [document.id] if is_folder(source) else []
    return next((link for name in (*told, *ids) if (link := _below(folder, name, out))), "")


def safe(link: str) -> str:
    """Return a link unchanged if it is a web address or a relative path, else an empty string."""
    return link if _WEB.fullmatch(link) or _RELATIVE.fullmatch(link) else ""


def _documents(case: Case) -> Iterator[str]:
    yield case.expected.id
    yield case.retrieved.id
    for listed in case.rankings.values():
        yield from (each.id for each in listed)


def _of_the_web(value: str) -> str:
    """Return a web address as a link, or nothing if it is invalid or has a user or password."""
    try:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or "@" in parts.netloc or len(value) > _LONGEST:
            return ""
        return safe(quote(value, safe=_OF_ADDRESSES))
    except ValueError:
        return ""


def _below(folder: Path, name: str, out: Path) -> str:
    """Return the relative path from the report to a file below a folder, or an empty string."""
    # Not Path.resolve(): a browser resolves ".." without looking at symbolic links.
    root = os.path.abspath(folder)  # noqa: PTH100
    path = os.path.normpath(os.path.join(root, name))  # noqa: PTH118
    if len(name) > _LONGEST or not path.startswith(root + os.sep) or not is_file(path):
        return ""
    way = os.path.relpath(path, os.path.abspath(out)).replace(os.sep, "/")  # noqa: PTH100
    return safe(quote(way))
