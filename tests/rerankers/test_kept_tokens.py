"""Tokens of sentences on disk: read once for all runs."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from leadline.models.alignment import Head
from leadline.models.token_states import States
from leadline.rerankers.conditions.kept_tokens import KeptTokens, Tokens, _key
from leadline.rerankers.conditions.verifier import Verifier


class Encoder:
    """Every word is a vector of its length; counts what it reads."""

    def __init__(self):
        self.read = []

    def encode(self, texts):
        self.read += texts
        for place, text in enumerate(texts):
            words = text.split()
            yield place, States(words, np.array([[len(w), 1.0] for w in words], np.float32))


HEAD = Head(np.eye(2, dtype=np.float32), np.zeros(3, np.float32), np.zeros(3, np.float32), 1.0)


@pytest.fixture
def kept(tmp_path):
    return KeptTokens(tmp_path / "tokens.sqlite")


def test_a_second_run_reads_no_sentence_and_scores_the_same(kept):
    first, second = Encoder(), Encoder()
    scores = Verifier(HEAD, kept, first).scores(["red kite"], ["a red kite", "rain"])
    again = Verifier(HEAD, kept, second).scores(["red kite"], ["a red kite", "rain"])
    assert first.read == ["red kite", "a red kite", "rain"]
    assert second.read == []
    assert np.array_equal(scores, again)


def test_without_a_place_nothing_is_kept(tmp_path):
    Verifier(HEAD, None, Encoder()).scores(["red"], ["a red kite"])
    assert list(tmp_path.iterdir()) == []


def test_a_broken_database_keeps_nothing_and_hinders_nothing(kept):
    kept.path.write_bytes(b"no database at all" * 100)
    encoder = Encoder()
    Verifier(HEAD, kept, encoder).scores(["red"], ["a red kite"])
    assert encoder.read == ["red", "a red kite"]


def test_altered_tokens_of_one_text_are_read_again_and_others_are_not(kept):
    Verifier(HEAD, kept, Encoder()).scores(["red kite"], ["a red kite", "rain"])
    with closing(sqlite3.connect(kept.path)) as database, database:
        rows = database.execute("SELECT text, held FROM tokens").fetchall()
        key, held = next(row for row in rows if row[0] == _key("rain"))
        altered = held[:-1] + bytes([held[-1] ^ 1])
        database.execute("UPDATE tokens SET held = ? WHERE text = ?", (altered, key))
    for read in (["rain"], []):
        encoder = Encoder()
        again = Verifier(HEAD, kept, encoder).scores(["red kite"], ["a red kite", "rain"])
        assert encoder.read == read
        scores = Verifier(HEAD, None, Encoder()).scores(["red kite"], ["a red kite", "rain"])
        assert np.array_equal(again, scores)


def test_no_more_texts_are_kept_than_there_is_room_for(kept, monkeypatch):
    monkeypatch.setattr("leadline.rerankers.conditions.kept_tokens.MOST", 2)
    tokens = Tokens(np.ones((1, 2), np.float16), np.ones(1, np.float32), np.ones(1, np.float32))
    kept.keep(dict.fromkeys("abc", tokens))
    assert len(kept.known("abc")) == 2
