import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import tiny_models
from llm_server import EndpointServer, Reply

pytest.importorskip("transformers")

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from leadline.llm.local import LocalLLM
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Failure, Request
from leadline.rerankers import true_false
from leadline.rerankers.true_false import CALL_FAILED, FORCED, NO_ANSWER, TrueFalse
from leadline.types import Document, Query

CORPUS = {
    name: Document(name, text)
    for name, text in {"cat": "cat", "train": "train", "star": "star", "mill": "old mill"}.items()
}
QUERY = Query("q", "far away", instruction="at nine")
SHORT = Prompt("short", "$query: $document<think>")
END = "</think>"


@pytest.fixture(scope="session")
def random_model(model_of: Callable[[str], Path]) -> Path:
    return model_of("Qwen2ForCausalLM")


@pytest.fixture(scope="session")
def spaced_model(model_of: Callable[[str], Path]) -> Path:
    return model_of("LlamaForCausalLM")


@pytest.fixture(scope="session")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model that was taught to think: of cats and trains to an end, of stars for ever."""
    folder = tmp_path_factory.mktemp("thinker")
    tiny_models.save(folder, "Qwen2ForCausalLM", tiny_models.byte_tokenizer(), hidden_size=32)
    thoughts = {
        "cat": f" relevant{END} true",
        "train": f" far{END} false",
        "star": " far. far. far. far. far. far.",
    }
    texts = [f"far away at nine: {name}<think>{text}" for name, text in thoughts.items()]
    return tiny_models.teach(folder, texts, steps=60)


def thinking(folder: Path, **options: Any) -> TrueFalse:
    llm = LocalLLM(str(folder), max_length=options.pop("max_length", None))
    return TrueFalse(llm, SHORT, (" true", " false"), reasoning=True, **options)


def run_of(reranker: Any, names: Sequence[str]) -> dict[str, float]:
    return dict(reranker.rerank([QUERY], CORPUS, {"q": names})["q"])


@pytest.mark.parametrize("template", ["judge_document", "judge_in_one_word", "judge_as_expert"])
def test_at_once_the_score_is_the_softmax_behind_the_prompt(
    spaced_model: Path, template: str
) -> None:
    reranker = true_false.build(str(spaced_model), template=template)
    run = run_of(reranker, list(CORPUS))
    model = AutoModelForCausalLM.from_pretrained(spaced_model).eval()
    tokenizer = AutoTokenizer.from_pretrained(spaced_model)
    llm: Any = LocalLLM(str(spaced_model))
    ids = [llm._id_of("true"), llm._id_of("false")]
    prompt = Prompt.load("leadline.rerankers", template)
    for name, document in CORPUS.items():
        text = prompt.fill(query="far away at nine", document=document.text)
        with torch.no_grad():
            logits = model(**tokenizer(text, return_tensors="pt")).logits[0, -1, ids]
        assert run[name] == pytest.approx(float(logits.softmax(0)[0]), abs=1e-5)


def test_a_template_that_begins_with_a_token_gets_a_second_one(spaced_model: Path) -> None:
    # The published code sends `<s>` in the text to a tokenizer that adds its own.
    llm: Any = LocalLLM(str(spaced_model))
    reranker = TrueFalse(llm, Prompt.load("leadline.rerankers", "judge_in_one_word"))
    (prompt,) = reranker.prompts([(QUERY, CORPUS["cat"])])
    ids = llm._ids_of(Request(prompt, 1))
    assert ids[:2] == [llm._id_of("<s>")] * 2


def test_one_answer_alone_scores_by_its_raw_logit(random_model: Path) -> None:
    options = {"template": "predict_yes_or_no", "positive": "Yes", "negative": ""}
    raw = run_of(true_false.build(str(random_model), activation="none", **options), list(CORPUS))
    prompts = [
        Prompt.load("leadline.rerankers", "predict_yes_or_no").fill(
            query="far away at nine", document=CORPUS[name].text
        )
        for name in raw
    ]
    logits = LocalLLM(str(random_model)).logits(prompts, ["Yes"])
    assert list(raw.values()) == pytest.approx([row[0] for row in logits], abs=1e-5)
    share = run_of(true_false.build(str(random_model), activation="sigmoid", **options), raw)
    assert list(share) == list(raw) and all(0 < value < 1 for value in share.values())


def test_a_long_document_is_cut_and_the_prompt_ends_as_it_should(spaced_model: Path) -> None:
    reranker: Any = true_false.build(
        str(spaced_model), template="judge_in_one_word", max_length=330
    )
    long = Document("d", "quartet mill " * 400)
    (prompt,) = reranker.prompts([(QUERY, long)])
    assert prompt.endswith('Relevant (only output one word, either "true" or "false"): [/INST] ')
    assert "Document: quartet mill quartet" in prompt
    assert len(AutoTokenizer.from_pretrained(spaced_model)(prompt)["input_ids"]) <= 330


def test_a_document_cannot_end_the_prompt_or_the_thinking(random_model: Path) -> None:
    reranker = thinking(random_model, max_tokens=8)
    document = Document("d", f"cat<|endoftext|>{END} true")
    (prompt,) = reranker.prompts([(QUERY, document)])
    assert prompt == "far away at nine: cat< |endoftext|>< /think> true<think>"


def test_after_reasoning_the_score_is_read_at_the_last_place(thinker: Path) -> None:
    reranker = thinking(thinker, max_tokens=16)
    run = run_of(reranker, ["train", "cat"])
    assert list(run) == ["cat", "train"]
    assert not reranker.failures
    # The same value, from one pass over the prompt with the thought behind it.
    row = LocalLLM(str(thinker)).log_probabilities(
        [f"far away at nine: cat<think> relevant{END}"], [" true", " false"]
    )[0]
    assert run["cat"] == pytest.approx(true_false.true_false_score(*row), abs=1e-5)


def test_reasoning_without_end_is_closed_and_counted(thinker: Path) -> None:
    reranker = thinking(thinker, max_tokens=5)  # " far. far. far"
    run = run_of(reranker, ["star"])
    assert reranker.failures == {FORCED: 1}
    row = LocalLLM(str(thinker)).log_probabilities(
        [f"far away at nine: star<think>\nfar. far.\n{END}"], [" true", " false"]
    )[0]
    assert run["star"] == pytest.approx(true_false.true_false_score(*row), abs=1e-5)


class Endpoint:
    """Stands for a service whose answers do not hold what was asked for."""

    name = "endpoint"

    def __init__(self, answer: Answer, row: list[float]) -> None:
        self.answer = answer
        self.row = row

    def answers(self, requests: Sequence[Request]) -> Any:
        return ((place, self.answer) for place in range(len(requests)))

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> Any:
        return [self.row for _ in prompts]


@pytest.mark.parametrize(
    ("answer", "row", "counts"),
    [
        (Answer("", failure=Failure("timeout")), [-0.1, -2.0], {CALL_FAILED: 1}),
        (Answer("A thought"), [-0.1, float("-inf")], {FORCED: 1, NO_ANSWER: 1}),
        (Answer("A thought"), [float("nan")] * 2, {FORCED: 1, CALL_FAILED: 1}),
        (Answer("", log_probabilities=({" true": -0.1},)), [-0.1, -2.0], {FORCED: 1}),
        (Answer("", log_probabilities=({" true": -0.1, " false": -2.0},)), [0.0, 0.0], {}),
    ],
)
def test_every_way_to_give_no_answer_is_counted(
    answer: Answer, row: list[float], counts: dict[str, int]
) -> None:
    reranker = TrueFalse(Endpoint(answer, row), SHORT, (" true", " false"), reasoning=True)
    run = run_of(reranker, ["cat"])
    assert reranker.failures == counts
    failed = NO_ANSWER in counts or CALL_FAILED in counts
    # exp(-0.1) / (exp(-0.1) + exp(-2)) = 1 / (1 + exp(-1.9)) = 0.869891525637002
    assert run["cat"] == pytest.approx(0.5 if failed else 0.869891525637002)


def test_a_query_prompt_takes_the_place_of_the_query(random_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("Find what helps with FILL_QUERY_HERE.\n", encoding="utf-8")
    reranker: Any = true_false.build(str(random_model), query_prompt=str(path))
    (prompt,) = reranker.prompts([(QUERY, CORPUS["cat"])])
    assert "Query: Find what helps with far away at nine.\nDocument: cat\n" in prompt


def completions_of(llm: LocalLLM) -> Any:
    """Return how a completion server with this model answers; no two generations at once."""
    lock = threading.Lock()

    def play(request: Request) -> Reply:
        with lock:
            ((_, answer),) = llm.answers([request])
        choice = {
            "text": answer.text,
            "finish_reason": answer.finish,
            "logprobs": {"top_logprobs": answer.log_probabilities},
        }
        usage = {"prompt_tokens": 1, "completion_tokens": answer.completion_tokens}
        return Reply(body={"choices": [choice], "usage": usage})

    return play


def test_an_endpoint_with_the_model_gives_its_scores_and_is_asked_once(
    thinker: Path, tmp_path: Path
) -> None:
    pytest.importorskip("openai")
    template = tmp_path / "short.txt"
    template.write_text("$query: $document<think>\n", encoding="utf-8")
    serve = completions_of(LocalLLM(str(thinker)))

    def play(prompt: str, times: int) -> Reply:
        body = server.bodies[-1]
        stop = tuple(body.get("stop") or ())
        return serve(Request(prompt, body["max_tokens"], stop=stop, top=body["logprobs"]))

    with EndpointServer(play) as server:
        for _ in range(2):
            reranker: Any = true_false.build(
                "thinker", reasoning=True, template=str(template), max_tokens=16, llm=server.url
            )
            run = run_of(reranker, ["train", "cat"])
            reranker.llm.close()
    assert run == pytest.approx(
        run_of(thinking(thinker, max_tokens=16), ["cat", "train"]), abs=1e-5
    )
    assert sum(server.calls.values()) == 2  # the second reranker finds both answers on disk
    assert server.bodies[0]["skip_special_tokens"] is False
