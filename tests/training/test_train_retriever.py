"""Training runs of small models, from the first step to a saved model."""

import json
import os
import signal
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tables import each_row
from tiny_training import write_examples

pytest.importorskip("datasets")

import tiny_training as tiny
from leadline.errors import InputError
from leadline.systems.chains import load_system
from leadline.training.data import TrainingExample, stream_examples
from leadline.training.losses import coherence_ranking_loss
from leadline.training.retriever import (
    Collator,
    Objective,
    StreamCollator,
    Trained,
    _excluded,
    example_sets,
    is_collapsed,
    run_all,
    train,
)
from leadline.training.runs import training
from leadline.training.settings import LOSSES, LossSettings, Settings, axes_of, pairs_settings
from leadline.types import Query
from torchrun import run_processes

FAST = Settings(learning_rate=0.05, batch_size=8, steps=30, evaluations=3)
SLOW = Settings(learning_rate=1e-3, batch_size=8, steps=12, evaluations=4)


def run(out: Path, loss: str = "cr", settings: Settings = FAST, **others: Any) -> Any:
    given = {"base": "tiny", **others}
    model = given.pop("model", tiny.static_model)
    return train(
        model, given.pop("examples", tiny.examples()), given.pop("validation", tiny.validation()),
        out, loss=LossSettings(loss, 0.5, 0.5), settings=settings, **given,
    )  # fmt: skip


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return {
        f"{path.relative_to(folder)} {name}": tensor
        for path in sorted(folder.rglob("*.safetensors"))
        for name, tensor in load_file(path).items()
    }


def assert_same_weights(one: Path, other: Path) -> None:
    import torch

    first, second = weights(one), weights(other)
    assert first.keys() == second.keys()
    assert first
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


@pytest.mark.parametrize("loss", ["cr", "qq", "full"])
def test_training_makes_retrieval_better_and_a_system(tmp_path: Path, loss: str) -> None:
    out = tmp_path / "out"
    done = run(out, loss, data={"corpus": "made-up words"})
    # Random vectors find a document of 24 by chance.
    assert done.start["nDCG@10"] < 0.2
    assert done.end["nDCG@10"] > 0.6
    assert done.end["RBO@5"] > done.start["RBO@5"] + 0.1
    query = Query("q", tiny.FRAMES[3].format(tiny.name_of(5)))
    found = load_system(f"dense:{out}").run(tiny.documents(), [query])
    assert loss == "qq" or next(iter(found.run["q"])) == "5"
    card = (out / "README.md").read_text("utf-8")
    assert 'base_model: "tiny"' in card
    assert f"| trained | {done.end['nDCG@10']:.4f} |" in card
    assert "- alignment: `0.5`" in card
    assert "- corpus: `made-up words`" in card
    lines = [json.loads(line) for line in (out / "log.jsonl").open()]
    assert [line["step"] for line in lines if "eval_RBO@5" in line] == [10, 20, 30]
    terms = {"ranking"} if loss == "qq" else {"ranking", "alignment", "margin"}
    assert {"loss", *terms} <= set().union(*lines)


def still_bert(folder: Path) -> Path:
    """Save a model without dropout, whose weights come out alike however a batch is divided."""
    bert = tiny.save_bert(folder / "bert")
    still = {"attention_probs_dropout_prob": 0.0, "hidden_dropout_prob": 0.0}
    config = json.loads((bert / "config.json").read_text()) | still
    (bert / "config.json").write_text(json.dumps(config))
    return bert


def test_a_transformer_trains_with_gradient_caching_as_without(tmp_path: Path) -> None:
    import torch

    bert = still_bert(tmp_path)
    plain = Settings(learning_rate=1e-3, batch_size=8, steps=4, evaluations=1)
    cached = Settings(learning_rate=1e-3, batch_size=8, steps=4, evaluations=1, gradient_cache=3)
    for name, settings in (("plain", plain), ("cached", cached)):
        run(tmp_path / name, settings=settings, model=lambda: tiny.open_bert(bert))
    first, second = weights(tmp_path / "plain"), weights(tmp_path / "cached")
    before = weights(bert)
    moved = [name for name in first if not torch.equal(first[name], before[name])]
    assert len(moved) > 10
    for name in first:
        assert torch.allclose(first[name], second[name], atol=2e-4), name


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--loss", "full", "--gradient-cache", "3"]])
def test_two_processes_give_the_weights_of_one(tmp_path: Path, more: list[str]) -> None:
    import torch

    bert = still_bert(tmp_path)
    write_examples(tmp_path / "examples.jsonl", tiny.examples())
    # 16 examples in steps of 7, 7 and 2: the last is divided among the processes, too.
    given = ["train", "retriever", "--model", str(bert), "--data", str(tmp_path / "examples.jsonl"),
             "--learning-rate", "0.005", "--batch-size", "7", "--epochs", "2", "--evaluations", "2",
             *more]  # fmt: skip
    run_processes(1, [*given, "--out", str(tmp_path / "one")])
    run_processes(2, [*given, "--out", str(tmp_path / "two")])
    one, two, before = weights(tmp_path / "one"), weights(tmp_path / "two"), weights(bert)
    assert one.keys() == two.keys()
    assert sum(not torch.equal(one[name], before[name]) for name in one) > 10
    for name in one:
        assert torch.allclose(one[name], two[name], atol=1e-4), name


def test_processes_divide_the_texts_of_a_batch_and_keep_its_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    examples = {"query_document": [TrainingExample(f"q{n}", f"p{n}", ("n",)) for n in range(3)]}
    rows = [{"row": n} for n in range(3)]

    def read(texts: list[str], prompt: Any) -> dict[str, Any]:
        return {"texts": texts}

    batches = []
    for process, processes in ((0, 1), (0, 2), (1, 2)):
        monkeypatch.setenv("RANK", str(process))
        monkeypatch.setenv("WORLD_SIZE", str(processes))
        batches.append(Collator(examples, read, {"query": "", "document": ""}, False)(rows))
    whole, first, second = batches
    # Four documents in the order of their first row: p0, n, p1, p2.
    assert whole["document_texts"] == ["p0", "n", "p1", "p2"]
    assert first["document_texts"] == ["p0", "p1"]
    assert second["document_texts"] == ["n", "p2"]
    assert first["query_texts"] == ["q0", "q2"] and second["query_texts"] == ["q1"]
    assert all((each["label"]["documents"] == whole["label"]["documents"]).all()
               for each in (first, second))  # fmt: skip


class Interrupting(dict):
    """A corpus that is interrupted when it is read for the third time."""

    def __init__(self, how: Any) -> None:
        super().__init__(tiny.documents())
        self.how = how
        self.times = 0

    def values(self) -> Any:
        self.times += 1
        if self.times == 3:
            self.how()
        return super().values()


def ask_to_stop() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize("loss", ["cr", pytest.param("qq", marks=pytest.mark.slow)])
def test_a_resumed_run_gives_the_weights_of_an_uninterrupted_one(tmp_path: Path, loss: str) -> None:
    bert = tiny.save_bert(tmp_path / "bert")

    def model() -> Any:
        return tiny.open_bert(bert)

    run(tmp_path / "whole", loss, SLOW, model=model)
    with pytest.raises(KeyboardInterrupt):
        stopped = tiny.validation(Interrupting(ask_to_stop))
        run(tmp_path / "resumed", loss, SLOW, model=model, validation=stopped)
    assert not (tmp_path / "resumed" / "figures.json").exists()
    # The newest checkpoint was not written to its end: the one before it counts.
    newest = max((tmp_path / "resumed" / "checkpoints").glob("checkpoint-*"))
    with (newest / "trainer_state.json").open("r+b") as handle:
        handle.truncate(100)
    done = run(tmp_path / "resumed", loss, SLOW, model=model)
    assert done.steps == 12
    assert_same_weights(tmp_path / "whole", tmp_path / "resumed")


def test_a_stream_trains_as_examples_in_memory_do(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    tiny.write_examples(path, tiny.examples())
    stream = stream_examples(path)
    assert (len(stream), list(stream)) == (tiny.TOPICS, tiny.examples())
    done = run(tmp_path / "out", "mnr", examples=stream)
    # Examples stand in batches of another order, so the weights are others.
    held = run(tmp_path / "held", "mnr")
    assert done.start == held.start
    assert done.steps == held.steps == 30
    assert done.end["nDCG@10"] == pytest.approx(held.end["nDCG@10"], abs=0.1)
    assert done.end["nDCG@10"] > done.start["nDCG@10"] + 0.2
    # Without a number of steps its length says them: 24 rows in batches of 8, twice.
    twice = Settings(learning_rate=0.05, batch_size=8, epochs=2, evaluations=2)
    assert run(tmp_path / "twice", "mnr", twice, examples=stream).steps == 6
    with pytest.raises(InputError, match="trained with the loss mnr, not cr"):
        run(tmp_path / "cr", "cr", examples=stream)
    path.write_text(path.read_text() + '{"query": "q"}\n')
    with pytest.raises(InputError, match=r"examples\.jsonl:25"):
        stream_examples(path)


def test_a_batch_of_a_stream_is_that_of_its_examples() -> None:
    def preprocess(texts: list[str], prompt: str | None = None) -> dict[str, Any]:
        return {"texts": texts}

    examples = [
        TrainingExample("q1", "d1"),
        TrainingExample("q2", "d2", ("d1",)),
        TrainingExample("q1", "d3"),
    ]
    given = (preprocess, {"query": "", "document": ""}, False)
    expected = Collator({"query_document": examples}, *given)([{"row": n} for n in range(3)])
    batch = StreamCollator(*given)([{"row": json.dumps(asdict(each))} for each in examples])
    assert batch["query_texts"] == expected["query_texts"] == ["q1", "q2"]
    for name, table in expected["label"].items():
        assert batch["label"][name].tolist() == table.tolist()
    # d1 and d3 both answer q1: neither is ranked against the other.
    assert batch["label"]["answers"][0].sort().values.tolist() == [0, 2]


def test_pairs_have_the_settings_of_the_paper_and_not_of_the_main_training() -> None:
    main = Settings(learning_rate=1e-5, batch_size=32, steps=7, precision="bfloat16")
    pairs = pairs_settings(main, ["gradient_cache=64", "epochs=0.5"])
    assert (pairs.learning_rate, pairs.batch_size, pairs.max_length) == (2e-5, 2048, 128)
    assert (pairs.steps, pairs.epochs, pairs.gradient_cache) == (None, 0.5, 64)
    assert pairs.precision == "bfloat16"
    with pytest.raises(InputError, match="setting of --pairs-setting"):
        pairs_settings(main, ["margin=1"])
    with pytest.raises(InputError, match="'many' is not a number"):
        pairs_settings(main, ["batch_size=many"])


def test_a_folder_with_another_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", validation=tiny.validation(Interrupting(ask_to_stop)))
    with pytest.raises(InputError, match="another --out folder, or use those settings"):
        run(tmp_path / "out", "mnr")


def test_a_collapse_is_told_and_stops_the_run(tmp_path: Path) -> None:
    # With only the alignment counting and long steps, every query falls on one point.
    bert = tiny.save_bert(tmp_path / "bert")
    with pytest.raises(InputError, match=r"No model is kept\. Query embeddings collapse: at step"):
        train(
            lambda: tiny.open_bert(bert), tiny.examples(), tiny.validation(),
            tmp_path / "out", base="tiny", loss=LossSettings("qea", alignment=1e4),
            settings=Settings(learning_rate=0.05, batch_size=8, steps=60, evaluations=3),
        )  # fmt: skip
    assert not (tmp_path / "out" / "figures.json").exists()


def test_a_collapse_needs_closer_queries_and_worse_retrieval() -> None:
    start = {"cosine": 0.2, "nDCG@10": 0.54}
    # A real run with too large a weight: 0.32 of the way to 1, and 16 points of nDCG lost.
    assert is_collapsed(start, 0.54, {"cosine": 0.52, "nDCG@10": 0.38})
    assert is_collapsed(start, 0.54, {"cosine": 0.95, "nDCG@10": 0.54})
    for cosine, ndcg in ((0.30, 0.50), (0.52, 0.54), (0.20, 0.30)):
        assert not is_collapsed(start, 0.54, {"cosine": cosine, "nDCG@10": ndcg})


def test_rows_of_each_loss() -> None:
    example = TrainingExample("q", "p", ("n",), ("r1", "r2"))
    other = TrainingExample("x", "y")
    plain = example_sets([example, other], LossSettings("mnr"))
    assert plain == {"query_document": [example, other]}
    augmented = example_sets([example, other], LossSettings("full"))["query_document"]
    assert augmented == [
        example,
        TrainingExample("r1", "p", ("n",), ("q", "r2")),
        TrainingExample("r2", "p", ("n",), ("q", "r1")),
        other,
    ]
    in_turn = example_sets([example, other], LossSettings("qq"))
    assert in_turn["query_document"] == [example, other]
    assert [{each.query, each.positive} < {"q", "r1", "r2"} for each in in_turn["query_query"]] == [
        True, True,
    ]  # fmt: skip


def candidates(loss: str) -> dict[str, list[set[str]]]:
    """Return by set what each query is ranked against, in one batch of all rows of a loss.

    Two clusters: a (a1, a2), answered by P and S; b (b1, b2), answered by S and Q. The mined
    negative of b's first row answers it by the second.
    """
    sets = example_sets(
        [
            TrainingExample("a", "P", ("n",), ("a1", "a2")),
            TrainingExample("a", "S", ("m",), ("a1", "a2")),
            TrainingExample("b", "S", ("Q", "k"), ("b1", "b2")),
            TrainingExample("b", "Q", (), ("b1", "b2")),
        ],
        LossSettings(loss),
    )
    found = {}
    for name, rows in sets.items():
        collator = Collator(sets, lambda texts, prompt: {"texts": texts},
                            {"query": "", "document": ""}, loss != "mnr")  # fmt: skip
        batch = collator([{"row": n, "dataset_name": name} for n in range(len(rows))])
        places, texts = batch["label"]["documents"], batch["document_texts"]
        flat = [*places[:, 0].tolist(), *places[:, 1:].reshape(-1).tolist()]
        found[name] = [
            {texts[place] for place, out in zip(flat, row, strict=True) if place >= 0 and not out}
            for row in _excluded(batch["label"]).tolist()
        ]
    return found


@pytest.mark.parametrize("loss", LOSSES)
def test_nothing_that_is_right_for_a_cluster_is_ranked_against(loss: str) -> None:
    found = candidates(loss)
    # Of the documents P, S, Q, n, m, k a query of a must not be ranked against P and S, and one
    # of b not against S and Q. The positive of each row is added by the loss itself.
    of_a, of_b = {"Q", "n", "m", "k"}, {"P", "n", "m", "k"}
    rows = 3 if loss in ("qa", "full") else 1  # of each of the four examples
    assert found["query_document"] == [*[of_a] * 2 * rows, *[of_b] * 2 * rows]
    if loss == "qq":  # of the six queries only those of the other cluster
        assert all(each <= {"b", "b1", "b2"} for each in found["query_query"][:2])
        assert all(each <= {"a", "a1", "a2"} for each in found["query_query"][2:])


@each_row
def test_every_choice_changes_what_a_batch_costs(choice: dict[str, Any]) -> None:
    import torch

    examples = [
        TrainingExample("a", "A", ("x", "y"), ("a1", "a2")),
        TrainingExample("b", "B", ("z",), ("b1",)),
    ]  # fmt: skip
    collator = Collator({"query_document": examples}, lambda texts, prompt: {"texts": texts},
                        {"query": "", "document": ""}, True)  # fmt: skip
    batch = collator([{"row": 0}, {"row": 1}])
    torch.manual_seed(0)
    vectors = [torch.randn(len(batch[f"{side}_texts"]), 6) for side in ("query", "document")]

    def cost(loss: LossSettings) -> float:
        return sum(Objective(None, loss).terms(vectors, batch["label"]).values()).item()

    plain, changed = LossSettings("cr"), LossSettings("cr", **choice)
    assert cost(changed) != pytest.approx(cost(plain), rel=1e-3)
    # As the functions give it on the same rows; the second row has one place less of each.
    query, document = (vectors[place][batch["label"][side].clamp(min=0)]
                       for place, side in enumerate(("queries", "documents")))  # fmt: skip
    masks = {"rephrasing_mask": torch.tensor([[True, True], [True, False]]),
             "negative_mask": torch.tensor([[True, True], [True, False]])}  # fmt: skip
    expected = coherence_ranking_loss(query[:, 0], query[:, 1:], document[:, 0], document[:, 1:],
                                      alignment=1, margin=1, **masks, **choice)  # fmt: skip
    assert cost(changed) == pytest.approx(expected.item(), rel=1e-5)


def test_examples_that_do_not_fit_are_named() -> None:
    with pytest.raises(InputError, match="'cr' needs rephrasings"):
        example_sets([TrainingExample("a", "b")] * 2, LossSettings("cr"))
    with pytest.raises(InputError, match="at least 2 examples, got 1"):
        example_sets([TrainingExample("a", "b")], LossSettings("mnr"))
    with pytest.raises(InputError, match="Did you mean 'full'"):
        LossSettings("ful")
    with pytest.raises(InputError, match="batch_size must be at least 2, got 1"):
        Settings(batch_size=1)


def pretend(out: Path, loss: LossSettings, settings: Settings) -> Trained:
    """Score best at an alignment of 2, and better for seed 1."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.txt").write_text(f"{loss.alignment:g} {settings.seed}")
    score = 0.5 - abs(loss.alignment - 2) / 10 + settings.seed / 100
    return Trained(out, {"score": 0.1}, {"score": score}, 1, 0.0)


def test_the_best_choice_and_its_best_seed_are_kept(tmp_path: Path) -> None:
    tried = run_all(
        pretend, tmp_path, LossSettings(), Settings(), axes=axes_of(["alignment=1,2,5"]), seeds=2
    )
    assert (tmp_path / "model.txt").read_text() == "2 1"
    # Seeds 0 and 1 give 0.50 and 0.51: mean 0.505, deviation 0.01 / sqrt(2).
    assert tried[1].mean["score"] == pytest.approx(0.505)
    assert tried[1].deviation["score"] == pytest.approx(0.01 / 2**0.5)
    assert [each["values"] for each in json.loads((tmp_path / "runs.json").read_text())] == [
        {"alignment": 1.0}, {"alignment": 2.0}, {"alignment": 5.0},
    ]  # fmt: skip


def test_what_cannot_be_tried_is_named() -> None:
    assert axes_of(["batch-size=8,16"]) == {"batch_size": (8, 16)}
    # Section 4 of the paper: five learning rates, and five values of each weight, 1 at most.
    assert {name: (len(its), max(its)) for name, its in axes_of(["paper"]).items()} == {
        "learning_rate": (5, 3e-5), "alignment": (5, 1), "margin": (5, 1),
    }  # fmt: skip
    with pytest.raises(InputError, match="Did you mean 'margin'"):
        axes_of(["margn=1"])
    with pytest.raises(InputError, match="are not numbers"):
        axes_of(["margin=a,b"])


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        RuntimeError("CUDA out of memory. Tried to allocate 20.00 MiB"),
    ],
)
def test_a_lack_of_memory_is_told_with_the_way_out(error) -> None:
    told = pytest.raises(InputError, match=r"Lower batch_size\. Checkpoints are saved")
    with told, training("Lower batch_size."):
        raise error
