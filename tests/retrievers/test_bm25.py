import math
from pathlib import Path
from typing import Any

import bm25s
import pytest

from leadline.data.cache import cache_folder
from leadline.errors import InputError
from leadline.retrievers import bm25
from leadline.types import Candidates, Document, Query
from shared import shared_data
from tables import each_row

TEXTS = ["the cat sat", "dogs bark at cats and the cat", "blue sky sky", "", "cat cat"]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}


def ask(text: str, id: str = "q") -> list[Query]:
    return [Query(id=id, text=text)]


def search(text: str, k: int = 10, **options: object) -> dict[str, float]:
    return dict(bm25.build(**options).index(CORPUS).search(ask(text), k)["q"])


def test_a_score_is_the_sum_of_idf_times_saturated_frequency() -> None:
    # "sky" is in 1 of 5 documents: idf = ln(1 + 4.5 / 1.5). Without stop words the lengths are
    # 2, 4 (dogs bark cats cat), 3, 0, 2, on average 2.2; in d2 it stands twice among 3 words.
    idf = math.log(1 + (5 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2.2))
    assert search("sky") == {"d2": pytest.approx(expected, rel=1e-6)}


def test_a_method_that_gives_every_document_a_constant_finds_only_what_shares_a_word() -> None:
    assert sorted(search("cat", method="bm25plus")) == ["d0", "d1", "d4"]


def test_the_title_and_the_instruction_are_read() -> None:
    corpus = {
        "a": Document(id="a", text="body", title="Heading"),
        "b": Document(id="b", text="other"),
    }
    query = Query(id="q", text="body", instruction="heading other")
    assert set(bm25.build().index(corpus).search([query], 5)["q"]) == {"a", "b"}


def test_score_ranks_every_candidate_and_keeps_their_order_on_ties() -> None:
    candidates: Candidates = {"q": ["d3", "d0", "d2", "d4"]}
    scores = bm25.build().index(CORPUS).score(ask("cat"), candidates)["q"]
    assert list(scores) == ["d4", "d0", "d3", "d2"]
    assert scores["d3"] == scores["d2"] == 0


def test_a_weighed_query_counts_its_words_as_a_document_would() -> None:
    # The query has 2 words, the documents 2.2 on average. "sky" has the idf ln(6 / 1.5), and in
    # d2 the frequency 2 among 3 words: that weight times the query's own, of frequency 1 among 2.
    idf = math.log(6 / 1.5)
    in_document = idf * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2.2))
    in_query = idf * 1 / (1 + 1.5 * (0.25 + 0.75 * 2 / 2.2))
    found = search("sky barks? dogs", query_weights="bm25")
    assert found["d2"] == pytest.approx(in_document * in_query, rel=1e-6)


def test_repeating_a_word_of_a_weighed_query_saturates() -> None:
    once, thrice = (search(text, query_weights="bm25")["d2"] for text in ("sky", "sky " * 3))
    assert once < thrice < 3 * once


def test_a_weighed_query_finds_the_same_in_an_index_from_disk() -> None:
    first = search("cat sky", query_weights="bm25")
    assert search("cat sky", query_weights="bm25") == first
    assert len(entries()) == 1


def test_the_lucene_analyzer_drops_possessives_and_stems() -> None:
    assert set(search("the cat's", analyzer="lucene")) == {"d0", "d1", "d4"}


@each_row
def test_values_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bm25.build(**options)


def test_a_second_run_reuses_the_index_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    first = search("cat")
    monkeypatch.setattr(bm25, "_indexed", None)  # calling it would fail
    assert search("cat") == first


@pytest.mark.parametrize("part", ["data.csc", "indices.csc", "indptr.csc", "vocab", "params"])
def test_an_index_altered_on_disk_is_made_again(part: str) -> None:
    # One bit near the end: every length fits, and only the values would be others.
    first = search("cat")
    (path,) = entries()[0].glob(f"{part}.index.*")
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    assert search("cat") == first
    assert path.read_bytes() != bytes(content)


def test_nothing_is_kept_with_the_cache_switched_off() -> None:
    search("cat", cache=False)
    assert entries() == []


def test_real_text_gets_the_scores_of_plain_bm25s() -> None:
    path = shared_data("data", "cranfield", "corpus.jsonl.gz")
    from leadline.data.documents import read_corpus

    corpus = read_corpus(path)
    queries = [Query(id=id, text=corpus[id].text[:80]) for id in list(corpus)[:20]]
    plain = bm25s.BM25()
    texts = [document.content for document in corpus.values()]
    plain.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    words = bm25s.tokenize([q.text for q in queries], show_progress=False)
    _, scores = plain.retrieve(words, k=10, show_progress=False)
    run = bm25.build().index(corpus).search(queries, 10)
    assert [list(run[query.id].values()) for query in queries] == scores.tolist()


def entries() -> list[Path]:
    return sorted(cache_folder("bm25").iterdir())


def test_words_that_negate_can_be_kept_while_others_are_dropped() -> None:
    kept = bm25.build(stopwords="en_but_not").index({"a": Document("a", "the hut is not open")})
    assert list(kept.search(ask("not"), 1)["q"]) == ["a"]
    assert kept.search(ask("the is"), 1)["q"] == {}
