"""Train a causal model with LoRA (TRL and PEFT) to reason about a pair, then judge it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from leadline import __version__, progress
from leadline.data.locks import holding
from leadline.errors import InputError, needs
from leadline.kinds.reasoning.pairs import JudgedPair
from leadline.llm.delimiting import without_marks
from leadline.llm.prompt import Prompt
from leadline.metrics.ranking import ndcg
from leadline.models.checkpoints import adapted, loading
from leadline.models.cutting import fit, let_pad, positions_of
from leadline.training import runs
from leadline.training.settings import ReasonerSettings, processes

with needs("train"):
    import datasets
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainerCallback, set_seed
    from trl.trainer.sft_config import SFTConfig
    from trl.trainer.sft_trainer import SFTTrainer

THINK, END = "<think>", "</think>"
ANSWERS = {True: " true", False: " false"}
ADAPTER = "adapter"
"""The folder with the adapter alone, beside the merged model."""

_IGNORED = -100
_LOWER = "Lower batch_size and raise accumulation, lower max_length, or take four_bit."
_JUDGED_AT_ONCE = 8


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
    if len({pair.relevant for pair in pairs}) < 2:
        raise InputError("Training needs pairs of both judgements, true and false.")
    set_seed(settings.seed)
    material = runs.digest(pairs)
    with runs.training(_LOWER):
        plan = {
            "base": model,
            "settings": asdict(settings),
            "pairs": material,
            "held out": runs.digest(held_out),
            **({"processes": processes()} if processes() > 1 else {}),
        }
        if ended := runs.begin(out, plan):
            return TrainedReasoner(out, **ended)
        opened, tokenizer, added = opened_base(model, settings)
        length = min(settings.max_length, positions_of(opened) or settings.max_length)
        rows, too_long = rows_of(pairs, tokenizer, length)
        if not rows:
            raise InputError(
                f"None of {len(pairs)} pairs fits into {length} tokens. Raise max_length."
            )
        tuned = with_adapter(opened, settings, added)

        def measured() -> dict[str, float]:
            return _measured(tuned, tokenizer, held_out, settings)

        own_loss = bool(added) or settings.embeddings == "whole"
        trainer = _trainer(tuned, tokenizer, rows, out, settings, measured, own_loss=own_loss)
        seconds = runs.fit(trainer, out, "Training the reasoner", material)
        trainer.save_model(str(out / ADAPTER))
        steps = trainer.state.global_step
        done = TrainedReasoner(out, measured(), steps, seconds, len(rows), too_long)
        if trainer.is_world_process_zero():
            facts = {"pairs": done.rows, "too long": too_long, "held-out pairs": len(held_out)}
            card = runs.model_card(
                out.resolve().name,
                f"A causal model that reasons about a query and a passage and answers true or "
                f"false, made from {model} by `leadline train reasoner` (Leadline {__version__}).",
                "Use it as a stage of Leadline: `bm25+true_false:FOLDER,reasoning=true`.",
                library="transformers",
                tags=["reranker", "reasoning", "lora", "leadline"],
                base=model,
                figures={"trained": done.end} if done.end else {},
                settings={**asdict(settings), "steps made": done.steps},
                data={**facts, **(data or {})},
            )
            whole = merged(model, out / ADAPTER, settings)
            runs.save(out, lambda to: [each.save_pretrained(str(to)) for each in whole], card, done)
        runs.wait_for_all()
        return done


def opened_base(name: str, settings: ReasonerSettings) -> tuple[Any, Any, list[int]]:
    """Return model and tokenizer with the two tokens of reasoning, and those that were added."""
    dtype = getattr(torch, settings.precision)
    how: dict[str, Any] = {"dtype": dtype}
    if settings.four_bit:
        from transformers import BitsAndBytesConfig

        how["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype
        )
    with loading(name, "language model"):
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForCausalLM.from_pretrained(name, **how)
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
    model, tokenizer, _ = opened_base(name, replace(settings, four_bit=False))
    return adapted(model, str(adapter)), tokenizer


def _measured(
    model: Any, tokenizer: Any, held_out: Sequence[JudgedPair], settings: ReasonerSettings
) -> dict[str, float]:
    if not held_out:
        return {}
    dtype = getattr(torch, settings.precision)
    device = next(model.parameters()).device.type
    with torch.autocast(device, dtype, enabled=dtype != torch.float32):
        results = judged(model, tokenizer, held_out, max_tokens=settings.trace_tokens)
    return figures(held_out, results)


def _trainer(
    model: Any,
    tokenizer: Any,
    rows: Sequence[Row],
    out: Path,
    settings: ReasonerSettings,
    measured: Callable[[], dict[str, float]],
    *,
    own_loss: bool,
) -> Any:
    batch = settings.batch_size * settings.accumulation * processes()
    steps = settings.steps or max(1, int(-(-len(rows) // batch) * settings.epochs))
    every = max(1, steps // settings.evaluations)
    content = {
        "input_ids": [list(row.ids) for row in rows],
        "labels": [row.labels for row in rows],
    }
    arguments = SFTConfig(
        output_dir=str(out / runs.CHECKPOINTS),
        per_device_train_batch_size=settings.batch_size,
        gradient_accumulation_steps=settings.accumulation,
        num_train_epochs=settings.epochs,
        max_steps=settings.steps or -1,
        learning_rate=settings.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=round(settings.warmup * steps),
        bf16=settings.precision == "bfloat16",
        fp16=settings.precision == "float16",
        # It saves the memory of an accelerator, and costs a third of the time of a processor.
        gradient_checkpointing=settings.gradient_checkpointing and torch.cuda.is_available(),
        max_length=settings.max_length,
        packing=settings.packing,
        seed=settings.seed,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        logging_steps=max(1, every // 5),
        dataloader_pin_memory=torch.cuda.is_available(),
        use_cpu=not torch.cuda.is_available(),
        report_to=[],
        disable_tqdm=True,
    )
    return (_OwnLossTrainer if own_loss else SFTTrainer)(
        model=model,
        processing_class=tokenizer,
        train_dataset=datasets.Dataset.from_dict(content),
        args=runs.on_one_device(arguments),
        callbacks=[_Judging(measured)],
    )


class _OwnLossTrainer(SFTTrainer):
    """The trainer with the model's own loss: TRL's fused one passes over a trained last layer."""

    def compute_loss(self, *args: Any, **kwargs: Any) -> Any:
        return Trainer.compute_loss(self, *args, **kwargs)


class _Judging(TrainerCallback):
    """Has held-out pairs judged whenever the run is saved, and says how that went."""

    def __init__(self, measure: Any) -> None:
        self.measure = measure

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        told = self.measure()
        if told and state.is_world_process_zero:
            shown = ", ".join(f"{name} {value:.3f}" for name, value in told.items())
            progress.say(f"Step {state.global_step}, held-out pairs: {shown}.")


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


@dataclass(frozen=True, slots=True)
class Row:
    """One example.

    ids     tokens of prompt and completion
    prompt  how many of them are the prompt
    """

    ids: tuple[int, ...]
    prompt: int

    @property
    def labels(self) -> list[int]:
        """The tokens that are learnt, -100 in the place of the others."""
        return [_IGNORED] * self.prompt + list(self.ids[self.prompt :])


def prompt_text(pair: JudgedPair, tokenizer: Any, room: int | None = None) -> str:
    """Return what a model is asked, to the letter what `true_false` with reasoning asks.

    room  most tokens, beyond which the document is cut
    """
    prompt = Prompt.load("leadline.rerankers", "reason_then_judge")
    marks = (*tokenizer.all_special_tokens, THINK, END)
    query, document = (
        without_marks(text, prompt.text, marks) for text in (pair.query, pair.document)
    )
    before, after = prompt.around("document", query=query)
    if room is not None:
        document = fit(tokenizer, before, document, after, room)
    return before + document + after


def prompt_ids(pair: JudgedPair, tokenizer: Any, room: int | None = None) -> list[int]:
    """Return a prompt as tokens, with the token that begins a text where the model has one."""
    ids: list[int] = tokenizer(prompt_text(pair, tokenizer, room))["input_ids"]
    return ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id else ids


def row_of(pair: JudgedPair, tokenizer: Any, max_length: int) -> Row | None:
    """Return a pair as tokens; None where even an empty document leaves no room for its trace.

    Prompt, trace and answer are turned into tokens each by itself, as they are when a model is
    asked, and the token that ends a text follows. Only the document is cut.
    """
    trace = pair.trace.replace(THINK, "< think>").replace(END, "< /think>").strip()
    completion = [
        token
        for text in (f"\n{trace}\n{END}" if trace else f"\n{END}", ANSWERS[pair.relevant])
        for token in tokenizer(text, add_special_tokens=False)["input_ids"]
    ]
    if tokenizer.eos_token_id is not None:
        completion.append(tokenizer.eos_token_id)
    room = max_length - len(completion)
    prompt = prompt_ids(pair, tokenizer, room)
    return Row((*prompt, *completion), len(prompt)) if len(prompt) <= room else None


def rows_of(pairs: Sequence[JudgedPair], tokenizer: Any, max_length: int) -> tuple[list[Row], int]:
    """Return the rows of pairs, and how many pairs are too long even without a document."""
    rows = [row_of(pair, tokenizer, max_length) for pair in pairs]
    kept = [row for row in rows if row is not None]
    return kept, len(rows) - len(kept)


def judged(
    model: Any, tokenizer: Any, pairs: Sequence[JudgedPair], *, max_tokens: int
) -> list[tuple[float, bool]]:
    """Return for each pair the share of ` true` against ` false`, and whether reasoning ended.

    The model reasons for itself (the likeliest tokens), as it does when it reranks. Reasoning that
    has not ended after `max_tokens` is closed, and answered.
    """
    end = tokenizer.convert_tokens_to_ids(END)
    stops = [end] if tokenizer.eos_token_id is None else [end, tokenizer.eos_token_id]
    pad = tokenizer.pad_token_id or 0
    close, *answers = (
        tokenizer(text, add_special_tokens=False)["input_ids"]
        for text in (f"\n{END}", ANSWERS[True], ANSWERS[False])
    )

    def padded(rows: Sequence[Sequence[int]], *, before: bool) -> dict[str, Any]:
        most, device = max(map(len, rows)), next(model.parameters()).device
        told = {"input_ids": [(list(each), pad) for each in rows],
                "attention_mask": [([1] * len(each), 0) for each in rows]}  # fmt: skip
        return {
            name: torch.tensor(
                [gap + row if before else row + gap for row, fill in values
                 for gap in [[fill] * (most - len(row))]], device=device,
            )
            for name, values in told.items()
        }  # fmt: skip

    was_training = model.training
    model.eval()
    found: list[tuple[float, bool]] = []
    try:
        for start in range(0, len(pairs), _JUDGED_AT_ONCE):
            some = pairs[start : start + _JUDGED_AT_ONCE]
            prompts = [prompt_ids(each, tokenizer) for each in some]
            asked = padded(prompts, before=True)
            with torch.no_grad():
                made = model.generate(
                    **asked, max_new_tokens=max_tokens, do_sample=False, eos_token_id=stops,
                    pad_token_id=pad,
                )  # fmt: skip
            whole, ended = [], []
            for prompt, row in zip(
                prompts, made[:, asked["input_ids"].shape[1] :].tolist(), strict=True
            ):
                stop = next((place for place, each in enumerate(row) if each in stops), len(row))
                ended.append(stop < len(row) and row[stop] == end)
                whole.append([*prompt, *row[:stop], *([end] if ended[-1] else close)])
            last = [len(each) - 1 for each in whole]
            with torch.no_grad():
                logits = model(**padded(whole, before=False)).logits[range(len(whole)), last]
            shares = torch.softmax(logits[:, [each[0] for each in answers]].double(), dim=-1)
            found += zip(shares[:, 0].tolist(), ended, strict=True)
    finally:
        model.train(was_training)
    return found


def figures(pairs: Sequence[JudgedPair], results: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """Return accuracy, the share of reasoning that ended, and nDCG@10 over queries with both sides.

    nDCG@10 is left out where no query has both.
    """
    right = [
        (share > 0.5) == pair.relevant for pair, (share, _) in zip(pairs, results, strict=True)
    ]
    told = {"accuracy": fmean(right), "ended": fmean(ended for _, ended in results)}
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, (pair, (share, _)) in enumerate(zip(pairs, results, strict=True)):
        qrels.setdefault(pair.query, {})[str(number)] = int(pair.relevant)
        run.setdefault(pair.query, {})[str(number)] = share
    both = {query: grades for query, grades in qrels.items() if len(set(grades.values())) > 1}
    if both:
        told["nDCG@10"] = fmean(ndcg({query: run[query] for query in both}, both, 10).values())
    return told
