"""Count in parsed texts how often nouns take "of", "to" or another preposition.

    python learning/open_nouns.py CORPUS[:FIELD] ... [--words N] [--out FILE]

Writes `open_nouns.tsv` of `leadline/synthesis/english`: lemma and the share of its occurrences
that take one ("the cause of", "a solution to"), where that is large. A corpus is named as for
benchmarks/draw_cases.py. The table was made of

    lisa medline1033 cranfield mtsamples trec_dl19_pool trec_dl21_pool netflix_titles:description
    childrens_books:description condaqa_dev/passages.jsonl.gz
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from leadline.synthesis.english.parsing import lemma_of, parse
from leadline.synthesis.words import words_of

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "src/leadline/synthesis/english/open_nouns.tsv"
_TAKES = words_of("of on to between in for with about from")
_FEWEST, _PRIOR, _PRIOR_SHARE = 8, 8, 0.15
_LEAST_SHARE = 0.15
_CHARACTERS = 2_000


def main() -> None:
    """Parse the first words of each corpus, in a random order, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", metavar="CORPUS[:FIELD]")
    parser.add_argument("--words", type=int, default=150_000, help="of each corpus")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    total, taking = Counter[str](), Counter[str]()
    for name in given.corpora:
        for doc in parse(_texts(name, given.words), names=False):
            for token in doc:
                if token.pos_ != "NOUN" or not token.is_alpha or token.dep_ in {"compound", "amod"}:
                    continue
                lemma = lemma_of(token)
                total[lemma] += 1
                taking[lemma] += any(
                    child.dep_ == "prep" and child.i > token.i and child.lower_ in _TAKES
                    for child in token.children
                )
    lines = []
    for lemma, count in sorted(total.items()):
        share = (taking[lemma] + _PRIOR * _PRIOR_SHARE) / (count + _PRIOR)
        if count >= _FEWEST and share >= _LEAST_SHARE:
            lines.append(f"{lemma}\t{share:.2f}\n")
    given.out.write_text("".join(lines))
    print(f"{len(lines)} nouns of {sum(total.values())} occurrences")


def _texts(name: str, words: int) -> list[str]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from draw_cases import read

    texts = [document.text[:_CHARACTERS] for document in read(name).values()]
    random.Random(1).shuffle(texts)
    kept, count = [], 0
    for text in texts:
        kept.append(text)
        count += len(text.split())
        if count > words:
            break
    return kept


if __name__ == "__main__":
    main()
