import json
from pathlib import Path

import pytest

from leadline.errors import InputError, ModelError
from leadline.llm.account import Account, BudgetReachedError, Endpoint
from leadline.llm.cached import CachedLLM
from leadline.llm.connection import Limits
from leadline.llm.opening import ModelPlace, open_llm
from leadline.llm.prices import Prices, estimated_tokens, most_prompt_tokens
from leadline.llm.requests import Failure, Request
from leadline.llm.troubles import DRY_RUN
from llm_server import EndpointServer, Reply, refused, said
from tables import each_row

pytest.importorskip("openai")

from leadline.llm.openai import OpenAILLM

# One dollar for a prompt token, two for one of an answer: a call of `said` (3 and 2) costs 7.
DEAR = [{"model": "tiny", "prompt": 1_000_000, "answer": 2_000_000}]


@pytest.fixture
def dear(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(DEAR))
    return Prices(path)


def test_calls_are_booked_with_their_tokens_and_cost(dear, tmp_path):
    account = Account(dear)
    with EndpointServer(lambda *_: said("done")) as server, account.kept():
        llm = CachedLLM(OpenAILLM(server.url, "tiny"), tmp_path / "answers.sqlite")
        llm.complete(["a", "b"], max_tokens=9)
        llm.complete(["a", "b", "c"], max_tokens=9)
    (line,) = account.lines
    assert (line.calls, line.prompt_tokens, line.completion_tokens) == (3, 9, 6)
    assert line.cost == pytest.approx(21)
    assert str(line) == (
        "tiny: 3 calls, 9 tokens of prompts and 6 of answers, 21.0000 USD; "
        "2 answers were in the cache"
    )


def test_a_limit_on_a_model_without_a_price_is_refused():
    with Account(max_cost=1).kept(), pytest.raises(InputError, match="the price of tiny at http"):
        OpenAILLM("http://localhost/v1", "tiny")


def test_a_limit_is_never_passed_and_answers_before_it_are_kept(dear, tmp_path):
    # A prompt of 2 bytes can have 34 tokens with its template, its answer 2: 38 dollars at most.
    # The seventh call starts at 42, with up to 80 in sight; the eighth would at 49 reach 87.
    path, prompts = tmp_path / "answers.sqlite", [f"p{number}" for number in range(9)]
    assert most_prompt_tokens(Request("p0", 2)) == 34
    with EndpointServer(lambda *_: said("done")) as server:
        account = Account(dear, max_cost=80)
        with account.kept(), pytest.raises(BudgetReachedError, match="Run the command again"):
            llm = CachedLLM(OpenAILLM(server.url, "tiny", limits=Limits(concurrency=8)), path)
            llm.complete(prompts, max_tokens=2)
        assert account.cost == 49
        with Account(dear, max_cost=80).kept() as again:
            llm = CachedLLM(OpenAILLM(server.url, "tiny", limits=Limits(concurrency=8)), path)
            assert llm.complete(prompts, max_tokens=2) == ["done"] * 9
    assert (again.lines[0].calls, again.lines[0].hits) == (2, 7)
    assert server.calls.total() == 9


def test_one_limit_holds_for_several_models_together(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps([{**DEAR[0], "model": name} for name in ("one", "two")]))
    account = Account(Prices(path), max_cost=45)
    with EndpointServer(lambda *_: said("done")) as server, account.kept():
        assert OpenAILLM(server.url, "one").complete(["p0"], max_tokens=2) == ["done"]
        assert OpenAILLM(server.url, "two").complete(["p0"], max_tokens=2) == ["done"]
        with pytest.raises(BudgetReachedError, match=r"after 2 calls for 14\.0000 USD"):
            OpenAILLM(server.url, "two").complete(["p1"], max_tokens=2)


def test_a_lost_call_counts_as_paid_and_a_refused_one_does_not(dear):
    # 38 dollars at most, as above: a connection that breaks after the prompt was sent.
    for reply, cost in ((Reply(drop=True), 38), (refused(400, "no"), 0)):
        account = Account(dear)
        with EndpointServer(lambda *_, reply=reply: reply) as server, account.kept():
            llm = OpenAILLM(server.url, "tiny", limits=Limits(retries=0))
            try:
                llm.complete(["p0"], max_tokens=2)
            except ModelError as error:
                assert "Nothing answers" in str(error)
        assert account.cost == cost


def test_a_dry_run_counts_what_is_not_in_the_cache_and_asks_nothing(dear, tmp_path):
    path = tmp_path / "answers.sqlite"
    with EndpointServer(lambda *_: said("done")) as server:
        CachedLLM(OpenAILLM(server.url, "tiny"), path).complete(["a"], max_tokens=9)
        with Account(dear, dry_run=True).kept() as account:
            llm = CachedLLM(OpenAILLM(server.url, "tiny"), path)
            answers = dict(llm.answers([Request("a", 9), Request("b c", 9, expected_tokens=4)]))
    assert server.calls == {"a": 1}
    assert [answers[place].failure for place in (0, 1)] == [None, Failure(DRY_RUN)]
    # "b c" and four tokens of a template, four of an answer: 6 + 2 * 4 = 14 dollars.
    (line,) = account.lines
    assert (line.calls, line.prompt_tokens, line.completion_tokens, line.hits) == (1, 6, 4, 1)
    assert line.cost == pytest.approx(14)


def test_a_stage_that_names_no_model_takes_the_account_s_own():
    own = Endpoint("http://localhost/v1", "tiny")
    with Account(default=own).kept():
        assert open_llm("listwise", ModelPlace()).settings["model"] == "tiny"
        assert open_llm("listwise", ModelPlace(model="x", llm="http://other/v1")).name == "x"


def test_prices_of_a_user_go_first_and_hold_for_any_host(dear):
    assert dear.of("tiny", "http://localhost/v1").answer == 2_000_000
    assert dear.of("gpt-4o-mini", "https://api.openai.com/v1").prompt == 0.15
    assert dear.of("gpt-4o-mini", "http://localhost/v1") is None


@each_row
def test_a_price_file_that_does_not_fit_is_told(tmp_path, text, message):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        Prices(path)


def test_every_price_of_the_package_has_a_day_and_two_sources():
    import yaml

    import leadline

    path = Path(leadline.__file__).parent / "llm" / "prices.yaml"
    rows = yaml.safe_load(path.read_text())
    assert all(row["read"] and len(row["sources"]) >= 2 and row["host"] for row in rows)


def test_tokens_are_guessed_from_words_numbers_and_marks():
    # the cat | , | in | 1999 as 199 + 9 | extraordi + nari + ly | 猫 and 犬
    assert estimated_tokens("the cat, in 1999 extraordinarily 猫犬") == 2 + 1 + 1 + 2 + 3 + 2
