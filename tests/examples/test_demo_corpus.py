"""The demo corpus is what its script makes, and reads like English."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

HARBOUR_TOWN = Path(__file__).parents[2] / "examples" / "harbour_town"
FILES = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
SLIPS = {
    "a before a vowel": r"\b[Aa] (?!one\b|uni|use|ukulele)[aeiouAEIOU]\w",
    "an before a consonant": r"\b[Aa]n (?!hour|honest|heir|X-ray|HM)[^aeiouAEIOU\W\d]\w",
    "one of a plural": r"(?<![\d.,€-])\b1 (night|day|hour|minute|year|room|month|week|encore)s\b",
    "a doubled word": r"\b([A-Za-z]+) \1\b",
    "two spaces": r"  ",
    "a space before a stop": r" [.,;:]",
    "two stops": r"[.,;:]{2}",
    "an unfilled field": r"[${}]|\bNone\b",
    "a small letter at a start": r"(^|[.!?] )[a-z]",
}


@pytest.fixture(scope="module")
def documents() -> list[dict[str, str]]:
    lines = (HARBOUR_TOWN / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def queries() -> list[dict[str, str]]:
    lines = (HARBOUR_TOWN / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_committed_files_are_those_of_seed_7(tmp_path: Path) -> None:
    _make(tmp_path, seed=7)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (HARBOUR_TOWN / name).read_bytes(), name


def test_every_document_has_its_own_id_title_length_and_filled_metadata(documents) -> None:
    assert len(documents) == 320
    for name in ("_id", "title"):
        assert len({document[name] for document in documents}) == 320
    for document in documents:
        assert 5 <= len(_sentences(document["text"])) <= 10, document["_id"]
        assert 60 <= len(document["text"].split()) <= 130, document["_id"]
        assert all(isinstance(fact, str) and fact for fact in document["metadata"].values())


def test_no_text_has_a_slip_of_grammar(documents, queries) -> None:
    texts = [each["text"] for each in (*documents, *queries)]
    found = [(slip, text[max(0, m.start() - 30) : m.end() + 20])
             for slip, pattern in SLIPS.items() for text in texts
             for m in re.finditer(pattern, text)]  # fmt: skip
    assert found == []


def test_sentences_are_no_boilerplate(documents: list[dict[str, str]]) -> None:
    times = Counter(s for document in documents for s in _sentences(document["text"]))
    once = sum(1 for number in times.values() if number == 1)
    assert once / len(times) > 0.95
    assert max(times.values()) <= 3


def test_every_query_has_one_known_document_of_its_own(
    documents: list[dict[str, str]], queries: list[dict[str, str]]
) -> None:
    rows = (HARBOUR_TOWN / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "query-id\tcorpus-id\tscore"
    judged = [row.split("\t") for row in rows[1:]]
    assert [query for query, _, _ in judged] == [query["_id"] for query in queries]
    assert {grade for _, _, grade in judged} == {"1"}
    relevant = [document for _, document, _ in judged]
    assert len(set(relevant)) == len(relevant) == 40
    assert set(relevant) <= {document["_id"] for document in documents}


def test_a_repair_bill_is_labour_and_parts(documents: list[dict[str, str]]) -> None:
    # "2.5 hours ... €62 an hour" and the total of the metadata: total - 2.5 * 62 is in the text.
    checked = 0
    for document in documents:
        if not document["_id"].startswith("repair"):
            continue
        text, facts = document["text"], document["metadata"]
        hours = re.search(r"([\d.]+) hours?\b", text)
        rate = re.search(r"€(\d+)(?= an hour)|hourly rate (?:of|was) €(\d+)", text)
        assert hours and rate, document["_id"]
        labour = float(hours[1]) * float(rate[1] or rate[2])
        parts = float(facts["total"].removeprefix("€").replace(",", "")) - labour  # type: ignore[index]
        assert f"€{parts:.2f}".removesuffix(".00") in text, document["_id"]
        checked += 1
    assert checked == 32


def _make(folder: Path, seed: int) -> None:
    command = [sys.executable, "-B", str(HARBOUR_TOWN / "make.py")]
    subprocess.run([*command, "--seed", str(seed), "--out", str(folder)], check=True)


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) ", text)
