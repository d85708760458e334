"""Words of a corpus in a prompt: between marks that they cannot close."""

from __future__ import annotations

import re


def delimited(text: str, name: str) -> str:
    """Put marks around a text: `<name>`, the text, `</name>`, each on lines of its own.

    Whatever in the text could pass for such a mark is broken up.
    """
    inside = re.sub(rf"<(?=\s*/?\s*{re.escape(name)}\b)", "&lt;", text, flags=re.IGNORECASE)
    return f"<{name}>\n{inside}\n</{name}>"
