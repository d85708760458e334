"""Rows of training examples as tokens: each distinct text of a batch is encoded once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leadline.errors import needs
from leadline.training.data import TrainingExample

with needs("train"):
    import torch

DOCUMENTS = "query_document"
"""Examples of a query and its document."""

QUERIES = "query_query"
"""Examples of a query and an equivalent of it, in the place of the document."""


class Clusters:
    """Queries that are equivalents of each other, and what answers any of them.

    Examples that share a query or a rephrasing are of one cluster. Its texts and the positives of
    all its examples are never negatives of one of its queries.
    """

    def __init__(self, examples: Iterable[TrainingExample]) -> None:
        self._next: dict[str, str] = {}
        examples = list(examples)
        for each in examples:
            for text in each.rephrasings:
                self._next[self._first(text)] = self._first(each.query)
        self._members: dict[str, set[str]] = {}
        self._answers: dict[str, set[str]] = {}
        for each in examples:
            first = self._first(each.query)
            self._members.setdefault(first, set()).update((each.query, *each.rephrasings))
            self._answers.setdefault(first, set()).add(each.positive)

    def equivalents(self, query: str) -> set[str]:
        """Return the queries of its cluster."""
        return self._members.get(self._first(query), {query})

    def answers(self, query: str) -> set[str]:
        """Return the documents that answer a query of its cluster."""
        return self._answers.get(self._first(query), set())

    def _first(self, text: str) -> str:
        """Return the text that stands for its cluster, by the shortest way next time."""
        first = text
        while (follows := self._next.get(first, first)) != first:
            first = follows
        while text != first:
            self._next[text], text = first, self._next.get(text, first)
        return first


@dataclass(frozen=True)
class Collator:
    """Turns rows into the features of two sides, and tells where the texts of each row stand.

    examples            by name of the set; a row is the number of an example of its set
    preprocess          tokenises texts, with a prompt
    prompts             what stands before the texts of `query` and of `document`
    with_rephrasings    encode the rephrasings too
    process, processes  this process encodes every so manieth of the texts, from its number on

    A batch holds `query_*` and `document_*`, and under `label` three tables of places, -1 where a
    row has no more: `queries` [B, 1 + R], the query first; `documents` [B, 1 + N], the positive
    first; and `answers` [B, any], documents of the batch that the cluster of the row's query holds
    for right. Places count the texts of all processes.
    """

    examples: Mapping[str, Sequence[TrainingExample]]
    preprocess: Callable[..., dict[str, Any]]
    prompts: Mapping[str, str]
    with_rephrasings: bool
    process: int = 0
    processes: int = 1
    valid_label_columns: tuple[str, ...] = ("label",)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the batch of these rows."""
        name = str(rows[0].get("dataset_name", DOCUMENTS))
        examples = [self.examples[name][row["row"]] for row in rows]
        queries, query_places = _placed(
            [each.query, *(each.rephrasings if self.with_rephrasings else ())] for each in examples
        )
        documents, document_places = _placed([each.positive, *each.negatives] for each in examples)
        other_side = "query" if name == QUERIES else "document"
        sides = {"query": (queries, "query"), "document": (documents, other_side)}
        batch: dict[str, Any] = {
            f"{column}_{key}": value
            for column, (texts, side) in sides.items()
            for key, value in self._tokens(texts, side).items()
        }
        right = self.clusters.equivalents if name == QUERIES else self.clusters.answers
        known = set(documents)
        _, answers = _placed([right(each.query) & known for each in examples], documents)
        batch["label"] = {
            "queries": query_places, "documents": document_places, "answers": answers,
        }  # fmt: skip
        if "dataset_name" in rows[0]:
            batch["dataset_name"] = name
        return batch

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of all examples, not just of those of a batch."""
        return Clusters(self.examples[DOCUMENTS])

    def _tokens(self, texts: list[str], side: str) -> dict[str, Any]:
        own = texts[self.process :: self.processes] or texts[:1]  # one at least; see `gathered`
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in own]
        return self.preprocess(readable, prompt=self.prompts[side] or None)


def prompts_of(model: Any) -> dict[str, str]:
    """Return what a model puts before queries and before documents, empty for nothing."""
    default = model.prompts.get(model.default_prompt_name or "", "") or ""
    names = {"query": ("query",), "document": ("document", "passage", "corpus")}
    return {
        side: next((model.prompts[name] for name in known if model.prompts.get(name)), default)
        for side, known in names.items()
    }


def _placed(groups: Any, known: Sequence[str] = ()) -> tuple[list[str], torch.Tensor]:
    """Return the distinct texts, and the place of each text of each group, -1 behind the last.

    known  texts that have their places already
    """
    places = {text: place for place, text in enumerate(known)}
    rows = [[places.setdefault(text, len(places)) for text in texts] for texts in groups]
    table = torch.full((len(rows), max(map(len, rows))), -1)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = torch.tensor(numbers)
    return list(places), table
