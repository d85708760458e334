"""Fill templates into self-contained HTML files, which need no network.

Text from a corpus is escaped, and invisible or direction-changing characters are made visible.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.writing import atomic_file
from leadline.metrics.names import label_of, record_of
from leadline.report.shapes import Passage

LONGEST = 3_000


def filled(template: str, script: str = "", **values: Any) -> str:
    """Return a page.

    script  name of the only script that may run on it
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def finalize(value: Any) -> Any:
        """Make all text that a template prints visible, except our own markup."""
        if isinstance(value, str) and not isinstance(value, Markup):
            return visible(value)
        return value

    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shorten=shorten, place=place, meaning=record_of, label=label_of)
    values = {"version": __version__, "style": Markup(resource("report.css")), **values}
    if script:
        text = resource(script)
        values |= {"script": Markup(text), "script_hash": Markup(hash_of(text))}
    html: str = environment.get_template(template).render(**values)
    return html


def write_page(path: Path, template: str, script: str = "", **values: Any) -> Path:
    """Write a page. Raises InputError if it cannot be written."""
    with atomic_file(path) as file:
        file.write(filled(template, script, **values))
    return path


def hash_of(script: str) -> str:
    """Return the hash by which the content security policy allows the script."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def resource(name: str) -> str:
    """Return the text of a template, style or script in this folder."""
    return files("leadline.report").joinpath(name).read_text(encoding="utf-8")


def place(passage: Passage) -> str:
    """Return the rank that a system gave a passage, in words."""
    parts = [] if passage.rank is None else [f"rank {passage.rank}"]
    if passage.before is not None:
        parts.append(f"before the reasoning {passage.before}")
    if passage.score is not None:
        parts.append(f"score {passage.score:.4g}".replace("-", "−"))
    return ", ".join(parts) or "not retrieved"


def visible(text: str) -> str:
    """Return the text with every invisible or text-turning character made visible.

    Control characters become their pictures (NUL is ␀). Direction overrides, zero-width and tag
    characters become their names (⟨U+202E⟩). Characters that no file can hold become U+FFFD.
    Tabs, newlines and joiners stay, because scripts and emoji need joiners.
    """
    return _UNSEEN.sub(_name, text)


def shorten(text: str, limit: int = LONGEST) -> str:
    """Return at most `limit` characters of the text, with an ellipsis if it is cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 controls; a carriage return becomes a space
    "\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def _name(found: re.Match[str]) -> str:
    point = ord(found.group())
    if point == 0x0D:
        return " "
    if point < 0x20:
        return chr(0x2400 + point)
    if point == 0x7F:
        return "\u2421"
    if point < 0xA0 or 0xD800 <= point <= 0xDFFF or point in (0xFFFE, 0xFFFF):
        return "\ufffd"
    return f"⟨U+{point:04X}⟩"
