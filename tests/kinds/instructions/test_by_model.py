"""Instructions by a language model in two calls a core query, on scripted models."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from typer.testing import CliRunner

from facts_writer import read
from leadline.cli.main import app
from leadline.errors import InputError
from leadline.kinds.instructions import is_instructed
from leadline.kinds.instructions.by_model import DIMENSIONS, build
from leadline.llm.pipeline.steps import Models
from leadline.llm.run_record import RunRecord
from leadline.types import Document
from llm_server import EndpointServer, said
from scripted import ScriptedLLM

THINGS = ["mill", "bridge", "lighthouse", "granary", "foundry", "chapel", "brewery", "tannery",
          "theatre", "harbour", "orchard", "quarry"]  # fmt: skip


def about(thing: str) -> Document:
    return Document(
        thing,
        f"The old {thing} opens on Sundays from noon to six. Citric acid cleans its stones, and "
        f"linseed oil keeps the oak beams of the {thing} dry. Visitors pay nothing, but they ring "
        "a bell at the gate. A guide tells how the place was rebuilt after the great flood.",
        f"The old {thing}",
    )


CORPUS = {thing: about(thing) for thing in THINGS}
SENTENCE = "It is open on Sundays from noon to six, and nobody pays."
CODE = "```js\nopen({ day: 'Sunday', from: 12, to: 18 })\nring('gate')\nclose()\n```"
CHINESE = "老磨坊每个星期天中午到六点开放,参观不收费,请在门口按铃,会有导游讲解。" * 6


def prose(kind: str, words: int = 160) -> str:
    return " ".join([f"This {kind} says when people may come."] * (words // 8))


@dataclass
class Writer:
    """Writes and judges as a good model does; what a test changes it writes otherwise.

    change  (thing, number of a kind, text) -> the text that is written
    """

    change: Callable[[str, int, str], str] = lambda thing, n, text: text
    query: str = "old {thing} opening hours"
    skips: Callable[[str], bool] = lambda kind: False

    def __call__(self, prompt: str) -> str:
        if "numbered from 1" in prompt:
            return self.judged(prompt)
        thing = re.search(r"The old (\w+) opens on", prompt)[1]
        if '"texts"' not in prompt:
            return json.dumps(self.small(prompt, thing))
        kinds = re.findall(r"^   (\d)\. (.*?):", prompt, re.MULTILINE)
        texts = []
        for n, kind in kinds:
            words = ["", "Citric acid", "linseed oil"][int(n)] if "words" in kind else ""
            text = self.change(thing, int(n), self.text(kind, thing, words))
            entry = {"n": int(n), "words": words, "title": "", "text": text}
            texts += [] if self.skips(kind) else [entry]
        return json.dumps({**self.core(thing), "texts": texts, "negative": negative(thing)})

    def small(self, prompt: str, thing: str) -> dict[str, str]:
        if '"paraphrase"' in prompt:
            return self.core(thing)
        if kind := re.search(r"<kind>\n(.*)\n</kind>", prompt):
            words = re.search("mentions “(.*?)”", kind[1])
            named = kind[1].partition(" (")[0]
            return {"title": "", "text": self.text(named, thing, words[1] if words else "")}
        return negative(thing)

    def core(self, thing: str) -> dict[str, str]:
        paraphrase = f"When can one visit the old {thing}?"
        return {"query": self.query.format(thing=thing), "paraphrase": paraphrase}

    def text(self, kind: str, thing: str, words: str) -> str:
        told = f"{words} is used at the {thing}. " if words else f"About the {thing}. "
        for own, text in (("sentence", f"{SENTENCE[:-1]} at the {thing}."),
                          ("paragraph", told + prose("text", 80)),
                          ("code", CODE), ("Chinese", thing + CHINESE)):  # fmt: skip
            if own in kind:
                return text
        return told + prose(f"kind ({kind.replace(' ', '-')})", 220)

    def judged(self, prompt: str) -> str:
        kinds = re.findall(r"^   (\d)\. (.*?):", prompt, re.MULTILINE)
        verdicts = []
        for text in re.findall(r"Text \d\n(.*?)(?=\nText \d\n|\n</texts>)", prompt, re.DOTALL):
            own = [n for n, kind in kinds if f"({kind.replace(' ', '-')})" in text]
            kind = own[0] if own else "2" if "```" in text else "0"
            answers = "was painted" not in text
            verdicts.append({"n": len(verdicts) + 1, "kind": int(kind), "answers": answers})
        return json.dumps({"texts": verdicts})


def negative(thing: str) -> dict[str, str]:
    return {"title": "", "text": f"The {thing} was painted red in 1910. " * 12}


def built(writer: Writer, judge: Writer | None = None, corpus=CORPUS, **given):
    models = Models(ScriptedLLM(writer, name="w"), ScriptedLLM(judge or writer, name="j"))
    own = {name: given.pop(name) for name in ("effort", "reads") if name in given}
    into = RunRecord("t")
    made = build(corpus, replace(models, **own), into, **given)
    return made, into, models


def test_two_calls_give_a_core_query_and_all_dimensions_have_as_many() -> None:
    made, into, models = built(Writer())
    assert made.built["core queries"] == dict.fromkeys(sorted(DIMENSIONS), 2)
    assert [(each.name, each.calls) for each in into.steps] == [("write", 12), ("judge", 12)]
    assert len(models.writer.asked) + len(models.verifier.asked) == 24
    assert (made.built_by, made.built["read"], made.built["dropped"]) == ("llm", True, {})
    assert is_instructed(made.queries)
    made.validated(whole=True)


def test_instructions_come_from_wordings_and_a_core_has_one_paraphrase() -> None:
    made, _, _ = built(Writer(), dimensions=["length"], limit=1)
    original, asked, refused = made.queries[:3]
    source = original.facets["document"]
    assert (original.text, original.instruction) == (f"old {source} opening hours", "")
    assert {each.text for each in made.queries if each.facets["mode"] != "original"} == {
        f"When can one visit the old {source}?"
    }
    assert asked.instruction != refused.instruction != ""
    assert made.qrels[asked.id] == {"length-1~1": 1, "length-1~2": 0, "length-1~3": 0}
    assert source not in made.corpus and "length-1~0" in made.corpus


def test_the_limit_is_for_all_dimensions_and_what_is_left_out_is_counted() -> None:
    short = {"short": Document("short", "Too short.")}
    made, _, _ = built(Writer(), corpus=CORPUS | short, limit=4)
    assert sum(made.built["core queries"].values()) == 4
    dropped = made.built["dropped"]
    assert dropped["documents beyond the limit"] == 8
    assert dropped["documents of fewer than 40 words"] == 1
    assert sum("no document was left" in reason for reason in dropped) == 2
    others = [built(Writer(), limit=4, seed=seed)[0] for seed in (0, 1)]
    drawn = [{each.facets["document"] for each in one.queries} for one in others]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize(
    ("dimension", "n", "text", "reason"),
    [
        ("length", 2, SENTENCE * 40, "length: not a single paragraph"),
        ("format", 2, prose("code"), "format: not a code snippet"),
        ("source", 1, "Too short.", "source: length of a text"),
        ("source", 3, negative("mill")["text"], "source: a text repeated"),
    ],
)
def test_a_text_that_code_refuses_drops_its_kind_and_not_the_core(
    dimension: str, n: int, text: str, reason: str
) -> None:
    writer = Writer(change=lambda thing, number, own: text if number == n else own)
    made, into, models = built(
        writer, corpus={"mill": CORPUS["mill"]}, dimensions=[dimension], limit=1
    )
    assert made.built["dropped"] == {reason: 1}
    assert len({each.topic for each in made.queries}) == 2
    assert len(models.writer.asked) == 1
    assert into.as_json()["measured"]["records"][f"{dimension}-1"]["dropped"] == [reason]


def test_what_the_judge_reads_otherwise_is_dropped() -> None:
    class Strict(Writer):
        def judged(self, prompt: str) -> str:
            texts = json.loads(super().judged(prompt))["texts"]
            blog = next(each for each in texts if each["kind"] == 1)
            off = next(each for each in texts if not each["answers"])
            blog["kind"], off["answers"] = 3, True
            return json.dumps({"texts": texts})

    made, _, _ = built(Writer(), Strict(), dimensions=["source"], limit=1)
    assert (
        made.built["dropped"].items()
        >= {
            "source: not a blog post, says the reader": 1,
            "source: the negative answers, says the reader": 1,
        }.items()
    )
    assert "source-1~0" not in made.corpus and "source-1~1" not in made.corpus


def test_a_core_with_fewer_than_two_kinds_is_asked_for_again_then_dropped() -> None:
    writer = Writer(skips=lambda kind: "news" not in kind, query="what {thing}" + " so" * 20)
    made, _, models = built(writer, dimensions=["source"], limit=1)
    assert not made.queries
    assert made.built["dropped"]["source: a blog post was left out"] == 1
    first, second, _ = models.writer.asked
    assert "You have answered once" not in first
    again = re.sub(r"<(\w+)>\n.*?\n</\1>", "", second, flags=re.DOTALL)
    assert "2 to 10 words" in again and "Text 1: it is missing." in again
    assert "so so so" in second and "so so so" not in again


def test_without_a_reader_code_alone_judges() -> None:
    made, into, models = built(Writer(), reads=False)
    assert models.verifier.asked == [] and made.built["read"] is False
    assert len(into.steps) == 1 and sum(made.built["core queries"].values()) == 12


def test_a_weak_model_is_not_asked_to_write() -> None:
    made, into, models = built(Writer(), effort="low")
    assert (made.built_by, made.built["effort"]) == ("rules", "low")
    assert not into.steps and not models.writer.asked
    with pytest.raises(InputError, match="--llm-effort high"):
        built(Writer(), effort="low", dimensions=["audience"])


def test_words_of_a_document_stand_between_marks() -> None:
    _, _, models = built(Writer())
    for prompt in (*models.writer.asked, *models.verifier.asked):
        assert "linseed" not in re.sub(r"<(\w+)>\n.*?\n</\1>", "", prompt, flags=re.DOTALL)


def test_a_dry_run_tells_the_calls_of_a_run(tmp_path) -> None:
    path = tmp_path / "corpus.jsonl"
    rows = [{"_id": f"{n}", "text": about(f"mill{n}").text} for n in range(48)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def play(prompt: str, _: int):
        return said(read(prompt) if "<statements>" in prompt else Writer()(prompt))

    with EndpointServer(play) as server:
        words = ["synthesize", "instructions", str(path), "--llm", server.url, "--llm-model", "toy",
                 "--out", str(tmp_path / "out")]  # fmt: skip
        told = CliRunner().invoke(app, [*words, "--dry-run"])
        count = int(re.search(r"(\d+) calls", told.stderr)[1])
        done = CliRunner().invoke(app, words)
        asked = sum(server.calls.values())
    assert done.exit_code == 0, done.output + done.stderr
    assert abs(count - asked) <= 0.15 * asked
