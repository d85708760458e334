from __future__ import annotations

import pytest

from leadline.answering.reader import judge_answer

POSITIVE = "Ann: I bought the Insignia tablet, not the Sony radio."
OTHERS = {
    "d1": ("Bea: I bought a Philips lamp near the harbour.", "Philips lamp"),
    "d2": ("Cid: mine is the Insignia radio.", ""),
}


@pytest.mark.parametrize(
    ("output", "category", "decided"),
    [
        ("", "no answer", True),
        ("Answer:", "no answer", True),
        ("Answer: It is not mentioned.", "no answer", True),
        ("The conversations do not specify it.", "no answer", True),
        ("Answer: zebra", "no answer", True),
        ("Answer: Philips lamp", "distraction", True),
        ("Answer: the Philips lamps", "distraction", True),
        ("Answer: harbour", "distraction", False),
        ("Answer: tablet", "malformed", True),
        ("The Insignia tablet.\nAnswer: see above, Ann", "malformed", True),
        ("Answer: Sony radio", "malformed", False),
        ("Answer: Sony harbour", "no answer", False),
    ],
)
def test_an_answer_is_judged_by_where_its_words_stand(
    output: str, category: str, decided: bool
) -> None:
    found, source = judge_answer(output, "Insignia tablet", POSITIVE, OTHERS)
    assert (found.category, found.decided) == (category, decided), found.why
    assert source == ("d1" if category == "distraction" else "")
