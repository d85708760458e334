from leadline.answering.reader import judge_answer
from tables import each_row

POSITIVE = "Ann: I bought the Insignia tablet, not the Sony radio."
OTHERS = {
    "d1": ("Bea: I bought a Philips lamp near the harbour.", "Philips lamp"),
    "d2": ("Cid: mine is the Insignia radio.", ""),
}


@each_row
def test_an_answer_is_judged_by_where_its_words_stand(
    output: str, category: str, decided: bool
) -> None:
    found, source = judge_answer(output, "Insignia tablet", POSITIVE, OTHERS)
    assert (found.category, found.decided) == (category, decided), found.why
    assert source == ("d1" if category == "distraction" else "")
