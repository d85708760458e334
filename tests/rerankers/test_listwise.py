import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_listwise import check
from leadline.errors import InputError
from leadline.llm import connection
from leadline.llm.requests import Answer, Failure
from leadline.rerankers.listwise import NO_CALL, NO_RANKING, Listwise, build, conversation
from leadline.rerankers.parts.orders import mask_identifiers, parse_permutation, windows
from leadline.systems.chains import load_system
from leadline.types import Document, Query, Ranked
from llm_server import EndpointServer, Reply, refused, said
from scripted import ScriptedLLM
from shared import shared_data

QUERY = Query("q", "find the greatest")


def documents(*texts):
    return {f"d{place}": Document(f"d{place}", text) for place, text in enumerate(texts)}


def numbers(n):
    """A corpus whose documents hold one number each, the greatest last."""
    return documents(*(f"number {number}" for number in range(n)))


def greatest_first(prompt):
    """Order the passages of a prompt by the number in each."""
    found = re.findall(r"^\[(\d+)\] number (\d+)$", prompt, re.MULTILINE)
    return " > ".join(f"[{rank}]" for rank, _ in sorted(found, key=lambda pair: -int(pair[1])))


def reranked(llm, corpus, queries=(QUERY,), **options):
    """Return the orders that come out, best first."""
    reranker = Listwise(llm, **options)
    run = reranker.rerank(queries, corpus, {query.id: list(corpus) for query in queries})
    return {query: list(scores) for query, scores in run.items()}, reranker


def test_the_default_prompt_is_that_of_the_paper_to_the_letter():
    turns = conversation("default", "why [7]?", ["one [1]", "two"])
    assert [(turn.role, turn.content) for turn in turns] == [
        (
            "system",
            "You are RankGPT, an intelligent assistant that ranks passages based on their "
            "relevance to a query.",
        ),
        (
            "user",
            "I will provide you with 2 passages, each indicated by a number identifier [ ]. Rank "
            "the passages based on their relevance to the query: why (7)?.\n"
            "[1] one (1)\n"
            "[2] two\n"
            "Search Query: why (7)?.\n"
            "Rank the 2 passages above based on their relevance to the search query. The passages "
            "should be listed in descending order using identifiers. The most relevant passages "
            "should be listed first. The output format should be [ ] >[ ], e.g., [1] >[2]. Only "
            "respond with the ranking results, do not say any word or explain.",
        ),
    ]


def test_published_runs_asked_with_a_blank_line_before_the_passages():
    (vicuna,) = conversation("vicuna", "q", ["a", "b"])
    assert vicuna.content == (
        "I will provide you with 2 passages, each indicated by a numerical identifier []. Rank "
        "the passages based on their relevance to the search query: q.\n"
        "\n"
        "[1] a\n"
        "[2] b\n"
        "Search Query: q.\n"
        "Rank the 2 passages above based on their relevance to the search query. All the passages "
        "should be included and listed using identifiers, in descending order of relevance. The "
        "output format should be [] > [], e.g., [4] > [2], Only respond with the ranking results, "
        "do not say any word or explain."
    )
    _, zephyr = conversation("zephyr", "q", ["a", "b"])
    assert zephyr.content == vicuna.content.replace("[4] > [2]", "[2] > [1]")


def test_vicuna_gets_the_later_words_of_zephyr_without_a_system_message():
    zephyr = conversation("zephyr-2025", "q", ["a"])
    assert zephyr[0].content == (
        "You are RankLLM, an intelligent assistant that can rank passages based on their "
        "relevancy to the query"
    )
    assert conversation("vicuna-2025", "q", ["a"]) == zephyr[1:]
    assert "q.\n[1] a\nSearch Query" in zephyr[1].content
    assert "Answer concisely and directly and only respond" in zephyr[1].content


def test_chat_models_may_get_one_turn_for_each_passage():
    turns = conversation("turns", "q", ["a", "b"])
    assert [turn.role for turn in turns] == ["system"] + ["user", "assistant"] * 3 + ["user"]
    assert [turn.content for turn in turns[2:7]] == [
        "Okay, please provide the passages.",
        "[1] a",
        "Received passage [1].",
        "[2] b",
        "Received passage [2].",
    ]


@pytest.mark.parametrize(("n", "words"), [(20, 300), (10, 600), (40, 150), (3, 2000)])
def test_passages_are_cut_by_words_so_that_a_window_stays_as_long(n, words):
    text = conversation("default", "q", ["word " * 3000] * n)[1].content
    assert [len(line.split()) - 1 for line in text.split("\n")[1 : n + 1]] == [words] * n


def test_the_window_carries_the_best_from_the_bottom_to_the_top():
    # 100 documents, window 20, step 10: nine windows. Each carries its best ten on, so the ten
    # greatest numbers, which stood last, come out first.
    orders, reranker = reranked(ScriptedLLM(greatest_first), numbers(100))
    assert orders["q"][:10] == [f"d{place}" for place in range(99, 89, -1)]
    assert reranker.asked == 9


def test_further_passes_sort_further():
    once, _ = reranked(ScriptedLLM(greatest_first), numbers(12), window=4, step=2)
    often, reranker = reranked(ScriptedLLM(greatest_first), numbers(12), window=4, step=2, passes=6)
    assert once["q"][:2] == ["d11", "d10"]
    assert often["q"] == [f"d{place}" for place in range(11, -1, -1)]
    assert reranker.asked == 30


def test_windows_without_a_ranking_keep_their_order_and_are_counted():
    llm = ScriptedLLM(["no idea", Failure("timeout"), "[2]"])
    queries = [Query(f"q{number}", "?") for number in range(3)]
    orders, reranker = reranked(llm, numbers(2), queries)
    assert orders == {"q0": ["d0", "d1"], "q1": ["d0", "d1"], "q2": ["d1", "d0"]}
    assert reranker.failures == {NO_RANKING: 1, f"{NO_CALL} (timeout)": 1}
    assert reranker.repaired == 1


def scores_after(answers, scores, **options):
    """Return the run over documents that had these scores before."""
    reranker = Listwise(ScriptedLLM(answers), **options)
    corpus = numbers(len(scores))
    ranked = Ranked(dict(zip(corpus, scores, strict=True)))
    return reranker.rerank([QUERY], corpus, {"q": ranked})["q"]


def test_a_window_without_a_ranking_leaves_ties_as_ties():
    # d1 and d2 were a tie and share rank 2; d3 is the fourth.
    found = scores_after(["I cannot rank these."], [9.0, 5.0, 5.0, 1.0])
    assert found == {"d0": 1, "d1": 1 / 2, "d2": 1 / 2, "d3": 1 / 4}
    assert set(scores_after([Failure("HTTP 500")], [0.0, 0.0]).values()) == {1.0}


def test_what_an_answer_does_not_name_stays_a_tie():
    found = scores_after(["[3]"], [0.0, 0.0, 0.0, 0.0])
    assert found == {"d2": 1, "d0": 1 / 2, "d1": 1 / 2, "d3": 1 / 2}
    assert scores_after(["[2] > [1]"], [0.0, 0.0]) == {"d1": 1, "d0": 1 / 2}


def test_of_two_windows_only_the_one_that_was_answered_parts_ties():
    # Two windows of two, bottom up: the lower is ranked, the upper is not, and d0, d1 stay a tie.
    answers = ["[2] > [1]", "no idea"]
    found = scores_after(answers, [0.0, 0.0, 0.0, 0.0], window=2, step=2)
    assert found == {"d0": 1, "d1": 1, "d3": 1 / 3, "d2": 1 / 4}


def test_windows_of_different_queries_go_together_round_by_round():
    class Counting:
        name = "counting"
        rounds = ()

        def answers(self, requests):
            self.rounds += (len(requests),)
            yield from ((place, Answer("")) for place in reversed(range(len(requests))))

    llm, corpus = Counting(), numbers(30)
    queries = [Query("long", "?"), Query("short", "?"), Query("single", "?"), Query("none", "?")]
    candidates = {"long": list(corpus), "short": list(corpus)[:20], "single": ["d0"]}
    run = Listwise(llm).rerank(queries, corpus, candidates)
    assert llm.rounds == (2, 1)
    assert [len(scores) for scores in run.values()] == [30, 20, 1, 0]


def test_the_instruction_of_a_query_is_part_of_it():
    llm = ScriptedLLM(["[1]"])
    reranked(llm, numbers(2), [Query("q", "find", instruction="only new ones")])
    assert "Search Query: find only new ones." in llm.asked[0]


def test_a_window_that_is_too_long_is_asked_again_with_shorter_passages():
    def play(prompt):
        if len(prompt.split()) > 1500:
            return Failure("bad request 400", 400, detail="maximum context length is 2000 tokens")
        return "[2] > [1]"

    llm = ScriptedLLM(play)
    orders, reranker = reranked(llm, documents("a " * 3000, "b " * 3000))
    assert orders["q"] == ["d1", "d0"]
    assert len(llm.asked) > 1
    assert not reranker.failures


@pytest.mark.parametrize("options", [{"step": 21}, {"step": 0}, {"window": 1}, {"passes": 0}])
def test_options_out_of_range_are_told(options):
    with pytest.raises(InputError, match="listwise takes"):
        Listwise(ScriptedLLM(), **options)


def test_a_stage_without_a_model_is_told_how_to_name_one():
    with pytest.raises(InputError, match="listwise needs a model: listwise:NAME"):
        build()


def test_a_stage_at_an_endpoint_runs_and_its_second_run_asks_nothing():
    with EndpointServer(lambda prompt, _: said(greatest_first(prompt))) as server:
        chain = f"listwise:tiny,llm={server.url},window=4,step=2"
        for _ in range(2):
            system = load_system(chain)
            run = system.run(numbers(6), [QUERY], {"q": [f"d{place}" for place in range(6)]}).run
            assert list(run["q"])[:2] == ["d5", "d4"]
    assert server.calls.total() == 2
    assert server.bodies[0]["messages"][0]["role"] == "system"


def test_an_endpoint_that_fails_in_every_way_stops_no_run(monkeypatch):
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.01)
    troubles = [
        refused(500, "broken"),
        Reply(drop=True),
        Reply(body="{"),
        refused(429, "slower", retry_after="0.01"),
        said("I cannot rank these."),
    ]
    with EndpointServer(lambda _, times: troubles[min(times, 5) - 1]) as server:
        reranker = build("tiny", llm=server.url)
        run = reranker.rerank([QUERY], numbers(3), {"q": ["d0", "d1", "d2"]})
    assert list(run["q"]) == ["d0", "d1", "d2"]
    assert reranker.failures == {NO_RANKING: 1}


class Given:
    """A model that gives these answers."""

    name = "given"

    def __init__(self, *given):
        self.given = given

    def answers(self, requests):
        return enumerate(self.given[: len(requests)])


def test_a_thought_that_was_cut_off_is_no_ranking():
    thought = "<think>\nPassage [2] talks of the tide four times, [3] less."
    llm = Given(Answer(thought, finish="length", completion_tokens=27))
    orders, reranker = reranked(llm, numbers(3))
    assert orders["q"] == ["d0", "d1", "d2"]
    cut = "cut off while it thought, at 27 tokens: max_tokens=4096"
    assert reranker.failures == {f"{NO_CALL} ({cut})": 1}


def test_an_order_that_was_cut_off_before_its_last_document_is_no_ranking():
    # The second order names all three documents: only what follows it is missing.
    llm = Given(Answer("[2] > [1", finish="length"), Answer("[3] > [2] > [1] >", finish="length"))
    orders, reranker = reranked(llm, numbers(3), [Query("q1", "?"), Query("q2", "?")])
    assert orders == {"q1": ["d0", "d1", "d2"], "q2": ["d2", "d1", "d0"]}
    cut = "cut off with documents missing: max_tokens=4096"
    assert reranker.failures == {f"{NO_CALL} ({cut})": 1}


def test_only_a_model_that_thinks_gets_room_for_a_thought():
    def play(prompt, _):
        if "wander" in prompt:
            return length("I would say that the first, which is")
        thinks = server.bodies[-1]["max_tokens"] < 4096
        return length("<think>The first of them") if thinks else said("[2] > [1]")

    def length(text):
        reply = said(text)
        reply.body["choices"][0]["finish_reason"] = "length"
        return reply

    queries = [Query("a", "think"), Query("b", "wander")]
    with EndpointServer(play) as server:
        reranker = build("tiny", llm=server.url, cache=False)
        for query in queries:
            run = reranker.rerank([query], numbers(2), {query.id: ["d0", "d1"]})
            asked = [body["max_tokens"] for body in server.bodies]
            server.bodies.clear()
            if query.id == "a":
                assert (asked, list(run["a"])) == ([256, 4096], ["d1", "d0"])
        assert asked == [4096]  # the model is known to think
        reranker = build("tiny", llm=server.url, cache=False)
        reranker.rerank([queries[1]], numbers(2), {"b": ["d0", "d1"]})
    assert [body["max_tokens"] for body in server.bodies] == [256]
    cut = "cut off with documents missing, at 2 tokens: max_tokens=4096"
    assert reranker.failures == {f"{NO_CALL} ({cut})": 1}


def test_an_endpoint_gets_room_for_more_than_an_order_and_a_small_one_is_asked_without():
    # `[1] > [2]` has 9 characters, so at most 9 tokens; with words around it 256.
    def play(*_):
        if server.bodies[-1]["max_tokens"] > 9:
            return refused(400, "max_tokens is too large: maximum context length is 512 tokens")
        return said("[2] > [1]")

    with EndpointServer(play) as server:
        reranker = build("tiny", llm=server.url, cache=False)
        run = reranker.rerank([QUERY], numbers(2), {"q": ["d0", "d1"]})
    lengths = [body["max_tokens"] for body in server.bodies]
    assert (lengths[0], lengths[-1]) == (256, 9)
    assert server.bodies[0]["messages"] == server.bodies[-1]["messages"]
    assert list(run["q"]) == ["d1", "d0"]


def test_every_golden_vector_of_the_family_holds():
    cases = json.loads(shared_data("golden", "listwise.json").read_text())["cases"]
    for case in cases:
        check(case)
    assert len(cases) == 48


def test_strict_reading_takes_only_numbers_in_brackets():
    read = parse_permutation("I rank 3 passages: [2] > [ 1 ] > [1.5]", 3, "strict")
    assert (read.order, read.repaired, read.failed) == ((1, 0, 2), True, False)


def test_a_whole_permutation_is_not_repaired():
    read = parse_permutation("[2] > [3] > [1]", 3)
    assert (read.order, read.repaired, read.failed) == ((1, 2, 0), False, False)


@pytest.mark.parametrize("response", ["[2] > [1]", "[2]>[1]>[2]>[3]", "[2] > [1] > [3] > [9]"])
def test_missing_repeated_and_invented_numbers_are_repaired(response):
    read = parse_permutation(response, 3)
    assert (read.order, read.repaired, read.failed) == ((1, 0, 2), True, False)


@pytest.mark.parametrize("response", ["", "no idea", "[9]", "⒈ > 2", "<think>[2]</think>"])
def test_an_answer_without_a_ranking_keeps_the_order_and_is_a_failure(response):
    read = parse_permutation(response, 2)
    assert (read.order, read.repaired, read.failed) == ((0, 1), False, True)


def test_a_number_of_any_length_is_read():
    assert parse_permutation("9" * 5000 + " > 2 > 1", 2).order == (1, 0)


@given(st.text(), st.integers(0, 30), st.sampled_from(["default", "strict"]))
def test_whatever_a_model_writes_becomes_a_permutation(response, n, mode):
    assert sorted(parse_permutation(response, n, mode).order) == list(range(n))


@given(st.integers(1, 120), st.integers(1, 30), st.data())
def test_windows_cover_every_candidate_from_the_bottom_up(n, window, data):
    step = data.draw(st.integers(1, window))
    spans = windows(n, window, step)
    assert spans[0][1] == n and spans[-1][0] == 0
    assert all(end - start <= window for start, end in spans)
    assert all(above[1] >= below[0] for below, above in pairwise(spans))


def test_nothing_to_rank_needs_no_window():
    assert windows(0, 20, 10) == []


def test_steps_beyond_the_window_would_leave_candidates_out():
    with pytest.raises(ValueError, match="step must be between 1 and window"):
        windows(10, 4, 5)


def test_identifiers_in_a_passage_are_masked():
    assert mask_identifiers("[1] and [12], not [a] nor [ 3 ]") == "(1) and (12), not [a] nor [ 3 ]"
