"""What is written comes back, or is refused with a clear line; it is never silently changed."""

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.data.documents import read_corpus
from leadline.data.folder import (
    read_beir_qrels,
    read_candidates,
    read_queries,
    write_beir_qrels,
    write_candidates,
    write_corpus,
    write_queries,
)
from leadline.data.trec import read_run, write_run
from leadline.errors import InputError
from leadline.types import Document, Query

modest = settings(max_examples=30, deadline=None)

# Blanks, separators and quotes of every kind, besides whatever else Unicode has.
texts = st.text() | st.text(st.sampled_from(' \t\n\r"\\%,\x00\x0b\x1c\x85\xa0\u2028\ufeff😀a'))
ids = texts.filter(bool)
facets = st.dictionaries(texts, texts, max_size=3)
documents = st.builds(Document, ids, texts, texts, facets)
corpora = st.lists(documents, min_size=1, max_size=5, unique_by=lambda document: document.id)
queries = st.builds(Query, ids, texts, ids, texts, facets, texts)
query_lists = st.lists(queries, min_size=1, max_size=5, unique_by=lambda query: query.id)
scores = st.floats(allow_nan=False) | st.integers(-(10**6), 10**6).map(float)


def by_query(values):
    return st.dictionaries(ids, st.dictionaries(ids, values, min_size=1, max_size=4), max_size=4)


def back(write, read, value, name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(path, value)
        return read(path)


def in_order(value):
    return [(key, list(inner.items())) for key, inner in value.items()]


@modest
@given(corpora)
def test_documents_come_back(documents):
    corpus = {document.id: document for document in documents}

    def read(path):
        corpus = read_corpus(path)
        assert [corpus[document_id] for document_id in corpus] == list(corpus.values())
        return list(corpus.values())

    assert back(write_corpus, read, corpus, "c.jsonl") == documents


@modest
@given(query_lists)
def test_queries_come_back(queries):
    assert back(write_queries, read_queries, queries, "q.jsonl") == queries


def by_csv(path):
    """Read judgements as the tools of BEIR do."""
    with path.open(encoding="utf-8") as handle:
        rows = list(csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_MINIMAL))[1:]
    return [(query, document, int(grade)) for query, document, grade in rows]


@modest
@given(by_query(st.integers(-3, 10)))
def test_qrels_come_back_also_to_beir_tools_or_are_refused(qrels):
    ids = [each for query_id, grades in qrels.items() for each in (query_id, *grades)]
    if any(each.startswith('"') or set(each) & set("\t\r\n") for each in ids):
        with pytest.raises(InputError):
            back(write_beir_qrels, read_beir_qrels, qrels, "test.tsv")
        return
    assert in_order(back(write_beir_qrels, read_beir_qrels, qrels, "test.tsv")) == in_order(qrels)
    rows = [(q, d, grade) for q, grades in qrels.items() for d, grade in grades.items()]
    assert back(write_beir_qrels, by_csv, qrels, "test.tsv") == rows


@modest
@given(st.dictionaries(ids, st.lists(ids, unique=True, max_size=4).map(tuple), max_size=4))
def test_candidates_come_back(candidates):
    assert back(write_candidates, read_candidates, candidates, "c.jsonl") == candidates


@modest
@given(by_query(scores), texts)
def test_runs_come_back_in_their_order(run, tag):
    def write(path, run):
        write_run(path, run, tag)

    assert in_order(back(write, read_run, run, "run.trec")) == in_order(run)


@modest
@given(by_query(scores))
def test_a_written_run_has_six_columns_by_any_reading(run):
    lines = back(lambda p, r: write_run(p, r, "x"), lambda p: p.read_text("utf-8"), run, "r")
    for line in lines.split("\n")[:-1]:
        assert len(line.split()) == 6
    assert len(lines.splitlines()) == sum(map(len, run.values()))
