"""In which language a text is written, and by which names queries ask for one."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any

from leadline.errors import needs

NAMES: dict[str, tuple[str, ...]] = {
    "zh": ("chinese", "mandarin", "cantonese", "putonghua", "中文", "汉语", "漢語", "华语"),
    "en": ("english", "英文", "英语"),
    "fr": ("french", "français", "francais", "française", "法语", "法文"),
    "de": ("german", "deutsch", "德语", "德文"),
    "es": ("spanish", "español", "espanol", "castilian", "西班牙语"),
    "pt": ("portuguese", "português", "葡萄牙语"),
    "it": ("italian", "italiano", "意大利语"),
    "nl": ("dutch", "nederlands", "flemish"),
    "sv": ("swedish", "svenska"),
    "da": ("danish", "dansk"),
    "nb": ("norwegian", "norsk"),
    "fi": ("finnish", "suomi"),
    "pl": ("polish", "polski"),
    "cs": ("czech", "čeština"),
    "hu": ("hungarian", "magyar"),
    "ro": ("romanian", "română"),
    "tr": ("turkish", "türkçe"),
    "vi": ("vietnamese", "tiếng việt"),
    "id": ("indonesian", "bahasa"),
    "ru": ("russian", "русский", "俄语"),
    "uk": ("ukrainian", "українська"),
    "el": ("greek", "ελληνικά"),
    "he": ("hebrew", "עברית"),
    "ar": ("arabic", "العربية", "阿拉伯语"),
    "fa": ("persian", "farsi"),
    "hi": ("hindi", "हिन्दी"),
    "th": ("thai", "ไทย"),
    "ja": ("japanese", "日本語", "日语", "日文"),
    "ko": ("korean", "한국어", "韩语"),
}
"""ISO 639-1 code -> what people call the language, in lower case."""

_SCRIPTS = (
    ("ja", r"[\u3040-\u30ff]", 0.1),
    ("zh", r"[\u3400-\u4dbf\u4e00-\u9fff]", 0.25),
    ("ko", r"[\uac00-\ud7af]", 0.25),
    ("th", r"[\u0e00-\u0e7f]", 0.25),
    ("el", r"[\u0370-\u03ff]", 0.25),
    ("he", r"[\u0590-\u05ff]", 0.25),
    ("hi", r"[\u0900-\u097f]", 0.25),
)
"""(language, its letters, share of all letters from which on a text is in it)."""

_SHORTEST = 12  # letters below which a text in Latin script is of no language that can be told
_SURE = 0.5  # confidence of the quick detector that is enough
_READ = 2000  # characters that are looked at


@lru_cache(maxsize=65536)
def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the language a text is written in, "" where it cannot be told.

    Scripts that one language uses tell it alone; the rest is told by lingua.

    Raises MissingExtraError where lingua is needed and not installed.
    """
    text = re.sub(r"```.*?```|https?://\S+", " ", text, flags=re.DOTALL)[:_READ]
    letters = sum(each.isalpha() for each in text)
    if letters < 2:
        return ""
    for code, pattern, share in _SCRIPTS:
        if len(re.findall(pattern, text)) >= share * letters:
            return code
    if letters < _SHORTEST:
        return ""
    best = _detector(exact=False).compute_language_confidence_values(text)[0]
    if best.value < _SURE:
        best = _detector(exact=True).compute_language_confidence_values(text)[0]
    return str(best.language.iso_code_639_1.name).lower() if best.value else ""


def shares_of_languages(texts: list[str]) -> Counter[str]:
    """Count texts by language."""
    return Counter(map(language_of, texts))


@lru_cache(maxsize=2)
def _detector(*, exact: bool) -> Any:
    """Return a detector; the exact one takes seconds to load, and is for short text only."""
    with needs("attributes"):
        import lingua
    wanted = [
        language
        for language in lingua.Language.all()
        if language.iso_code_639_1.name.lower() in NAMES
    ]
    builder = lingua.LanguageDetectorBuilder.from_languages(*wanted)
    return builder.build() if exact else builder.with_low_accuracy_mode().build()
