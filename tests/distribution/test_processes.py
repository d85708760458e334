import multiprocessing
import time

import pytest
import shard_work

from leadline.distribution.processes import Processes
from leadline.distribution.spreading import engine, in_order, is_spreading, spread, spreading_over
from leadline.errors import InputError

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


def test_a_worker_that_dies_loses_nothing(processes, tmp_path):
    work = shard_work.dying_once(tmp_path / "died")
    assert list(in_order(processes.run(work, SHARDS))) == SHARDS
    assert (tmp_path / "died").exists()


def test_workers_that_die_between_two_shards_lose_nothing(processes):
    def shards():
        for shard in SHARDS:
            if shard == [8]:
                _kill_workers()
            yield shard

    results = list(in_order(processes.run(shard_work.Adding(1), shards())))
    assert results == [[number + 1] for [number] in SHARDS]


def test_workers_that_always_die_end_the_run_with_a_way_out(processes):
    with pytest.raises(InputError, match="try fewer --workers"):
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


def _kill_workers():
    for worker in multiprocessing.active_children():
        worker.kill()
        worker.join()
    time.sleep(0.3)  # for the pool to notice
