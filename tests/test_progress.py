"""Bars on standard error, and lines in a log."""

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


def test_passes_over_parts_are_one_bar_over_the_whole():
    with progress.shown(), progress.together(10) as reach:
        list(progress.track(["abc", "de"], "Encoding", total=5, step=len))
        reach(6)
        first = [(task.completed, task.total) for task in progress._live.tasks]
        list(progress.track(["abcd"], "Encoding", total=4, step=len))
        assert first == [(6, 10)]
        assert [(task.completed, task.total) for task in progress._live.tasks] == [(10, 10)]


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
    assert "Asking mine [x]: 1/4, 0:00:00 so far, about 0:00:00 left (2 tokens)\n" in seen
    with progress.shown(quiet=True):
        list(progress.track([1], "Asking mine"))
        assert progress._live is None
