import random
import re

import pytest

from leadline.metrics.stemming import stem


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        # examples of the paper
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"),
        ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"), ("hopping", "hop"),
        ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("rational", "ration"),
        ("digitizer", "digit"), ("vietnamization", "vietnam"), ("hopefulness", "hope"),
        ("adoption", "adopt"), ("controlling", "control"), ("cease", "ceas"), ("rate", "rate"),
        # the amendments
        ("dies", "die"), ("died", "die"), ("skies", "sky"), ("enjoy", "enjoy"), ("spy", "spi"),
        ("news", "news"), ("hopefully", "hope"), ("geologi", "geolog"), ("as", "as"),
    ],
)  # fmt: skip
def test_stems_of_known_words(word, stemmed):
    assert stem(word) == stemmed


def test_stems_equal_those_that_rouge_score_uses():
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    letters = random.Random(0)
    endings = ["", "s", "ed", "ing", "ies", "ied", "alli", "logi", "fulli", "eed", "ement", "ion"]
    words = {
        "".join(letters.choices("aeiouyylsztdnrgbmc0", k=letters.randint(1, 6)))
        + letters.choice(endings)
        for _ in range(5000)
    }
    words |= set(re.findall("[a-z]+", (__doc__ or "") + stem.__module__))
    assert {word: stem(word) for word in words} == {word: porter.stem(word) for word in words}
