"""The options of language models, on a scripted server."""

import json
import re

import pytest
from typer.testing import CliRunner

from commands import run
from leadline.benchmark import Benchmark
from leadline.cli.language_models import language_models, the_model
from leadline.cli.main import app
from leadline.cli.show_run import show_run
from leadline.data.folder import Folder, write_folder
from leadline.errors import InputError
from leadline.llm.run_record import RunRecord
from leadline.systems.chains import load_system
from leadline.types import Document, Query
from llm_server import EndpointServer, said
from tables import each_row

DOCUMENTS = {
    f"d{number}": Document(f"d{number}", f"the old mill number {number}") for number in range(4)
}
BENCHMARK = Benchmark(
    name="small",
    corpus=DOCUMENTS,
    queries=[Query("q", "old mill", "q")],
    qrels={"q": {"d0": 1}},
    metrics=[],
)


@pytest.fixture
def server():
    with EndpointServer(lambda *_: said("[2] > [1]")) as server:
        yield server


def test_a_stage_that_names_no_model_is_given_the_one_of_the_command(server, capsys):
    with language_models(llm=server.url, llm_model="tiny"):
        system = load_system("bm25+listwise")
        run = system.run(DOCUMENTS, BENCHMARK.queries).run
    assert server.bodies[0]["model"] == "tiny"
    assert len(run["q"]) == 4
    assert re.search(r"^tiny: 1 calls, 3 tokens .* price unknown$", capsys.readouterr().err, re.M)


@pytest.mark.parametrize("stage", ["listwise:{}", "listwise,llm={}", "listwise:llm={}", "listwise"])
def test_one_name_is_enough_everywhere(stage, server):
    name = f"{server.url}#tiny"
    with language_models(llm="" if "{}" in stage else name):
        load_system(f"bm25+{stage.format(name)}@3").run(DOCUMENTS, BENCHMARK.queries)
    assert server.bodies[0]["model"] == "tiny"


def test_the_second_run_is_answered_from_the_cache_and_says_so(server, capsys):
    for _ in range(2):
        with language_models(llm=server.url, llm_model="tiny"):
            load_system("bm25+listwise").run(DOCUMENTS, BENCHMARK.queries)
    assert server.calls.total() == 1
    assert "0 calls" in (last := capsys.readouterr().err.splitlines()[-1])
    assert last.endswith("; 1 answers were in the cache")


@each_row
def test_options_that_do_not_fit_are_told(options, message):
    with pytest.raises(InputError, match=message), language_models(**options):
        pass


def test_a_command_that_needs_a_model_says_how_to_name_one():
    with language_models(), pytest.raises(InputError, match="--llm NAME, for example openai:"):
        the_model("synthesize")


def test_the_record_of_a_run_is_shown(tmp_path, monkeypatch):
    import typer

    app = typer.Typer()
    app.command()(show_run)
    monkeypatch.setenv("COLUMNS", "80")
    run = RunRecord("queries", {"seed": 0})
    step = run.step("write")
    step.came_in, step.went_out, step.calls, step.cost = 1200, 1199, 1300, 0.25
    step.drop("the answer is no JSON")
    run.write(tmp_path)
    shown = CliRunner().invoke(app, [str(tmp_path)]).output
    assert "0.2500 USD" in shown
    assert re.search(r"write\s+1,200\s+1,199\s+1\s+1,300\s+0\.2500", shown)
    assert "write dropped 1: the answer is no JSON" in shown
    as_json = CliRunner().invoke(app, [str(tmp_path), "--json"]).output
    assert json.loads(as_json)["steps"][0]["dropped"] == {"the answer is no JSON": 1}


def test_a_stage_that_fails_on_a_share_of_its_cases_is_told_in_table_and_page(tmp_path):
    def play(prompt, _):
        return said("I cannot say") if "number 1" in prompt else said("[1] > [2] > [3] > [4]")

    folder = tmp_path / "bench"
    queries = [Query(f"q{n}", f"old mill number {n}") for n in range(4)]
    corpus = {f"d{n}": Document(f"d{n}", f"an old mill {n}") for n in range(4)}
    write_folder(folder, Folder(corpus, queries, {f"q{n}": {f"d{n}": 1} for n in range(4)}))
    with EndpointServer(play) as server:
        words = ["evaluate", "-s", "bm25+listwise", "-b", str(folder), "--out", str(tmp_path / "o")]
        own = ["--llm", server.url, "--llm-model", "tiny"]
        done = CliRunner().invoke(app, [*words, *own], env={"COLUMNS": "300"})
    assert done.exit_code == 0, done.output
    told = "failed on 1 of 4 cases"
    assert told in done.output
    assert told in (tmp_path / "o" / "report.html").read_text()


def test_a_search_and_a_diagnosis_say_that_the_model_ranked_nothing(tmp_path):
    from fault_commands import COMMANDS

    with EndpointServer(lambda *_: said("I cannot say.")) as server:
        own = ["--llm", server.url, "--llm-model", "tiny"]
        for name in ("search", "diagnose"):
            (folder := tmp_path / name).mkdir()
            done = run(*COMMANDS[name].words(folder), *own)
            failed = re.search(
                r"listwise: ([\d]+) failed \(.*no ranking in the answer", done.stderr
            )
            assert failed and failed[1] != "0", done.stderr
