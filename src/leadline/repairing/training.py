"""Models that are trained on the first half of the source documents, and proposed as changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.folder import write_corpus
from leadline.data.writing import output_folder
from leadline.errors import InputError
from leadline.preparing import Choices, Material, divided, opener, prepare, weights_of
from leadline.repairing.halves import falls_first, halves
from leadline.repairing.proposals import DEPTH, Cost, Proposal
from leadline.systems.chains import load_system, without_depth
from leadline.systems.spec import Stage, parse, written
from leadline.training.settings import LossSettings, Settings
from leadline.types import Corpus, Document

MOST_DOCUMENTS = 5000
RERANKED = 20
"""Documents that a trained reranker puts into a new order."""
PAIRS_A_SECOND = 40
"""About, of one processor core, for a cross-encoder of the size of minilm."""
LEARNT_FROM = "learnt-from"


@dataclass(frozen=True)
class Course:
    """Something to train for a chain.

    name      of the folder that the model comes to
    why       what it is meant to mend, in words
    base      whose weights it begins with
    place     number of the stage of the chain that it takes the place of; None for none
    static    whether a static embedding is made of the weights first
    loss      of a retriever; None for a reranker
    teacher   system whose scores a reranker learns; empty for none
    minutes   of one processor core that training takes, about
    """

    name: str
    why: str
    base: str
    minutes: int
    settings: Settings
    choices: Choices
    place: int | None = None
    static: bool = False
    loss: LossSettings | None = None
    teacher: str = ""

    def proposal(self, chain: str, folder: Path) -> Proposal:
        """Return the chain with the model of a folder in it."""
        chain, own = without_depth(chain)
        depth = own or DEPTH
        if self.loss is None:
            reranked = f"{chain}+{written([Stage('cross_encoder', str(folder))])}"
            depth = min(depth, RERANKED)
            return Proposal(self.why, (reranked,), Cost.TRAINING, depth)
        if self.place is None:
            joined = written([Stage("dense", str(folder))])
            return Proposal(self.why, (chain, joined), Cost.TRAINING, depth)
        stages = parse(chain)
        stages[self.place] = Stage("dense", str(folder), stages[self.place].options)
        return Proposal(self.why, (written(stages),), Cost.TRAINING, depth)


@dataclass
class Learnt:
    """Models that were trained, as proposals, and why others could not be, by name."""

    proposals: list[Proposal] = field(default_factory=list)
    lacking: dict[str, str] = field(default_factory=dict)


def courses(chain: str, seed: int = 0) -> list[Course]:
    """Return what can be trained for a chain.

    For coherence, its own encoder where that is `minilm` or a model named by `dense:`, else a
    static embedding of minilm whose ranking is joined; and a small reranker behind the chain. The
    settings are those of `studies/learning/coherence.py`, `make demo-train` and docs/reasoning.md.
    """
    stages = parse(without_depth(chain)[0])
    place = next((n for n, stage in enumerate(stages) if _trainable(stage)), None)
    if place is None:
        coherence = Course(
            "coherence", "join its ranking with an encoder that places rephrasings together",
            "minilm", 1, Settings(3e-3, steps=100, evaluations=4, seed=seed),
            Choices(negatives=3, seed=seed), static=True,
            loss=LossSettings("cr", alignment=5.0, margin=10.0),
        )  # fmt: skip
    else:
        coherence = Course(
            "coherence", "place rephrasings of a query together",
            stages[place].model or stages[place].name, 5,
            Settings(5e-5, 16, steps=50, evaluations=2, max_length=64, seed=seed),
            Choices(limit=600, negatives=1, documents=150, seed=seed),
            place, loss=LossSettings("cr", alignment=2.0, margin=10.0),
        )  # fmt: skip
    reranker = Course(
        "reranker", "read query and document together", "minilm", 8,
        Settings(1e-4, 8, steps=60, evaluations=3, max_length=96, seed=seed),
        Choices(limit=600, negatives=3, easy=4, seed=seed), teacher="minilm",
    )  # fmt: skip
    return [coherence, reranker]


def told_cost(wanted: Sequence[Course]) -> str:
    """Say what training will take, in a line."""
    parts = ", ".join(f"{each.name} about {each.minutes} min" for each in wanted)
    return f"Training takes time of one processor core: {parts}."


def told_trying(wanted: Sequence[Course], probes: Sequence[Benchmark]) -> str:
    """Say what trying a reranker will take beside that, in a line; empty where none is trained."""
    pairs = RERANKED * sum(len(each.queries) for each in probes)
    if not pairs or all(each.loss is not None for each in wanted):
        return ""
    minutes = max(1, round(pairs / PAIRS_A_SECOND / 60))
    return f"Trying the reranker takes up to {minutes} min more."


def first_half(corpus: Corpus, probes: Sequence[Benchmark], seed: int = 0) -> dict[str, Document]:
    """Return the documents that may be learnt from.

    Those that fall into the first half, without any that a query of a second half judges or comes
    from; of more than `MOST_DOCUMENTS` so many, drawn by the seed.
    """
    unseen: set[str] = set()
    for probe in probes:
        _, second = halves(probe, seed)
        unseen.update(id for grades in second.qrels.values() for id in grades)
        unseen.update(query.facets.get("document", "") for query in second.queries)
    kept = [id for id in corpus if id not in unseen and falls_first(id, seed)]
    if len(kept) > MOST_DOCUMENTS:
        drawn = set(random.Random(f"{seed} learnt").sample(kept, MOST_DOCUMENTS))
        kept = [id for id in kept if id in drawn]
    return {id: corpus[id] for id in kept}


def train_proposals(
    chain: str,
    wanted: Sequence[Course],
    corpus: Corpus,
    probes: Sequence[Benchmark],
    out: Path,
    *,
    seed: int = 0,
) -> Learnt:
    """Train each course on the first half, and return the chains with the models in them.

    out  takes a folder for each model, and `learnt-from` with the documents that were read

    Raises MissingExtraError without the extra `train`.
    """
    source = output_folder(out / LEARNT_FROM)
    write_corpus(source / "corpus.jsonl", first_half(corpus, probes, seed))
    learnt = Learnt()
    for course in wanted:
        folder = out / course.name
        try:
            _train(course, source, folder)
        except InputError as error:
            learnt.lacking[course.name] = str(error)
        else:
            learnt.proposals.append(course.proposal(chain, folder))
    return learnt


def _trainable(stage: Stage) -> bool:
    """Tell whether training knows all that stands for an encoder: no row with prompts of its own.

    Options that name further models, or another place for the weights, are left alone.
    """
    others = ("query_model", "adapter", "query_adapter", "document_adapter", "revision")
    named = stage.name == "minilm" or (stage.name == "dense" and stage.model != "")
    return named and not any(option in stage.options for option in others)


def _train(course: Course, source: Path, folder: Path) -> None:
    miner = load_system("bm25", depth=course.choices.depth).retriever
    material = prepare([source], miner, course.choices)
    if course.loss is None:
        _train_reranker(course, material, folder)
        return
    from leadline.training.retriever import train

    train(
        opener(course.base, static=course.static), material.examples, material.validation, folder,
        base=f"{course.base} (static)" if course.static else course.base, loss=course.loss,
        settings=course.settings, data=material.facts,
    )  # fmt: skip


def _train_reranker(course: Course, material: Material, folder: Path) -> None:
    from leadline.training.reranker import train_reranker
    from leadline.training.teacher import scored

    held, taught = divided(material.examples, course.settings.seed)
    facts: dict[str, Any] = dict(material.facts)
    if course.teacher:
        taught = scored(taught, load_system(course.teacher))
        facts["teacher"] = course.teacher
    train_reranker(
        weights_of(course.base), taught, held, folder,
        loss="distilled" if course.teacher else "listwise", settings=course.settings, data=facts,
    )  # fmt: skip
