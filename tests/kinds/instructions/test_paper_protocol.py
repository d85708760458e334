"""Instructions by a language model: seven steps, each checked, on scripted models."""

import csv
import json
from dataclasses import dataclass

import pytest

from leadline.kinds.instructions import paper_protocol
from leadline.llm.run_record import RunRecord
from leadline.types import Document
from scripted import ScriptedLLM

MILL = Document("mill", "The old mill grinds flour on Sundays. Citric acid cleans its stones.")
CORPUS = {MILL.id: MILL, "other": Document("other", "A bridge crosses the river.")}
QUERY = "when does the old mill run"

SENTENCE = "The old mill grinds its flour on Sundays, as it has for years."
PARAGRAPH = "The old mill grinds flour on Sundays, and people come to watch. " * 7
ARTICLE = "The old mill grinds flour on Sundays, and people come to watch. " * 30


@dataclass
class Pair:
    """A writer and a judge that answer from lists."""

    writer: ScriptedLLM
    verifier: ScriptedLLM
    attempts: int = 2
    max_tokens: int = 500
    temperature: float = 0.8


def said(**fields: object) -> str:
    return json.dumps(fields)


def models(writer: list[str], judge: list[str]) -> Pair:
    return Pair(ScriptedLLM(writer, name="writer"), ScriptedLLM(judge, name="judge"))


YES = said(answers=True, is_so=True)
FOR, AGAINST, NO = said(wants="for"), said(wants="against"), said(answers=False)
ASKED = said(query="On which days is the old mill at work?", instruction="One like that, please.")
REVERSED = said(instruction="Not one like that, please.")
NEGATIVES = [said(title="", text=f"The old mill was painted red in 191{n}.") for n in range(9)]
NOES = [NO] * 9
"""Three of each of three golds."""


def built(dimension: str, both: Pair):
    return paper_protocol.build(CORPUS, both, RunRecord("t"), dimensions=[dimension], limit=1)


def test_a_document_becomes_one_of_each_length_with_an_instruction_and_its_reverse() -> None:
    writer = [said(query=QUERY)]
    for text in (SENTENCE, PARAGRAPH, ARTICLE):
        writer += [said(title="", text=text), ASKED, REVERSED]
    made = built("length", models([*writer, *NEGATIVES], [*[YES, FOR, AGAINST] * 3, *NOES]))
    assert made.built_by == "llm"
    assert [query.facets["condition"] for query in made.queries[::3]] == [
        "sentence", "paragraph", "article",
    ]  # fmt: skip
    original, instructed, refused = made.queries[:3]
    assert (original.text, original.instruction) == (QUERY, "")
    assert instructed.content == ("On which days is the old mill at work? One like that, please.")
    assert refused.instruction == "Not one like that, please."
    assert made.qrels[instructed.id] == {
        "length-1~1": 1, "length-1~2": 0, "length-1~3": 0,
    }  # fmt: skip
    assert "mill" not in made.corpus and "length-1~negative9" in made.corpus


def test_each_of_several_words_of_the_document_is_in_one_version_of_it_alone() -> None:
    writer = [
        said(query=QUERY),
        said(words="white vinegar"),  # is not in the document
        said(words="Citric acid"),
        said(words="acid"),  # is in the first
        said(words="flour"),
        said(words="Sundays"),
        said(title="", text="Citric acid cleans the mill after the flour is gone."),  # has two
        said(title="", text="Citric acid cleans the mill before it runs again."), ASKED, REVERSED,
        said(title="", text="The mill grinds flour once in a week."), ASKED, REVERSED,
        said(title="", text="The mill runs on Sundays and never else."), ASKED, REVERSED,
        *NEGATIVES,
    ]  # fmt: skip
    both = models(writer, [*[YES, FOR, AGAINST] * 3, *NOES])
    made = built("keyword", both)
    assert [query.facets["condition"] for query in made.queries[::3]] == [
        "Citric acid", "flour", "Sundays",
    ]  # fmt: skip
    assert "none so far" in both.writer.asked[1] and "Citric acid" in both.writer.asked[3]
    # Table 1 of the paper: four documents for each condition.
    assert sum(id.startswith("keyword-1") for id in made.corpus) == 4 * 3


def test_a_document_without_a_third_word_has_two() -> None:
    texts = ("Citric acid cleans the mill well enough.", "The mill grinds flour once in a week.")
    writer = [said(query=QUERY), said(words="Citric acid"), said(words="flour"),
              *[said(words="mill")] * 2]  # fmt: skip
    for text in texts:
        writer += [said(title="", text=text), ASKED, REVERSED]
    made = built("keyword", models([*writer, *NEGATIVES[:6]], [*[YES, FOR, AGAINST] * 2, *NOES]))
    assert len(made.queries) == 6


POST = Document(
    "mill",
    "Start the mill with the function below, which waits for water.\n\n"
    "```\ndef start(mill):\n    mill.wait()\n    mill.turn(9)\n```\n\n"
    "> The method wait blocks until water is there.\n",
)


def test_a_post_with_code_is_split_into_post_code_and_manual() -> None:
    writer = [said(query=QUERY), *[ASKED, REVERSED] * 3, *NEGATIVES]
    both = models(writer, [*[FOR, AGAINST] * 3, *NOES])
    made = paper_protocol.build(
        {"mill": POST}, both, RunRecord("t"), dimensions=["format"], limit=1
    )
    texts = [made.corpus[f"format-1~{n}"].text for n in (1, 2, 3)]
    assert texts[0] == POST.text
    assert texts[1].startswith("```\ndef start(mill):")
    assert texts[2] == "The method wait blocks until water is there."


def test_golds_that_half_of_the_systems_miss_go_to_review(tmp_path) -> None:
    writer = [said(query=QUERY)]
    for text in (SENTENCE, PARAGRAPH, ARTICLE):
        writer += [said(title="", text=text), ASKED, REVERSED]
    made = built("length", models([*writer, *NEGATIVES], [*[YES, FOR, AGAINST] * 3, *NOES]))
    originals = [each.id for each in made.queries if each.facets["mode"] == "original"]
    good = {id: {f"length-1~{n}": 1.0 for n in (1, 2, 3)} for id in originals}
    poor = {id: {"length-1~1": 0.9, "length-1~2": 0.2} for id in originals}
    runs = {"good": good, "poor": poor}
    assert paper_protocol.write_sheet(tmp_path / "review.csv", made, runs) == 1
    rows = list(csv.reader((tmp_path / "review.csv").open(encoding="utf-8")))
    assert (rows[1][:2], rows[1][3]) == ([QUERY, "length-1~3"], "poor")
    least = dict.fromkeys(runs, paper_protocol.LEAST_SCORE)  # "poor" scores the second 0.2
    assert paper_protocol.write_sheet(tmp_path / "review.csv", made, runs, least) == 2


def made_again(bad: str, place: int, *, judge: list[str] | None = None) -> tuple[list[str], Pair]:
    """Return what was dropped, and the models, where one draft is bad; `place` in the writing."""
    writer = [said(query=QUERY)]
    for text in (SENTENCE, PARAGRAPH, ARTICLE):
        writer += [said(title="", text=text), ASKED, REVERSED]
    writer = [*writer, *NEGATIVES]
    judged = judge or [*[YES, FOR, AGAINST] * 3, *NOES]
    both = models([*writer[:place], bad, *writer[place:]], judged)
    into = RunRecord("t")
    made = paper_protocol.build(CORPUS, both, into, dimensions=["length"], limit=1)
    assert len(made.queries) == 9
    assert not any(document.text == "" for document in made.corpus.values())
    return [reason for step in into.steps for reason in step.dropped], both


# Places of the writer: 0 the core query; 1, 2, 3 text, instruction and reversal of the first
# length, 4, 5, 6 of the second, 7, 8, 9 of the third; 10 the negative.
@pytest.mark.parametrize(
    ("place", "bad", "reason"),
    [
        (1, said(title="", text=" "), "empty text"),
        (2, said(query="  ", instruction="One, please."), "empty instruction"),
        (2, said(query="On which days?", instruction=f"{QUERY.upper()}?"), "query as instruction"),
        (3, said(instruction="one LIKE that please"), "instruction repeated"),
        (3, said(instruction="!"), "empty instruction"),
        (10, said(title="The mill", text=""), "empty text"),
        (10, said(title="", text="A mill."), "text too short"),
        (10, said(title="", text=SENTENCE.upper()), "text repeated"),
        (10, said(title="", text=MILL.text), "text repeated"),
    ],
)
def test_a_draft_that_says_nothing_or_nothing_new_is_written_again(
    place: int, bad: str, reason: str
) -> None:
    dropped, both = made_again(bad, place)
    assert dropped == [reason]
    assert "An earlier answer was refused." in both.writer.asked[place + 1]


@pytest.mark.parametrize(
    ("place", "refusal", "at", "reason"),
    [
        # The judge reads text, instruction, reversal of each length, then the negative.
        (1, said(answers=False, is_so=True), 0, "does not answer"),
        (2, said(wants="neither"), 1, "not for the condition"),
        (3, FOR, 2, "not against the condition"),
        (10, said(answers=True), 9, "negative answers"),
    ],
)
def test_what_the_judge_reads_otherwise_than_meant_is_written_again(
    place: int, refusal: str, at: int, reason: str
) -> None:
    good = [*[YES, FOR, AGAINST] * 3, *NOES]
    bad = {
        1: said(title="", text=SENTENCE),
        2: said(query="On which days?", instruction="Whatever there is."),
        3: said(instruction="More like that, please."),
        10: said(title="", text=SENTENCE + " So."),
    }
    dropped, _ = made_again(bad[place], place, judge=[*good[:at], refusal, *good[at:]])
    assert dropped == [reason]
