"""Texts that are cut before a model reads them."""

from __future__ import annotations

import logging

import pytest

import tiny_models
from leadline.llm.local import prompt_ids
from leadline.llm.requests import Request
from leadline.models.cutting import cut, fit

pytest.importorskip("transformers")


def test_a_tokenizer_does_not_warn_of_a_text_that_is_cut() -> None:
    tokenizer = tiny_models.space_tokenizer(model_max_length=6)
    text = "the old mill quartet played far away"
    told: list[str] = []
    listener = logging.Handler()
    listener.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("transformers")
    logger.addHandler(listener)
    try:
        assert fit(tokenizer, "query ", text, " relevant", 6) == "the old mill"
        assert cut(tokenizer, text, 2) == "the old"
        assert len(prompt_ids(tokenizer, Request(text, 1))) > 6
        assert told == []
        tokenizer(text)  # what it would have said
        assert len(told) == 1
    finally:
        logger.removeHandler(listener)
