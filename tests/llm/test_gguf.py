"""A GGUF file in this process, with the weights of a real small model."""

import json
import os
import pickle
import struct
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.llm.account import HERE, Account
from leadline.llm.opening import ModelPlace, effort_of, open_llm, open_model
from leadline.llm.requests import Message, Request, answers_of
from real_weights import smollm2

SCHEMA = {
    "type": "object",
    "properties": {"colours": {"type": "array", "items": {"enum": ["red", "blue"]}, "maxItems": 2}},
    "required": ["colours"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def file() -> Path:
    return smollm2()


def test_it_answers_follows_schemas_and_books_its_calls_at_no_cost(file: Path):
    with Account(max_cost=0.01).kept() as account:
        llm = open_model(str(file))
        turns = (Message("system", "You know colours."), Message("user", "Two colours as JSON?"))
        free, bound = answers_of(
            llm, [Request("Say hello.", 4), Request(turns, 40, schema=SCHEMA, seed=1)]
        )
        assert free.text
        assert not {*json.loads(bound.text)["colours"]} - {"red", "blue"}
        assert effort_of(llm) == "low"  # by its size
        (line,) = account.lines
    assert (line.url, line.calls, line.cost) == (HERE, 2, 0.0)
    assert str(line).endswith("in this process")
    assert "127.0.0.1" not in json.dumps(llm.settings)


def test_answers_are_kept_by_the_content_of_the_file(file: Path, tmp_path: Path):
    link = tmp_path / "other.gguf"
    link.symlink_to(file)
    first, second = (open_llm("x", ModelPlace(str(each))).identity for each in (file, link))
    assert json.loads(first)[0] == json.loads(second)[0]
    assert "/" not in first


def test_log_probabilities_are_exact_also_for_unlikely_tokens(file: Path):
    from leadline.llm.gguf import GGUF

    llm = GGUF(str(file), mode="completion")
    (row,) = llm.log_probabilities(["The capital of France is"], [" Paris", " zebra", "Paris"])
    assert row[0] > row[2] > -30
    assert row[0] > row[1] > -30
    (_, longer), *_ = llm.answers([Request("The capital of France is", 2, top=3)])
    assert [len(place) >= 3 for place in longer.log_probabilities] == [True, True]


def test_a_text_is_cut_to_what_the_model_reads(file: Path):
    llm = open_llm("x", ModelPlace(str(file), max_length=64, cache=False))
    text = "word and "
    assert llm.fit("a ", text, " z") == text
    kept = llm.fit("a ", text * 100, " z", answer=10)
    assert text * 2 in kept
    assert (text * 100).startswith(kept)
    assert len(llm._pieces("a " + kept + " z")) <= 54
    assert "<|im_end|>" in llm.special_tokens
    assert (llm.parameters, llm.context, llm.thinks) == (134_515_008, 64, False)


def test_another_process_starts_its_own_server(file: Path):
    llm = open_llm("x", ModelPlace(str(file), cache=False))
    text = llm.complete(["Say hello."], max_tokens=3)
    if hasattr(os, "fork"):
        read, write = os.pipe()
        if os.fork() == 0:
            os.write(write, llm.complete(["Say hello."], max_tokens=3)[0].encode())
            os._exit(0)
        os.close(write)
        assert os.read(read, 100).decode() == text[0]
    again = pickle.loads(pickle.dumps(llm))
    assert again.complete(["Say hello."], max_tokens=3) == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a complete GGUF file"),
        (b"PK\x03\x04" + b"x" * 40, "is not a GGUF file"),
        (
            struct.pack("<4sIQQ", b"GGUF", 3, 1, 1) + struct.pack("<Q", 1 << 60),
            "not a complete GGUF file",
        ),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 0), "llama.cpp cannot load"),
    ],
)
def test_a_file_that_is_none_is_said_in_one_line(content: bytes, message: str, tmp_path: Path):
    pytest.importorskip("xllamacpp")
    (tmp_path / "bad.gguf").write_bytes(content)
    with pytest.raises(InputError, match=message):
        open_model(str(tmp_path / "bad.gguf")).complete(["x"], max_tokens=1)


def test_what_it_does_not_take_is_said(file: Path):
    with pytest.raises(InputError, match="reads 1 to 8192 tokens"):
        open_model(str(file), max_length=9000)
    with pytest.raises(InputError, match="does not support device"):
        open_model(str(file), device="cpu")
