"""Training examples: read them from files, or make them from folders with rephrasings."""

from __future__ import annotations

import hashlib
import random
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from leadline.benchmark import Benchmark, of_corpus
from leadline.data.documents import read_corpus
from leadline.data.fields import Record, required_string
from leadline.data.jsonl import read_records
from leadline.errors import InputError
from leadline.kinds.rephrasings import KIND, by_rules
from leadline.kinds.rephrasings.variations import read_equivalents, variations_file
from leadline.metrics.topics import by_topic, original_of
from leadline.systems.chains import encoder_named
from leadline.text.tokens import normalised
from leadline.training.settings import Choices
from leadline.types import Corpus, Document, Qrels, Query, Retriever

T = TypeVar("T")

FILE = "examples.jsonl"
"""What the examples of a folder are called."""

_FEWEST_HELD, _MOST_HELD = 8, 200


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A query with the document that answers it, and texts that it must be told apart from."""

    query: str
    positive: str
    negatives: tuple[str, ...] = ()
    rephrasings: tuple[str, ...] = ()


def read_examples(path: str | Path) -> list[TrainingExample]:
    """Return the examples of a `.jsonl` or `.jsonl.gz`, one JSON object a line.

    Fields: `query` and `positive`, and optionally `negatives` and `rephrasings`, lists of texts.
    Raises InputError that names file, line and field for what is missing, empty or no text.
    """
    examples = [_example(record, f"{path}:{number}") for number, record in read_records(path)]
    if not examples:
        raise InputError(f"{path} has no training examples.")
    return examples


@dataclass(frozen=True)
class ExampleStream:
    """Examples that stay in their file: each is read when its batch is made.

    rows    how many there are
    digest  of all of them
    """

    path: Path
    rows: int
    digest: str

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[TrainingExample]:
        for number, record in read_records(self.path):
            yield _example(record, f"{self.path}:{number}")


def stream_examples(path: str | Path) -> ExampleStream:
    """Return the examples of a file, which is checked whole and not held in memory.

    Raises InputError as `read_examples` does, and for fewer than 2.
    """
    digest, rows = hashlib.blake2b(digest_size=16), 0
    for each in ExampleStream(Path(path), 0, ""):
        digest.update(repr(each).encode("utf-8", "surrogatepass"))
        rows += 1
    if rows < 2:
        raise InputError(f"Training needs at least 2 examples, and {path} has {rows}.")
    return ExampleStream(Path(path), rows, digest.hexdigest())


def _example(record: Record, place: str) -> TrainingExample:
    for key in ("query", "positive"):
        if not required_string(record, key, place).strip():
            raise InputError(f"{place}: {key!r} is empty. Fill it or remove the line.")
    lists = []
    for key in ("negatives", "rephrasings"):
        values = record.get(key) or []
        if not isinstance(values, list):
            raise InputError(f"{place}: {key!r} must be a list of texts.")
        for number, value in enumerate(values, start=1):
            if not isinstance(value, str) or not value.strip():
                raise InputError(
                    f"{place}: item {number} of {key!r} must be a text, got {value!r}."
                )
        lists.append(tuple(values))
    return TrainingExample(record["query"], record["positive"], *lists)


@dataclass(frozen=True)
class Mined:
    """Hard negatives of each query, hardest first, and what was left out.

    negatives  query id -> document ids; a query without any is there with none
    dropped    reason -> how many documents above the depth were left out for it
    """

    negatives: Mapping[str, tuple[str, ...]]
    dropped: Mapping[str, int] = field(default_factory=dict)


def mine_negatives(
    queries: Sequence[Query],
    qrels: Qrels,
    corpus: Corpus,
    retriever: Retriever,
    *,
    count: int = 5,
    depth: int = 50,
    margin: float = 0.05,
) -> Mined:
    """Return hard negatives: what a retriever ranks high for a query that it does not answer.

    qrels   grades above 0 are positives, for every variant of a topic; they are never negatives
    count   most negatives a query
    depth   how many documents of a ranking are looked at
    margin  share of the positive's score that a negative must stay below it: documents that score
            higher are likely answers that nobody judged. 0 takes everything below the positive

    A query whose positives are scored by the retriever uses the best of them. Texts that equal a
    positive's are left out. Raises InputError for a query without a positive, and for a margin out
    of range.
    """
    if not margin < 1:
        raise InputError(f"The margin of hard negatives must be below 1, got {margin}.")
    qrels = of_corpus(qrels, corpus)
    by_topic: dict[str, set[str]] = {}
    for query in queries:
        by_topic.setdefault(query.topic or query.id, set()).update(_relevant(qrels, query))
    positives = {query.id: by_topic[query.topic or query.id] for query in queries}
    for id, relevant in positives.items():
        if not relevant:
            raise InputError(
                f"Query {id!r} has no relevant document, so no hard negatives can be mined. Judge "
                "it or leave it out."
            )
    index = retriever.index(corpus)
    run = index.search(queries, depth)
    scores = index.score(queries, {id: sorted(found) for id, found in positives.items()})
    dropped: Counter[str] = Counter()
    negatives = {}
    for id, right in positives.items():
        best = max(scores[id][name] for name in right)
        ceiling = best - margin * abs(best)
        same = {normalised(corpus[name].content) for name in right}
        kept = []
        for name, score in run.get(id, {}).items():
            if name in right:
                continue
            if score > ceiling or (score == ceiling and margin > 0):
                dropped["too close to the positive, maybe an answer"] += 1
            elif normalised(corpus[name].content) in same:
                dropped["same text as the positive"] += 1
            else:
                kept.append(name)
        negatives[id] = tuple(kept[:count])
    return Mined(negatives, dict(sorted(dropped.items())))


@dataclass(frozen=True)
class Material:
    """Examples to train on, held-out queries to validate on, and what they were made of."""

    examples: Sequence[TrainingExample]
    validation: Benchmark
    facts: Mapping[str, Any]

    @property
    def sources(self) -> str:
        """Which queries and which rephrasings are learnt from, a line for each folder."""
        return "\n".join(f"{folder}: {each['learns from']}" for folder, each in self.facts.items())


def prepare(
    folders: Sequence[str | Path],
    miner: Retriever | None,
    choices: Choices | None = None,
    *,
    kinds: Sequence[str] | None = None,
) -> Material:
    """Return training examples and a validation set made of folders.

    A folder is one of these:

    * `examples.jsonl` (or such a file itself): examples as they are;
    * a benchmark or BEIR folder with qrels: the judged queries of the split;
    * a corpus: queries made of titles or phrases, each cut out of its document.

    Rephrasings are those of `query_variations.jsonl` and the other queries of a topic where a
    folder has such, else made by rules. Validated on are some queries of each folder, or all of
    the folder `choices.validation`: those of its dev, else of its test.
    miner   finds hard negatives; None for none
    kinds   of the rephrasings to train and validate on; None for all

    Raises InputError when a folder gives no queries, or has qrels but not of the split.
    """
    choices = choices or Choices()
    if not folders:
        raise InputError("Name at least one folder to train on: --data FOLDER.")
    own = Path(choices.validation) if choices.validation else None
    learnt = held = _Parts(replace(choices, held_out=0) if own else choices)
    for place, folder in enumerate(map(Path, folders)):
        learnt.add(folder, f"{place}/", miner, kinds)
    if own:
        judged = [split for split in ("dev", "test") if (own / "qrels" / f"{split}.tsv").is_file()]
        split = judged[0] if judged else ""
        held = _Parts(replace(choices, held_out=1, split=split, variations=""))
        held.add(own, "", miner, kinds)
    facts = learnt.facts
    if own:
        facts |= {f"{name} (validation)": each for name, each in held.facts.items()}
    validation = Benchmark(
        name="validation", corpus=held.corpus, queries=held.queries, qrels=held.qrels,
        **KIND.measured(), source=", ".join(map(str, [own] if own else folders)), built_by="rules",
    )  # fmt: skip
    return Material(learnt.examples, validation.validated(), facts)


@dataclass
class _Parts:
    """What the folders gave so far."""

    choices: Choices
    examples: list[TrainingExample] = field(default_factory=list)
    corpus: dict[str, Document] = field(default_factory=dict)
    queries: list[Query] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def add(
        self, folder: Path, prefix: str, miner: Retriever | None, kinds: Sequence[str] | None
    ) -> None:
        """Take what a folder or a file of examples gives."""
        if file := _examples_file(folder):
            self.add_examples(file, prefix)
        else:
            self.add_folder(folder, prefix, miner, kinds)

    def add_folder(
        self, folder: Path, prefix: str, miner: Retriever | None, kinds: Sequence[str] | None
    ) -> None:
        """Take the topics of a folder; some of them are held out."""
        choices = self.choices
        built, how, forms_from = _topics(folder, choices)
        topics = []
        for variants in by_topic(built.queries).values():
            original = original_of(variants)
            if original is not None and _relevant(built.qrels, original):
                others = [each for each in variants if each.id != original.id]
                if kinds is not None:
                    others = [each for each in others if each.facets.get("kind") in kinds]
                topics.append((original, others))
        if len(topics) < 2:
            raise InputError(
                f"{folder} has {len(topics)} queries to train on, but at least 2 are needed."
            )
        held, learnt = self._divided(topics)
        originals = [original for original, _ in topics]
        cut = {}  # documents that queries were made of, without the words of their query
        for query in originals:
            name, span = query.facets.get("document", ""), query.facets.get("span", "")
            if name in built.corpus and span:
                cut[name] = without_query(built.corpus[name], span)
        corpus: Corpus = ChainMap(cut, dict(built.corpus))
        mined = Mined({})
        if miner is not None and choices.negatives:
            mined = mine_negatives(
                originals, built.qrels, corpus, miner, count=choices.negatives,
                depth=choices.depth, margin=choices.negative_margin,
            )  # fmt: skip
        for original, variants in learnt:
            hard = tuple(corpus[name].content for name in mined.negatives.get(original.id, ()))
            texts = tuple(each.content for each in variants)
            # Others that hold the words of a made query would teach nothing but matching words.
            made_of = original.facets.get("document", "")
            for name in [made_of] if made_of else _relevant(built.qrels, original):
                if corpus[name].content.strip():
                    self.examples.append(
                        TrainingExample(original.content, corpus[name].content, hard, texts)
                    )
        names: dict[str, None] = {}
        for original, variants in held:
            relevant = _relevant(built.qrels, original)
            names.update(dict.fromkeys([*relevant, *mined.negatives.get(original.id, ())]))
            for query in (original, *variants):
                topic = prefix + original.id
                self.queries.append(replace(query, id=prefix + query.id, topic=topic))
                self.qrels[prefix + query.id] = {prefix + name: 1 for name in relevant}
        rest = [name for name in corpus if name not in names]
        room = min(max(0, choices.documents - len(names)), len(rest))
        drawn = random.Random(f"{choices.seed} documents").sample(rest, room)
        for name in (*names, *drawn):
            self.corpus[prefix + name] = replace(corpus[name], id=prefix + name)
        forms = Counter(each.facets.get("kind", "other") for _, found in topics for each in found)
        self._tell(
            folder, len(learnt), len(held), how,
            f"{sum(len(found) for _, found in learnt):,} rephrasings ({forms_from})",
            {"rephrasings": dict(sorted(forms.items())),
             "hard negatives": sum(map(len, mined.negatives.values())),
             "left out as negatives": dict(mined.dropped)},
        )  # fmt: skip

    def add_examples(self, file: Path, prefix: str) -> None:
        """Take examples as they are; those held out are searched for among all documents."""
        choices = self.choices
        by_query: dict[str, list[TrainingExample]] = {}
        for each in read_examples(file):
            by_query.setdefault(each.query, []).append(each)
        held, rest = self._divided(list(by_query.values()))
        learnt = [each for group in rest[: choices.limit] for each in group]
        self.examples += learnt
        needed = [
            text for group in held for each in group for text in (each.positive, *each.negatives)
        ]
        others = [each.positive for each in learnt]
        names: dict[str, str] = {}
        for text in [*needed, *others[: choices.documents]]:
            name = names.setdefault(text, f"{prefix}{len(names)}")
            self.corpus[name] = Document(name, text)
        for place, group in enumerate(held):
            topic = f"{prefix}q{place}"
            for number, text in enumerate(dict.fromkeys([group[0].query, *group[0].rephrasings])):
                facets = {"kind": "rephrasing" if number else "original"}
                query = Query(f"{topic}~{number}" if number else topic, text, topic, facets=facets)
                self.queries.append(query)
                self.qrels[query.id] = {names[each.positive]: 1 for each in group}
        how = "examples of the file"
        if len(rest) > choices.limit:
            how += f", {choices.limit:,} of {len(rest):,} by --limit"
        forms = len({(each.query, text) for each in learnt for text in each.rephrasings})
        count = min(len(rest), choices.limit)
        self._tell(file, count, len(held), how, f"{forms:,} rephrasings (of the file)", {})

    def _divided(self, topics: list[T]) -> tuple[list[T], list[T]]:
        """Return topics that are held out, and the others."""
        random.Random(f"{self.choices.seed} held out").shuffle(topics)
        share = self.choices.held_out
        count = round(share * len(topics))
        if 0 < share < 1:
            count = min(max(_FEWEST_HELD, min(_MOST_HELD, count)), len(topics) // 2)
        return topics[:count], topics[count:]

    def _tell(
        self, folder: Path, learnt: int, held: int, how: str, forms: str, more: Mapping[str, Any]
    ) -> None:
        told = f"{learnt:,} queries to learn from ({how}), with {forms}; {held:,} queries held out"
        if self.choices.held_out == 1:
            told = f"{held:,} queries to validate on ({how})"
        facts = {"learns from": told, "for training": learnt, "for validation": held, **more}
        self.facts[str(folder)] = facts


def _topics(folder: Path, choices: Choices) -> tuple[Benchmark, str, str]:
    """Return queries with rephrasings and judgements, and where both come from."""
    split = _split(folder, choices)
    file = Path(choices.variations) if choices.variations else variations_file(folder)
    if split:
        found = read_equivalents(folder, split, file, choices.limit, choices.seed)
        if found.benchmark.queries != found.originals:
            return found.benchmark, found.how, found.rephrasings
        made = by_rules.build(
            found.benchmark.corpus, queries=found.originals, qrels=found.benchmark.qrels,
            seed=choices.seed, limit=choices.limit,
        )  # fmt: skip
        return made, found.how, "made by rules"
    if file is not None:
        raise InputError(
            f"{folder} has no qrels, which the rephrasings of {file} need. Name a folder with "
            "judged queries: --data FOLDER --variations FILE."
        )
    made = by_rules.build(read_corpus(_corpus_of(folder)), seed=choices.seed, limit=choices.limit)
    return made, "made of titles and phrases of the documents", "made by rules"


def _split(folder: Path, choices: Choices) -> str:
    """Return the split to learn from; empty for a corpus, which judges nothing."""
    splits = sorted(path.stem for path in (folder / "qrels").glob("*.tsv"))
    split = choices.split or "train"
    if split in splits:
        return split
    if choices.split:
        raise InputError(
            f"{folder} has no qrels/{split}.tsv. It has: {', '.join(splits) or 'no qrels'}."
        )
    if splits:
        corpus = _corpus_of(folder)
        raise InputError(
            f"{folder} has judgements for {', '.join(splits)}, but not for train. To train on "
            f"them, use --split {splits[0]}, and evaluate on other queries."
            + f" To train on queries made from the documents, use --data {corpus}."
            * (corpus != folder)
        )
    return ""


def _corpus_of(folder: Path) -> Path:
    """Return the corpus of a BEIR folder, or what may be a corpus itself."""
    inside = (folder / "corpus.jsonl", folder / "corpus.jsonl.gz")
    return next((path for path in inside if path.is_file()), folder)


def _relevant(qrels: Qrels, query: Query) -> list[str]:
    return [name for name, grade in qrels.get(query.id, {}).items() if grade > 0]


def without_query(document: Document, span: str) -> Document:
    """Return a document without the query that was made of it.

    span  `title`, which may also begin the text, or `start-end` in the text
    """
    if span == "title":
        text = document.text.removeprefix(document.title).lstrip(" .:\n")
        return replace(document, title="", text=text or document.text)
    start, _, end = span.partition("-")
    text = f"{document.text[: int(start)].rstrip()} {document.text[int(end) :].lstrip()}".strip()
    return replace(document, text=text or document.text)


def _examples_file(folder: Path) -> Path | None:
    if folder.is_file() and folder.name.endswith(("examples.jsonl", "examples.jsonl.gz")):
        return folder
    found = [folder / FILE, folder / f"{FILE}.gz"]
    return next((path for path in found if path.is_file()), None)


def opener(model: str, *, static: bool = False) -> Callable[[], Any]:
    """Return what opens an encoder for training, anew each time.

    static  first make a static embedding of it

    Raises InputError for a model with one encoder for queries and another for documents.
    """
    encoders = encoder_named(model.removeprefix("dense:")).encoders
    if encoders["query"] is not encoders["document"]:
        raise InputError(f"{model} has two encoders, but training needs a model with one.")
    encoder = replace(encoders["document"], dtype="float32", backend="torch")

    def opened() -> Any:
        from leadline.training.retriever import distilled

        return distilled(encoder.opened())

    return opened if static else encoder.opened
