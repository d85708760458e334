"""A search service of one's own, on the loopback interface, through the commands that use one."""

import json
from pathlib import Path

from typer.testing import CliRunner

from leadline.cli.main import app
from loopback import Call, Reply, serving
from notes import NOTES, write_beir
from tables import each_row


def by_shared_words(call: Call) -> Reply:
    """Answer with the notes that share most words with the query."""
    words = set(call.json["query"].lower().split())
    found = [
        {"id": name, "score": len(words & set(f"{title} {text}".lower().split()))}
        for name, (title, text) in NOTES.items()
    ]
    found.sort(key=lambda hit: -hit["score"])
    return Reply({"hits": found[: call.json["k"]]})


def run(*arguments: str | Path) -> dict:
    done = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    report: dict = json.loads(done.stdout)
    return report


def evaluated(folder: Path, system: str) -> dict:
    beir = write_beir(folder)
    return run(
        "evaluate", "-s", system, "-b", beir, "--out", folder / "out", "--json", "--no-reference"
    )


def described(folder: Path, url: str) -> str:
    path = folder / "service.yaml"
    path.write_text(f"url: {url}\nretries: 0\n")
    return str(path)


def files_of(folder: Path) -> str:
    """Return all that was written, and how it is called."""
    written = [each for each in (folder / "out").rglob("*") if each.is_file()]
    assert len(written) >= 4
    return "".join(each.name + each.read_text() for each in written)


def test_a_probe_that_a_service_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    # Every document is there six times: so many answer any query that it is dropped.
    corpus = tmp_path / "copies.jsonl"
    rows = [
        json.dumps({"_id": f"{id}{copy}", "title": title, "text": f"{text} Copy {copy}."})
        for id, (title, text) in NOTES.items()
        for copy in range(6)
    ]
    corpus.write_text("\n".join(rows))
    with serving(by_shared_words) as service:
        system = described(tmp_path, service.url)
        done = CliRunner().invoke(
            app, ["check", str(corpus), "-s", system, "--probe", "conditions", "--limit", "4"]
        )
    assert done.exit_code == 2
    assert "--probe rephrasings" in done.stderr


def test_queries_that_a_service_refused_are_reported_by_reason(tmp_path: Path) -> None:
    def without_films(call: Call) -> Reply:
        return Reply({}, 400) if "film" in call.json["query"] else by_shared_words(call)

    with serving(without_films) as service:
        (result,) = evaluated(tmp_path, described(tmp_path, service.url))["results"]
    assert result["failures"] == {f"{service.url}: status 400": 1}


@each_row
def test_no_literal_of_a_description_reaches_a_file(tmp_path: Path, body: str) -> None:
    path = tmp_path / "service.yaml"
    with serving(by_shared_words) as service:
        path.write_text(
            f"url: {service.url}/find;token=hunter2a?sig=hunter2b&code=hunter2c&sas=hunter2d\n"
            f"headers: {{X-Who: hunter2e, Content-Type: application/json}}\nbody: {body}\n"
        )
        evaluated(tmp_path, str(path))
    written = files_of(tmp_path)
    assert "hunter2" not in written and "4711471147" not in written


def test_keys_in_an_address_that_is_typed_reach_no_file(tmp_path: Path) -> None:
    with serving(by_shared_words) as service:
        shown = evaluated(tmp_path, f"{service.url}/hunter2hunter2/find?sig=hunter2")["results"][0]
    assert "hunter2" not in files_of(tmp_path)
    # Each of the three queries shares most words with its own note.
    assert shown["metrics"]["MRR@10"]["mean"] == 1.0
