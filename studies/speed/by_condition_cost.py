"""What by_condition costs a query once the sentences are read: 100 candidates of 200 words.

Documents are those of Cranfield, joined and cut at 200 words; queries have five conditions each,
in list style. CPU milliseconds of this process, all threads, so that a busy machine tells about
the same; the middle and the best of the rounds.

Run: python studies/speed/by_condition_cost.py [--scorer bm25|minilm] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

from leadline.data.documents import read_corpus
from leadline.systems.chains import load_system
from leadline.text.sentences import split_sentences
from leadline.types import Document, Query

HERE = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("LEADLINE_SHARED", HERE.parent / "shared")) / "data"
CANDIDATES, WORDS, CONDITIONS, QUERIES = 100, 200, 5, 10


def documents() -> list[Document]:
    """Return documents of 200 words."""
    words = [
        word
        for document in read_corpus(SHARED / "cranfield").values()
        for word in document.text.split()
    ]
    cut = range(0, CANDIDATES * WORDS, WORDS)
    return [Document(str(at), " ".join(words[at : at + WORDS])) for at in cut]


def queries(held: list[Document]) -> list[Query]:
    """Return queries of five conditions, each half a sentence of one of the documents."""
    made = []
    for number, document in enumerate(held[:QUERIES]):
        sentences = [" ".join(s.text.split()[:10]) for s in split_sentences(document.text)]
        wanted = (sentences * CONDITIONS)[:CONDITIONS]
        items = " ".join(f"{k}. {each}" for k, each in enumerate(wanted, 1))
        made.append(Query(str(number), f"Find a document: {items}", str(number)))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scorer", default="")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    name = f"by_condition:scorer={given.scorer}" if given.scorer else "by_condition"
    [reranker] = load_system(name).rerankers
    held = documents()
    corpus = {document.id: document for document in held}
    asked = queries(held)
    candidates = {query.id: list(corpus) for query in asked}
    reranker.rerank(asked, corpus, candidates)  # reads the sentences
    spent = []
    for _ in range(given.rounds):
        start = time.process_time()
        for query in asked:  # one at a time, as in a search
            reranker.rerank([query], corpus, {query.id: candidates[query.id]})
        spent.append(1000 * (time.process_time() - start) / len(asked))
    print(
        f"{name}: {statistics.median(spent):.1f} ms of CPU a query, {min(spent):.1f} at best "
        f"({CANDIDATES} candidates of {WORDS} words, {CONDITIONS} conditions)"
    )


if __name__ == "__main__":
    main()
