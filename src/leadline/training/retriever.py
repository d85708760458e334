"""Train a dense retriever on queries, documents and rephrasings."""

from __future__ import annotations

import copy
import itertools
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from leadline import __version__, progress
from leadline.benchmark import Benchmark
from leadline.data.locks import holding
from leadline.data.writing import atomic_file, file_name
from leadline.errors import InputError, needs
from leadline.metrics.coherence import RBO
from leadline.metrics.ranking import ndcg
from leadline.metrics.topics import by_topic, original_of
from leadline.models.cutting import check_length, positions_of
from leadline.training import runs
from leadline.training.data import TrainingExample
from leadline.training.objective import DOCUMENTS, Collator, Objective, example_sets, prompts_of
from leadline.training.settings import LossSettings, Settings, process, processes
from leadline.types import Run

with needs("train"):
    import datasets
    import torch
    from accelerate.data_loader import prepare_data_loader
    from sentence_transformers import (
        SentenceTransformer,
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from sentence_transformers.base.evaluation import BaseEvaluator
    from sentence_transformers.base.losses.gradcache import has_static_embedding_input
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
    from torch.nn import functional
    from transformers import EarlyStoppingCallback, TrainerCallback, set_seed

DEPTH = 10
_TOKENS_AT_ONCE = 512
_LOWER = "Lower batch_size, or set gradient_cache to 8 (slower, same result) or max_length."


@dataclass(frozen=True)
class Trained:
    """A finished run.

    start, end  what the untrained and the trained model reach on the validation set; the trained
                one is that of the best evaluation
    warnings    what the run told
    """

    folder: Path
    start: Mapping[str, float]
    end: Mapping[str, float]
    steps: int
    seconds: float
    warnings: Sequence[str] = ()


@holding()
def train(
    open_model: Callable[[], Any],
    examples: Sequence[TrainingExample],
    validation: Benchmark,
    out: str | Path,
    *,
    base: str,
    loss: LossSettings | None = None,
    settings: Settings | None = None,
    data: Mapping[str, Any] | None = None,
) -> Trained:
    """Train a sentence-transformers model and save it, with a card, as one.

    open_model  gives the model, untrained, each time the same
    validation  of kind `rephrasings`: decides when to stop and which evaluation is kept
    out         also holds checkpoints while the run lasts; the same call goes on from them, and
                gives the weights that an uninterrupted run gives
    base, data  what the model is called and what the examples are, for the card

    A folder that holds the finished model of this training is left as it is. The run stops early
    when the score gets no better, and at once when query embeddings collapse; the model kept is
    never one of a collapse.
    Raises InputError for examples that do not fit the loss, for a folder that holds another
    training, and when memory runs out.
    """
    loss, settings, out = loss or LossSettings(), settings or Settings(), Path(out)
    sets = example_sets(examples, loss, settings.seed)
    material = runs.digest(sets)
    set_seed(settings.seed)
    with runs.training(_LOWER):
        model = open_model()
        if settings.gradient_cache and has_static_embedding_input(model):
            raise InputError("A static embedding needs no gradient_cache: leave it at 0.")
        plan = {
            "base": base,
            "loss": asdict(loss),
            "settings": asdict(settings),
            "examples": material,
            "validation": runs.digest([[each.text for each in validation.queries]]),
        }
        if ended := runs.begin(out, plan):
            return Trained(out, **ended)
        own_length, length = model.max_seq_length, settings.max_length
        if length:
            check_length(base, length, positions_of(getattr(model[0], "model", None)))
            model.max_seq_length = length
        watch = _Watch(validation)
        trainer = _trainer(model, sets, out, loss, settings, watch)
        watch.begin(model)
        seconds = runs.fit(trainer, out, f"Training {loss.loss}", material)
        if trainer.state.best_metric is not None and trainer.state.best_metric < 0:
            raise InputError(" ".join(["No model is kept.", *watch.warnings[-1:]]))
        end = measured(model, validation)
        if length:
            model.max_seq_length = own_length
        if end["score"] <= watch.start["score"]:
            watch.warn(
                f"No evaluation beat the untrained model: {end['score']:.3f} where it has "
                f"{watch.start['score']:.3f} (mean of nDCG@10 and RBO@5). Other settings or more "
                "examples may."
            )
        steps = trainer.state.global_step
        done = Trained(out, watch.start, end, steps, seconds, tuple(watch.warnings))
        if trainer.is_world_process_zero():
            facts = {
                **{f"rows ({name})": len(rows) for name, rows in sets.items()},
                "validation queries": len({each.topic for each in validation.queries}),
                **(data or {}),
                **({"warnings": " ".join(watch.warnings)} if watch.warnings else {}),
            }
            card = _card(done, base, loss, settings, facts)
            runs.save(
                out,
                lambda folder: model.save_pretrained(str(folder), create_model_card=False),
                card,
                done,
            )
        runs.wait_for_all()
        return done


def _trainer(
    model: Any,
    sets: Mapping[str, Sequence[TrainingExample]],
    out: Path,
    loss: LossSettings,
    settings: Settings,
    watch: _Watch,
) -> Any:
    objective = Objective(model, loss, mini_batch_size=settings.gradient_cache)
    rows = {
        name: datasets.Dataset.from_dict({"row": list(range(len(examples)))})
        for name, examples in sets.items()
    }
    several = len(rows) > 1
    batches = sum(-(-len(each) // settings.batch_size) for each in sets.values())
    steps = settings.steps or max(1, int(batches * settings.epochs))
    every = max(1, steps // settings.evaluations)
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(out / runs.CHECKPOINTS),
        metric_for_best_model="eval_score",
        multi_dataset_batch_sampler="round_robin",
        dataloader_pin_memory=torch.cuda.is_available(),
        use_cpu=processes() > 1 and not torch.cuda.is_available(),
        per_device_train_batch_size=settings.batch_size,
        num_train_epochs=settings.epochs,
        max_steps=settings.steps or -1,
        learning_rate=settings.learning_rate,
        warmup_steps=round(settings.warmup * steps),
        bf16=settings.precision == "bfloat16",
        fp16=settings.precision == "float16",
        seed=settings.seed,
        eval_strategy="steps",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        logging_steps=max(1, every // 5),
        load_best_model_at_end=True,
        greater_is_better=True,
        report_to=["tensorboard"] if settings.tensorboard else [],
        disable_tqdm=True,
    )
    arguments.dataloader_drop_last = False  # set with several processes, which all have each batch
    return _Trainer(
        model=model,
        args=runs.on_one_device(arguments),
        train_dataset=rows if several else rows[DOCUMENTS],
        loss=dict.fromkeys(rows, objective) if several else objective,
        evaluator=watch,
        data_collator=Collator(sets, model.preprocess, prompts_of(model), any(loss.weights)),
        callbacks=[EarlyStoppingCallback(settings.patience), _StopAtCollapse(watch)],
    )


def _card(
    done: Trained, base: str, loss: LossSettings, settings: Settings, data: Mapping[str, Any]
) -> str:
    return runs.model_card(
        done.folder.resolve().name,
        f"A sentence-transformers model made from {base} by `leadline train retriever` "
        f"(Leadline {__version__}), loss `{loss.loss}`.",
        "Use it as a system of Leadline, `dense:FOLDER`, or with sentence-transformers: "
        '`SentenceTransformer("FOLDER")`.',
        library="sentence-transformers",
        tags=["sentence-transformers", "sentence-similarity", "dense-retrieval", "leadline"],
        base=base,
        figures={"untrained": done.start, "trained": done.end},
        settings={**asdict(loss), **asdict(settings), "steps made": done.steps},
        data=data,
    )


class _Trainer(SentenceTransformerTrainer):
    """The trainer, without the model card that it would make of rows of numbers."""

    def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
        """Leave it out: `runs.save` writes ours."""

    def get_train_dataloader(self) -> Any:
        """Give each process every batch whole: its texts are divided by `Collator`."""
        if processes() == 1:
            return super().get_train_dataloader()
        loader = self._build_dataloader(
            self.train_dataset, self.args.train_batch_size, dataset_kind="train"
        )
        return prepare_data_loader(
            loader, self.args.device, 1, 0, put_on_device=True,
            use_seedable_sampler=self.accelerator.use_seedable_sampler,
        )  # fmt: skip


class _Watch(BaseEvaluator):
    """Measures the model when the trainer asks; the score of a collapsed one is -1."""

    def __init__(self, validation: Benchmark) -> None:
        super().__init__()
        self.validation = validation
        self.warnings: list[str] = []
        self.start: dict[str, float] = {}
        self.best_ndcg = 0.0

    def begin(self, model: Any) -> None:
        """Measure the untrained model."""
        self.start = measured(model, self.validation)
        self.best_ndcg = self.start["nDCG@10"]

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: float = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the figures of a model."""
        found = measured(model, self.validation)
        state = collapse(self.start, self.best_ndcg, found)
        self.best_ndcg = max(self.best_ndcg, found["nDCG@10"])
        seen = (
            f"at step {steps} two different queries have a cosine of {found['cosine']:.2f} "
            f"(untrained {self.start['cosine']:.2f}) and nDCG@10 is {found['nDCG@10']:.3f} "
            f"(best {self.best_ndcg:.3f})"
        )
        if state == "collapsed":
            found["score"] = -1.0
            self.warn(
                f"Query embeddings collapse: {seen}. Training stops; the best model before is "
                "kept. Lower alignment or margin, or the learning rate."
            )
        elif state:
            self.warn(f"Query embeddings draw together: {seen}.")
        return found

    def warn(self, text: str) -> None:
        """Say something that the card of the model also holds."""
        self.warnings.append(text)
        progress.say(text)


class _StopAtCollapse(TrainerCallback):
    """Stops the run after an evaluation that found a collapse."""

    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self.watch = watch

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Take up what a run that is resumed had reached."""
        reached = [each["eval_nDCG@10"] for each in state.log_history if "eval_nDCG@10" in each]
        self.watch.best_ndcg = max([self.watch.best_ndcg, *reached])

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        """Stop when the last look found one; of several processes the first alone looks."""
        control.should_training_stop |= kwargs["metrics"].get("eval_score", 0.0) < 0
        return control


def measured(model: Any, validation: Benchmark) -> dict[str, float]:
    """Return what a model reaches on a benchmark of kind `rephrasings`.

    nDCG@10  of the original queries
    RBO@5    of the originals against their rephrasings; absent when there are none
    cosine   mean cosine of two different original queries: near 1 when embeddings collapse
    score    mean of nDCG@10 and RBO@5, by which runs are compared
    """
    originals = [
        original
        for variants in by_topic(validation.queries).values()
        if (original := original_of(variants)) is not None
    ]
    run, vectors = _searched(model, validation)
    qrels = {query.id: validation.qrels.get(query.id, {}) for query in originals}
    found = {"nDCG@10": fmean(ndcg({key: run[key] for key in qrels}, qrels, DEPTH).values())}
    overlaps = RBO(5)(validation.queries, {}, run)
    if overlaps:
        found["RBO@5"] = fmean(overlaps.values())
    found["cosine"] = _mean_cosine(torch.stack([vectors[query.id] for query in originals]))
    found["score"] = fmean(found[name] for name in ("nDCG@10", "RBO@5") if name in found)
    return found


def collapse(start: Mapping[str, float], best_ndcg: float, now: Mapping[str, float]) -> str:
    """Tell whether query embeddings fall together while retrieval gets worse.

    start      what the untrained model reached
    best_ndcg  the highest nDCG@10 seen so far

    Returns `collapsed`, `falling` where that begins, or "".
    """
    moved = (now["cosine"] - start["cosine"]) / max(1 - start["cosine"], 1e-6)
    fell = best_ndcg - now["nDCG@10"]
    if (moved >= 0.25 and fell >= 0.05) or moved >= 0.9:
        return "collapsed"
    return "falling" if moved >= 0.1 and fell >= 0.02 else ""


def _searched(model: Any, validation: Benchmark) -> tuple[Run, dict[str, torch.Tensor]]:
    given = {"show_progress_bar": False, "convert_to_tensor": True, "batch_size": 64}
    ids = list(validation.corpus)
    texts = [document.content for document in validation.corpus.values()]
    queries = [query.content for query in validation.queries]
    with torch.inference_mode():
        documents = functional.normalize(model.encode_document(texts, **given).float(), dim=-1)
        vectors = functional.normalize(model.encode_query(queries, **given).float(), dim=-1)
        scores, places = (vectors @ documents.T).topk(min(DEPTH, len(ids)), dim=1)
    run = {
        query.id: {ids[place]: score for place, score in zip(found, its, strict=True)}
        for query, found, its in zip(
            validation.queries, places.tolist(), scores.tolist(), strict=True
        )
    }
    return run, {
        query.id: vector for query, vector in zip(validation.queries, vectors, strict=True)
    }


def _mean_cosine(vectors: torch.Tensor) -> float:
    """Mean over pairs of different rows; 0 for a single row."""
    count = len(vectors)
    if count < 2:
        return 0.0
    total = vectors.sum(0).square().sum() - vectors.square().sum()
    return float(total / (count * (count - 1)))


def distilled(model: Any, *, smoothing: float = 1e-4) -> Any:
    """Return a SentenceTransformer that looks up what an encoder gives for each of its tokens.

    smoothing  a token weighs smoothing / (smoothing + p), p its frequency by Zipf's law from its
               place in the vocabulary; 0 weighs all alike

    Raises InputError for a model whose tokenizer is not a fast one.
    Source: Minish Lab, Model2Vec (weights), without its reduction of dimensions.
    """
    tokenizer = model.tokenizer
    inner = getattr(tokenizer, "backend_tokenizer", None)
    if inner is None:
        raise InputError("A static embedding needs a model with a fast tokenizer.")
    inner = copy.deepcopy(inner)
    inner.no_padding()
    inner.no_truncation()
    size = inner.get_vocab_size()
    # Each token as the tokenizer frames it; ids go in as they are, so that pieces stay whole.
    before, after = _frame(tokenizer)
    vectors = []
    with torch.inference_mode():
        for start in progress.track(range(0, size, _TOKENS_AT_ONCE), "Distilling"):
            ids = torch.arange(start, min(start + _TOKENS_AT_ONCE, size))[:, None]
            rows = [torch.tensor(part).repeat(len(ids), 1).long() for part in (before, after)]
            tokens = torch.cat([rows[0], ids, rows[1]], dim=1).to(model.device)
            features = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)}
            vectors.append(model(features)["sentence_embedding"].float().cpu())
    weights = torch.cat(vectors)
    weights = weights - weights.mean(0)
    if smoothing:
        ranks = torch.arange(2, size + 2, dtype=torch.float64)
        frequency = (1 / ranks) / (1 / ranks).sum()
        weights = weights * (smoothing / (smoothing + frequency)).float()[:, None]
    return SentenceTransformer(
        modules=[StaticEmbedding(inner, embedding_weights=weights), Normalize()], device="cpu"
    )


def _frame(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Return the special tokens that stand before and after a text."""
    ids = tokenizer("a")["input_ids"]
    own = tokenizer("a", add_special_tokens=False)["input_ids"]
    place = next(i for i in range(len(ids)) if ids[i : i + len(own)] == own)
    return ids[:place], ids[place + len(own) :]


@dataclass(frozen=True)
class Tried:
    """One choice of values, over all seeds: mean and deviation of each figure."""

    values: Mapping[str, float]
    seeds: tuple[int, ...]
    start: Mapping[str, float]
    mean: Mapping[str, float]
    deviation: Mapping[str, float]


def run_all(
    run: Callable[[Path, LossSettings, Settings], Trained],
    out: Path,
    loss: LossSettings,
    settings: Settings,
    *,
    axes: Mapping[str, Sequence[float]] | None = None,
    seeds: int = 1,
) -> list[Tried]:
    """Run every choice of values with every seed; put the best model into `out`.

    A single run trains in `out` itself. Several train in `out/runs`, where each is found again
    when the same call is made after it was stopped; `out/runs.json` lists them.
    seeds  how many, from that of the settings on

    The best choice has the highest mean score; the model kept is its best seed.
    """
    given = axes or {}
    choices = [dict(zip(given, values, strict=True))
               for values in itertools.product(*given.values())]  # fmt: skip
    numbers = tuple(range(settings.seed, settings.seed + seeds))
    alone = len(choices) == 1 and seeds == 1
    tried: list[tuple[Tried, Path]] = []
    for choice in choices:
        done = []
        for seed in numbers:
            values = [*(f"{name}-{value:g}" for name, value in choice.items()), f"seed-{seed}"]
            folder = out if alone else out / "runs" / file_name("_".join(values))
            weights: dict[str, Any] = {n: v for n, v in choice.items() if hasattr(loss, n)}
            others: dict[str, Any] = {n: v for n, v in choice.items() if n not in weights}
            done.append(run(folder, replace(loss, **weights),
                            replace(settings, seed=seed, **others)))  # fmt: skip
        columns = {name: [each.end[name] for each in done] for name in done[0].end}
        mean = {name: fmean(its) for name, its in columns.items()}
        spread = {name: stdev(its) if seeds > 1 else 0.0 for name, its in columns.items()}
        best_seed = max(done, key=lambda each: each.end["score"])
        tried.append((Tried(choice, numbers, dict(done[0].start), mean, spread), best_seed.folder))
    if not alone and process() == 0:
        _, best = max(tried, key=lambda each: each[0].mean["score"])
        shutil.copytree(best, out, dirs_exist_ok=True)
        with atomic_file(out / "runs.json") as handle:
            json.dump([asdict(each) for each, _ in tried], handle, indent=1)
    return [each for each, _ in tried]
