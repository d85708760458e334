"""What a reply may cost in memory, where a call may go, and what is told of each failure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leadline.errors import ModelError
from leadline.llm import troubles
from leadline.llm.openai import OpenAILLM
from llm_server import EndpointServer, Reply, said
from processes import python

pytest.importorskip("openai")
DOCS = Path(__file__).parents[2] / "docs" / "llms.md"

CHILD = """
import json, resource, sys
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
llm = OpenAILLM(sys.argv[1], "m", limits=Limits(retries=0))
llm.complete(["first"], max_tokens=9)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(answer,) = llm.complete(["long"], max_tokens=9)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
unit = 1 if sys.platform == "darwin" else 1024
json.dump([answer.failure.kind, (after - before) * unit], sys.stdout)
"""


class Endless(EndpointServer):
    """Answers `first` well, and anything else with 300 MB."""

    def send(self, call, reply: Reply) -> None:
        if reply.status != 999:
            super().send(call, reply)
            return
        call.send_response(200)
        call.send_header("content-length", str(300_000_000))
        call.end_headers()
        for _ in range(300):
            call.wfile.write(b" " * 1_000_000)


def test_a_reply_of_300_mb_takes_no_more_memory_than_a_reply_may_have() -> None:
    with Endless(lambda prompt, _: said("done") if prompt == "first" else Reply(999)) as server:
        kind, grown = json.loads(python("-c", CHILD, server.url).stdout)
    assert kind == troubles.UNREADABLE
    assert grown < 150_000_000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_to_another_host(status: int) -> None:
    with EndpointServer(lambda *_: said("done")) as other:
        away = Reply(status, {}, {"location": f"{other.url}/chat/completions"})
        with (
            EndpointServer(lambda *_: away) as server,
            pytest.raises(ModelError, match="does not answer itself"),
        ):
            OpenAILLM(server.url, "m").complete(["a"], max_tokens=9)
        assert not other.bodies


def test_every_failure_stands_in_the_table_of_the_docs() -> None:
    _, _, rest = DOCS.read_text().partition("## What can go wrong")
    table = rest.partition("\nCtrl-C")[0]
    told = {
        troubles.KEY_REFUSED: "refused the key",
        troubles.NOTHING_LEFT: "nothing left to spend",
        troubles.NOT_ALLOWED: "(403)",
        troubles.NOT_FOUND: "(404)",
        troubles.ELSEWHERE: "does not answer itself",
        troubles.RATE_LIMIT: "rate limit",
        troubles.REFUSED_BY_MODEL: "refused by the model",
        troubles.UNREADABLE: "unreadable answer",
        troubles.LOST: "connection lost",
        troubles.IN_ANSWER: "an error in the answer",
        troubles.TOO_LONG: "the prompt is too long",
        troubles.TIMEOUT.kind: "`timeout`",
        troubles.DEADLINE.kind: "`deadline`",
        troubles.HANGS.kind: "`hangs`",
    }
    kinds = {each for name, each in vars(troubles).items() if name.isupper() and name[0] != "_"}
    words = {each for each in kinds if isinstance(each, str)}
    own = {troubles.ALWAYS, troubles.UNLESS_ANSWERED, troubles.DRY_RUN, troubles.NO_JSON}
    assert words - own <= set(told)
    assert [each for each in told.values() if each not in table] == []
