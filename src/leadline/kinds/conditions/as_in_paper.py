"""Build ladders of ten conditions with a language model, by the steps of the paper.

Only single sentences of a document are rewritten.
Source: Lu et al., MultiConIR, sections 3.2 and 3.3; the prompts are our own.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Field

from leadline.benchmark import Benchmark
from leadline.data.lines import numbered_lines
from leadline.errors import InputError, unknown
from leadline.kinds.conditions.ladders import LadderRecord, Rungs, expand, write_ladders
from leadline.kinds.uniqueness import draw_documents
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Outcome, Pipeline, finish
from leadline.llm.pipeline.steps import (
    VERIFIER,
    Asks,
    Fault,
    Made,
    Provenance,
    Question,
    Refusal,
    RejectedError,
    Verify,
    all_of,
    question_after,
    quoted,
)
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile, RunRecord
from leadline.text.sentences import split_sentences
from leadline.text.tokens import content_tokens, normalised, tokens
from leadline.text.words import table
from leadline.types import Corpus, Document

if TYPE_CHECKING:
    from leadline.llm.pipeline.steps import Models

EditStyle = Literal["altered", "dummy"]
Drop = Literal["fact", "ladder"]
CONDITIONS = 10
KINDS = ("number", "date", "person", "place", "relation", "negation", "outcome", "other")
"""What a critical fact that was altered may be."""
_MOST_WORDS = 3_000  # of a document that models are shown; one that is longer is not taken
_FEWEST = 3  # conditions that make a ladder
_FIELD = re.compile(r"(?m)^[ \t]*([^\s:][^:\n]{0,40}:[ \t]+\S[^\n]*?)[ \t]*$")
_SHORTEST, _LONGEST = 2, 22  # words of a condition in a query
_FEWEST_A_CONDITION, _MOST_A_CONDITION = 4, 20
"""Words of a query in prose for each of its conditions."""
_KEPT = {"altered": 0.25, "dummy": 0.7}
"""Share of content words of a sentence that its rewriting keeps at least."""
_LENGTHS = {"altered": (0.6, 1.5, 4), "dummy": (0.6, 2.0, 8)}
"""Words of a rewriting, in those of its sentence: least, most, and how many words more or less."""
_SENTENCE = "The mill at the northern bridge was rebuilt of stone in 1873 by the council."
_SHORT = "Mill by the northern bridge rebuilt in stone in 1873"


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of documents: what they tell, and how a condition of theirs is broken."""

    name: str
    features: tuple[str, ...]
    edit: EditStyle = "altered"


DOMAINS = {
    name: Domain(name, tuple(row["features"]), row["edit"])
    for name, row in table("leadline.kinds.conditions", "domains").items()
}


def domain_of(
    name: str, features: str | Path | None = None, edit: EditStyle | None = None
) -> Domain:
    """Return a domain of the table, or one whose features stand in a file, one a line.

    `name` may be empty where there is a file: then it is that of the file. `edit` goes before that
    of the domain. Raises InputError when there is neither, no such domain, or no features.
    """
    if features is None:
        if not name:
            raise InputError(
                "The protocol of the paper needs to know what documents are about. Name --domain "
                f"({', '.join(DOMAINS)}), or give your own list with --features FILE."
            )
        if name not in DOMAINS:
            raise unknown("domain", name, DOMAINS, "Any other needs --features FILE.")
        return replace(DOMAINS[name], edit=edit or DOMAINS[name].edit)
    path = Path(features)
    lines = [" ".join(line.split()) for _, line in numbered_lines(path)]
    found = tuple(dict.fromkeys(filter(None, lines)))
    if not found:
        raise InputError(f"{path} has no features. Write one a line, such as `diagnosis`.")
    usual = DOMAINS[name].edit if name in DOMAINS else "altered"
    return Domain(name or path.stem, found, edit or usual)


class Chosen(BaseModel):
    """Sentences of a document."""

    conditions: list[str]


class Queries(BaseModel):
    """Conditions in a searcher's words, and cumulative queries in flowing text."""

    short: list[str]
    prose: list[str]


class Negative(BaseModel):
    """A sentence in which a condition is false."""

    sentence: str
    changed: str


class _Stated(BaseModel):
    stated: list[int]


class _Holds(BaseModel):
    holds: bool


class _Rows(BaseModel):
    rows: Annotated[
        list[list[Annotated[int, Field(ge=1, le=2 * CONDITIONS)]]],
        Field(min_length=CONDITIONS, max_length=CONDITIONS),
    ]


@dataclass(frozen=True)
class Ladder:
    """What was made of one document.

    negatives  None where a sentence could not be had that breaks its condition
    faults     by place of a condition: why it cannot stay
    made       by step: where its texts come from
    """

    conditions: list[str]
    queries: Queries
    negatives: list[Negative | None]
    faults: dict[int, str]
    made: dict[str, Provenance]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    domain: Domain,
    drop: Drop = "fact",
    ladders: Path | None = None,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a ladder for every document that gives one, as a benchmark of kind "conditions".

    A document is dropped when ten whole sentences cannot be had, or queries pass in no attempt.

    Args:
        corpus: The documents.
        models: Who writes and who reads.
        into: Record of the run; drift and audit go into it.
        domain: What the documents tell.
        drop: What a condition costs that cannot be broken, or that another sentence states too:
            the condition (three make a ladder), or the whole ladder.
        ladders: File that the ladders are written to, for `--data` and review; None for nowhere.
        seed: Draws the documents.
        limit: Most documents that a model is shown.
        source: What the corpus is, for the record.
        log: Log of every draft.

    Raises:
        IncompleteError: Calls got no answer.
    """
    dropped, left_out = Counter[str](), Counter[str]()
    drawn = draw_documents(corpus, limit, f"{seed} conditions by llm", dropped, _why_not)
    steps = _steps(models)
    pipeline = Pipeline("", tuple(steps.values()), _Maker(steps, domain, drop).ladder)
    sources = ((each.id, each) for each in drawn)
    outcomes = finish(pipeline, sources, models, into, seed=seed, log=log)
    records = []
    audited = 0
    for outcome in outcomes:
        reason = outcome.reason
        if outcome.value is not None:
            faults = outcome.value.faults
            audited += CONDITIONS
            left_out.update(faults.values())
            if drop == "ladder" and faults:
                reason = faults[min(faults)]
            elif CONDITIONS - len(faults) < _FEWEST:
                reason = "fewer than three conditions are left"
            else:
                records.append(_record(outcome, domain, source))
        if reason:
            dropped[reason] += 1
            into.note(outcome.id, reason)
    pairs = [pair for each in records for pair in zip(each.conditions, each.negatives, strict=True)]
    measured = {
        "drift": drift(pairs),
        "audit": {"conditions": audited, "refused": left_out.total()},
        "conditions left out": dict(sorted(left_out.items())),
    }
    into.measured = measured
    if ladders is not None:
        write_ladders(ladders, records)
    rungs = Rungs()
    for record in records:
        expand(record, rungs)
    edits = Counter(edit for record in records for edit in record.edits)
    return rungs.benchmark(
        source=source,
        built_by="llm",
        built={
            "builder": __name__, "seed": seed, "limit": limit, "writer": models.writer.name,
            "verifier": models.verifier.name, "domain": domain.name,
            "features": list(domain.features), "drop": drop, "asked": len(drawn),
            "kept": len(records), "dropped": dict(sorted(dropped.items())),
            "edits": dict(sorted(edits.items())), **measured,
        },
    )  # fmt: skip


def drift(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return how far rewritten sentences move from their originals; empty for no pairs.

    `length ratio` is words of the rewriting for each of the original, `kept tokens` the share of
    the original's tokens that the rewriting has, too, and `type-token ratio` how many of the tokens
    of all originals (all rewritings) are different ones, over equally many tokens of both.
    Source: Lu et al., MultiConIR, section 3.3.
    """
    read = [(tokens(before), tokens(after)) for before, after in pairs]
    read = [(before, after) for before, after in read if before and after]
    if not read:
        return {}
    kept = [(Counter(before) & Counter(after)).total() / len(before) for before, after in read]
    old = [token for before, _ in read for token in before]
    new = [token for _, after in read for token in after]
    count = min(len(old), len(new))
    return {
        "length ratio": round(fmean(len(after) / len(before) for before, after in read), 4),
        "kept tokens": round(fmean(kept), 4),
        "type-token ratio before": round(len(set(old[:count])) / count, 4),
        "type-token ratio after": round(len(set(new[:count])) / count, 4),
    }


def _why_not(document: Document) -> str:
    if len(document.text.split()) > _MOST_WORDS:
        return f"not asked: more than {_MOST_WORDS:,} words"
    few = len(_units(document.text)) < CONDITIONS
    return "not asked: fewer than ten sentences" if few else ""


def _record(outcome: Outcome[Document, Ladder], domain: Domain, source: str) -> LadderRecord:
    ladder = outcome.value
    assert ladder is not None
    made = {name: each.as_json() for name, each in ladder.made.items()}
    kept = [k for k in range(len(ladder.conditions)) if k not in ladder.faults]
    negatives = [each for each in (ladder.negatives[k] for k in kept) if each is not None]
    whole = min(ladder.faults, default=len(ladder.conditions))
    return LadderRecord(
        id=outcome.id,
        domain=domain.name,
        conditions=tuple(ladder.conditions[k] for k in kept),
        short=tuple(ladder.queries.short[k] for k in kept),
        negatives=tuple(each.sentence for each in negatives),
        edits=tuple(each.changed for each in negatives),
        # A query in prose states all conditions up to its own, one that was left out too.
        prose=dict(enumerate(ladder.queries.prose[:whole], 1)),
        source={"corpus": source, "document": outcome.id, "made": made},
    )


def _steps(models: Models) -> dict[str, Asks[Any]]:
    """Return every step that asks a model, in the order of the work."""
    read: dict[str, Any] = {"model": VERIFIER}
    write: dict[str, Any] = {"temperature": models.temperature}
    prose = [" ".join([_SHORT] * k) for k in range(1, CONDITIONS + 1)]
    negative = Negative(sentence=_SENTENCE, changed="number")
    numbers = list(range(1, CONDITIONS + 1))
    usual: dict[str, tuple[str, BaseModel, dict[str, Any]]] = {
        "choose": ("choose_conditions", Chosen(conditions=[_SENTENCE] * CONDITIONS), {}),
        "queries": ("write_queries", Queries(short=[_SHORT] * CONDITIONS, prose=prose), write),
        "queries read": ("count_stated", _Stated(stated=numbers), read),
        "fact altered": ("alter_fact", negative, write),
        "terms kept": ("attach_elsewhere", negative, write),
        "broken": ("what_holds", _Holds(holds=False), read),
        "audit": ("audit", _Rows(rows=[[n] for n in numbers]), read),
    }
    return {
        name: Asks(
            name, Prompt.load("leadline.kinds.conditions", prompt), type(each), usual=each,
            max_tokens=models.max_tokens, **how,
        )
        for name, (prompt, each, how) in usual.items()
    }  # fmt: skip


@dataclass(frozen=True)
class _Maker:
    """Has one ladder made: chosen, queried, every condition broken, and all of it audited."""

    steps: dict[str, Asks[Any]]
    domain: Domain
    drop: Drop

    async def ladder(self, record: Record, document: Document) -> Ladder:
        """Return the ladder of a document."""
        chosen = await self.chosen(record, document)
        conditions = chosen.value.conditions
        written = await self.queries(record, document, conditions)
        short = written.value.short
        found = await record.each(
            range(len(conditions)),
            lambda part, k: self.negative(part, document, conditions, short[k], k),
        )
        faults = {k: f"negative: {each.reason}" for k, each in enumerate(found)
                  if isinstance(each, Fault)}  # fmt: skip
        if self.drop == "ladder" and faults:
            raise RejectedError(Fault(faults[min(faults)]))
        negatives = [None if isinstance(each, Fault) else each.value for each in found]
        faults |= await self.audit(record, document, conditions, negatives, short)
        made = {"conditions": chosen.provenance, "queries": written.provenance}
        made.update(("negatives", each.provenance) for each in found if isinstance(each, Made))
        return Ladder(conditions, written.value, negatives, faults, made)

    async def chosen(self, record: Record, document: Document) -> Made[Chosen]:
        """Have ten sentences chosen."""
        values = {
            "count": str(CONDITIONS), "domain": self.domain.name,
            "features": ", ".join(self.domain.features),
        }  # fmt: skip
        asked = Question(values, {"document": document.text}, (document.id,))
        return await record.make(
            self.steps["choose"], _again(asked),
            check=lambda draft: check_chosen(document.text, draft),
        )  # fmt: skip

    async def queries(
        self, record: Record, document: Document, conditions: Sequence[str]
    ) -> Made[Queries]:
        """Have queries written, and read back for how many conditions each states."""
        count, facts = {"count": str(len(conditions))}, _numbered(conditions)

        def shown(draft: Queries) -> Question:
            texts = {"facts": facts, "queries": _numbered(draft.prose)}
            return Question(count, texts, (document.id,))

        def compare(read: _Stated, draft: Queries) -> Fault | None:
            meant = list(range(1, len(draft.prose) + 1))
            if read.stated == meant:
                return None
            return Fault(
                "queries state other conditions than meant",
                f"Queries 1 to {len(meant)} were found to state {read.stated[:20]} of the facts.",
            )

        return await record.make(
            self.steps["queries"], _again(Question(count, {"sentences": facts}, (document.id,))),
            check=lambda draft: check_queries(conditions, draft),
            verify=Verify(self.steps["queries read"], shown, compare),
        )  # fmt: skip

    async def negative(
        self, part: Record, document: Document, conditions: Sequence[str], short: str, k: int
    ) -> Made[Negative]:
        """Have a sentence rewritten so that its condition no longer holds."""
        others = [*conditions[:k], *conditions[k + 1 :]]
        edit = self.domain.edit
        least, most = _words_of(conditions[k], edit)
        values = {"least": str(least), "most": str(most)}
        values |= {} if edit == "dummy" else {"kinds": ", ".join(KINDS)}
        texts = {"sentence": conditions[k], "condition": short}

        def shown(draft: Negative) -> Question:
            return Question({}, {"text": draft.sentence, "condition": short}, (document.id,))

        def compare(read: _Holds, draft: Negative) -> Fault | None:
            problem = "A reader found the condition still met."
            return Fault("the condition still holds", problem) if read.holds else None

        return await part.make(
            self.steps["terms kept" if edit == "dummy" else "fact altered"],
            _again(Question(values, texts, (document.id,))),
            check=lambda draft: check_negative(conditions[k], document.text, others, edit, draft),
            verify=Verify(self.steps["broken"], shown, compare),
        )

    async def audit(
        self,
        record: Record,
        document: Document,
        conditions: Sequence[str],
        negatives: Sequence[Negative | None],
        short: Sequence[str],
    ) -> dict[int, str]:
        """Return by place which conditions other sentences state than the one that is meant to.

        Documents are nothing but these sentences: one reading of each settles every variant.
        """
        shown = [(k, text) for k, text in enumerate(conditions)]
        shown += [(-1, each.sentence) for each in negatives if each is not None]
        random.Random(document.id).shuffle(shown)
        statements = _numbered([text for _, text in shown])
        texts = {"statements": statements, "conditions": _numbered(short)}
        asked = Question({"count": str(len(short))}, texts, (document.id,))
        try:
            read = await record.ask(self.steps["audit"], asked)
        except RejectedError as error:
            fault = Fault(f"audit: {error.fault.reason}", error.fault.problem)
            raise RejectedError(fault) from error
        faults = {}
        for k, row in enumerate(read.rows):
            stating = {shown[number - 1][0] for number in row if number <= len(shown)}
            if k not in stating:
                faults[k] = "audit: a reader does not find the condition in its sentence"
            elif stating != {k}:
                faults[k] = "audit: another sentence states the condition, too"
        return faults


def _again(question: Question) -> Callable[[Refusal | None], Question]:
    """Return a question that says, when it is put again, why the draft before was refused."""
    return lambda refusal: question_after(
        refusal, question.values, question.texts, question.parents
    )


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _units(text: str) -> list[tuple[int, int]]:
    """Return the spans that may be a condition: whole sentences, and whole `Field: value` lines."""
    spans = {(each.start, each.end) for each in split_sentences(text)}
    spans |= {found.span(1) for found in _FIELD.finditer(text)}
    return sorted(spans)


def check_chosen(text: str, draft: Chosen) -> Chosen | Fault:
    """Return ten whole sentences in the words and the order of the document, or what is wrong.

    White space and a full stop at the end are forgiven; whatever else differs is not.
    """
    places = {_plain(text[slice(*span)]).rstrip(" ."): span for span in reversed(_units(text))}
    taken: list[tuple[int, int]] = []
    faults = []
    for given in draft.conditions:
        span = places.get(_plain(given).rstrip(" ."))
        if span is not None and not any(span[0] < end and start < span[1] for start, end in taken):
            taken.append(span)
        elif span is not None:
            told = f"This is chosen twice, or stands inside another: {quoted(given)}"
            faults.append(Fault("overlap", told))
        elif _plain(given) and _plain(given) in _plain(text):
            told = f"This is no whole sentence: {quoted(given)}"
            faults.append(Fault("not a whole sentence", told))
        else:
            told = f"This does not stand in the document: {quoted(given)}"
            faults.append(Fault("does not occur", told))
    found = [_plain(text[start:end]) for start, end in sorted(taken[:CONDITIONS])]
    if len(taken) < CONDITIONS:
        told = f"Of the sentences {len(taken)} can be used; {CONDITIONS} are wanted."
        faults.append(Fault("fewer than ten", told))
    elif len({normalised(each) for each in found}) < CONDITIONS:
        faults.append(Fault("the same twice", "Two of the sentences say the same words."))
    else:  # ten good ones are enough
        faults = []
    return all_of(faults) or Chosen(conditions=found)


def check_queries(conditions: Sequence[str], draft: Queries) -> Queries | Fault:
    """Return ten short forms and ten queries in prose, or all that is wrong with them."""
    short, prose = [_plain(each) for each in draft.short], [_plain(each) for each in draft.prose]
    if len(short) != len(conditions) or len(prose) != len(conditions):
        told = f"{len(short)} short forms and {len(prose)} queries; ten of each are wanted."
        return Fault("another number of queries", told)
    faults = [*_short_faults(conditions, short), *_prose_faults(draft.prose)]
    return all_of(faults) or Queries(short=short, prose=prose)


def _short_faults(conditions: Sequence[str], short: Sequence[str]) -> Iterator[Fault]:
    for number, (text, condition) in enumerate(zip(short, conditions, strict=True), 1):
        count = len(text.split())
        if not _SHORTEST <= count <= _LONGEST:
            told = f"Short form {number} has {count} words, not {_SHORTEST} to {_LONGEST}."
            yield Fault("length of a short form", told)
        if normalised(text) == normalised(condition) and len(tokens(text)) > _LONGEST // 4:
            told = f"Short form {number} is copied word for word: say it in other words."
            yield Fault("not paraphrased", told)
    if len({normalised(each) for each in short}) < len(short):
        yield Fault("the same twice", "Two short forms are the same.")


def _prose_faults(prose: Sequence[str]) -> Iterator[Fault]:
    before = 0
    for k, text in enumerate(prose, 1):
        count = len(text.split())
        least, most = _FEWEST_A_CONDITION * k, _MOST_A_CONDITION * k + 10
        if not least <= count <= most:
            told = f"Query {k} has {count} words, not {least} to {most}."
            yield Fault("length of a query", told)
        if "\n" in text.strip() or re.search(r"(?:^|\s)\(?2[.)]\s", text):
            yield Fault("prose is a list", f"Query {k} is a list; flowing sentences are wanted.")
        if count <= before:
            yield Fault("queries do not grow", f"Query {k} is no longer than the one before.")
        before = count


def _words_of(condition: str, edit: EditStyle) -> tuple[int, int]:
    """Return the fewest and the most words of a rewriting of a sentence."""
    share, excess, spare = _LENGTHS[edit]
    count = len(condition.split())
    return max(1, ceil(share * count - spare)), floor(excess * count + spare)


def check_negative(
    condition: str, text: str, others: Sequence[str], edit: EditStyle, draft: Negative
) -> Negative | Fault:
    """Return a rewriting that may stand in the place of a sentence, or all that is wrong with it.

    `text` is the document, which must not hold it already; `others` are the other conditions, which
    it must not state word for word.
    """
    sentence = _plain(draft.sentence)
    faults = _negative_faults(condition, text, others, edit, sentence)
    changed = normalised(draft.changed)
    kind = "dummy" if edit == "dummy" else changed if changed in KINDS else "other"
    return all_of(faults) or Negative(sentence=sentence, changed=kind)


def _negative_faults(
    condition: str, text: str, others: Sequence[str], edit: EditStyle, sentence: str
) -> Iterator[Fault]:
    mine = normalised(sentence)
    if mine == normalised(condition):
        yield Fault("nothing changed", "The sentence says the same words as before.")
    elif not mine or f" {mine} " in f" {normalised(text)} ":
        yield Fault("already in the text", "The document holds this sentence already.")
    if any(f" {normalised(other)} " in f" {mine} " for other in others):
        yield Fault("states another condition", "It repeats another sentence of the document.")
    least, most = _words_of(condition, edit)
    after = len(sentence.split())
    if not least <= after <= most:
        yield Fault("another length", f"It has {after} words; {least} to {most} are wanted.")
    key = content_tokens(condition)
    kept = len(set(key) & set(tokens(sentence))) / len(key) if key else 1.0
    if len(key) > 2 and kept < _KEPT[edit]:
        told = f"It keeps {kept:.0%} of the original's words; {_KEPT[edit]:.0%} are wanted."
        yield Fault("too few words kept", told)
