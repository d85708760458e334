"""An index of bm25s made on disk, part by part: every score of every word, as bm25s computes it.

bm25s holds all words of all documents and several arrays of all scores in memory. Here only the
vocabulary, the lengths of the documents and one range of words are; the files are those that bm25s
itself would have saved.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

import bm25s
import numpy as np
from bm25s import scoring

from leadline.data.parts import over_parts
from leadline.retrievers.words.postings import Postings
from leadline.retrievers.words.tokens import Vocabulary, Words, cut
from leadline.types import Corpus

_FILES = {"data": np.float32, "indices": np.int32}


def write_index(folder: Path, corpus: Corpus, words: Words, weights: Mapping[str, Any]) -> float:
    """Write the index of a corpus and return how many words a document has on average.

    weights  options of `bm25s.BM25`
    """
    work = folder / "segments"
    work.mkdir()
    vocabulary, postings = Vocabulary(words), Postings(work)
    for part in over_parts(partial(cut, words), corpus, "Indexing for BM25"):
        postings.add(vocabulary.of(part), part.lengths)
    index = bm25s.BM25(**weights, backend="numpy")
    index.vocab_dict = vocabulary.numbers or {"": 0}
    lengths = postings.lengths()
    with np.errstate(invalid="ignore", divide="ignore"):  # a corpus without a word has mean 0
        _write(folder, index, postings, lengths)
    shutil.rmtree(work)
    return int(lengths.sum()) / len(lengths)


def _write(folder: Path, index: Any, postings: Postings, lengths: Any) -> None:
    average, documents = lengths.mean(), len(lengths)
    frequencies = postings.frequencies(len(index.vocab_dict))
    by_word = dict(enumerate(frequencies.tolist()))
    idf_of, tfc_of = (
        scoring._select_idf_scorer(index.idf_method),
        scoring._select_tfc_scorer(index.method),
    )
    idf = scoring._build_idf_array(by_word, documents, idf_of, dtype=index.dtype)
    options = {"l_avg": average, "k1": index.k1, "b": index.b, "delta": index.delta}
    index.nonoccurrence_array = None
    if index.method in index.methods_requiring_nonoccurrence:
        index.nonoccurrence_array = scoring._build_nonoccurrence_array(
            by_word, documents, idf_of, tfc_of, l_d=average, dtype=index.dtype, **options
        )
    ends = np.concatenate([[0], np.cumsum(frequencies)])
    index.scores = {
        **{name: np.empty(0, kind) for name, kind in _FILES.items()},
        "indptr": ends,
        "num_docs": documents,
    }
    index.save(folder, show_progress=False)
    with (
        (folder / "data.csc.index.npy").open("wb") as data,
        (folder / "indices.csc.index.npy").open("wb") as indices,
    ):
        _begin(data, _FILES["data"], int(ends[-1]))
        _begin(indices, _FILES["indices"], int(ends[-1]))
        for word, document, count in postings.by_word(frequencies):
            tfc = tfc_of(tf_array=count.astype(np.float32), l_d=lengths[document], **options)
            scores = idf[word] * tfc
            if index.nonoccurrence_array is not None:
                scores -= index.nonoccurrence_array[word]
            scores.astype(_FILES["data"]).tofile(data)
            document.tofile(indices)


def _begin(file: IO[bytes], kind: Any, size: int) -> None:
    """Write the head of a file of one array, whose numbers follow."""
    head = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": (size,)}
    np.lib.format.write_array_header_1_0(file, head)
    file.flush()
