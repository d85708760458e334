import pytest
import shard_work

from leadline.data.documents import read_corpus
from leadline.data.folder import write_corpus
from leadline.data.spreading import (
    Processes,
    engine,
    in_order,
    is_spreading,
    spread,
    spreading_over,
)
from leadline.errors import InputError
from leadline.kinds.uniqueness import Case, find_matches
from leadline.kinds.word_rarity import harvest
from leadline.types import Document

SHARDS = [[number] for number in range(12)]


@pytest.fixture
def processes():
    engine = Processes(2)
    yield engine
    engine.close()


def test_without_an_engine_work_is_done_here_in_order():
    assert list(spread(shard_work.Adding(1), [[1], [2, 3]])) == [(0, [2]), (1, [3, 4])]


def test_processes_give_what_this_process_gives_and_unpickle_work_once_each(processes, tmp_path):
    work = shard_work.Adding(5, tmp_path / "log")
    results = list(in_order(processes.run(work, SHARDS)))
    assert results == [work(shard) for shard in SHARDS]
    pids = (tmp_path / "log").read_text().split()
    assert len(pids) == len(set(pids)) <= 2


def test_a_worker_that_dies_ends_the_run_with_a_way_out(processes):
    with pytest.raises(InputError, match="Use fewer --workers"):
        list(processes.run(shard_work.die, SHARDS))


def test_what_the_work_raises_is_raised(processes):
    with pytest.raises(InputError, match=r"\[0\] is refused"):
        list(processes.run(shard_work.refuse, SHARDS[:1]))


def test_shards_are_taken_only_as_workers_need_them(processes):
    taken = []

    def shards():
        for shard in SHARDS:
            taken.append(shard)
            yield shard

    arriving = processes.run(shard_work.Adding(1), shards())
    next(arriving)
    assert len(taken) <= 5
    arriving.close()


def test_an_engine_holds_for_its_block_only(processes):
    with spreading_over(processes):
        assert is_spreading()
        assert dict(spread(shard_work.Adding(1), SHARDS)) == {n: [n + 1] for n in range(12)}
    assert not is_spreading()


def test_one_worker_is_this_process():
    assert engine(1) is None
    with pytest.raises(InputError, match="--workers must be at least 1, got 0"):
        engine(0)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setattr("leadline.data.spreading.DOCUMENTS", 3)
    texts = [f"Kite {n} flew over red hills in {1990 + n}." for n in range(10)]
    documents = {f"d{n}": Document(f"d{n}", text) for n, text in enumerate(texts)}
    write_corpus(tmp_path / "corpus.jsonl", documents)
    return read_corpus(tmp_path / "corpus.jsonl")


def test_words_are_counted_on_workers_as_here(corpus):
    here = harvest(corpus, pairs=True)
    with spreading_over(Processes(2)):
        there = harvest(corpus, pairs=True)
    assert there == here
    assert (here.documents, here.frequency["kite"], here.words["kite"]) == (10, 10, 10)


def test_second_answers_are_found_on_workers_as_here(corpus):
    cases = [Case(("kite", "hills"), "d4"), Case(("1993",), "d0"), Case(("1993",), "d3")]
    here = find_matches(cases, corpus, {})
    with spreading_over(Processes(2)):
        there = find_matches(cases, corpus, {})
    assert there == here == {0: ["d0", "d1", "d2", "d3", "d5"], 1: ["d3"]}
