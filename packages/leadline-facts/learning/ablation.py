"""What each rule of the enrichers brings: leave one out at a time, and score again.

Run: python learning/ablation.py temporal [--only propose.times.ages ...] [--least 0.005]
         [--pools]
     python learning/ablation.py temporal --together propose.times.ages.read_ages ...

A rule is a regular expression of a module of `leadline_facts`, or a function that may find
nothing; it is replaced by one that finds nothing. A document is read again only where the rule
found something in it before. Printed for each rule: the documents it found something in, its
lines, and what leaving it out changes (values found of difficulty 1-2, values on the lists of wrong
readings, values derived, values derived in a text that implies nothing), over all sets that it was
not written for, on each unread one and on implied_facts_dev. `--pools` adds the two pools of its
kind (documents whose facts meet all constraints of their own question). `--together` leaves out
several rules at once. With `--least` only rules are shown that are worth a smaller share.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import inspect
import json
import pkgutil
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from implied_facts import KINDS, SHARED, _derived, _is_wrong, _key

import leadline_facts as enrichers
from leadline.types import Document, Enricher, Fact, Query
from leadline_facts import places, quantities, temporal
from leadline_facts.fact_values import agreement
from leadline_facts.merging import merged
from leadline_facts.records import as_record

TEXTS = Path(__file__).resolve().parent / "texts"
DATA = Path(SHARED) / "data"
SETS = {
    "temporal": ("times_[fgpqrstuvwx]", "temporal"),
    "quantities": ("amounts_[deh]", "quantities"),
    "places": ("", "places"),
}
POOLS = {"temporal": "temporal", "quantities": "arithmetic", "places": "wknow"}
Score = Counter[str]


@dataclass(frozen=True)
class Text:
    """A text to read: a document of a set, or of a pool with the question that it answers."""

    where: str
    document: Document
    others: tuple[Fact, ...]
    expected: Mapping[str, Any]
    asked: tuple[Any, ...] = ()


def main() -> None:
    options = _options()
    table = str(DATA / "wikidata_landmarks" / "places.tsv")
    reads = {
        "temporal": temporal.build,
        "quantities": quantities.build,
        "places": partial(places.build, table=table),
    }
    enricher = reads.pop(options.kind)()
    texts = list(_texts(options.kind, [make() for make in reads.values()]))
    texts += list(_of_pools(options.kind, enricher)) if options.pools else []
    rules = dict(_rules())
    hits, before = _recorded(rules, enricher, texts, options.kind)
    whole = sum(before, Counter())
    print(_line("all rules", len(texts), 0, whole, Counter()))
    if options.together:
        chosen = {name: rules[name] for name in options.together}
        touched = sorted(set().union(*(hits[name] for name in chosen)))
        after = _without(chosen, enricher, texts, touched, options.kind)
        print(
            _line(
                "without them",
                len(touched),
                sum(map(_lines, chosen.values())),
                whole,
                _change(before, after, touched),
            )
        )
        return
    for name, rule in rules.items():
        if options.only and not name.startswith(tuple(options.only)):
            continue
        try:
            after = _without({name: rule}, enricher, texts, hits[name], options.kind)
        except (
            ArithmeticError,
            AssertionError,
            AttributeError,
            LookupError,
            StopIteration,
            TypeError,
            ValueError,
        ):
            continue  # nothing works without it: a part of a rule, not a rule
        change = _change(before, after, hits[name])
        if -change["found"] < options.least * max(1, whole["facts"]):
            print(_line(name, len(hits[name]), _lines(rule), whole, change), flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kind", choices=SETS)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--together", nargs="*")
    parser.add_argument("--least", type=float, default=float("inf"))
    parser.add_argument("--pools", action="store_true")
    return parser.parse_args()


def _texts(kind: str, others: list[Enricher]) -> Iterator[Text]:
    learning, name = SETS[kind]
    folders = {"dev": DATA / "implied_facts_dev"} | {
        each: TEXTS / each for each in ("unread", "unread_second")
    }
    files = [(where, folder / f"{name}.jsonl") for where, folder in folders.items()]
    paths = sorted((TEXTS / "learning").glob(f"{learning}.jsonl"))
    files += [("learning", path) for path in paths]
    for where, path in files:
        for number, line in enumerate(path.open(encoding="utf-8") if path.exists() else ()):
            row = json.loads(line)
            document = Document(f"{path.stem}-{number}", row["text"])
            found: tuple[Fact, ...] = ()
            if where != "learning":
                found = tuple(fact for each in others for fact in next(each.facts([document]))[1])
            yield Text(where, document, found, row)


def _of_pools(kind: str, enricher: Enricher) -> Iterator[Text]:
    for speakers in ("unispeaker", "multispeaker"):
        path = DATA / "impliret" / f"{POOLS[kind]}_{speakers}.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                document = Document(f"{speakers}-{row['id']}", row["pos_document"])
                question = row.get("question_released") or row["question"]
                (asked,) = enricher.constraints([Query("q", question)])
                yield Text(speakers, document, (), {"facts": [], "not_facts": []}, asked)


def _rules() -> Iterator[tuple[str, Any]]:
    for found in pkgutil.walk_packages(enrichers.__path__, f"{enrichers.__name__}."):
        if found.name.endswith((".by_llm", ".kept")):
            continue
        module = importlib.import_module(found.name)
        short = found.name.removeprefix(f"{enrichers.__name__}.")
        for name, value in list(vars(module).items()):
            own = isinstance(value, re.Pattern) and name in _assigned(module)
            if own or (_nothing(value) and value.__module__ == found.name):
                yield f"{short}.{name}", value


def _assigned(module: Any) -> set[str]:
    return set(re.findall(r"^(\w+)(?:: [^=\n]+)? = ", inspect.getsource(module), re.MULTILINE))


def _nothing(value: Any) -> Callable[[], Any] | None:
    """Return what makes the answer of a function that finds nothing, by its annotation."""
    if not inspect.isfunction(getattr(value, "__wrapped__", value)):
        return None
    returns = str(getattr(value, "__annotations__", {}).get("return", ""))
    for start, empty in (("Iterator", tuple), ("list", list), ("bool", bool)):
        if returns.startswith(start):
            return lambda: iter(()) if empty is tuple else empty()
    return (lambda: None) if returns.endswith("None") and returns != "None" else None


class _Stand:
    """Stands for a regular expression or a function; finds nothing, or tells what it found."""

    def __init__(self, rule: Any, heard: Callable[[], None] | None) -> None:
        self.rule, self.heard = rule, heard

    def __call__(self, *given: Any, **named: Any) -> Any:
        if self.heard is None:
            empty = _nothing(self.rule)
            assert empty is not None
            return empty()
        found = self.rule(*given, **named)
        if inspect.isgenerator(found):
            return self._listened(found)
        if found:
            self.heard()
        return found

    def _listened(self, found: Iterable[Any]) -> Iterator[Any]:
        for each in found:
            assert self.heard is not None
            self.heard()
            yield each

    def __getattr__(self, name: str) -> Any:
        if name not in ("search", "match", "fullmatch", "finditer", "findall", "sub", "split"):
            return getattr(self.rule, name)

        def method(*given: Any) -> Any:
            if self.heard is None:
                if name == "sub":
                    return given[1]
                if name == "split":
                    return [given[0]]
                return iter(()) if name == "finditer" else [] if name == "findall" else None
            found = getattr(self.rule, name)(*given)
            found = list(found) if name == "finditer" else found
            if found and (name not in ("sub", "split") or found != given[1] or len(found) > 1):
                self.heard()
            return iter(found) if name == "finditer" else found

        return method


@contextmanager
def _standing(stands: Mapping[int, _Stand]) -> Iterator[None]:
    """Put what stands for rules into every module and table that holds them."""
    undo: list[tuple[dict[Any, Any], Any, Any]] = []
    for module in _modules():
        tables = [vars(module), *(each for each in vars(module).values() if type(each) is dict)]
        for table in tables:
            for name, value in list(table.items()):
                if id(value) in stands:
                    undo.append((table, name, value))
                    table[name] = stands[id(value)]
    try:
        yield
    finally:
        for table, name, value in undo:
            table[name] = value


def _modules() -> list[Any]:
    return [each for name, each in sys.modules.items() if name.startswith(f"{enrichers.__name__}.")]


def _forget() -> None:
    """Empty what functions of the enrichers keep from call to call."""
    for module in _modules():
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def _recorded(
    rules: Mapping[str, Any], enricher: Enricher, texts: list[Text], kind: str
) -> tuple[dict[str, list[int]], list[Score]]:
    """Return in which texts each rule found something, and the score of each text."""
    hits: dict[str, list[int]] = {name: [] for name in rules}
    at = [0]

    def heard(name: str) -> None:
        if hits[name][-1:] != at:
            hits[name].append(at[0])

    stands = {id(rule): _Stand(rule, partial(heard, name)) for name, rule in rules.items()}
    scores = []
    with _standing(stands):
        for at[0], text in enumerate(texts):
            _forget()
            scores.append(_score(enricher, text, kind))
    return hits, scores


def _without(
    rules: Mapping[str, Any],
    enricher: Enricher,
    texts: list[Text],
    touched: Iterable[int],
    kind: str,
) -> dict[int, Score]:
    _forget()
    with _standing({id(rule): _Stand(rule, None) for rule in rules.values()}):
        scores = {number: _score(enricher, texts[number], kind) for number in touched}
    _forget()
    return scores


def _score(enricher: Enricher, text: Text, kind: str) -> Score:
    ((_, found),) = enricher.facts([text.document])
    if text.asked:
        met = all(max((agreement(c, f) for f in found), default=0) == 1 for c in text.asked)
        return Counter({f"{text.where} met": int(met), f"{text.where} asked": 1})
    rows = [as_record(each, text.document.text) for each in merged([*found, *text.others])]
    given = {_key(each) for each in rows if each["role"] != "alternative"}
    due = [each for each in text.expected["facts"] if each["difficulty"] < 3]
    derived = _derived(rows, KINDS[kind])
    score = Counter({
        "facts": len(due),
        "found": sum(_key(each) in given for each in due),
        "wrong": sum(_is_wrong(each, text.expected) for each in derived),
        "derived": len(derived),
        "extra": 0 if text.expected["facts"] else len(derived),
    })  # fmt: skip
    if text.where == "dev":
        score = Counter({f"dev {name}": number for name, number in score.items()})
    elif text.where != "learning":
        score.update({f"{text.where} {name}": number for name, number in score.items()})
    return score


def _change(before: list[Score], after: Mapping[int, Score], touched: Iterable[int]) -> Score:
    change: Score = Counter()
    for number in touched:
        change.update(after[number])
        change.subtract(before[number])
    return change


def _lines(rule: Any) -> int:
    if isinstance(rule, re.Pattern):
        return -(-len(rule.pattern) // 100)
    return len(inspect.getsource(inspect.unwrap(rule)).splitlines())


def _line(name: str, texts: int, lines: int, whole: Score, change: Score) -> str:
    """Tell sums, or what changes of them, as parts `where found/wrong/derived/extra`."""
    shown = whole if not lines else change
    parts = [
        f"{where.strip() or 'all'} "
        + "/".join(
            f"{shown[f'{where}{what}']:+d}" if lines else f"{shown[f'{where}{what}']}"
            for what in ("found", "wrong", "derived", "extra")
        )
        for where in ("", "dev ", "unread ", "unread_second ")
        if any(shown[f"{where}{what}"] for what in ("found", "wrong", "derived", "extra"))
    ]
    parts += [
        f"{where} {shown[f'{where} met']:+d}"
        for where in ("unispeaker", "multispeaker")
        if shown[f"{where} met"]
    ]
    share = f"{change['found'] / whole['facts']:+.4f}" if lines and whole["facts"] else ""
    return f"{name:58} {texts:5} texts {lines:4} lines {share:8} {', '.join(parts) or '='}"


if __name__ == "__main__":
    main()
