"""How much of one input is read before it is refused: far more than any real one holds.

Each limit keeps one hostile or broken input from taking all memory or hours of a run.
"""

from __future__ import annotations

LONGEST_LINE = 1 << 24
"""Bytes of a line of JSON, CSV or TREC, so of a document in one."""

LARGEST_TEXT = 1 << 24
"""Bytes of a plain text file in a folder, which is one document."""

LARGEST_PAGE = 1 << 23
"""Bytes of an HTML or Markdown file, which bounds the time that reading one takes."""

LARGEST_OFFICE = 1 << 26
"""Bytes of a .pdf or .docx, which may hold pictures."""

DEEPEST_PAGE = 500
"""Elements of an HTML file within each other."""

DEEPEST_JSON = 100
"""Lists and objects within each other."""

LARGEST_SETTINGS = 1 << 24
"""Bytes of a JSON file that is read whole, such as benchmark.json."""

LARGEST_DESCRIPTION = 1 << 16
"""Bytes of a YAML file."""

MOST_NODES = 10_000
"""Values in a YAML file once every alias is written out."""

DEEPEST_DESCRIPTION = 50
"""Lists and mappings of a YAML file within each other."""

LONGEST_ID = 4096
"""Characters of the id of a document or query."""

LARGEST_GRADE = 1 << 31
"""Of a judgement, in either direction."""

UNPACKED_AT_LEAST = 1 << 25
UNPACKED_RATIO = 200
"""Bytes that a packed file may unpack to: so many, or so many times its own size if that is more.

Text packs to a fifth or a tenth; the format allows a thousandth.
"""

BYTES_PER_ROW = 256
"""What a row of a table counts towards that, beside its texts."""


def unpacked_limit(packed: int) -> int:
    """Return how many bytes a file of `packed` bytes may unpack to."""
    return max(UNPACKED_AT_LEAST, UNPACKED_RATIO * packed)


def mebibytes(size: int) -> str:
    """Return a number of bytes as it is told to a user."""
    return f"{size / (1 << 20):,.4g} MiB"
