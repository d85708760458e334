"""A writer and a reader of questions and rephrasings, for tests of what asks them."""

import json
import re

from facts_writer import read
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
    if "<statements>" in prompt:
        return read(prompt)
    if "<documents>" in prompt:
        return json.dumps({"queries": [query(*each) for each in documents(prompt)]})
    if "<document>" in prompt:
        form = "question" if "one short question" in prompt else "keywords"
        return json.dumps({"query": query(1, form, place(inside(prompt, "document")), 1)["query"]})
    if "<passages>" in prompt:
        asked = re.search(r"for the (.+)", inside(prompt, "query").rstrip("?"))[1]
        passages = re.findall(r"\[(\d+)\] (.*)", inside(prompt, "passages"))
        return json.dumps({"answers": [int(n) for n, text in passages if f" {asked} " in text]})
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
    blocks = re.split(r"^(?=Document )", inside(prompt, "documents"), flags=re.MULTILINE)
    found = (re.match(r"Document (\d+) \((\w+)\).*\n\[(\d+)\]", each) for each in blocks if each)
    placed = zip(found, (each for each in blocks if each), strict=True)
    return [(int(one[1]), one[2], place(text), int(one[3])) for one, text in placed]


def place(text: str) -> str:
    """What a document is about: `rebuilt the old mill in 1871`, `History of the old mill`."""
    found = re.search(r"rebuilt the (.+?) in |History of the old (\w+)", text)
    return (found[1] or found[2]) if found else text.split()[-1]


def query(number: int, form: str, place: str, first: int) -> dict[str, object]:
    text = f"who paid for the {place}" if form == "keywords" else f"Who had to pay for the {place}?"
    return {"document": number, "query": text, "sentences": [first]}
