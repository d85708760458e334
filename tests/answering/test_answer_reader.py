from collections.abc import Iterator, Mapping, Sequence

import pytest

from leadline.answering.reader import (
    HINT,
    Context,
    Reader,
    Reading,
    oracle_contexts,
    prompt_for,
    read_answers,
    read_prompt,
)
from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.llm.requests import Answer, Failure, Request
from leadline.metrics.answers import ROUGE1Recall, RougeMode
from leadline.types import Document, Query
from scripted import ScriptedLLM
from shared import shared_data

# Two sets: s0 holds d0, d1, d2 and s1 holds d3, d4, d5; x belongs to none.
NAMES = ["Ann", "Bea", "Cid", "Dan", "Eve", "Flo"]


def pool(**facets: str) -> Benchmark:
    corpus = {
        f"d{n}": Document(f"d{n}", f"2024-05-0{n + 1} 09:00, {name}: I painted it.")
        for n, name in enumerate(NAMES)
    }
    queries = [
        Query(f"q{n}", f"Who painted on May {n + 1}?", f"q{n}", "",
              {"tuple_set": f"s{n // 3}", **facets}, name)
        for n, name in enumerate(NAMES)
    ]  # fmt: skip
    return Benchmark(
        name="painters",
        corpus=corpus | {"x": Document("x", "Nobody.")},
        queries=queries,
        qrels={f"q{n}": {f"d{n}": 1} for n in range(6)},
        metrics=(),
    )


def scores(reading: Reading) -> Mapping[str, float]:
    (run,) = reading.runs
    return run.scores["ROUGE-1"]


def test_the_positive_stands_among_negatives_of_its_own_set() -> None:
    contexts = oracle_contexts(pool(), 3)
    assert [sorted(each.documents) for each in contexts[:3]] == [["d0", "d1", "d2"]] * 3
    assert [sorted(each.documents) for each in contexts[3:]] == [["d3", "d4", "d5"]] * 3


def test_a_query_without_a_set_names_the_way_out() -> None:
    benchmark = pool()
    loose = [Query("q0", "Who?", "q0", answer="Ann")]
    with pytest.raises(InputError, match="--negatives all"):
        oracle_contexts(benchmark, 3, queries=loose)
    assert len(oracle_contexts(benchmark, 3, queries=loose, negatives="all")) == 1


def test_a_query_without_a_relevant_document_is_named() -> None:
    with pytest.raises(InputError, match="'q9' of 'painters' has no relevant document"):
        oracle_contexts(pool(), 1, queries=[Query("q9", "Who?")])


def test_chats_are_numbered_as_conversations() -> None:
    benchmark = pool(style="unispeaker")
    text = prompt_for(Context(benchmark.queries[0], ("d0",)),
                      benchmark.corpus)  # fmt: skip
    assert "Conversation 1:\n2024-05-01 09:00, Ann: I painted it." in text
    assert text.endswith("Question: Who painted on May 1?\nAnswer:")
    assert 'the final answer in a new line after "Answer:" without any prefix or suffix' in text
    assert "infer" not in text and HINT not in text  # whether a model infers unaided is the test
    context = oracle_contexts(benchmark, 1)[0]
    assert f"below.{HINT}\n" in prompt_for(context, benchmark.corpus, hint=True)


def test_replies_of_a_forum_follow_the_question_that_opened_it() -> None:
    benchmark = pool(style="multispeaker", forum_question="What did you paint for $5?")
    text = prompt_for(Context(benchmark.queries[0], ("d0", "d1")), benchmark.corpus)
    opening, first, second = (
        text.index(each)
        for each in ("Forum Question: What did you paint for $5?", "Response 1:", "Response 2:")
    )
    assert opening < first < second


def test_a_prompt_of_the_user_takes_the_place_of_ours(tmp_path) -> None:
    path = tmp_path / "released.txt"
    path.write_text("Conversations: $documents\nAsked: $question\n")
    benchmark = pool(style="unispeaker")
    text = prompt_for(oracle_contexts(benchmark, 1)[0], benchmark.corpus, read_prompt(path))
    assert text.startswith("Conversations: Conversation 1:\n2024-05-01 09:00, Ann")
    assert text.endswith("\nAsked: Who painted on May 1?")
    path.write_text("$documents")
    with pytest.raises(InputError, match=r"needs the fields \$documents and \$question"):
        read_prompt(path)


def test_answers_are_scored_by_the_words_of_the_gold_answer() -> None:
    benchmark = pool()
    llm = ScriptedLLM(["Answer: Ann", "I think\nAnswer: Ann or Bea", "Cid? No.\nAnswer: Dan",
                       "Dan", "", "Flora"])  # fmt: skip
    reading = read_answers(Reader(llm), benchmark, oracle_contexts(benchmark, 2))
    assert list(scores(reading).values()) == [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    assert reading.report().mean("ROUGE-1").mean == 0.5


def test_a_call_that_fails_is_counted_and_has_no_score() -> None:
    benchmark = pool()
    llm = ScriptedLLM(["Ann", Failure("timeout", detail="120 s"), "Cid", "Dan", "Eve", "Flo"])
    report = read_answers(Reader(llm), benchmark, oracle_contexts(benchmark, 1)).report()
    assert report.failures == {"no answer: timeout": 1}
    assert report.mean("ROUGE-1").n == 5
    assert report.mean("ROUGE-1").left_out == 1


class Cut:
    """A model whose every answer is cut off."""

    name = "cut"

    def __init__(self, text: str) -> None:
        self.text = text

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        answer = Answer(self.text, finish="length", completion_tokens=256)
        return iter([(place, answer) for place in range(len(requests))])


@pytest.mark.parametrize(("mode", "score"), [("plain", 0.0), ("published", 1.0)])
def test_an_answer_that_was_cut_off_scores_nothing_except_in_the_published_mode(
    mode: RougeMode, score: float
) -> None:
    # It holds the gold answer of q0, Ann, before its end: recall 1, by the released code.
    contexts = oracle_contexts(pool(), 2)[:1]
    reader = Reader(Cut("Ann and then"), metric=ROUGE1Recall(mode))
    reading = read_answers(reader, pool(), contexts)
    assert scores(reading) == {"q0": score}
    assert reading.failures == {"answer cut off, at 256 tokens: max_tokens=4096": 1}


def test_a_benchmark_without_answers_is_refused() -> None:
    benchmark = pool()
    bare = [Query("q0", "Who?", "q0", facets={"tuple_set": "s0"})]
    contexts = oracle_contexts(benchmark, 1, queries=bare)
    with pytest.raises(InputError, match='has an "answer" to compare with'):
        read_answers(Reader(ScriptedLLM()), benchmark, contexts)


def test_thirty_documents_are_the_whole_set_of_the_published_pools() -> None:
    from leadline.kinds.implicit_facts.published import build

    [published] = build("temporal-multispeaker", data=shared_data("data", "impliret"))
    for context in oracle_contexts(published, 30)[:60]:
        sets = {published.corpus[id].facets["tuple_set"] for id in context.documents}
        assert len(context.documents) == 30
        assert sets == {context.query.facets["tuple_set"]}
        assert context.query.id in context.documents
