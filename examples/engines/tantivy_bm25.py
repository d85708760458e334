"""Tantivy, `pip install tantivy`: `leadline check CORPUS -s ./tantivy_bm25.py`."""

from collections.abc import Mapping

import tantivy

from leadline import Document


def search(
    queries: list[str], k: int, corpus: Mapping[str, Document]
) -> list[list[tuple[str, float]]]:
    """Index a corpus in memory and return the k best documents of each query."""
    fields = tantivy.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw")
    index = tantivy.Index(fields.add_text_field("text", tokenizer_name="en_stem").build())
    writer = index.writer()
    for each in corpus.values():
        writer.add_document(tantivy.Document(id=each.id, text=each.content))
    writer.commit()
    index.reload()
    found = index.searcher()
    parsed = [index.parse_query_lenient(query, ["text"])[0] for query in queries]
    hits = [found.search(query, k).hits for query in parsed]
    return [[(found.doc(place)["id"][0], score) for score, place in each] for each in hits]
