"""A reranker that reasons, evaluated against a server: traces kept, counted and shown."""

import json
import re
from functools import partial
from pathlib import Path

import commands
from leadline.data.folder import Folder, write_folder
from leadline.types import Document, Query
from llm_server import EndpointServer, Reply, refused

TEXTS = {
    "d0": ("the mill and its wet wall, wet wall", ""),
    "d1": ("capillaries of the wall draw water", "direct"),
    "d2": ("a wall of brick <b>and</b> lime", "indirect"),
    "d3": ("wet wall paint in capitals", ""),
    "d4": ("wet wall cut short", ""),
    "d5": ("wet wall refused", ""),
    "d6": ("wet wall mute", ""),
}
LIKELY = {True: {" true": -0.1, " false": -2.4}, False: {" true": -3.0, " false": -0.05}}


def folder(path: Path) -> Path:
    corpus = {
        id: Document(id, text, facets={"relation": relation} if relation else {})
        for id, (text, relation) in TEXTS.items()
    }
    qrels = {"q": {"d1": 1, "d2": 1, "d0": 0}}
    settings = {"name": "walls", "kind": "reasoning"}
    write_folder(path, Folder(corpus, [Query("q", "why is the wall wet")], qrels, None, settings))
    return path


def completion(text: str, finish: str = "stop", likely: dict | None = None) -> Reply:
    usage = {"prompt_tokens": 50, "completion_tokens": len(text.split()) + 1}
    choice = {"text": text, "finish_reason": finish, "logprobs": {"top_logprobs": [likely or {}]}}
    return Reply(body={"choices": [choice], "usage": usage})


def thinking(prompt: str, times: int) -> Reply:
    """Think about each passage; those named after a fault have it."""
    if prompt.endswith("</think>"):  # the answer behind a reasoning that left none
        return completion("", likely={} if "mute" in prompt else LIKELY[False])
    passage = prompt.rpartition("Passage: ")[2].partition("\n<think>")[0]
    if "capitals" in passage:
        return completion(" Paint is not why.</think> FALSE", likely={"ALSE": -0.1})
    if "cut short" in passage:
        return completion(" Well. It goes on and on", finish="length", likely={" on": -0.1})
    if "refused" in passage:
        return refused(400, "no")
    if "mute" in passage:
        return completion(" Hm.", likely={".": -0.1})
    relevant = "capillaries" in passage or "lime" in passage
    said = " <script>alert(1)</script> Water rises." if relevant else " It names the words alone."
    return completion(said, likely=LIKELY[relevant])


run = partial(commands.run, "evaluate")


def evaluated(tmp_path: Path, play=thinking, *more: str) -> tuple[dict, str, list[dict]]:
    """Return the last result, the page, and the lines of its traces."""
    out = tmp_path / "out"
    with EndpointServer(play) as server:
        system = f"bm25+true_false:toy,reasoning=true,llm={server.url}"
        run("-s", "bm25", *more, "-s", system, "-b", folder(tmp_path / "walls"), "--out", out)
    result = json.loads((out / "report.json").read_text())["results"][-1]
    traces = [
        json.loads(line)
        for path in sorted((out / "walls" / "traces").iterdir())
        for line in path.read_text().splitlines()
    ]
    return result, (out / "report.html").read_text(), traces


def test_every_way_to_end_a_trace_is_counted_and_shown(tmp_path: Path) -> None:
    result, page, traces = evaluated(tmp_path)
    told = result["reasoning"]
    assert told["pairs"] == len(traces) == 7
    assert told["endings"] == {
        "answered": 3,
        "answered otherwise than true or false, answer forced": 1,
        "cut at the limit, answer forced": 1,
        "call failed, scored 0.5": 1,
        "no answer, scored 0.5": 1,
    }
    for ending in told["endings"]:
        assert ending.replace("'", "&#39;") in page
    assert result["failures"] == {
        "true_false: answer forced": 3,
        "true_false: call failed, scored 0.5": 1,
        "true_false: no answer, scored 0.5": 1,
    }
    assert "2 of 7 pairs have no answer. Each gets a score of 0.5." in page
    assert "2 of 7 answers were forced, because the reasoning" in page
    by_document = {each["corpus-id"]: each for each in traces}
    assert by_document["d3"]["trace"] == "Paint is not why.</think> FALSE"
    assert (by_document["d5"]["score"], by_document["d5"]["said"]) == (0.5, "")
    assert {by_document[id]["rank"] for id in ("d1", "d2")} == {1, 2}
    assert (by_document["d2"]["said"], by_document["d2"]["before"]) == ("true", 6)


def test_the_page_shows_traces_where_reasoning_helped_and_no_script_of_theirs(
    tmp_path: Path,
) -> None:
    result, page, _ = evaluated(tmp_path)
    assert 'id="reasoning"' in page
    assert re.search(r"Helped: a relevant document\s+goes from rank \d to \d", page)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; Water rises." in page
    assert "<script>alert" not in page
    assert "Queries helped: 1, hurt: 0, unchanged: 0." in page
    assert result["reasoning"]["queries"] == {"helped": 1, "hurt": 0, "unchanged": 0}
    # Both relevant documents are among seven before and after.
    assert result["reasoning"]["relations"] == [
        {"name": "direct", "count": 1, "before": 1.0, "after": 1.0},
        {"name": "indirect", "count": 1, "before": 1.0, "after": 1.0},
    ]
    (size,) = result["reasoning"]["slices"]
    assert (size["name"], size["count"], size["after"]) == ("2 to 4", 1, 1.0)
    assert "tokens written for a query" in page


def test_a_later_run_shows_what_an_earlier_one_reasoned(tmp_path: Path) -> None:
    evaluated(tmp_path)
    out = tmp_path / "out"
    run("-s", "bm25:k1=1.2", "-b", tmp_path / "walls", "--out", out)
    page = (out / "report.html").read_text()
    assert "cut at the limit, answer forced" in page
    assert "Water rises." in page


def test_traces_of_two_systems_stand_side_by_side(tmp_path: Path) -> None:
    out = tmp_path / "out"
    bench = folder(tmp_path / "walls")

    def always(prompt: str, times: int) -> Reply:
        return completion(" I see it otherwise.", likely=LIKELY["wall paint" not in prompt])

    for play in (thinking, always):
        with EndpointServer(play) as server:
            run("-s", f"bm25+true_false:toy,reasoning=true,llm={server.url}", "-b", bench,
                "--out", out)  # fmt: skip
    files = sorted((out / "walls" / "traces").iterdir(), key=lambda each: each.stat().st_mtime_ns)
    analyse = partial(commands.run, "analyse", "traces")
    shown = analyse(*files, "-b", bench, "--limit", "1").output
    # d0 is false to the first (1 / (1 + e^2.95) = .050) and true to the second (.909).
    assert "Query q: why is the wall wet" in shown
    assert "Document d0\nGrade 0: the mill and its wet wall, wet wall" in shown
    (line,) = [line for line in shown.splitlines() if "score" in line]
    assert line.index("false, score 0.050") < line.index("true, score 0.909")
    (line,) = [line for line in shown.splitlines() if "otherwise" in line]
    assert line.index("It names the words alone.") < line.index("I see it otherwise.")
    found = json.loads(analyse(*files, "--json", "--limit", "2").output)
    assert [each["corpus-id"] for each in found[0]] == ["d0", "d0"]
    files[1].write_text('{"query-id": "q", "corpus-id": "d99", "score": 0.1, "said": "true"}\n')
    assert "no pair of a query and a document in common" in analyse(*files, code=2).output
