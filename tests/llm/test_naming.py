import pytest

from leadline.errors import InputError
from leadline.llm import protocol
from leadline.llm.account import Endpoint
from leadline.llm.opening import find_model, is_address, named, providers
from tables import each_row


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (
            "openai:gpt-5-mini",
            Endpoint("https://api.openai.com/v1", "gpt-5-mini", "OPENAI_API_KEY"),
        ),
        ("ollama:qwen3:8b", Endpoint("http://localhost:11434/v1", "qwen3:8b")),
        ("openrouter:a/b:free", Endpoint("https://openrouter.ai/api/v1", "a/b:free", "MY_KEY")),
        ("http://host:8000/v1#org/model", Endpoint("http://host:8000/v1", "org/model")),
        ("hub:Qwen/Qwen3-4B", Endpoint("", "Qwen/Qwen3-4B")),
        ("gpt-5-mini", None),
        ("qwen3:8b", None),
        ("Qwen/Qwen3-4B", None),
    ],
)
def test_a_name_says_where_its_model_is(name, what, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert named(name, "MY_KEY" if "openrouter" in name else "") == what


def test_weights_here_are_named_by_their_file_or_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF")
    (tmp_path / "tiny").mkdir()
    assert named("tiny") is None  # any folder may be called so
    (tmp_path / "tiny" / "config.json").write_text("{}")
    assert named("tiny") == Endpoint("", "tiny")
    assert named("./tiny.gguf") == Endpoint("", "./tiny.gguf")


def test_a_second_variable_may_hold_the_key(monkeypatch):
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.setenv("GOOGLE_API_KEY", "x")
    assert find_model("gemini:gemini-2.5-flash").key_env == "GOOGLE_API_KEY"


@each_row
def test_a_name_that_leads_nowhere_is_said_in_one_line(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for provider in providers().values():
        for variable in provider.get("keys", ()):
            monkeypatch.delenv(variable, raising=False)
    with pytest.raises(InputError, match=message):
        find_model(name)


def test_what_a_provider_refuses_is_known_by_its_address():

    names = [each for name, each in vars(protocol).items() if name.isupper()]
    assert all(each in names for row in providers().values() for each in row.get("refuses", ()))
    assert all(
        is_address(row["url"]) and not row["url"].endswith("/") for row in providers().values()
    )
