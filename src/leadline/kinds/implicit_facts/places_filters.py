"""Filters of landmarks that need a model: a name close to its country's, generic or revealing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from leadline import progress
from leadline.errors import InputError
from leadline.kinds.implicit_facts.places import COSINE_LIMIT, Place, Table
from leadline.llm.ask import Asking, Question, ask
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import Step
from leadline.types import LLM, Document, Query, Retriever

_BLOCK = 1024


class _Verdict(BaseModel):
    specific: bool
    reveals: bool


def far_from_countries(table: Table, encoder: Retriever, limit: float = COSINE_LIMIT) -> Table:
    """Return the table without names that are as close as `limit` to the name of their country.

    encoder  a retriever whose scores are cosines, such as a dense one
    limit    cosine, -1 to 1; a name at it or above is dropped

    Raises InputError when no place is left.
    Source: ImpliRet, appendix A.2, which takes Contriever.
    """
    countries = {place.code: Document(place.code, place.country) for place in table.places}
    index = encoder.index(countries)
    kept: list[Place] = []
    blocks = range(0, len(table.places), _BLOCK)
    for start in progress.track(blocks, "Names against countries", len(blocks)):
        block = table.places[start : start + _BLOCK]
        queries = [Query(str(number), place.name) for number, place in enumerate(block)]
        run = index.search(queries, len(countries))
        kept += [
            place
            for query, place in zip(queries, block, strict=True)
            if run[query.id].get(place.code, -1.0) < limit
        ]
    return _reduced(table, kept, {"close to its country's name": len(table.places) - len(kept)})


def specific(table: Table, llm: LLM, step: Step) -> Table:
    """Return the table without names that a language model calls generic or revealing.

    step  counts what was asked; a place without a usable answer is dropped too

    Raises InputError when no place is left.
    Source: ImpliRet, appendix A.2.
    """
    prompt = Prompt.load(__package__, "judge_place_name")
    questions = [Question(texts={"place": _described(each)}, source=each) for each in table.places]
    example = _Verdict(specific=True, reveals=False)
    kept: list[Place] = []
    dropped: Counter[str] = Counter()
    asking = Asking(max_tokens=4096)
    for made in ask(llm, prompt, questions, _Verdict, asking, step, example=example):
        if not made.value.specific:
            dropped["called generic by the model"] += 1
        elif made.value.reveals:
            dropped["called revealing by the model"] += 1
        else:
            kept.append(made.source)
    dropped["without a usable verdict"] = len(table.places) - len(kept) - dropped.total()
    return _reduced(table, kept, dropped)


def _described(place: Place) -> str:
    return f"{place.name}\nCountry: {place.country}"


def _reduced(table: Table, kept: Sequence[Place], dropped: Mapping[str, int]) -> Table:
    counts = Counter(table.dropped) + Counter(dropped)
    if not kept:
        reasons = ", ".join(f"{count} {reason}" for reason, count in counts.most_common())
        raise InputError(f"No place is left after the filters ({reasons}).")
    return Table(tuple(kept), dict(sorted(counts.items())))
