"""Published topics whose narrative was changed so that some documents are no longer relevant.

Source: Weller et al., FollowIR: Evaluating and Teaching Information Retrieval Models to Follow
Instructions.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.paths import is_file
from leadline.errors import InputError, unknown
from leadline.kinds.instructions.published import read_set
from leadline.metrics.compliance import PairwiseMRR
from leadline.metrics.ranking import MAP, NDCG
from leadline.types import Metric

PARTS = ("robust04", "news21", "core17")


def build(part: str | None = None, data: str | Path | None = None, cut: int = 0) -> list[Benchmark]:
    """Return one of the collections, or all three.

    A query is reranked among the documents that come with it. MAP and nDCG are over the original
    narratives, p-MRR compares them with the changed ones.

    part  one of PARTS; None for all
    data  folder with a folder for each part that holds corpus.jsonl, queries.jsonl
          (instruction_og, instruction_changed), qrels_og/test.tsv, qrels_changed/test.tsv and
          top_ranked.jsonl; None reads the hub
    cut   cut-off of MAP and nDCG; 0 for those of the paper: 1000 for MAP (robust04, core17), 5 for
          nDCG (news21). LimRank has MAP@5: figures of different cut-offs do not compare

    Raises InputError when a file or a field is missing, or the part is unknown.
    """
    if part is not None and part not in PARTS:
        raise unknown("part of narratives", part, PARTS)
    if cut < 0:
        raise InputError(f"cut must be 0 or more, got {cut}.")
    return [_collection(each, data, cut) for each in ([part] if part else PARTS)]


def _collection(part: str, data: str | Path | None, cut: int) -> Benchmark:
    where = f"jhu-clsp/{part}-instructions" if data is None else _folder(Path(data), part)
    of = (("mode", "original"),)
    main: Metric = NDCG(cut or 5, where=of) if part == "news21" else MAP(cut or 1000, where=of)
    name = where if isinstance(where, str) else where.name
    full = f"narratives:cut={cut}/{part}" if cut else f"narratives/{part}"
    return replace(
        read_set(where, f"Weller et al., FollowIR; {name}"),
        name=full,
        quoted=quoted_results(__package__, full),
        metrics=(PairwiseMRR(), main),
        kind="instructions",
        built={"cut": cut},
    ).validated()


def _folder(data: Path, part: str) -> Path:
    for path in (data / part, data / f"{part}-instructions", data):
        if is_file(path / "queries.jsonl"):
            return path
    raise InputError(
        f"{data} has no folder {part} with queries.jsonl. --data for narratives is a folder of "
        f"{', '.join(PARTS)}, each in the published layout."
    )
