"""What several files of tests of language models share."""

import pytest

from leadline.llm import connection


@pytest.fixture
def short_waits(monkeypatch):
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(connection, "LONGEST_WAIT", 0.05)
