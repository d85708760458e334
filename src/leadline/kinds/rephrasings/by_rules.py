"""Queries with equivalent forms of each, made by rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from leadline.benchmark import Benchmark
from leadline.kinds.pools import Harvested, Pools, harvest
from leadline.kinds.rephrasings import KIND
from leadline.kinds.rephrasings.forms import Form, is_same, rephrased
from leadline.kinds.rephrasings.sources import Need, find_needs
from leadline.types import Corpus, Qrels, Query

WORDS_COPIED = (
    "Queries are made of titles, headings and phrases of the documents, so nDCG and MRR favour "
    "word match (bm25). RBO does not."
)


def build(
    corpus: Corpus,
    *,
    queries: Sequence[Query] = (),
    qrels: Qrels | None = None,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    harvested: Harvested | None = None,
    links: Mapping[str, Sequence[str]] | None = None,
) -> Benchmark:
    """Return a benchmark of kind "rephrasings" made from a corpus without a language model.

    queries  the user's; without, short needs are made of titles and phrases of documents
    qrels    judgements of the user's queries, which their forms inherit; a query without any is
             dropped when others have some; without qrels the benchmark has none
    limit    most original queries
    source   what the corpus is, for the record
    harvested  counts the words of the corpus, where other probes need them too
    links    what other pages call a document in their links, for queries in other words than its
             own

    A topic holds the original and its forms: question, keywords, polite, reordered, plural,
    spelling, typo, as far as they can be made well; a form that does not differ in its words is
    dropped. `built` counts what was dropped and why. The corpus is the one given. Forms are
    English; texts in other languages get the frames of English and lose nothing else.
    """
    rng = random.Random(f"{seed} rephrasings")
    pools = (harvested or partial(harvest, corpus, seed=seed))()
    dropped: Counter[str] = Counter()
    made: dict[str, Form] = {}
    if queries:
        originals = _user_queries(queries, qrels, dropped, limit, rng)
        considered = len(queries)
        judged = {query.id: dict((qrels or {}).get(query.id, {})) for query in originals}
    else:
        found, considered = find_needs(corpus, pools, dropped, limit=limit, rng=rng, links=links)
        originals = _as_queries(found)
        made = {each.document: each.form for each in found}
        judged = {each.document: dict.fromkeys((each.document, *each.others), 1) for each in found}
    forms: Counter[str] = Counter()
    variants = _with_forms(originals, pools, seed, forms, made)
    is_judged = qrels is not None or not queries
    return Benchmark(
        name="rephrasings",
        corpus=corpus,
        queries=variants,
        qrels={query.id: dict(judged[query.topic]) for query in variants} if is_judged else {},
        source=source,
        built_by="rules",
        notes=() if queries else (WORDS_COPIED,),
        **KIND.measured(),
        built={
            "builder": "leadline.kinds.rephrasings.by_rules",
            "seed": seed,
            "limit": limit,
            "considered": considered,
            "kept": len(originals),
            "dropped": dict(sorted(dropped.items())),
            "forms": dict(sorted(forms.items())),
        },
    )


def _user_queries(
    queries: Sequence[Query],
    qrels: Qrels | None,
    dropped: Counter[str],
    limit: int,
    rng: random.Random,
) -> list[Query]:
    """Return the user's queries as originals of their own topics, in their order."""
    usable = []
    for query in queries:
        if not query.text.strip():
            dropped["no text"] += 1
        elif qrels is not None and not qrels.get(query.id):
            dropped["no qrels"] += 1
        else:
            usable.append(query)
    chosen = set(rng.sample(range(len(usable)), min(limit, len(usable))))
    if len(usable) > len(chosen):
        dropped["not needed: the limit was reached"] += len(usable) - len(chosen)
    return [
        Query(
            query.id, query.text, query.id, query.instruction,
            {**query.facets, "kind": "original", "document": "", "span": "", "edit": ""},
            query.answer,
        )
        for place, query in enumerate(usable)
        if place in chosen
    ]  # fmt: skip


def _as_queries(found: Sequence[Need]) -> list[Query]:
    return [
        Query(
            each.document,
            each.text,
            each.document,
            facets={"kind": "original", "document": each.document, "span": each.span, "edit": ""},
        )
        for each in found
    ]


def _with_forms(
    originals: Sequence[Query],
    pools: Pools,
    seed: int,
    forms: Counter[str],
    made: Mapping[str, Form],
) -> list[Query]:
    """Return every original followed by its forms, and count the forms made and dropped.

    made  what an original is, where it was made here
    """
    taken = {query.id for query in originals}
    found: list[Query] = []
    for query in originals:
        found.append(query)
        rng = random.Random(f"{seed} {query.id}")
        texts = [query.text]
        found_forms = rephrased(query.text, pools.frequency, rng, made.get(query.id))
        for kind, (text, edit) in found_forms.items():
            if any(is_same(text, other) for other in texts):
                forms[f"{kind}: equal to another form"] += 1
                continue
            texts.append(text)
            forms[kind] += 1
            variant_id = f"{query.id}~{kind}"
            while variant_id in taken:
                variant_id += "~"
            taken.add(variant_id)
            facets = {**query.facets, "kind": kind, "edit": edit}
            found.append(
                Query(variant_id, text, query.topic, query.instruction, facets, query.answer)
            )
    return found
