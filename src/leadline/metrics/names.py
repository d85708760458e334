"""The one grammar of names of measures: `Name@k[option=value,facet=value]`.

In the brackets stand options of the metric first. The first key that is no option of it is a facet
of queries, and whatever follows, up to the last bracket, is the value of that facet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from leadline.errors import InputError, unknown
from leadline.metrics import (
    coherence,
    compliance,
    conditions,
    gold_ranks,
    noticed,
    pairs,
    positions,
    ranking,
)
from leadline.metrics.catalogue import CUT_OFFS, OPTIONS, RANKED, catalogue
from leadline.metrics.naming import written
from leadline.metrics.ranks import Ties
from leadline.metrics.topics import Where
from leadline.plugins import find, plugins
from leadline.types import Metric


@dataclass(frozen=True)
class MetricName:
    """The parts of a name such as `WinRate@3[style=prose,edit=number]`.

    value  of the facet; empty with a facet means "by that facet", as in `WinRate[edit]`
    """

    stem: str
    k: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    facet: str = ""
    value: str = ""

    @property
    def plain(self) -> str:
        """The name without its facet: `WinRate@3[style=prose]`."""
        return written(self.base, self.options)

    @property
    def base(self) -> str:
        """The name without anything in brackets: `WinRate@3`."""
        return self.stem if self.k is None else f"{self.stem}@{self.k}"

    def __str__(self) -> str:
        facet = {self.facet: self.value} if self.facet else {}
        return written(self.base, {**self.options, **facet})


def read_name(name: str) -> MetricName:
    """Return the parts of a name; what follows no grammar at all becomes the stem."""
    found = _NAME.fullmatch(name)
    if not found:
        return MetricName(name)
    k = int(found["k"]) if found["k"] else None
    inside, options = found["inside"] or "", {}
    known = OPTIONS.get(found["stem"], {})
    while (pair := _OPTION.match(inside)) and pair["key"] in known:
        options[pair["key"]] = pair["value"]
        inside = inside[pair.end() :]
    facet, _, value = inside.partition("=")
    return MetricName(found["stem"], k, options, facet, value)


def of_facet(name: str, facet: str, value: str) -> str:
    """Return the name of a measure over the queries that have a facet value."""
    parts = read_name(name)
    return str(MetricName(parts.stem, parts.k, parts.options, facet, value))


def parse(name: str, *, ties: Ties = "trec", where: Where = ()) -> Metric:
    """Return the metric that goes by a name: `nDCG@10`, `WinRate@3[style=prose]`, `RBO@5[p=0.8]`.

    ties, where  how ranking metrics break ties, and which queries they are about

    Raises InputError when nothing goes by that name, or an option does not fit it.
    """
    parts = read_name(name)
    stem = parts.stem
    if stem in plugins("metrics"):
        added: Metric = find("metrics", stem)(**({} if parts.k is None else {"k": parts.k}))
        return added
    if stem not in _BUILDERS:
        if stem in _IN_PYTHON:
            raise InputError(f"The metric {stem!r} {_IN_PYTHON[stem]}")
        raise unknown("metric", name, _examples(), "See: leadline list metrics")
    if parts.facet:
        known = ", ".join(OPTIONS.get(stem, ()))
        hint = f"It has: {known}." if known else "It has none."
        raise unknown(f"option of {stem}", parts.facet, OPTIONS.get(stem, ()), hint)
    k = _cut_off(name, parts)
    options = {
        option: _option(name, stem, option, value) for option, value in parts.options.items()
    }
    if stem in RANKED:
        options = {"ties": ties, "where": where, **options}
    return _BUILDERS[stem](**k, **options)


def _cut_off(name: str, parts: MetricName) -> dict[str, Any]:
    stem, k = parts.stem, parts.k
    wanted = CUT_OFFS.get(stem, "never")
    if k is None:
        if wanted == "always":
            raise InputError(f"The metric {stem!r} needs a cut-off: '{stem}@10'.")
        return {}
    if wanted == "never":
        raise InputError(f"The metric {stem!r} has no cut-off, got {name!r}.")
    if k < 1:
        raise InputError(f"k must be at least 1, got {k} in {name!r}.")
    return {"k": k}


def _option(name: str, stem: str, option: str, value: str) -> Any:
    known = OPTIONS[stem][option]
    if not known:
        return _number(name, value)
    if value not in known:
        raise unknown(f"{option} of {stem}", value, known, f"In {name!r}.")
    return value


def _number(name: str, value: str) -> float:
    try:
        return int(value) if value.isdecimal() else float(value)
    except ValueError:
        raise InputError(f"{value!r} in {name!r} is not a number.") from None


def _examples() -> list[str]:
    return [entry.name.replace("@k", "@10") for entry in catalogue()]


_NAME = re.compile(r"(?P<stem>[^@\[\]]+)(?:@(?P<k>\d{1,9}))?(?:\[(?P<inside>.+)\])?", re.DOTALL)
_OPTION = re.compile(r"(?P<key>[^=,\[\]]+)=(?P<value>[^,\[\]]*)(?:,|$)")

_BUILDERS: dict[str, Callable[..., Metric]] = {
    "nDCG": ranking.NDCG,
    "MRR": ranking.MRR,
    "MAP": ranking.MAP,
    "Recall": ranking.Recall,
    "P": ranking.Precision,
    "MeanRank": positions.MeanRank,
    "SetRank": positions.SetRank,
    "WinRate": pairs.WinRate,
    "TieRate": pairs.TieRate,
    "ScoreDifference": pairs.ScoreDifference,
    "Adjacent": pairs.Adjacent,
    "FlipRate": pairs.FlipRate,
    "Decline": conditions.Decline,
    "Noticed": noticed.Noticed,
    "Unseen": noticed.Unseen,
    "WISE": compliance.WISE,
    "IdealWISE": gold_ranks.IdealWISE,
    "GoldRank": gold_ranks.GoldRank,
    "SICR": compliance.SICR,
    "p-MRR": compliance.PairwiseMRR,
    "Robustness": compliance.Robustness,
    "RBO": coherence.RBO,
    "Spearman": coherence.Spearman,
}

_IN_PYTHON = {
    "Opportunity": "needs the scores of a reranker: coherence.RerankingOpportunity(reranked).",
    "ROUGE-1": "compares written answers, not rankings: answers.ROUGE1Recall().",
    "ExactMatch": "compares written answers, not rankings: answers.ExactMatch().",
    "ChoiceLetter": "reads written answers, not rankings: choices.ChoiceLetter().",
    "Judged": "is what a model says of written answers: leadline read --judge-model NAME.",
}
