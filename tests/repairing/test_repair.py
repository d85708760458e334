import dataclasses
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from leadline import progress
from leadline.benchmark import Benchmark
from leadline.cli.main import app
from leadline.data.cache import cache_folder
from leadline.errors import InputError
from leadline.kinds.ranking import KIND
from leadline.metrics.significance import Difference
from leadline.repairing.proposals import Cost, Proposal, asked_for, proposals
from leadline.repairing.trial import (
    MARGIN,
    ORDINARY,
    Effect,
    Trial,
    confirmed_by,
    halves,
    lower_bound,
    with_losses_corrected,
)
from leadline.repairing.trial import tried_on_halves as repair
from leadline.retrievers import bm25
from leadline.retrievers.parts.rankings import fuse
from leadline.system import System
from leadline.systems.adapters import as_system
from leadline.systems.chains import load_system
from leadline.systems.spec import parse, written
from leadline.types import Corpus, Document, Index, Query, Retriever
from tables import each_row

TOPICS = 60


def benchmark(topics: int = TOPICS) -> Benchmark:
    """Ask for `n not`: where `not` is a stop word, the two tie, and b comes first."""
    corpus, queries, qrels = {}, [], {}
    for n in range(topics):
        corpus[f"a{n}"] = Document(f"a{n}", f"word{n} stands not tall")
        corpus[f"b{n}"] = Document(f"b{n}", f"word{n} stands tall")
        queries.append(Query(f"q{n}", f"word{n} not", topic=f"q{n}"))
        qrels[f"q{n}"] = {f"a{n}": 1}
    return Benchmark("mine", corpus, queries, qrels, **KIND.measured())


def one(chain: str) -> tuple[Proposal, System]:
    return Proposal("to test", (chain,)), load_system(chain)


def test_halves_share_no_source_and_lose_none() -> None:
    queries = [Query(f"q{n}", "x", f"t{n}", facets={"document": f"d{n % 10}"}) for n in range(40)]
    mine = Benchmark("m", {"d": Document("d", "x")}, queries, {q.id: {"d": 1} for q in queries}, ())
    first, second = halves(mine, seed=1)
    sources = [{query.facets["document"] for query in half.queries} for half in (first, second)]
    assert sources[0] and sources[1] and not sources[0] & sources[1]
    assert len(first.queries) + len(second.queries) == 40
    assert set(first.qrels) == {query.id for query in first.queries}


def test_a_planted_fault_is_found_and_its_mend_confirmed() -> None:
    base = load_system("bm25")
    found = repair(base, [one("bm25:k1=0.9"), one("bm25:stopwords=none")], [benchmark()])
    assert found.recommended and found.confirmed is not None
    assert found.confirmed.proposal.chains == ("bm25:stopwords=none",)
    (effect,) = (each for each in found.confirmed.effects if each.difference.metric == "nDCG@10")
    assert effect.difference.mean_a == 1.0 and effect.sure_gain


def test_the_half_that_chooses_is_not_corrected_for_all_that_was_tried() -> None:
    # Seven topics or so in each half: p is 2 / 2**7 = 0.016 for a gain in all of them, which holds
    # alone and does not after a correction for nine proposals.
    useless = [one(f"bm25:k1={1 + n / 10:g}") for n in range(8)]
    found = repair(load_system("bm25"), [*useless, one("bm25:stopwords=none")], [benchmark(14)])
    assert min(found.topics) >= 6
    assert found.recommended and found.confirmed is not None
    assert found.confirmed.proposal.chains == ("bm25:stopwords=none",)


def gained(p: float, metric: str, sure: bool = True) -> Effect:
    low = 0.01 if sure else -0.01
    return Effect("m", Difference(metric, "new", "base", 0.6, 0.5, 0.1, low, 0.2, p, p, 9, 0))


def test_only_gains_that_the_first_half_promised_are_corrected_for() -> None:
    mend, other = Proposal("", ("mend",)), Proposal("", ("other",))
    first = [
        Trial(mend, (gained(0.001, "a"), gained(0.4, "b", False)), 0, 0),
        Trial(other, (gained(0.001, "a"), gained(0.4, "b", False)), 0, 0),
    ]
    # Two promises: 0.02 times two holds, 0.06 does not. Among all four effects 0.02 times three,
    # behind 0.001, would not hold. What nobody promised confirms nothing.
    second = [
        Trial(mend, (gained(0.02, "a"), gained(0.9, "b", False)), 0, 0),
        Trial(other, (gained(0.06, "a"), gained(0.001, "b")), 0, 0),
    ]
    assert confirmed_by(second, first) == [second[0]]


def test_an_option_is_recommended_before_a_stage_that_helps_as_well() -> None:
    stage = Proposal("a stage", ("bm25:stopwords=none,k1=1.2",))
    option = Proposal("an option", ("bm25:stopwords=none",), cost=Cost.OPTION)
    tried = [(each, load_system(each.name)) for each in (stage, option)]
    found = repair(load_system("bm25"), tried, [benchmark()])
    assert found.recommended and found.confirmed is not None
    assert found.confirmed.proposal is option
    assert [trial.proposal for trial in found.also] == [stage]


def test_a_system_with_nothing_to_mend_gets_no_recommendation() -> None:
    base = load_system("bm25:stopwords=none")
    found = repair(base, [one("bm25:stopwords=none,k1=1.2"), one("bm25")], [benchmark()])
    assert found.confirmed is None and not found.recommended


def test_a_change_that_costs_elsewhere_is_not_recommended() -> None:
    other = benchmark()
    corpus = {id: Document(id, document.text) for id, document in other.corpus.items()}
    swapped = Benchmark(
        "other", corpus, other.queries, {f"q{n}": {f"b{n}": 1} for n in range(TOPICS)},
        **KIND.measured(),
    )  # fmt: skip
    found = repair(load_system("bm25"), [one("bm25:stopwords=none")], [other, swapped])
    assert not found.recommended


def test_options_are_taken_back_and_stages_are_put_around() -> None:
    names = [each.name for each in proposals("minilm:max_length=64")]
    assert names[0] == "minilm"
    assert "facts+minilm:max_length=64" in names
    assert "minilm:max_length=64 & bm25" in names
    assert "bm25:stopwords=none" in [each.name for each in proposals("bm25")]
    assert all(
        "by_condition+by_condition" not in each.name for each in proposals("bm25+by_condition")
    )


@pytest.mark.parametrize("chain", ["bm25:k1=0.9", "dense:a/b,query_prompt=x\\, y: ", "facts+bm25"])
def test_a_chain_is_written_as_it_is_read(chain: str) -> None:
    assert parse(written(parse(chain))) == parse(chain)


@pytest.mark.parametrize("chains", [("bm25:k1=0.9",), ("bm25", "bm25:k1=0.9")])
def test_what_is_written_runs(tmp_path: Path, chains: tuple[str, ...]) -> None:
    (tmp_path / "repaired.yaml").write_text(Proposal('why: it "helps"', chains).yaml())
    system = load_system(str(tmp_path / "repaired.yaml"))
    run = system.run({"d": Document("d", "cat")}, [Query("q", "cat")]).run
    assert list(run["q"]) == ["d"]


def test_a_file_of_the_user_is_found_from_the_folder_of_what_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("chain: bm25\n")
    out = tmp_path / "out"
    out.mkdir()
    (out / "repaired.yaml").write_text(Proposal("why", (str(mine), "bm25:k1=0.9")).yaml(out))
    assert '"./../mine.yaml"' in (out / "repaired.yaml").read_text()
    system = load_system(str(out / "repaired.yaml"))
    assert system.run({"d": Document("d", "cat")}, [Query("q", "cat")]).run["q"]


@pytest.mark.slow
def test_the_command_writes_what_it_recommends(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    lines = [json.dumps({"_id": id, "text": each.text}) for id, each in benchmark().corpus.items()]
    corpus.write_text("\n".join(lines))
    queries, qrels = tmp_path / "queries.jsonl", tmp_path / "qrels.tsv"
    asked = [json.dumps({"_id": each.id, "text": each.text}) for each in benchmark().queries]
    queries.write_text("\n".join(asked))
    rows = [f"q{n}\ta{n}\t1" for n in range(TOPICS)]
    qrels.write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))
    out = tmp_path / "out"
    run("repair", corpus, "-s", "bm25:k1=0.01", "--queries", queries, "--qrels", qrels, "--probe",
        "rephrasings", "--out", out, "--json", "--quiet")  # fmt: skip
    told = json.loads((out / "repair.json").read_text())
    assert told["system"] == "bm25:k1=0.01"
    assert {"bm25", "bm25:k1=0.01,stopwords=none"} <= {each["proposal"] for each in told["tried"]}
    assert (out / "repaired.yaml").exists() == (told["recommended"] is not None)


@pytest.mark.parametrize(("given", "wanted"), [([], 600), (["--limit", "20"], 20)])
def test_topics_enough_for_two_halves_are_asked_for(
    given: list[str], wanted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "a cat"}\n')
    asked = []

    def build(*_: object, limit: int, **__: object) -> list[Benchmark]:
        asked.append(limit)
        raise InputError("Enough seen.")

    monkeypatch.setattr("leadline.repairing.repair.build_probes", build)
    typed = ["repair", str(tmp_path / "corpus.jsonl"), "--out", str(tmp_path / "out"), *given]
    assert CliRunner().invoke(app, typed).exit_code != 0
    assert asked == [wanted]


def fell(p: float) -> Effect:
    return Effect("m", Difference("b", "new", "base", 0.4, 0.5, -0.1, -0.2, -0.01, p, p, 9, 0))


def test_a_fall_among_many_metrics_does_not_stop_a_mend() -> None:
    # 0.02 for each of four falls: corrected 0.08, so none is sure. Alone it is.
    mend = Trial(Proposal("", ("mend",)), (gained(0.001, "a"), *[fell(0.02)] * 4), 0, 0)
    (corrected,) = with_losses_corrected([mend])
    assert corrected.helps and all(each.likely_loss for each in corrected.effects[1:])
    alone = Trial(Proposal("", ("alone",)), (gained(0.001, "a"), fell(0.02)), 0, 0)
    assert not with_losses_corrected([alone])[0].helps
    # As sure, but smaller than the margin at its worst.
    small = Effect("m", Difference("RBO@5", "", "", 0.48, 0.5, -0.02, -0.04, -0.01, 0, 0, 9, 0))
    cheap = Trial(Proposal("", ("cheap",)), (gained(0.001, "a"), small), 0, 0)
    assert with_losses_corrected([cheap])[0].helps and small.likely_loss


def test_what_a_proposal_promised_is_asked_of_the_other_half_together() -> None:
    mend = Proposal("", ("mend",))
    first = [Trial(mend, (gained(0.01, "a"), gained(0.04, "b")), 0, 0)]

    def confirmed(a: Effect, b: Effect) -> bool:
        return bool(confirmed_by([Trial(mend, (a, b), 0, 0)], first))

    # One of the two holds with twice its p-value, both with the larger one.
    missed = gained(0.4, "a", False)
    assert confirmed(missed, gained(0.02, "b")) and not confirmed(missed, gained(0.03, "b"))
    assert confirmed(gained(0.04, "a"), gained(0.04, "b"))


def test_a_promise_that_became_a_loss_confirms_nothing() -> None:
    mend = Proposal("", ("mend",))
    first = [Trial(mend, (gained(0.01, "a"), gained(0.01, "b")), 0, 0)]
    # The fall of b is as sure as can be; a alone has 0.04 twice over.
    second = [Trial(mend, (gained(0.04, "a"), fell(0.0001)), 0, 0)]
    assert not confirmed_by(second, first)


def test_what_may_cost_ordinary_queries_more_than_the_margin_is_not_confirmed() -> None:
    mend = Proposal("", ("mend",))
    first = [Trial(mend, (gained(0.001, "a"),), 0, 0)]
    kept, lost = (
        Trial(mend, (gained(0.001, "a"),), 0, 0, ordinary_low=low)
        for low in (-MARGIN + 0.001, -MARGIN - 0.001)
    )
    assert confirmed_by([kept], first) == [kept]
    assert confirmed_by([lost], first) == []
    # One half alone shows a loss; both together show that it stays below the margin.
    fallen = Effect("m", Difference(ORDINARY, "", "", 0.45, 0.5, -0.05, -0.08, -0.02, 0, 0, 9, 0))
    both = Trial(mend, (gained(0.001, "a"), fallen), 0, 0, ordinary_low=-MARGIN + 0.001)
    assert confirmed_by([both], first) == [both]
    assert not dataclasses.replace(both, ordinary_low=None).helps


def test_the_bound_of_ordinary_queries_needs_topics_enough() -> None:
    def changed(mean: float, topics: int) -> float | None:
        base = dict.fromkeys(range(topics), 0.5)
        new = {n: 0.5 + mean + (0.2 if n % 2 else -0.2) for n in range(topics)}
        return lower_bound(new, base)

    few, many, worse = changed(0.0, 8), changed(0.0, 120), changed(-0.05, 120)
    assert few is not None and few < -MARGIN
    assert many is not None and -MARGIN < many < 0
    assert worse is not None and worse < -MARGIN
    assert lower_bound({}, {}) is None


def test_what_a_change_costs_ordinary_queries_is_asked_of_both_halves() -> None:
    found = repair(load_system("bm25"), [one("bm25:stopwords=none")], [benchmark()])
    assert found.confirmed is not None and found.confirmed.ordinary_low is not None
    assert found.confirmed.ordinary_low > 0
    assert all(trial.ordinary_low is None for trial in found.tried)


class Refusing:
    """A first stage that says only when it searches that it cannot."""

    name = "refusing"

    def index(self, corpus: object) -> object:
        raise InputError("It reads at most 512 tokens.")


def test_what_cannot_run_is_told_and_the_others_are_tried() -> None:
    refusing = Proposal("to test", ("refusing",)), System(Refusing())  # type: ignore[arg-type]
    found = repair(load_system("bm25"), [refusing, one("bm25:stopwords=none")], [benchmark()])
    assert found.recommended
    assert found.not_tried == {"refusing": "It reads at most 512 tokens."}


def test_a_benchmark_that_cannot_be_halved_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    small = dataclasses.replace(benchmark(1), name="small")
    with progress.shown(quiet=True):
        found = repair(load_system("bm25"), [one("bm25:stopwords=none")], [benchmark(14), small])
    assert {effect.benchmark for effect in found.tried[0].effects} == {"mine"}
    assert "small is left out: too few source documents" in " ".join(
        capsys.readouterr().err.split()
    )


def test_a_benchmark_that_the_system_cannot_be_asked_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The function finds documents that hold all words of a query. No document holds "not".
    def all_words(texts: list[str], corpus: Corpus) -> list[list[str]]:
        return [
            [id for id in corpus if set(text.split()) <= set(corpus[id].text.split())]
            for text in texts
        ]

    mine = benchmark(12)
    plain = [dataclasses.replace(each, text=each.text.split()[0]) for each in mine.queries]
    answered = dataclasses.replace(mine, name="plain", queries=plain)
    corpus = {id: Document(id, each.text.replace("not ", "")) for id, each in mine.corpus.items()}
    unanswered = dataclasses.replace(mine, corpus=corpus)
    with progress.shown(quiet=True):
        found = repair(as_system(all_words), [one("bm25")], [unanswered, answered])
    assert {effect.benchmark for trial in found.tried for effect in trial.effects} == {"plain"}
    assert sum(found.topics) == 12
    told = capsys.readouterr().err
    assert "mine is left out: all_words found no documents for any of" in told


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


def names(chain: str) -> list[str]:
    return [each.name for each in proposals(chain)]


@each_row
def test_reading_more_of_queries_is_proposed_where_something_cuts_them(
    chain: str, wanted: str
) -> None:
    assert wanted in names(chain)


def test_no_length_is_proposed_where_nothing_is_cut() -> None:
    assert not any("length" in name for name in names("bm25"))


def test_whole_queries_and_cut_documents_are_what_the_proposal_says(tmp_path: Path) -> None:
    from tiny_encoders import row, save_encoder

    folder = save_encoder("bert", tmp_path / "bert")
    words = " ".join(["cat", "train"] * 10)
    cut = row("dense", folder, max_length=8)
    mended = row("dense", folder, max_length=40, document_max_length=8)
    (before,), (after,) = (each.read([words], [words]) for each in (cut, mended))
    assert before.query_cut and before.cut
    assert after.cut and not after.query_cut


def test_a_depth_goes_with_every_proposal_and_into_the_file(tmp_path: Path) -> None:
    found = proposals("bm25:k1=0.9@20")
    assert {each.depth for each in found} == {20}
    assert "bm25@20" in [each.name for each in found]
    (tmp_path / "repaired.yaml").write_text(found[0].yaml(tmp_path))
    assert load_system(str(tmp_path / "repaired.yaml")).depth == 20
    assert asked_for("bm25@7").system().depth == 7


def test_a_model_beside_a_system_file_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tiny_encoders import save_encoder

    out = tmp_path / "out"
    out.mkdir()
    save_encoder("bert", out / "coherence")
    monkeypatch.chdir(tmp_path)
    change = Proposal("why", ("dense:out/coherence,cache=false",), Cost.STAGE)
    (out / "repaired.yaml").write_text(change.yaml(Path("out")))
    assert "dense:./coherence" in (out / "repaired.yaml").read_text()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    system = load_system("../out/repaired.yaml")
    run = system.run({"d": Document("d", "cat")}, [Query("q", "cat")]).run
    assert list(run["q"]) == ["d"]


def test_a_chain_in_a_system_file_is_changed_as_if_it_were_typed(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("chain: bm25:k1=0.9\ndepth: 20\n")
    found = names(str(tmp_path / "mine.yaml"))
    assert {"bm25@20", "bm25:k1=0.9,stopwords=none@20"} <= set(found)
    assert f"{tmp_path / 'mine.yaml'}+by_condition@20" in found


def test_the_chains_that_a_system_file_joins_are_changed_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "fusion.yaml"
    path.write_text("fusion:\n  systems: ['bm25:k1=0.9', 'facts+bm25']\n")
    found = names(str(path))
    assert "bm25 & facts+bm25" in found
    assert "bm25:k1=0.9 & facts+bm25:stopwords=none" in found
    # Neither facts nor BM25 are new to it.
    assert not any(name.startswith("facts+") or name.endswith(" & bm25") for name in found)


def test_files_named_in_a_system_file_are_found_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "systems"
    folder.mkdir()
    (folder / "inner.yaml").write_text("chain: bm25\n")
    (folder / "outer.yaml").write_text("fusion:\n  systems: [./inner.yaml, 'bm25:k1=0.9']\n")
    monkeypatch.chdir(tmp_path)
    change = next(each for each in proposals("systems/outer.yaml") if each.chains[1:] == ("bm25",))
    assert change.chains[0] == "systems/inner.yaml"
    run = change.system().run({"d": Document("d", "cat")}, [Query("q", "cat")]).run
    assert list(run["q"]) == ["d"]


@each_row
def test_what_holds_more_than_chains_is_changed_from_outside_only(
    content: str, tmp_path: Path
) -> None:
    path = tmp_path / "system.yaml"
    path.write_text(content)
    assert not [each for each in proposals(str(path)) if each.cost is Cost.OPTION]
