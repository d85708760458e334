import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from commands import run
from leadline.cli.main import app
from leadline.comparison.verdict import compare_folders, judge
from leadline.errors import InputError
from leadline.report import Report
from leadline.report.folder import write_scores
from tables import each_row


def report(values: list[float], system: str = "bm25", benchmark: str = "mine", **more) -> Report:
    units = {f"q{n}": value for n, value in enumerate(values)}
    return Report(system, benchmark, {"nDCG@10": units, "MRR@10": units}, **more)


def folders(tmp_path: Path, base: list[float], new: list[float]) -> tuple[Path, Path]:
    a, b = tmp_path / "base", tmp_path / "new"
    write_scores(a, report(base))
    write_scores(b, report(new))
    return a, b


def scattered(count: int, mean: float, seed: int) -> list[float]:
    rng = random.Random(seed)
    return [min(1.0, max(0.0, rng.gauss(mean, 0.2))) for _ in range(count)]


def test_the_same_scores_pass(tmp_path: Path) -> None:
    values = scattered(50, 0.6, 1)
    verdict = judge(compare_folders(*folders(tmp_path, values, values)))
    assert verdict.passed
    assert {each.change.difference for each in verdict.comparison.changes} == {0.0}


def test_a_loss_on_every_topic_fails_and_the_same_gain_passes(tmp_path: Path) -> None:
    high, low = [0.8] * 40, [0.7] * 40
    down, up = tmp_path / "down", tmp_path / "up"
    lost = judge(compare_folders(*folders(down, high, low)))
    assert [each.change.metric for each in lost.failed] == ["nDCG@10", "MRR@10"]
    assert judge(compare_folders(*folders(up, low, high))).passed


def test_a_loss_within_the_bound_passes(tmp_path: Path) -> None:
    found = compare_folders(*folders(tmp_path, [0.8] * 40, [0.75] * 40))
    assert judge(found, max_drop=0.06).passed
    assert not judge(found, max_drop=0.04).passed


def test_topics_of_one_document_count_as_one(tmp_path: Path) -> None:
    # Forty losses of one source document are one loss: no test can be sure of it.
    a, b = tmp_path / "a", tmp_path / "b"
    one = {f"q{n}": "the document" for n in range(40)}
    write_scores(a, report([0.8] * 40, clusters=one))
    write_scores(b, report([0.7] * 40, clusters=one))
    assert judge(compare_folders(a, b)).passed


def test_a_lower_rank_is_a_gain(tmp_path: Path) -> None:
    for name, rank in (("a", 3.0), ("b", 2.0)):
        ranks = {f"q{n}": rank for n in range(30)}
        write_scores(tmp_path / name, Report("bm25", "facts", {"MeanRank": ranks}))
    (change,) = compare_folders(tmp_path / "a", tmp_path / "b", metrics=["MeanRank"]).changes
    assert (change.change.difference, change.gain) == (-1.0, 1.0)


def test_a_system_that_sees_more_is_no_loss_of_noticing(tmp_path: Path) -> None:
    # Each sees 1 in 4 topics and notices all of those; then it sees all and notices 3 in 4.
    seen = {f"q{n}": 1.0 for n in range(0, 80, 4)}
    base = {
        "Noticed": seen,
        "Noticed[unseen=missed]": {f"q{n}": float(n % 4 == 0) for n in range(80)},
    }
    every = {f"q{n}": float(n % 8 > 1) for n in range(80)}
    new = {"Noticed": every, "Noticed[unseen=missed]": every}
    for name, scores in (("a", base), ("b", new)):
        write_scores(tmp_path / name, Report("bm25", "conditions", scores, kind="conditions"))
    (change,) = compare_folders(tmp_path / "a", tmp_path / "b").changes
    assert change.change.metric == "Noticed[unseen=missed]"
    assert (change.change.mean_b, change.change.mean_a) == (0.25, 0.75)
    # An older folder has the metric over seen cases only: it is compared as before.
    older = Report("bm25", "conditions", {"Noticed": seen}, kind="conditions")
    write_scores(tmp_path / "older", older)
    (change,) = compare_folders(tmp_path / "older", tmp_path / "b").changes
    assert change.change.metric == "Noticed"
    assert change.gain < 0


def test_two_systems_of_other_names_are_paired_when_each_is_alone(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    write_scores(a, report([0.5, 0.6], system="bm25"))
    write_scores(b, report([0.6, 0.7], system="hybrid"))
    assert {each.system for each in compare_folders(a, b).changes} == {"hybrid"}
    write_scores(b, report([0.6, 0.7], system="minilm"))
    with pytest.raises(InputError, match="nothing in common"):
        compare_folders(a, b)
    found = compare_folders(a, b, base_system="bm25", new_system="minilm")
    assert {each.system for each in found.changes} == {"minilm"}


def test_one_folder_given_twice_compares_every_two_of_its_systems(tmp_path: Path) -> None:
    command = ["compare", str(tmp_path), str(tmp_path), "--metric", "nDCG@10", "--json"]
    write_scores(tmp_path, report([0.5] * 40, system="run:a.trec"))
    assert "no benchmark with two systems" in CliRunner().invoke(app, command).output
    write_scores(tmp_path, report([0.7] * 40, system="run:b.trec"))
    write_scores(tmp_path, report([0.7] * 40, system="run:c.trec"))
    found = json.loads(CliRunner().invoke(app, command).stdout)["changes"]
    assert [(each["system"], round(each["difference"], 1)) for each in found] == [
        ("run:b.trec against run:a.trec", 0.2),
        ("run:c.trec against run:a.trec", 0.2),
        ("run:c.trec against run:b.trec", 0.0),
    ]


def test_the_command_exits_with_one_and_writes_what_ci_reads(tmp_path: Path) -> None:
    a, b = folders(tmp_path, [0.8] * 40, [0.7] * 40)
    junit, comment = tmp_path / "gate.xml", tmp_path / "gate.md"
    done = run("gate", a, b, "--junit", junit, "--markdown", comment, "--json", code=1)
    assert json.loads(done.stdout)["passed"] is False
    suite = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert "FAILED" in comment.read_text() and "| worse |" in comment.read_text()


def test_what_never_changes_is_no_part_of_the_correction(tmp_path: Path) -> None:
    # Exact: six equal losses have p = 2 / 2^6. Alone it stays, however much stands still beside it.
    units = {f"q{n}": 0.5 for n in range(6)}
    lower = dict.fromkeys(units, 0.4)
    for name, scores in (("a", units), ("b", lower)):
        write_scores(tmp_path / name, Report("bm25", "mine", {"nDCG@10": scores}))
        for number in range(5):
            still = Report("bm25", f"still{number}", {"nDCG@10": units})
            write_scores(tmp_path / name, still)
    found = compare_folders(tmp_path / "a", tmp_path / "b", metrics=["nDCG@10"])
    changed = [each.change.p_holm for each in found.changes if not each.constant]
    assert changed == [2 / 2**6]
    assert [each.change.p_holm for each in found.changes if each.constant] == [1.0] * 5
    assert len(judge(found).failed) == 1


def test_too_few_cases_are_told_with_what_they_would_show(tmp_path: Path) -> None:
    # Differences scatter by 0.2: of 1,000 cases the error is 0.0063, and 2.8 of that are 0.018.
    for count, told in ((1000, ""), (40, "below 0.0"), (3, "of any size")):
        rng = random.Random(count)
        base = scattered(count, 0.5, count)
        new = [value + rng.gauss(0, 0.2) for value in base]
        folder = tmp_path / str(count)
        a, b = folders(folder, base, new)
        done = CliRunner().invoke(app, ["gate", str(a), str(b), "--metric", "nDCG@10"])
        few = [line for line in done.stderr.splitlines() if "are too few to detect" in line]
        assert len(few) == bool(told), done.output
        if few:
            assert f"bm25 on mine: {count} cases are" in few[0] and told in few[0]


def test_what_holds_no_scores_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    done = CliRunner().invoke(app, ["compare", str(tmp_path / "a"), str(tmp_path / "b")])
    assert done.exit_code == 2 and "has no scores" in done.output


@pytest.mark.parametrize("content", ["[]", "{", '{"system": 1}', '{"scores": {"x": 3}}'])
def test_a_damaged_file_of_scores_is_refused_by_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "mine" / "scores").mkdir(parents=True)
    (tmp_path / "mine" / "scores" / "bm25.json").write_text(content)
    with pytest.raises(InputError, match=r"bm25\.json"):
        compare_folders(tmp_path, tmp_path)


def test_text_of_a_system_is_no_markup_in_a_comment(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    for folder in (a, b):
        write_scores(folder, report([0.5, 0.6], system="x|<b>\x1b[31m"))
    run("compare", a, b, "--markdown", a / "c.md")
    text = (a / "c.md").read_text()
    assert "<b>" not in text.replace("\\<b\\>", "") and "\x1b" not in text


@each_row
def test_a_slower_system_fails_where_there_are_enough_queries(
    tmp_path: Path, count: int, rise: float, code: int, says: str
) -> None:
    a, b, junit = tmp_path / "a", tmp_path / "b", tmp_path / "gate.xml"
    times = {f"q{n}": n / 1000 for n in range(1, count + 1)}  # 1 to 100 ms: 95 in 100 within 95
    write_scores(a, report([0.5] * count, query_seconds={"gone": 9.0} | times))
    write_scores(b, report([0.5] * count, query_seconds={q: rise * s for q, s in times.items()}))
    command = ["gate", str(a), str(b), "--max-slower", "20%", "--junit", str(junit)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == code, done.output
    assert says in done.stderr
    assert ElementTree.parse(junit).getroot().get("failures") == str(code)


@pytest.mark.parametrize(
    ("bound", "says"), [("a bit", "takes a share"), ("nan", "0 or more"), ("20%", "one query at a")]
)
def test_what_cannot_say_how_slow_is_refused(tmp_path: Path, bound: str, says: str) -> None:
    a, b = folders(tmp_path, [0.5], [0.5])
    done = CliRunner().invoke(app, ["gate", str(a), str(b), "--max-slower", bound])
    assert done.exit_code == 2 and says in done.stderr
    write_scores(a, report([0.5], query_seconds={"q0": 0.1}))
    left_out = ("Only one folder has query times of bm25 on mine",)
    assert compare_folders(a, b).left_out == left_out
