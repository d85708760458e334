"""What documents of a domain tell, for which conditions are looked for: a table, or your own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline.data.lines import numbered_lines
from leadline.errors import InputError, unknown

EditStyle = Literal["altered", "dummy"]


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of documents.

    features  what its documents tell
    edit      how a condition is broken: `altered` for a critical fact that is another, `dummy` for
              key terms that stay and are attached to something else
    """

    name: str
    features: tuple[str, ...]
    edit: EditStyle = "altered"


DOMAINS = {
    each.name: each
    for each in (
        Domain(
            "people",
            ("profession", "nationality", "achievements", "social impact", "related events"),
            "dummy",
        ),
        Domain(
            "books",
            ("author", "publication year", "genre", "main content", "details of the plot"),
        ),
        Domain(
            "movies",
            ("director", "cast", "origin", "release year", "genre", "details of the plot"),
        ),
        Domain(
            "medical",
            ("symptoms", "diagnosis", "drug allergies", "family history", "surgery",
             "post-operative outcome", "length of stay", "recovery"),
        ),
        Domain(
            "legal",
            ("type of case", "parties", "ruling", "legal provisions", "evidence",
             "strategy of the defence"),
        ),
    )
}  # fmt: skip
"""Source: Lu et al., MultiConIR, section 3.2: domains, features, and how each is broken."""


def domain_of(name: str, features: str | Path | None = None) -> Domain:
    """Return a domain of the table, or one whose features stand in a file, one a line.

    name  may be empty where there is a file: then that of the file

    Raises InputError when there is neither, no such domain, or a file without features.
    """
    if features is None:
        if not name:
            raise InputError(
                "Conditions by a language model are chosen by what documents tell: name "
                f"--domain ({', '.join(DOMAINS)}), or give your own list with --features FILE."
            )
        if name not in DOMAINS:
            raise unknown("domain", name, DOMAINS, "Any other needs --features FILE.")
        return DOMAINS[name]
    path = Path(features)
    lines = [line for _, line in numbered_lines(path)]
    found = tuple(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))
    if not found:
        raise InputError(f"{path} names no features: one a line is wanted, such as `diagnosis`.")
    edit: EditStyle = DOMAINS[name].edit if name in DOMAINS else "altered"
    return Domain(name or path.stem, found, edit)
