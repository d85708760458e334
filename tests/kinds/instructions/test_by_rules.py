"""Tests of instructions built by rules: from a corpus, and over an invented one."""

import re

import pytest

from leadline.checking import build_probes
from leadline.kinds import benchmark_folder as folder
from leadline.kinds.instructions import by_rules, is_instructed
from leadline.kinds.instructions import invented as household
from leadline.kinds.instructions.cores import Decks, filled, names, wordings
from leadline.kinds.instructions.documents import holds, length_class
from leadline.types import Document
from notes import NOTES

CRANE = Document(
    "crane",
    "The harbour crane lifts timber from the ships. Oak planks arrive every week in spring. "
    "Oak planks are stacked by the old gate. Workers check the chains each morning. "
    "Steel cables replaced the ropes after the war. Steel cables need oil in winter. "
    "A guide shows the crane to visitors on Sundays. Visitors pay nothing for the tour.",
    "The harbour crane",
    {"district": "north"},
)
BRIDGE = Document(
    "bridge",
    "The river bridge carries trams across the water. Oak planks once covered the deck. "
    "Steel cables hold the deck today. The bridge closes at night for repairs.",
    "The river bridge",
    {"district": "south"},
)
CORPUS = {each.id: each for each in (CRANE, BRIDGE)}


@pytest.fixture(scope="module")
def invented():
    return household.build(seed=3, limit=10)


def test_every_dimension_has_several_dozen_wordings_and_none_twice():
    for dimension in ("audience", "keyword", "format", "language", "length", "source"):
        for made in (wordings("asked", dimension), wordings("refused", dimension)):
            assert len(made) >= 24 and len(set(made)) == len(made)
        assert not set(wordings("asked", dimension)) & set(wordings("refused", dimension))


def test_no_wording_comes_twice_before_each_came_once():
    decks = Decks(seed=1)
    drawn = [decks.draw("a", "xyz") for _ in range(6)]
    assert sorted(drawn[:3]) == sorted(drawn[3:]) == ["x", "y", "z"]


def test_asking_and_refusing_wordings_pair_anew_in_every_round():
    decks = Decks(seed=1)
    pairs = {(decks.draw("a", "uvwxyz"), decks.draw("r", "uvwxyz")) for _ in range(60)}
    assert len(pairs) > 12


def test_every_asking_wording_meets_every_condition():
    built = household.build(seed=3, limit=26)
    for dimension in ("audience", "format", "length", "source"):
        met: dict[str, set[str]] = {}
        for query in built.queries:
            if query.facets["mode"] == "instructed" and query.facets["dimension"] == dimension:
                found = _wording(query.instruction, wordings("asked", dimension))
                met.setdefault(query.facets["condition"], set()).add(found)
        assert all(len(each) >= 24 for each in met.values())


def _wording(instruction: str, among: list[str]) -> str:
    """Find the longest wording that an instruction may be made from."""
    fits = [
        each
        for each in among
        if re.fullmatch(re.sub(r"\\{\w+\\}", "(.+)", re.escape(each)), instruction)
    ]
    return max(fits, key=len)


def test_words_to_mention_stand_in_quotes_and_begin_no_sentence():
    for each in (*wordings("asked", "keyword"), *wordings("refused", "keyword")):
        assert '"{one}"' in each or "“{one}”" in each
        assert each[0].isupper()
    assert filled("{One} only.", "a blog", "blogs") == "A blog only."


def test_a_text_is_called_only_what_fits_its_words():
    assert "a detailed article" in dict(names("length", "article", 400))
    assert "a detailed article" not in dict(names("length", "article", 399))


def test_jobs_are_done_only_to_appliances_that_need_them(invented):
    seals = [each for each in invented.queries if "door seal" in each.text]
    assert seals
    assert all(re.search("dishwasher|washing machine|steam oven", each.text) for each in seals)
    assert not any("connect my" in document.content for document in invented.corpus.values())


def test_a_document_is_cut_into_lengths_and_parts():
    built = by_rules.build(CORPUS, limit=5)
    assert set(built.built["core queries"]) <= {"keyword", "length"}
    for query in built.queries:
        gold = [id for id, grade in built.qrels[query.id].items() if grade]
        if query.facets["mode"] != "instructed":
            continue
        [only] = gold
        text, condition = built.corpus[only].text, query.facets["condition"]
        if query.facets["dimension"] == "length":
            assert length_class(text) == condition
        else:
            others = [id for id in built.qrels[query.id] if id != only]
            assert holds(text, condition)
            assert not any(holds(built.corpus[id].text, condition) for id in others)


def test_a_source_document_leaves_the_corpus_for_its_versions():
    built = by_rules.build(CORPUS, limit=5)
    assert {query.facets["document"] for query in built.queries}.isdisjoint(built.corpus)


def test_a_field_of_the_metadata_becomes_a_dimension():
    corpus = {
        **CORPUS,
        **{f"plain{n}": Document(f"plain{n}", "Short text.", f"The plain thing {n}",
                                 {"district": "north" if n % 2 else "south"})
           for n in range(6)},
    }  # fmt: skip
    built = by_rules.build(corpus, limit=3, fields=["district"])
    topics = [each for each in built.queries if each.facets["dimension"] == "metadata"]
    assert topics
    for query in topics:
        for id in built.qrels[query.id]:
            assert built.corpus[id].text.startswith("district: ")


def test_judged_queries_whose_documents_differ_become_core_queries():
    from leadline.types import Query

    long = Document("long", "The crane lifts timber from ships all day. " * 30, "Crane")
    short = Document("short", "The crane lifts timber from ships.")
    built = by_rules.build(
        {"long": long, "short": short},
        queries=[Query("q", "what does the crane lift?")],
        qrels={"q": {"long": 1, "short": 1}},
    )
    length = [each for each in built.queries if each.facets["dimension"] == "length"]
    assert {each.facets["condition"] for each in length} == {"sentence", "article"}
    assert built.corpus["long"] is long


def test_a_query_and_a_document_of_the_same_id_stay_apart() -> None:
    from leadline.types import Query

    corpus = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}
    corpus["long"] = Document("long", "The crane lifts timber from ships all day. " * 30, "Crane")
    corpus["short"] = Document("short", "The crane lifts timber from ships.")
    built = by_rules.build(
        corpus,
        queries=[Query(id, f"what does crane {id} lift?") for id in NOTES],
        qrels={id: {"long": 1, "short": 1} for id in NOTES},
    ).validated()
    cores = {query.facets["core"] for query in built.queries}
    assert {f"length-{id}" for id in NOTES} & cores
    assert {f"length:{id}" for id in NOTES} & cores


def test_the_household_has_every_mode_of_every_condition(invented):
    assert is_instructed(invented.queries)
    assert set(invented.built["core queries"].values()) == {10}
    for query in invented.queries:
        wanted = {id for id, grade in invented.qrels[query.id].items() if grade}
        if query.facets["mode"] == "instructed":
            assert len(wanted) == 1
        elif query.facets["mode"] == "reversed":
            assert wanted
        else:
            assert query.instruction == ""


def test_chinese_and_french_documents_are_in_their_language(invented):
    for query in invented.queries:
        if query.facets["mode"] == "instructed" and query.facets["condition"] == "chinese":
            [gold] = [id for id, grade in invented.qrels[query.id].items() if grade]
            assert re.search("[一-龥]{8}", invented.corpus[gold].text)


def test_the_same_seed_gives_the_same_set(invented):
    assert household.build(seed=3, limit=10).queries == invented.queries


def test_it_is_written_and_read_as_a_benchmark_folder(invented, tmp_path):
    folder.write(tmp_path, invented)
    read = folder.build(tmp_path)
    assert (read.kind, read.built_by, read.depth) == ("instructions", "rules", 100)
    assert [metric.name for metric in read.metrics] == [each.name for each in invented.metrics]


def test_check_builds_it_as_a_probe_when_it_is_named():
    [probe] = build_probes(CORPUS, ["instructions"], limit=5)
    assert probe.kind == "instructions"
