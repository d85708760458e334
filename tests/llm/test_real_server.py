"""A real model behind a real server: chat, completion, structured output, log-probabilities."""

import pytest

pytest.importorskip("openai")
pytest.importorskip("transformers")

from pydantic import BaseModel

import tiny_models
from leadline.errors import ModelError
from leadline.llm.local import LocalLLM
from leadline.llm.openai import OpenAILLM
from leadline.llm.requests import Request
from leadline.llm.structured import structured
from model_server import TEMPLATE, ModelServer

PROMPTS = ["the cat sleeps", "the train at nine", "old stars far away"]


class Written(BaseModel):
    query: str
    length: int


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    tokenizer = tiny_models.byte_tokenizer()
    tokenizer.chat_template = TEMPLATE
    return tiny_models.save(folder, "Qwen2ForCausalLM", tokenizer)


@pytest.fixture(scope="module")
def server(folder):
    with ModelServer(folder) as server:
        yield server


def test_a_completion_is_that_of_the_same_model_in_this_process(server, folder):
    here = LocalLLM(str(folder), device="cpu").complete(PROMPTS, max_tokens=8)
    there = OpenAILLM(server.url, "tiny", mode="completion").complete(PROMPTS, max_tokens=8)
    assert there == here
    assert len(set(there)) == 3


def test_a_chat_is_that_of_the_same_model_in_its_template(server, folder):
    here = LocalLLM(str(folder), device="cpu", chat=True).complete(PROMPTS, max_tokens=8)
    assert OpenAILLM(server.url, "tiny").complete(PROMPTS, max_tokens=8) == here


def test_log_probabilities_are_those_of_the_same_model(server, folder):
    remote = OpenAILLM(server.url, "tiny", mode="completion")
    answer = dict(remote.answers([Request(each, 2, top=3) for each in PROMPTS]))[0]
    likeliest = answer.log_probabilities[0]
    assert len(likeliest) == 3
    tokens = [token for token in likeliest if "�" not in token]
    here = LocalLLM(str(folder), device="cpu").log_probabilities(PROMPTS[:1], tokens)[0]
    there = remote.log_probabilities(PROMPTS[:1], tokens)[0]
    assert there == pytest.approx(here, abs=1e-4)


def test_structured_output_follows_the_schema(server):
    requests = [Request(each, 6, schema=Written.model_json_schema()) for each in PROMPTS]
    results = structured(OpenAILLM(server.url, "tiny"), requests, Written.model_validate)
    assert [result.problem for result in results] == ["", "", ""]
    assert all(result.value.length == len(result.value.query) for result in results)


def test_an_unknown_model_is_told(server):
    with pytest.raises(ModelError, match="check the address and the name of the model"):
        OpenAILLM(server.url, "other").complete(["a"], max_tokens=2)
