from __future__ import annotations

import json
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.data.cache import cache_folder
from leadline.kinds.ranking import KIND
from leadline.repairing.proposals import Proposal
from leadline.repairing.trial import tried_on_halves as repair
from leadline.retrievers import bm25
from leadline.retrievers.parts.rankings import fuse
from leadline.system import System
from leadline.systems.chains import load_system
from leadline.types import Corpus, Document, Index, Query, Retriever

CORPUS = {f"d{n}": Document(f"d{n}", f"cat train star{n} on {n + 1} May 2020") for n in range(40)}
ASKED = [Query("q", "cat train")]


def size_of(retriever: Retriever) -> int | None:
    return System(retriever).run(CORPUS, ASKED).index_bytes


def test_bm25_tells_what_its_files_take() -> None:
    size = size_of(bm25.build())
    files = [path for path in cache_folder("bm25").rglob("*") if path.is_file()]
    assert size == sum(path.stat().st_size for path in files) > 0


def test_vectors_take_four_bytes_a_number(tmp_path: Path) -> None:
    from tiny_encoders import row, save_encoder

    retriever = row("dense", save_encoder("bert", tmp_path / "bert"))
    assert size_of(retriever) == 40 * 16 * 4


def test_a_fusion_takes_what_its_members_take_and_facts_take_some_more() -> None:
    alone = size_of(bm25.build())
    assert alone is not None
    assert size_of(fuse([bm25.build(), System(bm25.build())])) == 2 * alone
    with_facts = load_system("facts+bm25").run(CORPUS, ASKED).index_bytes
    assert with_facts is not None and with_facts > alone


class Silent:
    """A first stage of a stranger, whose index says nothing of its size."""

    name = "silent"

    def index(self, corpus: Corpus) -> Index:
        return Hidden(bm25.build().index(corpus))


class Hidden:
    def __init__(self, index: Index) -> None:
        self.search, self.score = index.search, index.score


def test_what_cannot_tell_its_size_is_told_as_unknown() -> None:
    assert size_of(Silent()) is None
    assert size_of(fuse([bm25.build(), Silent()])) is None


def test_every_trial_tells_its_index_size(tmp_path: Path) -> None:
    queries = [Query(f"q{n}", f"star{n}", topic=f"q{n}") for n in range(40)]
    qrels = {f"q{n}": {f"d{n}": 1} for n in range(40)}
    asked = Benchmark("mine", CORPUS, queries, qrels, **KIND.measured())
    tried = [(Proposal("to test", (each,)), load_system(each)) for each in ("bm25", "facts+bm25")]
    found = repair(load_system("bm25:stopwords=none"), tried, [asked])
    told = json.loads(json.dumps(found.as_json()))
    sizes = {each["proposal"]: each["index bytes"] for each in told["tried"]}
    assert told["index bytes"] > sizes["bm25"] > 0  # stop words have postings too
    assert sizes["facts+bm25"] >= sizes["bm25"]
