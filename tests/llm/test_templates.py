from dataclasses import replace

import pytest

import tiny_models
from leadline.errors import InputError
from leadline.llm.local import prompt_ids
from leadline.llm.requests import Message, Request

pytest.importorskip("transformers")

TEMPLATE = (
    "<s>{% for message in messages %}({{ message['role'] }}) {{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %} |{% endif %}"
)
TALK = Request((Message("system", "old"), Message("user", "mill")), 9)


@pytest.fixture(scope="module")
def tokenizer():
    tokenizer = tiny_models.space_tokenizer()
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def test_a_conversation_goes_into_the_template_with_one_beginning(tokenizer):
    ids = prompt_ids(tokenizer, TALK)
    assert ids.count(tokenizer.bos_token_id) == 1
    wanted = "<s>(system) old(user) mill |"
    assert ids == tokenizer(wanted, add_special_tokens=False)["input_ids"]


def test_a_text_goes_as_it_stands_unless_a_chat_is_asked_for(tokenizer):
    assert prompt_ids(tokenizer, Request("the cat", 9)) == tokenizer("the cat")["input_ids"]
    asked = prompt_ids(tokenizer, Request("cat", 9), chat=True)
    assert asked == tokenizer("<s>(user) cat |", add_special_tokens=False)["input_ids"]


def test_a_request_may_bring_a_template_for_a_tokenizer_without_one(tokenizer):
    bare = tiny_models.space_tokenizer()
    brought = replace(
        TALK, chat_template="{% for turn in messages %}{{ turn.content }}{% endfor %}"
    )
    wanted = bare("oldmill", add_special_tokens=False)["input_ids"]
    assert prompt_ids(bare, brought) == [bare.bos_token_id, *wanted]
    # The tokenizer's own goes first; with a beginning of its own it gets no second one.
    assert prompt_ids(tokenizer, brought) == prompt_ids(tokenizer, TALK)
    assert brought.fingerprint != TALK.fingerprint


def test_without_a_template_turns_are_joined_and_a_chat_is_refused():
    tokenizer = tiny_models.space_tokenizer()
    assert prompt_ids(tokenizer, TALK) == tokenizer("old\n\nmill")["input_ids"]
    with pytest.raises(InputError, match="has no chat template"):
        prompt_ids(tokenizer, Request("cat", 9), chat=True)
