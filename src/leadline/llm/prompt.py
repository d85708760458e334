"""Prompts are plain text files next to their code. Every field must be filled."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from leadline.errors import InputError


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text with fields written `$query`; a dollar sign is written `$$`.

    name  how errors call it: `prompts/write_query.txt`
    text  the template
    """

    name: str
    text: str

    def __post_init__(self) -> None:
        template = Template(self.text)
        if not template.is_valid():
            line = self.text[: _first_fault(template)].count("\n") + 1
            raise InputError(
                f"{self.name}:{line}: a single '$'. Write fields as $query, and a dollar sign "
                "as $$."
            )

    @classmethod
    def load(cls, package: str, name: str) -> Prompt:
        """Read `prompts/NAME.txt` of a package.

        The line feed that ends the file is not part of the prompt; any other character is.

        Raises InputError when there is no such file, and names those that there are.
        """
        folder = files(package) / "prompts"
        path = folder / f"{name}.txt"
        if not path.is_file():
            known = sorted(each.name.removesuffix(".txt") for each in folder.iterdir())
            raise InputError(f"There is no prompt {name!r}. Existing prompts: {', '.join(known)}.")
        text = path.read_bytes().decode("utf-8")
        return cls(f"prompts/{name}.txt", text.removesuffix("\n"))

    @classmethod
    def read(cls, path: str | Path) -> Prompt:
        """Read a prompt from a user's own file, by the rules of `load`.

        Raises InputError when it cannot be read or is not UTF-8.
        """
        try:
            path = Path(path)
            if path.exists() and not path.is_file():  # a pipe would be waited for
                raise InputError(f"The prompt {path} cannot be read: it is no file.")
            text = path.read_bytes().decode("utf-8")
        except OSError as error:
            raise InputError(f"Cannot read the prompt {path}: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise InputError(f"The prompt {path} is not UTF-8 text.") from error
        return cls(str(path), text.replace("\r\n", "\n").removesuffix("\n"))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its fields, in order of first appearance."""
        return tuple(Template(self.text).get_identifiers())

    @property
    def hash(self) -> str:
        """12 hex digits of the SHA-256 of its text, for the record of what was run."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    def fill(self, **values: str) -> str:
        """Put a value in the place of every field. A value is never read as a template.

        Raises InputError when a field has no value, or a value has no field.
        """
        got = ", ".join(values) or "nothing"
        for field in self.fields:
            if field not in values:
                raise InputError(f"{self.name}: no value for ${field} (got: {got})")
        for name in values:
            if name not in self.fields:
                has = ", ".join(f"${field}" for field in self.fields) or "no field"
                raise InputError(f"{self.name}: the prompt has no field ${name} (it has: {has})")
        return Template(self.text).substitute(values)

    def around(self, field: str, **values: str) -> tuple[str, str]:
        """Fill every field but one, and return what stands before and after that one.

        Raises InputError as `fill` does, or when the field does not stand there exactly once.
        """
        mark = f"\0{field}\0"
        parts = self.fill(**{**values, field: mark}).split(mark)
        if len(parts) != 2:
            raise InputError(f"{self.name}: ${field} must occur once, not {len(parts) - 1} times.")
        return parts[0], parts[1]


def _first_fault(template: Template) -> int:
    faults = (m.start() for m in template.pattern.finditer(template.template) if m["invalid"] == "")
    return next(faults, 0)
