"""leadline llm test: find out what a language model and its server can do."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from leadline.cli import options


def test(
    model: str,
    *,
    llm_key_env: str = "",
    llm_timeout: Annotated[float, options.Bounds(0.1)] | None = None,
    as_json: bool = False,
) -> None:
    """Ask a model four small questions, and print what the model and its server can do.

    The table shows no key, so you can paste it into a bug report. Later runs use the result: which
    parameters the server rejects, and how much the model can answer in one call.

    Example: leadline llm test ollama:qwen3:8b

    Options:
        model: [bold]openai:gpt-5-mini[/bold], [bold]ollama:qwen3:8b[/bold],
            [bold]http://HOST:8000/v1#NAME[/bold], [bold]./model.gguf[/bold],
            [bold]hub:OWNER/NAME[/bold] or a folder of weights.
    """
    from leadline.cli.language_models import language_models
    from leadline.data.addresses import without_keys
    from leadline.llm.opening import ModelPlace, keep_findings, with_default
    from leadline.llm.trying import tried

    with language_models(llm_timeout=llm_timeout):
        place = with_default(ModelPlace(llm=model, key_env=llm_key_env, cache=False))
        found = tried(place)
    keep_findings(place.llm, place.model, found.findings)
    rows = {name: without_keys(value) for name, value in found.rows.items()}
    if as_json:
        typer.echo(json.dumps({name.strip(): each for name, each in rows.items()}, indent=1))
        return
    widest = max(map(len, rows))
    for name, value in rows.items():
        typer.echo(f"{name:{widest}}  {value}")
