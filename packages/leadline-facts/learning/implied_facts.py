"""How well `leadline enrich` derives the facts of implied_facts_dev, by kind and difficulty.

Run: python learning/implied_facts.py [--places FILE] [--rules-only] [--half even|odd]
         [--errors N] [--llm URL --llm-model NAME [--llm-key-env VARIABLE]] [FOLDER]

Recall counts an expected fact as found when a fact of its kind with an equal value is among the
stated or derived ones of the document (a duration after conversion, a country by its code). Wrong
are derived values that stand on the document's list of wrong readings; a value on neither list
is unjudged. Documents without an expected fact should give no derived one of the file's kinds:
a price in temporal.jsonl is not annotated there. Places count only within the coverage of the
table: documents of whose evidence a name is in it are also given apart. `--errors` lists missed and
wrong values of difficulty 1 and 2, with the evidence, for the chosen half (ids, by their number).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from leadline.text.countries import folded
from leadline_facts.fact_values import canonical
from leadline_facts.read.places.gazetteer import read_gazetteer

SHARED = os.environ.get("LEADLINE_SHARED", Path(__file__).resolve().parents[3] / "shared")
KINDS = {
    "temporal": {"date", "date_range", "month", "year", "time", "age", "duration"},
    "quantities": {"money", "number", "quantity", "percent", "duration"},
    "places": {"country", "city", "region"},
}
GOALS = {"temporal": 0.80, "quantities": 0.65}
Facts = Mapping[str, list[dict[str, Any]]]
_MODEL = ("--llm", "--llm-model", "--llm-key-env")


def main() -> None:
    options = _options()
    totals: Counter[str] = Counter()
    for name, kinds in KINDS.items():
        path = options.folder / f"{name}.jsonl"
        if not path.exists():
            print(f"{path} is not at hand (set LEADLINE_SHARED): skipped")
            continue
        documents = [
            each
            for each in map(json.loads, path.read_text(encoding="utf-8").splitlines())
            if options.half is None or int(each["id"][2:]) % 2 == (options.half == "odd")
        ]
        facts = _enriched(documents, options)
        totals += _table(name, documents, facts, kinds)
        if name == "places" and options.places:
            _coverage(documents, facts, options.places)
        _list_errors(documents, facts, kinds, options.errors)
    if totals["derived"]:
        share, extra = totals["wrong"] / totals["derived"], totals["extra"] / totals["empty"]
        print(
            f"\nall: derived {totals['derived']}, wrong {totals['wrong']} ({share:.3f}) "
            f"and {extra:.2f} derived in a document that implies nothing (goal 0.2)"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    folder = Path(SHARED) / "data" / "implied_facts_dev"
    parser.add_argument("folder", nargs="?", type=Path, default=folder)
    parser.add_argument("--places", type=Path)
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--half", choices=("even", "odd"))
    parser.add_argument("--errors", type=int, default=0)
    for name in _MODEL:
        parser.add_argument(name, default="")
    return parser.parse_args()


def _enriched(documents: Iterable[Mapping[str, Any]], options: argparse.Namespace) -> Facts:
    """Return the facts by document id, as the command writes them."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, out = Path(folder, "corpus.jsonl"), Path(folder, "facts.jsonl")
        rows = [{"_id": each["id"], "text": each["text"]} for each in documents]
        corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [sys.executable, "-m", "leadline.cli.main", "enrich", str(corpus), "-q"]
        command += ["--out", str(out)]
        for name in ("--places", *_MODEL):
            value = getattr(options, name[2:].replace("-", "_"))
            command += [name, str(value)] if value else []
        command += ["--rules-only"] if options.rules_only else []
        subprocess.run(command, check=True)
        lines = out.read_text(encoding="utf-8").splitlines()
        return {each["id"]: each["facts"] for each in map(json.loads, lines)}


def _table(
    name: str, documents: list[dict[str, Any]], facts: Facts, kinds: set[str]
) -> Counter[str]:
    found: dict[str, list[bool]] = defaultdict(list)
    totals: Counter[str] = Counter()
    for document in documents:
        given = {_key(each) for each in facts[document["id"]] if each["role"] != "alternative"}
        for fact in document["facts"]:
            for group in (f"difficulty {fact['difficulty']}", fact["kind"], "all"):
                found[group].append(_key(fact) in given)
            if fact["difficulty"] < 3:
                found["difficulty 1-2"].append(_key(fact) in given)
        derived = _derived(facts[document["id"]], kinds)
        totals["derived"] += len(derived)
        totals["wrong"] += sum(_is_wrong(each, document) for each in derived)
        if not document["facts"]:
            totals["empty"] += 1
            totals["extra"] += len(derived)
    goal = f" (goal {GOALS[name]})" if name in GOALS else ""
    print(f"\n{name}: {len(documents)} documents")
    for group in sorted(found, key=lambda each: (not each.startswith("difficulty"), each)):
        hits = found[group]
        note = goal if group == "difficulty 1-2" else ""
        print(f"  {group:15} recall {sum(hits) / len(hits):.3f} ({sum(hits)} of {len(hits)}){note}")
    print(
        f"  derived {totals['derived']}, on the lists of wrong readings {totals['wrong']}; "
        f"{totals['extra']} derived in {totals['empty']} documents that imply nothing"
    )
    return totals


def _coverage(documents: list[dict[str, Any]], facts: Facts, places: Path) -> None:
    """Print the recall among the facts of whose evidence a name is in the table."""
    names = read_gazetteer(places)
    covered = [
        (document["id"], fact)
        for document in documents
        for fact in document["facts"]
        if any(
            place.kind != "country"
            for words in fact["evidence"]
            for mention in names.mentions(words)
            for place in mention.places
        )
    ]
    hits = sum(
        _key(fact) in {_key(each) for each in facts[id] if each["role"] != "alternative"}
        for id, fact in covered
    )
    print(f"  a name of the evidence is in the table: {len(covered)} facts, {hits} found")


def _list_errors(documents: list[dict[str, Any]], facts: Facts, kinds: set[str], most: int) -> None:
    for document in documents if most else ():
        given = {_key(each) for each in facts[document["id"]] if each["role"] != "alternative"}
        missed = [
            f"missed {each['kind']} {json.dumps(each['value'])} from {each['evidence']}"
            for each in document["facts"]
            if each["difficulty"] < 3 and _key(each) not in given
        ]
        bad = [
            f"{'wrong' if _is_wrong(each, document) else 'extra'} {each['kind']} "
            f"{json.dumps(each['value'])} from {each['evidence']}: {each['derivation']}"
            for each in _derived(facts[document["id"]], kinds)
            if _is_wrong(each, document) or not document["facts"]
        ]
        for line in [*missed, *bad][:most]:
            print(f"    {document['id']} {line}")


def _derived(facts: list[dict[str, Any]], kinds: set[str]) -> list[dict[str, Any]]:
    return [each for each in facts if each["role"] == "derived" and each["kind"] in kinds]


def _key(fact: Mapping[str, Any]) -> tuple[object, ...]:
    return canonical(fact["kind"], fact["value"])


def _is_wrong(fact: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    """Tell whether a value is on a list that gives no kinds."""
    return any(_same(fact, wrong) for wrong in document["not_facts"])


def _same(fact: Mapping[str, Any], wrong: Any) -> bool:
    value = fact["value"]
    if isinstance(value, Mapping) and isinstance(wrong, Mapping):
        if set(value) & {"code", "amount"}:
            return set(value) == set(wrong) and _key(fact) == canonical(fact["kind"], wrong)
        return "name" in wrong and folded(str(value["name"])) == folded(str(wrong["name"]))
    if isinstance(value, Mapping) or isinstance(wrong, Mapping):
        return False
    return bool(value == wrong)


if __name__ == "__main__":
    main()
