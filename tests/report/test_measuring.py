from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.benchmark import Benchmark
from leadline.checking import reference_for
from leadline.errors import InputError
from leadline.evaluation import measure
from leadline.kinds.ranking import KIND
from leadline.report.folder import read_folder
from leadline.system import System
from leadline.systems.adapters import as_system
from leadline.systems.chains import load_system
from leadline.types import Document, Query

CORPUS = {"d": Document("d", "a cat sat"), "e": Document("e", "a dog ran")}
CATS = Benchmark("set/cats", CORPUS, [Query("q", "cat")], {"q": {"d": 1}}, **KIND.measured())
DOGS = replace(CATS, name="set/dogs", queries=[Query("q", "dog")], qrels={"q": {"e": 1}})


def both(texts: Sequence[str], corpus: object) -> list[list[str]]:
    return [["d", "e"] for _ in texts]


def cats_alone(texts: Sequence[str], corpus: object) -> list[list[str]]:
    if texts != ["cat"]:
        raise InputError("I read of cats alone.")
    return [["d"]]


def nothing(texts: Sequence[str], corpus: object) -> list[list[str]]:
    return [[] for _ in texts]


def test_a_system_that_lacks_a_part_has_no_mean_over_all_parts(tmp_path: Path) -> None:
    systems = [as_system(cats_alone), as_system(both)]
    outcome = measure(systems, [CATS, DOGS], out=tmp_path)
    measured = [(each.system, each.benchmark) for each in outcome.reports]
    assert measured == [
        ("cats_alone", "set/cats"), ("both", "set/cats"), ("both", "set/dogs"), ("both", "set")
    ]  # fmt: skip
    (missing,) = outcome.not_measured
    assert (missing.system, missing.benchmark) == ("cats_alone", "set/dogs")
    assert missing.why == "I read of cats alone."
    assert read_folder(tmp_path)[1] == [missing]


def test_what_cannot_be_measured_again_leaves_no_figures_of_before(tmp_path: Path) -> None:
    measure([as_system(both, name="one"), as_system(both)], [DOGS], out=tmp_path)
    measure([as_system(cats_alone, name="one"), as_system(both)], [DOGS], out=tmp_path)
    assert [each.system for each in read_folder(tmp_path)[0]] == ["both"]
    assert [each.name for each in (tmp_path / "set/dogs/runs").iterdir()] == ["both.trec"]


def test_a_system_that_finds_nothing_at_all_has_no_figures() -> None:
    with pytest.raises(InputError, match=r"nothing found no documents for any of the 1 queries"):
        measure([as_system(nothing)], [CATS])


def test_where_nothing_is_measured_every_reason_is_said_once() -> None:
    with pytest.raises(InputError) as caught:
        measure([as_system(cats_alone), as_system(nothing)], [DOGS])
    assert str(caught.value) == (
        "No system could run on any benchmark: I read of cats alone. nothing found no documents "
        "for any of the 1 queries of set/dogs. Perhaps it requires all words of a query."
    )


def test_a_reference_runs_where_a_system_did_and_no_gate_sees_it(tmp_path: Path) -> None:
    def measured(*systems: System, reference: bool = True) -> list[tuple[str, str]]:
        known = reference_for(systems, [CATS, DOGS]) if reference else None
        outcome = measure(systems, [CATS, DOGS], out=tmp_path, reference=known)
        assert "bm25 (reference)" not in {each.system for each in outcome.cases}
        return [(each.system, each.benchmark) for each in outcome.reports if each.run or not known]

    marked = ("bm25 (reference)", "set/cats")
    assert measured(as_system(cats_alone)) == [("cats_alone", "set/cats"), marked]
    assert list((tmp_path / "set/cats/scores").glob("bm25*"))
    assert [each.system for each in read_folder(tmp_path)[0]] == ["cats_alone"]
    # It is not run again on what it was asked before, and leaves when nobody wants it.
    assert marked not in measured(as_system(both))
    assert marked not in measured(as_system(both), reference=False)
    assert reference_for([load_system("bm25")], [CATS]) is None


def test_a_reference_alone_is_no_result() -> None:
    reference = reference_for([as_system(nothing)], [CATS])
    with pytest.raises(InputError, match="nothing found no documents"):
        measure([as_system(nothing)], [CATS], reference=reference)
