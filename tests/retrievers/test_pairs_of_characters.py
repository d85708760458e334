"""BM25 over text without spaces, as Chinese, and over letters with marks."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.retrievers import bm25
from leadline.retrievers.parts.words import TOKEN_PATTERN, Words
from leadline.types import Document, Query

TEXTS = {
    "diabetes": "糖尿病是一种代谢性疾病，它的特征是患者的血糖长期高于标准值。",
    "tiles": "浴室瓷砖缝发霉的处理办法：先打开窗户和排风扇，戴上手套和口罩。",
    "dumplings": "饺子怎么煮才不会破？锅里多放水，水开后加一小勺盐。",
    "solar": "太阳能电池板用ＳＱＬ数据库记录 Python 程序。",
}
CORPUS = {id: Document(id, text) for id, text in TEXTS.items()}


def found(question, **options):
    index = bm25.build(cache=False, **options).index(CORPUS)
    return list(index.search([Query("q", question)], 3)["q"])


@pytest.mark.parametrize("options", [{}, {"analyzer": "cjk"}])
@pytest.mark.parametrize(
    ("question", "first"),
    [("什么是糖尿病？", "diabetes"), ("瓷砖发霉怎么办", "tiles"), ("煮饺子", "dumplings")],
)
def test_chinese_questions_find_chinese_documents(question, first, options):
    assert found(question, **options)[0] == first


SCRIPTS = {
    "hindi": ("बंदरगाह प्रमुख हर वसंत में ज्वार तालिका प्रकाशित करता है।", "ज्वार तालिका"),
    "hindi, drawn otherwise": ("पक्\u200dष और विपक्ष", "पक्ष"),
    "bengali": ("বন্দর প্রধান প্রতি বসন্তে জোয়ারের সারণী প্রকাশ করেন।", "জোয়ারের সারণী"),
    "tamil": ("துறைமுக மேலாளர் அட்டவணை வெளியிடுகிறார்.", "துறைமுக மேலாளர்"),
    "thai": ("ท่าเรือประกาศตารางน้ำขึ้นน้ำลงทุกฤดูใบไม้ผลิ", "ตารางน้ำ"),
    "khmer": ("កំពង់ផែបោះពុម្ពតារាងទឹកជោរ", "តារាង"),
    "burmese": ("ဆိပ်ကမ်းက ဒီရေဇယားကို ထုတ်ပြန်သည်", "ဒီရေ"),
    "hebrew": ("מנהל הנמל מפרסם לוח גאות", "נָמָל לוּחַ"),
    "arabic": ("يَنْشُرُ مُدِيرُ المِينَاءِ جَدْوَلَ المَدِّ", "جدول المد"),
    "french": (unicodedata.normalize("NFD", "Le café naïf du Zürichsee"), "CAFÉ NAÏF"),
    "vietnamese": ("phở bò Hà Nội", unicodedata.normalize("NFD", "Phở bò")),
    "turkish": ("İstanbul limanı", "istanbul"),
    "korean": (unicodedata.normalize("NFD", "항구 조석표"), "조석표"),
    "japanese": ("ガスの価格", "ｶﾞｽ"),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_two_words_find_their_document_in_every_script(script):
    corpus = {name: Document(name, text) for name, (text, _) in SCRIPTS.items()}
    index = bm25.build(cache=False).index(corpus)
    assert next(iter(index.search([Query("q", SCRIPTS[script][1])], 3)["q"])) == script


def test_words_keep_their_marks_whatever_stands_around_them():
    words = Words("en", "", True, TOKEN_PATTERN)
    (found,) = words.of(["ज्वार तालिका में न Le ́vy x̄ ❤️ 1️⃣"])
    # A mark after a space belongs to no letter, and a keycap's digit is one character alone.
    assert found == ["ज्वार", "तालिका", "में", "न", "le", "vy", "x̄"]
    assert [list(words.of([each])) for each in found] == [[[each]] for each in found]


@given(st.text(alphabet="ab Éß’–«»Ωжя€№ٱ_0½", max_size=40))
def test_text_without_marks_is_split_as_bm25s_does(text):
    options = ("en", "", True, TOKEN_PATTERN)
    assert list(Words(*options).of([text])) == list(Words(*options, pairs=False).of([text]))
