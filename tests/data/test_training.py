"""Training examples on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.data.training import read_examples, write_examples
from leadline.errors import InputError
from leadline.types import TrainingExample

EXAMPLES = [
    TrainingExample("q", "p"),
    TrainingExample("Größe?", "so\nlang", ("n1", "n2"), ("wie groß?",)),
    TrainingExample("taught", "p", ("n1", "n2"), scores=(0.5, 2.0, -1.25)),
]


@pytest.mark.parametrize("name", ["examples.jsonl"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    write_examples(tmp_path / name, EXAMPLES)
    assert read_examples(tmp_path / name) == EXAMPLES


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"query": "q"}', "no field 'positive'"),
        ('{"query": " ", "positive": "p"}', "'query' is empty"),
        ('{"query": "q", "positive": 3}', "'positive' must be a string, got 3"),
        ('{"query": "q", "positive": "p", "negatives": "n"}', "'negatives' must be a list"),
        (
            '{"query": "q", "positive": "p", "rephrasings": ["a", ""]}',
            "item 2 of 'rephrasings' must be a text",
        ),
        ('{"query": "q", "positive": "p", "negatives": ["n"], "scores": [1]}', "must be 2 numbers"),
        ('{"query": "q", "positive": "p", "scores": [NaN]}', "must be 1 numbers"),
        ('{"query": "q", "positive": "p"', "not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "examples.jsonl"
    path.write_text('{"query": "q", "positive": "p"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"examples\.jsonl:2: ") as caught:
        read_examples(path)
    assert told in str(caught.value)


def test_a_file_without_examples_is_refused(tmp_path: Path) -> None:
    (tmp_path / "examples.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no training examples"):
        read_examples(tmp_path / "examples.jsonl")
