"""A corpus of invented appliances, with instructions on all six dimensions: for demonstrations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice

from leadline.benchmark import Benchmark
from leadline.kinds.instructions import invented_texts as texts
from leadline.kinds.instructions.cores import Core, as_benchmark
from leadline.kinds.instructions.invented_texts import Job
from leadline.kinds.instructions.wordings import capitalised
from leadline.types import Document

DIMENSIONS = ("audience", "keyword", "format", "language", "length", "source")


def build(*, seed: int = 0, limit: int = 100) -> Benchmark:
    """Return a benchmark of kind "instructions" over an invented corpus.

    Every model of an appliance belongs to one dimension, so that no document answers the query of
    another; documents on another job for the same model, and on what it looks like, are on topic
    and answer nothing.

    limit  core queries of each dimension
    """
    cores: list[Core] = []
    for number, dimension in enumerate(DIMENSIONS):
        rng = random.Random(f"{seed} {dimension}")
        for model_number, job in islice(_jobs(number), limit):
            cores.append(_core(dimension, number, model_number, job, rng))
    return as_benchmark(
        cores,
        {},
        name="instructions",
        seed=seed,
        source="invented household appliances",
        dropped=Counter(),
        builder="leadline.kinds.instructions.invented_corpus",
    )


def _jobs(number: int) -> Iterator[tuple[int, Job]]:
    """Go through the models of a dimension, each with the jobs that its appliance needs."""
    for model_number in count():
        yield from (
            (model_number, job)
            for job in texts.JOBS
            if _thing(number, model_number)[0] in job.things
        )


def _thing(number: int, model_number: int) -> tuple[str, str, str]:
    return texts.THINGS[(model_number + number) % len(texts.THINGS)]


class _Subject:
    """One job on one model, with what is drawn for it."""

    def __init__(self, model: str, thing: tuple[str, str, str], job: Job, rng: random.Random):
        self.model, self.job, self.rng = model, job, rng
        self.thing, self.chinese, self.french = thing
        self.title = f"{model} {self.thing}"
        self.does = job.verb.format(it=f"the {self.title}")
        first, second, third = job.steps
        self.steps = f"{first}, {second}, and then {third}"

    def says(self, text: str) -> str:
        """Fill in the names, in Chinese and French too."""
        thing = self.chinese if "{thing}" in text and text.startswith("{model}") else self.french
        return text.format(model=self.model, thing=thing)


def _core(dimension: str, number: int, model_number: int, job: Job, rng: random.Random) -> Core:
    brand = texts.BRANDS[model_number % len(texts.BRANDS)]
    thing = _thing(number, model_number)
    model = f"{brand} {'ABCDEF'[number]}{model_number // len(texts.BRANDS) + 2}0"
    subject = _Subject(model, thing, job, rng)
    id = f"{dimension}-{model.lower().replace(' ', '-')}-{job.name}"
    written = _WRITERS[dimension](subject)
    golds = {
        condition: Document(f"{id}~{place}", text, title)
        for place, (condition, (title, text)) in enumerate(written.items(), start=1)
    }
    names = {words: (words, words) for words in golds} if dimension == "keyword" else {}
    looks = Document(f"{id}~looks", _looks(subject), f"The looks of the {subject.title}")
    return Core(id, f"How do I {subject.does}?", dimension, golds, names, (looks,))


_Texts = Mapping[str, tuple[str, str]]
"""Condition -> title and text."""


def _by_audience(on: _Subject) -> _Texts:
    plain = (
        f"{on.job.why} So here is what you do to {on.does}: {on.steps}. That's all there is to it, "
        "and you don't need any tools. If something still seems wrong, just do it once more."
    )
    trade = (
        f"{on.job.trade} Procedure for the {on.title}: {on.job.before}; "
        f"{on.steps.replace(', and then', '; thereafter')}. Verification requires repeated "
        "measurement under nominal operating conditions, and documentation of residual deviation."
    )
    return {
        "layman": (f"The {on.title} made simple", plain),
        "expert": (f"Maintenance note: {on.title}", trade),
    }


def _by_keyword(on: _Subject) -> _Texts:
    return {
        words: (
            f"{capitalised(on.does)}, the {place} way",
            f"{sentence} This is one of the ways to {on.does}. Before you begin, {on.job.before}.",
        )
        for (words, sentence), place in zip(on.job.ways, ("first", "second", "third"), strict=True)
    }


def _by_format(on: _Subject) -> _Texts:
    command = on.job.command
    name = on.model.split()[0].lower()
    forum = (
        f"I had the same question about my {on.title}, so here is what worked for me. You can "
        f"simply {on.steps}. If you've got the shell open anyway, try this:\n\n```\n{command}\n```"
        "\n\nHope this helps!"
    )
    code = (
        f"```sh\n# {on.does}\n{name}ctl connect --model {on.model.split()[1]}\n"
        f"{name}ctl {command}\n{name}ctl status --verbose\n```"
    )
    manual = (
        f"**SYNOPSIS**\n{name}ctl {command.split(' --')[0]} [*options*]\n\n**DESCRIPTION**\n"
        f"Starts the procedure to {on.does}. The following options must be given before "
        "the appliance is switched on.\n\n**OPTIONS**\n**--minutes** *n*  Specifies the duration. "
        f"The default is 20.\n**--verbose**  Displays each step: {on.steps}.\n\n**RETURNS**\n"
        "0 on success."
    )
    return {
        "forum answer": (f"How do I {on.does}?", forum),
        "code snippet": ("", code),
        "official manual": (f"{name}ctl(1): {on.title}", manual),
    }


def _by_language(on: _Subject) -> _Texts:
    english = f"To {on.does}, {on.steps}. Do it again {on.job.again}."
    return {
        "english": (f"{capitalised(on.does)}", english),
        "chinese": (f"{on.model}{on.chinese}", on.says(on.job.chinese)),
        "french": (f"{on.model}, mode d'emploi", on.says(on.job.french)),
    }


def _by_length(on: _Subject) -> _Texts:
    first, second, third = on.job.steps
    sentence = f"To {on.does}, {first} and {second}."
    paragraph = (
        f"Here is how to {on.does}. First, {first}. Next, {second}. Last, {third}. "
        f"{on.job.why} The whole thing is easy, and no special tools are needed. "
        f"Do it again {on.job.again}."
    )
    return {
        "sentence": ("", sentence),
        "paragraph": (capitalised(on.does), paragraph),
        "article": (f"All you need to know to {on.does}", _article(on)),
    }


def _article(on: _Subject) -> str:
    first, second, third = map(capitalised, on.job.steps)
    return "\n\n".join(
        (
            f"Sooner or later every owner will want to {on.does}. "
            f"{on.job.why} This guide goes through the job from the first step to the last, and "
            "says what to do when something goes wrong.",
            f"Before you begin\n\n{capitalised(on.job.before)}. Clear some room around the "
            "appliance and see to it that you have enough light. Have the booklet "
            "at hand: the drawings on its second page show where every part sits. No "
            "special tools are needed, and nobody "
            "has to lift anything heavy. If you have never done this before, read the steps below "
            "once from the beginning to the end.",
            f"Step by step\n\n{first}. Take your time with this, since most mistakes are made "
            f"here. {second}. If you are not sure that this went well, do it once more before you "
            f"go on. {third}. When you have finished, put everything back in its place.",
            f"If it doesn't work\n\nSome owners of the {on.title} report that the job fails at the "
            "first attempt. In nearly every case one of the steps was skipped. Go back to the "
            "beginning and repeat the whole procedure once, without haste. Only when a second "
            "attempt fails is it time to ring the shop, which will want to know the number on the "
            "plate underneath.",
            f"How often\n\nDo it again {on.job.again}; there is no need to do it more often. Write "
            "the date on a slip of paper and keep it with the booklet, so that nobody has to "
            "guess when it was done last.",
        )
    )


def _by_source(on: _Subject) -> _Texts:
    asks, knows = on.rng.choice(texts.USERS)
    name, town = on.rng.choice(texts.NAMES), on.rng.choice(texts.TOWNS)
    day = on.rng.randint(2, 27)
    blog = (
        f"By {name}, {day} March 2024 | The Handy Home Blog\n\nI put this off for weeks! My "
        f"{on.title} had been sulking since Christmas, so last weekend I finally sat down with it. "
        f"All I had to do was this: {on.steps}. Honestly, my coffee took longer. Let me know in "
        "the comments below how yours went."
    )
    forum = (
        f"**{asks}:** Does anybody know how to {on.does}? Mine is playing up again.\n\n"
        f"**{knows}:** Easy. You {on.steps}.\n\n**{asks}:** That did it, thanks!\n\n"
        f"**{knows}:** Cheers. Do it again {on.job.again}."
    )
    news = (
        f"{town}, {day} March — Owners of the {on.title} have been told how to look after "
        "it, after "
        f"hundreds of calls to the maker. “People should {on.steps},” a spokeswoman said "
        "on Monday. "
        f"According to the company, calls about how to {on.does} rose by 12 per cent last year."
    )
    return {
        "blog": (f"My {on.title} and I", blog),
        "forum post": (f"{on.title}: help", forum),
        "news article": (f"Maker of the {on.title} advises owners", news),
    }


def _looks(on: _Subject) -> str:
    colours = on.rng.sample(("white", "slate grey", "sage green", "copper", "navy", "cream"), 3)
    return (
        f"The {on.title} is sold in {colours[0]}, {colours[1]} and {colours[2]}. Its handle is "
        f"made of beech, and it won a prize for its shape in {on.rng.randint(2012, 2023)}. "
        f"The matching cover costs {on.rng.randint(12, 40)} euros."
    )


_WRITERS: dict[str, Callable[[_Subject], _Texts]] = {
    "audience": _by_audience,
    "keyword": _by_keyword,
    "format": _by_format,
    "language": _by_language,
    "length": _by_length,
    "source": _by_source,
}
