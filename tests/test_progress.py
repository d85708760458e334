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
