"""One round of calls to a server that plays, for tests of endpoints."""

from leadline.llm.connection import Limits
from llm_server import EndpointServer

QUICK = Limits(concurrency=4, timeout=5.0, call_deadline=20.0, retries=3)
KEY = "sk-entirely-secret-0123456789"


def asked(play, prompts, limits=QUICK, **options):
    """Return the completions, the server and the model after one round."""
    from leadline.llm.openai import OpenAILLM

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", limits=limits, **options)
        completions = llm.complete(prompts, max_tokens=9)
        llm.close()
    return completions, server, llm
