"""What is read off a document: size, language, for whom it is, what it is made like."""

import pytest

from leadline.text.attributes import (
    expertise,
    genres_of,
    holds,
    language_of,
    length_class,
    meets_length,
    reading_level,
    sentences_of,
    shape_of,
    without_code,
    word_count,
)
from tables import each_row

DIABETES = "糖尿病是一种代谢性疾病，它的特征是患者的血糖长期高于标准值。急性并发症包括酮酸血症。"
BARBERRY = "Common barberry is a shrub. It grows to 3 m, e.g. in hedges. Its berries are sour."


def test_words_are_counted_in_english_and_in_chinese():
    assert word_count("It's a well-known fact.") == 4
    # Ten Chinese characters are about 10 / 1.6 = 6 words.
    assert word_count("血糖长期高于标准值了") == 6
    assert word_count("Python 是一种语言") == 1 + 3


def test_sentences_end_at_marks_of_both_scripts_and_not_at_abbreviations():
    assert (len(sentences_of(BARBERRY)), len(sentences_of(DIABETES))) == (3, 2)


def test_code_is_parted_from_prose():
    text = "Use this:\n\n```\ngit reset --soft HEAD~1\n```\n\nThat is all."
    prose, code = without_code(text)
    assert "git reset" in code and "git reset" not in prose
    assert shape_of(text).words == 5
    assert without_code("We met in 1990 (in Rome).")[1] == ""


@pytest.mark.parametrize(("words", "name"), [(20, "sentence"), (90, "paragraph"), (400, "article")])
def test_length_classes_go_by_words(words, name):
    text = " ".join(["word word word word word word word word word word."] * (words // 10))
    assert shape_of(text).words == words
    assert length_class(text) == name
    assert meets_length(text, name) > 0.5
    others = {"sentence", "paragraph", "article"} - {name}
    assert all(meets_length(text, other) < 0.5 for other in others)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (DIABETES, "zh"),
        ("Un panneau solaire est fait de cellules de silicium.", "fr"),
        ("Der Zug nach Hamburg fährt heute von Gleis sieben ab.", "de"),
        ("A solar panel is a sheet of silicon cells.", "en"),
        ("これは日本語の文章です。", "ja"),
        ("12", ""),
    ],
)
def test_languages_are_told_by_script_and_letters(text, code):
    assert language_of(text) == code


def test_plain_talk_and_trade_talk_are_told_apart():
    plain = "Think of your heart as a pump. If a pipe gets blocked, you don't get enough blood."
    trade = (
        "Myocardial ischaemia results from atherosclerotic obstruction of epicardial arteries, "
        "precipitating subendocardial infarction and ventricular arrhythmia."
    )
    assert expertise(plain) < 0.2 and reading_level(plain) == "layman"
    assert expertise(trade) > 0.8 and reading_level(trade) == "expert"


@each_row
def test_genres_are_told_by_their_make(genre, text):
    genres = genres_of(text)
    assert max(genres, key=lambda each: genres[each]) == genre
    assert genres[genre] > 0.5 > max(genres_of(BARBERRY).values())


def test_words_are_held_whole_in_any_case_and_number_also_in_chinese():
    assert holds("Two Paper bags.", "paper bag")
    assert not holds("a newspaper bag", "paper bag")
    assert holds(DIABETES, "血糖") and not holds(DIABETES, "胰岛素")
