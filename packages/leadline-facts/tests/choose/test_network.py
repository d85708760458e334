"""How the weights of a network are kept and read."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from leadline_facts.choose.amount_features import NAMES
from leadline_facts.choose.network import package_network, packed, read_network


def test_the_network_of_the_package_is_of_these_features() -> None:
    assert package_network("amounts", NAMES)
    path = resources.files("leadline_facts.choose") / "amounts.npz"
    with pytest.raises(ValueError, match=r"learning/learn\.py"):
        read_network(Path(str(path)), (*NAMES, "one more"))


def test_a_matrix_is_kept_in_steps_of_each_row() -> None:
    values = np.arange(-4096, 4096, dtype=np.float32).reshape(64, 128)
    kept = packed({"pair": values, "pair_bias": values[0]})
    assert kept["pair"].dtype == np.int8
    again = kept["pair"].astype(np.float32) * kept["pair_scale"].astype(np.float32)
    # a step of a row is a 127th of its largest value
    largest = np.abs(values).max(axis=1, keepdims=True)
    assert (np.abs(again - values) <= 0.51 * largest / 127 + 0.01 * largest).all()
    assert kept["pair_bias"].dtype == np.float16
