"""A writer and a reader of questions and rephrasings, for tests of what asks them."""

from __future__ import annotations

import json
import re

from leadline.types import Document

TOWNS = tuple(
    """
    harbour mill station library market bridge theatre school hospital prison museum chapel brewery
    lighthouse windmill granary foundry tannery bakery orchard quarry viaduct canal cemetery
    """.split()  # noqa: SIM905
)


def towns(*names: str) -> dict[str, Document]:
    """A corpus with a document for each place; `NAME-2` is another document on the same place."""
    return {
        name: Document(
            name,
            f"The {name.removesuffix('-2')} was built of grey stone by the monks of the valley. "
            "A flood took it away in spring. The council had it rebuilt twice after that, and it "
            "paid for the work with a tax on salt.",
            f"History of the old {name.removesuffix('-2')}",
        )
        for name in names
    }


def inside(prompt: str, name: str) -> str:
    return re.search(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)[1]


def answer(prompt: str) -> str:
    """Answer as a good writer and a good reader do."""
    if "<documents>" in prompt:
        return json.dumps({"queries": [query(*each) for each in documents(prompt)]})
    if "<passages>" in prompt:
        place = re.search(r"\w+$", inside(prompt, "query").rstrip("?"))[0]
        passages = re.findall(r"\[(\d+)\] (.*)", inside(prompt, "passages"))
        return json.dumps({"answers": [int(n) for n, text in passages if f" {place} " in text]})
    asked = inside(prompt, "query").rstrip("?")
    if "<forms>" in prompt:
        lines = inside(prompt, "forms").splitlines()
        return json.dumps({"bad": [n for n, line in enumerate(lines, 1) if "new" in line]})
    styles = re.findall(r"^- (\w+):", prompt, re.MULTILINE)
    text = {"polite": f"Please look for {asked}", "verbose": f"I want to read this: {asked}",
            "synonyms": f"{asked} of the new town", "reordered": asked}  # fmt: skip
    forms = [{"style": each, "text": text.get(each, f"{asked} {each}")} for each in styles]
    return json.dumps({"forms": forms})


def documents(prompt: str) -> list[tuple[int, str, str, int]]:
    """Number, form and place of each document, and the number of its first sentence."""
    found = re.findall(r"^Document (\d+) \((\w+)\)\..*? (\w+)\n\[(\d+)\]",
                       inside(prompt, "documents"), re.MULTILINE)  # fmt: skip
    return [(int(number), form, place, int(first)) for number, form, place, first in found]


def query(number: int, form: str, place: str, first: int) -> dict[str, object]:
    text = f"who paid for the {place}" if form == "keywords" else f"Who had to pay for the {place}?"
    return {"document": number, "query": text, "sentences": [first]}
