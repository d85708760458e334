"""Rows are data: these tests keep them usable and honest."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import pytest

from leadline.errors import InputError
from leadline.systems.catalog import ROWS, Row
from leadline.systems.chains import load_system
from leadline.types import Query
from tables import yaml_of

READ = yaml_of(Path(__file__).with_name("catalog.yaml"))


@runtime_checkable
class Joins(Protocol):
    """A dense retriever, as far as a query and its own instruction go."""

    settings: Mapping[str, Any]

    def query_text(self, query: Query) -> str: ...


def owed(row: Row) -> set[str]:
    """Return the fields that must have a source: every option, and what is said of the weights."""
    pinned = row.parameters and not row.systems and "/" in str(row.options.get("model", ""))
    return {
        *row.options,
        *(("systems",) if row.systems else ()),
        *(("parameters", "license") if row.parameters else ()),
        *(("revision",) if pinned else ()),
    }


def test_every_row_fits_the_file_that_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for row in ROWS.values():
        trusted = f"{row.name}:trust_remote_code=true" if row.runs else row.name
        assert load_system(trusted).settings  # every option is checked, no model is loaded


def test_every_field_of_a_row_has_a_source_or_is_said_to_have_none() -> None:
    for row in ROWS.values():
        read = [name for names in row.sources.values() for name in names.split()]
        assert len(read) == len(set(read)), row.name  # one place is said for each
        assert not set(read) & set(row.unverified), row.name
        assert set(read) <= owed(row) <= {*read, *row.unverified}, row.name
        assert all(row.sources) and all(row.unverified.values()), row.name


def test_no_instruction_of_another_paper_stands_before_a_query_with_its_own() -> None:
    pytest.importorskip("torch")
    bare, own = Query("a", "old mills"), Query("b", "old mills", instruction="Cite a blog.")
    task = "Given a web search query, retrieve relevant passages that answer the query"
    joined = f"old mills {task}", "old mills Cite a blog."
    wanted = {
        "e5-mistral-7b-instruct": joined,
        "gte-qwen2-7b-instruct": joined,
        "sfr-embedding-2": joined,
        "nv-embed-v2": joined,
        "instructor-xl": ("old mills", "old mills Cite a blog."),
        "gritlm-7b": ("<|embed|>\n old mills", "<|user|>\nCite a blog.\n<|embed|>\n old mills"),
    }
    for name, texts in wanted.items():
        retriever = load_system(f"{name}@released-code-instructions").retriever
        assert isinstance(retriever, Joins), name
        assert (retriever.query_text(bare), retriever.query_text(own)) == texts, name
        assert retriever.settings["query_prompt"] == "", name


def test_commits_are_whole() -> None:
    commits = [row.options.get(name, "") for row in ROWS.values()
               for name in ("revision", "query_revision", "code_revision")]  # fmt: skip
    assert all(re.fullmatch("[0-9a-f]{40}", str(each)) for each in commits if each)


def test_a_variant_stands_beside_what_it_varies() -> None:
    for name in ROWS:
        base, at, _ = name.partition("@")
        assert not at or ROWS[name].options != ROWS[base].options


def test_code_of_the_hub_runs_only_where_the_command_line_asks_for_it(tmp_path) -> None:
    assert [row.name for row in ROWS.values() if row.runs] == ["gte-large-en-v1.5"]
    with pytest.raises(InputError, match=r"new-impl.*add.*:trust_remote_code=true"):
        load_system("gte-large-en-v1.5")
    file = tmp_path / "system.yaml"
    for chain in ("gte-large-en-v1.5:trust_remote_code=true", "dense:x/y,trust_remote_code=yes"):
        file.write_text(f"chain: '{chain}'\n")
        with pytest.raises(InputError, match="A file may not allow that"):
            load_system(str(file))


def test_lengths_and_directions_are_those_that_were_read() -> None:
    for name, options in READ.items():
        assert {key: ROWS[name].options[key] for key in options} == options
