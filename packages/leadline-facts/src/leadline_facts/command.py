"""leadline enrich: write the facts that documents state and imply, one line for each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from leadline.cli import options
from leadline.cli.language_models import with_models

if TYPE_CHECKING:
    from leadline.types import Corpus, Document, Enricher, Fact


@options.reads_corpus
@with_models
def enrich(
    corpus: str,
    *,
    out: Path,
    explain: bool = False,
    places: Path | None = None,
    rules_only: bool = False,
    reading: options.Reading = options.AS_IT_IS,
    dry_run: bool = False,
    quiet: bool = False,
) -> None:
    """Derive dates, times, amounts and places from documents, with the words they follow from.

    By rules and small networks that come with Leadline; with --llm also by a language model,
    whose facts are checked by code.

    Example: leadline enrich my-notes/ --out facts.jsonl --explain

    Options:
        corpus: Documents, in any form that check takes.
        out FILE: File for the facts, JSON, one line each.
        explain: Show every fact, its evidence and how it follows.
        places FILE: A table of places: name, tab, kind of place, tab, two-letter country code; or a
            dump of Wikidata (.json, .json.gz, .json.bz2), read once and kept.
        rules_only: By rules alone: without the small networks that read amounts.
    """
    from leadline import progress
    from leadline_facts.facts import build
    from leadline_facts.in_parts import RuleFacts
    from leadline_facts.records import write_facts

    model = _model()
    with progress.shown(quiet=quiet):
        table = str(places) if places else ""
        rules = RuleFacts(table, learned=not rules_only)
        enricher = build(places=table, learned=rules.learned, **model) if model else None
        if table and enricher is None:
            rules.check()
        documents, _ = reading.read(corpus)
    if dry_run:
        _plan(documents, out, model)
        return
    counts: Counter[str] = Counter()
    with progress.shown(quiet=quiet or explain):
        pairs = _by_model(enricher, documents) if enricher else rules.over(documents)
        write_facts(out, _counted(_shown(pairs) if explain else pairs, counts))
    if not quiet:
        told = ", ".join(f"{counts[role]} {role}" for role in ("stated", "derived", "alternative"))
        failures: dict[str, int] = getattr(enricher, "failures", {})
        wrong = "; ".join(f"{count} × {reason}" for reason, count in failures.items() if count)
        end = f". {wrong}" if wrong else ""
        typer.echo(f"Facts of {len(documents)} documents: {told}{end}. {out}", err=True)


def _by_model(enricher: Enricher, documents: Corpus) -> Iterator[tuple[Document, tuple[Fact, ...]]]:
    """Yield every document with its facts, here: the calls of a model run side by side anyway."""
    from leadline.progress import track

    for id, facts in enricher.facts(track(documents.values(), "Documents", len(documents))):
        yield documents[id], facts


def _model() -> dict[str, Any]:
    """Return the options that name the endpoint of --llm; none where there is none."""
    from leadline.llm.opening import default_endpoint

    own = default_endpoint()
    return {"llm": own.url, "model": own.model, "key_env": own.key_env} if own else {}


def _plan(documents: Corpus, out: Path, model: Mapping[str, Any]) -> None:
    """Count what the model would be asked, inside the account of a dry run."""
    said = "No language model is called; it costs nothing."
    if model:
        from leadline_facts import by_llm, facts

        asking = facts.joined([by_llm.build(**model)])
        for _ in asking.facts(documents.values()):
            pass
        said = "The language model would be called as told below."
    typer.echo(f"Would derive facts of {len(documents)} documents into {out}. {said}")


def _counted(
    pairs: Iterable[tuple[Document, tuple[Fact, ...]]], counts: Counter[str]
) -> Iterator[tuple[Document, tuple[Fact, ...]]]:
    for document, facts in pairs:
        counts.update(fact.role for fact in facts)
        yield document, facts


def _shown(
    pairs: Iterable[tuple[Document, tuple[Fact, ...]]],
) -> Iterator[tuple[Document, tuple[Fact, ...]]]:
    """Print each document with its facts on the way."""
    for document, facts in pairs:
        typer.echo(f"{document.id}{'' if facts else ': no facts'}")
        for fact in facts:
            typer.echo("  " + _line(document, fact))
        yield document, facts


def _line(document: Document, fact: Fact) -> str:
    import json

    text = document.content
    evidence = "; ".join(f"“{' '.join(text[start:end].split())}”" for start, end in fact.spans)
    about = f" about {fact.about}" if fact.about else ""
    value = (
        fact.value if isinstance(fact.value, str) else json.dumps(fact.value, ensure_ascii=False)
    )
    how = f": {fact.derivation}" if fact.derivation else ""
    return (
        f"{fact.kind} {value}{about} ({fact.role}, {fact.confidence:.2f}){how} "
        f"[{evidence}] {fact.provider}"
    )
