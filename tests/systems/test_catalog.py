"""Rows are data: these tests keep them usable and honest."""

from __future__ import annotations

import re

import pytest

from leadline.errors import InputError
from leadline.systems.catalog import ROWS, Row
from leadline.systems.catalog.instructions import INSTRUCTION
from leadline.systems.chains import load_system


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)
def test_a_row_fits_the_file_that_runs_it(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    trusted = f"{row.name}:trust_remote_code=true" if row.runs else row.name
    system = load_system(trusted)  # every option is checked, no model is loaded
    assert system.settings


def test_code_of_the_hub_runs_only_where_the_command_line_asks_for_it(tmp_path) -> None:
    assert [row.name for row in ROWS.values() if row.runs] == ["gte-large-en-v1.5"]
    with pytest.raises(InputError, match=r"new-impl.*type it.*:trust_remote_code=true"):
        load_system("gte-large-en-v1.5")
    file = tmp_path / "system.yaml"
    for chain in ("gte-large-en-v1.5:trust_remote_code=true", "dense:x/y,trust_remote_code=yes"):
        file.write_text(f"chain: '{chain}'\n")
        with pytest.raises(InputError, match="no file can allow that"):
            load_system(str(file))


def test_no_name_stands_twice() -> None:
    from leadline.systems import catalog

    rows = [row for part in catalog._PARTS for row in part.ROWS]
    assert len(rows) == len(ROWS)


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)
def test_every_field_has_a_source_or_is_said_to_have_none(row: Row) -> None:
    read = [field for names in row.sources.values() for field in names.split()]
    assert len(read) == len(set(read))  # one place is said for each
    assert not set(read) & set(row.unverified)
    assert not set(read) - set(row.fields)
    assert set(row.fields) <= set(read) | set(row.unverified)
    assert all(row.sources) and all(row.unverified.values())


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)
def test_a_commit_is_a_whole_one(row: Row) -> None:
    for option in ("revision", "query_revision"):
        if option in row.options:
            assert re.fullmatch("[0-9a-f]{40}", str(row.options[option]))


def test_a_field_that_is_owed_a_source_is_found_wanting() -> None:
    row = Row("mine", "dense", "", {"model": "a/b", "pooling": "mean"}, parameters=7)
    assert row.fields == ("model", "pooling", "parameters", "license", "revision")
    assert Row("mine", "fusion", "", systems=("bm25",)).fields == ("systems",)


def test_a_variant_stands_beside_what_it_varies() -> None:
    variants = [name for name in ROWS if "@" in name]
    assert {name.partition("@")[0] for name in variants} <= set(ROWS)
    for name in variants:
        assert ROWS[name].options != ROWS[name.partition("@")[0]].options


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("e5-mistral-7b-instruct", f"Instruct: {INSTRUCTION}\nQuery: ", ""),
        ("nv-embed-v2", f"Instruct: {INSTRUCTION}\nQuery: ", ""),
        ("gritlm-7b", f"<|user|>\n{INSTRUCTION}\n<|embed|>\n", "<|embed|>\n"),
        (
            "gritlm-7b@released-code",
            "<|user|>\nGiven a document search query, retrieve relevant documents that match the "
            "query\n<|embed|>\n",
            "<|user|>\nGiven a document search query, retrieve relevant documents that match the "
            "query\n<|embed|>\n",
        ),
        ("bge-en-icl", f"<instruct>{INSTRUCTION}\n<query>{{text}}\n<response>", ""),
        ("gte-qwen2-7b-instruct@released-code", "", ""),
        (
            "nv-embed-v2@released-code",
            "Given a document search query, retrieve relevant documents that match the query\n"
            "Query: ",
            "",
        ),
        ("reasonir-8b", "<|embed|>\n", "<|embed|>\n"),
        ("reasonir-8b@released-code", "", ""),
        (
            "bge-large-en-v1.5",
            "Represent this sentence for searching relevant passages: ",
            "",
        ),
        ("e5-large-v2", "query: ", "passage: "),
    ],
)
def test_prompts_are_to_the_letter(name: str, query: str, document: str) -> None:
    pytest.importorskip("torch")
    settings = load_system(name).settings["retriever"]
    assert (settings["query_prompt"], settings["document_prompt"]) == (query, document)


def test_the_instruction_is_the_papers() -> None:
    assert INSTRUCTION == (
        "Given a domain retrieval query, retrieve documents that meet the specified conditions."
    )


@pytest.mark.parametrize(
    ("name", "period"),
    [
        ("bge-en-icl", True), ("llm2vec", True),
        ("e5-mistral-7b-instruct", False), ("gritlm-7b", False), ("nv-embed-v2", False),
    ],
)  # fmt: skip
def test_the_released_instruction_ends_as_each_script_has_it(name: str, period: bool) -> None:
    instruction = str(ROWS[f"{name}@released-code"].options["instruction"])
    assert instruction.endswith("match the query.") == period
    assert instruction.rstrip(".").endswith("match the query")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gte-qwen2-7b-instruct@released-code", {"bidirectional": False, "max_length": 4096}),
        ("gte-qwen2-7b-instruct@released-code-long", {"bidirectional": False, "max_length": 1024}),
        ("gte-qwen2-1.5b-instruct@released-code-long", {"bidirectional": False}),
        ("gte-qwen2-1.5b-instruct@released-code", {"bidirectional": True}),
        ("llm2vec@released-code", {"max_length": 512, "document_max_length": 406}),
        ("llm2vec", {"max_length": 8192}),
        ("rankllama-7b@released-code-instructions", {"max_length": 1024}),
        ("rank-r1-7b", {"query_tokens": 32, "document_tokens": 512}),
    ],
)
def test_directions_and_lengths_are_those_that_were_read(
    name: str, options: dict[str, object]
) -> None:
    assert {key: ROWS[name].options[key] for key in options} == options
