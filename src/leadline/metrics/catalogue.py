"""What every metric says, between what bounds it lies, its options, and where it is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from leadline.metrics import coherence, compliance
from leadline.metrics.answers import ROUGE_MODES
from leadline.metrics.ranks import TIES
from leadline.plugins import find, plugins

CutOff: TypeAlias = Literal["always", "sometimes", "never"]

_RANKING = "trec_eval"
_CONDITIONS = "Lu et al., MultiConIR"
_INSTRUCTIONS = "Zhou et al., InfoSearch"
_COHERENCE = "Campese et al., Improving Document Retrieval Coherence"
_ANSWERS = "Taghavi et al., ImpliRet"


@dataclass(frozen=True)
class MetricEntry:
    """One line of the list of metrics.

    name     as it is typed, `@k` standing for a cut-off
    low, high  the bounds of a value; None where there is none
    better   `higher` or `lower`; `neither` where a value only describes
    meaning  in one line
    source   the paper or tool whose definition it follows
    modes    option -> values, the default first
    qualifies  the metric that it only says something of; such a one never ranks systems
    """

    name: str
    low: float | None
    high: float | None
    better: Literal["higher", "lower", "neither"]
    meaning: str
    source: str
    modes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    qualifies: str = ""

    @property
    def range(self) -> str:
        """The bounds as people write them: `0..1`, `1..`, `any`."""
        if self.low is None and self.high is None:
            return "any"
        low, high = ("" if each is None else f"{each:g}" for each in (self.low, self.high))
        return f"{low}..{high}"

    @property
    def options(self) -> str:
        """The modes as people write them: `mode=paper|code_head`."""
        return " ".join(f"{key}={'|'.join(each) or '...'}" for key, each in self.modes.items())


def catalogue() -> tuple[MetricEntry, ...]:
    """Return every metric, in the order of the concerns; those of the user's own kinds last."""
    installed = (find("metrics", name).entry for name in plugins("metrics"))
    return (*_ENTRIES, *installed, *_ADDED)


def add_entries(entries: Iterable[MetricEntry]) -> None:
    """Say what metrics of a user's own kind mean, in this process."""
    known = {entry.name for entry in catalogue()}
    _ADDED.extend(entry for entry in entries if entry.name not in known)


_ADDED: list[MetricEntry] = []


RANKED = ("nDCG", "MRR", "MAP", "Recall", "P")

CUT_OFFS: dict[str, CutOff] = {
    **dict.fromkeys((*RANKED, "Robustness", "RBO", "Spearman"), "always"),
    **dict.fromkeys(("WinRate", "TieRate", "ScoreDifference", "Adjacent"), "sometimes"),
}
"""Whether a name has a cut-off; never where it is not listed."""

_PAIRS: dict[str, tuple[str, ...]] = {"pairs": ("original", "all")}
_STYLE: dict[str, tuple[str, ...]] = {"style": ("list", "prose")}
OPTIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    **{stem: {"ties": TIES} for stem in RANKED},
    "MeanRank": {"ties": ("stable", "trec", "id")},
    "SetRank": {"ties": ("stable", "trec", "id")},
    "WinRate": _STYLE,
    "TieRate": _STYLE,
    "ScoreDifference": _STYLE,
    "Adjacent": _STYLE,
    "Decline": _STYLE,
    "Noticed": {"unseen": ("left_out", "missed")},
    "WISE": {"mode": compliance.WISE_MODES, "k": ()},
    "IdealWISE": {"mode": compliance.WISE_MODES},
    "GoldRank": {"mode": ("original", "instructed", "reversed")},
    "SICR": {"mode": compliance.SICR_MODES, "scores": ("score", "rank")},
    "Robustness": {"mode": ("instructed", "original", "reversed")},
    "RBO": {"variant": coherence.VARIANTS, "p": (), **_PAIRS},
    "Spearman": {"over": ("union", "intersection"), **_PAIRS},
    "Opportunity": {"members": ("others", "all")},
    "ROUGE-1": {"mode": ROUGE_MODES, "extraction": ("default", "published")},
    "ExactMatch": {"extraction": ("default", "published")},
}
"""Stem -> option -> its values, the default first; no values for a number."""


def _entry(
    name: str,
    bounds: tuple[float | None, float | None],
    better: Literal["higher", "lower", "neither"],
    meaning: str,
    source: str,
    qualifies: str = "",
) -> MetricEntry:
    modes = OPTIONS.get(name.partition("@")[0], {})
    return MetricEntry(name, *bounds, better, meaning, source, modes, qualifies)


_SHARE = (0, 1)
_SIGNED = (-1, 1)
_ENTRIES: tuple[MetricEntry, ...] = (
    _entry("nDCG@k", _SHARE, "higher", "relevant documents, discounted by rank", _RANKING),
    _entry("MRR@k", _SHARE, "higher", "one over the rank of the first relevant document", "BEIR"),
    _entry("MAP@k", _SHARE, "higher", "precision at each relevant document, averaged", _RANKING),
    _entry("Recall@k", _SHARE, "higher", "relevant documents found in the first k", _RANKING),
    _entry("P@k", _SHARE, "higher", "share of the first k that is relevant", _RANKING),
    _entry("MeanRank", (1, None), "lower", "rank of the first relevant document", _ANSWERS),
    _entry("SetRank", (1, None), "lower", "its rank among its tuple set only", _ANSWERS),
    _entry(
        "WinRate", _SHARE, "higher",
        "a document that meets all conditions beats one that misses one; mean over k", _CONDITIONS,
    ),
    _entry("WinRate@k", _SHARE, "higher", "the same for queries of k conditions", _CONDITIONS),
    _entry(
        "TieRate", _SHARE, "lower", "comparisons of WinRate that are ties", _CONDITIONS, "WinRate",
    ),
    _entry(
        "ScoreDifference", (None, None), "neither",
        "by how much WinRate's better document scores higher", _CONDITIONS, "WinRate",
    ),
    _entry(
        "Adjacent", _SHARE, "higher",
        "a document that meets one condition more scores higher; mean over k", _CONDITIONS,
    ),
    _entry("Adjacent@k", _SHARE, "higher", "k conditions met against k - 1", _CONDITIONS),
    _entry(
        "Decline", _SIGNED, "lower",
        "win rate with one condition minus that with the most", _CONDITIONS, "WinRate",
    ),
    _entry(
        "FlipRate", _SHARE, "lower",
        "comparisons of Adjacent that turn when a list becomes prose", _CONDITIONS, "Adjacent",
    ),
    _entry(
        "Noticed", _SIGNED, "higher",
        "win rate on edits minus that on neutral changes of their size, of cases that the system "
        "could see; unseen=missed counts the others as not noticed", "Leadline",
    ),
    _entry(
        "Unseen", _SHARE, "lower",
        "cases that the system could not see: cut off, or words that it drops", "Leadline",
        "Noticed",
    ),
    _entry(
        "WISE", _SIGNED, "higher",
        "reward for documents that rise when asked for and fall when refused", _INSTRUCTIONS,
    ),
    _entry(
        "IdealWISE", _SIGNED, "neither",
        "WISE if every document came first when asked for and fell when refused", _INSTRUCTIONS,
        "WISE",
    ),
    _entry(
        "GoldRank", (1, None), "neither",
        "mean rank of the document asked for, in one mode", _INSTRUCTIONS, "WISE",
    ),
    _entry(
        "SICR", _SHARE, "higher",
        "documents that rise when asked for and fall when refused, strictly", _INSTRUCTIONS,
    ),
    _entry(
        "p-MRR", _SIGNED, "higher",
        "how far documents fall that an instruction made non-relevant", "Weller et al., FollowIR",
    ),
    _entry(
        "Robustness@k", _SHARE, "higher",
        "lowest nDCG@k among the instructions of a query", _INSTRUCTIONS,
    ),
    _entry(
        "RBO@k", _SHARE, "higher",
        "overlap of the first k for a query and its rephrasings (ext, p=0.9)", "Webber et al. 2010",
    ),
    _entry(
        "Spearman@k", _SIGNED, "higher",
        "rank correlation of the first k for a query and its rephrasings", _COHERENCE,
    ),
    _entry(
        "Opportunity@k", _SHARE, "higher",
        "rephrasings that keep the best document in a reranker's reach", _COHERENCE,
    ),
    _entry("ROUGE-1", _SHARE, "higher", "words of the gold answer found in an answer", _ANSWERS),
    _entry("ExactMatch", _SHARE, "higher", "answers that are a form of the gold answer", "SQuAD"),
    _entry(
        "ChoiceLetter", _SHARE, "higher", "answers that settle on the letter of the right choice",
        "GPQA",
    ),
    _entry(
        "Judged", _SHARE, "higher", "answers that a model judges to come to the right choice",
        "Song et al., LimRank",
    ),
)  # fmt: skip
