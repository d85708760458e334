"""Documents that must be found by what stands at their start, in their middle and at their end."""

import dataclasses

from leadline.evaluation import evaluate
from leadline.kinds import position
from leadline.kinds.registry import kind_named, kind_names
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document

_THINGS = ("barge", "crane", "ferry", "lighthouse", "winch", "anchor", "rudder", "buoy", "pier")


def word(number: int) -> str:
    """Return a made-up word, another for each number."""
    return "".join("bdfgklmnpr"[int(digit)] + "o" for digit in f"{number:05}")


def corpus(documents: int = 12) -> dict[str, Document]:
    """Return documents of some 200 words, each sentence with words of its own."""
    found = {}
    for number in range(documents):
        sentences = []
        for place, thing in enumerate(_THINGS * 2):
            one, *more = (word(1000 * number + 10 * place + each) for each in range(6))
            sentences.append(f"The {thing} {one} holds {' '.join(more)} for the crew.")
        found[str(number)] = Document(str(number), " ".join(sentences), f"Harbour {number}")
    return found


def test_each_document_is_asked_for_by_all_its_thirds() -> None:
    probe = position.build(corpus()).validated()
    assert {query.topic for query in probe.queries} == set(corpus())
    assert {query.facets["part"] for query in probe.queries} == {"start", "middle", "end"}
    for query in probe.queries:
        start, end = map(int, query.facets["span"].split("-"))
        text = corpus()[query.topic].text
        third = ("start", "middle", "end")[3 * start // len(text)]
        assert (third, text[start:end].rstrip(".")) == (query.facets["part"], query.text)
        assert probe.qrels[query.id] == {query.topic: 1}


def test_a_short_document_has_no_middle_and_is_counted() -> None:
    probe = position.build({"a": Document("a", "The crane was painted by two sailors in May.")})
    assert probe.queries == []
    assert probe.built["dropped"] == {"fewer than 100 words": 1}


def test_what_is_said_in_two_parts_tells_nothing_of_a_position() -> None:
    sentence = "The old crane was painted by two sailors from the southern harbour."
    filler = "It is so. " * 60
    probe = position.build({"a": Document("a", f"{sentence} {filler} {sentence}")})
    assert probe.queries == []


def test_a_sentence_that_says_what_it_is_about_is_asked_before_a_vague_one() -> None:
    vague = "You can of course use this in the other way."
    documents = corpus()
    for id, each in documents.items():
        first, _, rest = each.text.partition(". ")
        documents[id] = Document(id, f"({first}.) {vague} {rest}", each.title)
    asked = {query.text for query in position.build(documents).queries}
    assert asked
    assert not any(text == vague.rstrip(".") or text.startswith("(") for text in asked)


def test_a_system_that_reads_the_start_only_loses_middle_and_end() -> None:
    class Cut:
        name = "cut"

        def index(self, documents):
            cut = {
                id: dataclasses.replace(each, text=" ".join(each.text.split()[:40]))
                for id, each in documents.items()
            }
            return bm25.build(cache=False).index(cut)

    probe = position.build(corpus())
    whole = evaluate(System(bm25.build(cache=False)), probe)
    cut = evaluate(System(Cut()), probe)
    assert whole.mean("Recall@10[part=end]").mean == 1.0
    assert cut.mean("Recall@10[part=start]").mean > cut.mean("Recall@10[part=end]").mean


def test_the_kind_is_known_by_its_folder() -> None:
    assert "position" in kind_names() and "conditions" in kind_names()
    assert kind_named("position").probe.by_default
