"""Write 20 queries of TREC-DL 2019 with 20 passages, few enough for a small model to read them all.

    python studies/proofs/small_pool.py small/
    leadline evaluate -s bm25 -s minilm -s graph:llm=MODEL.gguf,max_tokens=256 -b small/

Each query brings its shortest passage of grade 3. The pool comes from $LEADLINE_SHARED.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from leadline.data.folder import Folder, read_folder, write_folder

QUERIES = 20


def main() -> None:
    pool = Path(os.environ.get("LEADLINE_SHARED", "../shared")) / "data" / "trec_dl19_pool"
    folder = read_folder(pool)
    answered = sorted(id for id, grades in folder.qrels.items() if 3 in grades.values())
    chosen = random.Random(0).sample(answered, QUERIES)
    kept = {}
    for query in chosen:
        grades = folder.qrels[query]
        best = [id for id, grade in grades.items() if grade == 3 and id in folder.corpus]
        id = min(best, key=lambda id: len(folder.corpus[id].text))
        kept[id] = folder.corpus[id]
    qrels = {query: {id: grade for id, grade in folder.qrels[query].items()
                     if id in kept and grade > 1} for query in chosen}  # fmt: skip
    queries = [query for query in folder.queries if query.id in chosen]
    write_folder(Path(sys.argv[1]), Folder(kept, queries, qrels))


if __name__ == "__main__":
    main()
