"""A writer and a verifier of ladders of conditions, for tests of what asks them."""

import json
import re

GOODS = ("rye", "salt", "tar", "wool", "iron", "hemp", "wine", "coal", "flax", "tin", "oats")
SENTENCES = [f"The clerk of the port counted {n} barrels of {good} that week."
             for n, good in enumerate(GOODS, 11)]  # fmt: skip
SHORT = [f"Port clerk's weekly tally shows {n} casks of {good}" for n, good in enumerate(GOODS, 11)]


def inside(prompt: str, name: str) -> str:
    return re.search(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)[1]


def facts(text: str) -> list[tuple[str, str]]:
    return re.findall(r"(\d+) (?:barrels|casks) of (\w+)", text)


def write(prompt: str) -> str:
    """Answer as a good writer does."""
    if "pick 10 of its sentences" in prompt:
        found = re.findall(r"The clerk of .*?\.", inside(prompt, "document"))
        return json.dumps({"conditions": found[:10]})
    if "short forms" in prompt:
        prose = ["Find the log with " + ", then with ".join(
                     f"a weekly count of {n} casks of {good}" for n, good in
                     list(enumerate(GOODS, 11))[:k]) + "."
                 for k in range(1, 11)]  # fmt: skip
        return json.dumps({"short": SHORT[:10], "prose": prose})
    sentence = inside(prompt, "sentence")
    number = facts(sentence)[0][0]
    return json.dumps({"sentence": sentence.replace(number, f"9{number}"), "changed": "number"})


def read(prompt: str) -> str:
    """Answer as a good verifier does."""
    if "how many of the 10 facts" in prompt:
        queries = inside(prompt, "queries").splitlines()
        return json.dumps({"stated": [len(facts(each)) for each in queries]})
    if "<statements>" in prompt:
        told = [set(facts(each)) for each in inside(prompt, "statements").splitlines()]
        asked = [set(facts(each)) for each in inside(prompt, "conditions").splitlines()]
        rows = [[n for n, has in enumerate(told, 1) if each <= has] for each in asked]
        return json.dumps({"rows": rows})
    told = set(facts(inside(prompt, "text")))
    return json.dumps({"holds": set(facts(inside(prompt, "condition"))) <= told})
