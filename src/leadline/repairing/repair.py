"""repair: propose changes to a system, try them, and write the best."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.checking import (
    build_probes,
    in_place_of_skipped,
    load_systems,
    nothing_built,
    nothing_to_ask,
    own_queries,
)
from leadline.data.documents import read_with_fields, sampled
from leadline.data.locks import holding
from leadline.data.writing import atomic_file, output_folder
from leadline.errors import InputError
from leadline.evaluation import cannot_be_asked
from leadline.progress import warn
from leadline.repairing.proposals import asked_for, proposals, runnable
from leadline.repairing.trial import LIMIT, Repair, tried_on_halves
from leadline.system import System
from leadline.systems.chunks import Chunks
from leadline.types import Corpus, Qrels, Query


@holding()
def repair(
    corpus: Corpus | str | Path,
    system: str = "bm25",
    *,
    chunks: Chunks | None = None,
    propose: Sequence[str] = (),
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    probes: Sequence[str] | None = None,
    metadata: bool = False,
    text_field: str = "",
    title_field: str = "",
    strict: bool = False,
    sample: int | None = None,
    out: str | Path | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> Repair:
    """Try changes to a system on one half of the documents, and confirm them on the other.

    Args:
        corpus: Documents, or the path of a corpus.
        system: The name of a system, such as `minilm:max_length=64`.
        chunks: How to get document ids from chunk ids, see `as_system`.
        propose: Further systems to try.
        queries: Your own queries, as for `check`.
        qrels: Judgements of those queries.
        probes: Names of kinds. None builds the default ones.
        metadata: Give systems the metadata of documents, not only their text.
        text_field: The field of a record that holds the text.
        title_field: The field of a record that holds the title.
        strict: Raise InputError if a file of the folder cannot be read.
        sample: Use only this many documents, drawn by the seed.
        out: Folder for repair.json, and for repaired.yaml if a change is recommended.
        limit: At most this many topics in each probe. Few topics cannot confirm small gains.
        seed: Makes every random choice repeatable.

    Returns:
        Every trial, and the recommended change if one is confirmed.

    Raises:
        InputError: The corpus, a system or an option cannot be used.
    """
    (base,) = load_systems([system], chunks=chunks)
    candidates, lacking = runnable([*proposals(system), *map(asked_for, propose)], chunks)
    folder = output_folder(out) if out is not None else None
    name = str(corpus) if isinstance(corpus, str | Path) else "corpus"
    if isinstance(corpus, str | Path):
        queries, qrels = own_queries(str(corpus), queries, qrels)
        corpus = read_with_fields(
            corpus, text=text_field, title=title_field, metadata=metadata, strict=strict
        )
    if sample is not None:
        corpus, qrels = sampled(corpus, sample, seed, queries, qrels)
    built = build_probes(
        corpus, probes, queries=queries, qrels=qrels, limit=limit, seed=seed, source=name
    )
    usable = [each for each in built if each.queries]
    if not usable:
        raise InputError(nothing_built(name, built))
    asked = _askable(base, usable, corpus)
    if not asked:
        raise InputError(nothing_to_ask([base], usable))
    found = tried_on_halves(base, candidates, asked, lacking=lacking, seed=seed)
    if folder is not None:
        _write(folder, found)
    return found


def _askable(system: System, probes: Sequence[Benchmark], corpus: Corpus) -> list[Benchmark]:
    """Return the probes that a system can run, and print why it cannot run the others."""
    skip = cannot_be_asked([system], probes)
    instead = in_place_of_skipped(probes, skip, corpus)
    for left_out in skip:
        warn(f"Left out: {left_out.benchmark} ({left_out.why})")
    for each in instead:
        warn(f"Used instead: {each.name} (real documents, not judged)")
    names = {left_out.benchmark for left_out in skip}
    return [*(each for each in probes if each.name not in names), *instead]


def _write(out: Path, found: Repair) -> None:
    """Write repair.json and repaired.yaml. Remove repaired.yaml if nothing is recommended."""
    with atomic_file(out / "repair.json") as file:
        json.dump(found.as_json(), file, ensure_ascii=False, indent=1)
        file.write("\n")
    path = out / "repaired.yaml"
    if found.recommended and found.confirmed is not None:
        with atomic_file(path) as file:
            file.write(found.confirmed.proposal.yaml(out))
    else:
        path.unlink(missing_ok=True)
