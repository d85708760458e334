"""A corpus of invented appliances, with instructions on all six dimensions: for demonstrations."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count, islice
from typing import Any

from leadline.benchmark import Benchmark
from leadline.kinds.instructions.cores import Core, as_benchmark
from leadline.kinds.instructions.tables import capitalised, table
from leadline.types import Document


def build(*, seed: int = 0, limit: int = 100) -> Benchmark:
    """Return a benchmark of kind "instructions" over a corpus whose texts are in `invented.yaml`.

    Every model of an appliance belongs to one dimension, so that no document answers the query of
    another; a document on what it looks like is on topic and answers nothing.

    limit  core queries of each dimension
    """
    world = table("invented")
    cores: list[Core] = []
    for dimension, letter in zip(DIMENSIONS, "ABCDEF", strict=True):
        rng = random.Random(f"{seed} {dimension}")
        wanted = (
            _core(world, dimension, letter, number, job, rng)
            for number in count()
            for job, told in world["jobs"].items()
            if _thing(world, letter, number)[0] in told["things"]
        )
        cores += islice(wanted, limit)
    return as_benchmark(
        cores,
        {},
        seed=seed,
        source="invented household appliances",
        dropped=Counter(),
        builder=__name__,
    )


DIMENSIONS = ("audience", "keyword", "format", "language", "length", "source")


def _thing(world: Any, letter: str, number: int) -> tuple[str, str, str]:
    things: list[tuple[str, str, str]] = world["things"]
    return things[(number + ord(letter) - ord("A")) % len(things)]


def _core(
    world: Any, dimension: str, letter: str, number: int, job: str, rng: random.Random
) -> Core:
    brands = world["brands"]
    model = f"{brands[number % len(brands)]} {letter}{number // len(brands) + 2}0"
    told = world["jobs"][job]
    fields = _fields(model, _thing(world, letter, number), told)
    id = f"{dimension}-{model.lower().replace(' ', '-')}-{job}"
    if dimension == "source":
        fields |= dict(zip(("asks", "knows"), rng.choice(world["users"]), strict=True))
        fields |= {"author": rng.choice(world["names"]), "town": rng.choice(world["towns"])}
        fields["day"] = str(rng.randint(2, 27))
    filled: list[dict[str, str]] = [{}]
    if dimension == "keyword":
        filled = [
            {"words": words, "sentence": sentence, "place": place}
            for (words, sentence), place in zip(
                told["ways"].items(), ("first", "second", "third"), strict=True
            )
        ]
    written = {
        condition.format(**more): [each.format(**fields, **more) for each in texts]
        for more in filled
        for condition, texts in world["texts"][dimension].items()
    }
    golds = {
        condition: Document(f"{id}~{place}", text, title)
        for place, (condition, (title, text)) in enumerate(written.items(), start=1)
    }
    names = {words: (words, words) for words in golds} if dimension == "keyword" else {}
    looks = world["looks"]
    first, second, third = rng.sample(looks["colours"], 3)
    fields["colours"] = f"{first}, {second} and {third}"
    fields |= {"year": str(rng.randint(2012, 2023)), "price": str(rng.randint(12, 40))}
    other = Document(f"{id}~looks", looks["text"].format(**fields), looks["title"].format(**fields))
    return Core(id, f"How do I {fields['does']}?", dimension, golds, names, (other,))


def _fields(model: str, thing: tuple[str, str, str], told: Any) -> dict[str, str]:
    """Return what the texts on one job and one model name."""
    english, chinese, french = thing
    title = f"{model} {english}"
    first, second, third = told["steps"]
    fields = {
        **{each: told[each] for each in ("why", "trade", "before", "again", "command")},
        "first": first, "second": second, "third": third,
        "steps": f"{first}, {second}, and then {third}",
        "does": told["verb"].format(it=f"the {title}"),
    }  # fmt: skip
    return {
        **fields,
        **{capitalised(name): capitalised(text) for name, text in fields.items()},
        "model": model, "title": title, "number": model.split()[1],
        "tool": f"{model.split()[0].lower()}ctl",
        "verb_of_command": told["command"].split(" --")[0],
        "thing_in_chinese": chinese,
        "in_chinese": told["chinese"].format(model=model, thing=chinese),
        "in_french": told["french"].format(model=model, thing=french),
    }  # fmt: skip
