"""Assertions about single queries, read from a YAML file and run on systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError
from leadline.system import System
from leadline.types import Corpus, Query

WITHIN = 10
_XML_SAFE = {code: None for code in range(32) if code not in (9, 10, 13)}

Ids = Annotated[
    list[str], BeforeValidator(lambda given: given if isinstance(given, list) else [given])
]
Text = Annotated[str, Field(min_length=1)]


class Assertion(BaseModel):
    """An assertion about the results of one query.

    query    the query
    within   number of first results to check
    finds    documents that must all be among them
    never    documents that must not be among them
    order    documents that must rank in this order; one that is not found ranks last
    same_as  another form of the query that must return the same results, in any order
    """

    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)

    query: Text
    within: int = Field(WITHIN, ge=1, le=1000)
    finds: Ids = []
    never: Ids = []
    order: Ids = []
    same_as: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    corpus: str = ""
    tests: list[Assertion] = Field(min_length=1)


@dataclass(frozen=True)
class Tried:
    """The result of an assertion on a system.

    faults  what failed, in words; empty if the assertion passed
    """

    system: str
    assertion: Assertion
    faults: tuple[str, ...]


def read_assertions(path: Path) -> tuple[str, list[Assertion]]:
    """Return the corpus path of an assertions file (empty if it names none) and its assertions.

    A relative path starts at the folder of the file. Raises InputError, which names the place, if
    the file does not have the form that `Assertion` describes.
    """
    try:
        read = _File.model_validate(read_yaml(path))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(str(each + 1 if isinstance(each, int) else each) for each in fault["loc"])
        raise InputError(
            f"{path}: {place or 'the file'}: {fault['msg']}. A test needs a query and one of "
            "finds, never, order, same_as. See docs/how-to/write-assertions.md."
        ) from None
    for number, each in enumerate(read.tests, 1):
        if not (each.finds or each.never or each.order or each.same_as):
            raise InputError(
                f"{path}: test {number} ({each.query!r}) checks nothing. Add finds, never, order "
                "or same_as."
            )
        if len(each.order) == 1:
            raise InputError(f"{path}: test {number}: order needs at least two documents.")
    corpus = str(path.parent / read.corpus) if read.corpus else ""
    return corpus, read.tests


def tried(
    systems: Sequence[System], corpus: Corpus, assertions: Sequence[Assertion], path: Path
) -> list[Tried]:
    """Run assertions on systems. Raises InputError if one names a document the corpus lacks."""
    for each in assertions:
        for id in (*each.finds, *each.never, *each.order):
            if id not in corpus:
                raise InputError(
                    f"{path}: query {each.query!r}: document {id!r} is not in the corpus."
                )
    texts = dict.fromkeys(
        text for each in assertions for text in (each.query, each.same_as) if text
    )
    asked = {text: Query(f"q{number}", text, f"q{number}") for number, text in enumerate(texts)}
    found = []
    for system in systems:
        run = system.run(corpus, list(asked.values())).run
        ranked = {text: list(run[query.id]) for text, query in asked.items()}
        found += [Tried(system.name, each, tuple(_faults(each, ranked))) for each in assertions]
    return found


def as_junit(results: Sequence[Tried]) -> str:
    """Return results as JUnit XML."""
    failed = sum(bool(each.faults) for each in results)
    suite = ElementTree.Element(
        "testsuite", name="leadline test", tests=str(len(results)), failures=str(failed),
        errors="0", skipped="0",
    )  # fmt: skip
    for each in results:
        names = {"classname": each.system, "name": each.assertion.query}
        case = ElementTree.SubElement(
            suite, "testcase", {key: text.translate(_XML_SAFE) for key, text in names.items()}
        )
        if each.faults:
            said = "; ".join(each.faults).translate(_XML_SAFE)
            ElementTree.SubElement(case, "failure", message=said)
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return head + ElementTree.tostring(suite, encoding="unicode")


def _faults(each: Assertion, ranked: Mapping[str, Sequence[str]]) -> list[str]:
    whole = ranked[each.query]
    first = whole[: each.within]
    ranks = {id: rank for rank, id in enumerate(whole, 1)}
    last = len(whole) + 1
    faults = [
        f"{id} is {_at(ranks.get(id))}, not in the first {each.within}"
        for id in each.finds
        if id not in first
    ]
    faults += [f"{id} is {_at(ranks[id])}" for id in each.never if id in first]
    faults += [
        f"{before} ({_at(ranks.get(before))}) does not rank before {after} "
        f"({_at(ranks.get(after))})"
        for before, after in zip(each.order, each.order[1:], strict=False)
        if ranks.get(before, last) >= ranks.get(after, last)
    ]
    if each.same_as:
        other = ranked[each.same_as][: each.within]
        if missing := set(first) ^ set(other):
            faults.append(
                f"{each.same_as!r} shares {len(set(first) & set(other))} of "
                f"{len(set(first) | set(other))} results; only one of the two queries finds "
                f"{', '.join(sorted(missing)[:3])}"
            )
    return faults


def _at(rank: int | None) -> str:
    return "not found" if rank is None else f"at rank {rank}"
