"""Words of one sort, any of which may stand for another in nearly every sentence.

They are what a control exchanges: the sentence stays one that somebody would write, and says
something else of what no condition asks for. Without the table a control takes any word of the
same part of speech, and one in three reads as nonsense ("born of a compact marriage").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leadline.synthesis.english.parsing import lemma_of


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in text.split("|"))


_NOUNS = _groups(
    """
    method technique approach | study investigation | analysis assessment evaluation |
    theory hypothesis | problem difficulty | experiment trial | survey review | finding conclusion |
    importance significance | equation formula |
    calculation computation |
    cylinder sphere cone | velocity acceleration | programme project | seminar workshop conference |
    library archive museum | journal magazine newspaper | catalogue index bibliography |
    librarian archivist | committee council commission | government ministry | policy strategy |
    education training | university college | department faculty |
    budget income | reader user |
    teacher nurse doctor | engineer scientist chemist | lawyer journalist architect banker |
    actor singer dancer musician | soldier sailor | detective officer | farmer fisherman hunter |
    thief robber smuggler |
    mother aunt grandmother | father uncle grandfather | son nephew | daughter niece | brother
    cousin | sister cousin | king prince | queen princess | infant child | team crew |
    dog cat horse | rat mouse rabbit | sheep goat pig cow | lion tiger leopard | bear wolf fox |
    duck goose swan | frog toad lizard | crow owl eagle | tea coffee cocoa |
    apple pear plum | cake biscuit pie | milk juice | sugar salt flour | rice maize wheat |
    village town city | house cottage cabin | restaurant cafe bakery | river lake canal |
    forest desert jungle | mountain hill valley | street road lane | garden park orchard |
    kitchen bedroom attic | office shop factory | island peninsula |
    castle palace fortress | church chapel | car bus truck | boat ship raft | letter note |
    sword spear dagger | coat hat scarf | window door gate | box bag basket |
    morning afternoon evening |
    winter summer autumn spring | january february march april june july august september october
    november december | monday tuesday wednesday thursday friday saturday sunday |
    knee elbow shoulder hip ankle wrist | liver kidney lung spleen |
    serum plasma | artery vein | drug medication | tumor cyst abscess | fever cough |
    headache dizziness nausea | symptom complaint | disease disorder | treatment therapy |
    hormone enzyme antibody | bone muscle | dose dosage |
    gold silver copper | iron steel aluminium | oxygen nitrogen hydrogen |
    football hockey tennis | song poem | novel poem | painting drawing sculpture |
    storm flood drought | flower shrub tree | fear anger grief |
    victory defeat | wedding funeral | adventure journey quest |
    contest tournament | robbery murder kidnapping | beginning end | advantage drawback |
    law regulation | tax fee | company bank firm | salary pension | price cost |
    lawyer accountant | customer client | goal aim purpose | attitude opinion | skill ability
    """
)
"""Lemmas; exchanged in the same number."""

_ADJECTIVES = _groups(
    """
    important useful valuable | recent early | difficult simple complex | rapid gradual |
    medical surgical |
    physical chemical biological | severe mild moderate | numerical graphical | famous obscure |
    red blue green yellow | brown grey purple | small large | thin thick |
    narrow wide | hot cold | wet dry | quiet noisy | clever foolish |
    young elderly | ancient modern | beautiful ugly | dangerous harmless | cheap
    expensive | brief detailed | strange ordinary | proximal distal |
    lateral medial | annual monthly weekly | northern southern eastern western | rural urban |
    french german spanish italian | british american canadian australian | chinese japanese korean
    indian | successful promising | kind cruel |
    wealthy ambitious |
    retired former | powerful influential | mysterious unexpected | practical theoretical |
    frequent occasional | theoretical experimental
    """
)
"""As written."""

_PLURAL, _SINGULAR = "NNS", "NN"


def _others(groups: tuple[tuple[str, ...], ...]) -> dict[str, tuple[str, ...]]:
    held: dict[str, tuple[str, ...]] = {}
    for group in groups:
        for word in group:
            held[word] = held.get(word, ()) + tuple(other for other in group if other != word)
    return held


_NOUN, _ADJECTIVE = _others(_NOUNS), _others(_ADJECTIVES)


def _is_adjective(token: Any) -> bool:
    """Tell whether a word describes the noun that it belongs to, and no adverb grades it."""
    graded = token.i > 0 and token.nbor(-1).pos_ == "ADV"
    noun = token.head.tag_ in {_SINGULAR, _PLURAL}
    return token.tag_ == "JJ" and token.dep_ == "amod" and noun and not graded


def words_of_its_sort(token: Any) -> Iterator[str]:
    """Yield what may stand for a noun or an adjective of a parsed sentence, in the same form."""
    from lemminflect import getInflection

    if _is_adjective(token):
        yield from _ADJECTIVE.get(token.lower_, ())
    if token.tag_ not in {_SINGULAR, _PLURAL} or token.dep_ in {"compound", "npadvmod", "nmod"}:
        return
    if any(child.dep_ in {"compound", "nmod", "cc", "conj"} for child in token.children):
        return
    for lemma in _NOUN.get(lemma_of(token), ()):
        if token.tag_ == _SINGULAR and token.lower_ == lemma_of(token):
            yield lemma
        elif token.tag_ == _PLURAL:
            yield from getInflection(lemma, tag=_PLURAL)[:1]
