"""Collections as others publish them, and files of other programs: each from a small example."""

import zipfile
from pathlib import Path

import pytest

from leadline import progress
from leadline.data.documents import read_corpus
from leadline.data.folder import read_folder
from leadline.errors import InputError
from leadline.systems.benchmarks import load_benchmarks
from tables import each_row

# As ir_datasets shows them: https://ir-datasets.com/msmarco-passage.html
MS_MARCO = {
    "collection.tsv": '0\tThe presence of "words" amid minds.\n1\tThe Manhattan Project.\n',
    "queries.dev.tsv": "1048585\twhat is paula deen's brother\n2\tandrogen receptor define\n",
    "queries.train.tsv": "121352\tdefine extreme\n",
    "qrels.dev.tsv": "1048585\t0\t0\t1\n2\t0\t1\t1\n",
    "qrels.train.tsv": "121352\t0\t1\t1\n",
}
BEIR = {
    "corpus.jsonl": '{"_id": "d1", "title": "", "text": "A van is hired."}\n',
    "queries.jsonl": '{"_id": "q1", "text": "van"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def zipped(path: Path, files: dict[str, str], inside: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in files.items():
            packed.writestr(inside + name, content)
    return path


def test_passages_of_ms_marco_are_a_benchmark_by_split(tmp_path: Path) -> None:
    folder = written(tmp_path / "msmarco", MS_MARCO)
    with pytest.raises(InputError, match=r"no qrels for the split 'test'. It has: dev, train"):
        load_benchmarks(str(folder))
    (dev,) = load_benchmarks(f"{folder}:split=dev")
    assert [query.id for query in dev.queries] == ["1048585", "2"]
    assert dev.qrels == {"1048585": {"0": 1}, "2": {"1": 1}}
    assert dev.corpus["0"].text == 'The presence of "words" amid minds.'
    (train,) = load_benchmarks(f"{folder}:split=train")
    assert [query.text for query in train.queries] == ["define extreme"]


def test_documents_of_ms_marco_have_an_address_and_a_title(tmp_path: Path) -> None:
    path = tmp_path / "msmarco-docs.tsv"
    path.write_text("D1\thttp://a.example/x\tA title\tThe body.\n")
    document = read_corpus(path)["D1"]
    assert (document.title, document.text) == ("A title", "The body.")
    assert document.facets == {"url": "http://a.example/x"}


@each_row
def test_a_table_is_a_corpus_with_or_without_a_header(
    tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    assert read_corpus(tmp_path / name)["7"].text == "A van."


@pytest.mark.parametrize(
    ("content", "message"),
    [("1\ta\n2\n", r":2: expected 2 columns"), ("1\n", r"has no column 'text'")],
)
def test_a_table_that_is_none_names_its_line(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "c.tsv").write_text(content)
    with pytest.raises(InputError, match=message):
        read_corpus(tmp_path / "c.tsv")


def test_topics_and_qrels_of_trec_beside_a_corpus_are_a_benchmark(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "corpus.csv": "id,text\nd1,A van is hired.\n",
            "topics.txt": "<top>\n<num> Number: 301\n<title> van hire\n<desc> Long.\n</top>\n",
            "qrels.txt": "301 0 d1 2\n",
        },
    )
    found = read_folder(folder)
    assert [(query.id, query.text) for query in found.queries] == [("301", "van hire")]
    assert found.qrels == {"301": {"d1": 2}}


def test_judgements_in_a_csv_are_read(tmp_path: Path) -> None:
    files = {**BEIR, "qrels.csv": "query,doc,grade\nq1,d1,2\n"}
    del files["qrels/test.tsv"]
    assert read_folder(written(tmp_path, files)).qrels == {"q1": {"d1": 2}}


@pytest.mark.parametrize("inside", ["", "scifact/"])
def test_a_zip_of_beir_is_a_benchmark_named_like_it(tmp_path: Path, inside: str) -> None:
    path = zipped(tmp_path / "scifact.zip", BEIR, inside)
    (benchmark,) = load_benchmarks(str(path))
    assert (benchmark.name, benchmark.qrels) == ("scifact", {"q1": {"d1": 1}})
    assert read_corpus(path).keys() == {"d1"}


def test_a_zip_that_is_none_or_leaves_its_folder_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_text("no")
    with pytest.raises(InputError, match=r"Cannot unpack"):
        read_corpus(tmp_path / "no.zip")
    path = zipped(tmp_path / "out.zip", {"../../../out.txt": "gone", "a.txt": "stays"})
    assert set(read_corpus(path)) >= {"a.txt"}
    assert not list(tmp_path.glob("out.txt"))
    big = zipfile.ZipFile(tmp_path / "big.zip", "w", zipfile.ZIP_DEFLATED)
    big.writestr("a.txt", "a" * 50_000_000)
    big.close()
    with pytest.raises(InputError, match=r"unpacks to more than 200 times its size"):
        read_corpus(tmp_path / "big.zip")


def test_other_marked_texts_lose_their_marks(tmp_path: Path) -> None:
    rst = "======\nMoving\n======\n\n.. note::\n   A van.\n\nCosts\n-----\nIt costs 20.\n"
    adoc = "= Moving\n:toc:\n\nA van.\n\n== Costs\n[source]\n----\nls\n----\nIt costs 20.\n"
    found = read_corpus(written(tmp_path, {"a.rst": rst, "b.adoc": adoc}))
    assert {each.title for each in found.values()} == {"Moving"}
    assert found["a.rst"].text == "A van.\n\nCosts\n\nIt costs 20."
    assert found["b.adoc"].text == "A van.\n\nCosts\n\nls\n\nIt costs 20."


def test_office_files_are_read_where_their_readers_are_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docx = pytest.importorskip("docx")
    pytest.importorskip("pypdf")
    page = docx.Document()
    page.add_heading("Moving", 0)
    page.add_paragraph("A van is hired.")
    row = page.add_table(rows=1, cols=2).rows[0]
    row.cells[0].text, row.cells[1].text = "van", "20 euros"
    page.save(tmp_path / "a.docx")
    (tmp_path / "b.pdf").write_bytes(pdf("A van is hired."))
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4 broken")
    with progress.shown(quiet=True):
        found = read_corpus(tmp_path)
    assert (found["a.docx"].title, found["b.pdf"].text) == ("Moving", "A van is hired.")
    assert "van  20 euros" in found["a.docx"].text
    assert "c.pdf (not a readable .pdf" in capsys.readouterr().err


def pdf(text: str) -> bytes:
    """Return the smallest page that shows a text."""
    shown = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(shown), shown),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%sendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (
        b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (table, len(out))
    )
