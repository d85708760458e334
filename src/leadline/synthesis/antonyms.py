"""Pairs of words of which one excludes the other, and where the exchange would mislead.

Read as data: which word stands for which, and by its neighbours where it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline.synthesis.words import COPULAS, words_of

_BOTH_WAYS = """
increase decrease | increases decreases | increased decreased | increasing decreasing |
higher lower | highest lowest | high low | large small | larger smaller | largest smallest |
upper lower | before after | above below | early late | earlier later | positive negative |
internal external | inner outer | maximum minimum | open closed | strong weak |
stronger weaker | hot cold | laminar turbulent | subsonic supersonic |
compressible incompressible | steady unsteady | theoretical experimental |
theoretically experimentally | linear nonlinear | viscous inviscid | symmetric asymmetric |
symmetrical asymmetrical | advantages disadvantages | young old | male female | man woman |
mother father | brother sister | brothers sisters | son daughter | benign malignant |
acute chronic | mild severe | mildly severely | proximal distal | proximally distally |
medial lateral | medially laterally | anterior posterior | anteriorly posteriorly |
superior inferior | superiorly inferiorly | unilateral bilateral | better worse |
majority minority | often rarely | rapidly slowly | rapid slow |
successful unsuccessful | successfully unsuccessfully | adequate inadequate |
sufficient insufficient | possible impossible | effective ineffective | efficient inefficient |
accurate inaccurate | complete incomplete | regular irregular | stable unstable |
normal abnormal | remarkable unremarkable | parallel perpendicular | horizontal vertical |
simple complex | rural urban | undergraduate postgraduate | full-time part-time |
manual automated | manually automatically | central peripheral | uniform nonuniform |
forward backward | input output | inside outside | transmitter receiver | summer winter |
morning evening | northern southern | eastern western | developing developed |
expensive inexpensive | imports exports | similar different | agreement disagreement |
favorable unfavorable | favourable unfavourable | satisfactory unsatisfactory |
necessary unnecessary | short long | shorter longer | narrow wide | thick thin |
thicker thinner | deep shallow | first last | maternal paternal | inpatient outpatient |
two-dimensional three-dimensional | public academic | left right | primary secondary |
visible invisible | known unknown | active inactive | appropriate inappropriate |
dependent independent | formal informal | direct indirect | directly indirectly |
explicit implicit | reversible irreversible | elastic inelastic | conscious unconscious |
comfortable uncomfortable | related unrelated | changed unchanged | significant insignificant |
likely unlikely | responsive unresponsive | attached detached | present absent |
formerly currently | previously subsequently | permanent temporary | improved worsened |
reversed unchanged | ascending descending | clockwise counterclockwise | sharp blunt |
"""
_ONE_WAY = """
denies reports | denied reported | without with | rejected accepted | widespread limited |
elevated decreased | optional compulsory | voluntary compulsory | frequently rarely |
one-dimensional two-dimensional | useful useless | important unimportant | tertiary primary
"""

_PAIRS = [tuple(pair.split()) for pair in _BOTH_WAYS.split("|") if pair.strip()]
_SINGLE_PAIRS = [tuple(pair.split()) for pair in _ONE_WAY.split("|")]

OPPOSITES: dict[str, str] = {}
PARTNERS: dict[str, set[str]] = {}
"""Every word that a word is paired with: where one of them stands too, both are contrasted."""
for _one, _other in _PAIRS:
    OPPOSITES.setdefault(_one, _other)
    OPPOSITES.setdefault(_other, _one)
for _one, _other in _SINGLE_PAIRS:
    OPPOSITES[_one] = _other
for _one, _other in (*_PAIRS, *_SINGLE_PAIRS):
    PARTNERS.setdefault(_one, set()).add(_other)
    PARTNERS.setdefault(_other, set()).add(_one)

_LOWER_PARTS = words_of(
    """
    lip lobe lobes surface surfaces extremity extremities quadrant eyelid lid pole body bowel
    abdomen jaw deck part half end branch layer lobe molar incisors face edge pole limb limbs
    """
)
"""What is called lower in contrast to upper; all else is lower in contrast to higher."""

_PREDICATIVE = words_of(
    """
    effective ineffective efficient inefficient important necessary unnecessary useful similar
    different appropriate inappropriate adequate inadequate satisfactory unsatisfactory possible
    impossible likely unlikely related unrelated known unknown visible invisible accurate
    inaccurate sufficient insufficient responsive unresponsive comfortable uncomfortable present
    absent changed unchanged reversed improved worsened better worse remarkable unremarkable
    successful unsuccessful favorable unfavorable favourable unfavourable conscious expensive
    inexpensive rejected independent dependent
    """
)
"""Exchanged only after a form of "be" or an adverb of degree."""

_GENDERED = words_of("male female man woman mother father brother sister son daughter")
_GENDER_PRONOUN = re.compile(r"\b(?:he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)

_FLUID = words_of(
    """
    flow flows boundary boundary-layer layer layers skin skin-friction mixing jet jets wake wakes
    heat heating heat-transfer separation motion transport friction free shear regime region
    """
)
_CITING = words_of(
    """
    mentioned cited described given shown noted discussed presented stated listed outlined named
    defined detailed indicated referred dictated
    """
)
_ONLY_BEFORE = {
    "turbulent": _FLUID,
    "laminar": _FLUID,
    "developed": words_of("countries country nations world regions areas"),
    "developing": words_of("countries country nations world regions areas"),
    "public": words_of("library libraries librarian librarians librarianship"),
    "academic": words_of("library libraries librarian librarians librarianship"),
    "old": words_of("man woman lady gentleman people person patient patients boy girl readers"),
    "young": words_of("man woman lady gentleman people person patient patients readers"),
    "attached": words_of("shock shocks bow flow"),
    "detached": words_of("shock shocks bow"),
    "normal": words_of(
        "findings pulses gait strength size appearance breath bowel sensation tone contour mucosa"
        " function motion reflexes heart hearing mood affect"
    ),
}
_ONLY_AFTER = {
    "first": words_of("the his her its their"),
    "last": words_of("the its their"),
    "complex": words_of("a more very most the highly"),
    "elevated": words_of("a an the his her its was is were are mildly slightly markedly"),
}
_NEVER_BEFORE = {
    "high": words_of("school schools order frequency resolution performance court commission"),
    "low": words_of("back grade cost frequency order pass"),
    "first": words_of("aid time of step place degree order and two three part name stage half"),
    "last": words_of("name few resort year week month menstrual night decade years two three"),
    "open": words_of("heart the to reading reduction access air university a an for in by with up"),
    "closed": words_of("the with and in using by for loop over reduction circuit head"),
    "before": words_of("it they the being"),
    "primary": words_of("care school schools"),
    "long": words_of("term as and time beach leg arm island before after been range history"),
    "short": words_of("term of and leg arm story stories title titles time circuit cut"),
    "left": words_of(
        "the in a an at on to without him her for intact behind out over open unchanged alone by"
        " with his this and is was"
    ),
    "right": words_of("away now angle angles to of and is was at here up hand-side"),
    "without": words_of(
        "any it which them this that him her exception the a an much further undue loss regard"
        " reference recourse prior recourse use need"
    ),
    "known": words_of("as to that for about by in how"),
    "present": words_of("a an the to that"),
    "increase": words_of("its their the"),
    "decrease": words_of("its their the"),
    "complete": words_of("the a an with this blood details"),
    "changed": words_of("to from"),
    "denied": words_of("the"),
    "denies": words_of("any a"),
    "better": words_of("to than the"),
    "worse": words_of("than"),
    "simple": words_of("as"),
    "above": words_of("the and mentioned is are noted listed named was findings described this"),
    "below": words_of("the and knee is are this"),
    "after": words_of("the a this which being an all that it"),
    "direct": words_of("the visualization vision current"),
    "complex": words_of("of is variable variables number numbers plane"),
    "similar": words_of("to"),
    "different": words_of("from than"),
    "superior": words_of("to"),
    "inferior": words_of("to"),
    "deep": words_of("vein venous tendon"),
    "wide": words_of("range variety"),
    "central": words_of("to venous"),
    "regular": words_of("rate basis"),
    "acute": words_of("distress"),
    "elevated": words_of("off from up with using over"),
    "independent": words_of("of countries nations states variable"),
    "dependent": words_of("on upon edema"),
    "thin": words_of("film films"),
    "cold": words_of("war"),
    "hot": words_of("flashes flushes tub"),
    "currently": words_of("still"),
    "negative": words_of("pressure"),
    "active": words_of("in"),
    "external": words_of("examination"),
    "positive": words_of("pressure integer airway end-expiratory"),
    "strong": words_of("enough"),
    "lower": words_of("the case"),
    "higher": words_of("education institutions order"),
    "secondary": words_of("to"),
    "upper": words_of("and"),
    "late": words_of("in"),
    "early": words_of("as"),
    "significant": words_of("other figures for substantial"),
}
_NEVER_AFTER = {
    "left": words_of(
        "was were be been being is are he she they patient who i then has had have it him having"
        " when people we"
    ),
    "right": words_of("all"),
    "last": words_of("at"),
    "long": words_of("as how so for no not before year week month"),
    "before": words_of("as never not ever"),
    "after": words_of("before look soon shortly"),
    "above": words_of("the as and see") | _CITING,
    "below": words_of("as and see") | _CITING,
    "high": words_of("too as so"),
    "maximum": words_of("a"),
    "minimum": words_of("a"),
    "open": words_of("to left was"),
    "developed": words_of("was were been has have had be is are being he she and they"),
    "closed": words_of("was were then be is"),
    "complete": words_of("to"),
    "direct": words_of("to"),
    "denied": words_of("was were"),
    "without": words_of("or with and"),
    "short": words_of("in too"),
    "forward": words_of("look looks looking looked put come bring carried"),
    "slow": words_of("to"),
    "parallel": words_of("in"),
    "lower": words_of("to"),
    "narrow": words_of("to"),
    "late": words_of("the"),
    "later": words_of("years year days day months month weeks hours minutes"),
    "earlier": words_of("years year days day months month weeks hours minutes"),
    "subsequently": words_of("was were"),
    "inside": words_of("the"),
    "outside": words_of("the"),
}
_NO_DEGREE = words_of("no not never neither nor without too as least less or and")
_ANY = re.compile(
    rf"(?<![\w'’/-])(?:{'|'.join(sorted(OPPOSITES, key=len, reverse=True))})(?![\w'’/-])",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:no|not|cannot|never|none|neither|nor|without|denie[sd])\b", re.I)
_BEFORE = re.compile(r"([\w-]+)\s$")
_AFTER = re.compile(r"\s([\w-]+)")
_NOTHING: frozenset[str] = frozenset()


def find_antonyms(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, opposite) of the words of text[start:end] that have a clear opposite.

    A word is passed over when its opposite stands in the sentence as well, after a negation, beside
    "less", "and" or "or", and in expressions where the opposite means nothing.
    """
    sentence = text[start:end]
    words = set(re.findall(r"[\w-]+", sentence.lower()))
    for match in _ANY.finditer(text, start, end):
        word = match.group().lower()
        if PARTNERS[word] & words or _NEGATION.search(text, start, match.start()):
            continue
        if word in _GENDERED and _GENDER_PRONOUN.search(sentence):
            continue
        before = _BEFORE.search(text, max(start, match.start() - 40), match.start())
        after = _AFTER.match(text, match.end(), end)
        previous = before[1].lower() if before else ""
        following = after[1].lower() if after else ""
        if _is_free(word, previous, following):
            is_part = word == "lower" and following in _LOWER_PARTS
            opposite = "upper" if is_part else OPPOSITES[word]
            yield match.start(), match.end(), _like(opposite, match.group())


def _is_free(word: str, previous: str, following: str) -> bool:
    if previous in _NO_DEGREE or following in {"and", "or", "versus"}:
        return False
    if word == "without" and following.endswith("ing"):
        return False
    if following in _NEVER_BEFORE.get(word, _NOTHING):
        return False
    if previous in _NEVER_AFTER.get(word, _NOTHING):
        return False
    if word in _ONLY_BEFORE and following not in _ONLY_BEFORE[word]:
        return word in {"normal"} and previous in COPULAS
    if word in _ONLY_AFTER and previous not in _ONLY_AFTER[word]:
        return False
    return word not in _PREDICATIVE or previous in COPULAS


def _like(word: str, written: str) -> str:
    if written.isupper() and len(written) > 1:
        return word.upper()
    return word.capitalize() if written[0].isupper() else word
