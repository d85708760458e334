"""A scripted writer and reader of conditions: facts are the numbers in sentences of a document."""

import json
import re

from leadline.text.tokens import tokens

SAYS = "to put it otherwise"
"""Words before the long form of a fact, which say nothing."""
_FILLER = set(tokens(SAYS))
_SENTENCE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


def inside(prompt: str, name: str) -> str:
    found = re.search(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)
    return found[1] if found else ""


def write(prompt: str, **changed: object) -> str:
    """Return a fact for every sentence with a number in it, the last one kept for controls.

    changed  fields of the first fact that are other than they should be
    """
    lines = [(int(n), text) for n, text in _SENTENCE.findall(inside(prompt, "document"))]
    stated = [(n, text, re.findall(r"\b\d+\b", text)) for n, text in lines]
    usable = [each for each in stated if each[2] and each[2].count(each[2][0]) == 1]
    *facts, (control, _, values) = usable
    drafts = [
        {
            "n": n, "short": " ".join(reversed(text.rstrip(".").split())),
            "long": f"{SAYS}, {text.rstrip('.')}", "old": held[0], "new": "77", "kind": "number",
            "control_n": control, "control_old": values[0], "control_new": "78",
        }
        for n, text, held in facts[:10]
    ]  # fmt: skip
    if "You have answered once" not in prompt:
        for draft in drafts[:1]:
            draft.update(changed)
    return json.dumps({"facts": drafts})


def read(prompt: str) -> str:
    """Return for every query the statements that have its words, all of them and no others."""
    statements = {
        int(n): _words(text) for n, text in _SENTENCE.findall(inside(prompt, "statements"))
    }
    asked = _SENTENCE.findall(inside(prompt, "queries"))
    return json.dumps(
        {n: [k for k, words in statements.items() if words == _words(text)] for n, text in asked}
    )


def read_all(prompt: str) -> str:
    """Return all statements for every query, as a weak model does."""
    count = len(_SENTENCE.findall(inside(prompt, "statements")))
    asked = _SENTENCE.findall(inside(prompt, "queries"))
    every = list(range(1, count + 1))
    return json.dumps({n: every for n, _ in asked})


def _words(text: str) -> set[str]:
    return set(tokens(text)) - _FILLER
