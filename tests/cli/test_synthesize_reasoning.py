"""`leadline synthesize reasoning` against a model on loopback."""

import json
from functools import partial
from pathlib import Path

import pytest

import commands
from leadline.kinds.benchmark_folder import build
from leadline.kinds.reasoning.pairs import read_pairs
from llm_server import EndpointServer, Reply, said
from reasoning_writer import MALFORMED, answered, step_of

SEEDS = "old mill\nwet cellar\nroof beam\nstone bridge\nsea wall\n"


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    path = tmp_path / "seeds.txt"
    path.write_text(SEEDS)
    return path


run = partial(commands.run, "synthesize", "reasoning")


def test_pairs_and_a_benchmark_are_written_and_load(tmp_path: Path, seeds: Path) -> None:
    out = tmp_path / "out"
    with EndpointServer(lambda prompt, _: said(answered(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--verify-model", "judge")
        run("--queries", seeds, "--out", out, *own)
    pairs = read_pairs(out)
    # Five seeds, one held out; each daily and expert query has four of either side: 8 queries * 8.
    assert len(pairs) == 64
    assert sum(each.relevant for each in pairs) == 32
    assert all(each.trace for each in pairs)
    made = build(out)
    assert (made.kind, made.built_by, len(made.queries), len(made.corpus)) == (
        "reasoning", "llm", 2, 80,
    )  # fmt: skip
    assert not {query.text for query in made.queries} & {each.query for each in pairs}
    steps = {each["name"]: each for each in json.loads((out / "run.json").read_text())["steps"]}
    assert steps["judgement"]["calls"] == 80
    assert steps["seed query"]["calls"] == 0
    told = json.loads((out / "statistics.json").read_text())
    assert (told["queries"], told["pairs left out for balance or --size"]) == (10, 0)
    assert {query.facets["words"] for query in made.queries} <= {"enough", "not enough"}
    for name in ("sample.txt", "log.jsonl"):
        assert (out / name).stat().st_size
    commands.run("evaluate", "-s", "bm25", "-b", out, "--out", tmp_path / "e")


def test_a_run_that_was_stopped_goes_on_and_asks_nothing_twice(tmp_path: Path, seeds: Path) -> None:
    is_down = True

    def play(prompt: str, times: int) -> Reply:
        step = step_of(prompt)
        if is_down and step == "plan" and "cellar" in prompt:
            return Reply(500, {"error": {"message": "down"}})
        if step in MALFORMED and times == 1 and "bridge" in prompt:
            return said(MALFORMED[step])
        return said(answered(prompt))

    with EndpointServer(play) as server:
        own = ("--llm", server.url, "--llm-model", "toy")
        given = ("--queries", seeds, "--out", tmp_path / "out", *own)
        done = run(*given, code=2)
        assert "Run the same command again" in done.output
        assert not (tmp_path / "out" / "pairs.jsonl").exists()
        before = server.calls.copy()
        is_down = False
        run(*given)
        again = [each for each in before if server.calls[each] > before[each]]
        assert {step_of(each) for each in again} <= {"plan"}
        stopped = (tmp_path / "out" / "pairs.jsonl").read_bytes()
        run(*given[:3], tmp_path / "other", *own)
    assert (tmp_path / "other" / "pairs.jsonl").read_bytes() == stopped


def test_a_dry_run_plans_and_asks_nothing(tmp_path: Path, seeds: Path) -> None:
    with EndpointServer(lambda prompt, _: said(answered(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--dry-run")
        done = run("--queries", seeds, "--out", tmp_path / "out", *own)
        assert not server.bodies
    assert "Would ask" in done.stderr
    assert not (tmp_path / "out").exists()


def test_documents_give_seeds_and_another_set_is_mixed_in(tmp_path: Path, seeds: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(
        "".join(json.dumps({"_id": str(n), "text": f"a text about {word}"}) + "\n"
                for n, word in enumerate(("mill", "weir", "cellar")))
    )  # fmt: skip
    others = tmp_path / "others.jsonl"
    others.write_text(
        "".join(json.dumps({"query": f"q{n}", "document": "d", "relevant": n < 4}) + "\n"
                for n in range(8))
    )  # fmt: skip
    with EndpointServer(lambda prompt, _: said(answered(prompt))) as server:
        own = ("--llm", server.url, "--llm-model", "toy", "--style", "expert", "--quiet")
        run(corpus, "--out", tmp_path / "out", "--mix", others, "--mix-size", "6",
            "--held-out", "0", "--size", "8", *own)  # fmt: skip
        more = run(corpus, "--out", tmp_path / "more", "--mix", others, "--mix-size", "6",
                   "--held-out", "0", "--size", "600", *own)  # fmt: skip
    assert len(read_pairs(tmp_path / "out")) == 8 + 6
    made = len(read_pairs(tmp_path / "more")) - 6
    assert made < 600
    assert f"Made {made} balanced pairs, but --size asked for 600. Give more seeds" in more.stderr
    assert "The mixture has a different ratio" in more.stderr
    told = json.loads((tmp_path / "more" / "statistics.json").read_text())
    assert told["pairs fewer than --size"] == 600 - made


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((), "either documents (CORPUS) or seed queries"),
        (("--queries", "q.txt"), "Give --llm URL"),
        (("--queries", "q.txt", "--style", "weekly"), "weekly"),
        (("--queries", "q.txt", "--mix-size", "4"), "--mix-size needs --mix FILE"),
    ],
)
def test_what_is_missing_is_told_in_one_line(given: tuple[str, ...], told: str) -> None:
    assert told in run(*given, code=2).stderr
