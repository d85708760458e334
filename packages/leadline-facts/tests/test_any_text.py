"""Whatever a text holds, no rule stumbles over it, and evidence stands in it."""

import random

import pytest

from leadline.data.documents import read_corpus
from leadline.types import Document
from leadline_facts import facts
from leadline_facts.fact_values import canonical
from shared import shared_data

VOCABULARY = (
    "the a an of and or but in on at by to from per each every for with than then after "
    "before until since about nearly over under left more less fewer twice half third "
    "quarter dozen double both all none no not never if would could should had was were "
    "is are has have sold bought paid cost costs price total share percent % per-cent "
    "pounds £ $ € ₹ Rs rupees dollars euros cents pence lakh crore million thousand "
    "hundred twenty forty-five three two seven one 0 1 7 12 40 99 250 1,200 3.5 0.25 1/2 "
    "£12 $40 €3.50 ₹2,500 20% 5-10 1990 2024 12/04/2024 2024-05-06 9:30 17:45 noon "
    "midnight am pm o'clock Monday Tuesday Friday weekend week fortnight month year day "
    "days hours minutes January May March 3rd 21st yesterday today tomorrow ago later "
    "earlier next last this Easter Christmas Diwali born aged old km miles metres kg g "
    "litres ml °C hectares acres km/h mph boxes seats rows pages people members men votes "
    "tickets rooms buses eggs apples Ana Bob London Paris Reading Cairo mother rose fell "
    "up down by joined gone added removed split shared equally average mean ratio : ; , . "
    "? ! - – ( ) ' "
)
WORDS = ['"', *VOCABULARY.split()]
PUNCTUATION = (". ", ", ", "\n", "; ", " (", ") ", ": ", " – ", "\n\n2024-03-05 09:00, Ana: ")


@pytest.fixture(scope="module")
def enricher():
    return facts.build(cache=False)


def check(enricher, texts: list[str]) -> None:
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    for id, found in enricher.facts(documents):
        text = documents[int(id)].content
        for fact in found:
            assert all(0 <= start < end <= len(text) for start, end in fact.spans), text
            assert canonical(fact.kind, fact.value)


def jumble(generator: random.Random) -> str:
    words = [
        generator.choice(WORDS)
        + (generator.choice(PUNCTUATION) if generator.random() < 0.15 else " ")
        for _ in range(generator.randint(1, 60))
    ]
    return "".join(words)


def test_jumbled_words_stop_no_rule(enricher) -> None:
    generator = random.Random(0)
    check(enricher, [jumble(generator) for _ in range(400)])


ODD = [
    "", " ", "\n\n", "1" * 400, "£" * 50, "9" * 50 + " years ago", "1/0 of 40 people",
    "0 of 0 left", "half of 0, each of 0", "2024-02-30", "31 June 2024", "99:99",
    "\ud800 12 \x00 days ago",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_stop_no_rule(enricher, text: str) -> None:
    check(enricher, [text])


@pytest.mark.parametrize(
    "collection", ["cranfield", "lisa", "medline1033", "mtsamples", "vaswani_npl"]
)
@pytest.mark.parametrize("count", [15, pytest.param(100, marks=pytest.mark.slow)])
def test_documents_of_a_collection_stop_no_rule(enricher, collection: str, count: int) -> None:
    documents = list(read_corpus(str(shared_data("data", collection))).values())
    check(enricher, [each.content for each in documents[:: max(1, len(documents) // count)]])
