"""Probes that were built once come from the cache: the same, and only where nothing changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from leadline.checking import probes as kept
from leadline.checking.probes import build_probes, write_probes
from leadline.data.folder import write_corpus
from leadline.data.jsonl import JsonlCorpus
from leadline.evaluation import notes_on
from leadline.kinds.conditions import by_rules as conditions
from leadline.kinds.registry import kinds
from leadline.kinds.rephrasings import by_rules as rephrasings
from leadline.types import Corpus, Document
from notes import NOTES

BOTH = ("rephrasings", "conditions")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note whose builders are called."""
    calls: list[str] = []

    def noted(name: str, build):
        def building(corpus: Corpus, *, seed: int = 0, limit: int = 9, source: str = ""):
            calls.append(name)
            return build(corpus, seed=seed, limit=limit, source=source)

        return building

    for name, module in (("conditions", conditions), ("rephrasings", rephrasings)):
        monkeypatch.setattr(module, "build", noted(name, module.build))
    return calls


def documents() -> dict[str, Document]:
    names = ("Amber", "Birch", "Cedar", "Dahlia", "Elder", "Fern")
    return {
        f"g{n}": Document(
            f"g{n}",
            f"The {name} garden was opened to visitors in {1950 + 3 * n}. "
            f"Some {20 + 7 * n} volunteers water the {name.lower()} beds every evening. "
            f"Its largest {name.lower()} pumpkin weighed {12 + n} kg at harvest.",
            f"A visit to the {name} garden",
        )
        for n, name in enumerate(names)
    }


def on_disk(folder: Path) -> JsonlCorpus:
    write_corpus(folder / "corpus.jsonl", documents())
    return JsonlCorpus(folder / "corpus.jsonl")


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_second_run_builds_nothing_and_writes_the_same_folders(tmp_path: Path, built) -> None:
    for run in ("first", "second"):
        write_probes(tmp_path / run, build_probes(on_disk(tmp_path), BOTH, limit=4))
    assert built == list(BOTH)
    assert content_of(tmp_path / "first") == content_of(tmp_path / "second") != {}


def test_a_corpus_in_memory_is_known_again_by_its_texts_and_fields(built) -> None:
    one = build_probes(documents(), BOTH, limit=4)
    assert build_probes(documents(), BOTH, limit=4) == one
    assert built == list(BOTH)
    changed = documents()
    changed["g1"] = replace(changed["g1"], facets={"genre": "visit"})
    build_probes(changed, BOTH, limit=4)
    assert built == [*BOTH, *BOTH]


@pytest.mark.parametrize("changed", [{"seed": 1}, {"limit": 3}, {"source": "elsewhere"}])
def test_other_options_build_another_probe(changed, built) -> None:
    given = {"seed": 0, "limit": 4, "source": "here"}
    build_probes(documents(), ["conditions"], **given)
    build_probes(documents(), ["conditions"], **given | changed)
    assert built == ["conditions"] * 2


def test_what_was_altered_or_stands_under_another_name_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built
) -> None:
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path))
    [probe] = build_probes(documents(), ["conditions"], limit=4)
    [path] = (tmp_path / "probes").glob("*.json")
    path.write_text(path.read_text().replace("pumpkin", "turnip"))
    assert build_probes(documents(), ["conditions"], limit=4) == [probe]
    assert built == ["conditions"] * 2
    build_probes(documents(), ["conditions"], limit=3)
    [other] = set((tmp_path / "probes").glob("*.json")) - {path}
    path.write_bytes(other.read_bytes())
    assert build_probes(documents(), ["conditions"], limit=4) == [probe]
    assert built == ["conditions"] * 4


def test_words_are_counted_once_for_all_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[dict] = []

    def noted(corpus: Corpus, **options):
        counted.append(options)
        return harvest(corpus, **options)

    harvest = kept.harvest
    monkeypatch.setattr(kept, "harvest", noted)
    wanted = ("rephrasings", "instructions")
    together = build_probes(documents(), wanted, limit=4)
    assert counted == [{"seed": 0, "pairs": True}]
    monkeypatch.setattr(kept, "software", lambda: "other rules")
    assert [build_probes(documents(), [name], limit=4)[0] for name in wanted] == together


def test_no_probe_asks_a_query_that_nothing_answers() -> None:
    # It would count 0 in every ranking metric, whatever a system finds.
    corpus = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}
    names = [kind.name for kind in kinds() if kind.probe]
    names.remove("position")
    texts = [document.text for document in corpus.values()]
    # `position` takes no document of less than 100 words: three notes each.
    long = {f"{n}": Document(f"{n}", " ".join(texts[n : n + 3])) for n in (0, 3, 6)}
    for probe in [*build_probes(corpus, names, limit=20), *build_probes(long, ["position"])]:
        assert probe.queries, probe.name
        assert notes_on(probe) == list(probe.notes)  # which say nothing of such a query
        assert not any("without a relevant" in note for note in probe.notes)
        assert not probe.excluded
