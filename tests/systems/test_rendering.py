"""What each row's model reads, against files that people can read; see rendering.py."""

from math import isfinite
from pathlib import Path

import pytest

from tables import each_row

pytest.importorskip("sentence_transformers")

import rendering
from leadline.systems.catalog import ROWS, Row
from leadline.systems.chains import load_system

TWICE = ("followir-7b", "mistral-7b-true-false", "rankllama-7b")
"""Their published code has the first token twice: in the template too, or before each of two."""


def sections(path: Path) -> dict[str, str]:
    """Return what a golden file says of each row."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    found = {}
    for block in blocks[1:]:
        name, _, rest = block.strip("\n").partition("\n")
        found[name] = rest
    return found


TEXTS, TOKENS = sections(rendering.TEXTS), sections(rendering.TOKENS)


def test_the_golden_file_covers_every_row() -> None:
    assert list(TEXTS) == list(ROWS)


def test_tokens_are_told_of_every_row_with_a_model_in_this_process() -> None:
    local = [row.name for row in ROWS.values() if row.parameters or row.stage == "dense"]
    bare = [row.name for row in ROWS.values() if row.stage in rendering.AS_IT_STANDS]
    assert set(TOKENS) == set(local) - set(bare)


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)
def test_a_model_reads_what_is_written_here(row: Row, tmp_path: Path) -> None:
    read = {row.name: rendering.rendered(row, tmp_path)}
    (texts,) = rendering.shown_texts(read).split("\n\n", 1)[1:]
    assert texts.strip("\n").partition("\n")[2] == TEXTS[row.name]
    first = next(iter(read[row.name].values()))
    if first.tokens:
        (tokens,) = rendering.shown_tokens(read).split("\n\n", 1)[1:]
        assert tokens.strip("\n").partition("\n")[2] == TOKENS[row.name]
        assert len(first.ids) == len(first.tokens)
        starts = [token for token in ("<s>", "<bos>", "<|begin_of_text|>") if token in first.tokens]
        often = 2 if row.name.partition("@")[0] in TWICE else 1
        assert [first.tokens.count(token) for token in starts] == [often] * len(starts)


RERANKERS = [
    row
    for row in ROWS.values()
    if row.parameters and row.stage in rendering._HEADS and row.stage not in ("dense", "sparse")
]


@pytest.mark.parametrize("row", RERANKERS, ids=lambda row: row.name)
def test_a_reranker_runs_with_a_tiny_model_in_its_place(row: Row, tmp_path: Path) -> None:
    rendering._save(row, tmp_path)
    typed = f"{row.name}:{tmp_path},device=cpu,dtype=float32,cache=False"
    typed += rendering._typed_beside(row, tmp_path)
    if "max_tokens" in row.options:
        typed += ",max_tokens=8"  # it has nothing to reason about
    corpus = {each.id: each for each in (rendering.DOCUMENT, rendering.OTHER)}
    (reranker,) = load_system(typed).rerankers
    run = reranker.rerank([rendering.INSTRUCTED], corpus, {"i": list(corpus)})
    assert sorted(run["i"]) == sorted(corpus)
    assert all(isfinite(score) for score in run["i"].values())


@each_row
def test_all_of_a_query_and_nothing_of_its_prompt_goes_into_the_vector(
    name: str, pooled: list[str], tmp_path: Path
) -> None:
    read = rendering.rendered(ROWS[name], tmp_path)["query"]
    assert [token for token, kept in zip(read.tokens, read.pooled, strict=True) if kept] == pooled
