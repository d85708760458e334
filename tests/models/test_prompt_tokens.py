"""Which tokens are a prompt's is told from the whole text."""

from __future__ import annotations

import pytest

from leadline.models.loading import shared_beginning


@pytest.mark.parametrize(
    ("prompt", "ids", "expected"),
    [
        ([1, 5, 6], [1, 5, 6, 9, 2], 3),
        ([1, 5, 6, 7], [1, 5, 6, 9, 2], 3),  # 7 is a blank, which 9 has taken in
        ([1, 5, 6, 2], [1, 5, 6, 9, 2], 3),  # 2 ends every text, the prompt alone too
        ([1, 5, 6, 7], [1, 5, 6, 7, 9], 4),  # a blank that stands alone is the prompt's
        ([1, 5], [1, 5], 1),  # an empty text: one token is left to stand for it
        ([1, 5, 6, 7], [1, 5], 1),  # cut off within the prompt
        ([], [1], 0),
    ],
)
def test_a_prompt_ends_where_its_tokens_alone_and_in_the_text_part(
    prompt: list[int], ids: list[int], expected: int
) -> None:
    assert shared_beginning(prompt, ids) == expected
