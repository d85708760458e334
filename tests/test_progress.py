"""Bars on standard error, and lines in a log."""

import os
import time

import pytest

from leadline import progress


def test_a_bar_shows_what_stands_behind_it_and_yields_every_item(capsys):
    spent = []
    with progress.shown():
        for item in progress.track([1, 2], "Asking", note=lambda: f"{len(spent)} tokens"):
            spent.append(item)
        task = progress._live.tasks[0]
        assert (task.completed, task.fields["note"]) == (2, "2 tokens")
    assert spent == [1, 2]


def test_off_a_terminal_the_bars_of_other_libraries_are_off(monkeypatch):
    monkeypatch.delenv("HF_HUB_DISABLE_PROGRESS_BARS", raising=False)
    with progress.shown():
        assert os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] == "1"


def test_without_bars_nothing_is_asked_for():
    def never():
        raise AssertionError

    assert list(progress.track([1], "Asking", note=never)) == [1]


def test_passes_over_parts_are_one_bar_over_the_whole():
    with progress.shown(), progress.together(10) as reach:
        list(progress.track(["abc", "de"], "Encoding", total=5, step=len))
        reach(6)
        first = [(task.completed, task.total) for task in progress._live.tasks]
        list(progress.track(["abcd"], "Encoding", total=4, step=len))
        assert first == [(6, 10)]
        assert [(task.completed, task.total) for task in progress._live.tasks] == [(10, 10)]


def test_the_time_to_go_moves_between_the_steps():
    now = [0.0]
    bars = progress._bars()
    bars.get_time = lambda: now[0]
    bars.add_task("Encoding", total=100, note="")
    task = bars.tasks[0]
    task._get_time = bars.get_time
    rate, column = bars.columns[3], bars.columns[5]
    assert column.render(task).plain == "-:--:--"
    for at in (0.0, 1.0, 2.0):
        now[0] = at
        bars.update(task.id, advance=10)
    assert (rate.render(task).plain, column.render(task).plain) == ("10/s", "0:00:07")
    now[0] = 5.0
    assert column.render(task).plain == "0:00:04"


def test_a_log_has_lines_about_a_step_that_takes_long_and_none_when_quiet(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.001)
    seen = ""
    with progress.shown():
        for item in progress.track([1, 2, 3, 4], "Asking mine [x]", note=lambda: "2 tokens"):
            until = time.monotonic() + 20
            while item == 2 and "1/4" not in seen and time.monotonic() < until:
                time.sleep(0.001)
                seen += capsys.readouterr().err
        with pytest.raises(StopIteration):
            next(progress.track([], "Nothing"))
        assert all(task.stop_time is not None for task in progress._live.tasks)
    assert "Asking mine [x]: 1/4, 0:00:00 so far, about 0:00:00 to go (2 tokens)\n" in seen
    with progress.shown(quiet=True):
        list(progress.track([1], "Asking mine"))
        assert progress._live is None


def test_a_line_has_no_estimate_before_the_first_step_is_done_or_without_a_total():
    now = [0.0]
    bars = progress._bars(disable=True)
    for total in (4000, None):
        bars.add_task("Encoding", total=total, note="")
    for task in bars.tasks:
        task._get_time = lambda: now[0]
        task.start_time = 0.0
    now[0] = 90.0
    assert [progress._line(task) for task in bars.tasks] == [
        "Encoding: 0/4,000, 0:01:30 so far",
        "Encoding: 0, 0:01:30 so far",
    ]
    bars.update(0, completed=1000)
    told = progress._line(bars.tasks[0])
    assert told == "Encoding: 1,000/4,000, 0:01:30 so far, about 0:04:30 to go"
