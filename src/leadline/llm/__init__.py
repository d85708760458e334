"""Language models: at an endpoint, in this process, or from a cache.

A prompt goes from a builder to a server through these steps:

    Record.make        pipeline/record.py  drafts, until one passes
    Record._read       pipeline/record.py  one question, and once more if the JSON does not fit
    Asker.answer       pipeline/record.py  tokens and seconds of the step
    CachedLLM.submit   cached.py           an answer that is kept; the same request only once
    CachedLLM._asked   cached.py           one process asks, the others wait; the answer is kept
    OpenAILLM.ask      openai.py           the loop of attempts: retries, refused settings, the end
    OpenAILLM._attempt openai.py           pace and budget
    OpenAILLM._send    openai.py           the call of the SDK, and what comes back
"""
