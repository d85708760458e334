"""What the results say, in a few plain sentences computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leadline.pages.glossary import is_better, meaning_of, parse
from leadline.pages.tables import Results, main_metrics, metrics_by_system, probes_of

ByMetric = Mapping[str, Any]

FEW = 30  # units below which a mean of a slice is not worth a sentence


@dataclass(frozen=True)
class Finding:
    """What the results of one probe say."""

    probe: str
    sentences: tuple[str, ...]


def findings(results: Results) -> list[Finding]:
    """Return a few sentences for each probe: who is best, and where it breaks."""
    found = []
    for probe in probes_of(results):
        main = main_metrics(results, probe)
        by_system = {
            system: metrics
            for system, metrics in metrics_by_system(results, probe).items()
            if main and main[0] in metrics
        }
        if by_system:
            found.append(Finding(probe, tuple(_sentences(by_system, main[0]))))
    return found


def _sentences(by_system: Mapping[str, ByMetric], metric: str) -> list[str]:
    best = _best(by_system, metric)
    metrics = by_system[best]
    sentences = [
        _leading(best, metric, metrics[metric], alone=len(by_system) == 1),
        _others(by_system, best, metric),
        _along_k(best, metric, metrics),
        _weakest_slice(best, metric, metrics),
    ]
    if metric == "WinRate" and "FlipRate" in metrics:
        sentences.append(
            f"Writing the same conditions as prose changes the outcome in "
            f"{_percent(metrics['FlipRate']['mean'])} of its comparisons."
        )
    return [sentence for sentence in sentences if sentence]


def _best(by_system: Mapping[str, ByMetric], metric: str) -> str:
    best = next(iter(by_system))
    for system, metrics in by_system.items():
        if is_better(metric, metrics[metric]["mean"], by_system[best][metric]["mean"]):
            best = system
    return best


def _leading(system: str, metric: str, entry: Mapping[str, Any], *, alone: bool) -> str:
    share = _percent(entry["mean"])
    between = f"(95 % interval {_percent(entry['low'])} to {_percent(entry['high'])})"
    stem = parse(metric).stem
    if stem == "WinRate":
        return (
            f"{system} notices a broken condition in {share} of pairs {between}; {_versus(entry)}."
        )
    if stem == "RBO":
        return (
            f"When a query is rephrased, the first {parse(metric).k} documents of {system} "
            f"{'overlap' if alone else 'stay most alike'}: {metric} {_figures(entry)}, where 1 "
            "means unchanged."
        )
    figures = f"{metric} {entry['mean']:.1f}" if meaning_of(metric).span is None else ""
    figures = figures or f"{metric} {_figures(entry)}"
    return f"{system} reaches {figures}." if alone else f"{system} does best: {figures}."


def _versus(entry: Mapping[str, Any]) -> str:
    if entry["low"] <= 0.5 <= entry["high"]:
        return "that cannot be told from chance, which is 50 %".replace(" %", "\u00a0%")
    side = "chance is" if entry["low"] > 0.5 else "that is below chance, which is"
    return f"{side} 50\u00a0%"


def _others(by_system: Mapping[str, ByMetric], best: str, metric: str) -> str:
    """Say how far the next system is, and whether the intervals keep the two apart."""
    rest = {system: metrics for system, metrics in by_system.items() if system != best}
    if not rest:
        return ""
    second = _best(rest, metric)
    mine, theirs = by_system[best][metric], rest[second][metric]
    value = _value(metric, theirs["mean"])
    if mine["mean"] == theirs["mean"]:
        return f"{second} does exactly as well."
    if _overlap(mine, theirs):
        return f"{second} is close ({value}): the intervals overlap, so their order is not settled."
    last = _worst(rest, metric)
    tail = f", and {last} last ({_value(metric, rest[last][metric]['mean'])})"
    return f"{second} is next ({value}){tail if last != second else ''}."


def _worst(by_system: Mapping[str, ByMetric], metric: str) -> str:
    worst = next(iter(by_system))
    for system, metrics in by_system.items():
        if is_better(metric, by_system[worst][metric]["mean"], metrics[metric]["mean"]):
            worst = system
    return worst


def _along_k(system: str, metric: str, metrics: ByMetric) -> str:
    """Say how a win rate changes from the fewest conditions to the most."""
    if metric != "WinRate":
        return ""
    by_k = {parse(name).k: name for name in metrics if _is_curve_point(name, metric)}
    places = sorted(k for k, name in by_k.items() if k and metrics[name]["n"] >= FEW)
    if len(places) < 2:
        return ""
    first, last = (metrics[by_k[k]] for k in (places[0], places[-1]))
    fewest = f"{places[0]} condition" + ("" if places[0] == 1 else "s")
    ends = f"from {_percent(first['mean'])} with {fewest} to {_percent(last['mean'])} with"
    if _overlap(first, last):
        return f"{system} goes {ends} {places[-1]}, but the two intervals overlap."
    verb = "falls" if last["mean"] < first["mean"] else "rises"
    return f"{system} {verb} {ends} {places[-1]}."


def _overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(one["low"] <= other["high"] and other["low"] <= one["high"])


def _is_curve_point(name: str, metric: str) -> bool:
    parts = parse(name)
    return parts.stem == metric and parts.k is not None and not parts.facet


def _weakest_slice(system: str, metric: str, metrics: ByMetric) -> str:
    """Say which value of a facet a system is worst at, where it is worse than its mean."""
    slices = [
        (parse(name), entry)
        for name, entry in metrics.items()
        if parse(name).plain == metric and parse(name).facet not in ("", "style")
    ]
    slices = [(name, entry) for name, entry in slices if entry["n"] >= FEW]
    if len(slices) < 2:
        return ""
    name, entry = slices[0]
    for other, candidate in slices:
        if is_better(metric, entry["mean"], candidate["mean"]):
            name, entry = other, candidate
    if not is_better(metric, metrics[metric]["mean"], entry["mean"]):
        return ""
    worst = _value(metric, entry["mean"])
    return f"For {system} the weakest {name.facet} is “{name.value}” ({worst})."


def _value(metric: str, mean: float) -> str:
    if parse(metric).stem == "WinRate":
        return _percent(mean)
    return f"{mean:.1f}" if meaning_of(metric).span is None else f"{mean:.2f}"


def _figures(entry: Mapping[str, Any]) -> str:
    interval = f"95\u00a0% interval {entry['low']:.2f} to {entry['high']:.2f}"
    return f"{entry['mean']:.2f} ({interval})"


def _percent(value: float) -> str:
    if 0 < value < 0.005:
        return "under 1\u00a0%"
    return f"{100 * value:.0f}\u00a0%"
