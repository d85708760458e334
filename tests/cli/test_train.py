"""leadline train, from a folder to a system."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from tiny_training import write_examples

pytest.importorskip("trl")

import tiny_models
import tiny_training as tiny
from leadline.cli.main import app
from leadline.kinds.reasoning.pairs import JudgedPair, write_pairs

RUN = CliRunner()


def typed(tmp_path: Path, *more: str) -> list[str]:
    write_examples(tmp_path / "examples.jsonl", tiny.examples())
    model = tmp_path / "model"
    if not model.exists():
        tiny.static_model().save_pretrained(str(model), create_model_card=False)
    return [
        "train", "retriever", "--model", str(model), "--data", str(tmp_path / "examples.jsonl"),
        "--out", str(tmp_path / "out"), "--learning-rate", "0.05", "--batch-size", "8",
        "--steps", "20", "--evaluations", "2", *more,
    ]  # fmt: skip


def test_a_model_is_trained_and_told_of(tmp_path: Path) -> None:
    done = run(*typed(tmp_path, "--loss", "cr", "--alignment", "0.5"))
    assert "untrained" in done.stdout
    assert f"Model: {tmp_path / 'out'}" in done.stderr
    assert (tmp_path / "out" / "modules.json").exists()
    assert "16 queries to learn from (examples of the file)" in " ".join(done.stderr.split())
    assert "with 48 rephrasings" in (tmp_path / "out" / "README.md").read_text()
    again = RUN.invoke(app, typed(tmp_path, "--loss", "cr", "--alignment", "0.5", "--json"))
    assert json.loads(again.stdout)[0]["mean"]["RBO@5"] > 0.3
    other = run(*typed(tmp_path, "--loss", "mnr"), code=2)
    assert "Choose another --out folder" in other.stderr


def test_a_grid_over_seeds_is_shown_with_deviations(tmp_path: Path) -> None:
    done = run(*typed(tmp_path, "--grid", "alignment=0,1", "--seeds", "2"))
    assert "trained alignment=1 2 seeds" in done.stdout
    assert "±" in done.stdout


def test_every_choice_of_the_loss_and_the_preset_reach_the_run(tmp_path: Path) -> None:
    own = ("--reduction", "mean", "--divisor", "rephrasings", "--per-dimension", "--normalize",
           "--compared-with", "batch", "--candidates", "own", "--scale", "10",
           "--alignment", "0.8")  # fmt: skip
    run(*typed(tmp_path, "--preset", "paper", *own))
    plan = json.loads((tmp_path / "out" / "training.json").read_text())
    # What is typed goes first (alignment, steps, batch size); the rest is the preset's.
    assert plan["loss"] == {
        "loss": "cr", "alignment": 0.8, "margin": 0.5, "scale": 10.0, "divisor": "rephrasings",
        "per_dimension": True, "normalize": True, "compared_with": "batch", "reduction": "mean",
        "candidates": "own",
    }  # fmt: skip
    assert (plan["settings"]["batch_size"], plan["settings"]["epochs"]) == (8, 15)
    wrong = RUN.invoke(app, typed(tmp_path, "--reduction", "meen"))
    assert wrong.exit_code == 2 and "Did you mean 'mean'" in " ".join(wrong.stderr.split())
    wrong = RUN.invoke(app, typed(tmp_path, "--preset", "papre"))
    assert wrong.exit_code == 2 and "Did you mean 'paper'" in " ".join(wrong.stderr.split())


def test_queries_of_ones_own_validate(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    write_examples(own / "examples.jsonl", tiny.examples()[:4])
    done = RUN.invoke(app, typed(tmp_path, "--validation", str(own), "--dry-run"))
    assert done.exit_code == 0, done.output
    assert (
        "24 examples with 72 rephrasings and 24 hard negatives. 4 queries are held" in done.stdout
    )


def test_a_dry_run_trains_nothing(tmp_path: Path) -> None:
    done = run(*typed(tmp_path, "--dry-run"))
    assert (
        "16 examples with 48 rephrasings and 16 hard negatives. 8 queries are held out"
        in done.stdout
    )
    assert done.stdout.startswith(
        f"{tmp_path / 'examples.jsonl'}: 16 queries to learn from (examples of the file), with 48 "
        "rephrasings (of the file); 8 queries held out\n"
    )
    assert not (tmp_path / "out").exists()


def test_what_does_not_fit_is_told_in_a_line(tmp_path: Path) -> None:
    wrong = RUN.invoke(app, typed(tmp_path, "--loss", "cl"))
    assert (wrong.exit_code, "Unknown loss 'cl'" in wrong.stderr) == (2, True)
    cache = RUN.invoke(app, typed(tmp_path, "--gradient-cache", "4"))
    assert "A static embedding does not use gradient_cache" in cache.stderr
    run(*typed(tmp_path, "--miner", "bm25+cross_encoder:x"), code=2)


def test_what_is_not_installed_is_told_before_any_work(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"_id": "a", "text": "A ferry sails at noon."}) + "\n")
    code = (
        "import sys; sys.modules['datasets'] = None; sys.argv = ['leadline', 'train', "
        f"'retriever', '--data', {str(corpus)!r}]; from leadline.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "leadline: This needs datasets, which is not installed: pip install 'leadline[train]'"
    )


def test_pairs_are_streamed_first_with_settings_of_their_own(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    write_examples(pairs, tiny.examples())
    setting = ("--pairs-setting", "batch_size=4", "--pairs-setting", "learning_rate=0.01")
    run(*typed(tmp_path, "--loss", "mnr", "--pairs", str(pairs), *setting))
    card = (tmp_path / "out" / "pairs" / "README.md").read_text()
    told = dict(re.findall(r"^- (.+): `(.+)`$", card, re.MULTILINE))
    # 24 pairs in batches of 4, one pass, 128 tokens; the main training has 20 steps of 8.
    assert (told["batch_size"], told["max_length"], told["steps made"]) == ("4", "128", "6")
    assert (tmp_path / "out" / "pairs" / "modules.json").exists()
    done = run("train", "retriever", "--data", pairs, *setting, "--dry-run", code=2)
    assert "is for the training on --pairs FILE" in done.stderr


def test_pairs_become_a_model(tmp_path: Path) -> None:
    base = tiny_models.save(tmp_path / "b", "Qwen2ForCausalLM", tiny_models.byte_tokenizer())
    write_pairs(
        tmp_path / "pairs.jsonl",
        [JudgedPair(f"mill {n // 2}", "the old mill", n % 2 == 0, "the mill.") for n in range(12)],
    )
    given = ["train", "reasoner", "--pairs", str(tmp_path / "pairs.jsonl"), "--model", str(base)]
    plan = RUN.invoke(app, [*given, "--dry-run", "--held-out", "0.2"])
    assert plan.stdout == "10 pairs to train on, 2 held out.\n"
    own = ["--out", str(tmp_path / "out"), "--steps", "1", "--precision", "float32",
           "--batch-size", "2", "--accumulation", "1", "--trace-tokens", "4", "--json",
           "--quiet"]  # fmt: skip
    done = run(*given, *own)
    told = json.loads(done.stdout)
    assert (told["rows"], told["steps"]) == (10, 1)
    assert (tmp_path / "out" / "model.safetensors").exists()


def test_an_unknown_preset_is_told(tmp_path: Path) -> None:
    done = run("train", "reasoner", "--pairs", tmp_path / "p.jsonl", "--preset", "leaflet", code=2)
    assert "leaflet" in done.stderr
