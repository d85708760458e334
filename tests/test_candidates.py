"""No order of candidates gives an answer away, and what a system cannot tell apart is a tie."""

import json
import random
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import pytest

from ladders import a_record
from leadline.benchmark import Benchmark
from leadline.checking import build_probes
from leadline.data.folder import Folder, write_folder
from leadline.evaluation import evaluate
from leadline.kinds import benchmark_folder as folder
from leadline.kinds.conditions import published as conditions
from leadline.kinds.conditions.ladders import write_ladders
from leadline.kinds.implicit_facts import published as implicit_facts
from leadline.kinds.questions.kind import KIND as QUESTIONS
from leadline.kinds.reasoning.groups import Group, Passage, Split, as_benchmark
from leadline.kinds.registry import kinds
from leadline.report import Report
from leadline.rerankers.listwise import Listwise
from leadline.rerankers.setwise import Setwise
from leadline.retrievers import bm25
from leadline.retrievers.parts.rankings import fuse
from leadline.system import System
from leadline.systems.chains import load_system
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Query,
    Ranked,
    Run,
    followed,
    scores_of,
    shared_ranks,
    shuffled,
    ties_shuffled,
)
from notes import NOTES
from scripted import ScriptedLLM

NOTED = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}
_TEXTS = [document.text for document in NOTED.values()]
LONG = {str(n): Document(str(n), " ".join(_TEXTS[n : n + 3])) for n in range(0, 9, 3)}
"""Notes of 100 words and more, which have a middle and an end."""
QUERIES = [
    Query("list1", "?", "t", facets={"k": "1"}),
    Query("prose1", "?", "t", facets={"k": "1"}),
    Query("control1", "?", "t", facets={"k": "1"}),
]


def test_the_order_is_that_of_seed_and_topic_whatever_order_is_given() -> None:
    ids = [f"d{n}" for n in range(20)]
    one = shuffled(QUERIES[:2], {"list1": ids, "prose1": ids[::-1]}, 0)
    assert one["list1"] == one["prose1"] != tuple(ids)
    assert set(one["list1"]) == set(ids)
    assert one == shuffled(QUERIES[:2], {"list1": ids, "prose1": ids}, 0)
    assert one["list1"] != shuffled(QUERIES[:1], {"list1": ids}, 1)["list1"]
    other = [replace(QUERIES[0], topic="u")]
    assert one["list1"] != shuffled(other, {"list1": ids}, 0)["list1"]
    assert set(scores_of(one["list1"]).values()) == {0.0}


def test_what_stands_for_a_document_in_a_variant_has_its_place() -> None:
    for topic in "abcdefgh":
        asked = [replace(query, topic=topic) for query in QUERIES]
        orders = shuffled(asked, {"list1": ["x", "x~not1"], "control1": ["x", "x~same1"]}, 0)
        assert orders["list1"].index("x") == orders["control1"].index("x")


def test_ties_of_a_run_are_shuffled_and_nothing_else() -> None:
    scores = {"top": 2.0, **{f"d{n}": 1.0 for n in range(20)}, "last": 0.5}
    (found,) = ties_shuffled(QUERIES[:1], {"list1": scores}, 0).values()
    assert found == scores
    assert list(found)[:1] + list(found)[-1:] == ["top", "last"]
    assert list(found) != list(scores)


def test_equal_scores_share_the_best_of_their_ranks() -> None:
    ranking = {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}
    assert shared_ranks(ranking) == {"a": 1, "b": 2, "c": 2, "d": 4}
    assert shared_ranks(scores_of(["a", "b"])) == {"a": 1, "b": 2}
    assert shared_ranks(scores_of(Ranked({"a": 0.0, "b": 0.0}))) == {"a": 1, "b": 1}


def test_what_follows_a_ranking_scores_lower_in_its_order_with_its_ties() -> None:
    found = {"a": 9.0, "b": 8.0, "c": 8.0, "d": 7.0, "e": 6.0}
    # b and c share rank 1 of those below, d is the third: one a rank below the lowest score, 0.5.
    assert followed({"e": 1.0, "a": 0.5}, found) == {
        "e": 1.0, "a": 0.5, "b": -0.5, "c": -0.5, "d": -2.5,
    }  # fmt: skip
    assert followed({"a": 10.0}, found) == {**found, "a": 10.0}
    narrow = array("f", followed({"a": 1e9}, {"b": 1e9 + 1, "c": 1e9}).values())
    assert narrow[0] > narrow[1] > narrow[2]


@dataclass
class Lucky:
    """A first stage that guesses what a document is worth: for every query anew, or for all."""

    seed: int
    anew: bool
    name: str = "lucky"

    def index(self, corpus: Corpus) -> "Lucky":
        self.ids = list(corpus)
        return self

    def search(self, queries: list[Query], k: int) -> Run:
        return self.score(queries, {query.id: self.ids for query in queries})

    def score(self, queries: list[Query], candidates: Candidates) -> Run:
        run = {}
        for query in queries:
            drawn = f"{self.seed} {query.id if self.anew else ''}"
            worth = {id: random.Random(f"{drawn} {id}").random() for id in candidates[query.id]}
            run[query.id] = dict(sorted(worth.items(), key=lambda pair: -pair[1]))
        return run


class Idle:
    """A reranker that gives candidates back in the order in which it got them."""

    name = "idle"

    def rerank(self, queries: list[Query], corpus: Corpus, candidates: Candidates) -> Run:
        return {
            query.id: {id: 1 / n for n, id in enumerate(candidates[query.id], 1)}
            for query in queries
        }


def refusing() -> ScriptedLLM:
    return ScriptedLLM(lambda prompt: "I cannot rank these.")


SYSTEMS: dict[str, Callable[[], System]] = {
    "idle": lambda: System(None, Idle(), fallback=bm25.build()),
    "bm25+idle": lambda: System(bm25.build(), Idle()),
    "listwise": lambda: System(None, Listwise(refusing()), fallback=bm25.build()),
    "bm25+listwise": lambda: System(bm25.build(), Listwise(refusing())),
    "setwise": lambda: System(None, Setwise(refusing()), fallback=bm25.build()),
    "bm25": lambda: load_system("bm25"),
    "fusion": lambda: System(fuse([bm25.build(), bm25.build(stopwords="none")])),
    "by_attribute": lambda: load_system("by_attribute"),
    "bm25+by_attribute": lambda: load_system("bm25+by_attribute"),
    "by_condition": lambda: load_system("by_condition:scorer=bm25"),
    "fusion+by_condition+setwise": lambda: System(
        fuse([bm25.build(), bm25.build(stopwords="none")]),
        [*load_system("by_condition:scorer=bm25").rerankers, Setwise(refusing())],
    ),
}


def written_ladders(path: Path) -> Benchmark:
    write_ladders(path / "ladders.jsonl", [a_record(5, f"l{n}") for n in range(12)])
    return conditions.build("books", data=path)[0]


def pool_of_facts(path: Path) -> Benchmark:
    rows = [
        {"id": n, "tuple_set_id": n // 5, "pos_document": f"I went to hall {n} seven days ago.",
         "question": f"Who was in hall {n}?", "answer": "Maeve"} for n in range(30)
    ]  # fmt: skip
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (path / "temporal_unispeaker.jsonl").write_text(lines)
    return implicit_facts.build("temporal-unispeaker", data=path)[0]


def groups_of_passages(path: Path) -> Benchmark:
    told = ("direct", "indirect", "negative", "negative", "negative")
    groups = [
        Group(f"g{n}", f"why is wall {n} wet", "daily", "hard", f"g{n}", tuple(
            Passage(f"wall {n}, passage {place}", each, "") for place, each in enumerate(told)
        )) for n in range(12)
    ]  # fmt: skip
    return as_benchmark("reasoning", Split([], groups))


def candidates_of_a_user(path: Path) -> Benchmark:
    """The relevant document first, as many a converter writes it."""
    corpus = {f"d{n:02}": Document(f"d{n:02}", f"text {n}") for n in range(30)}
    queries = [Query(f"q{n}", f"text {n}", f"q{n}") for n in range(30)]
    ids = list(corpus)
    write_folder(path, Folder(
        corpus, queries, {f"q{n}": {id: 1} for n, id in enumerate(ids)},
        {f"q{n}": [id, *(each for each in ids if each != id)] for n, id in enumerate(ids)},
    ))  # fmt: skip
    return folder.build(path)


def probe(name: str) -> Callable[[Path], Benchmark]:
    return lambda path: build_probes(NOTED, [name])[0]


KINDS: Mapping[str, Callable[[Path], Benchmark]] = {
    "conditions": probe("conditions"),
    "conditions, written": written_ladders,
    "instructions": probe("instructions"),
    "rephrasings": probe("rephrasings"),
    "implicit-facts": pool_of_facts,
    "reasoning": groups_of_passages,
    "neighbours": probe("neighbours"),
    "ranking": candidates_of_a_user,
    "questions": lambda path: replace(candidates_of_a_user(path), **QUESTIONS.measured()),
    "position": lambda path: build_probes(LONG, ["position"])[0],
}
_OF_RUNS_ALONE = ("RBO", "Spearman", "Opportunity", "IdealWISE", "ScoreDifference", "Robustness")
"""Metrics that compare a system with itself (Robustness: its values of nDCG, which is tried)."""
_LESS_IS_MORE = ("TieRate", "FlipRate", "Decline", "GoldRank", "MeanRank", "SetRank", "Unseen")


def means(report: Report) -> dict[str, float]:
    """Return the means of a report without their intervals, which take half of the time."""
    return {name: fmean(of_all.values()) for name, of_all in report.scores.items() if of_all}


def test_every_kind_that_ranks_is_tried() -> None:
    assert {name.partition(",")[0] for name in KINDS} == {each.name for each in kinds()} - {
        "reading"
    }


@pytest.fixture(scope="module", params=list(KINDS))
def alike(request, tmp_path_factory) -> tuple[Benchmark, dict[str, float]]:
    """A benchmark of a kind whose documents are the same letters, and the most that luck brings."""
    made = KINDS[request.param](tmp_path_factory.mktemp("made"))
    words = sorted({word for query in made.queries for word in query.content.split()})
    same = {id: Document(id, " ".join(words)) for id in made.corpus}
    made = replace(made, corpus=same)
    guesses = [
        means(evaluate(System(Lucky(seed, anew), depth=len(same)), made))
        for seed in range(15)
        for anew in (False, True)
    ]
    names = [name for name in guesses[0] if not name.startswith((*_OF_RUNS_ALONE, *_LESS_IS_MORE))]
    assert names
    luck = {name: max(each[name] for each in guesses if name in each) for name in names}
    return made, {name: 0.02 + 1.25 * max(0.0, best) for name, best in luck.items()}


@pytest.mark.parametrize("system", list(SYSTEMS))
def test_documents_of_the_same_letters_bring_no_more_than_guessing(alike, system: str) -> None:
    made, luck = alike
    built = replace(SYSTEMS[system](), depth=len(made.corpus))
    reached = means(evaluate(built, made))
    assert {name: mean for name, mean in reached.items() if mean > luck.get(name, mean)} == {}
    if made.kind == "conditions" and "idle" not in system:
        assert reached["WinRate"] == 0 and reached["TieRate"] == 1


def test_a_model_that_refuses_leaves_the_order_of_the_stage_before(tmp_path: Path) -> None:
    # Every answer is unusable, so that each figure that compares scores or ranks is bm25's.
    made = written_ladders(tmp_path)
    plain = evaluate(load_system("bm25"), made).means()
    for reranker in (Listwise(refusing()), Setwise(refusing())):
        reached = evaluate(System(bm25.build(), reranker), made).means()
        for name in ("WinRate", "TieRate", "Adjacent", "FlipRate", "P@1", "nDCG@10"):
            assert reached[name].mean == plain[name].mean, name


def test_an_order_of_a_first_stage_counts_where_the_folder_says_so(tmp_path: Path) -> None:
    made = candidates_of_a_user(tmp_path)
    assert evaluate(System(None, Idle()), made).means()["nDCG@10"].mean < 0.5
    (tmp_path / "benchmark.json").write_text('{"ranked": true}')
    ranked = folder.build(tmp_path)
    assert evaluate(System(None, Idle()), ranked).means()["nDCG@10"].mean == 1.0
    folder.write(tmp_path / "again", ranked)
    assert folder.build(tmp_path / "again").ranked
