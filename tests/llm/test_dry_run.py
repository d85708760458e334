"""A dry run says how many calls a builder makes: within 15 % of those of a run that goes well."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_commands import COMMANDS, making

import ladder_writer
from commands import run
from document_models import Models, order
from leadline.kinds.questions import by_model as pooling
from llm_server import EndpointServer, said
from questions_writer import TOWNS, answer, towns

THINGS = [f"{colour} {thing}" for colour in ("old", "red", "stone", "low", "far")
          for thing in ("mill", "barn", "quay", "kiln")]  # fmt: skip
LOGS = [" ".join(ladder_writer.SENTENCES).replace("the port", f"the {each}") for each in THINGS]


def making_pools(folder: Path) -> list[str]:
    size = ["--sets", "6", "--tuples", "3", "--seed", "3", "--pool", "temporal-multispeaker"]
    return ["synthesize", "implicit-facts", *size, "--out", str(folder / "out")]


LARGER: dict[str, tuple[Callable[[Path], list[str]], Callable[[str], str]]] = {
    "implicit facts": (making_pools, Models(order(sets=6))),
    "conditions as in the paper": (
        making("conditions --protocol paper --domain books", LOGS),
        COMMANDS["synthesize conditions"].good,
    ),
    "rephrasings": (
        making("rephrasings", [f"{each.title}\n\n{each.text}" for each in towns(*TOWNS).values()]),
        answer,
    ),
}  # fmt: skip
"""Builders on enough documents that chance decides little, and models that do well."""


@pytest.mark.parametrize("builder", LARGER)
def test_a_dry_run_says_how_many_calls_a_run_makes(
    tmp_path: Path, builder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooling, "find_spec", lambda _: None)  # no encoder to be loaded
    make, play = LARGER[builder]
    words = make(tmp_path)
    with EndpointServer(lambda prompt, _: said(play(prompt))) as server:
        own = ["--llm", server.url, "--llm-model", "toy"]
        planned = run(*words, *own, "--dry-run")
        assert not server.bodies
        run(*words, *own)
    told = re.search(r"Would ask toy: ([\d,]+) calls", planned.stderr)
    assert told is not None
    assert int(told[1].replace(",", "")) == pytest.approx(len(server.bodies), rel=0.15)
