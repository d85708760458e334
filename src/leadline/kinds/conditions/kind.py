"""Conditions: whether a document that breaks one of k scores below one that meets all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline.benchmark import Benchmark
from leadline.kinds.cases import Failure, passage, provenance
from leadline.kinds.conditions.advice import Cause, examine
from leadline.kinds.conditions.metrics import FIRST, FOUND, LISTS, Decline, Noticed, Unseen
from leadline.kinds.kind import Kind, Probe
from leadline.metrics.names import label_of, read_name
from leadline.metrics.pairs import Adjacent, FlipRate, ScoreDifference, TieRate, WinRate
from leadline.metrics.ranking import NDCG
from leadline.report import Mean, Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Case, Curve, Figure
from leadline.report.wording import FEW, ByMetric, following_sentences, overlap, percent
from leadline.types import Query

MOST_CONDITIONS = 10


def _broken_conditions(benchmark: Benchmark, report: Report) -> Iterator[Failure]:
    """Find pairs where a document that breaks a condition scores at least as high."""
    for query in benchmark.queries:
        k = int(query.facets.get("k", 0))
        grades = benchmark.qrels.get(query.id, {})
        met = next((id for id, grade in grades.items() if grade == k), None)
        broken = next((id for id, grade in grades.items() if grade == k - 1), None)
        if met is None or broken is None:
            continue
        scores = report.run.get(query.id, {})
        high, low = scores.get(met), scores.get(broken)
        if high is None or low is None or high > low:
            continue
        margin = (low - high) / max(abs(high), abs(low), 1e-9)
        unseen = report.unseen.get(query.id, "")
        yield Failure(
            badness=margin,
            topic=query.topic,
            family=query.facets.get("edit", ""),
            case=Case(
                system=report.system,
                probe=benchmark.name,
                headline=_broken_headline(query, high, low),
                query=query.content,
                expected=passage(benchmark, met, scores),
                retrieved=passage(benchmark, broken, scores),
                expected_label="Meets every condition",
                retrieved_label=f"Breaks condition {k}",
                facts=provenance(query),
                causes=_causes(query, report),
            ),
            unseen=unseen,
        )


def _causes(query: Query, report: Report) -> dict[str, str]:
    """Return those causes of failures that are about edits like that of a query."""
    digits = any(letter.isdigit() for letter in query.facets.get("before", ""))
    causes = [Cause(**each) for each in report.examined.get("causes", [])]
    edit = query.facets.get("edit", "")
    return {each.name: each.text for each in causes if each.explains(edit, digits=digits)}


def _broken_headline(query: Query, high: float, low: float) -> str:
    is_tie = high == low
    verdict = (
        "Cannot tell the two apart, though in one" if is_tie else "Prefers the document in which"
    )
    before, after = query.facets.get("before", ""), query.facets.get("after", "")
    change = ""
    if before and after:
        change = f": “{before}” became “{after}”"
    elif before or after:
        change = f": “{after}” was put in" if after else f": “{before}” was taken out"
    return f"{verdict} condition {query.facets['k']} is broken{change}."


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    noticed = [
        bars_by_facet(_JUDGED, facet, benchmark, reports, chance=0.0, note=_NOTICED)
        for facet in ("k", "edit")
    ]
    controlled = any(noticed)
    curves = [curve_by_k(metric, benchmark, reports, controlled=controlled) for metric in _CURVES]
    other = None
    if not controlled:
        other = bars_by_facet("WinRate", "edit", benchmark, reports, chance=0.5)
    return [figure for figure in (*noticed, *curves, other) if figure is not None]


_JUDGED = "Noticed[unseen=missed]"
"""The headline: what `leadline gate` judges. A system gains nothing by seeing fewer cases."""

_NOTICED = (
    "How much more often a document falls when a condition is broken than when something of the "
    "same size is changed that no condition asks for. 0 is what such a harmless change gives, and "
    "what a case counts that the system could not see."
)


def curve_by_k(
    metric: str, benchmark: str, reports: Sequence[Report], *, controlled: bool = False
) -> Curve | None:
    """Return `WinRate` or `Adjacent` by number of conditions, a line a system; None without any.

    controlled  whether `Noticed` tells what chance gives, which for a win rate by itself is 0.5

    Source of the curve of Adjacent: Lu et al., MultiConIR, figure 4.
    """
    means = {report.system: report.means() for report in reports}
    names = {k: f"{metric}@{k}" for k in range(1, MOST_CONDITIONS + 1)}
    found = [k for k, name in names.items() if any(name in of for of in means.values())]
    if not found:
        return None
    places = tuple(range(found[0], found[-1] + 1))
    title, x_label, note = _CURVES[metric]
    return Curve(
        title=title,
        probe=benchmark,
        x_label=x_label,
        y_label="win rate",
        x=places,
        lines={system: tuple(of.get(names[k]) for k in places) for system, of in means.items()},
        note=f"{note} Ties count as losses.",
        chance=None if controlled else 0.5,
    )


_CURVES = {
    "WinRate": (
        "Win rate by number of conditions",
        "conditions in the query",
        "How often the document that meets all k conditions scores above the same document with "
        "condition k alone broken.",
    ),
    "Adjacent": (
        "Neighbours on the ladder by conditions met",
        "conditions met by the better document",
        "How often, under the query with all conditions, the document that meets k of them scores "
        "above the one that meets k - 1.",
    ),
}


def _sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    best, sentences = following_sentences(by_system, metric)
    metrics = by_system[best]
    if metric == _JUDGED:
        return [_noticing(best, metrics), *sentences[1:]]
    if metric != "WinRate":
        return sentences
    sentences[0] = _leading(best, metrics[metric])
    if along := _along_k(best, metrics):
        sentences.insert(1 + (len(by_system) > 1), along)
    if "FlipRate" in metrics:
        sentences.append(
            f"Writing the same conditions as prose changes the outcome in "
            f"{percent(metrics['FlipRate'].mean)} of its comparisons."
        )
    return sentences


def _noticing(system: str, metrics: ByMetric) -> str:
    """Say what a system notices beyond what it makes of changes that break nothing."""
    entry = metrics[_JUDGED]
    between = f"95\u00a0% interval {entry.low:.2f} to {entry.high:.2f}"
    if entry.low <= 0:
        said = (
            f"{system} does not tell a broken condition from a harmless change of the same size: "
            f"{label_of(_JUDGED)} {entry.mean:.2f} ({between})"
        )
    else:
        said = (
            f"{system} marks down a broken condition more often than a harmless change of the "
            f"same size: by {entry.mean:.2f} ({between}) of all cases"
        )
    return f"{said}."


def _leading(system: str, entry: Mean) -> str:
    share = percent(entry.mean)
    between = f"(95 % interval {percent(entry.low)} to {percent(entry.high)})"
    said = f"{system} puts the document that meets every condition first in {share} of pairs"
    return f"{said} {between}; {_versus(entry)}."


def _versus(entry: Mean) -> str:
    if entry.low <= 0.5 <= entry.high:
        return "that cannot be told from chance, which is 50 %".replace(" %", "\u00a0%")
    side = "chance is" if entry.low > 0.5 else "that is below chance, which is"
    return f"{side} 50\u00a0%"


def _along_k(system: str, metrics: ByMetric) -> str:
    """Say how a win rate changes from the fewest conditions to the most."""
    by_k = {k: name for name in metrics if (k := _curve_point(name))}
    places = sorted(k for k, name in by_k.items() if metrics[name].n >= FEW)
    if len(places) < 2:
        return ""
    first, last = (metrics[by_k[k]] for k in (places[0], places[-1]))
    fewest = f"{places[0]} condition" + ("" if places[0] == 1 else "s")
    ends = f"from {percent(first.mean)} with {fewest} to {percent(last.mean)} with"
    if overlap(first, last):
        return f"{system} goes {ends} {places[-1]}, but the two intervals overlap."
    verb = "falls" if last.mean < first.mean else "rises"
    return f"{system} {verb} {ends} {places[-1]}."


def _curve_point(name: str) -> int | None:
    """Return k of `WinRate@k`; None for another name."""
    parts = read_name(name)
    plain = parts.stem == "WinRate" and not parts.facet and not parts.options
    return parts.k if plain else None


KIND = Kind(
    name="conditions",
    question="Does the system notice when one condition of a query is not met?",
    metrics=(
        WinRate(),
        *(WinRate(k) for k in range(1, MOST_CONDITIONS + 1)),
        Adjacent(),
        *(Adjacent(k) for k in range(1, MOST_CONDITIONS + 1)),
        FlipRate(),
        WinRate(style="prose"),
        Adjacent(style="prose"),
        TieRate(),
        ScoreDifference(),
        Noticed(),
        Noticed(unseen="missed"),
        Unseen(),
        Decline(),
        FIRST,
        NDCG(10, where=LISTS),
        FOUND,
    ),
    main=(_JUDGED, "Unseen", "WinRate", "Adjacent", "FlipRate"),
    # No metric without a control: a document that an edit made longer falls in most systems.
    decides=(Noticed(unseen="missed"),),
    breakdowns=(
        "Noticed[unseen=missed,edit]",
        "Noticed[unseen=missed,k]",
        "Noticed[edit]",
        "Noticed[k]",
        "Unseen[edit]",
        "Unseen[k]",
        "WinRate[edit]",
        "WinRate[position]",
    ),
    sides={"style": "list"},
    failures=_broken_conditions,
    figures=_figures,
    sentences=_sentences,
    examine=examine,
    strict=True,
    probe=Probe(
        "leadline.kinds.conditions.by_rules:build",
        "a document that breaks one condition of a query must not score as high as the one that "
        "meets them all.",
        stand_in="leadline.kinds.neighbours:in_place_of",
    ),
)
