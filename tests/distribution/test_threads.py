"""Small products are multiplied in one thread, and other code keeps its threads."""

from __future__ import annotations

import numpy as np
import pytest
import threadpoolctl

from leadline.distribution.threads import one_thread


def threads() -> list[int]:
    return [
        each["num_threads"]
        for each in threadpoolctl.threadpool_info()
        if each["user_api"] == "blas" and "numpy" in each["filepath"]
    ]


def test_numpy_has_one_thread_inside_the_block_and_its_own_behind_it() -> None:
    assert np.ones((2, 2)) @ np.ones(2) is not None
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        before = threads()
        if not before:
            pytest.skip("numpy was built with a library that threadpoolctl does not know")
        with one_thread():
            assert set(threads()) == {1}
        assert threads() == before
        with pytest.raises(KeyError), one_thread():
            raise KeyError
        assert threads() == before


def test_the_networks_of_facts_are_evaluated_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    from leadline.types import Document
    from leadline_facts.choose import network
    from leadline_facts.in_parts import RuleFacts

    if not threads():
        pytest.skip("numpy was built with a library that threadpoolctl does not know")
    seen: list[int] = []
    logits = network._Network.logits

    def watched(self, read, known):  # type: ignore[no-untyped-def]
        seen.extend(threads())
        return logits(self, read, known)

    monkeypatch.setattr(network._Network, "logits", watched)
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        RuleFacts().of([Document("d", "It is 12 miles long, of which the first 3 took two hours.")])
    assert set(seen) == {1}
