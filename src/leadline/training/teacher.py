"""What a teacher, any system that scores documents, says of the texts of training examples."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from leadline.errors import InputError
from leadline.types import Document, Query, Retriever, TrainingExample


def scored(examples: Sequence[TrainingExample], teacher: Retriever) -> list[TrainingExample]:
    """Return examples with a teacher's score of the positive and of each negative.

    teacher  a first stage or a whole system; the texts of all examples are its corpus

    Raises InputError where the teacher gives a text no score.
    """
    names = {text: f"d{place}" for place, text in enumerate(_texts(examples))}
    corpus = {name: Document(name, text) for text, name in names.items()}
    queries = [Query(f"q{place}", each.query) for place, each in enumerate(examples)]
    candidates = {
        query.id: list(dict.fromkeys(names[text] for text in (each.positive, *each.negatives)))
        for query, each in zip(queries, examples, strict=True)
    }
    run = teacher.index(corpus).score(queries, candidates)
    done = []
    for query, each in zip(queries, examples, strict=True):
        given = run.get(query.id, {})
        texts = (each.positive, *each.negatives)
        unscored = [text for text in texts if names[text] not in given]
        if unscored:
            raise InputError(
                f"--teacher {teacher.name} gives no score to {len(unscored)} of the {len(texts)} "
                f"texts of the query {each.query[:60]!r}. Take a teacher that scores every text."
            )
        scores = tuple(given[names[text]] for text in texts)
        done.append(dataclasses.replace(each, scores=scores))
    return done


def _texts(examples: Sequence[TrainingExample]) -> dict[str, None]:
    return dict.fromkeys(text for each in examples for text in (each.positive, *each.negatives))
