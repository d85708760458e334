import json

from leadline.files.fingerprint import fingerprint
from leadline.files.jsonl import JsonlCorpus
from leadline.types import Document


def corpus_of(*documents):
    return {document.id: document for document in documents}


BASE = corpus_of(Document("1", "text", "title"), Document("2", "more"))


def test_a_fingerprint_is_32_hex_digits_and_stays_the_same():
    assert len(fingerprint(BASE)) == 32
    assert int(fingerprint(BASE), 16) >= 0
    assert fingerprint(BASE) == fingerprint(dict(BASE))


def test_text_title_id_and_order_all_count():
    others = [
        corpus_of(Document("1", "text!", "title"), Document("2", "more")),
        corpus_of(Document("1", "text", "titl"), Document("2", "more")),
        corpus_of(Document("1", "text", "title"), Document("3", "more")),
        corpus_of(Document("2", "more"), Document("1", "text", "title")),
        corpus_of(Document("1", "text", "title")),
    ]
    assert len({fingerprint(each) for each in [BASE, *others]}) == 6


def test_text_cannot_move_between_fields_unseen():
    assert fingerprint(corpus_of(Document("1", "bc", "a"))) != fingerprint(
        corpus_of(Document("1", "c", "ab"))
    )


def test_facets_do_not_count():
    with_facets = corpus_of(Document("1", "text", "title", {"a": "b"}), Document("2", "more"))
    assert fingerprint(with_facets) == fingerprint(BASE)


def test_a_corpus_on_disk_has_the_same_fingerprint_and_remembers_it(tmp_path):
    path = tmp_path / "corpus.jsonl"
    rows = [{"_id": "1", "text": "text", "title": "title"}, {"_id": "2", "text": "more"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = JsonlCorpus(path)
    assert fingerprint(corpus) == fingerprint(BASE)
    assert corpus.fingerprint == fingerprint(BASE)
