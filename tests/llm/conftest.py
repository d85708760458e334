"""What several files of tests of language models share."""

import pytest

from leadline.llm import pace


@pytest.fixture
def short_waits(monkeypatch):
    monkeypatch.setattr(pace, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(pace, "LONGEST_WAIT", 0.05)
