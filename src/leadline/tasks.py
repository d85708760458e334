"""What some commands do, as functions: gate and synthesize."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leadline.benchmark import Benchmark
from leadline.checking import LIMIT, build_probes, models_of, nothing_built
from leadline.comparison.folders import ALPHA, MAX_DROP, Verdict, compare_folders, judge
from leadline.data.documents import read_corpus
from leadline.data.holding import holding
from leadline.data.writing import output_folder
from leadline.errors import InputError
from leadline.kinds.benchmark_folder import write
from leadline.types import LLM, Corpus, Qrels, Query

if TYPE_CHECKING:
    from leadline.llm.pipeline.models import Models


def gate(
    base: str | Path,
    new: str | Path,
    *,
    max_drop: float = MAX_DROP,
    alpha: float = ALPHA,
    **options: Any,
) -> Verdict:
    """Judge whether an output folder is worse than another.

    Args:
        base: The output folder to compare with.
        new: The output folder that is judged.
        max_drop: The largest loss that passes, in units of the metric.
        alpha: How sure a loss must be to fail: one-sided, corrected.
        options: As `compare` has them.
    """
    return judge(compare_folders(base, new, **options), max_drop=max_drop, alpha=alpha)


@holding()
def synthesize(
    kind: str,
    corpus: Corpus | str | Path,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    llm: str | LLM | Models | None = None,
    out: str | Path | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> Benchmark:
    """Build a benchmark of a kind from documents, by rules or with a language model.

    Args:
        kind: Its name, such as `conditions`.
        corpus: Documents, or the path of a CORPUS.
        queries: The user's own queries, for kinds that take some.
        qrels: Judgements of these.
        llm: A language model, or its name, that writes and reads; None: rules build all.
        out: Benchmark folder that is written; None: nowhere.
        limit: Most topics.
        seed: Of every random choice.

    Raises InputError when nothing can be built.
    """
    name = str(corpus) if isinstance(corpus, str | Path) else "corpus"
    documents = read_corpus(corpus) if isinstance(corpus, str | Path) else corpus
    folder = None if out is None else output_folder(out)
    (made,) = build_probes(
        documents, [kind], queries=queries, qrels=qrels, limit=limit, seed=seed, source=name,
        models=models_of(llm), out=folder,
    )  # fmt: skip
    if not made.queries:
        raise InputError(nothing_built(name, [made]))
    if folder is not None:
        write(folder, made)
    return made
