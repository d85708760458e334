"""Train a dense retriever on queries, documents and rephrasings."""

from __future__ import annotations

import copy
import itertools
import json
import random
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
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
from leadline.training.data import ExampleStream, TrainingExample
from leadline.training.losses import coherence_terms
from leadline.training.settings import LossSettings, Settings, process, processes

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
    from sentence_transformers.base.losses.gradcache import (
        CachedLossMixin,
        has_static_embedding_input,
    )
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
    from torch import distributed
    from torch.nn import functional
    from transformers import EarlyStoppingCallback, TrainerCallback, set_seed

DEPTH = 10
_TOKENS_AT_ONCE = 512
_BATCHES_SHUFFLED = 16
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
    examples: Sequence[TrainingExample] | ExampleStream,
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
    examples    a stream is read batch by batch, in the order of its file but for a shuffled buffer
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
    sets: Mapping[str, Sequence[TrainingExample] | ExampleStream]
    if isinstance(examples, ExampleStream):
        if loss.loss != "mnr":
            raise InputError(f"Streamed examples are trained with the loss mnr, not {loss.loss}.")
        sets, material = {DOCUMENTS: examples}, examples.digest
    else:
        sets = example_sets(examples, loss, settings.seed)
        material = runs.digest(sets)
    set_seed(settings.seed)
    with runs.training(_LOWER):
        model = open_model()
        if settings.gradient_cache and has_static_embedding_input(model):
            raise InputError("A static embedding does not use gradient_cache. Leave it at 0.")
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
        if length and has_static_embedding_input(model):
            progress.say(f"A static embedding reads all of a text, not {length} tokens.")
            length = None
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
            card = runs.model_card(
                out.resolve().name,
                f"A sentence-transformers model made from {base} by `leadline train retriever` "
                f"(Leadline {__version__}), loss `{loss.loss}`.",
                "Use it as a system of Leadline, `dense:FOLDER`, or with sentence-transformers: "
                '`SentenceTransformer("FOLDER")`.',
                library="sentence-transformers",
                tags=[
                    "sentence-transformers",
                    "sentence-similarity",
                    "dense-retrieval",
                    "leadline",
                ],
                base=base,
                figures={"untrained": done.start, "trained": done.end},
                settings={**asdict(loss), **asdict(settings), "steps made": done.steps},
                data=facts,
            )
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
    sets: Mapping[str, Sequence[TrainingExample] | ExampleStream],
    out: Path,
    loss: LossSettings,
    settings: Settings,
    watch: _Watch,
) -> Any:
    objective = Objective(model, loss, mini_batch_size=settings.gradient_cache)
    rows = {name: _rows_of(examples, settings) for name, examples in sets.items()}
    held = {name: each for name, each in sets.items() if not isinstance(each, ExampleStream)}
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
        max_steps=settings.steps or (-1 if held else steps),
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
        report_to=[],
        disable_tqdm=True,
        accelerator_config={"dispatch_batches": False},  # which would cut the batches of a stream
    )
    arguments.dataloader_drop_last = False  # set with several processes, which all have each batch
    collating = (model.preprocess, prompts_of(model), any(loss.weights))
    return _Trainer(
        model=model,
        args=runs.on_one_device(arguments),
        train_dataset=rows if several else rows[DOCUMENTS],
        loss=dict.fromkeys(rows, objective) if several else objective,
        evaluator=watch,
        data_collator=Collator(held, *collating) if held else StreamCollator(*collating),
        callbacks=[EarlyStoppingCallback(settings.patience), _StopAtCollapse(watch)],
    )


def _rows_of(examples: Sequence[TrainingExample] | ExampleStream, settings: Settings) -> Any:
    """Return what the trainer draws batches from: numbers of examples, or a stream of examples."""
    if not isinstance(examples, ExampleStream):
        return datasets.Dataset.from_dict({"row": list(range(len(examples)))})
    stream = datasets.IterableDataset.from_generator(
        _streamed, gen_kwargs={"examples": examples},
        features=datasets.Features({"row": datasets.Value("string")}),
    )  # fmt: skip
    return stream.shuffle(seed=settings.seed, buffer_size=_BATCHES_SHUFFLED * settings.batch_size)


def _streamed(examples: ExampleStream) -> Iterator[dict[str, str]]:
    for each in examples:
        yield {"row": json.dumps(asdict(each))}


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
        if is_collapsed(self.start, self.best_ndcg, found):
            self.warn(
                f"Query embeddings collapse: at step {steps} two different queries have a cosine "
                f"of {found['cosine']:.2f} (untrained {self.start['cosine']:.2f}) and nDCG@10 is "
                f"{found['nDCG@10']:.3f} (best {self.best_ndcg:.3f}). Training stops; the best "
                "model before is kept. Lower alignment or margin, or the learning rate."
            )
            found["score"] = -1.0
        self.best_ndcg = max(self.best_ndcg, found["nDCG@10"])
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
    given = {"show_progress_bar": False, "convert_to_tensor": True, "batch_size": 64}
    texts = [document.content for document in validation.corpus.values()]
    asked = [query.content for query in validation.queries]
    ids = list(validation.corpus)
    with torch.inference_mode():
        documents = functional.normalize(model.encode_document(texts, **given).float(), dim=-1)
        rows = functional.normalize(model.encode_query(asked, **given).float(), dim=-1)
        scores, places = (rows @ documents.T).topk(min(DEPTH, len(ids)), dim=1)
    queries = [query.id for query in validation.queries]
    vectors = dict(zip(queries, rows, strict=True))
    run = {
        query: dict(zip([ids[place] for place in found], its, strict=True))
        for query, found, its in zip(queries, places.tolist(), scores.tolist(), strict=True)
    }
    qrels = {query.id: validation.qrels.get(query.id, {}) for query in originals}
    found = {"nDCG@10": fmean(ndcg({key: run[key] for key in qrels}, qrels, DEPTH).values())}
    overlaps = RBO(5)(validation.queries, {}, run)
    if overlaps:
        found["RBO@5"] = fmean(overlaps.values())
    own = torch.stack([vectors[query.id] for query in originals])
    cosines = own.sum(0).square().sum() - own.square().sum()  # of pairs of different rows
    found["cosine"] = float(cosines / max(1, len(own) * (len(own) - 1)))
    found["score"] = fmean(found[name] for name in ("nDCG@10", "RBO@5") if name in found)
    return found


def is_collapsed(start: Mapping[str, float], best_ndcg: float, now: Mapping[str, float]) -> bool:
    """Tell whether query embeddings fell together while retrieval got worse.

    start      what the untrained model reached
    best_ndcg  the highest nDCG@10 seen so far
    """
    moved = (now["cosine"] - start["cosine"]) / max(1 - start["cosine"], 1e-6)
    return moved >= 0.9 or (moved >= 0.25 and best_ndcg - now["nDCG@10"] >= 0.05)


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
    framed = tokenizer("a")["input_ids"]
    own = tokenizer("a", add_special_tokens=False)["input_ids"]
    place = next(i for i in range(len(framed)) if framed[i : i + len(own)] == own)
    before, after = framed[:place], framed[place + len(own) :]
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


DOCUMENTS = "query_document"
"""Examples of a query and its document."""

QUERIES = "query_query"
"""Examples of a query and an equivalent of it, in the place of the document."""


class Clusters:
    """Queries that are equivalents of each other, and what answers any of them.

    Examples that share a query or a rephrasing are of one cluster. Its texts and the positives of
    all its examples are never negatives of one of its queries.
    """

    def __init__(self, examples: Iterable[TrainingExample]) -> None:
        self._next: dict[str, str] = {}
        examples = list(examples)
        for each in examples:
            for text in each.rephrasings:
                self._next[self._first(text)] = self._first(each.query)
        self._members: dict[str, set[str]] = {}
        self._answers: dict[str, set[str]] = {}
        for each in examples:
            first = self._first(each.query)
            self._members.setdefault(first, set()).update((each.query, *each.rephrasings))
            self._answers.setdefault(first, set()).add(each.positive)

    def equivalents(self, query: str) -> set[str]:
        """Return the queries of its cluster."""
        return self._members.get(self._first(query), {query})

    def answers(self, query: str) -> set[str]:
        """Return the documents that answer a query of its cluster."""
        return self._answers.get(self._first(query), set())

    def _first(self, text: str) -> str:
        """Return the text that stands for its cluster, by the shortest way next time."""
        first = text
        while (follows := self._next.get(first, first)) != first:
            first = follows
        while text != first:
            self._next[text], text = first, self._next.get(text, first)
        return first


def example_sets(
    examples: Sequence[TrainingExample], loss: LossSettings, seed: int = 0
) -> dict[str, list[TrainingExample]]:
    """Return the rows that a loss is trained on, by the name of their set.

    With augmentation every rephrasing is a query with the positive and the negatives of its
    original, and the rest of the cluster as rephrasings. A negative that answers the query or an
    equivalent of it by another example is left out. For `qq` the second set has, for each
    example with rephrasings, a pair of two queries of its cluster, drawn by the seed.

    Raises InputError when there are no examples, or none with rephrasings where the
    loss needs them.
    """
    if len(examples) < 2:
        raise InputError(f"Training needs at least 2 examples, got {len(examples)}.")
    left_out = 0
    with_rephrasings = [each for each in examples if each.rephrasings]
    if loss.loss != "mnr" and not with_rephrasings:
        raise InputError(
            f"The loss {loss.loss!r} needs rephrasings, and no example has any. Use --loss mnr, "
            "or examples with rephrasings."
        )
    clusters = Clusters(examples)
    rows = []
    for each in examples:
        answers = clusters.answers(each.query)
        kept = tuple(text for text in each.negatives if text not in answers)
        forms = [each.query, *each.rephrasings]
        rows += [
            TrainingExample(query, each.positive, kept, (*forms[:place], *forms[place + 1 :]))
            for place, query in enumerate(forms if loss.augments else forms[:1])
        ]
        left_out += len(each.negatives) - len(kept)
    if left_out:
        progress.say(f"{left_out:,} hard negatives left out: they answer the same query.")
    if loss.loss != "qq":
        return {DOCUMENTS: rows}
    rng = random.Random(f"{seed} query pairs")
    repeats = -(-len(rows) // len(with_rephrasings))  # as many batches of either kind
    pairs = []
    for each in (with_rephrasings * repeats)[: len(rows)]:
        one, other = rng.sample([each.query, *each.rephrasings], 2)
        pairs.append(TrainingExample(one, other))
    return {DOCUMENTS: rows, QUERIES: pairs}


@dataclass(frozen=True)
class Collator:
    """Turns rows into the features of two sides, and tells where the texts of each row stand.

    examples          by name of the set; a row of a batch is the place of an example in it
    preprocess        tokenises texts, with a prompt
    prompts           what stands before the texts of `query` and of `document`
    with_rephrasings  encode the rephrasings too

    A batch holds `query_*` and `document_*`, and under `label` three tables of places, -1 where a
    row has no more: `queries` [B, 1 + R], the query first; `documents` [B, 1 + N], the positive
    first; and `answers` [B, any], documents of the batch that are right for the row's query. Of
    several processes each encodes its part of the texts; places count all of them.
    """

    examples: Mapping[str, Sequence[TrainingExample]]
    preprocess: Callable[..., dict[str, Any]]
    prompts: Mapping[str, str]
    with_rephrasings: bool
    valid_label_columns: tuple[str, ...] = ("label",)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the batch of these rows."""
        name = str(rows[0].get("dataset_name", DOCUMENTS))
        examples = [self.examples[name][row["row"]] for row in rows]
        queries, query_places = _placed(
            [each.query, *(each.rephrasings if self.with_rephrasings else ())] for each in examples
        )
        documents, document_places = _placed([each.positive, *each.negatives] for each in examples)
        other_side = "query" if name == QUERIES else "document"
        sides = {"query": (queries, "query"), "document": (documents, other_side)}
        batch: dict[str, Any] = {
            f"{column}_{key}": value
            for column, (texts, side) in sides.items()
            for key, value in self._tokens(texts, side).items()
        }
        right = self.clusters.equivalents if name == QUERIES else self.clusters.answers
        known = set(documents)
        _, answers = _placed([right(each.query) & known for each in examples], documents)
        batch["label"] = {
            "queries": query_places, "documents": document_places, "answers": answers,
        }  # fmt: skip
        if "dataset_name" in rows[0]:
            batch["dataset_name"] = name
        return batch

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of all examples, not just of those of a batch."""
        return Clusters(self.examples[DOCUMENTS])

    def _tokens(self, texts: list[str], side: str) -> dict[str, Any]:
        own = texts[process() :: processes()] or texts[:1]  # one at least; see `gathered`
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in own]
        return self.preprocess(readable, prompt=self.prompts[side] or None)


@dataclass(frozen=True)
class StreamCollator:
    """`Collator` for rows that hold their example; clusters are those of each batch."""

    preprocess: Callable[..., dict[str, Any]]
    prompts: Mapping[str, str]
    with_rephrasings: bool
    valid_label_columns: tuple[str, ...] = ("label",)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the batch of these rows."""
        examples = [TrainingExample(**json.loads(row["row"])) for row in rows]
        collator = Collator(
            {DOCUMENTS: examples}, self.preprocess, self.prompts, self.with_rephrasings
        )
        return collator([{"row": place} for place in range(len(examples))])


def prompts_of(model: Any) -> dict[str, str]:
    """Return what a model puts before queries and before documents, empty for nothing."""
    default = model.prompts.get(model.default_prompt_name or "", "") or ""
    names = {"query": ("query",), "document": ("document", "passage", "corpus")}
    return {
        side: next((model.prompts[name] for name in known if model.prompts.get(name)), default)
        for side, known in names.items()
    }


def _placed(groups: Any, known: Sequence[str] = ()) -> tuple[list[str], torch.Tensor]:
    """Return the distinct texts, those known first, and the place [groups, most] of each, or -1."""
    places = {text: place for place, text in enumerate(known)}
    rows = [[places.setdefault(text, len(places)) for text in texts] for texts in groups]
    table = torch.full((len(rows), max(map(len, rows))), -1)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = torch.tensor(numbers)
    return list(places), table


def gathered(own: torch.Tensor, count: int) -> torch.Tensor:
    """Return the embeddings [count, D] of the texts of all processes, in their order.

    own  of every so manieth text, as `Collator` divides them

    Every process then has the loss of the whole batch. Gradients flow to its own texts alone,
    times the number of processes, of which the trainer takes the mean: those of a single process.
    """
    if not (distributed.is_available() and distributed.is_initialized()):
        return own
    world = distributed.get_world_size()
    missing = -(-count // world) - len(own)
    own = torch.cat([own, own.new_zeros(missing, own.shape[1])])
    every = [torch.empty_like(own) for _ in range(world)]
    distributed.all_gather(every, own.detach().contiguous())
    every[distributed.get_rank()] = own + (world - 1) * (own - own.detach())
    return torch.stack(every).transpose(0, 1).reshape(-1, own.shape[1])[:count]


class Objective(CachedLossMixin, torch.nn.Module):
    """The loss of a batch as `Collator` makes it; weights of 0 leave terms out.

    mini_batch_size  texts whose activations are in memory at a time, by gradient caching; 0 for
                     all of the batch
    """

    def __init__(self, model: Any, loss: LossSettings, *, mini_batch_size: int = 0) -> None:
        super().__init__()
        self.model = model
        self.loss = loss
        self.mini_batch_size = mini_batch_size
        self.uses_gradient_cache = mini_batch_size > 0

    def forward(self, sentence_features: Iterable[dict[str, Any]], labels: Any) -> Any:
        """Return the terms by name; with gradient caching their sum."""
        features = list(sentence_features)
        if self.uses_gradient_cache:
            return self.forward_cached(features, labels)
        return self.terms([self.model(each)["sentence_embedding"] for each in features], labels)

    def calculate_loss(self, reps: Any, labels: Any = None, *, with_backward: bool = False) -> Any:
        """Return the sum of the terms, for gradient caching."""
        terms = self.terms([torch.cat(each) for each in reps], labels)
        loss = torch.stack(list(terms.values())).sum()
        if with_backward:
            loss.backward()
            return loss.detach()
        return loss

    def terms(self, embeddings: list[torch.Tensor], places: dict[str, torch.Tensor]) -> Any:
        """Return the weighted terms of the loss by name.

        embeddings  of the distinct queries [Q, D] and of the distinct documents [P, D], or of this
                    process's part of them
        """
        queries, documents = (
            gathered(own, int(places[side].max()) + 1)
            for own, side in zip(embeddings, ("queries", "documents"), strict=True)
        )
        asked, found = places["queries"], places["documents"]
        queries, documents = queries[asked.clamp(min=0)], documents[found.clamp(min=0)]
        alignment, margin = self.loss.weights
        chosen = ("scale", "divisor", "per_dimension", "normalize", "compared_with", "reduction",
                  "candidates")  # fmt: skip
        return coherence_terms(
            queries[:, 0], queries[:, 1:], documents[:, 0], documents[:, 1:],
            alignment=alignment, margin=margin,
            rephrasing_mask=asked[:, 1:] >= 0, negative_mask=found[:, 1:] >= 0,
            excluded=_excluded(places), **{name: getattr(self.loss, name) for name in chosen},
        )  # fmt: skip


def _excluded(places: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return [B, B + B * N], True where a document is right for the cluster of the row's query."""
    documents = places["documents"]
    candidates = torch.cat([documents[:, 0], documents[:, 1:].reshape(-1)])
    none = int(documents.max()) + 1
    right = torch.zeros(len(documents), none + 1, dtype=torch.bool, device=documents.device)
    answers = places["answers"]
    right.scatter_(1, answers.where(answers >= 0, none), True)
    return right[:, candidates.clamp(min=0)]
