"""How the weights of a network are kept and read."""

from importlib import resources
from pathlib import Path

import pytest

from leadline_facts.choose.amount_features import NAMES
from leadline_facts.choose.network import package_network, read_network


def test_the_network_of_the_package_is_of_these_features() -> None:
    assert package_network("amounts", NAMES)
    path = resources.files("leadline_facts.choose") / "amounts.npz"
    with pytest.raises(ValueError, match=r"learning/learn\.py"):
        read_network(Path(str(path)), (*NAMES, "one more"))
