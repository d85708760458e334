from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tiny_models
from leadline.errors import InputError
from leadline.llm.requests import Message, Request

pytest.importorskip("transformers")

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from leadline.llm.local import LocalLLM, Watch, prompt_ids

PROMPTS = [" ".join(WORDS) for WORDS in (["cat"], ["the", "old", "mill"])] + tiny_models.sentences(
    3, 5
)
KINDS = ("Qwen2", "Llama", "Mistral", "Gemma")


@pytest.fixture(scope="session")
def folders(model_of: Callable[[str], Path]) -> dict[str, Path]:
    return {kind: model_of(f"{kind}ForCausalLM") for kind in KINDS}


def by_transformers(folder: Path, prompt: str) -> Any:
    """Return the log-probabilities of every token behind a prompt, one prompt at a time."""
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    with torch.no_grad():
        logits = model(**AutoTokenizer.from_pretrained(folder)(prompt, return_tensors="pt")).logits
    return logits[0, -1].log_softmax(-1)


@pytest.mark.parametrize("kind", KINDS)
def test_log_probabilities_are_those_of_transformers_whatever_the_batch(
    folders: dict[str, Path], kind: str
) -> None:
    tokens = ["cat", "train"]
    rows = LocalLLM(str(folders[kind]), batch_size=4).log_probabilities(PROMPTS, tokens)
    tokenizer = AutoTokenizer.from_pretrained(folders[kind])
    vocabulary = tokenizer.get_vocab()
    ids = [vocabulary.get(token, vocabulary.get(f"\u2581{token}")) for token in tokens]
    for prompt, row in zip(PROMPTS, rows, strict=True):
        assert row == pytest.approx(by_transformers(folders[kind], prompt)[ids].tolist(), abs=1e-5)


def test_logits_are_log_probabilities_before_normalisation(folders: dict[str, Path]) -> None:
    llm = LocalLLM(str(folders["Qwen2"]))
    logits = llm.logits(PROMPTS[:1], ["true", "false"])[0]
    logs = llm.log_probabilities(PROMPTS[:1], ["true", "false"])[0]
    assert logits[0] - logits[1] == pytest.approx(logs[0] - logs[1], abs=1e-5)
    assert logits[0] != pytest.approx(logs[0], abs=1e-2)


def test_two_tokens_that_are_one_to_the_model_are_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="two of the tokens"):
        LocalLLM(str(folders["Llama"])).log_probabilities(PROMPTS[:1], ["true", "\u2581true"])


@pytest.mark.parametrize("kind", ["Qwen2", "Llama"])
def test_a_completion_is_the_same_in_any_batch(folders: dict[str, Path], kind: str) -> None:
    alone = LocalLLM(str(folders[kind]), batch_size=1).complete(PROMPTS, max_tokens=6)
    assert LocalLLM(str(folders[kind]), batch_size=5).complete(PROMPTS, max_tokens=6) == alone


def test_a_completion_stops_before_the_first_stop_text(folders: dict[str, Path]) -> None:
    llm = LocalLLM(str(folders["Qwen2"]))
    whole = llm.complete(["the old mill"], max_tokens=12)[0]
    stop = whole[6:8]
    ((_, answer),) = llm.answers([Request("the old mill", 12, stop=("no such", stop))])
    assert (answer.text, answer.finish) == (whole[: whole.index(stop)], "stop")


def test_the_likeliest_tokens_of_the_last_place_are_those_behind_all_before(
    folders: dict[str, Path],
) -> None:
    llm = LocalLLM(str(folders["Llama"]))
    ((_, answer),) = llm.answers([Request("the cat", 4, top=3)])
    assert answer.completion_tokens == len(answer.log_probabilities) == 4
    assert answer.finish == "length"
    first = answer.log_probabilities[0]
    likeliest = by_transformers(folders["Llama"], "the cat").topk(3).values.tolist()
    assert list(first.values()) == pytest.approx(likeliest, abs=1e-5)


def test_a_penalty_set_in_the_checkpoint_changes_nothing(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    model = AutoModelForCausalLM.from_pretrained(folders["Gemma"])
    model.generation_config.repetition_penalty = 5.0
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folders["Gemma"]).save_pretrained(tmp_path)
    plain = LocalLLM(str(folders["Gemma"])).complete(PROMPTS[:2], max_tokens=6)
    assert LocalLLM(str(tmp_path)).complete(PROMPTS[:2], max_tokens=6) == plain


def test_sampling_is_repeatable_by_its_seed(folders: dict[str, Path]) -> None:
    def sample(seed: int) -> list[str]:
        llm = LocalLLM(str(folders["Qwen2"]), seed=seed)
        return llm.complete(PROMPTS[:2], max_tokens=8, temperature=1.0)

    assert sample(1) == sample(1) != sample(2)


def test_a_prompt_that_leaves_no_room_is_a_counted_failure(folders: dict[str, Path]) -> None:
    llm = LocalLLM(str(folders["Llama"]), max_length=8)
    answers = dict(llm.answers([Request("cat " * 20, 4), Request("cat", 4)]))
    # <s> and 20 words; the space at the end is one more.
    assert str(answers[0].failure).endswith("the prompt has 22 tokens, the model reads 8")
    assert answers[1].completion_tokens == 4
    row = llm.log_probabilities(["cat " * 20], ["true", "false"])[0]
    assert all(value != value for value in row)


@pytest.mark.parametrize("kind", ["Qwen2", "Llama"])
def test_a_text_is_cut_to_the_last_token_that_fits(folders: dict[str, Path], kind: str) -> None:
    llm = LocalLLM(str(folders[kind]), max_length=20)
    text = "quartet mill " * 30
    kept = llm.fit("Query: cat Document: ", text, " Relevant:", answer=2)
    tokenizer = AutoTokenizer.from_pretrained(folders[kind])

    def length(text: str) -> int:
        return len(tokenizer(f"Query: cat Document: {text} Relevant:")["input_ids"])

    assert text.startswith(kept)
    assert length(kept) == 18
    assert llm.fit("Query: ", "cat", " Relevant:") == "cat"


def test_a_lone_surrogate_in_a_text_is_read_as_a_question_mark(folders: dict[str, Path]) -> None:
    llm = LocalLLM(str(folders["Qwen2"]))
    rows = llm.log_probabilities(["cat \ud800", "cat ?"], ["true"])
    assert rows[0] == pytest.approx(rows[1], abs=1e-5)


def test_a_conversation_goes_through_the_chat_template(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folders["Qwen2"])
    tokenizer.chat_template = (
        "{% for m in messages %}({{ m.role }}){{ m.content }}{% endfor %}"
        "{% if add_generation_prompt %}(assistant){% endif %}"
    )
    tokenizer.save_pretrained(tmp_path)
    AutoModelForCausalLM.from_pretrained(folders["Qwen2"]).save_pretrained(tmp_path)
    plain, chat = LocalLLM(str(folders["Qwen2"])), LocalLLM(str(tmp_path), chat=True)
    wanted = plain.complete(["(user)cat(assistant)"], max_tokens=5)
    assert chat.complete(["cat"], max_tokens=5) == wanted
    turns = (Message("system", "mill"), Message("user", "cat"))
    ((_, answer),) = chat.answers([Request(turns, 5)])
    assert answer.text == plain.complete(["(system)mill(user)cat(assistant)"], max_tokens=5)[0]


def test_the_model_is_loaded_when_first_asked(tmp_path: Path) -> None:
    llm = LocalLLM(str(tmp_path / "none"))
    with pytest.raises(InputError, match="There is no model folder"):
        llm.complete(["cat"], max_tokens=1)


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


def test_an_answer_in_json_ends_with_its_object() -> None:
    tokenizer = tiny_models.byte_tokenizer()
    said = 'Here it is: {"a": {"b": "}"}}'
    ids = tokenizer(f"{said} and so on", add_special_tokens=False)["input_ids"]
    watch = Watch(tokenizer, 0, (), 0, True)
    done = [bool(watch.is_done(torch.tensor([ids[:n]]), None)[0]) for n in range(1, len(ids) + 1)]
    length = done.index(True) + 1
    assert tokenizer.decode(ids[:length]) == said
    answer = watch.answer(0, [], ids[:length], set())
    assert (answer.text, answer.finish, answer.completion_tokens) == (said, "stop", length)
    assert watch.answer(0, [], ids[: length - 1], set()).finish == "length"
