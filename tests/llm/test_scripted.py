import pytest

from leadline.errors import InputError
from leadline.llm.requests import Failure, Message, Request, answers_of
from leadline.llm.scripted import ScriptedLLM


def test_answers_come_in_the_order_of_the_list():
    llm = ScriptedLLM(["one", "two"])
    assert llm.complete(["a"], max_tokens=1) + llm.complete(["b"], max_tokens=1) == ["one", "two"]
    assert llm.asked == ["a", "b"]


def test_a_list_that_is_used_up_is_told():
    with pytest.raises(InputError, match="scripted has 1 answers, and all are given"):
        ScriptedLLM(["one"]).complete(["a", "b"], max_tokens=1)


def test_a_function_is_given_the_turns_of_a_conversation_as_one_text():
    turns = (Message("system", "be brief"), Message("user", "hello"))
    assert answers_of(ScriptedLLM(str.upper), [Request(turns, 1)])[0].text == "BE BRIEF\n\nHELLO"


def test_a_failure_is_an_empty_text_with_its_reason():
    answer = answers_of(ScriptedLLM([Failure("timeout")]), [Request("a", 1)])[0]
    assert (answer.text, answer.failure) == ("", Failure("timeout"))
    assert answer.completion == ""


def test_any_model_that_completes_can_be_asked():
    class Completing:
        name = "completing"

        def complete(self, prompts, *, max_tokens, temperature=0.0):
            return [f"{prompt} {max_tokens} {temperature}" for prompt in prompts]

    requests = [Request("a", 1), Request("b", 2, 0.5), Request("c", 1)]
    texts = [answer.text for answer in answers_of(Completing(), requests)]
    assert texts == ["a 1 0.0", "b 2 0.5", "c 1 0.0"]
