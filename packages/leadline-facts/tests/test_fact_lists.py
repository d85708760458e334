import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.types import Constraint, Document, Fact, Query
from leadline_facts.facts import joined
from leadline_facts.merging import merged
from leadline_facts.records import read_facts, write_facts


@dataclass
class Given:
    """An enricher that gives every document the same facts, and counts what it reads."""

    name: str
    given: tuple[Fact, ...] = ()
    asked: tuple[Constraint, ...] = ()
    read: list[str] = field(default_factory=list)

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        for document in documents:
            self.read.append(document.id)
            yield document.id, self.given

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return [self.asked for _ in queries]


DAY = Fact("date", "2024-02-27", "Ana", "derived", 0.8, ((3, 5),), "two days before", "a/1")


def test_the_same_value_of_the_same_subject_stands_once() -> None:
    # Both err with probability 0.2 * 0.5 = 0.1.
    other = Fact("date", "2024-02-27", "ANA", "derived", 0.5, ((7, 9),), "a Tuesday", "b/1")
    (fact,) = merged([other, DAY])
    assert (fact.confidence, fact.derivation, fact.provider) == (0.9, "two days before", "a/1")
    assert fact.spans == ((3, 5), (7, 9))


def test_a_fact_without_a_subject_joins_the_one_with_a_subject() -> None:
    (fact,) = merged([Fact("date", "2024-02-27"), DAY])
    assert fact.about == "Ana"


def test_what_is_stated_is_not_derived() -> None:
    assert merged([DAY, Fact("date", "2024-02-27", "Ana", "stated")])[0].role == "stated"


def test_facts_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    write_facts(path, [(Document("d", "on 27 February"), (DAY,)), (Document("e", ""), ())])
    assert list(read_facts(path)) == [("d", (DAY,)), ("e", ())]


@pytest.mark.parametrize(
    "facts",
    ["2", ["2"], [{"kind": "time"}], [{"kind": "a", "value": 1, "spans": [[0, 1e999]]}], 1.5],
)
def test_a_line_that_holds_no_facts_is_named(tmp_path: Path, facts: object) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(json.dumps({"id": "d", "facts": facts}) + "\n")
    with pytest.raises(InputError, match=r"facts\.jsonl:1 is not a record of facts"):
        list(read_facts(path))


def test_a_text_is_read_once_however_often_it_is_enriched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path))
    given = Given("given/1", (DAY,))
    documents = [Document("a", "one"), Document("b", "two")]
    first = list(joined([given]).facts(documents))
    assert list(joined([given]).facts([*documents, Document("c", "one")])) == [
        *first, ("c", (DAY,)),
    ]  # fmt: skip
    assert given.read == ["a", "b"]


def test_another_version_reads_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path))
    for name in ("given/1", "given/2"):
        given = Given(name)
        list(joined([given]).facts([Document("a", "one")]))
        assert given.read == ["a"]


def test_of_two_constraints_on_the_same_words_the_fuller_is_kept() -> None:
    hour = Constraint("datetime", "2024-02-27T16:00", (3, 30))
    day = Constraint("date", "2024-02-27", (12, 30))
    enricher = joined([Given("a", asked=(day,)), Given("b", asked=(hour,))], cache=False)
    assert enricher.constraints([Query("q", "")]) == [(hour,)]
