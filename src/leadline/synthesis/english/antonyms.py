"""Pairs of words of which one excludes the other in nearly every context, exchanged by their use.

The tables hold no word whose usual senses have different opposites (left, light, right, free,
hard, short, open, late), and no pair that may both hold of one thing (later and earlier).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import SUBJECTS
from leadline.synthesis.words import words_of


def _pairs(text: str) -> dict[str, str]:
    pairs = [pair.split() for pair in text.split("|")]
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


_VERBS = _pairs("increase decrease | strengthen weaken | accelerate decelerate | lengthen shorten")
"""Lemmas, exchanged in the same form."""

_ADJECTIVES = _pairs(
    """
    larger smaller | largest smallest | bigger smaller | longer shorter |
    longest shortest | highest lowest | thicker thinner | stronger weaker | strongest weakest |
    faster slower | fastest slowest | oldest youngest |
    warmer colder | heavier lighter | deeper shallower | wider narrower |
    subsonic supersonic | compressible incompressible |
    symmetric asymmetric | symmetrical asymmetrical | stable unstable |
    horizontal vertical | rural urban | male female | benign malignant |
    anterior posterior |
    maternal paternal | married unmarried | visible invisible |
    voluntary compulsory |
    ascending descending | upward downward
    """
)
"""As written. "a larger wing", not "by and large"."""

_FLOWING = words_of(
    "flow flows layer layers boundary wake wakes jet jets motion mixing separation region fluid"
)
_BEFORE = {
    ("left", "right"): words_of(
        """
        arm leg hand foot knee hip shoulder elbow wrist ankle eye ear breast kidney lung thigh side
        lobe ventricle atrium hemisphere femur tibia humerus groin flank nostril temple cheek toe
        thumb finger forearm heel calf testicle ovary adrenal carotid iliac subclavian lower upper
        """
    ),
    ("northern", "southern"): words_of("part half region coast hemisphere border states england"),
    ("eastern", "western"): words_of("part half region coast hemisphere border states"),
    ("public", "private"): words_of("school schools university universities hospital hospitals"),
    ("positive", "negative"): words_of(
        "result results test tests culture cultures finding findings attitude attitudes effect"
        " effects sign influence response charge value values slope correlation"
    ),
    ("primary", "secondary"): words_of("school schools"),
    ("internal", "external"): words_of("pressure surface surfaces diameter structure memory flow"),
    ("hot", "cold"): words_of("weather climate"),
    ("steady", "unsteady"): words_of("flow flows state motion"),
    ("younger", "older"): words_of(
        "brother sister son daughter child children patients people women men adults subjects age"
    ),
    ("young", "old"): words_of("man woman lady couple"),
    ("linear", "nonlinear"): words_of("equation equations system systems theory model models"),
    ("laminar", "turbulent"): _FLOWING,
    ("viscous", "inviscid"): _FLOWING,
    ("first", "last"): words_of("chapter episode section"),
}
"""Exchanged only directly before one of these nouns, or where it is said of one: "her left knee",
not "things left"."""

_NOUNS = _pairs(
    "increase decrease | advantage disadvantage | majority minority | victory defeat |"
    " morning evening | summer winter | import export"
)
KIN = _pairs(
    "mother father | sister brother | daughter son | aunt uncle | girl boy | wife husband |"
    " grandmother grandfather | niece nephew | queen king | princess prince | woman man"
)
"""Exchanged only in a document without "he" or "she", which would no longer fit."""
_GENDERED = words_of("he she him her his hers himself herself mr mrs ms miss lesbian gay")
SEXES = frozenset({"male", "female"})
_NEAR = 8
_REASONS = words_of("because since due so thus")
_NO_DEGREE = words_of("no not never as too so less more most least than")


def find_antonyms(sentence: Any, said: dict[str, int]) -> Iterator[tuple[Any, str]]:
    """Yield (token, its opposite) of a parsed sentence.

    said  word in lower case -> how often the whole document says it: a word that stands there
          twice, or beside its opposite, cannot be broken by one edit
    """
    for token in sentence:
        opposite = _opposite(token, said)
        if not opposite or said.get(token.lower_, 0) > 1 or said.get(opposite.lower(), 0):
            continue
        if _is_bound_to_neighbours(token):
            continue
        yield token, opposite.capitalize() if token.is_title else opposite


def _opposite(token: Any, said: dict[str, int]) -> str:
    word, following = token.lower_, _next(token)
    for pair, nouns in _BEFORE.items():
        if word in pair:
            fits = following in nouns and token.dep_ in {"amod", "compound"}
            fits = fits or _is_said_of(token, nouns)
            return pair[1 - pair.index(word)] if fits else ""
    if word in SEXES and _GENDERED & said.keys():
        return ""
    if word in _ADJECTIVES and token.dep_ in {"amod", "acomp", "attr", "compound"}:
        return _ADJECTIVES[word]
    if token.tag_ == "NN" and token.dep_ in {"nsubj", "dobj", "attr", "pobj", "nsubjpass"}:
        if word in KIN and not (_GENDERED & said.keys() or _is_named(token)):
            return KIN[word] if token.dep_ in {"nsubj", "nsubjpass", "dobj"} else ""
        return "" if lemma_of(token.head) == "take" else _NOUNS.get(word, "")
    if token.pos_ == "VERB" and token.tag_ in {"VBD", "VBZ", "VBP", "VBN"}:
        return _inflected(token)
    return ""


def _is_said_of(adjective: Any, nouns: frozenset[str]) -> bool:
    """Tell whether "is" says an adjective of one of the nouns: "the flow is laminar"."""
    if adjective.dep_ not in {"acomp", "attr"}:
        return False
    return any(
        child.dep_ in SUBJECTS and child.lower_ in nouns for child in adjective.head.children
    )


def _is_named(noun: Any) -> bool:
    """Tell whether a name says who is meant: "ordinary girl Mary"."""
    return any(child.pos_ == "PROPN" for child in (*noun.children, noun.head))


def _inflected(verb: Any) -> str:
    """Return the opposite verb in the same form."""
    from lemminflect import getInflection

    opposite = _VERBS.get(lemma_of(verb), "")
    if not opposite or verb.dep_ in {"amod", "compound", "xcomp"}:
        return ""
    if not any(child.dep_ in SUBJECTS for child in verb.children):
        return ""
    if any(word.lower_ in _REASONS for word in verb.subtree):
        return ""  # "increases growth because the gas feeds plants"
    if any(child.lower_ == "from" for child in verb.children):
        return ""  # "decreased from 21.8 to 24.7"
    if verb.lower_ not in getInflection(lemma_of(verb), tag=verb.tag_):
        return ""
    found: tuple[str, ...] = getInflection(opposite, tag=verb.tag_)
    return found[0] if found else ""


def _is_bound_to_neighbours(token: Any) -> bool:
    before = token.nbor(-1) if token.i else None
    if token.tag_ == "JJR" and any(
        word.like_num and abs(word.i - token.i) < _NEAR for word in token.sent
    ):
        return True  # "a smaller size, such as 15 cm"
    if token.tag_ == "JJR" and all(
        word.lower_ != "than" for word in token.sent[token.i - token.sent.start :]
    ):
        return True  # "less expensive than the larger car"
    if before is not None and (before.lower_ == "even" or before.dep_ == "advmod"):
        return True  # "even larger", than what stands before it; "unhappily married"
    if before is not None and (before.lower_ in _NO_DEGREE or before.text in {"-", "–", "/"}):
        return True
    return _next(token) in {"-", "–", "/", "and", "or", "versus"} or bool(token.ent_type_)


def _next(token: Any) -> str:
    if token.i + 1 >= len(token.doc):
        return ""
    following: str = token.doc[token.i + 1].lower_
    return following
