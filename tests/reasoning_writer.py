"""A writer and a judge that play the steps of the reasoning pipeline."""

import hashlib
import json
import re

STARTS = {
    "seed query": "Write the short query",
    "persona": "Invent a person",
    "daily query": "A person has a need",
    "expert query": "Write what somebody who works in the field",
    "plan": "Plan passages about the question",
    "solution": "Work out the answer to the question below, step by step",
    "materials": "Below stand a question and a solution",
    "negatives": "Below stand a question and descriptions",
    "passage": "Write the passage",
    "judgement": "Decide whether a passage is relevant",
}

NOUNS = ("weir", "lintel", "culvert", "gauge", "damper", "flue", "rafter")


def step_of(prompt: str) -> str:
    """Return which step asks; empty for a question that shows an answer again."""
    return next((name for name, start in STARTS.items() if start in prompt), "")


def text_in(prompt: str, name: str) -> str:
    """Return what stands between the marks of a field."""
    found = re.findall(rf"<{name}>\s*(.*?)\s*</{name}>", prompt, re.DOTALL)
    return found[-1] if found else ""  # a system turn names the marks first


def answered(prompt: str) -> str:
    """Return a good answer of any step; the judge is right except about 'marsh'."""
    step = step_of(prompt)
    if not step:
        return "no"
    query = text_in(prompt, "query")
    key = query.split()[-1] if query else ""
    if step == "seed query":
        document = text_in(prompt, "document")
        return json.dumps({"query": f"what holds {_words(document, 1)[0]} {document.split()[-1]}"})
    if step == "persona":
        return json.dumps({"persona": f"A keeper of the {key} who measures twice."})
    if step == "daily query":
        scenario = f"Last spring our {key} stood dry and the cellar was wet all the same."
        return json.dumps(
            {"scenario": scenario, "query": f"Where from {' '.join(_words(query, 9))} at {key}"}
        )
    if step == "expert query":
        return json.dumps({"query": f"Tables say {' '.join(_words(query, 9))}; why at {key}"})
    if step == "solution":
        return f"1. The {key} lets water pass. 2. The rest follows from its level."
    materials = [
        {"description": f"How a {noun} bears on {query}", "relation": kind}
        for noun, kind in zip(NOUNS, ("direct", "indirect", "indirect", "indirect"), strict=False)
    ]
    negatives = [f"Painting a {noun} at {query}" for noun in NOUNS[2:6]]
    if step == "plan":
        solution = f"1. The {key} lets water pass. 2. The rest follows from its level."
        return json.dumps({"solution": solution, "materials": materials, "negatives": negatives})
    if step == "materials":
        more = [{**each, "description": f"{each['description']}, again"} for each in materials[1:]]
        return json.dumps({"materials": [*materials, *more]})
    if step == "negatives":
        return json.dumps({"negatives": [*negatives, f"Painting a roof at {query}"]})
    if step == "passage":
        told = text_in(prompt, "description")
        return f"{told} {' '.join(_words(told, 60))}"
    passage = text_in(prompt, "passage")
    relevant = "Painting" not in passage and "marsh" not in passage
    return f"It is about {passage[:20]}.\n\nrelevant: {'yes' if relevant else 'no'}"


def _words(text: str, count: int) -> list[str]:
    """Return made-up words that another text does not have."""
    digests = (hashlib.sha256(f"{text} {n}".encode()).hexdigest()[:9] for n in range(count))
    return [each.translate(str.maketrans("0123456789", "ghijklmnop")) for each in digests]


MALFORMED = {
    "seed query": '{"query": ""}',
    "persona": "A keeper, in prose.",
    "daily query": '{"scenario": "It was dry."}',
    "expert query": '{"question": "no such field"}',
    "plan": '{"solution": "1. It lets water pass, so.", "materials": [], "negatives": []}',
    "solution": "No.",
    "materials": '{"materials": [{"description": "one alone", "relation": "direct"}]}',
    "negatives": '{"negatives": "none"}',
    "passage": "Too short.",
    "judgement": "relevant: yes",
}
"""An answer that cannot be used, for every step."""
