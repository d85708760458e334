"""Whatever systems, benchmarks, queries and documents are called: files stay inside and apart."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leadline.data.trec import read_run
from leadline.data.writing import file_name
from leadline.report import Report
from leadline.report.folder import read_folder as read_out
from leadline.report.folder import write_scores

NASTY = [
    "a/b", "a-b-c14cddc0", "A-b",
    "../../x", "..", ".", "", "/", "//", "/etc/passwd", "a/../../b", "~", "~root/x", "C:\\x",
    "\\\\h\\x", "a\tb", "a\nb", "a\rb", "a%2fb", "%2e%2e%2f", "percent-encoded:a",
    "a b", "a  b", "a\0b", "a-b", "bm25", "BM25", "Bm25", "straße", "STRASSE", "é", "e\u0301",
    "\u202e", "\u2028", "\ufeff",
    "x" * 5000, "x" * 4999 + "y", "é" * 5000, "runs", "scores", "report.json", "report.html",
    "corpus.jsonl", "qrels", "con", "NUL", "aux.trec", "-", "--out", "*", "?", "$HOME", "`id`",
    ".x.12345678.part", "Q0", "a.", "a ", " a", '"a"', "'a'", "<a>", "a|b", "\U0001f600",
]  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(st.sampled_from([*"aA./\\%\t\n -", "..", "%2f", "é"]), max_size=12).map("".join),
)
IDS = NAMES.filter(lambda id: id.strip() != "" and len(id) <= 4096)


def tried(examples: int):
    return settings(
        max_examples=examples, derandomize=True, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def inside(path: Path, folder: Path) -> bool:
    """Tell whether a path lies below a folder, links and dots followed."""
    return folder.resolve() in path.resolve().parents


@tried(500)
@given(st.lists(NAMES, min_size=2, max_size=6, unique=True))
def test_files_of_different_names_are_different_files(names: list[str]) -> None:
    # Some disks do not tell capitals from small letters.
    assert len({file_name(name).lower() for name in names}) == len(names)
    for name in map(file_name, names):
        assert len(name.encode()) <= 255
        assert "/" not in name and "\0" not in name and name.strip(".")


@tried(60)
@given(
    st.lists(NAMES, min_size=1, max_size=2, unique=True),
    st.lists(NAMES, min_size=1, max_size=2, unique=True),
    st.lists(IDS, min_size=1, max_size=4, unique=True),
)
def test_what_is_written_is_read_again_whatever_it_is_called(
    systems: list[str], benchmarks: list[str], ids: list[str]
) -> None:
    run = {query: {document: 1.5 - n for n, document in enumerate(ids)} for query in ids}
    scores = {"P@1": dict.fromkeys(ids, 0.5)}
    wanted = {(system, benchmark) for system in systems for benchmark in benchmarks}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        for system, benchmark in wanted:
            write_scores(out, Report(system, benchmark, scores, run=run))
        written = [path for path in Path(folder).rglob("*") if path.is_file()]
        assert all(inside(path, out) for path in written)
        assert len(written) == 2 * len(wanted)
        found, _ = read_out(out)
        assert {(each.system, each.benchmark) for each in found} == wanted
        assert all(each.scores == scores for each in found)
        runs = [path for path in written if path.parent.name == "runs"]
        assert len(runs) == len(wanted)
        assert all(read_run(path) == run for path in runs)
