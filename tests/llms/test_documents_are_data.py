"""Words of a corpus, of models and of servers in our own prompts: always between marks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_commands import COMMANDS, PROSE, TALES
from typer.testing import CliRunner

import ladder_writer
from leadline.cli.main import app
from llm_server import EndpointServer, Reply, refused, said

BUILDERS = [each for each in COMMANDS if each.startswith("synthesize")]
OURS = ["evaluate graph", "enrich", "check by_llm", *BUILDERS]
MARKED = re.compile(r"<(\w+)>\n.*?\n</\1>", re.DOTALL)
SAID = "purple quilts of lower umbria were never sold by weight"
"""Words of a server, or of a model whose draft is refused."""

RUN = 4
"""Words in a row that a prompt of ours does not share with a document by chance."""


def runs_of(text: str) -> set[str]:
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[place : place + RUN]) for place in range(len(words) - RUN + 1)}


def prompts_of(folder: Path, command: str, play: Callable[[str, int], Reply]) -> list[str]:
    """Return what a command sent, the answers that it showed the model aside."""
    with EndpointServer(play) as server:
        own = ["--llm", server.url, "--llm-model", "toy"]
        done = CliRunner().invoke(app, [*COMMANDS[command].words(folder), *own])
    assert done.exit_code == 0, done.output + done.stderr
    turns = [turn for body in server.bodies for turn in body["messages"]]
    return [turn["content"] for turn in turns if turn["role"] != "assistant"]


def check(prompts: list[str], known: set[str]) -> None:
    assert any(runs_of(prompt) & known for prompt in prompts)
    for prompt in prompts:
        assert not runs_of(MARKED.sub(" ", prompt)) & known, prompt


@pytest.mark.parametrize("command", [each for each in OURS if "implicit" not in each])
def test_words_of_a_corpus_stand_between_marks(tmp_path: Path, command: str) -> None:
    good = COMMANDS[command].good
    prompts = prompts_of(tmp_path, command, lambda prompt, _: said(good(prompt)))
    texts = [*TALES, *PROSE, *ladder_writer.SENTENCES, *ladder_writer.SHORT]
    check(prompts, set().union(*map(runs_of, texts)))


@pytest.mark.parametrize("command", BUILDERS)
def test_what_a_server_said_of_a_draft_stands_between_marks(tmp_path: Path, command: str) -> None:
    good = COMMANDS[command].good

    def play(prompt: str, times: int) -> Reply:
        is_first = times == 1 and "An earlier" not in prompt
        return refused(400, SAID) if is_first else said(good(prompt))

    check(prompts_of(tmp_path, command, play), runs_of(SAID))
