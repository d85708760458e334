"""Judged pairs on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.data.judged_pairs import JudgedPair, read_pairs, write_pairs
from leadline.errors import InputError


def test_pairs_are_read_as_they_were_written(tmp_path: Path) -> None:
    pairs = [
        JudgedPair("q", "d", True, "It says so.\nTwice.", {"style": "daily"}),
        JudgedPair("q", "é", False),
    ]
    write_pairs(tmp_path / "pairs.jsonl", pairs)
    assert read_pairs(tmp_path / "pairs.jsonl") == pairs
    assert read_pairs(tmp_path) == pairs
    assert '"trace"' not in (tmp_path / "pairs.jsonl").read_text().splitlines()[1]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"query": "q", "document": "d"}', "'relevant' must be true or false, got None"),
        ('{"query": "q", "document": "d", "relevant": "true"}', "must be true or false"),
        ('{"query": " ", "document": "d", "relevant": true}', "'query' is empty"),
        ('{"query": "q", "relevant": true}', "document"),
        ('{"query": "q", "document": "d", "relevant": true, "trace": 3}', "'trace' must be a text"),
        ('{"query"', "not JSON"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"query": "q", "document": "d", "relevant": true}\n' + line + "\n")
    with pytest.raises(InputError, match=told) as error:
        read_pairs(path)
    assert f"{path}:2" in str(error.value)
    assert "\n" not in str(error.value)


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no judged pairs"):
        read_pairs(tmp_path / "p.jsonl")
