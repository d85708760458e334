"""What a causal model says of judged pairs: true or false after its own reasoning."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from leadline.errors import needs
from leadline.kinds.reasoning.pairs import JudgedPair
from leadline.metrics.ranking import ndcg
from leadline.training.judged_rows import END, answer_id, prompt_ids

with needs("train"):
    import torch

_BATCH = 8


def judged(
    model: Any, tokenizer: Any, pairs: Sequence[JudgedPair], *, max_tokens: int
) -> list[tuple[float, bool]]:
    """Return for each pair the share of ` true` against ` false`, and whether reasoning ended.

    The model reasons for itself (the likeliest tokens), as it does when it reranks. Reasoning that
    has not ended after `max_tokens` is closed, and answered.
    """
    device = next(model.parameters()).device
    close = tokenizer(f"\n{END}", add_special_tokens=False)["input_ids"]
    end = tokenizer.convert_tokens_to_ids(END)
    answers = [answer_id(tokenizer, relevant=side) for side in (True, False)]
    was_training = model.training
    model.eval()
    found: list[tuple[float, bool]] = []
    try:
        for start in range(0, len(pairs), _BATCH):
            prompts = [prompt_ids(each, tokenizer) for each in pairs[start : start + _BATCH]]
            thoughts = _reasoning(model, prompts, end, tokenizer, max_tokens, device)
            ended = [bool(each) and each[-1] == end for each in thoughts]
            whole = [
                [*prompt, *thought, *([] if is_over else close)]
                for prompt, thought, is_over in zip(prompts, thoughts, ended, strict=True)
            ]
            found += zip(_shares(model, whole, answers, device), ended, strict=True)
    finally:
        model.train(was_training)
    return found


def figures(pairs: Sequence[JudgedPair], results: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """Return accuracy, the share of reasoning that ended, and nDCG@10 over queries with both sides.

    nDCG@10 is left out where no query has both.
    """
    right = [
        (share > 0.5) == pair.relevant for pair, (share, _) in zip(pairs, results, strict=True)
    ]
    told = {"accuracy": fmean(right), "ended": fmean(ended for _, ended in results)}
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, (pair, (share, _)) in enumerate(zip(pairs, results, strict=True)):
        qrels.setdefault(pair.query, {})[str(number)] = int(pair.relevant)
        run.setdefault(pair.query, {})[str(number)] = share
    both = {query: grades for query, grades in qrels.items() if len(set(grades.values())) > 1}
    if both:
        told["nDCG@10"] = fmean(ndcg({query: run[query] for query in both}, both, 10).values())
    return told


def _reasoning(
    model: Any,
    prompts: Sequence[Sequence[int]],
    end: int,
    tokenizer: Any,
    max_tokens: int,
    device: Any,
) -> list[list[int]]:
    """Return what is generated for each prompt, up to and with the end of thinking."""
    longest = max(map(len, prompts))
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
    ids = torch.tensor([[pad] * (longest - len(each)) + list(each) for each in prompts])
    mask = torch.tensor([[0] * (longest - len(each)) + [1] * len(each) for each in prompts])
    stops = [end] if tokenizer.eos_token_id is None else [end, tokenizer.eos_token_id]
    with torch.no_grad():
        made = model.generate(
            input_ids=ids.to(device), attention_mask=mask.to(device), max_new_tokens=max_tokens,
            do_sample=False, eos_token_id=stops, pad_token_id=pad,
        )  # fmt: skip
    found = []
    for row in made[:, longest:].tolist():
        stop = next((place for place, each in enumerate(row) if each in stops), len(row))
        ends_thinking = stop < len(row) and row[stop] == end
        found.append(row[: stop + 1] if ends_thinking else row[:stop])
    return found


def _shares(
    model: Any, texts: Sequence[Sequence[int]], answers: Sequence[int], device: Any
) -> list[float]:
    """Return exp(true) / (exp(true) + exp(false)) of the token after each text."""
    longest = max(map(len, texts))
    ids = torch.tensor([list(each) + [0] * (longest - len(each)) for each in texts])
    mask = torch.tensor([[1] * len(each) + [0] * (longest - len(each)) for each in texts])
    with torch.no_grad():
        logits = model(input_ids=ids.to(device), attention_mask=mask.to(device)).logits
    last = torch.tensor([len(each) - 1 for each in texts])
    rows = logits[torch.arange(len(texts)), last.to(logits.device)][:, list(answers)].double()
    shares: list[float] = torch.softmax(rows, dim=-1)[:, 0].tolist()
    return shares
