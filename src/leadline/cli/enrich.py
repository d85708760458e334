"""leadline enrich: the facts that documents state and imply, one line for each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options

if TYPE_CHECKING:
    from leadline.types import Document, Fact


def enrich(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="Documents, in any form that check takes.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="File for the facts, JSON, one line each.")
    ],
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every fact, its evidence and how it follows.")
    ] = False,
    places: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of places: name, tab, kind of place, tab, two-letter country code.",
        ),
    ] = None,
    metadata: options.Metadata = False,
    quiet: options.Quiet = False,
) -> None:
    """Derive dates, times, amounts and places from documents, with the words they follow from.

    Example: leadline enrich my-notes/ --out facts.jsonl --explain
    """
    from leadline import progress
    from leadline.enrichers.facts import build
    from leadline.enrichers.records import write_facts
    from leadline.files.documents import read_corpus

    enricher = build(places=str(places) if places else "")
    documents = read_corpus(corpus, metadata=metadata)
    counts: Counter[str] = Counter()
    with progress.shown(quiet=quiet or explain):
        found = enricher.facts(progress.track(documents.values(), "Documents", len(documents)))
        pairs = ((documents[id], facts) for id, facts in found)
        write_facts(out, _counted(_shown(pairs) if explain else pairs, counts))
    if not quiet:
        told = ", ".join(f"{counts[role]} {role}" for role in ("stated", "derived", "alternative"))
        typer.echo(f"Facts of {len(documents)} documents: {told}. {out}", err=True)


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
