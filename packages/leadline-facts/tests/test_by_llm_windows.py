"""Long documents are put before a language model in parts."""

from __future__ import annotations

from leadline.llm.tokens import estimated_tokens
from leadline_facts.llm_facts.windows import windows


def test_a_text_that_fits_is_one_window_and_an_empty_one_none() -> None:
    (only,) = windows("It rained. We left.", 50)
    assert (only.span, only.before) == ((0, 19), ())
    assert windows(" \n", 50) == []


def test_windows_cover_every_sentence_and_none_is_longer_than_asked_for() -> None:
    sentences = [f"Sentence number {n} tells of a mill." for n in range(200)]
    text = " ".join(sentences)
    parts = windows(text, 100)
    assert all(estimated_tokens(text[slice(*part.span)]) <= 100 for part in parts)
    assert all(any(each in text[slice(*part.span)] for part in parts) for each in sentences)


def test_a_window_begins_with_the_end_of_the_one_before_it() -> None:
    # ten tokens a sentence: of 100 a tenth, one sentence, is repeated
    text = " ".join(f"One two three four five six seven eight {n}." for n in range(40))
    first, second, *_ = windows(text, 100)
    assert second.span[0] < first.span[1]
    assert text[second.span[0] : first.span[1]] == "One two three four five six seven eight 9."


def test_a_window_within_a_message_brings_its_title_heading_and_head() -> None:
    rows = " ".join(f"Row {n} of the log is here." for n in range(60))
    text = f"Harbour log\n\n# March\n\n[2024-03-05 09:00] Ana: {rows}"
    last = windows(text, 100)[-1]
    assert last.before == ("Harbour log", "# March", "[2024-03-05 09:00] Ana:")


def test_one_endless_sentence_is_cut_as_well() -> None:
    text = "word " * 1000
    parts = windows(text, 100)
    assert len(parts) >= 10
    assert parts[-1].span[1] >= len(text.rstrip())
