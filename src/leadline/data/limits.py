"""Limits on the size of inputs, far above the size of any real one.

They keep a hostile or broken input from using all memory or hours of time.
"""

from __future__ import annotations

LONGEST_LINE = 1 << 24
"""Bytes of a line of JSON, CSV or TREC, and so of a document in one."""

LARGEST_TEXT = 1 << 24
"""Bytes of a plain text file in a folder, which is one document."""

LARGEST_PAGE = 1 << 23
"""Bytes of an HTML or Markdown file, which limits the time to read one."""

LARGEST_OFFICE = 1 << 26
"""Bytes of a .pdf or .docx, which may hold pictures."""

DEEPEST_PAGE = 500
"""Nesting of elements in an HTML file."""

DEEPEST_JSON = 100
"""Nesting of lists and objects in JSON."""

LARGEST_SETTINGS = 1 << 24
"""Bytes of a JSON file other than JSON lines, such as benchmark.json."""

LARGEST_DESCRIPTION = 1 << 16
"""Bytes of a YAML file."""

MOST_NODES = 10_000
"""Values in a YAML file once every alias is written out."""

DEEPEST_DESCRIPTION = 50
"""Nesting of lists and mappings in a YAML file."""

LONGEST_ID = 4096
"""Characters of the id of a document or query."""

LARGEST_GRADE = 1 << 31
"""Largest absolute grade of a judgement."""

UNPACKED_AT_LEAST = 1 << 25
UNPACKED_RATIO = 200
"""Bytes that a packed file may unpack to: this many, or this many times its size if that is more.

Text packs to a fifth or a tenth; the format allows a thousandth.
"""

BYTES_PER_ROW = 256
"""Bytes that each row of a table counts in addition to its texts."""


def unpacked_limit(packed: int) -> int:
    """Return how many bytes a file of `packed` bytes may unpack to."""
    return max(UNPACKED_AT_LEAST, UNPACKED_RATIO * packed)


def mebibytes(size: int) -> str:
    """Return a number of bytes for a message."""
    return f"{size / (1 << 20):,.4g} MiB"
