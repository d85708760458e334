"""What a query asks of documents beside its topic, and whether it wants or refuses it."""

import pytest

from leadline.rerankers.parts.restrictions import is_refused, lengths_in, read
from leadline.types import Query

NEED = "How do I get rid of hiccups?"


def understood(instruction, text=NEED):
    return [str(each) for each in read(Query("q", text, instruction=instruction))]


@pytest.mark.parametrize(
    ("instruction", "reading"),
    [
        ("Please answer in Chinese.", "language: zh"),
        ("Please do not answer in Chinese.", "language: not zh"),
        ("Nothing in German, I can't read it.", "language: not de"),
        ("请用中文回答。", "language: zh"),
        ("不要英文的。", "language: not en"),
        ("My Spanish is too poor, so another language please.", "language: not es"),
        ("A single sentence will do.", "length: sentence"),
        ("Please provide a detailed response, not just a single sentence.", "length: not sentence"),
        ("I'd like a paragraph explaining it.", "length: paragraph"),
        ("Please avoid giving me a paragraph.", "length: not paragraph"),
        ("Give me an in-depth article.", "length: article"),
        ("Please don't structure your answer as an article.", "length: not article"),
        ("I'd like a forum post on this.", "source: forum post"),
        ("An answer that's not based on a forum thread.", "source: not forum post"),
        ("Show me news articles only.", "source: news article"),
        ("Newspapers are of no use to me.", "source: not news article"),
        ("Nothing but blogs, please.", "source: blog"),
        ("Anything but blogs, please.", "source: not blog"),
        ("Code only.", "format: code snippet"),
        ("A code snippet isn't enough.", "format: not code snippet"),
        ("Please avoid using a news article as your source.", "source: not news article"),
        ("Source code only.", "format: code snippet"),
        ("Take it from the official documentation.", "format: official manual"),
        ("Leave the man pages out of it.", "format: not official manual"),
        ("Explain it to a layman.", "audience: layman"),
        ("I'm a cardiologist.", "audience: expert"),
        ("I'm not a doctor.", "audience: not expert"),
        ("No jargon.", "audience: not expert"),
        ('It must contain "ice water".', "keyword: ice water"),
        ("It should mention granulated sugar.", "keyword: granulated sugar"),
        ("Don't mention granulated sugar.", "keyword: not granulated sugar"),
        ("A paper bag must not be mentioned.", "keyword: not paper bag"),
    ],
)
def test_an_instruction_is_read(instruction, reading):
    assert reading in understood(instruction)


@pytest.mark.parametrize(
    "instruction", ["No more than 50 words.", "At most three sentences, please.", "About 90 words."]
)
def test_lengths_in_numbers_are_read(instruction):
    [restriction] = read(Query("q", NEED, instruction=instruction))
    assert restriction.dimension == "length" and restriction.lengths is not None
    assert not restriction.negated


def test_a_number_of_sentences_is_turned_into_words():
    [(span, _, _)] = lengths_in("five or six sentences")
    # 18 words a sentence: 90 to 108, and some room on either side.
    assert (span.low, span.high) == pytest.approx((90 * 0.6, 108 * 1.6))


@pytest.mark.parametrize(
    "text",
    [
        "what is the physical description of spruce",
        "Are there any papers on news databases and their users?",
        "How is a forum moderated?",
        "How do I say thank you in Japanese?",
        "hiccups",
        "What do blogs, forums and newspapers have in common? I am writing about them for school.",
    ],
)
def test_a_query_on_a_topic_restricts_nothing(text):
    assert [each for each in read(Query("q", text)) if each.negated] == []


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (f"{NEED} Please answer in Chinese.", "language: zh"),
        # Without a space between them, sentences are parted all the same.
        ("Exercises for weight loss.Please avoid news articles.", "source: not news article"),
        ("ways to cure hiccups, but no forum posts", "source: not forum post"),
    ],
)
def test_a_query_of_one_text_may_restrict(text, reading):
    assert [str(each) for each in read(Query("q", text))] == [reading]


@pytest.mark.parametrize(
    ("sentence", "name", "refused"),
    [
        ("I want X.", "X", False),
        ("I do not want X.", "X", True),
        ("X is no use to me.", "X", True),
        ("Everything but X.", "X", True),
        ("Nothing but X.", "X", False),
        ("Nothing other than X will do.", "X", False),
        ("I'm not in a hurry, so give me X.", "X", False),
        ("I can't read X, so give me another one.", "X", True),
        ("I'm tired of X.", "X", True),
        ("X bores me; leave it out.", "X", True),
        ("Keep X out of the results.", "X", True),
        ("Don't show anything unless it is X.", "X", False),
        ("I don't mind X.", "X", False),
    ],
)
def test_what_is_named_is_wanted_or_refused(sentence, name, refused):
    start = sentence.index(name)
    assert is_refused(sentence, start, start + len(name)) is refused


@pytest.mark.parametrize("sentence", ["Please cite a source.", "Name your source."])
def test_a_source_that_is_named_is_no_code(sentence):
    assert understood(sentence) == []
