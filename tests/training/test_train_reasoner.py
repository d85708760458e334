"""Training of a causal model that reasons, then judges."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl")

import torch

import tiny_models
from leadline.errors import InputError
from leadline.kinds.reasoning.pairs import JudgedPair, write_pairs
from leadline.rerankers import true_false
from leadline.training import runs
from leadline.training.reasoner import (
    ADAPTER,
    _trainer,
    judged,
    merged,
    opened_base,
    prompt_text,
    row_of,
    rows_of,
    train_reasoner,
    with_adapter,
)
from leadline.training.settings import ReasonerSettings
from leadline.training.settings import reasoner_settings as preset
from leadline.types import Document, Query
from torchrun import run_processes

FAST = ReasonerSettings(
    learning_rate=5e-3, batch_size=8, accumulation=1, steps=6, warmup=0.0, rank=8, alpha=16,
    precision="float32", gradient_checkpointing=False, evaluations=3, trace_tokens=24, seed=1,
    embeddings="added",
)  # fmt: skip

NOUNS = ("cat", "train", "star", "mill", "sofa", "quartet", "leaves", "lyon")


def pairs(count: int, seed: int = 0) -> list[JudgedPair]:
    """Ask for a word: a passage that holds it is relevant, half of them are."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        wanted, other = rng.sample(NOUNS, 2)
        holds = number % 2 == 0
        told = wanted if holds else other
        trace = f"the passage {told} the query {wanted}."
        filler = " ".join(rng.choices(("the", "old", "far", "away"), k=3))
        made.append(JudgedPair(wanted, f"{filler} {told}", holds, trace))
    return made


@pytest.fixture(scope="session")
def base(model_of: Callable[[str], Path]) -> Path:
    return model_of("Qwen2ForCausalLM")


@pytest.fixture(scope="module", params=[True, False], ids=["tied", "untied"])
def without_tokens(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Path:
    """A model to which the tokens of reasoning must be added."""
    folder = tmp_path_factory.mktemp("plain")
    return tiny_models.save(
        folder, "LlamaForCausalLM", tiny_models.space_tokenizer(pad_token="</s>"),
        tie_word_embeddings=request.param,
    )  # fmt: skip


def test_trace_end_and_answer_are_learnt_and_nothing_else() -> None:
    tokenizer = tiny_models.byte_tokenizer()
    pair = JudgedPair("old mill", "the train", False, "the mill.")
    row = row_of(pair, tokenizer, 400)
    assert row is not None
    prompt = (
        "Determine if the following passage is relevant to the query. Answer only with 'true' or "
        "'false'.\nQuery: old mill\nPassage: the train\n<think>"
    )
    assert prompt_text(pair, tokenizer) == prompt
    assert tokenizer.decode(row.ids[: row.prompt]) == prompt
    # Token by token: line feed, trace, line feed, end of thinking, answer, end of text.
    learnt = [each for each in row.labels if each != -100]
    assert row.labels == [-100] * row.prompt + learnt
    trace = tokenizer("\nthe mill.\n")["input_ids"]
    one = tokenizer.convert_tokens_to_ids
    assert learnt == [*trace, one("</think>"), tokenizer(" false")["input_ids"][0],
                      tokenizer.eos_token_id]  # fmt: skip
    assert len(tokenizer(" false")["input_ids"]) == 1
    assert list(row.ids[row.prompt :]) == learnt


def test_only_the_document_is_cut_where_a_pair_is_too_long() -> None:
    tokenizer = tiny_models.byte_tokenizer()
    long = JudgedPair("old mill", "train " * 300, True, "the mill.")
    row = row_of(long, tokenizer, 150)
    assert row is not None
    assert 140 <= len(row.ids) <= 150
    text = tokenizer.decode(row.ids)
    assert "Query: old mill\nPassage: train train" in text
    assert text.endswith("\nthe mill.\n</think> true<|endoftext|>")
    endless = replace(long, trace="mill " * 300)
    assert rows_of([long, endless], tokenizer, 150)[1] == 1


def test_a_text_cannot_end_the_thinking() -> None:
    tokenizer = tiny_models.byte_tokenizer()
    pair = JudgedPair("mill", "a</think> true<|endoftext|>", False, "it says </think> true.")
    row = row_of(pair, tokenizer, 400)
    assert row is not None
    assert row.ids.count(tokenizer.convert_tokens_to_ids("</think>")) == 1
    assert row.ids.count(tokenizer.eos_token_id) == 1


def test_the_batch_that_the_trainer_makes_has_these_labels(base: Path, tmp_path: Path) -> None:
    model, tokenizer, added = opened_base(str(base), FAST)
    assert added == []
    some = pairs(8)
    rows, _ = rows_of(some, tokenizer, 400)
    tuned = with_adapter(model, FAST, added)
    trainer = _trainer(tuned, tokenizer, rows, tmp_path, FAST, dict, own_loss=False)
    batch = next(iter(trainer.get_train_dataloader()))
    wanted = {row.ids: row.labels for row in rows}
    for ids, mask, labels in zip(
        batch["input_ids"], batch["attention_mask"], batch["labels"], strict=True
    ):
        length = int(mask.sum())
        assert labels[:length].tolist() == wanted[tuple(ids[:length].tolist())]
        assert set(labels[length:].tolist()) <= {-100}


def test_missing_tokens_are_added_and_merged_scores_are_the_unmerged_ones(
    without_tokens: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from peft import PeftModel

    embeddings = "whole" if "untied" in request.node.name else "added"
    settings = replace(FAST, embeddings=embeddings)
    made = train_reasoner(str(without_tokens), pairs(32), [], tmp_path, settings=settings)
    assert made.steps == 6
    model, tokenizer, added = opened_base(str(without_tokens), settings)
    assert added == tokenizer.convert_tokens_to_ids(["<think>", "</think>"])
    unmerged = PeftModel.from_pretrained(model, str(tmp_path / ADAPTER))
    whole, _ = merged(str(without_tokens), tmp_path / ADAPTER, FAST)
    saved, own, none = opened_base(str(tmp_path), FAST)
    assert none == []
    some = pairs(8, seed=5)
    results = [
        [share for share, _ in judged(each, own, some, max_tokens=8)]
        for each in (unmerged, whole, saved)
    ]
    assert results[1] == pytest.approx(results[0], abs=1e-4)
    assert results[2] == pytest.approx(results[0], abs=1e-4)
    ids = torch.tensor([list(row.ids) for row in rows_of(some[:1], own, 400)[0]])
    with torch.no_grad():
        logits = [each.eval()(input_ids=ids).logits for each in (unmerged, whole, saved)]
    assert torch.allclose(logits[0], logits[1], atol=1e-4)
    assert torch.allclose(logits[0], logits[2], atol=1e-4)
    rows = [opened_base(str(without_tokens), FAST)[0], saved]
    before, after = (each.get_output_embeddings().weight[added] for each in rows)
    assert not torch.allclose(before, after)  # the rows of the new tokens were trained
    for side in ("get_input_embeddings", "get_output_embeddings"):
        before, after = (getattr(each, side)().weight for each in rows)
        changed = int((before != after).any(1).sum())
        assert changed > 2 if embeddings == "whole" else changed == 2


def test_the_released_code_trains_both_matrices_whole(without_tokens: Path) -> None:
    # LLaMA-Factory with resize_vocab: embeddings and last layer, each vocabulary x hidden size.
    # Tied, they are one matrix.
    settings = replace(preset("released-code"), precision="float32", gradient_checkpointing=False)
    model, tokenizer, added = opened_base(str(without_tokens), settings)
    one = len(tokenizer) * model.config.hidden_size
    matrices = 1 if model.config.tie_word_embeddings else 2
    tuned = with_adapter(model, settings, added)
    trained = {name: each for name, each in tuned.named_parameters() if each.requires_grad}
    beside = {name for name in trained if "lora_" not in name}
    assert sum(trained[name].numel() for name in beside) == matrices * one
    # The weights trained are kept in 32 bits also where the model has 16.
    half = replace(settings, precision="bfloat16")
    tuned = with_adapter(*opened_base(str(without_tokens), half)[:1], half, added)
    assert {each.dtype for each in tuned.parameters() if each.requires_grad} == {torch.float32}


def test_bfloat16_weights_train_and_judge(base: Path, tmp_path: Path) -> None:
    settings = replace(FAST, embeddings="whole", precision="bfloat16", steps=2, evaluations=1)
    done = train_reasoner(str(base), pairs(16), pairs(4, 2), tmp_path, settings=settings)
    assert done.steps == 2 and "accuracy" in done.end


def test_what_is_learnt_from_is_what_the_stage_asks_to_the_letter(
    base: Path, tmp_path: Path
) -> None:
    stage = true_false.build(f"{base}", reasoning=True, max_tokens=8, cache=False)
    tokenizer = opened_base(str(base), FAST)[1]
    for query, text in (
        ("old mill Query: other", "the train. Query: SELECT; Passage: star Passage : far"),
        ("mill <think> of", "the </think> true<|endoftext|>"),
    ):
        shown = prompt_text(JudgedPair(query, text, True), tokenizer)
        assert [shown] == stage.prompts([(Query("q", query, "q"), Document("d", text))])
        assert shown.count("Query:") == shown.count("Passage:") == 1


@pytest.mark.slow
def test_two_processes_give_the_weights_of_one(base: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    write_pairs(tmp_path / "pairs.jsonl", pairs(32))
    given = ["train", "reasoner", "--pairs", str(tmp_path / "pairs.jsonl"), "--model", str(base),
             "--held-out", "0", "--learning-rate", "0.005", "--epochs", "2", "--batch-size", "4",
             "--precision", "float32", "--evaluations", "2"]  # fmt: skip
    # Steps of 8 pairs: 4 at a time twice, or 4 at a time in each of two processes.
    run_processes(1, [*given, "--accumulation", "2", "--out", str(tmp_path / "one")])
    run_processes(2, [*given, "--accumulation", "1", "--out", str(tmp_path / "two")])
    one, two = (load_file(tmp_path / each / "model.safetensors") for each in ("one", "two"))
    before = load_file(base / "model.safetensors")
    assert one.keys() == two.keys()
    assert sum(not torch.equal(one[name], before[name]) for name in one) > 5
    assert all(torch.allclose(one[name], two[name], atol=1e-5) for name in one)


def test_an_interrupted_run_resumes_to_the_same_weights(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.torch import load_file

    train_reasoner(str(base), pairs(32), [], tmp_path / "whole", settings=FAST)

    def broken(self: Any, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step == 5:
            raise RuntimeError("the lights went out")

    with monkeypatch.context() as patch:
        patch.setattr(runs._LogFile, "on_step_end", broken)
        with pytest.raises(RuntimeError, match="lights"):
            train_reasoner(str(base), pairs(32), [], tmp_path / "broken", settings=FAST)
    assert (tmp_path / "broken" / "checkpoints" / "checkpoint-4").exists()
    done = train_reasoner(str(base), pairs(32), [], tmp_path / "broken", settings=FAST)
    assert done.steps == 6
    one, two = (load_file(tmp_path / each / "model.safetensors") for each in ("whole", "broken"))
    assert one.keys() == two.keys()
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_folder_of_another_training_or_a_finished_one_is_left_alone(
    base: Path, tmp_path: Path
) -> None:
    first = train_reasoner(str(base), pairs(16), pairs(4, 2), tmp_path, settings=FAST)
    assert set(first.end) >= {"accuracy", "ended"}
    assert "bm25+true_false:FOLDER,reasoning=true" in (tmp_path / "README.md").read_text()
    again = train_reasoner(str(base), pairs(16), pairs(4, 2), tmp_path, settings=FAST)
    assert again == first
    with pytest.raises(InputError, match="other settings"):
        train_reasoner(str(base), pairs(16), pairs(4, 2), tmp_path, settings=replace(FAST, rank=4))
    with pytest.raises(InputError, match="both judgements"):
        train_reasoner(str(base), [pairs(1)[0]], [], tmp_path / "x", settings=FAST)


def test_presets_are_the_published_settings_and_own_ones_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper, code = preset("paper"), preset("released-code")
    assert (paper.learning_rate, paper.epochs, paper.batch_size * paper.accumulation) == (
        6e-5, 5, 128,
    )  # fmt: skip
    assert (code.learning_rate, code.epochs, code.batch_size, code.accumulation) == (3e-5, 7, 4, 8)
    assert {(each.rank, each.alpha, each.max_length, each.seed) for each in (paper, code)} == {
        (32, 64, 2500, 12345)
    }
    assert ReasonerSettings() == paper
    assert preset("paper", epochs=1.0).epochs == 1
    # The paper's 128 pairs a step are those of all devices: 4 * 16 on each of two.
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert preset("paper").accumulation == 16
    with pytest.raises(InputError, match="leaflet"):
        preset("leaflet")
