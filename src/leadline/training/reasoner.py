"""Train a causal model to reason about a pair and then judge it, with LoRA on TRL and PEFT."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from leadline import __version__, progress
from leadline.data.holding import holding
from leadline.data.writing import atomic_file
from leadline.errors import InputError, needs
from leadline.kinds.reasoning.pairs import JudgedPair
from leadline.models.checkpoints import adapted, loading
from leadline.models.cutting import let_pad, positions_of
from leadline.training.callbacks import LogFile, Progress, Seals, StopWhenAsked
from leadline.training.checkpoints import begin, last_whole
from leadline.training.judged_rows import END, THINK, Row, rows_of
from leadline.training.judging import figures, judged
from leadline.training.reasoner_settings import ReasonerSettings
from leadline.training.retriever import on_one_device, quiet
from leadline.training.saving import model_card, save_model
from leadline.training.settings import process, processes
from leadline.training.trouble import (
    check_alike,
    enough_memory,
    stopping_after_a_step,
    wait_for_all,
)

with needs("train"):
    import datasets
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import (
        AutoModelForCausalLM,
        AutoTokenizer,
        PrinterCallback,
        Trainer,
        TrainerCallback,
        set_seed,
    )
    from trl.trainer.sft_config import SFTConfig
    from trl.trainer.sft_trainer import SFTTrainer

ADAPTER = "adapter"
"""The folder with the adapter alone, beside the merged model."""

_LOG, _FIGURES, _CHECKPOINTS = "log.jsonl", "figures.json", "checkpoints"
_LOWER = "Lower batch_size and raise accumulation, lower max_length, or take four_bit."


@dataclass(frozen=True)
class TrainedReasoner:
    """A finished run.

    end       what the trained model reaches on held-out pairs: accuracy, ended, nDCG@10
    too_long  pairs whose trace does not fit
    """

    folder: Path
    end: Mapping[str, float]
    steps: int
    seconds: float
    rows: int
    too_long: int


@holding()
def train_reasoner(
    model: str,
    pairs: Sequence[JudgedPair],
    held_out: Sequence[JudgedPair],
    out: str | Path,
    *,
    settings: ReasonerSettings | None = None,
    data: Mapping[str, Any] | None = None,
) -> TrainedReasoner:
    """Train, merge, and save a checkpoint that loads as `true_false:FOLDER,reasoning=true`.

    model     folder of a causal model, or its name on the hub
    held_out  pairs that are judged at every save and in the end; may be empty
    out       also holds checkpoints while the run lasts; the same call goes on from them, and
              gives the weights that an uninterrupted run gives
    data      what the pairs are, for the card

    The loss is of trace, `</think>` and answer alone. `<think>` and `</think>` become tokens of
    their own where they are none.
    Raises InputError for no pairs, for a folder that holds another training, and when memory runs
    out.
    """
    settings, out = settings or ReasonerSettings(), Path(out)
    sides = {pair.relevant for pair in pairs}
    if len(sides) < 2:
        raise InputError("Pairs of both judgements are needed, true and false, to tell them apart.")
    set_seed(settings.seed)
    with enough_memory(_LOWER), quiet():
        plan = {
            "base": model,
            "settings": asdict(settings),
            "pairs": _digest(pairs),
            "held out": _digest(held_out),
            **({"processes": processes()} if processes() > 1 else {}),
        }
        begin(out, plan)
        if (out / _FIGURES).exists():
            progress.say(f"{out} holds the model of this training already.")
            return TrainedReasoner(out, **json.loads((out / _FIGURES).read_text("utf-8")))
        opened, tokenizer, added = opened_base(model, settings)
        length = min(settings.max_length, positions_of(opened) or settings.max_length)
        rows, too_long = rows_of(pairs, tokenizer, length)
        if not rows:
            raise InputError(f"None of {len(pairs)} pairs fits {length} tokens: raise max_length.")
        tuned = with_adapter(opened, settings, added)
        run = _Run(tuned, tokenizer, model, rows, held_out, out, settings, dict(data or {}), added)
        return run.finish(too_long)


def opened_base(name: str, settings: ReasonerSettings) -> tuple[Any, Any, list[int]]:
    """Return model and tokenizer with the two tokens of reasoning, and those that were added."""
    with loading(name, "language model"):
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForCausalLM.from_pretrained(name, **_weights(settings))
    let_pad(tokenizer, name)
    return model, tokenizer, _with_tokens(model, tokenizer, settings.seed)


def with_adapter(model: Any, settings: ReasonerSettings, added: Sequence[int]) -> Any:
    """Return the model with LoRA on all linear layers but the last, in training."""
    tied = model.config.get_text_config().tie_word_embeddings
    names = [_name_of(model, model.get_input_embeddings())]
    names += [] if tied else [_name_of(model, model.get_output_embeddings())]
    whole = settings.embeddings == "whole"
    config = LoraConfig(
        r=settings.rank, lora_alpha=settings.alpha, lora_dropout=0.0, bias="none",
        target_modules="all-linear", task_type="CAUSAL_LM",
        modules_to_save=names if whole else None, ensure_weight_tying=whole and tied,
        trainable_token_indices=None if whole or not added else {
            name: list(added) for name in names
        },
    )  # fmt: skip
    tuned = get_peft_model(model, config)
    for weights in tuned.parameters():
        if weights.requires_grad:  # small steps would be lost in 16 bits
            weights.data = weights.data.float()
    return tuned


def merged(name: str, adapter: str | Path, settings: ReasonerSettings) -> tuple[Any, Any]:
    """Return the base with an adapter put into its weights, never from quantised ones."""
    from dataclasses import replace

    model, tokenizer, _ = opened_base(name, replace(settings, four_bit=False))
    return adapted(model, str(adapter)), tokenizer


@dataclass
class _Run:
    """One run of the trainer."""

    model: Any
    tokenizer: Any
    base: str
    rows: Sequence[Row]
    held_out: Sequence[JudgedPair]
    out: Path
    settings: ReasonerSettings
    data: dict[str, Any] = field(default_factory=dict)
    added: Sequence[int] = ()

    def finish(self, too_long: int) -> TrainedReasoner:
        """Train from where an earlier run stopped, merge, save, and tell what was reached."""
        with stopping_after_a_step() as stop:
            trainer = self._trainer()
            trainer.add_callback(StopWhenAsked(stop))
            check_alike("pairs", repr(hash(tuple(row.ids for row in self.rows))))
            checkpoint, damaged = last_whole(self.out / _CHECKPOINTS)
            for each in damaged if process() == 0 else ():
                progress.say(f"{each} is damaged or was never finished: it is left out.")
                shutil.rmtree(each, ignore_errors=True)
            if checkpoint is not None:
                progress.say(f"Going on from {checkpoint}.")
            result = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        if stop.asked and trainer.state.global_step < trainer.state.max_steps:
            raise KeyboardInterrupt
        trainer.save_model(str(self.out / ADAPTER))
        done = TrainedReasoner(
            self.out, self._measured(), trainer.state.global_step,
            float(result.metrics.get("train_runtime", 0.0)), len(self.rows), too_long,
        )  # fmt: skip
        if trainer.is_world_process_zero():
            self._save(done)
        wait_for_all()
        return done

    def _measured(self) -> dict[str, float]:
        if not self.held_out:
            return {}
        dtype = getattr(torch, self.settings.precision)
        device = next(self.model.parameters()).device.type
        with torch.autocast(device, dtype, enabled=dtype != torch.float32):
            results = judged(
                self.model, self.tokenizer, self.held_out, max_tokens=self.settings.trace_tokens
            )
        return figures(self.held_out, results)

    def _trainer(self) -> Any:
        chosen = self.settings
        every = max(1, self._steps() // chosen.evaluations)
        content = {
            "input_ids": [list(row.ids) for row in self.rows],
            "labels": [row.labels for row in self.rows],
        }
        whole = self.settings.embeddings == "whole"
        trainer = (_PlainTrainer if self.added or whole else SFTTrainer)(
            model=self.model,
            processing_class=self.tokenizer,
            train_dataset=datasets.Dataset.from_dict(content),
            args=on_one_device(
                SFTConfig(
                    output_dir=str(self.out / _CHECKPOINTS),
                    per_device_train_batch_size=chosen.batch_size,
                    gradient_accumulation_steps=chosen.accumulation,
                    num_train_epochs=chosen.epochs,
                    max_steps=chosen.steps or -1,
                    learning_rate=chosen.learning_rate,
                    lr_scheduler_type="cosine",
                    warmup_steps=round(chosen.warmup * self._steps()),
                    bf16=chosen.precision == "bfloat16",
                    fp16=chosen.precision == "float16",
                    gradient_checkpointing=chosen.gradient_checkpointing,
                    max_length=chosen.max_length,
                    packing=chosen.packing,
                    seed=chosen.seed,
                    save_strategy="steps",
                    save_steps=every,
                    save_total_limit=2,
                    logging_steps=max(1, every // 5),
                    dataloader_pin_memory=torch.cuda.is_available(),
                    use_cpu=not torch.cuda.is_available(),
                    report_to=[],
                    disable_tqdm=True,
                )
            ),
            callbacks=[
                Progress("Training the reasoner"),
                LogFile(self.out / _LOG),
                Seals(),
                _Judging(self._measured),
            ],
        )
        trainer.remove_callback(PrinterCallback)
        return trainer

    def _steps(self) -> int:
        if self.settings.steps is not None:
            return self.settings.steps
        batch = self.settings.batch_size * self.settings.accumulation * processes()
        return max(1, int(-(-len(self.rows) // batch) * self.settings.epochs))

    def _save(self, done: TrainedReasoner) -> None:
        model, tokenizer = merged(self.base, self.out / ADAPTER, self.settings)

        def write(folder: Path) -> None:
            model.save_pretrained(str(folder))
            tokenizer.save_pretrained(str(folder))

        card = model_card(
            self.out.resolve().name,
            f"A causal model that reasons about a query and a passage and answers true or false, "
            f"made from {self.base} by `leadline train reasoner` (Leadline {__version__}).",
            "Use it as a stage of Leadline: `bm25+true_false:FOLDER,reasoning=true`.",
            library="transformers",
            tags=["reranker", "reasoning", "lora", "leadline"],
            base=self.base,
            figures={"trained": done.end} if done.end else {},
            settings={**asdict(self.settings), "steps made": done.steps},
            data={"pairs": done.rows, "too long": done.too_long,
                  "held-out pairs": len(self.held_out), **self.data},
        )  # fmt: skip
        save_model(self.out, write, card)
        with atomic_file(self.out / _FIGURES) as handle:
            json.dump(
                {key: value for key, value in asdict(done).items() if key != "folder"}, handle
            )
        shutil.rmtree(self.out / _CHECKPOINTS, ignore_errors=True)


class _PlainTrainer(SFTTrainer):
    """The trainer with the model's own loss: TRL's fused one passes over a trained last layer."""

    def compute_loss(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the model says."""
        return Trainer.compute_loss(self, *args, **kwargs)


class _Judging(TrainerCallback):
    """Has held-out pairs judged whenever the run is saved, and says how that went."""

    def __init__(self, measure: Any) -> None:
        self.measure = measure

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Measure."""
        told = self.measure()
        if told and state.is_world_process_zero:
            shown = ", ".join(f"{name} {value:.3f}" for name, value in told.items())
            progress.say(f"Step {state.global_step}, held-out pairs: {shown}.")


def _weights(settings: ReasonerSettings) -> dict[str, Any]:
    """Return how the frozen weights are loaded."""
    dtype = getattr(torch, settings.precision)
    if not settings.four_bit:
        return {"dtype": dtype}
    from transformers import BitsAndBytesConfig

    return {
        "dtype": dtype,
        "quantization_config": BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype
        ),
    }


def _with_tokens(model: Any, tokenizer: Any, seed: int) -> list[int]:
    """Add the tokens of reasoning that are missing; return their ids."""
    known = tokenizer.get_vocab()
    missing = [token for token in (THINK, END) if token not in known]
    if missing:
        tokenizer.add_tokens(missing)
        if len(tokenizer) > model.get_input_embeddings().num_embeddings:
            set_seed(seed)  # new rows are drawn; a resumed run must draw the same
            model.resize_token_embeddings(len(tokenizer))
    added: list[int] = tokenizer.convert_tokens_to_ids(missing)
    return added


def _name_of(model: Any, module: Any) -> str:
    name: str = next(name for name, each in model.named_modules() if each is module)
    return name.rpartition(".")[2]


def _digest(pairs: Sequence[JudgedPair]) -> str:
    text = json.dumps([[each.query, each.document, each.relevant, each.trace] for each in pairs])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
