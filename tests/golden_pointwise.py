"""Golden family `pointwise`: the true/false score, its fallback and its prompt."""

from typing import Any

from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Request
from leadline.rerankers.parts.pairs import forced_answer_prompt, true_false_score
from leadline.rerankers.true_false import NO_ANSWER, TrueFalse
from leadline.types import Document, Query

PROMPT = Prompt.load("leadline.rerankers", "reason_then_judge")
SECOND_PASS = {"true": -0.2, "false": -1.7}  # as the vectors' source stubs it


class Thinker:
    """Says one text without log-probabilities, then gives those of the second pass."""

    name = "thinker"

    def __init__(self, text: str, second: dict[str, float]) -> None:
        self.text = text
        self.second = second
        self.second_prompts: list[str] = []

    def answers(self, requests: list[Request]) -> Any:
        yield from ((place, Answer(self.text)) for place in range(len(requests)))

    def log_probabilities(self, prompts: list[str], tokens: list[str]) -> list[list[float]]:
        self.second_prompts += prompts
        row = [self.second.get(token.strip(), float("-inf")) for token in tokens]
        return [row for _ in prompts]


def reasoned(text: str, second: dict[str, float], prompt: Prompt = PROMPT) -> tuple[Any, Any]:
    """Rerank one document and return the reranker and its score."""
    thinker = Thinker(text, second)
    reranker = TrueFalse(thinker, prompt, (" true", " false"), reasoning=True)
    run = reranker.rerank([Query("q", "?")], {"d": Document("d", "!")}, {"q": ["d"]})
    return reranker, run["q"]["d"]


def true_false(inputs: Any) -> float:
    return true_false_score(inputs["lp_true"], inputs["lp_false"])


def forced_answer(inputs: Any) -> dict[str, Any]:
    reranker, score = reasoned(inputs["generated"], SECOND_PASS)
    (asked,) = reranker.llm.second_prompts
    first = PROMPT.fill(query="?", document="!")
    second = forced_answer_prompt(inputs["prompt"], inputs["generated"])
    assert asked.removeprefix(first) == second.removeprefix(inputs["prompt"])
    return {"second_prompt": second, "score": score}


def forced_answer_failure(inputs: Any) -> float:
    second = {token: SECOND_PASS[token] for token in inputs["second_pass_tokens"]}
    reranker, score = reasoned("A thought.", second)
    assert reranker.failures[NO_ANSWER] == 1
    return float(score)


def followir(inputs: Any) -> dict[str, float]:
    score = true_false_score(inputs["logit_true"], inputs["logit_false"])
    return {"score": score, "x100": 100 * score}


def limrank_prompt(inputs: Any) -> str:
    passage = inputs["passage"]
    fields = passage if isinstance(passage, dict) else {"text": passage}
    query = Query("q", inputs["query"], instruction=inputs["instruction"] or "")
    reranker = TrueFalse(
        Thinker("", {}),
        PROMPT,
        (" true", " false"),
        reasoning=True,
        query_prompt=inputs["dataset_prompt"] or "",
    )
    (prompt,) = reranker.prompts([(query, Document("d", **fields))])
    return prompt


HANDLERS = {
    "true_false_score": true_false,
    "forced_answer_prompt": forced_answer,
    "forced_answer_failure": forced_answer_failure,
    "followir_score": followir,
    "limrank_prompt": limrank_prompt,
}


def check(case: Any) -> None:
    """Compare one vector with what we compute. Raises AssertionError, also when it is unknown."""
    handler = HANDLERS.get(case["metric"])
    assert handler and case["mode"] == "default", f"unknown: {case['metric']}, {case['mode']}"
    ours, expected = handler(case["inputs"]), case["expected"]
    pairs = [(ours[key], expected[key]) for key in expected] if isinstance(expected, dict) else []
    for got, wanted in pairs or [(ours, expected)]:
        if isinstance(wanted, str):
            assert got == wanted, (case["id"], got, wanted)
        else:
            allowed = max(case["tolerance"], case["tolerance"] * abs(wanted))
            assert abs(got - wanted) <= allowed, (case["id"], got, wanted)
