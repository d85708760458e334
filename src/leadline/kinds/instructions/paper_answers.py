"""What the models answer when instructions are made: one JSON object for each step."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class CoreQuery(BaseModel):
    """A query."""

    query: str


class Words(BaseModel):
    """Words of a document."""

    words: str


class Text(BaseModel):
    """A document."""

    title: str
    text: str


class Instructed(BaseModel):
    """A query in other words, and what is asked beside it."""

    query: str
    instruction: str


class Reversed(BaseModel):
    """The opposite of an instruction."""

    instruction: str


class Verdict(BaseModel):
    """What the judge says of a document."""

    answers: bool
    is_so: bool


class Answering(BaseModel):
    """What the judge says of a document that is meant to be no answer."""

    answers: bool


class Wanted(BaseModel):
    """What the judge reads in an instruction."""

    wants: Literal["for", "against", "neither"]
