"""Published questions that paragraphs of Wikipedia answer: for ranking, and `leadline read`.

Source: Petroni et al., KILT: a Benchmark for Knowledge Intensive Language Tasks. The columns are
those that the README of its repository, github.com/facebookresearch/KILT, prints.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.cache import cache_folder
from leadline.data.jsonl import JsonlCorpus, read_records, write_records
from leadline.data.paths import is_file
from leadline.errors import InputError, unknown
from leadline.kinds.ranking import KIND
from leadline.types import Corpus, Query

SOURCE = "kilt_knowledgesource.json"

_LAYOUT = f"--data for kilt is a folder with {SOURCE} and files such as nq-dev-kilt.jsonl."
_HEADING = "Section::::"


def build(
    part: str | None = None, data: str | Path | None = None, split: str = "dev"
) -> list[Benchmark]:
    """Return one task (`nq`, `hotpotqa`, `fever`, ...), or every one that `data` holds.

    data   folder with `kilt_knowledgesource.json` and files such as `nq-dev-kilt.jsonl`
    split  `dev` or `train`; the published `test` has no answers

    A document is a paragraph of a page, `<wikipedia_id>:<paragraph>`; titles of pages and of
    sections are none. Those that a provenance names are relevant, or the first of its page if it
    names the page alone. The paragraphs are written into the cache once, and read from there.
    Raises InputError when a file is missing or a line does not fit.
    """
    if data is None:
        raise InputError(f"kilt needs local files. {_LAYOUT}")
    folder = Path(data)
    files = sorted(folder.glob(f"*-{split}*-kilt.jsonl"))
    tasks = {each.name.partition("-")[0]: each for each in files}
    if not is_file(folder / SOURCE) or not tasks:
        raise InputError(f"{folder} has no {SOURCE} or no *-{split}-kilt.jsonl. {_LAYOUT}")
    if part is not None and part not in tasks:
        raise unknown("part of kilt", part, tasks, _LAYOUT)
    corpus = _corpus(folder / SOURCE)
    option = "" if split == "dev" else f":split={split}"
    return [
        _task(f"kilt{option}/{name}", tasks[name], corpus) for name in ([part] if part else tasks)
    ]


def _task(name: str, path: Path, corpus: Corpus) -> Benchmark:
    queries, qrels = [], {}
    for number, row in read_records(path):
        try:
            id, outputs = str(row["id"]), row["output"]
            answers = [each["answer"].strip() for each in outputs if each.get("answer")]
            found = [id for each in outputs for place in each.get("provenance") or ()
                     for id in _paragraphs(place)]  # fmt: skip
            text = str(row["input"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{path}:{number}: a line needs `id`, `input` and `output`, a list with `answer` "
                "and `provenance` (with `wikipedia_id`). Published test sets have no `output`, "
                "and those of TriviaQA no `input` before get_triviaqa_input.py adds it."
            ) from error
        answer, *accepted = dict.fromkeys(answers) or ("",)
        queries.append(Query(id, text, topic=id, answer=answer, accepted=tuple(accepted)))
        qrels[id] = {each: 1 for each in found if each in corpus}
    return Benchmark(
        name=name, corpus=corpus, queries=queries, qrels=qrels, built_by="published",
        source=f"Petroni et al., KILT; {path.name}", **KIND.measured(),
    ).validated()  # fmt: skip


def _paragraphs(place: Mapping[str, Any]) -> list[str]:
    first = int(place.get("start_paragraph_id") or 1)
    last = int(place.get("end_paragraph_id") or first)
    return [f"{place['wikipedia_id']}:{number}" for number in range(first, last + 1)]


def _corpus(path: Path) -> Corpus:
    """Return the paragraphs of the knowledge source, which stay on disk."""
    about = path.stat()
    name = f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"
    written = cache_folder("kilt") / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.jsonl"
    if not written.exists():
        write_records(written, _documents(path))
    return JsonlCorpus(written)


def _documents(path: Path) -> Iterator[dict[str, str]]:
    for number, page in read_records(path):
        try:
            id, title, texts = page["wikipedia_id"], page["wikipedia_title"], page["text"]
            for place, text in enumerate(map(str.strip, texts)):
                if place and text and not text.startswith(_HEADING):
                    yield {"_id": f"{id}:{place}", "title": title, "text": text}
        except (KeyError, TypeError) as error:
            raise InputError(
                f"{path}:{number}: a page needs `wikipedia_id`, `wikipedia_title` and `text`, a "
                "list of paragraphs."
            ) from error
