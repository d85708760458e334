"""Make the verifier that comes with Leadline, from texts that no test of conditions uses.

    python studies/learning/verifier/learn.py SHARED OUT

SHARED holds condaqa_dev, trec_dl21_pool, medline1033 and lisa. Three sources of pairs: those in the
package, three times; people's edits of sentences with a negation; ladders built by rules.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from leadline.data.documents import read_corpus
from leadline.kinds.conditions import by_rules
from leadline.text.sentences import split_sentences
from leadline.training.verifier import Pair, VerifierSettings, pairs_of, read_pairs, train_verifier
from leadline.types import Document

TAKEN = {"trec_dl21_pool": 260, "medline1033": 120, "lisa": 120}
LADDERS, EPOCHS, SEED = 220, 4, 3
DROPPED = 0.25
"""Share of the words of a rule-built condition that are left out, so that it is no copy."""


def edited_by_people(folder: Path) -> Iterator[Pair]:
    """Yield a paraphrase that asks, the original sentence, and its affirmative edit."""
    passages: dict[str, dict[str, dict[str, str]]] = {}
    with gzip.open(folder / "passages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            passages.setdefault(row["passage_id"], {})[row["edit"]] = row
    for edits in passages.values():
        if not {"original", "paraphrase", "affirmative"} <= set(edits):
            continue
        original = {each.text for each in split_sentences(edits["original"]["text"])}
        changed = [
            [
                each.text
                for each in split_sentences(edits[name]["text"])
                if each.text not in original
            ]
            for name in ("paraphrase", "affirmative")
        ]
        if all(len(each) == 1 for each in changed):
            sentence = edits["original"]["original_sentence"].strip()
            yield Pair(changed[0][0], sentence, changed[1][0])


def built_by_rules(shared: Path) -> Iterator[Pair]:
    """Yield pairs of ladders built by rules, with words left out of what is asked."""
    rng = random.Random(SEED)
    documents: dict[str, Document] = {}
    for name, count in TAKEN.items():
        corpus = read_corpus(shared / name)
        for id in rng.sample(list(corpus), count):
            documents[f"{name}-{id}"] = Document(f"{name}-{id}", corpus[id].text)
    for pair in pairs_of(by_rules.build(documents, seed=SEED, limit=LADDERS)):
        words = [word for word in pair.asked.split() if rng.random() > DROPPED]
        if len(pair.sentence.split()) < 50 and len(words) > 2:
            yield Pair(" ".join(words), pair.sentence, pair.negative)


def main(shared: str, out: str) -> None:
    """Learn, and write the weights."""
    people = list(edited_by_people(Path(shared) / "condaqa_dev"))
    rules = list(built_by_rules(Path(shared)))
    sys.stderr.write(f"{len(people)} pairs by people, {len(rules)} by rules\n")
    pairs = [*read_pairs() * 3, *people, *rules]
    train_verifier(pairs, VerifierSettings(epochs=EPOCHS)).save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
