"""Every command that asks a model, small enough to run many times, with a model that does well."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ladder_writer
import questions_writer
from document_models import Models, order
from leadline.data.folder import Folder, write_folder
from leadline.types import Document, Query
from reasoning_writer import answered

POOL = "implicit-facts/temporal-multispeaker"
NAMES = ["Ann", "Bea", "Cid", "Dan"]
QUERY = "old mill wheel harbour barge"  # which finds a word in every document
PROSE = ["The old mill.", "A red barge at noon.", "Harbour dues are paid.", "The wheel broke."]
TALES = [
    f"{name} of Harborough rebuilt the {thing} in {year}. The work on the {thing} took {n} years "
    f"and cost the town {n}00 pounds. A {tree} was planted beside the {thing} when it was done."
    for n, (name, thing, year, tree) in enumerate(
        [("Anna Miller", "old mill", 1871, "lime"), ("Bert Cooper", "north bridge", 1902, "oak"),
         ("Clara Smith", "corn hall", 1888, "beech"), ("David Potter", "lighthouse", 1915, "yew"),
         ("Emma Brown", "town gate", 1866, "elm"), ("Frank Hill", "salt house", 1921, "fir")],
        start=2,
    )
]  # fmt: skip


@dataclass(frozen=True)
class Command:
    """A command line, and what a good model says to its prompts.

    words     folder -> the words of the command
    good      prompt -> answer
    attempts  whether it takes --attempts, by which another run goes on from what was refused
    is_long   whether each record takes so many calls that some always fail where a third does
    """

    words: Callable[[Path], list[str]]
    good: Callable[[str], str]
    attempts: bool = False
    is_long: bool = False


def corpus(folder: Path, texts: list[str] | None = None) -> Path:
    path = folder / "corpus.jsonl"
    rows = [{"_id": f"d{n}", "text": text} for n, text in enumerate(texts or PROSE)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def benchmark(folder: Path) -> Path:
    """Four documents and twelve queries, as BEIR has them."""
    documents = {f"d{n}": Document(f"d{n}", text) for n, text in enumerate(PROSE)}
    queries = [Query(f"q{n}", f"{QUERY} number {n}") for n in range(12)]
    qrels = {f"q{n}": {f"d{n % 4}": 1} for n in range(12)}
    write_folder(folder / "bench", Folder(documents, queries, qrels))
    return folder / "bench"


def pool(folder: Path) -> Path:
    out = folder / "pool"
    out.mkdir()
    rows = [
        {
            "id": n, "tuple_set_id": n // 2, "answer": name,
            "pos_document": f"2024-05-0{n + 2} 09:00, {name}: I painted the fence yesterday.",
            "forum_question": "Who has painted lately?",
            "question": f"Who painted the fence on May {n + 1}, 2024?",
        }
        for n, name in enumerate(NAMES)
    ]  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (out / "temporal_multispeaker.jsonl").write_text(text)
    return out


def ranked(_: str) -> str:
    return "[1] > [2] > [3] > [4]"


def of_graph(prompt: str) -> str:
    return json.dumps({"entities": ["mill"], "triples": [["mill", "is", "old"]], "facts": [1]})


def on_ladders(prompt: str) -> str:
    marks = ("how many of the 10 facts", "<statements>", "<text>")
    reads = any(mark in prompt for mark in marks)
    return ladder_writer.read(prompt) if reads else ladder_writer.write(prompt)


def on_instructions(prompt: str) -> str:
    said = {"query": "when does the mill run", "instruction": "Plain, please.", "title": "",
            "text": "A miller was born here in May.", "answers": True, "is_so": True,
            "wants": "against" if "Not plain" in prompt else "for"}  # fmt: skip
    if "Write what they would say" in prompt:
        said["query"] = "On which days is the mill at work?"
    if "means the opposite" in prompt:
        said["instruction"] = "Not plain, please."
    if asked := re.search(r"Rewrite the document below as (.*?)\. It", prompt):
        said["text"] = f"The mill runs on Sundays, {asked[1]}."
    if "something else than these" in prompt:
        said["text"] += " And so on." * prompt.count("A miller was born")
    if "or part of it" in prompt:
        said["answers"] = False
    fields = json.loads(re.findall(r"\{[^{}]*\}", prompt)[-1])
    return json.dumps({name: said[name] for name in fields})


def evaluating(system: str) -> Callable[[Path], list[str]]:
    return lambda f: ["evaluate", "-s", system, "-b", str(benchmark(f)), "--out", str(f / "out")]


def checking(system: str) -> Callable[[Path], list[str]]:
    return lambda f: ["check", str(corpus(f, TALES)), "-s", system, "--probe", "rephrasings",
                      "--by", "rules", "--limit", "6", "--out", str(f / "out")]  # fmt: skip


def diagnosing(f: Path) -> list[str]:
    return ["diagnose", "-s", "bm25+listwise", "-b", str(benchmark(f)), "--out", str(f / "out")]


def searching(f: Path) -> list[str]:
    return ["search", str(corpus(f)), QUERY, "-s", "bm25+listwise"]


def choosing(f: Path) -> list[str]:
    """Two runs over two questions, and a second model that judges their answers."""
    head = "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3"
    rows = ["Which metal is heavy?,lead,tin,iron,zinc", "Which one is red?,rust,snow,coal,milk"]
    (f / "gpqa_diamond.csv").write_text("\n".join([head, *rows, ""]))
    return ["read", "-b", "gpqa", "--data", str(f / "gpqa_diamond.csv"), "-s", "bm25",
            "--corpus", str(corpus(f)), "--runs", "2", "--judge-model", "judge",
            "--out", str(f / "out")]  # fmt: skip


def chosen(prompt: str) -> str:
    if "somebody answered" not in prompt.lower():
        return "The correct answer is (A)"
    letter, text = re.search(r"The right choice is (\(\w\)): (.*)", prompt).groups()
    answer = prompt.partition("<answer>")[2]
    is_so = letter in answer or text in answer or f"Answer: {letter[1]}" in answer
    return "yes" if is_so else "no"


def reading(f: Path) -> list[str]:
    return ["read", "-b", POOL, "--data", str(pool(f)), "-k", "2", "--out", str(f / "out")]


def making(words: str, texts: list[str] = TALES) -> Callable[[Path], list[str]]:
    kind, *more = words.split()
    return lambda f: ["synthesize", kind, str(corpus(f, texts)), *more, "--out", str(f / "out")]


def making_pools(f: Path) -> list[str]:
    size = ["--sets", "2", "--tuples", "3", "--seed", "3"]
    own = ["--pool", "temporal-multispeaker", "--out", str(f / "out")]
    return ["synthesize", "implicit-facts", *own, *size]


COMMANDS: dict[str, Command] = {
    "search": Command(searching, ranked),
    "evaluate listwise": Command(evaluating("bm25+listwise"), ranked),
    "evaluate true_false": Command(evaluating("bm25+true_false"), lambda _: "true"),
    "evaluate graph": Command(evaluating("graph"), of_graph),
    "check true_false": Command(checking("bm25+true_false"), lambda _: "true"),
    "diagnose": Command(diagnosing, ranked),
    "read": Command(reading, lambda _: "Answer: Ann"),
    "read choices": Command(choosing, chosen),
    "synthesize implicit-facts": Command(making_pools, Models(order()), attempts=True),
    "synthesize conditions": Command(
        making("conditions --protocol paper --domain books",
               [" ".join(ladder_writer.SENTENCES)] * 2),
        on_ladders, attempts=True, is_long=True,
    ),
    "synthesize instructions": Command(
        making("instructions --protocol paper --dimension audience --limit 2"), on_instructions,
        attempts=True,
    ),
    "synthesize questions": Command(
        making("questions --limit 3"), questions_writer.answer, attempts=True
    ),
    "synthesize rephrasings": Command(
        making("rephrasings --limit 3"), questions_writer.answer, attempts=True
    ),
    "synthesize reasoning": Command(
        making("reasoning --style expert --limit 3"), answered, attempts=True
    ),
}  # fmt: skip
