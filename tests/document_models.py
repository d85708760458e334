"""A writer and a verifier of documents that do what they are told, for tests of what asks them."""

import json
import re
from itertools import product

from leadline.kinds.implicit_facts.places import read_places
from leadline.kinds.implicit_facts.pools import POOLS, Binder, Order, Plan

_FACTS = {
    "purchase": r"- The price of (?P<base>.*): (?P<price>\$[\d,]+)\.\n- How the two compare: "
    r"(?P<ratio>.*?)\. Say.*\n- What .* bought: (?P<got>.*)\.",
    "schedule": r"does: (?P<doing>.*)\.\n- When.*: (?P<when>.*)\.\n- At .*: (?P<hours>.*)\.",
    "day": r"- The member (?P<did>.*)\.\n- When.*: (?P<when>.*)\.",
    "visit": r"was at (?P<landmark>.*), which.*\n- What for: (?P<reason>.*)\.",
    "outing": r"- The member (?P<did_it>.*)\.\n- It took place at (?P<landmark>.*), which",
}
_TOLD = {
    "purchase": "{base} costs {price}, {ratio}, and I bought {got}.",
    "schedule": "{when} I have {doing} in my calendar, {hours}.",
    "day": "It was {when} that I {did}.",
    "visit": "I was at {landmark} for {reason}.",
    "outing": "I {did_it} at {landmark}.",
}


def order(**changes) -> Order:
    places = read_places().places
    return Order(**({"seed": 3, "sets": 2, "tuples": 3, "places": places} | changes))


def kind_of(prompt: str) -> str:
    """Return "phrases", "chat", "post" or "verify"."""
    if "Think of" in prompt:
        return "phrases"
    if "Write a chat" in prompt:
        return "chat"
    return "post" if "Write the reply" in prompt else "verify"


class Models:
    """Answers every prompt of documents by a language model, as a good model would."""

    def __init__(self, order: Order, pools=POOLS) -> None:
        self.plans: list[Plan] = []
        for name in pools:
            binder = Binder(name, order)
            for number in range(order.sets):
                self.plans += binder.plans(number)

    def __call__(self, prompt: str) -> str:
        kind = kind_of(prompt)
        if kind == "verify":
            return json.dumps(recovered(self.plan_in(prompt)))
        return phrases(prompt) if kind == "phrases" else json.dumps(document(prompt))

    def plan_in(self, prompt: str) -> Plan:
        """Return the plan of the document that a prompt shows."""
        text = prompt.partition("<document>")[2]
        found = [plan for plan in self.plans if plan.speaker in text and _thing(plan) in text]
        assert len(found) == 1, text
        return found[0]

    def plan_of(self, prompt: str) -> Plan:
        """Return the plan that a prompt asks a document for."""
        found = [
            plan
            for plan in self.plans
            if plan.speaker in prompt and _thing(plan) in prompt and plan.partner in prompt
        ]
        assert len(found) == 1, prompt
        return found[0]


def phrases(prompt: str) -> str:
    wanted = int(re.search(r"Think of (\d+)", prompt)[1])
    words = ("Oh", "Well", "Listen", "Honestly"), ("dear", "friend", "sir"), ("indeed", "no", "yes")
    told = [" ".join(each) for each in product(*words)]
    return json.dumps({"phrases": told[:wanted]})


def document(prompt: str, fact: str = "") -> dict:
    """Return a chat or a reply that tells the facts of a prompt, or another fact."""
    told = fact or told_in(prompt)
    opening = re.search(r"begins with exactly these words:\n<opening>\n(.*)\n</opening>", prompt)[1]
    small = ["How odd.", "I see.", "Who would have thought it.", "Well, well.", "That is all."]
    if kind_of(prompt) == "post":
        return {"sentences": [f"{opening}.", told, *small[:3]]}
    speaker, partner = re.search(r"friends, (.*) and (.*)\. It has", prompt).groups()
    first = re.search(r"; (.*) writes the first", prompt)[1]
    second = partner if first == speaker else speaker
    texts = [f"{opening}.", *small, *small][:10]
    who = [first, second] * 5
    texts[who.index(speaker, 1)] = told
    return {"utterances": [{"speaker": w, "text": t} for w, t in zip(who, texts, strict=True)]}


def told_in(prompt: str) -> str:
    for kind, pattern in _FACTS.items():
        if found := re.search(pattern, prompt):
            told = _TOLD[kind].format(**found.groupdict())
            return told[0].upper() + told[1:]
    raise AssertionError(prompt)


def recovered(plan: Plan) -> dict:
    """Return what a good reader finds in the document of a plan."""
    values, slots = plan.values, plan.slots
    if plan.pool.startswith("arithmetic"):
        return {
            "working": "",
            "bought": f"{slots[slots['got']]} {slots.get('item', '')}",
            "paid": values["target"],
            "other": slots[slots["base"]],
            "other_price": values["base"],
        }
    if plan.pool == "temporal_unispeaker":
        start, end = values["hours"]
        days = list(values["days"])
        return {"working": "", "activity": slots["doing"], "days": days, "start": start, "end": end}
    if plan.pool == "temporal_multispeaker":
        who, day = plan.speaker, values["target"]
        return {"working": "", "member": who, "activity": slots["did"], "date": day}
    purpose = slots.get("reason") or slots["did_it"]
    return {"landmark": values["landmark"], "purpose": purpose, "elsewhere": []}


def _thing(plan: Plan) -> str:
    slots = plan.slots
    name = {"arithmetic": slots.get("brand") or slots.get("item")}
    return (
        name.get(plan.pool.split("_")[0])
        or slots.get("doing")
        or slots.get("did")
        or (plan.values["landmark"].removeprefix("The "))
    )
