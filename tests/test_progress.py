"""Bars on standard error."""

from leadline import progress


def test_a_bar_shows_what_stands_behind_it_and_yields_every_item(capsys):
    spent = []
    with progress.shown():
        for item in progress.track([1, 2], "Asking", note=lambda: f"{len(spent)} tokens"):
            spent.append(item)
        task = progress._live.tasks[0]
        assert (task.completed, task.fields["note"]) == (2, "2 tokens")
    assert spent == [1, 2]


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
