import pytest

from leadline.errors import InputError
from leadline.llm.cached import CachedLLM
from leadline.llm.requests import Failure, Message, Request
from processes import python
from scripted import ScriptedLLM


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.sqlite"


def echo(prompt):
    return f"to {prompt}"


def test_the_second_run_asks_nothing(path):
    first = CachedLLM(ScriptedLLM(echo), path)
    assert first.complete(["a", "b"], max_tokens=9) == ["to a", "to b"]
    second = CachedLLM(ScriptedLLM(echo), path)
    assert second.complete(["b", "c", "a"], max_tokens=9) == ["to b", "to c", "to a"]
    assert second.llm.asked == ["c"]
    assert (second.hits, second.misses) == (2, 1)


@pytest.mark.parametrize(
    "request_",
    [
        Request("a", 10),
        Request("a", 9, temperature=0.5),
        Request("a", 9, stop=("x",)),
        Request("a", 9, top=5),
        Request("a", 9, schema={"type": "object"}),
        Request((Message("system", "a"),), 9),
        Request((Message("user", "a"),), 9),
    ],
)
def test_a_request_that_differs_in_anything_is_asked(path, request_):
    llm = CachedLLM(ScriptedLLM(echo), path)
    dict(llm.answers([Request("a", 9)]))
    dict(llm.answers([request_]))
    assert len(llm.llm.asked) == 2


def test_equal_prompts_are_samples_of_their_own_above_temperature_zero(path):
    for _ in range(2):
        llm = CachedLLM(ScriptedLLM(["one", "two"]), path)
        assert llm.complete(["a", "a"], max_tokens=9, temperature=1.0) == ["one", "two"]
    assert llm.hits == 2


def test_a_failure_is_not_kept(path):
    llm = CachedLLM(ScriptedLLM([Failure("timeout"), "done"]), path)
    failed = llm.complete(["a"], max_tokens=9)[0]
    assert (failed, failed.failure.kind) == ("", "timeout")
    assert llm.complete(["a"], max_tokens=9) == ["done"]


def test_each_answer_is_stored_before_the_next_is_awaited(path):
    llm = CachedLLM(ScriptedLLM(echo), path)
    arriving = llm.answers([Request("a", 9), Request("b", 9)])
    next(arriving)
    arriving.close()
    again = CachedLLM(ScriptedLLM(echo), path)
    again.complete(["a", "b"], max_tokens=9)
    assert again.llm.asked == ["b"]


def test_log_probabilities_are_kept_by_prompt_and_tokens(path):
    for hits in (0, 2):
        llm = CachedLLM(ScriptedLLM(scores=lambda prompt, token: -len(prompt + token)), path)
        assert llm.log_probabilities(["a", "bb"], ["x", "yy"]) == [[-2, -3], [-3, -4]]
        assert llm.hits == hits
    llm.log_probabilities(["a"], ["z"])
    assert llm.llm.asked == ["a"]


def test_infinite_log_probabilities_survive_and_failed_rows_are_asked_again(path):
    rows = iter([float("-inf"), float("nan"), -1.0])
    llm = CachedLLM(ScriptedLLM(scores=lambda *_: next(rows)), path)
    llm.log_probabilities(["a", "b"], ["x"])
    assert llm.log_probabilities(["a", "b"], ["x"]) == [[float("-inf")], [-1.0]]


def test_a_file_that_is_no_cache_is_named(path):
    path.write_text("something else altogether " * 100)
    with pytest.raises(InputError, match=r"Cannot use the cache .*answers\.sqlite.*Remove it"):
        CachedLLM(ScriptedLLM(echo), path).complete(["a"], max_tokens=9)


FULL = """
import resource, sys
from leadline.errors import InputError
from leadline.llm.cached import CachedLLM
from scripted import ScriptedLLM
llm = CachedLLM(ScriptedLLM(lambda prompt: "word " * 1000), sys.argv[1])
llm.complete(["first"], max_tokens=9)
sys.dont_write_bytecode = True  # it would be cut
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    llm.complete([f"prompt {number}" for number in range(200)], max_tokens=9)
except InputError as error:
    print(error)
"""


def test_a_disk_that_is_full_is_one_line_and_what_was_kept_stays(tmp_path):
    path = tmp_path / "answers.sqlite"
    (line,) = python("-c", FULL, path).stdout.splitlines()
    assert "Cannot use the cache" in line
    assert "Set LEADLINE_CACHE to a folder with space" in line
    asked = ScriptedLLM(lambda _: "anew")
    assert CachedLLM(asked, path).complete(["first"], max_tokens=9) == ["word " * 1000]
    assert asked.asked == []
