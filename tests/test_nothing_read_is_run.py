"""Nothing that is read is run: where the package could do it by name, and poisoned files."""

import ast
import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leadline.data.documents import read_corpus
from leadline.data.folder import Folder, write_folder
from leadline.errors import LeadlineError
from leadline.systems.chains import load_system
from leadline.types import Document, Query
from tables import yaml_of

SOURCE = Path(__file__).resolve().parent.parent / "src" / "leadline"

MODULES = {
    "pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "runpy", "code", "codeop",
    "pty", "ctypes", "subprocess", "imp", "multiprocessing",
}  # fmt: skip
BUILT_IN = {"eval", "exec", "compile", "__import__", "CrossEncoder", "SentenceTransformer"}
CALLS = {
    "import_module", "exec_module", "from_string", "spec_from_file_location", "os.system", "popen",
    "execv", "execve", "spawnv", "torch.load", "np.load", "numpy.load", "BM25.load", "yaml.load",
    "full_load", "unsafe_load", "load_all", "read_pickle", "pickle.loads", "Unpickler",
    "from_pretrained", "load_dataset", "spacy.load", "get_class_from_dynamic_module",
    "import_from_string",
}  # fmt: skip
KEYWORDS = {"allow_pickle", "trust_remote_code", "weights_only", "shell", "code_revision"}


ALLOWED = yaml_of(Path(__file__).with_name("ways_in.yaml"))
"""Every way in, by why what is read cannot use it."""


def ways_in(path: Path) -> Iterator[str]:
    """Yield every way in which a module could run what it reads."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            yield from (f"import {name}" for name in names if name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield f"import {node.module}"
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            yield from BUILT_IN & {called}
            yield from (each for each in CALLS if f".{called}".endswith(f".{each}"))
            yield from (each.arg for each in node.keywords if each.arg in KEYWORDS)
        elif isinstance(node, ast.Constant) and node.value in KEYWORDS:
            yield str(node.value)


def test_every_way_to_run_what_is_read_is_known() -> None:
    found = {
        f"{path.relative_to(SOURCE).as_posix()}: {way}"
        for path in SOURCE.rglob("*.py")
        for way in ways_in(path)
    }
    assert found == {way for ways in ALLOWED.values() for way in ways}


class Payload:
    """What leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return os.mkdir, (str(self.mark),)


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[Path]:
    """Give a path that must not come to be."""
    path = tmp_path / "mark"
    yield path
    assert not path.exists(), "what was read was run"


def pickled(mark: Path) -> bytes:
    return pickle.dumps(Payload(mark), 2)


def npy(mark: Path) -> bytes:
    out = io.BytesIO()
    np.save(out, np.array([Payload(mark)], dtype=object), allow_pickle=True)
    return out.getvalue()


def tensors(mark: Path) -> bytes:
    """Return what torch.load would unpickle, in the layout of its zip files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("archive/data.pkl", pickled(mark))
        archive.writestr("archive/version", "3\n")
    return out.getvalue()


def code(mark: Path) -> str:
    return f"import os\nos.mkdir({str(mark)!r})\n"


def tried(read: Callable[[], Any]) -> None:
    """Read something poisoned, which may be refused, but in one line of ours."""
    try:
        read()
    except LeadlineError as error:
        assert "\n" not in str(error)


def used(system: str) -> Callable[[], Any]:
    texts = {"a": "a cat", "b": "star train"}

    def use() -> None:
        corpus = {id: Document(id, text) for id, text in texts.items()}
        load_system(system).run(corpus, [Query("q", "cat", "q")], None)

    return use


def test_the_poison_works(tmp_path: Path) -> None:
    for number, load in enumerate(
        (lambda mark: pickle.loads(pickled(mark)),
         lambda mark: np.load(io.BytesIO(npy(mark)), allow_pickle=True),
         lambda mark: exec(code(mark)))
    ):  # fmt: skip
        load(tmp_path / f"mark {number}")
        assert (tmp_path / f"mark {number}").exists()


YAML = "!!python/object/apply:os.mkdir ['{mark}']"


@pytest.mark.parametrize(
    "content", [YAML, f"- {YAML}", f"url: {YAML}", f"&a {YAML}", f"fusion: [{YAML}]"]
)
def test_tags_of_yaml_make_nothing(tmp_path: Path, mark: Path, content: str) -> None:
    from leadline.llm.prices import Prices

    path = tmp_path / "s.yaml"
    path.write_text(content.replace("{mark}", str(mark)))
    for read in (used(str(path)), lambda: Prices(path)):
        with pytest.raises(LeadlineError):
            read()


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.csv", "c.parquet", "a.txt", "a.html"])
@pytest.mark.parametrize("poison", [pickled, npy, tensors])
def test_a_corpus_of_poison_is_data(
    tmp_path: Path, mark: Path, name: str, poison: Callable[[Path], bytes]
) -> None:
    (tmp_path / "corpus").mkdir()
    path = tmp_path / "corpus" / name
    path.write_bytes(poison(mark))
    tried(lambda: read_corpus(path if name.startswith("c.") else path.parent))


def test_weights_of_a_verifier_unpickle_nothing(tmp_path: Path, mark: Path) -> None:
    from leadline.rerankers.parts.verifier import load_head
    from leadline_facts.choose.network import kept_weights

    path = tmp_path / "verifier.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("format", "projection", "fingerprint", "vocabulary"):
            archive.writestr(f"{name}.npy", npy(mark))
    with pytest.raises(LeadlineError):
        load_head(path)
    path.with_suffix(".npy").write_bytes(pickled(mark))
    with pytest.raises(LeadlineError):
        load_head(path.with_suffix(".npy"))
    with pytest.raises(ValueError):
        kept_weights(path, [])


STAGES = {
    "dense": "dense:{}", "sparse": "sparse:{}", "late interaction": "late_interaction:{}",
    "cross-encoder": "bm25+cross_encoder:{}", "true or false": "bm25+true_false:{}",
    "sequence to sequence": "bm25+sequence_to_sequence:{}",
}  # fmt: skip


def poisoned(model: Path, folder: Path, mark: Path) -> Path:
    """Copy a checkpoint without its weights: pickled ones, code, and names of that code instead."""
    folder.mkdir()
    for path in model.iterdir():
        if path.suffix != ".safetensors":
            (folder / path.name).write_bytes(path.read_bytes())
    for name in ("pytorch_model.bin", "adapter_model.bin", "2_Dense.bin", "rng_state.pth"):
        (folder / name).write_bytes(tensors(mark))
    for name in ("modeling_own.py", "tokenization_own.py", "configuration_own.py", "__init__.py"):
        (folder / name).write_text(code(mark))
    return folder


@pytest.mark.parametrize("stage", STAGES)
def test_pickled_weights_are_not_unpickled(
    tmp_path: Path, mark: Path, stage: str, folder_of: Callable[[str], Path]
) -> None:
    pytest.importorskip("sentence_transformers")
    folder = poisoned(folder_of("bert"), tmp_path / "model", mark)
    tried(used(STAGES[stage].format(folder)))


@pytest.mark.parametrize("stage", STAGES)
def test_code_beside_weights_is_not_run(
    tmp_path: Path, mark: Path, stage: str, folder_of: Callable[[str], Path]
) -> None:
    pytest.importorskip("sentence_transformers")
    folder = poisoned(folder_of("bert"), tmp_path / "model", mark)
    named = {"auto_map": {"AutoConfig": "configuration_own.C", "AutoModel": "modeling_own.M",
                          "AutoTokenizer": ["tokenization_own.T", None],
                          "AutoModelForSequenceClassification": "modeling_own.M"}}  # fmt: skip
    for name in ("config.json", "tokenizer_config.json"):
        path = folder / name
        told = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**told, **named, "model_type": "own"}))
    (folder / "modules.json").write_text(
        json.dumps([{"idx": 0, "name": "0", "path": "", "type": "modeling_own.M"}])
    )
    tried(used(STAGES[stage].format(folder)))


def test_an_adapter_is_not_unpickled(
    tmp_path: Path, mark: Path, folder_of: Callable[[str], Path]
) -> None:
    pytest.importorskip("peft")
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "adapter_config.json").write_text(
        json.dumps({"peft_type": "LORA", "r": 2, "target_modules": ["query"]})
    )
    (adapter / "adapter_model.bin").write_bytes(tensors(mark))
    tried(used(f"dense:{folder_of('bert')},adapter={adapter}"))


def test_a_benchmark_names_no_code(tmp_path: Path, mark: Path) -> None:
    from leadline.systems.benchmarks import load_benchmarks

    (tmp_path / "mine.py").write_text(code(mark))
    corpus = {"a": Document("a", "t")}
    write_folder(tmp_path, Folder(corpus, [Query("q", "t")], {"q": {"a": 1}}))
    for kind in ("mine", "./mine.py", str(tmp_path / "mine.py"), "os", "../mine"):
        settings = {"kind": kind, "metrics": [kind], "source": kind, "built_by": kind}
        (tmp_path / "benchmark.json").write_text(json.dumps(settings))
        tried(lambda: load_benchmarks(str(tmp_path)))
