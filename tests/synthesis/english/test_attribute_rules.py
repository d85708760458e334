"""Asking the rules once for each kind of token changes nothing that the ruler would set."""

from __future__ import annotations

from typing import Any

from leadline.synthesis.english.attribute_rules import AttributeRules
from leadline.synthesis.english.parsing import lemma_of, parse, pipeline

TEXTS = [
    "I'm gonna go. Let's see; y'all ain't ready, c'm on!",
    "There is a dog who doesn't bark,  there're three\n\n of them, and nothin' got ta change.",
    "It was the boy that she had seen since May; so did I, who is 3 feet tall.",
    "That that is, is. What do you have to do, and who's to have been asked?",
    "",
]


def told(docs: Any) -> list[list[tuple[str, ...]]]:
    return [
        [(t.text, t.tag_, t.pos_, t.dep_, str(t.morph), lemma_of(t)) for t in doc] for doc in docs
    ]


def test_the_rules_say_what_the_ruler_of_the_pipeline_says() -> None:
    ruled = pipeline().pipe(TEXTS, batch_size=64, disable=["lemmatizer"])
    assert told(parse(TEXTS)) == told(ruled)


def test_tokens_of_one_kind_are_asked_about_once() -> None:
    ruler = pipeline().get_pipe("attribute_ruler")
    rules = AttributeRules(ruler)
    asked: list[str] = []

    class Counted:
        attrs = ruler.attrs

        def match(self, doc: Any) -> Any:
            asked.append(doc.text.strip())
            return ruler.match(doc)

    rules._ruler = Counted()
    left_out = ["lemmatizer", "attribute_ruler"]
    for doc in pipeline().pipe(["The cat sat on the mat.", "The hen sat on the box."],
                               disable=left_out):  # fmt: skip
        rules.apply(doc)
    assert "cat" in asked
    assert "hen" not in asked
